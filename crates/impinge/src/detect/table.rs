//! The method for each pair of shapes.
//!
//! In 3D, with the meaning of a contact. The lower half of the table is the upper half with the bodies
//! swapped:
//!
//! | | sphere | polyhedron | round | surface | solid | faces | half-space |
//! |---|---|---|---|---|---|---|---|
//! | sphere | closed form, overlap | cached feature, overlap | closed form | each local minimum of the distance | exit of the centre | exit of the centre | closed form, overlap |
//! | polyhedron | | cached features, patch, overlap | GJK, EPA | faces in the body, depth integral | nodes of either in the other | nodes of either in the other | vertices, overlap |
//! | round | | | closed form, or GJK and EPA | faces in the body, depth along their normals | nodes of either in the other | nodes of either in the other | lowest point |
//! | surface | | | | connected parts of the intersection | nodes of either in the other | nodes of either in the other | nodes |
//! | solid | | | | | faces and their exits, including self-contact | nodes of either in the other | nodes |
//! | faces | | | | | | nodes of either in the other | nodes |
//! | half-space | | | | | | | none |
//!
//! Round bodies are capsules, cylinders and cones. The contacts of a compound are those of its parts;
//! contacts at one place are merged.
//!
//! Whatever the method, a contact is a connected place with a manifold of up to four points. 2D has the
//! corresponding disc, polygon, faces and half-plane. The match has no wildcard arm: a new shape does
//! not compile until each of its pairs has a method.

use super::contact::Contact;
use super::deforming::SolidCaches;
use super::options::Options;
use super::shape::{PairMethods, Placed, Shape};
use super::shape2::Shape2;
use super::shape3::Shape3;
use crate::broad::Pair;
use crate::narrow::ball_surface::{ball_faces, ball_surface_within};
use crate::narrow::convex_surface::{Reach, convex_surface_places};
use crate::narrow::features2::FeatureCache2;
use crate::narrow::features3::FeatureCache3;
use crate::narrow::gjk;
use crate::narrow::half_space::{
    polygon_contact, polyhedron_contact, sphere_contact, vertex_contact,
};
use crate::narrow::meshes::{PairHint, Part, PartsWork};
use crate::narrow::nodes::{nodes_of_both, nodes_within};
use crate::narrow::places::{Dimension, Scratch};
use crate::narrow::round::{self, ConvexBody, half_space_manifold, round_surface};
use crate::narrow::separating_axis::SeparatingAxis;
use crate::narrow::sphere::FeatureHint;
use crate::narrow::{
    ContactPoint, MOST_POINTS, Manifold, Overlap, PairContact, SurfaceBody, features2, features3,
    meshes, overlap_sphere, overlap2, overlap3, patch, sphere,
};
use crate::shape::{Feature, HalfSpace, Polygon, Polyhedron, Round};
use crate::space::{Point, Pose, Vector};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Cache of a pair of bodies in 3D; each pair method uses its own field.
#[derive(Clone, Debug, Default)]
pub struct PairState {
    features: FeatureCache3,
    axis: Option<SeparatingAxis>,
    feature: FeatureHint,
    faces: PairHint,
    /// Separating axis of two convex bodies, one of them round.
    apart: Option<Vector<3>>,
    /// The caches of pairs of compound parts.
    parts: BTreeMap<[u32; 2], PairState>,
}

impl PairMethods<3> for Shape3 {
    type Cache = PairState;
    type Deforming = SolidCaches;

    fn deform(
        kept: &mut SolidCaches,
        bodies: &[Option<Placed<Self, 3>>],
        pairs: &[Pair],
        options: &Options,
        found: &mut Vec<Contact<3>>,
    ) {
        kept.follow(bodies);
        kept.find(bodies, pairs, options.margin, found);
    }

    fn meet(
        a: &Placed<Self, 3>,
        b: &Placed<Self, 3>,
        kept: &mut PairState,
        deforming: &SolidCaches,
        options: &Options,
        found: &mut Vec<PairContact<3>>,
    ) {
        in_space(a, b, kept, deforming, options, found);
    }
}

impl PairMethods<2> for Shape2 {
    type Cache = FeatureCache2;
    type Deforming = ();

    fn deform(
        _kept: &mut (),
        _bodies: &[Option<Placed<Self, 2>>],
        _pairs: &[Pair],
        _options: &Options,
        _found: &mut Vec<Contact<2>>,
    ) {
    }

