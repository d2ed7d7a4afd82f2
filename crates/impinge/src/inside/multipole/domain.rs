//! The cluster tree of the evaluation domain, built without knowing the points, and its local
//! expansions.
//!
//! A cell is divided until no cluster of its level is in its near field, or the near clusters are
//! not divided either [Muth2006, section 2.1.3]. Far clusters are converted on the highest level
//! possible: where cell and cluster are far from each other by rule (16) and their parents are not.
//! The tree is built level by level, in parallel over blocks of cells. Each block's sums have a
//! fixed order, so the result is the same for any number of threads.

use super::LevelOrder;
use super::bound::remainder;
use super::convert::{Conversions, HALF_DIAGONAL, Lowering, Scratch};
use super::cube::{ENLARGED, MOST_LEVELS};
use super::harmonics::{count, fold_for_evaluation};
use super::operators::Shifts;
use super::panels::{Cluster, Panels, morton};
use crate::parallel::prelude::*;
use crate::space::{Aabb, Vector};

/// Number of parents whose children are processed together: enough pairs for each matrix to fill
/// batches.
const BLOCK: usize = 64;

/// Marks an undivided cell; the other bits are the leaf index.
const LEAF: u32 = 1 << 31;

/// The coarsest level on which boxes can be far from each other.
const FIRST_CONVERTING: usize = 2;

/// Number of known points up to which a cell is not divided: the expansions of eight cells cost more
/// than the near panels that they would save.
const FEW_POINTS: usize = 16;

/// No inherited ranges.
const NONE: u32 = u32::MAX;

/// The finished tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Domain {
    /// Index of the first of eight children, or [`LEAF`] and the leaf index; the root comes first.
    nodes: Vec<u32>,
    /// A local expansion per leaf, folded for evaluation.
    pub(super) locals: Vec<f64>,
    /// Where each leaf's ranges begin.
    starts: Vec<u32>,
    /// Ranges of near panels.
    stretches: Vec<[u32; 2]>,
    /// Level and position of each leaf.
    pub(super) places: Vec<(u8, [u32; 3])>,
    /// Maximum of Σ area/r² over the clusters that are far from one leaf.
    pub(super) load: f64,
    /// The same, each cluster weighted with its [`remainder`]: the error bound of J.
    pub(super) error: f64,
    /// Number of conversions done.
    pub(super) conversions: usize,
    /// Whether each leaf may contain points; without lists, J is not known in the others.
    pub(super) known: Vec<bool>,
}

/// A leaf that contains a point.
pub(super) struct Found {
    pub(super) leaf: usize,
    pub(super) level: usize,
    pub(super) at: [u32; 3],
}

impl Domain {
    /// Returns the leaf at a position on the finest grid.
    #[inline]
    pub(super) fn find(&self, place: [u32; 3]) -> Found {
        let (mut node, mut level) = (self.nodes[0], 0);
        while node & LEAF == 0 {
            let shift = MOST_LEVELS - 1 - level;
            let son = place
                .iter()
                .enumerate()
                .fold(0, |son, (axis, p)| son | (p >> shift & 1) << axis);
            node = self.nodes[(node + son) as usize];
            level += 1;
        }

        Found {
            leaf: (node & !LEAF) as usize,
            level,
            at: place.map(|p| p >> (MOST_LEVELS - level)),
        }
    }

    /// Returns the number of cells below the root.
    pub(super) fn cells(&self) -> usize {
        self.nodes.len() - 1
    }

    pub(super) fn leaves(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the ranges of panels near a leaf.
    #[inline]
    pub(super) fn stretches(&self, leaf: usize) -> &[[u32; 2]] {
        &self.stretches[self.starts[leaf] as usize..self.starts[leaf + 1] as usize]
    }

    pub(super) fn memory(&self) -> usize {
        self.nodes.len() * size_of::<u32>()
            + self.locals.len() * size_of::<f64>()
            + self.starts.len() * size_of::<u32>()
            + self.stretches.len() * size_of::<[u32; 2]>()
            + self.places.len() * size_of::<(u8, [u32; 3])>()
            + self.known.len()
    }
}

/// Input of the construction.
pub(super) struct Builder<'a> {
    pub(super) panels: &'a Panels,
    /// Moments of the clusters, level by level.
    pub(super) moments: &'a [Vec<f64>],
    pub(super) degree: usize,
    /// d of [Muth2006, eq. (16)].
    pub(super) separation: f64,
    /// Which conversions use a lower degree.
    pub(super) lowering: Lowering,
    pub(super) order: LevelOrder,
    /// Cells beyond these bounds are not needed.
    pub(super) bounds: Aabb<3>,
    /// Morton keys of the evaluation points, sorted, if they are known.
    pub(super) points: Option<&'a [u64]>,
}

