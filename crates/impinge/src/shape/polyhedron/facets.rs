//! Merges exactly coplanar triangles of a convex surface into polygonal facets.
//!
//! Merging only what is exactly coplanar keeps the polygons truly planar and the body truly convex.
//! A tolerance would create non-planar facets, and slightly concave edges between neighbours.

use super::hull::Triangulation;
use crate::space::{Point, Sign, orient3};

/// The corners of the facets, counter-clockwise seen from outside. Each facet starts at its lowest
/// corner and the facets are sorted, so that the result does not depend on the triangulation.
/// Corners inside a facet or on a straight edge are omitted.
pub(super) fn facets(points: &[Point<3>], surface: &Triangulation) -> Vec<Vec<u32>> {
    let facet_of = join_coplanar(points, surface);
    let is_rim = |(triangle, k): (usize, usize)| {
        facet_of[triangle] != facet_of[surface.neighbours[triangle][k] as usize]
    };
    let edges = || (0..surface.triangles.len()).flat_map(|t| (0..3).map(move |k| (t, k)));

    // Three or more facets meet at a true corner; two at a point of a straight edge, one inside a
    // facet.
    let mut facets_at = vec![0u32; points.len()];
    for (triangle, k) in edges().filter(|&edge| is_rim(edge)) {
        facets_at[surface.triangles[triangle][k] as usize] += 1;
    }

    let mut done = vec![false; surface.triangles.len()];
    let mut facets = Vec::new();
    for start in edges().filter(|&edge| is_rim(edge)) {
        let facet = facet_of[start.0] as usize;
        if !std::mem::replace(&mut done[facet], true) {
            let mut corners = walk_rim(surface, start, is_rim);
            corners.retain(|&corner| facets_at[corner as usize] >= 3);
            start_at_least(&mut corners);
            facets.push(corners);
        }
    }

    facets.sort_unstable();
    facets
}

/// For each triangle, the index of a representative triangle of its facet.
fn join_coplanar(points: &[Point<3>], surface: &Triangulation) -> Vec<u32> {
    let mut facet_of = vec![u32::MAX; surface.triangles.len()];
    let mut stack = Vec::new();
    for start in 0..surface.triangles.len() {
        if facet_of[start] != u32::MAX {
            continue;
        }

        facet_of[start] = start as u32;
        stack.push(start);
        while let Some(triangle) = stack.pop() {
            for neighbour in surface.neighbours[triangle].map(|n| n as usize) {
                if facet_of[neighbour] == u32::MAX && coplanar(points, surface, triangle, neighbour)
                {
                    facet_of[neighbour] = start as u32;
                    stack.push(neighbour);
                }
            }
        }
    }

    facet_of
}

fn coplanar(
    points: &[Point<3>],
    surface: &Triangulation,
    triangle: usize,
    neighbour: usize,
) -> bool {
    let [a, b, c] = surface.triangles[triangle].map(|i| &points[i as usize]);
    surface.triangles[neighbour]
        .iter()
        .all(|&d| orient3(a, b, c, &points[d as usize]) == Sign::Zero)
}

/// The corners along the boundary of the facet with the boundary edge `start`.
fn walk_rim(
    surface: &Triangulation,
    start: (usize, usize),
    is_rim: impl Fn((usize, usize)) -> bool,
) -> Vec<u32> {
    let mut corners = Vec::new();
    let mut edge = start;
    loop {
        corners.push(surface.triangles[edge.0][edge.1]);
        edge = (edge.0, (edge.1 + 1) % 3);
        while !is_rim(edge) {
            edge = after_twin(surface, edge);
        }
        if edge == start {
            return corners;
        }
    }
}

/// Crosses an edge and rotates to the next one around its first corner.
fn after_twin(surface: &Triangulation, (triangle, k): (usize, usize)) -> (usize, usize) {
    let corner = surface.triangles[triangle][k];
    let neighbour = surface.neighbours[triangle][k] as usize;
    let at = surface.triangles[neighbour]
        .iter()
        .position(|&c| c == corner);
    (neighbour, at.expect("neighbours share the edge's corners"))
}

fn start_at_least(corners: &mut [u32]) {
    let least = (0..corners.len()).min_by_key(|&i| corners[i]).unwrap_or(0);
    corners.rotate_left(least);
}