    fn meet(
        a: &Placed<Self, 2>,
        b: &Placed<Self, 2>,
        kept: &mut FeatureCache2,
        _deforming: &(),
        options: &Options,
        found: &mut Vec<PairContact<2>>,
    ) {
        in_plane(a, b, kept, options, found);
    }
}

/// Appends the contacts of two bodies in 3D.
fn in_space(
    a: &Placed<Shape3, 3>,
    b: &Placed<Shape3, 3>,
    kept: &mut PairState,
    solids: &SolidCaches,
    options: &Options,
    found: &mut Vec<PairContact<3>>,
) {
    use Shape3::{Compound, Faces, HalfSpace, Polyhedron, Round, Solid, Sphere, Surface};
    let (at, bt, margin) = (&a.pose, &b.pose, options.margin);
    let solid = |placed: &Placed<Shape3, 3>| solids.get(placed.id).and_then(|kept| kept.faces());

    // A solid's points are already in world coordinates.
    let here = &Pose::identity();
    match (a.shape, b.shape) {
        (Sphere(p), Sphere(q)) => single(
            options,
            sphere::spheres(p, at, q, bt),
            || overlap_sphere::balls(p, at, q, bt),
            found,
        ),
        (Sphere(p), Polyhedron(q)) => {
            let contact = sphere::polyhedron(p, at, q, bt, &mut kept.feature);
            let common =
                || overlap_sphere::polyhedron_ball(q, bt, p, at).map(|common| common.swapped());
            single(options, contact, common, found);
        }
        (Sphere(p), Round(q)) => {
            let pair = [ConvexBody::Sphere(p), ConvexBody::Round(q)];
            rounds(pair, [at, bt], kept, options, found);
        }
        (Sphere(p), Surface(q)) => ball_surface_within(p, at, q, bt, margin, found),
        (Sphere(p), Solid(_)) => {
            found.extend(solid(b).and_then(|faces| ball_faces(p, at, faces, here, margin)))
        }
        (Sphere(p), Faces(q)) => found.extend(ball_faces(p, at, q, bt, margin)),
        (Sphere(p), HalfSpace(q)) => {
            let common = || overlap_sphere::ball_half_space(p, at, q, bt);
            single(options, sphere_contact(p, at, q, bt), common, found);
        }
        (Polyhedron(p), Polyhedron(q)) => polyhedra([p, q], [at, bt], kept, options, found),
        (Polyhedron(p), Round(q)) => {
            let pair = [ConvexBody::Polyhedron(p), ConvexBody::Round(q)];
            rounds(pair, [at, bt], kept, options, found);
        }
        (Polyhedron(p), Surface(q)) => {
            let reach = Reach {
                margin,
                manifold: options.want.manifold,
            };
            convex_surface_places(p, at, q, bt, &reach, found);
        }
        (Polyhedron(p), Solid(_)) => {
            let Some(faces) = solid(b) else { return };
            nodes_of_both(&**p, at, faces, here, margin, found);
        }
        (Polyhedron(p), Faces(q)) => nodes_of_both(&**p, at, &**q, bt, margin, found),
        (Polyhedron(p), HalfSpace(q)) => {
            let touch = polyhedron_contact(p, at, q, bt, 0);
            let common = || overlap3::polyhedron_half_space(p, at, q, bt);
            let standing = || vertices(p.points(), at, q, bt, margin, touch);
            with_manifold(options, touch, standing, common, found);
        }
        (Round(p), Round(q)) => {
            let pair = [ConvexBody::Round(p), ConvexBody::Round(q)];
            rounds(pair, [at, bt], kept, options, found);
        }
        (Round(p), Surface(q)) => {
            round_surface(p, at, q, bt, margin, options.want.manifold, found);
        }
        (Round(p), Solid(_)) => {
            let Some(faces) = solid(b) else { return };
            nodes_of_both(p, at, faces, here, margin, found);
        }
        (Round(p), Faces(q)) => nodes_of_both(p, at, &**q, bt, margin, found),
        (Round(p), HalfSpace(q)) => round_on_half_space((p, at), (q, bt), options, found),
        (Surface(p), Surface(q)) => surfaces([p, q], [at, bt], &mut kept.faces, options, found),
        (Surface(p), Solid(_)) => {
            let Some(faces) = solid(b) else { return };
            nodes_of_both(p.faces(), at, faces, here, margin, found);
        }
        (Surface(p), Faces(q)) => nodes_of_both(p.faces(), at, &**q, bt, margin, found),
        (Surface(p), HalfSpace(q)) => nodes_of_both(p.faces(), at, q, bt, margin, found),
        // Solids find the contacts among themselves in a stage of their own, because both have caches:
        // `deforming.rs`.
        (Solid(_), Solid(_)) => {}
        (Solid(_), Faces(q)) => {
            let Some(faces) = solid(a) else { return };
            nodes_of_both(faces, here, &**q, bt, margin, found);
        }
        (Solid(_), HalfSpace(q)) => {
            let Some(faces) = solid(a) else { return };
            nodes_of_both(faces, here, q, bt, margin, found);
        }
        (Faces(p), Faces(q)) => nodes_of_both(&**p, at, &**q, bt, margin, found),
        (Faces(p), HalfSpace(q)) => nodes_of_both(&**p, at, q, bt, margin, found),
        // Two half-spaces always overlap, and no force moves them.
        (HalfSpace(_), HalfSpace(_)) => {}
        (Compound(_), _) => compound(a, b, kept, solids, options, found),
        (Polyhedron(_), Sphere(_))
        | (Round(_), Sphere(_) | Polyhedron(_))
        | (Surface(_), Sphere(_) | Polyhedron(_) | Round(_))
        | (Solid(_), Sphere(_) | Polyhedron(_) | Round(_) | Surface(_))
        | (Faces(_), Sphere(_) | Polyhedron(_) | Round(_) | Surface(_) | Solid(_))
        | (HalfSpace(_), Sphere(_) | Polyhedron(_) | Round(_) | Surface(_) | Solid(_) | Faces(_))
        | (_, Compound(_)) => {
            seen_from_b(found, |found| in_space(b, a, kept, solids, options, found));
        }
    }
}

