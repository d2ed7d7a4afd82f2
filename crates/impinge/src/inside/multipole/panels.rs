//! The cluster tree of the panels: octree boxes with the triangles whose centroids they contain.
//!
//! Triangles are sorted along the Morton curve, so every cluster is a range of one list, and the
//! levels are arrays. All boxes are divided down to the tree's depth, and crowded ones further, so
//! that a mesh of mixed sizes does not leave thousands of small triangles in one box. A triangle
//! stays in the smallest box that is not small relative to it. The radius of a cluster, r = sup |x
//! − C| in [Muth2006, eq. (16)], is then never much larger than its box's.

use super::Depth;
use super::cube::{Cube, MOST_LEVELS};
use super::options::Accuracy;
use crate::parallel::prelude::*;
use crate::space::{Aabb, Point};

/// Maximum radius of a triangle, in edges of its box. Larger values let clusters extend far beyond
/// their boxes, which enlarges near fields; smaller ones leave triangles in boxes with many others.
const FIT: f64 = 0.5;

/// Number of triangles in a box, relative to the mean that the depth aims at, beyond which it is
/// divided further.
const CROWD: f64 = 8.0;

/// Number of triangles up to which a box is never divided further for its crowd alone.
const LEAST_CROWD: f64 = 64.0;

/// The triangles of one box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cluster {
    /// The box's position on the grid of its level.
    pub(super) at: [u32; 3],
    /// Start of its panels in the sorted list; those that stay in this box come first.
    pub(super) first: u32,
    pub(super) end: u32,
    /// End of the panels that stay in this box.
    pub(super) own_end: u32,
    /// Its children on the next level.
    pub(super) sons: [u32; 2],
    /// Maximum distance of a panel's corner from the box's centre.
    pub(super) radius: f64,
    /// Sum of the panels' areas.
    pub(super) area: f64,
}

impl Cluster {
    pub(super) fn has_sons(&self) -> bool {
        self.sons[0] < self.sons[1]
    }

    pub(super) fn has_own(&self) -> bool {
        self.first < self.own_end
    }
}

/// All clusters, level by level.
#[derive(Clone, Debug)]
pub(super) struct Panels {
    pub(super) cube: Cube,
    pub(super) levels: Vec<Vec<Cluster>>,
    /// Corners of the triangles, in the order of the clusters.
    pub(super) corners: Vec<[Point<3>; 3]>,
}

/// A triangle to be inserted into the tree.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    triangle: u32,
    /// The deepest level whose boxes are not small relative to it.
    level: u8,
}

impl Panels {
    /// Builds the tree over triangles with valid indices, in a cube around bounds that contain
    /// them.
    pub(super) fn new(
        points: &[Point<3>],
        triangles: &[[u32; 3]],
        bounds: &Aabb<3>,
        depth: &Depth,
        accuracy: Accuracy,
    ) -> Self {
        let corners_of = |t: &[u32; 3]| t.map(|n| points[n as usize]);
        let cube = Cube::around(bounds);
        let mut entries: Vec<Entry> = triangles
            .par_iter()
            .enumerate()
            .map(|(number, t)| enter(&cube, number as u32, &corners_of(t)))
            .collect();
        entries.par_sort_unstable_by_key(|entry| (entry.key, entry.triangle));
        let limits = Limits::new(depth, &occupied(&entries), entries.len(), accuracy);
        let mut levels = vec![vec![root(entries.len())]];
        while divide(&mut levels, &mut entries, &limits) {}

        let corners: Vec<[Point<3>; 3]> = entries
            .par_iter()
            .map(|entry| corners_of(&triangles[entry.triangle as usize]))
            .collect();
        measure(&cube, &mut levels, &corners);

        Self {
            cube,
            levels,
            corners,
        }
    }
}

fn root(panels: usize) -> Cluster {
    let end = panels as u32;
    Cluster {
        at: [0; 3],
        first: 0,
        end,
        own_end: end,
        sons: [0; 2],
        radius: 0.0,
        area: 0.0,
    }
}

fn enter(cube: &Cube, triangle: u32, corners: &[Point<3>; 3]) -> Entry {
    let [a, b, c] = corners.map(|p| p.coords);
    let middle = Point::from((a + b + c) / 3.0);
    let radius = corners
        .iter()
        .map(|p| (p - middle).norm())
        .fold(0.0, f64::max);
    let level = (0..MOST_LEVELS)
        .take_while(|&level| radius <= FIT * cube.edge_at(level + 1))
        .count();

    Entry {
        key: morton(cube.place(&middle)),
        triangle,
        level: level as u8,
    }
}

