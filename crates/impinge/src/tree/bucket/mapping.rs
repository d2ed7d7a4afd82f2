//! Mapping of boxes to ranges of buckets: directly, or with sorted lists of the box endpoints.

use super::BucketMapping;
use crate::space::Aabb;

/// Number of swaps per endpoint that the insertion sort of a step may make before the list is
/// sorted from scratch.
const EXCHANGES_EACH: u64 = 32;

/// The buckets as a uniform grid.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// Number of buckets along each axis, 2^(l − 1).
    pub(super) side: u16,
    /// The root box, extended by everything that lies outside a fixed root.
    pub(super) reach: Aabb<3>,
    root: Aabb<3>,
    /// Buckets per unit of length; zero for a root without extent.
    scale: [f64; 3],
    /// Lower bounds of the buckets on each axis, one more than there are buckets: the interval
    /// lists.
    pub(super) starts: [Vec<f64>; 3],
    ranges: Vec<[[u16; 3]; 2]>,
    sorted: Option<[Vec<End>; 3]>,
}

/// One endpoint of a tetrahedron's box on one axis.
#[derive(Clone, Copy, Debug)]
struct End {
    value: f64,
    /// Twice the number of the tetrahedron, plus one for an upper endpoint.
    whose: u32,
}

impl Grid {
    pub(super) fn new(levels: u32, mapping: BucketMapping) -> Self {
        Self {
            side: 1 << (levels - 1),
            reach: Aabb::EMPTY,
            root: Aabb::EMPTY,
            scale: [0.0; 3],
            starts: [const { Vec::new() }; 3],
            ranges: Vec::new(),
            sorted: (mapping == BucketMapping::Sorted).then_some([const { Vec::new() }; 3]),
        }
    }

    /// The first and the last bucket covered by the box of a tetrahedron.
    #[inline]
    pub(super) fn range(&self, tetrahedron: u32) -> [[u16; 3]; 2] {
        self.ranges[tetrahedron as usize]
    }

    /// Maps all boxes; returns the number of swaps.
    pub(super) fn update(&mut self, root: &Aabb<3>, boxes: &[Aabb<3>]) -> u64 {
        self.root = *root;
        self.reach = boxes
            .iter()
            .fold(*root, |reach, bounds| reach.merged(bounds));
        let extent = root.extent();

        for axis in 0..3 {
            let scale = f64::from(self.side) / extent[axis];
            self.scale[axis] = if scale.is_finite() { scale } else { 0.0 };
            let width = extent[axis] / f64::from(self.side);
            self.starts[axis].clear();
            // As printed, Listing 1.5.6 halves the step at each interval; the finest level is a
            // uniform grid.
            self.starts[axis]
                .extend((0..=self.side).map(|i| root.min[axis] + f64::from(i) * width));
        }

        match self.sorted.take() {
            Some(mut lists) => {
                let exchanges = (0..3)
                    .map(|axis| self.map_sorted(axis, &mut lists[axis], boxes))
                    .sum();
                self.sorted = Some(lists);
                exchanges
            }
            None => {
                let mut ranges = std::mem::take(&mut self.ranges);
                ranges.clear();
                let at = |p: [f64; 3]| std::array::from_fn(|axis| self.direct(axis, p[axis]));
                ranges.extend(boxes.iter().map(|b| [at(b.min.into()), at(b.max.into())]));
                self.ranges = ranges;
                0
            }
        }
    }

    /// The bucket of a coordinate [Erleben2005, eq. (1.5.7)]; coordinates outside the root map to
    /// its border buckets.
    #[inline]
    fn direct(&self, axis: usize, value: f64) -> u16 {
        // The cast clamps negative values to 0.
        (((value - self.root.min[axis]) * self.scale[axis]) as u16).min(self.side - 1)
    }

    /// The bucket of a coordinate under the mapping in use; by the interval lists if they exist.
    pub(super) fn bucket(&self, axis: usize, value: f64) -> u16 {
        let guess = self.direct(axis, value);
        if self.sorted.is_none() {
            return guess;
        }

        let starts = &self.starts[axis];
        let mut i = usize::from(guess);
        while i > 0 && value < starts[i] {
            i -= 1;
        }

        while i + 1 < usize::from(self.side) && value >= starts[i + 1] {
            i += 1;
        }

        i as u16
    }

    /// Listing 1.5.7: merges the sorted endpoints with the intervals.
    fn map_sorted(&mut self, axis: usize, ends: &mut Vec<End>, boxes: &[Aabb<3>]) -> u64 {
        let exchanges = sort(ends, axis, boxes);
        self.ranges.resize(boxes.len(), Default::default());
        let (starts, last) = (&self.starts[axis], usize::from(self.side) - 1);
        let mut i = 0;

        for end in ends.iter() {
            while i < last && end.value >= starts[i + 1] {
                i += 1;
            }
            self.ranges[end.whose as usize / 2][end.whose as usize % 2][axis] = i as u16;
        }

        exchanges
    }
}

/// Updates and sorts the endpoints; returns the number of swaps.
fn sort(ends: &mut Vec<End>, axis: usize, boxes: &[Aabb<3>]) -> u64 {
    let value = |whose: u32| {
        let bounds = &boxes[whose as usize / 2];
        if whose.is_multiple_of(2) {
            bounds.min[axis]
        } else {
            bounds.max[axis]
        }
    };

    if ends.len() != 2 * boxes.len() {
        ends.clear();
        ends.extend((0..2 * boxes.len() as u32).map(|whose| End { value: 0.0, whose }));
    }

    ends.iter_mut().for_each(|end| end.value = value(end.whose));
    let budget = EXCHANGES_EACH * ends.len() as u64;
    insertion_sort(ends, budget).unwrap_or_else(|| {
        ends.sort_unstable_by(|a, b| a.value.total_cmp(&b.value));
        budget
    })
}

/// Insertion sort, linear if the list is nearly sorted; `None` if it would exceed the budget.
fn insertion_sort(ends: &mut [End], budget: u64) -> Option<u64> {
    let mut exchanges = 0;
    for i in 1..ends.len() {
        let end = ends[i];
        let mut j = i;
        while j > 0 && ends[j - 1].value > end.value {
            ends[j] = ends[j - 1];
            j -= 1;
        }

        ends[j] = end;
        exchanges += (i - j) as u64;
        if exchanges > budget {
            return None;
        }
    }

    Some(exchanges)
}