/// Appends the contacts of two bodies in 2D.
fn in_plane(
    a: &Placed<Shape2, 2>,
    b: &Placed<Shape2, 2>,
    kept: &mut FeatureCache2,
    options: &Options,
    found: &mut Vec<PairContact<2>>,
) {
    use Shape2::{Disc, Faces, HalfPlane, Polygon};
    let (at, bt, margin) = (&a.pose, &b.pose, options.margin);
    match (a.shape, b.shape) {
        (Disc(p), Disc(q)) => single(
            options,
            sphere::spheres(p, at, q, bt),
            || overlap_sphere::discs(p, at, q, bt),
            found,
        ),
        (Disc(p), Polygon(q)) => {
            let common =
                || overlap_sphere::polygon_disc(q, bt, p, at).map(|common| common.swapped());
            single(options, sphere::polygon(p, at, q, bt), common, found);
        }
        (Disc(p), Faces(q)) => found.extend(ball_faces(p, at, q, bt, margin)),
        (Disc(p), HalfPlane(q)) => {
            let common = || overlap_sphere::disc_half_plane(p, at, q, bt);
            single(options, sphere_contact(p, at, q, bt), common, found);
        }
        (Polygon(p), Polygon(q)) => polygons([p, q], [at, bt], kept, options, found),
        (Polygon(p), Faces(q)) => nodes_of_both(&**p, at, &**q, bt, margin, found),
        (Polygon(p), HalfPlane(q)) => {
            let touch = polygon_contact(p, at, q, bt, 0);
            let common = || overlap2::polygon_half_plane(p, at, q, bt);
            let standing = || vertices(p.points(), at, q, bt, margin, touch);
            with_manifold(options, touch, standing, common, found);
        }
        (Faces(p), Faces(q)) => nodes_of_both(&**p, at, &**q, bt, margin, found),
        (Faces(p), HalfPlane(q)) => nodes_of_both(&**p, at, q, bt, margin, found),
        (HalfPlane(_), HalfPlane(_)) => {}
        (Polygon(_), Disc(_))
        | (Faces(_), Disc(_) | Polygon(_))
        | (HalfPlane(_), Disc(_) | Polygon(_) | Faces(_)) => {
            seen_from_b(found, |found| in_plane(b, a, kept, options, found));
        }
    }
}

/// Appends a contact of one point if it is within the margin.
fn single<const D: usize, O: Into<Overlap<D>>>(
    options: &Options,
    touch: ContactPoint<D>,
    common: impl FnOnce() -> Option<O>,
    found: &mut Vec<PairContact<D>>,
) {
    with_manifold(options, touch, || Manifold::from(touch), common, found);
}

