//! Helpers shared by the tests of the generators.

use crate::shape::{Mesh, Surface, inspect_triangles};
use crate::space::Point;

/// Number of handles of a surface, which must be one connected manifold without unused points.
pub(super) fn genus(surface: &Surface) -> usize {
    let mut used = vec![false; surface.points().len()];
    surface
        .triangles()
        .as_flattened()
        .iter()
        .for_each(|&n| used[n as usize] = true);
    assert!(
        used.iter().all(|&u| u),
        "a generated surface has no unused points"
    );
    let report = inspect_triangles(surface.points(), surface.triangles());
    assert!(report.closed && report.oriented && report.manifold && report.problems.is_empty());
    assert_eq!(report.components, 1, "the genus of a disconnected surface");

    report.genus.expect("closed and manifold")
}

/// FNV-1a hash over the little-endian bytes of the coordinates and the nodes.
pub(super) fn hash_of_surface(surface: &Surface) -> u64 {
    hash_of_nodes(
        hash_of_points(surface.points()),
        surface.triangles().as_flattened(),
    )
}

/// Like [`hash_of_surface`], for a mesh.
pub(super) fn hash_of_mesh(mesh: &Mesh) -> u64 {
    mesh.blocks
        .iter()
        .fold(hash_of_points(&mesh.points), |hash, block| {
            hash_of_nodes(hash, &block.nodes)
        })
}

/// Like [`hash_of_surface`], for points alone.
pub(super) fn hash_of_points<const D: usize>(points: &[Point<D>]) -> u64 {
    hash_of_numbers(points.iter().flat_map(|p| p.iter().copied()))
}

/// Like [`hash_of_surface`], for plain numbers.
pub(super) fn hash_of_numbers(numbers: impl IntoIterator<Item = f64>) -> u64 {
    numbers.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, x| {
        fnv(hash, &x.to_bits().to_le_bytes())
    })
}

fn hash_of_nodes(hash: u64, nodes: &[u32]) -> u64 {
    nodes
        .iter()
        .fold(hash, |hash, n| fnv(hash, &n.to_le_bytes()))
}

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &b| {
        (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
