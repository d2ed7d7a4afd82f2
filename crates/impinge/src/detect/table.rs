//! The method for each pair of shapes.
//!
//! In 3D, with the meaning of a contact. The lower half of the table is the upper half with the bodies
//! swapped:
//!
//! | | sphere | polyhedron | surface | solid | faces | half-space |
//! |---|---|---|---|---|---|---|
//! | sphere | closed form, overlap | cached feature, overlap | each local minimum of the distance | exit of the centre | exit of the centre | closed form, overlap |
//! | polyhedron | | cached features, overlap | each face in the body, depth integral | nodes of either in the other | nodes of either in the other | lowest vertex, overlap |
//! | surface | | | hierarchies, one contact, overlap | nodes of either in the other | nodes of either in the other | each node |
//! | solid | | | | each face and its exit, including self-contact | nodes of either in the other | each node |
//! | faces | | | | | nodes of either in the other | each node |
//! | half-space | | | | | | none |
//!
//! 2D has the corresponding disc, polygon, faces and half-plane. The match has no wildcard arm: a new
//! shape does not compile until each of its pairs has a method. Only bodies that touch or overlap give
//! contacts.

use super::contact::Contact;
use super::deforming::SolidCaches;
use super::shape::{PairMethods, Placed};
use super::shape2::Shape2;
use super::shape3::Shape3;
use crate::broad::Pair;
use crate::narrow::ball_surface::{ball_faces, ball_surface};
use crate::narrow::convex_surface::convex_surface;
use crate::narrow::features2::FeatureCache2;
use crate::narrow::features3::FeatureCache3;
use crate::narrow::half_space::{polygon_contact, polyhedron_contact, sphere_contact};
use crate::narrow::meshes::PairHint;
use crate::narrow::nodes::{
    corners, in_faces, in_half_space, in_polygon, in_polyhedron, nodes, nodes_in,
    nodes_of_second_in,
};
use crate::narrow::projection::FaceTree;
use crate::narrow::sphere::FeatureHint;
use crate::narrow::{
    ContactPoint, Overlap, PairContact, SurfaceBody, features2, features3, meshes, overlap_sphere,
    overlap2, overlap3, sphere,
};
use crate::space::{Point, Pose, Vector};

/// Cache of a pair of bodies in 3D; each pair method uses its own field.
#[derive(Clone, Debug, Default)]
pub struct PairState {
    features: FeatureCache3,
    feature: FeatureHint,
    faces: PairHint,
}

impl PairMethods<3> for Shape3 {
    type Kept = PairState;
    type Deforming = SolidCaches;

    fn deform(
        kept: &mut SolidCaches,
        bodies: &[Option<Placed<Self, 3>>],
        pairs: &[Pair],
        found: &mut Vec<Contact<3>>,
    ) {
        kept.follow(bodies);
        kept.find(bodies, pairs, found);
    }

    fn meet(
        a: &Placed<Self, 3>,
        b: &Placed<Self, 3>,
        kept: &mut PairState,
        deforming: &SolidCaches,
        found: &mut Vec<PairContact<3>>,
    ) {
        in_space(a, b, kept, deforming, found);
    }
}

impl PairMethods<2> for Shape2 {
    type Kept = FeatureCache2;
    type Deforming = ();

    fn deform(
        _kept: &mut (),
        _bodies: &[Option<Placed<Self, 2>>],
        _pairs: &[Pair],
        _found: &mut Vec<Contact<2>>,
    ) {
    }

    fn meet(
        a: &Placed<Self, 2>,
        b: &Placed<Self, 2>,
        kept: &mut FeatureCache2,
        _deforming: &(),
        found: &mut Vec<PairContact<2>>,
    ) {
        in_plane(a, b, kept, found);
    }
}