/// Cells of one level, with their lists.
#[derive(Default)]
struct Level {
    cells: Vec<Cell>,
    locals: Vec<f64>,
    /// Near clusters of the cells, one list after another.
    near: Vec<u32>,
    conversions: usize,
}

#[derive(Clone, Copy)]
struct Cell {
    at: [u32; 3],
    /// Its index in the tree.
    node: u32,
    /// Its range of the near clusters.
    near: [u32; 2],
    /// The last link of the chain of near panels from coarser levels.
    inherited: u32,
    load: f64,
    error: f64,
    is_known: bool,
}

/// A divided cell.
#[derive(Clone, Copy)]
struct DividedCell {
    cell: u32,
    first_son: u32,
    inherited: u32,
}

/// Panels that are in the near field of all descendants of a cell, and the next link up the chain.
struct Link {
    up: u32,
    stretches: Vec<[u32; 2]>,
}

/// A cluster on the children's level, and the squared distance, in boxes, at which it is far from a
/// cell.
struct Candidate {
    at: [i32; 3],
    far_from: f64,
    /// Factor that converts squared distances to those from a cluster that fills its box.
    scale: f64,
    load: f64,
    number: u32,
}

impl Builder<'_> {
    pub(super) fn build(&self) -> Domain {
        let mut domain = Domain {
            nodes: vec![LEAF],
            starts: vec![0],
            ..Domain::default()
        };
        let mut links = Vec::new();
        let shifts = Shifts::new(self.degree);
        let nearest = (self.separation + 1.0) * HALF_DIAGONAL;
        let suffices = self.lowering.distances(self.degree, nearest);
        let conversions = Conversions::new(self.degree, self.reach(), suffices);
        let mut current = self.root();

        for level in 0.. {
            domain.conversions += current.conversions;
            let fathers = self.close_leaves(level, &current, &mut domain, &mut links);
            if fathers.is_empty() {
                break;
            }
            current = self.next_level(level + 1, &current, &fathers, &shifts, &conversions);
        }

        domain
    }

    /// Returns the root cell, always near the root cluster: there is no coarser level to treat it.
    fn root(&self) -> Level {
        let cell = Cell {
            at: [0; 3],
            node: 0,
            near: [0, 1],
            inherited: NONE,
            load: 0.0,
            error: 0.0,
            is_known: true,
        };
        Level {
            cells: vec![cell],
            locals: vec![0.0; count(self.degree)],
            near: vec![0],
            conversions: 0,
        }
    }

    /// Returns the maximum distance, in boxes, of the children of a near cluster: parents are near
    /// within (d + 1) r, and r is at most half a diagonal and half an edge.
    fn reach(&self) -> usize {
        (2.0 * (self.separation + 1.0) * (HALF_DIAGONAL + 0.5) + 2.0 * HALF_DIAGONAL).ceil()
            as usize
    }

    /// Adds the undivided cells as leaves; returns the others, after reserving tree indices for
    /// their children.
    fn close_leaves(
        &self,
        level: usize,
        current: &Level,
        domain: &mut Domain,
        links: &mut Vec<Link>,
    ) -> Vec<DividedCell> {
        let clusters = &self.panels.levels[level];
        let width = count(self.degree);
        let mut fathers = Vec::new();

        for (number, cell) in current.cells.iter().enumerate() {
            let near = || current.near_of(cell).iter().map(|&c| &clusters[c as usize]);
            if near().any(Cluster::has_sons) && self.is_worth_dividing(level, cell.at) {
                let staying = near()
                    .filter(|c| c.has_own())
                    .map(|c| [c.first, c.own_end])
                    .collect();
                let inherited = extend_chain(links, cell.inherited, staying);
                let first_son = domain.nodes.len() as u32;
                domain.nodes[cell.node as usize] = first_son;
                domain.nodes.resize(domain.nodes.len() + 8, LEAF);

                fathers.push(DividedCell {
                    cell: number as u32,
                    first_son,
                    inherited,
                });
            } else {
                let local = &current.locals[number * width..(number + 1) * width];
                domain.enter_leaf(
                    self.degree,
                    level,
                    cell,
                    local,
                    near_panels(links, cell.inherited, near()),
                );
            }
        }

        fathers
    }

    fn next_level(
        &self,
        level: usize,
        current: &Level,
        fathers: &[DividedCell],
        shifts: &Shifts,
        conversions: &Conversions,
    ) -> Level {
        let blocks: Vec<Level> = fathers
            .par_chunks(BLOCK)
            .map_init(Scratch::default, |scratch, fathers| {
                self.sons(level, current, fathers, shifts, conversions, scratch)
            })
            .collect();
        let mut next = Level::default();
        blocks.into_iter().for_each(|block| next.append(block));

        next
    }

    /// Creates the children of a block of parents, with their local expansions.
    fn sons(
        &self,
        level: usize,
        current: &Level,
        fathers: &[DividedCell],
        shifts: &Shifts,
        conversions: &Conversions,
        scratch: &mut Scratch,
    ) -> Level {
        let width = count(self.degree);
        let mut block = Level {
            locals: vec![0.0; fathers.len() * 8 * width],
            ..Level::default()
        };
        let (mut candidates, mut pairs) = (Vec::new(), Vec::new());
        let suffices = conversions.squared_distances();
        let most = self.degree_at(level);
        let remainders = self.remainders(&suffices);

        for father in fathers {
            let cell = &current.cells[father.cell as usize];
            let from = &current.locals[father.cell as usize * width..][..width];
            self.candidates(level, current.near_of(cell), &mut candidates);

            for son in 0..8 {
                let number = block.cells.len();
                let at = std::array::from_fn(|axis| 2 * cell.at[axis] + (son >> axis & 1) as u32);
                shifts.apply(
                    &shifts.down[son],
                    from,
                    &mut block.locals[number * width..][..width],
                );
                let mut new = Cell {
                    at,
                    node: father.first_son + son as u32,
                    inherited: father.inherited,
                    ..*cell
                };
                new.near[0] = block.near.len() as u32;
                new.is_known = self.is_needed(level, at);

                if new.is_known {
                    for candidate in &candidates {
                        let offset =
                            std::array::from_fn(|axis| at[axis] as i32 - candidate.at[axis]);
                        let distance = squared_length(offset);

                        if distance > candidate.far_from {
                            let degree =
                                sufficient_degree(&suffices, distance * candidate.scale).min(most);
                            pairs.push(conversions.pair(
                                offset,
                                degree,
                                candidate.number,
                                number as u32,
                            ));
                            new.load += candidate.load;
                            new.error += candidate.load * remainders[degree];
                        } else {
                            block.near.push(candidate.number);
                        }
                    }
                }

                new.near[1] = block.near.len() as u32;
                block.cells.push(new);
            }
        }

        conversions.apply(&pairs, &self.moments[level], &mut block.locals, scratch);
        block.conversions = pairs.len();
        block
    }

    /// Lists the children of near clusters.
    fn candidates(&self, level: usize, near: &[u32], candidates: &mut Vec<Candidate>) {
        candidates.clear();
        let edge = self.panels.cube.edge_at(level);
        for &father in near {
            let [first, end] = self.panels.levels[level - 1][father as usize].sons;
            for number in first..end {
                let cluster = &self.panels.levels[level][number as usize];
                // Rule (16): dist / max(r(ω), r(σ)) ≤ d + 1 is near.
                let radius = (cluster.radius / edge).max(HALF_DIAGONAL);
                candidates.push(Candidate {
                    at: cluster.at.map(|k| k as i32),
                    far_from: ((self.separation + 1.0) * radius).powi(2),
                    scale: (HALF_DIAGONAL / radius).powi(2),
                    load: cluster.area / (edge * radius).powi(2),
                    number,
                });
            }
        }
    }

    /// Returns the degree of the conversions on a level.
    fn degree_at(&self, level: usize) -> usize {
        match self.order {
            LevelOrder::Fixed => self.degree,
            LevelOrder::Falling => {
                let below = level.saturating_sub(FIRST_CONVERTING);
                self.degree
                    .saturating_sub(below)
                    .max(self.degree.div_ceil(2))
                    .max(1)
            }
        }
    }

    /// Returns the bound of each degree at the smallest distance where it is used: a degree that a level
    /// limits is used at the nearest.
    fn remainders(&self, suffices: &[f64]) -> Vec<f64> {
        let nearest = (self.separation + 1.0) * HALF_DIAGONAL;
        let from = |squared: f64| match self.order {
            LevelOrder::Fixed => squared.sqrt(),
            LevelOrder::Falling => nearest,
        };
        suffices
            .iter()
            .enumerate()
            .map(|(degree, &squared)| remainder(degree, HALF_DIAGONAL / from(squared)))
            .collect()
    }

    /// Returns the number of known points in a box, or `None` if they are unknown.
    fn points_in(&self, level: usize, at: [u32; 3]) -> Option<usize> {
        let keys = self.points?;
        let shift = 3 * (MOST_LEVELS - level);
        let first = morton(at) << shift;
        let from = keys.partition_point(|&key| key < first);
        let to = keys.partition_point(|&key| key < first + (1 << shift));
        Some(to - from)
    }

    fn is_worth_dividing(&self, level: usize, at: [u32; 3]) -> bool {
        self.points_in(level, at)
            .is_none_or(|points| points > FEW_POINTS)
    }

    /// Returns whether the domain, or a known point, is in the box.
    fn is_needed(&self, level: usize, at: [u32; 3]) -> bool {
        if let Some(points) = self.points_in(level, at) {
            return points > 0;
        }

        let half = Vector::repeat(0.5 * self.panels.cube.edge_at(level) * ENLARGED);
        let centre = self.panels.cube.centre(level, at);
        self.bounds
            .overlaps(&Aabb::new(centre - half, centre + half))
    }
}

