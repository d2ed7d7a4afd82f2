//! The least distance of two surfaces, by branch and bound over pairs of oriented boxes.
//!
//! Surfaces that touch are found first, which is cheap. Else a good pair of faces is found by going from the nearest point
//! of one surface to that of the other and back, a few times, from the best pair of the last step where there is one.
//! The gap of two boxes along the best of their six axes never exceeds the distance of what they hold: pairs are opened
//! the nearest first, and the distance of the best pair of faces so far cuts off the rest.
//!
//! Where all faces are equally far, as in a pile of triangles in one place, nothing is cut off and all pairs would be
//! looked at. After a million pairs and [`PAIRS`] for each face the search ends, and the bounds of the answer hold what
//! is left.

use super::super::triangle::{Witness, closest, closest_features, closest_on};
use super::super::{Closest, ClosestMethod, ContactPoint};
use super::tandem::{Meeting, Tandem};
use super::tree::TriangleTree;
use super::wide::Child;
use crate::space::{Pose, Vector};

/// Ways from surface to surface before the search. Each is a search for a nearest point, about a microsecond; more than
/// three gained nothing that the search itself does not find as fast.
const WAYS: usize = 3;

/// Pairs of faces that are measured at most, for each face of the two surfaces, and beyond that in all. Surfaces that lie
/// face to face at one distance take some ten for each face.
const PAIRS: usize = 16;
const PAIRS_AT_LEAST: usize = 1 << 20;

/// What a pair of surfaces keeps from step to step: the faces that were closest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairHint {
    /// A face of each.
    pub faces: Option<[u32; 2]>,
}

/// The closest faces so far.
pub(super) struct Best {
    pub(super) faces: [u32; 2],
    pub(super) witness: Witness,
    pub(super) distance: f64,
    /// No two faces are nearer than this; the distance itself unless the search was cut short.
    pub(super) lower: f64,
    pub(super) tests: u32,
    most: u32,
}

impl Best {
    fn consider(&mut self, faces: [u32; 2], witness: Witness) {
        self.tests += 1;
        let distance = witness.way.norm();
        if distance < self.distance || distance == self.distance && faces < self.faces {
            (self.faces, self.witness, self.distance) = (faces, witness, distance);
        }
    }
}

impl Meeting for Best {
    #[inline(always)]
    fn reach(&self) -> f64 {
        self.distance
    }

    #[inline(always)]
    fn meet(&mut self, tandem: &Tandem, a: Child, b: Child) -> bool {
        let (block_a, block_b) = (
            &tandem.a.blocks[a.index as usize],
            &tandem.b.blocks[b.index as usize],
        );
        for j in 0..b.count as usize {
            let corners = block_b.triangle(j).map(|p| tandem.in_a(&p));
            let gaps = block_a.axis_gaps(&corners);
            for i in 0..a.count as usize {
                if gaps.0[i] <= self.distance {
                    let witness = closest_features(&block_a.triangle(i), &corners);
                    self.consider([block_a.faces[i], block_b.faces[j]], witness);
                }
            }
        }
        self.distance > 0.0 && self.tests < self.most
    }
}

/// The closest points of two surfaces; zero where they touch. Insides do not count: a small body within a large one has
/// the distance of their surfaces, and [`super::closest`] the depth.
///
/// ```
/// use impinge::{narrow::meshes::{PairHint, TriangleTree, distance}, shape::generate, space::Pose};
/// let ring = TriangleTree::new(&generate::torus(2.0, 0.5, [64, 24])?);
/// let ball = TriangleTree::new(&generate::sphere(4)?);
/// let found = distance(&ring, &Pose::identity(), &ball, &Pose::identity(), &mut PairHint::default());
/// assert!((found.contact.gap - 0.5).abs() < 0.01, "the ball lies within the ring");
/// # Ok::<(), impinge::shape::generate::InvalidArgument>(())
/// ```
pub fn distance(
    a: &TriangleTree,
    pose_a: &Pose<3>,
    b: &TriangleTree,
    pose_b: &Pose<3>,
    kept: &mut PairHint,
) -> Closest<3> {
    let tandem = Tandem::new(a, pose_a, b, pose_b);
    let best = search(&tandem, kept);
    as_contact(&tandem, &best, pose_a)
}

/// The closest faces; starts from those that are kept, and keeps the new ones.
pub(super) fn search(tandem: &Tandem, kept: &mut PairHint) -> Best {
    let mut best = match tandem.first_touching() {
        Some(faces) => {
            let corners = (
                tandem.a.corners(faces[0] as usize),
                tandem.corners_of_b(faces[1] as usize),
            );
            Best {
                faces,
                witness: closest(&corners.0, &corners.1),
                distance: 0.0,
                lower: 0.0,
                tests: 1,
                most: 1,
            }
        }
        None => good_pair(tandem, kept),
    };
    if best.distance > 0.0 {
        let mut open = tandem.roots(best.distance);
        tandem.descend(&mut open, &mut best);
        let left = open.iter().map(|&(gap, ..)| gap.max(0.0));
        best.lower = left.fold(best.distance, f64::min);
    }
    kept.faces = Some(best.faces);
    best
}

/// Two faces near each other: from surface to surface by nearest points.
fn good_pair(tandem: &Tandem, kept: &PairHint) -> Best {
    let start = kept
        .faces
        .map(|[_, face]| face)
        .filter(|&face| (face as usize) < tandem.b.len());
    let mut on_b = match start {
        Some(face) => tandem.b.corners(face as usize)[0],
        None => tandem.b.boxes.bounds().centre(),
    };
    let mut faces = [0, start.unwrap_or(0)];
    for _ in 0..WAYS {
        let on_a = tandem.a.nearest(&tandem.in_a(&on_b));
        let back = tandem.b.nearest(&tandem.in_b(&on_a.point));
        (faces, on_b) = ([on_a.face, back.face], back.point);
    }
    let corners = (
        tandem.a.corners(faces[0] as usize),
        tandem.corners_of_b(faces[1] as usize),
    );
    let witness = closest_features(&corners.0, &corners.1);
    let most = PAIRS * (tandem.a.len() + tandem.b.len()) + PAIRS_AT_LEAST;
    Best {
        faces,
        witness,
        distance: witness.way.norm(),
        lower: 0.0,
        tests: 1,
        most: u32::try_from(most).unwrap_or(u32::MAX),
    }
}

fn as_contact(tandem: &Tandem, best: &Best, pose_a: &Pose<3>) -> Closest<3> {
    let [face_a, face_b] = best.faces;
    let corners_a = tandem.a.corners(face_a as usize);
    let corners_b = tandem.corners_of_b(face_b as usize);
    let between_a = closest_on(&corners_a, &best.witness.on_a).between;
    let between_b = closest_on(&corners_b, &best.witness.on_b).between;
    // Faces that touch have no way between them: the first one's normal has to do.
    let of_face = (corners_a[1] - corners_a[0]).cross(&(corners_a[2] - corners_a[0]));
    let way = if best.distance > 0.0 {
        best.witness.way
    } else {
        of_face
    };
    let normal = way.try_normalize(0.0).unwrap_or(Vector::x());
    let contact = ContactPoint {
        on_a: pose_a.point(&best.witness.on_a),
        on_b: pose_a.point(&best.witness.on_b),
        normal: pose_a.vector(&normal),
        gap: best.distance,
        feature_a: tandem.a.feature(face_a, between_a),
        feature_b: tandem.b.feature(face_b, between_b),
    };
    Closest {
        contact,
        bounds: [best.lower, best.distance],
        tests: best.tests,
        method: ClosestMethod::Tree,
    }
}
