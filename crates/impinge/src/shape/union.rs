//! Disjoint sets, for connected components.

/// Union–find with path halving; the lowest member represents its set, so the result does not
/// depend on the order of the unions.
#[derive(Clone, Debug)]
pub(crate) struct Union {
    parent: Vec<u32>,
}

impl Union {
    pub(crate) fn new(count: usize) -> Self {
        assert!(
            count <= u32::MAX as usize,
            "members are numbered with 32 bits"
        );
        Self {
            parent: (0..count as u32).collect(),
        }
    }

    /// The lowest member of the set.
    pub(crate) fn find(&mut self, mut member: u32) -> u32 {
        while self.parent[member as usize] != member {
            let above = self.parent[self.parent[member as usize] as usize];
            self.parent[member as usize] = above;
            member = above;
        }
        member
    }

    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// Number of sets.
    pub(crate) fn count(&self) -> usize {
        self.parent
            .iter()
            .zip(0..)
            .filter(|&(&parent, member)| parent == member)
            .count()
    }

    /// The label of each member's set, counted from 0 in the order of the sets' lowest members.
    pub(crate) fn labels(mut self) -> Vec<u32> {
        let mut next = 0;
        let mut label = vec![0; self.parent.len()];
        for member in 0..self.parent.len() as u32 {
            let least = self.find(member);
            label[member as usize] = if least == member {
                next
            } else {
                label[least as usize]
            };
            next += u32::from(least == member);
        }

        label
    }
}
