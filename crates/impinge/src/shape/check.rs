//! Validation shared by several shapes.

use super::{Item, Problem, ProblemKind};
use crate::parallel::prelude::*;
use crate::space::{self, Point};

/// Points that are NaN, infinite or too large for exact predicates.
pub(crate) fn not_finite<const D: usize>(points: &[Point<D>]) -> Option<Problem> {
    let bad = points
        .iter()
        .enumerate()
        .filter(|(_, point)| !space::is_usable(point));
    Problem::of(ProblemKind::NotFinite, bad.map(|(i, _)| Item::Point(i)))
}

/// Elements that refer to a node at or beyond `node_count`.
pub(crate) fn out_of_range<const N: usize>(
    elements: &[[u32; N]],
    node_count: usize,
    item: impl Fn(usize) -> Item,
) -> Option<Problem> {
    let bad = elements
        .iter()
        .enumerate()
        .filter(|(_, nodes)| nodes.iter().any(|&n| n as usize >= node_count));
    Problem::of(ProblemKind::IndexOutOfRange, bad.map(|(i, _)| item(i)))
}

/// Elements that refer to a node twice.
pub(crate) fn repeated_node<const N: usize>(
    elements: &[[u32; N]],
    item: impl Fn(usize) -> Item,
) -> Option<Problem> {
    let bad = elements
        .iter()
        .enumerate()
        .filter(|(_, nodes)| repeats(*nodes));
    Problem::of(ProblemKind::RepeatedNode, bad.map(|(i, _)| item(i)))
}

/// Returns whether a node occurs twice.
pub(crate) fn repeats(nodes: &[u32]) -> bool {
    (1..nodes.len()).any(|i| nodes[..i].contains(&nodes[i]))
}

/// Elements with exactly the nodes of an earlier one, in any order.
pub(crate) fn duplicate<const N: usize>(
    elements: &[[u32; N]],
    item: impl Fn(usize) -> Item,
) -> Option<Problem> {
    let mut sorted: Vec<([u32; N], u32)> = elements
        .iter()
        .zip(0..)
        .map(|(nodes, i)| (ascending(*nodes), i))
        .collect();
    sorted.par_sort_unstable();
    let mut later: Vec<u32> = sorted
        .windows(2)
        .filter(|w| w[0].0 == w[1].0)
        .map(|w| w[1].1)
        .collect();
    later.sort_unstable();

    Problem::of(
        ProblemKind::DuplicateElement,
        later.into_iter().map(|i| item(i as usize)),
    )
}

fn ascending<const N: usize>(mut nodes: [u32; N]) -> [u32; N] {
    nodes.sort_unstable();
    nodes
}

/// Fails with the problem, if there is one.
pub(crate) fn none(problem: Option<Problem>) -> Result<(), Problem> {
    problem.map_or(Ok(()), Err)
}