/// Interleaves the bits of the three coordinates, the highest first.
pub(super) fn morton(at: [u32; 3]) -> u64 {
    (0..3).map(|axis| spread(at[axis]) << axis).sum()
}

/// Inserts two zeros after each of 21 bits.
fn spread(bits: u32) -> u64 {
    let mut x = u64::from(bits);
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

/// Returns which child of a box on `level` the key belongs to.
fn digit(key: u64, level: usize) -> usize {
    (key >> (3 * (MOST_LEVELS - 1 - level)) & 7) as usize
}

/// Counts the boxes of each level that contain a centroid.
fn occupied(entries: &[Entry]) -> Vec<usize> {
    let mut first_apart = [0usize; MOST_LEVELS + 2];
    for pair in entries.windows(2) {
        let different = pair[0].key ^ pair[1].key;
        // The first level on which the two are in different boxes.
        let level = if different == 0 {
            MOST_LEVELS + 1
        } else {
            MOST_LEVELS - (63 - different.leading_zeros() as usize) / 3
        };
        first_apart[level] += 1;
    }

    (0..=MOST_LEVELS)
        .map(|level| 1 + first_apart[..=level].iter().sum::<usize>())
        .collect()
}

/// Criteria for when boxes are no longer divided.
struct Limits {
    /// Level down to which every box is divided.
    level: usize,
    /// Number of panels beyond which a box is divided below that level.
    crowd: usize,
    most_levels: usize,
}

impl Limits {
    fn new(depth: &Depth, occupied: &[usize], panels: usize, accuracy: Accuracy) -> Self {
        let level = depth.level(occupied, panels, accuracy);
        let mean = panels as f64 / occupied[level] as f64;
        let most_levels = if let Depth::Given(level) = depth {
            (*level).min(MOST_LEVELS)
        } else {
            MOST_LEVELS
        };

        Self {
            level,
            crowd: (CROWD * mean).max(LEAST_CROWD) as usize,
            most_levels,
        }
    }

    fn divides(&self, level: usize, cluster: &Cluster) -> bool {
        let panels = (cluster.end - cluster.first) as usize;
        level < self.most_levels && panels > 1 && (level < self.level || panels > self.crowd)
    }
}

/// Divides the boxes of the last level; returns false if no box was divided.
fn divide(levels: &mut Vec<Vec<Cluster>>, entries: &mut [Entry], limits: &Limits) -> bool {
    let level = levels.len() - 1;
    let mut next = Vec::new();
    for cluster in levels[level]
        .iter_mut()
        .filter(|cluster| limits.divides(level, cluster))
    {
        let stretch = &mut entries[cluster.first as usize..cluster.end as usize];
        let staying = keep_large(stretch, level);
        cluster.own_end = cluster.first + staying as u32;
        let mut first = cluster.own_end;
        cluster.sons[0] = next.len() as u32;

        for sons in stretch[staying..].chunk_by(|a, b| digit(a.key, level) == digit(b.key, level)) {
            let son = digit(sons[0].key, level);
            let at = std::array::from_fn(|axis| 2 * cluster.at[axis] + (son >> axis & 1) as u32);
            let end = first + sons.len() as u32;
            next.push(Cluster {
                at,
                first,
                end,
                own_end: end,
                ..*cluster
            });

            first = end;
        }

        cluster.sons[1] = next.len() as u32;
    }
    let divided = !next.is_empty();
    next.iter_mut().for_each(|son| son.sons = [0; 2]);
    levels.extend(divided.then_some(next));

    divided
}

/// Moves the triangles that do not fit the next level to the front, preserving the order.
fn keep_large(stretch: &mut [Entry], level: usize) -> usize {
    let large = |entry: &Entry| usize::from(entry.level) <= level;
    let staying = stretch.iter().filter(|entry| large(entry)).count();
    if staying > 0 {
        stretch.sort_by_key(|entry| !large(entry));
    }
    staying
}

/// Computes radii and areas.
fn measure(cube: &Cube, levels: &mut [Vec<Cluster>], corners: &[[Point<3>; 3]]) {
    for (level, clusters) in levels.iter_mut().enumerate() {
        clusters.par_iter_mut().for_each(|cluster| {
            let centre = cube.centre(level, cluster.at);
            let (mut square, mut area) = (0.0f64, 0.0);
            for [a, b, c] in &corners[cluster.first as usize..cluster.end as usize] {
                for p in [a, b, c] {
                    square = square.max((p - centre).norm_squared());
                }
                area += 0.5 * (b - a).cross(&(c - a)).norm();
            }
            (cluster.radius, cluster.area) = (square.sqrt(), area);
        });
    }
}

#[cfg(test)]
mod tests;
