//! Least distance between two surfaces, by branch and bound over pairs of oriented bounding boxes.
//!
//! Touching surfaces are detected first, which is cheap. Otherwise a good pair of faces is found by
//! alternating nearest-point queries between the surfaces, starting from the best pair of the last
//! step if there is one. The gap of two boxes along the best of their six axes is a lower bound of
//! the distance between their contents. Pairs are opened nearest first, and the distance of the
//! best pair of faces so far prunes the rest.
//!
//! If all faces are equally far, as in a pile of triangles in one place, nothing is pruned and all
//! pairs would be visited. The search therefore ends after a million pairs plus [`PAIRS`] per face,
//! and the bounds of the result cover the unvisited pairs.

use super::super::triangle::{Witness, closest, closest_features, closest_on};
use super::super::{Closest, ClosestMethod, ContactPoint};
use super::hint::PairHint;
use super::tandem::{PairVisitor, Tandem};
use super::tree::TriangleTree;
use super::wide::Child;
use crate::space::{Pose, Vector};

/// Number of alternating nearest-point queries before the search. Each takes about a microsecond;
/// more than three gained nothing that the search itself does not find as fast.
const WAYS: usize = 3;

/// Maximum number of face pairs measured, per face of the two surfaces and in addition overall.
/// Parallel surfaces at constant distance need about ten per face.
const PAIRS: usize = 16;
const PAIRS_AT_LEAST: usize = 1 << 20;

/// The closest faces so far.
pub(super) struct Best {
    pub(super) faces: [u32; 2],
    pub(super) witness: Witness,
    pub(super) distance: f64,
    /// Lower bound of the distance; equal to it unless the search was cut short.
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

impl PairVisitor for Best {
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

/// Computes the closest points of two surfaces; the gap is zero if they touch. Interiors do not
/// count: for a small body inside a large one this is the distance of their surfaces, and
/// [`super::closest`] returns the depth.
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

/// Finds the closest faces, starting from the cached ones, and caches the new ones.
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

/// Finds two faces near each other by alternating nearest-point queries.
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

    // Touching faces have no vector between them: use the first face's normal.
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