/// Appends a contact if it is within the margin, with the requested results.
fn with_manifold<const D: usize, O: Into<Overlap<D>>>(
    options: &Options,
    touch: ContactPoint<D>,
    manifold: impl FnOnce() -> Manifold<D>,
    common: impl FnOnce() -> Option<O>,
    found: &mut Vec<PairContact<D>>,
) {
    if touch.gap > options.margin {
        return;
    }

    let overlaps = touch.gap <= 0.0 && options.want.overlap;
    found.push(PairContact {
        touch,
        manifold: if options.want.manifold {
            manifold()
        } else {
            touch.into()
        },
        overlap: if overlaps {
            common().map(O::into)
        } else {
            None
        },
    });
}

/// Appends the contact of two polyhedra, with the manifold of the facets in contact.
fn polyhedra(
    [p, q]: [&Polyhedron; 2],
    [at, bt]: [&Pose<3>; 2],
    kept: &mut PairState,
    options: &Options,
    found: &mut Vec<PairContact<3>>,
) {
    // Most pairs of a pile remain separated along the axis of the last step.
    let is_apart = |axis: &mut SeparatingAxis| axis.separates([p, q], [at, bt]);
    if options.margin == 0.0 && kept.axis.as_mut().is_some_and(is_apart) {
        return;
    }

    let touch = features3::closest(p, at, q, bt, &mut kept.features).contact;
    kept.axis = SeparatingAxis::of([p, q], &touch);
    let patch = || {
        CORNERS3.with_borrow_mut(|corners| {
            let facing = patch::PatchOptions::default();
            patch::polyhedra(p, at, q, bt, &touch, &facing, corners);
            near(corners, options.margin, touch)
        })
    };
    let common = || overlap3::polyhedra(p, at, q, bt);
    with_manifold(options, touch, patch, common, found);
}

/// Appends the contact of two convex bodies, at least one of them round.
fn rounds(
    [p, q]: [ConvexBody; 2],
    [at, bt]: [&Pose<3>; 2],
    kept: &mut PairState,
    options: &Options,
    found: &mut Vec<PairContact<3>>,
) {
    let is_apart = |along: Vector<3>| round::is_apart([&p, &q], [at, bt], &along, options.margin);
    if kept.apart.is_some_and(is_apart) {
        return;
    }

    let touch = round::closest(&p, at, &q, bt).contact;
    kept.apart = (touch.gap > options.margin).then_some(touch.normal);
    let manifold = || round::manifold([&p, &q], [at, bt], touch, options.margin);
    with_manifold(options, touch, manifold, || None::<Overlap<3>>, found);
}

/// Appends the contact of a capsule, cylinder or cone with a half-space.
fn round_on_half_space(
    (body, at): (&Round, &Pose<3>),
    (half, bt): (&HalfSpace<3>, &Pose<3>),
    options: &Options,
    found: &mut Vec<PairContact<3>>,
) {
    let touch = round::half_space_contact(body, at, half, bt);
    let standing = || half_space_manifold(body, at, half, bt, touch, options.margin);
    with_manifold(options, touch, standing, || None::<Overlap<3>>, found);
}

/// Appends the contacts of a compound: those of its parts, merged where they are at one place.
fn compound(
    a: &Placed<Shape3, 3>,
    b: &Placed<Shape3, 3>,
    kept: &mut PairState,
    solids: &SolidCaches,
    options: &Options,
    found: &mut Vec<PairContact<3>>,
) {
    let Shape3::Compound(whole) = a.shape else {
        return;
    };
    // Manifolds determine which contacts belong to one place.
    let mut wanted = *options;
    wanted.want.manifold = true;
    let start = found.len();
    let to_a = a.pose.inverse();
    let mut meet = |part_b: u32, other: &Placed<Shape3, 3>| {
        let seen = other.shape.bounds(&to_a.after(&other.pose));
        whole.visit_overlapping(&seen.grown(options.margin), |part_a| {
            let (shape, place) = &whole.parts()[part_a as usize];
            let part = Placed {
                shape,
                pose: a.pose.after(place),
                ..*a
            };
            let kept = kept.parts.entry([part_a, part_b]).or_default();
            in_space(&part, other, kept, solids, &wanted, found);
        });
    };

    match b.shape {
        Shape3::Compound(other) => {
            for (n, (shape, place)) in (0..).zip(other.parts()) {
                let pose = b.pose.after(place);
                meet(n, &Placed { shape, pose, ..*b });
            }
        }
        _ => meet(0, b),
    }

    join_parts(start, found);
    if !options.want.manifold {
        found[start..]
            .iter_mut()
            .for_each(|contact| contact.manifold = contact.touch.into());
    }
}

