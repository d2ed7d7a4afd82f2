//! The nodes of the octree, with time stamps and surface flags propagated from the buckets to the
//! root.
//!
//! A node is identified by its level and the interleaved bits of its position (Morton code): the
//! number of its parent is its own without the last three bits.

/// No entry.
const NONE: u32 = u32::MAX;

/// The octree and the contents of its buckets.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    /// The levels, root first.
    levels: Vec<Level>,
    /// Latest entry of each bucket.
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// Non-empty buckets, in the order in which they were filled.
    filled: Vec<u32>,
    now: u32,
}

#[derive(Clone, Debug)]
struct Level {
    stamps: Vec<u32>,
    surface: Vec<bool>,
}

/// A tetrahedron in a bucket, and the previous entry.
#[derive(Clone, Copy, Debug)]
struct Entry {
    tetrahedron: u32,
    before: u32,
}

/// The Morton code of a bucket: the interleaved bits of its position.
#[inline]
pub(super) fn code([x, y, z]: [u16; 3]) -> u32 {
    spread(x) | spread(y) << 1 | spread(z) << 2
}

/// The position of a node within its level.
pub(super) fn place(code: u32) -> [u16; 3] {
    [0, 1, 2].map(|axis| {
        (0..8).fold(0, |place, bit| {
            place | (code >> (3 * bit + axis) & 1) << bit
        }) as u16
    })
}

/// Inserts two zero bits after each of the lowest eight bits.
#[inline]
fn spread(bits: u16) -> u32 {
    let mut x = u32::from(bits) & 0xff;
    x = (x | x << 8) & 0xf00f;
    x = (x | x << 4) & 0x000c_30c3;
    (x | x << 2) & 0x0024_9249
}

impl Nodes {
    pub(super) fn new(levels: u32) -> Self {
        let count = |level: u32| 8usize.pow(level);
        let level = |l| Level {
            stamps: vec![0; count(l)],
            surface: vec![false; count(l)],
        };

        Self {
            levels: (0..levels).map(level).collect(),
            heads: vec![NONE; count(levels - 1)],
            entries: Vec::new(),
            filled: Vec::new(),
            now: 0,
        }
    }

    pub(super) fn levels(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Number of non-empty buckets.
    pub(super) fn filled(&self) -> usize {
        self.filled.len()
    }

    /// Starts a step: invalidates all earlier mappings.
    pub(super) fn start(&mut self) {
        self.entries.clear();
        self.filled.clear();
        self.now = self.now.wrapping_add(1);

        if self.now == 0 {
            // After 2³² steps old stamps would look current.
            self.levels
                .iter_mut()
                .for_each(|level| level.stamps.fill(0));
            self.now = 1;
        }
    }

    pub(super) fn add(&mut self, tetrahedron: u32, bucket: u32, is_surface: bool) {
        let (last, b) = (self.levels.len() - 1, bucket as usize);
        let level = &mut self.levels[last];
        let before = if level.stamps[b] == self.now {
            self.heads[b]
        } else {
            level.stamps[b] = self.now;
            level.surface[b] = false;
            self.filled.push(bucket);
            NONE
        };
        level.surface[b] |= is_surface;
        self.heads[b] = self.entries.len() as u32;

        self.entries.push(Entry {
            tetrahedron,
            before,
        });
    }

    /// Listing 1.5.5: propagates stamps and surface flags towards the root, stopping where nothing
    /// changes.
    pub(super) fn propagate(&mut self) {
        let last = self.levels.len() - 1;
        for &bucket in &self.filled {
            let surface = self.levels[last].surface[bucket as usize];
            let mut code = bucket as usize;
            for level in self.levels[..last].iter_mut().rev() {
                code >>= 3;
                if level.stamps[code] != self.now {
                    level.stamps[code] = self.now;
                    level.surface[code] = surface;
                } else if surface && !level.surface[code] {
                    level.surface[code] = true;
                } else {
                    break;
                }
            }
        }
    }

    /// Whether the node or its subtree contains an entry of the current step.
    pub(super) fn is_now(&self, level: u32, code: u32) -> bool {
        self.levels[level as usize].stamps[code as usize] == self.now
    }

    /// Whether the node is current and it or its subtree contains a surface tetrahedron.
    pub(super) fn is_surface(&self, level: u32, code: u32) -> bool {
        self.levels[level as usize].surface[code as usize]
    }

    /// Whether a bucket already contains a surface tetrahedron.
    #[inline]
    pub(super) fn has_surface(&self, bucket: u32) -> bool {
        let last = self.levels() - 1;
        self.is_now(last, bucket) && self.is_surface(last, bucket)
    }

    /// The contents of a bucket, latest first.
    #[inline]
    pub(super) fn list(&self, bucket: u32) -> impl Iterator<Item = u32> + '_ {
        let is_now = self.is_now(self.levels() - 1, bucket);
        let mut at = if is_now {
            self.heads[bucket as usize]
        } else {
            NONE
        };

        std::iter::from_fn(move || {
            let entry = self.entries.get(at as usize)?;
            at = entry.before;
            Some(entry.tetrahedron)
        })
    }

    /// Panics if a flag of a node does not match its subtree.
    pub(super) fn assert_valid(&self, is_surface: &[bool]) {
        let last = self.levels() - 1;
        for &bucket in &self.filled {
            let flag = self.list(bucket).any(|t| is_surface[t as usize]);
            assert_eq!(
                self.is_surface(last, bucket),
                flag,
                "surface flag of bucket {bucket}"
            );
        }

        for level in 0..last {
            for code in 0..8u32.pow(level) {
                let children =
                    || (8 * code..8 * code + 8).filter(|&child| self.is_now(level + 1, child));
                let is_now = children().next().is_some();
                assert_eq!(
                    self.is_now(level, code),
                    is_now,
                    "stamp of node {code} of level {level}"
                );
                let flag = children().any(|child| self.is_surface(level + 1, child));

                assert!(
                    !is_now || self.is_surface(level, code) == flag,
                    "surface of node {code} of level {level}"
                );
            }
        }
    }
}