/// Appends the contacts of two bodies in 3D.
fn in_space(
    a: &Placed<Shape3, 3>,
    b: &Placed<Shape3, 3>,
    kept: &mut PairState,
    solids: &SolidCaches,
    found: &mut Vec<PairContact<3>>,
) {
    use Shape3::{Faces, HalfSpace, Polyhedron, Solid, Sphere, Surface};
    let (at, bt) = (&a.pose, &b.pose);
    let solid = |placed: &Placed<Shape3, 3>| solids.get(placed.id).and_then(|kept| kept.faces());

    // A solid's points are already in world coordinates.
    let here = &Pose::identity();
    match (a.shape, b.shape) {
        (Sphere(p), Sphere(q)) => {
            touching(
                sphere::spheres(p, at, q, bt),
                || overlap_sphere::balls(p, at, q, bt),
                found,
            );
        }
        (Sphere(p), Polyhedron(q)) => {
            let contact = sphere::polyhedron(p, at, q, bt, &mut kept.feature);
            let common =
                || overlap_sphere::polyhedron_ball(q, bt, p, at).map(|common| common.swapped());
            touching(contact, common, found);
        }
        (Sphere(p), Surface(q)) => ball_surface(p, at, q, bt, found),
        (Sphere(p), Solid(_)) => {
            found.extend(solid(b).and_then(|faces| ball_faces(p, at, faces, here)))
        }
        (Sphere(p), Faces(q)) => found.extend(ball_faces(p, at, q, bt)),
        (Sphere(p), HalfSpace(q)) => {
            let common = || overlap_sphere::ball_half_space(p, at, q, bt);
            touching(sphere_contact(p, at, q, bt), common, found);
        }
        (Polyhedron(p), Polyhedron(q)) => {
            let closest = features3::closest(p, at, q, bt, &mut kept.features);
            touching(closest.contact, || overlap3::polyhedra(p, at, q, bt), found);
        }
        (Polyhedron(p), Surface(q)) => convex_surface(p, at, q, bt, found),
        (Polyhedron(p), Solid(_)) => {
            let Some(faces) = solid(b) else { return };
            nodes_in(corners(p.points(), at), |x| in_faces(faces, here, x), found);
            nodes_of_second_in(nodes(faces, here), |x| in_polyhedron(p, at, x), found);
        }
        (Polyhedron(p), Faces(q)) => {
            nodes_in(corners(p.points(), at), |x| in_faces(q, bt, x), found);
            nodes_of_second_in(nodes(q, bt), |x| in_polyhedron(p, at, x), found);
        }
        (Polyhedron(p), HalfSpace(q)) => {
            let common = || overlap3::polyhedron_half_space(p, at, q, bt);
            touching(polyhedron_contact(p, at, q, bt, 0), common, found);
        }
        (Surface(p), Surface(q)) => surfaces([p, q], [at, bt], &mut kept.faces, found),
        (Surface(p), Solid(_)) => {
            let Some(faces) = solid(b) else { return };
            both_ways([p.faces(), faces], [at, here], found);
        }
        (Surface(p), Faces(q)) => both_ways([p.faces(), q], [at, bt], found),
        (Surface(p), HalfSpace(q)) => {
            nodes_in(nodes(p.faces(), at), |x| in_half_space(q, bt, x), found);
        }
        // Solids find the contacts among themselves in a stage of their own, because both have caches:
        // `deforming.rs`.
        (Solid(_), Solid(_)) => {}
        (Solid(_), Faces(q)) => {
            let Some(faces) = solid(a) else { return };
            both_ways([faces, q], [here, bt], found);
        }
        (Solid(_), HalfSpace(q)) => {
            let Some(faces) = solid(a) else { return };
            nodes_in(nodes(faces, here), |x| in_half_space(q, bt, x), found);
        }
        (Faces(p), Faces(q)) => both_ways([p, q], [at, bt], found),
        (Faces(p), HalfSpace(q)) => nodes_in(nodes(p, at), |x| in_half_space(q, bt, x), found),
        // Two half-spaces always overlap, and no force moves them.
        (HalfSpace(_), HalfSpace(_)) => {}
        (Polyhedron(_), Sphere(_))
        | (Surface(_), Sphere(_) | Polyhedron(_))
        | (Solid(_), Sphere(_) | Polyhedron(_) | Surface(_))
        | (Faces(_), Sphere(_) | Polyhedron(_) | Surface(_) | Solid(_))
        | (HalfSpace(_), Sphere(_) | Polyhedron(_) | Surface(_) | Solid(_) | Faces(_)) => {
            seen_from_b(found, |found| in_space(b, a, kept, solids, found));
        }
    }
}