#[inline]
fn squared_length(offset: [i32; 3]) -> f64 {
    f64::from(offset.iter().map(|k| k * k).sum::<i32>())
}

/// Returns the lowest degree that suffices at a squared distance.
#[inline]
fn sufficient_degree(suffices: &[f64], distance: f64) -> usize {
    suffices
        .iter()
        .position(|&from| distance >= from)
        .unwrap_or(suffices.len() - 1)
        .max(1)
}

impl Level {
    fn near_of(&self, cell: &Cell) -> &[u32] {
        &self.near[cell.near[0] as usize..cell.near[1] as usize]
    }

    fn append(&mut self, block: Level) {
        let shift = self.near.len() as u32;
        self.cells.extend(block.cells.iter().map(|cell| Cell {
            near: cell.near.map(|k| k + shift),
            ..*cell
        }));
        self.locals.extend_from_slice(&block.locals);
        self.near.extend_from_slice(&block.near);

        self.conversions += block.conversions;
    }
}

impl Domain {
    fn enter_leaf(
        &mut self,
        degree: usize,
        level: usize,
        cell: &Cell,
        local: &[f64],
        stretches: Vec<[u32; 2]>,
    ) {
        self.nodes[cell.node as usize] = LEAF | self.leaves() as u32;
        let start = self.locals.len();
        self.locals.extend_from_slice(local);
        fold_for_evaluation(degree, &mut self.locals[start..]);
        self.stretches.extend(stretches);
        self.starts.push(self.stretches.len() as u32);
        self.places.push((level as u8, cell.at));
        self.known.push(cell.is_known);

        self.load = self.load.max(cell.load);
        self.error = self.error.max(cell.error);
    }
}

/// Adds a link if there is something to inherit.
fn extend_chain(links: &mut Vec<Link>, up: u32, stretches: Vec<[u32; 2]>) -> u32 {
    if stretches.is_empty() {
        return up;
    }
    links.push(Link { up, stretches });
    links.len() as u32 - 1
}

/// Collects the panels of the near clusters and of the chain, in as few ranges as possible.
fn near_panels<'a>(
    links: &[Link],
    inherited: u32,
    near: impl Iterator<Item = &'a Cluster>,
) -> Vec<[u32; 2]> {
    let mut stretches: Vec<[u32; 2]> = near.map(|cluster| [cluster.first, cluster.end]).collect();
    let mut link = inherited;
    while link != NONE {
        stretches.extend_from_slice(&links[link as usize].stretches);
        link = links[link as usize].up;
    }

    stretches.sort_unstable();
    stretches.dedup_by(|next, last| {
        let joined = next[0] == last[1];
        last[1] = if joined { next[1] } else { last[1] };
        joined
    });

    stretches
}
