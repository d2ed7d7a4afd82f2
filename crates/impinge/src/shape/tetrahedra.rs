//! Validation of a list of tetrahedra, exact and complete: the sign of every volume, and how the
//! sides match.

use super::check;
use super::sides::{Matching, match_sides, run_opposite, side_key};
use super::{Item, NO_NEIGHBOUR, Problem, ProblemKind};
use crate::parallel::prelude::*;
use crate::space::{Point, Sign, orient3};

/// The face opposite each node, counter-clockwise seen from outside.
pub(crate) const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// Maximum number of tetrahedra: sides are numbered with 32 bits.
const MOST_TETRAHEDRA: usize = (u32::MAX / 4) as usize - 1;

/// Returns all problems, and the matching of the sides if it could be determined.
pub(crate) fn examine(
    points: &[Point<3>],
    tetrahedra: &[[u32; 4]],
) -> (Vec<Problem>, Option<Matching>) {
    let entry = [
        check_size(points, tetrahedra).err(),
        check::not_finite(points),
        check::out_of_range(tetrahedra, points.len(), Item::Tetrahedron),
        check::repeated_node(tetrahedra, Item::Tetrahedron),
    ];
    let entry: Vec<Problem> = entry.into_iter().flatten().collect();

    if !entry.is_empty() {
        return (entry, None);
    }

    let signs = signs(points, tetrahedra);
    let with = |which: Sign| {
        signs
            .iter()
            .enumerate()
            .filter(move |&(_, &sign)| sign == which)
            .map(|(t, _)| Item::Tetrahedron(t))
    };
    let matching = match_sides(points.len(), 4 * tetrahedra.len(), side_keys(tetrahedra));

    let problems = [
        Problem::of(ProblemKind::ZeroVolume, with(Sign::Zero)),
        Problem::of(ProblemKind::Inverted, with(Sign::Negative)),
        Problem::of(
            ProblemKind::NonManifoldFace,
            matching.crowded.iter().map(|&side| item(side)),
        ),
        same_way(tetrahedra, &matching.mates),
    ];

    (problems.into_iter().flatten().collect(), Some(matching))
}

pub(crate) fn check_size(points: &[Point<3>], tetrahedra: &[[u32; 4]]) -> Result<(), Problem> {
    if tetrahedra.is_empty() {
        return Err(Problem::whole(ProblemKind::Empty));
    }

    if tetrahedra.len() > MOST_TETRAHEDRA || points.len() >= u32::MAX as usize {
        return Err(Problem::whole(ProblemKind::TooMany));
    }

    Ok(())
}

/// Faces whose two tetrahedra lie on the same side.
fn same_way(tetrahedra: &[[u32; 4]], mates: &[u32]) -> Option<Problem> {
    let same = |side: u32, mate: u32| {
        !run_opposite(&side_nodes(tetrahedra, side), &side_nodes(tetrahedra, mate))
    };
    let bad = (0..)
        .zip(mates)
        .filter(|&(side, &mate)| mate != NO_NEIGHBOUR && side < mate && same(side, mate));

    Problem::of(
        ProblemKind::InconsistentOrientation,
        bad.map(|(side, _)| item(side)),
    )
}

fn item(side: u32) -> Item {
    Item::Side {
        cell: side as usize / 4,
        side: side as usize % 4,
    }
}

pub(crate) fn side_nodes(tetrahedra: &[[u32; 4]], side: u32) -> [u32; 3] {
    FACES[side as usize % 4].map(|i| tetrahedra[side as usize / 4][i])
}

fn side_keys(tetrahedra: &[[u32; 4]]) -> impl Iterator<Item = (u32, [u32; 4])> + Clone {
    (0..4 * tetrahedra.len() as u32).map(|side| (side, side_key(&side_nodes(tetrahedra, side))))
}

/// The exact sign of each tetrahedron's volume.
pub(crate) fn signs(points: &[Point<3>], tetrahedra: &[[u32; 4]]) -> Vec<Sign> {
    let sign = |t: &[u32; 4]| {
        let [a, b, c, d] = t.map(|n| points[n as usize]);
        orient3(&a, &b, &c, &d)
    };
    tetrahedra.par_iter().map(sign).collect()
}

#[cfg(test)]
mod tests;
