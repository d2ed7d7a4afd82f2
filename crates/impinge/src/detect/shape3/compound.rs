//! Compound shapes.

use super::Shape3;
use crate::detect::shape::Shape;
use crate::shape::{Item, MassProperties, Problem, ProblemKind};
use crate::space::{Aabb, Pose};
use crate::tree::Bvh;

/// Several shapes that move as one rigid body, each with its pose in the compound's frame.
///
/// Parts may overlap; the mass of an overlap counts for each. The inside of a compound is that of its
/// parts: a point that is in several has the depth of the deepest.
///
/// Contacts of two parts are merged if they belong to one place: if the hulls of their manifolds come
/// within their depth of each other, and their normals differ by at most 45°. Features are those of the
/// part in contact.
#[derive(Clone, Debug)]
#[doc(alias = "clump")]
#[doc(alias = "multi-sphere")]
#[doc(alias = "convex decomposition")]
pub struct Compound {
    parts: Vec<(Shape3, Pose<3>)>,
    tree: Bvh<3>,
    mass: MassProperties,
}

impl Compound {
    /// Combines spheres, polyhedra, capsules, cylinders, cones and closed surfaces.
    ///
    /// ```
    /// use impinge::detect::{Compound, Shape3};
    /// use impinge::{shape::{Polyhedron, Round}, space::Pose};
    /// let hammer = Compound::new(vec![
    ///     (Round::cylinder([0.0; 3], [0.0, 0.0, 1.0], 0.05)?.into(), Pose::identity()),
    ///     (Polyhedron::cuboid([0.4, 0.2, 0.2])?.into(), Pose::at([0.0, 0.0, 1.1])),
    /// ])?;
    /// assert!(hammer.mass_properties().centroid.z > 0.9);
    /// assert!(Compound::new(vec![]).is_err());
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    ///
    /// Errors: `Empty` without parts; otherwise the error names the part: `WrongElement` (a half-space,
    /// solid, finite-element body or compound), `OpenEdge` (an open wall), `NotFinite` (its pose).
    pub fn new(parts: Vec<(Shape3, Pose<3>)>) -> Result<Self, Problem> {
        if parts.is_empty() {
            return Err(Problem::whole(ProblemKind::Empty));
        }

        let mut masses = Vec::with_capacity(parts.len());
        for (n, (shape, pose)) in parts.iter().enumerate() {
            let refused = |kind| Problem {
                first: Item::Body(n),
                ..Problem::whole(kind)
            };
            if !pose.is_usable() {
                return Err(refused(ProblemKind::NotFinite));
            }
            let mass = match shape {
                Shape3::Sphere(_) | Shape3::Polyhedron(_) | Shape3::Round(_) => {
                    shape.mass_properties()
                }
                Shape3::Surface(_) => {
                    let mass = shape.mass_properties();
                    Some(mass.ok_or_else(|| refused(ProblemKind::OpenEdge))?)
                }
                Shape3::HalfSpace(_)
                | Shape3::Solid(_)
                | Shape3::Faces(_)
                | Shape3::Compound(_) => None,
            };
            let mass = mass.ok_or_else(|| refused(ProblemKind::WrongElement))?;
            masses.push(mass.moved(pose));
        }

        let mass = MassProperties::sum(&masses).ok_or(Problem::whole(ProblemKind::Empty))?;
        let boxes: Vec<Aabb<3>> = parts
            .iter()
            .map(|(shape, pose)| shape.bounds(pose))
            .collect();
        Ok(Self {
            tree: Bvh::new(&boxes),
            parts,
            mass,
        })
    }

    /// Returns the parts with their poses; there is at least one.
    pub fn parts(&self) -> &[(Shape3, Pose<3>)] {
        &self.parts
    }

    /// Returns volume, centroid and inertia for a density of one.
    pub fn mass_properties(&self) -> &MassProperties {
        &self.mass
    }

    /// Returns the enclosing box.
    pub fn bounds(&self) -> Aabb<3> {
        self.tree.bounds()
    }

    /// Returns the box around all parts at a pose.
    pub(in crate::detect) fn bounds_at(&self, pose: &Pose<3>) -> Aabb<3> {
        let each = self
            .parts
            .iter()
            .map(|(shape, at)| shape.bounds(&pose.after(at)));
        each.reduce(|p, q| p.merged(&q))
            .unwrap_or_else(|| self.tree.bounds())
    }

    /// Visits the parts whose boxes overlap a box in the compound's frame.
    pub(in crate::detect) fn visit_overlapping(&self, bounds: &Aabb<3>, visit: impl FnMut(u32)) {
        self.tree.visit_overlapping(bounds, visit);
    }
}
