//! The connected parts of the intersection of two closed surfaces, or of one and a half-space.
//!
//! Two rings that pass through each other share two separate volumes, and a stone rests on another
//! at several places: each is a contact of its own. A part is bounded by patches of both surfaces,
//! which meet along the loops where the surfaces cross. The steps:
//!
//! 1. Hierarchies give the pairs of triangles that cross. A side of one pierces the other at two
//!    points, the ends of their common segment (`crossing.rs`).
//! 2. In each crossed triangle, segments and the portions of its sides inside the other body form
//!    closed outlines (`outline.rs`).
//! 3. Outlines that share a segment or a portion of a side, and triangles wholly inside that are
//!    reached from them, form the patches of one part (`patch.rs`).
//! 4. Volume, centroid, section and depth are sums over the outlines by the divergence theorem
//!    (`measure.rs`).
//!
//! All decisions are exact signs of the rounded corners. Where one is zero, as for coplanar faces,
//! the second body counts as shifted by (ε, ε², ε³) with an infinitesimal ε (Edelsbrunner and Mücke
//! 1990, "Simulation of simplicity"); no coordinate changes. Every loop therefore closes, also for
//! equal bodies, and bodies that only touch share no volume.
//!
//! O(crossing pairs + triangles inside) after the traversal; nothing is allocated once the buffers
//! of a [`PartsWork`] have grown.

mod crossing;
mod measure;
mod outline;
mod patch;
mod plane;
mod sign;
#[cfg(test)]
mod tests;
mod work;

pub use plane::parts_below;
pub use work::PartsWork;

use super::overlap::in_frame_of_a;
use super::tandem::Tandem;
use super::tree::TriangleTree;
use crate::narrow::Relative;
use crate::space::{Point, Pose, Vector};

/// A connected part of the intersection of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Part {
    /// Volume; zero, up to rounding, if the bodies only touch there.
    pub volume: f64,
    /// Centre of the volume.
    pub centroid: Point<3>,
    /// ∫ n dA over the first body's surface inside the second: the mean normal from the first body
    /// to the second times the area of the section. Zero if one body is wholly inside the other.
    pub section: Vector<3>,
    /// Extent along the mean normal, from the second body's deepest point to the first body's. Zero
    /// if one body is wholly inside the other.
    pub depth: f64,
    /// The same along the normal of the faces within 10° of the mean normal, if there are any. Narrow
    /// side faces tilt the mean normal of a shallow overlap, and along it a wide overlap seems several
    /// times as deep.
    pub height: f64,
    /// Deepest point of the first body along the mean normal.
    pub on_a: Point<3>,
    /// Deepest point of the second body against the mean normal.
    pub on_b: Point<3>,
    /// The lowest face of each body that bounds the part; `None` if none does.
    pub faces: [Option<u32>; 2],
}

impl Part {
    /// Returns the mean normal, from the first body to the second; `None` if one body is wholly
    /// inside the other.
    pub fn normal(&self) -> Option<Vector<3>> {
        self.section.try_normalize(0.0)
    }

    /// Returns the mean thickness along the normal; zero if there is no normal.
    pub fn thickness(&self) -> f64 {
        let area = self.section.norm();
        if area > 0.0 { self.volume / area } else { 0.0 }
    }

    /// Returns the part with the roles of the bodies exchanged.
    pub fn swapped(&self) -> Self {
        Self {
            section: -self.section,
            on_a: self.on_b,
            on_b: self.on_a,
            faces: [self.faces[1], self.faces[0]],
            ..*self
        }
    }

    /// Transforms a part from a body's frame to the world.
    fn moved(&self, pose: &Pose<3>) -> Self {
        Self {
            centroid: pose.point(&self.centroid),
            section: pose.vector(&self.section),
            on_a: pose.point(&self.on_a),
            on_b: pose.point(&self.on_b),
            ..*self
        }
    }
}

/// How the parts were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartsStatus {
    /// Each connected part is listed.
    Separate,
    /// A surface intersects itself, and parts cannot be separated: the whole intersection is listed
    /// as one part, with the mean of the points where the surfaces cross as its centroid. Not every
    /// such surface is noticed; a volume enclosed twice counts twice in either case.
    Merged,
    /// A surface is not closed: nothing is listed.
    Open,
}

/// Writes the connected parts of the intersection of two closed bodies, sorted by their lowest
/// faces. Bodies that only touch may give parts without volume.
///
/// ```
/// use impinge::narrow::meshes::{PartsStatus, PartsWork, TriangleTree, parts};
/// use impinge::{shape::generate, space::Pose};
/// let ring = TriangleTree::new(&generate::torus(1.0, 0.25, [40, 20])?);
/// let upright = Pose::from_quaternion([1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0])?;
/// let (mut work, mut found) = (PartsWork::default(), Vec::new());
/// let status = parts(&ring, &Pose::identity(), &ring, &upright, &mut work, &mut found);
/// assert_eq!((status, found.len()), (PartsStatus::Separate, 2), "they cross at both ends");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parts(
    a: &TriangleTree,
    pose_a: &Pose<3>,
    b: &TriangleTree,
    pose_b: &Pose<3>,
    work: &mut PartsWork,
    found: &mut Vec<Part>,
) -> PartsStatus {
    found.clear();
    if a.neighbours.is_empty() || b.neighbours.is_empty() {
        return PartsStatus::Open;
    }

    let relative = Relative::of(pose_a, pose_b);
    let bodies = Bodies {
        trees: [a, b],
        tandem: Tandem::of(a, b, &relative),
    };

    let status = match work.find(&bodies, found) {
        Ok(()) => PartsStatus::Separate,
        Err(SelfIntersecting) => {
            found.clear();
            found.extend(whole(&bodies, relative, work));
            PartsStatus::Merged
        }
    };
    found.iter_mut().for_each(|part| *part = part.moved(pose_a));

    status
}

/// Two bodies, with coordinates in the first one's frame.
struct Bodies<'a> {
    trees: [&'a TriangleTree; 2],
    tandem: Tandem<'a>,
}

impl Bodies<'_> {
    fn node(&self, own: usize, node: u32) -> Point<3> {
        let point = &self.trees[own].points[node as usize];
        match own {
            0 => *point,
            _ => self.tandem.in_a(point),
        }
    }

    fn corners(&self, own: usize, face: u32) -> [Point<3>; 3] {
        self.trees[own].triangles[face as usize].map(|node| self.node(own, node))
    }
}

/// The outlines contradict each other, which happens only if a surface intersects itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SelfIntersecting;

/// Returns the whole intersection as one part.
fn whole(bodies: &Bodies, relative: Relative<3>, work: &PartsWork) -> Option<Part> {
    let common = in_frame_of_a(bodies.trees[0], bodies.trees[1], relative).overlap;
    let middle = work.mean_crossing()?;
    let area = common.push.norm();
    let half = if area > 0.0 {
        common.push * (0.5 * common.volume / (area * area))
    } else {
        Vector::zeros()
    };

    Some(Part {
        volume: common.volume,
        centroid: middle,
        section: common.push,
        depth: 2.0 * half.norm(),
        height: 2.0 * half.norm(),
        on_a: middle + half,
        on_b: middle - half,
        faces: work.lowest_crossed(),
    })
}