/// Merges contacts of compound parts that belong to one place: the hulls of their manifolds come within
/// their depth of each other, and their normals differ by at most 45°.
fn join_parts(start: usize, found: &mut Vec<PairContact<3>>) {
    if found.len() < start + 2 {
        return;
    }

    <Dimension as Scratch<3>>::with(|parts| {
        parts.contacts.extend(found.drain(start..));
        for i in 0..parts.contacts.len() {
            for j in i + 1..parts.contacts.len() {
                if is_one_place(&parts.contacts[i], &parts.contacts[j]) {
                    parts.unite(i as u32, j as u32);
                }
            }
        }
        parts.join(found);
    });
}

/// Distance of two manifolds, relative to their extent, below which they touch.
const TOUCHING: f64 = 1e-9;

fn is_one_place(p: &PairContact<3>, q: &PairContact<3>) -> bool {
    if p.touch.normal.dot(&q.touch.normal) < std::f64::consts::FRAC_1_SQRT_2 {
        return false;
    }

    let corners = |contact: &PairContact<3>| {
        let mut corners = [contact.touch.on_b; MOST_POINTS];
        for (corner, point) in corners.iter_mut().zip(contact.manifold.points()) {
            *corner = point.on_b;
        }
        corners
    };
    let (p_corners, q_corners) = (corners(p), corners(q));
    let here = Pose::identity();
    let apart = gjk::distance(
        &gjk::Corners(&p_corners),
        &here,
        &gjk::Corners(&q_corners),
        &here,
        &mut gjk::Simplex::default(),
    );
    let extent = |corners: &[Point<3>; MOST_POINTS]| {
        let spans = corners.iter().map(|x| (x - corners[0]).norm());
        spans.fold(0.0, f64::max)
    };
    let depth = (-p.touch.gap).max(-q.touch.gap).max(0.0);

    apart.distance <= depth + TOUCHING * (extent(&p_corners) + extent(&q_corners))
}

/// Appends the contact of two polygons, with the end points of the edges in contact.
fn polygons(
    [p, q]: [&Polygon; 2],
    [at, bt]: [&Pose<2>; 2],
    kept: &mut FeatureCache2,
    options: &Options,
    found: &mut Vec<PairContact<2>>,
) {
    let touch = features2::closest(p, at, q, bt, kept).contact;
    let patch = || {
        CORNERS2.with_borrow_mut(|corners| {
            let facing = patch::PatchOptions::default();
            patch::polygons(p, at, q, bt, &touch, &facing, corners);
            near(corners, options.margin, touch)
        })
    };
    let common = || overlap2::polygons(p, at, q, bt);
    with_manifold(options, touch, patch, common, found);
}

thread_local! {
    static CORNERS2: RefCell<Vec<ContactPoint<2>>> = RefCell::default();
    static CORNERS3: RefCell<Vec<ContactPoint<3>>> = RefCell::default();
}

/// Reduces the corners within the margin to a manifold.
fn near<const D: usize>(
    corners: &mut Vec<ContactPoint<D>>,
    margin: f64,
    touch: ContactPoint<D>,
) -> Manifold<D> {
    corners.retain(|corner| corner.gap <= margin);
    Manifold::reduced(corners, touch)
}

/// Returns the manifold of the vertices of a convex body in a half-space, or within the margin of it.
fn vertices<const D: usize>(
    points: &[Point<D>],
    at: &Pose<D>,
    half: &HalfSpace<D>,
    bt: &Pose<D>,
    margin: f64,
    touch: ContactPoint<D>,
) -> Manifold<D> {
    let mut four = [touch; LOWEST];
    let mut count = 0;
    for (vertex, point) in (0..).zip(points) {
        let contact = vertex_contact((vertex, point), at, half, bt);
        if contact.gap > margin {
            continue;
        }
        if count == LOWEST {
            // A body with many vertices below the surface: the manifold so far, and the next one.
            let kept = Manifold::reduced(&four, touch);
            count = kept.points().len();
            four[..count].copy_from_slice(kept.points());
        }
        four[count] = contact;
        count += 1;
    }

    Manifold::reduced(&four[..count], touch)
}

/// Number of vertices that are reduced at once.
const LOWEST: usize = 16;

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

