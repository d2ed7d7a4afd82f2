//! Checks that polygons form one closed surface: each edge in two of them, in opposite directions;
//! one fan at each vertex.

use crate::shape::{Item, Problem, ProblemKind, check};
use crate::space::Point;
use rustc_hash::FxHashSet;

/// Checks indices, corners, edges, vertices and Euler's formula, and returns the points that the
/// faces use.
pub(super) fn check_closed(
    points: &[Point<3>],
    faces: &[&[u32]],
) -> Result<Vec<Point<3>>, Problem> {
    if faces.is_empty() {
        return Err(Problem::whole(ProblemKind::Empty));
    }

    check_corners(points.len(), faces)?;
    let used = used_points(points.len(), faces);
    check_distinct(points, &used)?;
    let twins = pair_half_edges(faces)?;
    check_fans(points.len(), faces, &twins)?;

    // Two bodies have an Euler characteristic of 4, a torus 0; neither is convex.
    if used.len() + faces.len() != twins.len() / 2 + 2 {
        return Err(Problem::whole(ProblemKind::NotConvex));
    }

    Ok(used.into_iter().map(|i| points[i]).collect())
}

fn check_corners(point_count: usize, faces: &[&[u32]]) -> Result<(), Problem> {
    check_faces(ProblemKind::IndexOutOfRange, faces, |face| {
        face.iter().any(|&i| i as usize >= point_count)
    })?;
    check_faces(ProblemKind::ZeroArea, faces, |face| face.len() < 3)?;
    let mut seen = FxHashSet::default();
    let mut repeats = |face: &[u32]| {
        seen.clear();
        !face.iter().all(|corner| seen.insert(*corner))
    };
    check_faces(ProblemKind::RepeatedNode, faces, &mut repeats)?;

    if faces.iter().map(|face| face.len()).sum::<usize>() >= u32::MAX as usize {
        return Err(Problem::whole(ProblemKind::TooMany));
    }

    Ok(())
}

/// Fails with the first invalid face, if there is one.
pub(super) fn check_faces(
    kind: ProblemKind,
    faces: &[&[u32]],
    mut wrong: impl FnMut(&[u32]) -> bool,
) -> Result<(), Problem> {
    let items = (0..faces.len())
        .filter(|&i| wrong(faces[i]))
        .map(Item::Face);
    check::none(Problem::of(kind, items))
}

fn used_points(point_count: usize, faces: &[&[u32]]) -> Vec<usize> {
    let mut used = vec![false; point_count];
    faces
        .iter()
        .copied()
        .flatten()
        .for_each(|&i| used[i as usize] = true);

    (0..point_count).filter(|&i| used[i]).collect()
}

fn check_distinct(points: &[Point<3>], used: &[usize]) -> Result<(), Problem> {
    let mut seen = FxHashSet::default();
    let repeated = used
        .iter()
        .filter(|&&i| !seen.insert(points[i].coords.map(f64::to_bits)));
    check::none(Problem::of(
        ProblemKind::DuplicatePoint,
        repeated.map(|&i| Item::Point(i)),
    ))
}

/// The twin of each half-edge, numbered face by face: the one of the same edge in the other
/// direction. Errors name the first edge that is open, in more than two faces, or twice in the same
/// direction.
pub(super) fn pair_half_edges(faces: &[&[u32]]) -> Result<Vec<u32>, Problem> {
    let ends = faces
        .iter()
        .flat_map(|face| (0..face.len()).map(|k| (face[k], face[(k + 1) % face.len()])));
    let mut sorted: Vec<(u64, bool, u32)> = ends
        .enumerate()
        .map(|(h, (a, b))| {
            (
                u64::from(a.min(b)) << 32 | u64::from(a.max(b)),
                a > b,
                h as u32,
            )
        })
        .collect();
    sorted.sort_unstable();
    let edges = || sorted.chunk_by(|a, b| a.0 == b.0);

    let item = |edge: &[(u64, bool, u32)]| Item::Edge {
        nodes: [(edge[0].0 >> 32) as u32, edge[0].0 as u32],
        triangles: edge.len(),
    };
    let refuse = |kind, wrong: fn(&[(u64, bool, u32)]) -> bool| {
        check::none(Problem::of(
            kind,
            edges().filter(|edge| wrong(edge)).map(item),
        ))
    };
    refuse(ProblemKind::OpenEdge, |edge| edge.len() == 1)?;
    refuse(ProblemKind::NonManifoldEdge, |edge| edge.len() > 2)?;
    refuse(ProblemKind::InconsistentOrientation, |edge| {
        edge[0].1 == edge[1].1
    })?;
    let mut twins = vec![0; sorted.len()];

    for edge in edges() {
        twins[edge[0].2 as usize] = edge[1].2;
        twins[edge[1].2 as usize] = edge[0].2;
    }

    Ok(twins)
}

/// Checks that the faces around each vertex form one fan: rotating around it from one half-edge
/// reaches all outgoing ones.
fn check_fans(point_count: usize, faces: &[&[u32]], twins: &[u32]) -> Result<(), Problem> {
    let (mut origin, mut next) = (Vec::new(), Vec::new());
    for face in faces {
        let start = origin.len();
        origin.extend_from_slice(face);
        next.extend((0..face.len()).map(|k| start + (k + 1) % face.len()));
    }

    let mut fans = vec![0u32; point_count];
    let mut visited = vec![false; origin.len()];
    for start in 0..origin.len() {
        let mut h = start;
        if !visited[h] {
            fans[origin[h] as usize] += 1;
        }
        while !visited[h] {
            visited[h] = true;
            h = next[twins[h] as usize];
        }
    }

    let joined = (0..point_count).filter(|&i| fans[i] > 1).map(Item::Point);
    check::none(Problem::of(ProblemKind::NonManifoldVertex, joined))
}