/// Appends the contacts of two bodies in 2D.
fn in_plane(
    a: &Placed<Shape2, 2>,
    b: &Placed<Shape2, 2>,
    kept: &mut FeatureCache2,
    found: &mut Vec<PairContact<2>>,
) {
    use Shape2::{Disc, Faces, HalfPlane, Polygon};
    let (at, bt) = (&a.pose, &b.pose);
    match (a.shape, b.shape) {
        (Disc(p), Disc(q)) => {
            touching(
                sphere::spheres(p, at, q, bt),
                || overlap_sphere::discs(p, at, q, bt),
                found,
            );
        }
        (Disc(p), Polygon(q)) => {
            let common =
                || overlap_sphere::polygon_disc(q, bt, p, at).map(|common| common.swapped());
            touching(sphere::polygon(p, at, q, bt), common, found);
        }
        (Disc(p), Faces(q)) => found.extend(ball_faces(p, at, q, bt)),
        (Disc(p), HalfPlane(q)) => {
            let common = || overlap_sphere::disc_half_plane(p, at, q, bt);
            touching(sphere_contact(p, at, q, bt), common, found);
        }
        (Polygon(p), Polygon(q)) => {
            let closest = features2::closest(p, at, q, bt, kept);
            touching(closest.contact, || overlap2::polygons(p, at, q, bt), found);
        }
        (Polygon(p), Faces(q)) => {
            nodes_in(corners(p.points(), at), |x| in_faces(q, bt, x), found);
            nodes_of_second_in(nodes(q, bt), |x| in_polygon(p, at, x), found);
        }
        (Polygon(p), HalfPlane(q)) => {
            let common = || overlap2::polygon_half_plane(p, at, q, bt);
            touching(polygon_contact(p, at, q, bt, 0), common, found);
        }
        (Faces(p), Faces(q)) => both_ways([p, q], [at, bt], found),
        (Faces(p), HalfPlane(q)) => nodes_in(nodes(p, at), |x| in_half_space(q, bt, x), found),
        (HalfPlane(_), HalfPlane(_)) => {}
        (Polygon(_), Disc(_))
        | (Faces(_), Disc(_) | Polygon(_))
        | (HalfPlane(_), Disc(_) | Polygon(_) | Faces(_)) => {
            seen_from_b(found, |found| in_plane(b, a, kept, found));
        }
    }
}

/// Appends a contact, with its intersection, if the bodies touch.
fn touching<const D: usize, O: Into<Overlap<D>>>(
    touch: ContactPoint<D>,
    common: impl FnOnce() -> Option<O>,
    found: &mut Vec<PairContact<D>>,
) {
    if touch.gap <= 0.0 {
        found.push(PairContact {
            touch,
            overlap: common().map(O::into),
        });
    }
}

/// Appends the contacts of the pair in the other order, swapped back.
fn seen_from_b<const D: usize>(
    found: &mut Vec<PairContact<D>>,
    meet: impl FnOnce(&mut Vec<PairContact<D>>),
) {
    let start = found.len();
    meet(found);
    found[start..]
        .iter_mut()
        .for_each(|contact| *contact = contact.swapped());
}

/// Appends the single contact of two surfaces: the translation that separates them, and their
/// intersection.
fn surfaces(
    [p, q]: [&SurfaceBody; 2],
    [at, bt]: [&Pose<3>; 2],
    kept: &mut meshes::PairHint,
    found: &mut Vec<PairContact<3>>,
) {
    let closest = meshes::closest(p.tree(), at, q.tree(), bt, kept);
    if closest.touches() {
        let centroid: Vector<3> = (closest.contact.on_a.coords + closest.contact.on_b.coords) * 0.5;
        let overlap = meshes::overlap(p.tree(), at, q.tree(), bt).map(|common| Overlap {
            measure: common.volume,
            centroid: Point::from(centroid),
            section: common.push,
        });
        found.push(PairContact {
            touch: closest.contact,
            overlap,
        });
    }
}

/// Appends the nodes of each body that lie in the other.
fn both_ways<const D: usize>(
    [p, q]: [&FaceTree<D>; 2],
    [at, bt]: [&Pose<D>; 2],
    found: &mut Vec<PairContact<D>>,
) {
    nodes_in(nodes(p, at), |x| in_faces(q, bt, x), found);
    nodes_of_second_in(nodes(q, bt), |x| in_faces(p, at, x), found);
}