/// Appends a contact for each connected part of the intersection of two surfaces, or their closest
/// points if they share no volume.
fn surfaces(
    [p, q]: [&SurfaceBody; 2],
    [at, bt]: [&Pose<3>; 2],
    kept: &mut PairHint,
    options: &Options,
    found: &mut Vec<PairContact<3>>,
) {
    let start = found.len();
    let distance = meshes::distance(p.tree(), at, q.tree(), bt, kept);
    if distance.touches() {
        PARTS.with_borrow_mut(|(work, parts)| {
            meshes::parts(p.tree(), at, q.tree(), bt, work, parts);
            found.extend(parts.iter().filter_map(of_part));
        });
    }

    // A single part, a touch without volume, or a body inside another: the translation that separates
    // the bodies. Without contact this is the distance.
    let count = found.len() - start;
    let is_deep = count <= 1 && options.want.depth;
    if count == 0 || is_deep {
        let closest = if is_deep || !distance.touches() {
            meshes::closest(p.tree(), at, q.tree(), bt, kept)
        } else {
            distance
        };
        let overlap = found[start..].first().and_then(|contact| contact.overlap);
        found.truncate(start);
        let common = || overlap.or_else(|| whole([p, q], [at, bt], &closest.contact));
        single(options, closest.contact, common, found);
    }

    if !options.want.overlap {
        found[start..]
            .iter_mut()
            .for_each(|contact| contact.overlap = None);
    }
    if options.want.manifold && found.len() > start {
        <Dimension as Scratch<3>>::with(|nodes| {
            nodes_within(p.faces(), at, q.faces(), bt, options.margin, nodes);
            stand_on(&nodes.contacts, &mut found[start..]);
        });
    }
}

thread_local! {
    static PARTS: RefCell<(PartsWork, Vec<Part>)> = RefCell::default();
}

/// Returns the contact of a part of the intersection, if it has a volume and a mean normal.
fn of_part(part: &Part) -> Option<PairContact<3>> {
    let normal = part.normal().filter(|_| part.volume > 0.0)?;
    let face = |side: usize| Feature::Face(part.faces[side].unwrap_or(0));
    let touch = ContactPoint {
        on_a: part.on_b + normal * part.depth,
        on_b: part.on_b,
        normal,
        gap: -part.depth,
        feature_a: face(0),
        feature_b: face(1),
    };

    Some(PairContact {
        overlap: Some(Overlap {
            measure: part.volume,
            centroid: part.centroid,
            section: part.section,
        }),
        ..PairContact::plain(touch)
    })
}

/// Returns the whole intersection of two closed surfaces, one of which may be inside the other.
fn whole(
    [p, q]: [&SurfaceBody; 2],
    [at, bt]: [&Pose<3>; 2],
    contact: &ContactPoint<3>,
) -> Option<Overlap<3>> {
    let common = meshes::overlap(p.tree(), at, q.tree(), bt)?;
    Some(Overlap {
        measure: common.volume,
        centroid: nalgebra::center(&contact.on_a, &contact.on_b),
        section: common.push,
    })
}

/// Gives each contact the nodes near it as its manifold, if their normals agree with its own.
fn stand_on(nodes: &[PairContact<3>], contacts: &mut [PairContact<3>]) {
    let distance = |node: &ContactPoint<3>, contact: &PairContact<3>| {
        (node.on_b - contact.touch.on_b).norm_squared()
    };
    let owner = |node: &ContactPoint<3>| {
        let all = (0..contacts.len()).map(|i| (distance(node, &contacts[i]), i));
        all.min_by(|p, q| p.0.total_cmp(&q.0)).map(|(_, i)| i)
    };
    let owners: Vec<Option<usize>> = nodes.iter().map(|node| owner(&node.touch)).collect();

    for (i, contact) in contacts.iter_mut().enumerate() {
        let touch = contact.touch;
        CORNERS3.with_borrow_mut(|corners| {
            corners.clear();
            let own = nodes
                .iter()
                .zip(&owners)
                .filter(|(_, owner)| **owner == Some(i));
            let agrees = |node: &ContactPoint<3>| node.normal.dot(&touch.normal) >= AGREES;
            corners.extend(own.map(|(node, _)| node.touch).filter(agrees));
            contact.manifold = Manifold::reduced(corners, touch);
        });
    }
}

/// Least cosine of the angle between the normal of a node and that of the contact it belongs to.
const AGREES: f64 = 0.9;
