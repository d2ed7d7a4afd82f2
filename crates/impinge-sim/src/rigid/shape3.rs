//! Balls, convex polyhedra, closed surfaces of any shape, and triangle mesh walls.
//!
//! Convex bodies are clipped. For pairs with a closed surface, each connected part of the intersection
//! ([`parts`]) is a contact; a ball touches a surface at the minima of its distance.

use super::shape::{Mass, OverlapRegion, RigidShape, facing};
use impinge::narrow::ball_surface::ball_surface;
use impinge::narrow::convex_surface::convex_surface;
use impinge::narrow::half_space::polyhedron_contact;
use impinge::narrow::meshes::{Part, PartsWork, TriangleTree, parts, parts_below, touching_faces};
use impinge::narrow::separating_axis::{self, OverlapCache};
use impinge::narrow::{Overlap, PairContact, SurfaceBody, overlap_sphere, overlap3};
use impinge::shape::{HalfSpace, Polyhedron, Problem, Sphere, Surface, generate};
use impinge::space::{Aabb, Matrix, Point, Pose, Vector};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

/// Relative growth of a rotated box, more than the rounding of the rotation.
const ROUNDING: f64 = 1e-12;

/// The shape of a 3D rigid body.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Plain", into = "Plain")]
pub enum RigidShape3 {
    /// A ball centred at the origin.
    Sphere(Sphere<3>),
    /// A convex polyhedron.
    Polyhedron(Arc<Convex>),
    /// The inside of a closed surface of any shape.
    Surface(Arc<SurfaceBody>),
}

/// A convex polyhedron and its triangles, which are built when a closed surface first comes near it.
#[derive(Clone, Debug)]
pub struct Convex {
    body: Polyhedron,
    tree: OnceLock<Option<TriangleTree>>,
}

impl Convex {
    fn new(body: Polyhedron) -> Self {
        Self {
            body,
            tree: OnceLock::new(),
        }
    }

    /// Returns its triangles; `None` if rounding leaves one of them without area.
    fn tree(&self) -> Option<&TriangleTree> {
        let build = || {
            let surface = Surface::new(self.body.points(), &fans(&self.body)).ok()?;
            Some(TriangleTree::new(&surface))
        };
        self.tree.get_or_init(build).as_ref()
    }
}

/// The serialised form.
#[derive(Serialize, Deserialize)]
enum Plain {
    Sphere(f64),
    Polyhedron(Vec<[f64; 3]>),
    Surface(Vec<[f64; 3]>, Vec<[u32; 3]>),
}

impl From<RigidShape3> for Plain {
    fn from(shape: RigidShape3) -> Self {
        match shape {
            RigidShape3::Sphere(ball) => Self::Sphere(ball.radius()),
            RigidShape3::Polyhedron(body) => Self::Polyhedron(plain(body.body.points())),
            RigidShape3::Surface(body) => {
                let tree = body.tree();
                Self::Surface(plain(tree.points()), tree.triangles().to_vec())
            }
        }
    }
}

fn plain(points: &[Point<3>]) -> Vec<[f64; 3]> {
    points.iter().map(|point| point.coords.into()).collect()
}

impl TryFrom<Plain> for RigidShape3 {
    type Error = Problem;

    fn try_from(plain: Plain) -> Result<Self, Problem> {
        match plain {
            Plain::Sphere(radius) => Self::sphere(radius),
            Plain::Polyhedron(points) => {
                let points: Vec<Point<3>> = points.into_iter().map(Point::from).collect();
                Ok(Self::Polyhedron(Arc::new(Convex::new(Polyhedron::hull(
                    &points,
                )?))))
            }
            Plain::Surface(points, triangles) => Self::closed(&Surface::new(&points, &triangles)?),
        }
    }
}

impl RigidShape3 {
    /// Creates a ball with a positive radius.
    pub fn sphere(radius: f64) -> Result<Self, Problem> {
        Ok(Self::Sphere(Sphere::new([0.0; 3], radius)?))
    }

    /// Creates the convex hull of points.
    pub fn polyhedron(points: &[Point<3>]) -> Result<Self, Problem> {
        // Rebuilt from its own vertices, so that facets have the same order as after
        // deserialisation.
        let body = Polyhedron::hull(Polyhedron::hull(points)?.points())?;
        Ok(Self::Polyhedron(Arc::new(Convex::new(body))))
    }

    /// Creates the inside of a closed surface.
    pub fn closed(surface: &Surface) -> Result<Self, Problem> {
        Ok(Self::Surface(Arc::new(SurfaceBody::new(surface)?)))
    }

    /// Returns points and triangles of the surface in the shape's frame, counter-clockwise seen
    /// from outside, for contact with other matter. A ball is approximated by 320 triangles with
    /// their corners on it.
    pub fn surface(&self) -> (Vec<Point<3>>, Vec<[u32; 3]>) {
        match self {
            Self::Sphere(ball) => {
                let unit = generate::sphere(2).expect("a ball of 320 triangles");
                let points = unit.points().iter().map(|p| p * ball.radius()).collect();
                (points, unit.triangles().to_vec())
            }
            Self::Polyhedron(body) => (body.body.points().to_vec(), fans(&body.body)),
            Self::Surface(body) => (
                body.tree().points().to_vec(),
                body.tree().triangles().to_vec(),
            ),
        }
    }
}

/// Splits each facet into a fan of triangles.
fn fans(body: &Polyhedron) -> Vec<[u32; 3]> {
    let fan = |face: usize| {
        let corners: Vec<u32> = body.face_corners(face).collect();
        corners[1..]
            .windows(2)
            .map(|pair| [corners[0], pair[0], pair[1]])
            .collect::<Vec<_>>()
    };
    (0..body.face_count()).flat_map(fan).collect()
}

/// A wall of triangles.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "PlainMesh", into = "PlainMesh")]
pub struct MeshWall(Arc<SurfaceBody>);

/// The serialised form.
#[derive(Serialize, Deserialize)]
struct PlainMesh {
    closed: bool,
    points: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl From<MeshWall> for PlainMesh {
    fn from(MeshWall(body): MeshWall) -> Self {
        let tree = body.tree();
        Self {
            closed: tree.is_closed(),
            points: tree.points().iter().map(|p| p.coords.into()).collect(),
            triangles: tree.triangles().to_vec(),
        }
    }
}

impl TryFrom<PlainMesh> for MeshWall {
    type Error = Problem;

    fn try_from(plain: PlainMesh) -> Result<Self, Problem> {
        let points: Vec<Point<3>> = plain.points.into_iter().map(Point::from).collect();
        if plain.closed {
            Self::closed(&points, &plain.triangles)
        } else {
            Self::open(&points, &plain.triangles)
        }
    }
}

impl MeshWall {
    /// Creates a wall from a closed surface; the outside is free.
    pub fn closed(points: &[Point<3>], triangles: &[[u32; 3]]) -> Result<Self, Problem> {
        Ok(Self(Arc::new(SurfaceBody::new(&Surface::new(
            points, triangles,
        )?)?)))
    }

    /// Creates a wall from triangles that need not be closed and push to either side.
    pub fn open(points: &[Point<3>], triangles: &[[u32; 3]]) -> Result<Self, Problem> {
        Ok(Self(Arc::new(SurfaceBody::wall(points, triangles)?)))
    }

    /// Creates a wall from a surface that others use, too.
    pub fn of(body: Arc<SurfaceBody>) -> Self {
        Self(body)
    }

    /// Returns the triangles.
    pub fn body(&self) -> &SurfaceBody {
        &self.0
    }
}

impl RigidShape<3> for RigidShape3 {
    type Kept = OverlapCache;
    type Mesh = MeshWall;

    fn mass(&self) -> Mass {
        match self {
            Self::Sphere(ball) => {
                let moment = 0.4 * ball.volume() * ball.radius() * ball.radius();
                let inertia = Matrix::from_diagonal_element(moment);
                Mass {
                    measure: ball.volume(),
                    centre: Vector::zeros(),
                    inertia,
                }
            }
            Self::Polyhedron(body) => Mass {
                measure: body.body.volume(),
                centre: body.body.centroid().coords,
                inertia: body.body.inertia(),
            },
            Self::Surface(body) => {
                Mass::of_triangles(body.tree().points(), body.tree().triangles())
            }
        }
    }

    fn reach(&self, from: &Vector<3>) -> f64 {
        match self {
            Self::Sphere(ball) => from.norm() + ball.radius(),
            Self::Polyhedron(body) => farthest(body.body.points(), from),
            Self::Surface(body) => farthest(body.tree().points(), from),
        }
    }

    fn radius(&self) -> Option<f64> {
        match self {
            Self::Sphere(ball) => Some(ball.radius()),
            Self::Polyhedron(_) | Self::Surface(_) => None,
        }
    }

    fn widest(&self) -> f64 {
        match self {
            Self::Sphere(ball) => std::f64::consts::PI * ball.radius() * ball.radius(),
            Self::Polyhedron(body) => widest(&body.body.bounds()),
            // No cross-section is larger than half of the surface.
            Self::Surface(body) => {
                let tree = body.tree();
                let area = |face: usize| {
                    let [a, b, c] = tree.corners(face);
                    0.5 * (b - a).cross(&(c - a)).norm()
                };
                let half: f64 = 0.5 * (0..tree.len()).map(area).sum::<f64>();
                half.min(widest(&tree.boxes().bounds()))
            }
        }
    }

    fn bounds(&self, pose: &Pose<3>) -> Aabb<3> {
        match self {
            Self::Sphere(ball) => Aabb::of([pose.position()]).grown(ball.radius()),
            Self::Polyhedron(body) => Aabb::of(body.body.points().iter().map(|p| pose.point(p))),
            Self::Surface(body) => {
                let bounds = body.tree().boxes().bounds();
                let (centre, half) = (pose.point(&bounds.centre()), bounds.extent() * 0.5);
                // Slightly larger than the rotated box, so that rounding never misses a contact.
                let half = pose.rotation().abs() * half * (1.0 + ROUNDING);
                Aabb {
                    min: centre - half,
                    max: centre + half,
                }
            }
        }
    }

    fn meet(
        &self,
        pose: &Pose<3>,
        other: &Self,
        pose_other: &Pose<3>,
        kept: &mut OverlapCache,
        found: &mut Vec<OverlapRegion<3>>,
    ) {
        match (self, other) {
            (Self::Surface(a), Self::Surface(b)) => {
                in_parts(a.tree(), pose, b.tree(), pose_other, found);
            }
            (Self::Surface(a), Self::Polyhedron(b)) => {
                if let Some(tree) = b.tree() {
                    in_parts(a.tree(), pose, tree, pose_other, found);
                }
            }
            (Self::Sphere(a), Self::Surface(b)) => ball_in_mesh(a, pose, b, pose_other, found),
            (Self::Polyhedron(_), Self::Surface(_)) | (Self::Surface(_), Self::Sphere(_)) => {
                let start = found.len();
                other.meet(pose_other, self, pose, kept, found);
                let swapped = |region: &mut OverlapRegion<3>| *region = region.swapped();
                found[start..].iter_mut().for_each(swapped);
            }
            _ => found.extend(self.overlap(pose, other, pose_other, kept).map(|overlap| {
                let depth = overlap.section.try_normalize(0.0).map_or(0.0, |mean| {
                    let theirs = other.facets(pose_other).map(|facet| -facet);
                    let normal = facing(mean, self.facets(pose).chain(theirs));
                    self.height(pose, &normal) + other.height(pose_other, &-normal)
                });
                OverlapRegion::between(overlap, depth)
            })),
        }
    }

    fn in_half_space(
        &self,
        pose: &Pose<3>,
        half: &HalfSpace<3>,
        found: &mut Vec<OverlapRegion<3>>,
    ) {
        if let Self::Surface(body) = self {
            let region = |part: &Part| OverlapRegion::of(overlap_of(part), half, part.depth);
            return with_work(|work, list| {
                parts_below(body.tree(), pose, half, &Pose::identity(), work, list);
                found.extend(list.iter().filter(|part| part.volume > 0.0).map(region));
            });
        }

        found.extend(self.below(pose, half).map(|overlap| {
            let up = half.normal();
            let depth = self.height(pose, &-up) + up.dot(&half.point().coords);
            OverlapRegion::of(overlap, half, depth)
        }));
    }

    fn in_mesh(
        &self,
        pose: &Pose<3>,
        mesh: &MeshWall,
        pose_mesh: &Pose<3>,
        found: &mut Vec<OverlapRegion<3>>,
    ) {
        match self {
            Self::Sphere(ball) => ball_in_mesh(ball, pose, &mesh.0, pose_mesh, found),
            Self::Polyhedron(body) => {
                let region = |flat: &Flat| flat.region(|half| self.below(pose, half));
                with_places(|faces, flats| {
                    convex_surface(&body.body, pose, &mesh.0, pose_mesh, faces);
                    group(faces, flats);
                    found.extend(flats.iter().filter_map(region));
                });
            }
            Self::Surface(body) if mesh.0.tree().is_closed() => {
                in_parts(body.tree(), pose, mesh.0.tree(), pose_mesh, found);
            }
            Self::Surface(body) => in_open_wall(body, pose, mesh.0.tree(), pose_mesh, found),
        }
    }
}

impl RigidShape3 {
    /// Returns the outward normals of a polyhedron in the world.
    fn facets(&self, pose: &Pose<3>) -> impl Iterator<Item = Vector<3>> {
        let planes = match self {
            Self::Polyhedron(body) => body.body.planes(),
            Self::Sphere(_) | Self::Surface(_) => &[],
        };
        planes.iter().map(|plane| pose.vector(&plane.normal))
    }

    /// Returns the extent of a convex body along a world direction.
    fn height(&self, pose: &Pose<3>, direction: &Vector<3>) -> f64 {
        let base = direction.dot(&pose.position().coords);
        match self {
            Self::Sphere(ball) => base + ball.radius(),
            Self::Polyhedron(body) => {
                let local = pose.vector_to_local(direction);
                let top = body.body.points()[body.body.support(&local, 0) as usize];
                base + local.dot(&top.coords)
            }
            Self::Surface(_) => base,
        }
    }

    /// Computes the intersection of two convex bodies.
    fn overlap(
        &self,
        pose: &Pose<3>,
        other: &Self,
        pose_other: &Pose<3>,
        kept: &mut OverlapCache,
    ) -> Option<Overlap<3>> {
        let found = match (self, other) {
            (Self::Sphere(a), Self::Sphere(b)) => overlap_sphere::balls(a, pose, b, pose_other),
            (Self::Polyhedron(a), Self::Sphere(b)) => {
                overlap_sphere::polyhedron_ball(&a.body, pose, b, pose_other)
            }
            (Self::Sphere(a), Self::Polyhedron(b)) => {
                overlap_sphere::polyhedron_ball(&b.body, pose_other, a, pose)
                    .map(|found| found.swapped())
            }
            (Self::Polyhedron(a), Self::Polyhedron(b)) => {
                separating_axis::overlap(&a.body, pose, &b.body, pose_other, kept)
            }
            (Self::Surface(_), _) | (_, Self::Surface(_)) => None,
        };
        found.map(Overlap::from)
    }

    /// Computes the part of a convex body inside a half-space.
    fn below(&self, pose: &Pose<3>, half: &HalfSpace<3>) -> Option<Overlap<3>> {
        let world = Pose::identity();
        let found = match self {
            Self::Sphere(ball) => overlap_sphere::ball_half_space(ball, pose, half, &world),
            Self::Polyhedron(body) => {
                let is_apart = polyhedron_contact(&body.body, pose, half, &world, 0).gap >= 0.0;
                if is_apart {
                    None
                } else {
                    overlap3::polyhedron_half_space(&body.body, pose, half, &world)
                }
            }
            Self::Surface(_) => None,
        };

        found.map(Overlap::from)
    }
}

fn farthest(points: &[Point<3>], from: &Vector<3>) -> f64 {
    let squares = points.iter().map(|p| (p.coords - from).norm_squared());
    squares.fold(0.0, f64::max).sqrt()
}

fn widest(bounds: &Aabb<3>) -> f64 {
    let mut edges: [f64; 3] = bounds.extent().into();
    edges.sort_by(f64::total_cmp);
    edges[1] * edges[2]
}

fn overlap_of(part: &Part) -> Overlap<3> {
    Overlap {
        measure: part.volume,
        centroid: part.centroid,
        section: part.section,
    }
}

/// Calls with the buffers of this thread, so that a step like the last one allocates no memory.
fn with_work(call: impl FnOnce(&mut PartsWork, &mut Vec<Part>)) {
    thread_local! {
        static WORK: RefCell<(PartsWork, Vec<Part>)> = RefCell::default();
    }
    WORK.with_borrow_mut(|(work, list)| call(work, list));
}

/// Calls with empty lists that keep their memory.
fn with_places(call: impl FnOnce(&mut Vec<PairContact<3>>, &mut Vec<Flat>)) {
    thread_local! {
        static PLACES: RefCell<(Vec<PairContact<3>>, Vec<Flat>)> = RefCell::default();
    }
    PLACES.with_borrow_mut(|(places, flats)| {
        places.clear();
        flats.clear();
        call(places, flats);
    });
}

/// Appends each connected part of the intersection of two closed surfaces.
fn in_parts(
    a: &TriangleTree,
    pose_a: &Pose<3>,
    b: &TriangleTree,
    pose_b: &Pose<3>,
    found: &mut Vec<OverlapRegion<3>>,
) {
    with_work(|work, list| {
        parts(a, pose_a, b, pose_b, work, list);
        let regions = list.iter().filter(|part| part.volume > 0.0);
        found.extend(regions.map(|part| OverlapRegion::between(overlap_of(part), part.height)));
    });
}

/// Appends the parts of a body behind the triangles of an open wall, seen from the centre of its box:
/// the intersections with prisms on the triangles, as thick as the body. On a flat wall they add up
/// to the part below a half-space.
fn in_open_wall(
    body: &SurfaceBody,
    pose: &Pose<3>,
    wall: &TriangleTree,
    pose_wall: &Pose<3>,
    found: &mut Vec<OverlapRegion<3>>,
) {
    let mut touching = Vec::new();
    touching_faces(body.tree(), pose, wall, pose_wall, &mut touching);
    if touching.is_empty() {
        return;
    }

    // A triangle cuts the body if it crosses its surface or lies wholly inside.
    let mut crossing: Vec<u32> = touching.iter().map(|pair| pair[1]).collect();
    crossing.sort_unstable();
    let cuts = |face: u32, corner: &Point<3>| {
        let local = pose.to_local(&pose_wall.point(corner));
        let nearest = || body.faces().nearest(&local);
        crossing.binary_search(&face).is_ok()
            || nearest().is_some_and(|nearest| nearest.projection.gap < 0.0)
    };

    let bounds = body.tree().boxes().bounds();
    let centre = pose_wall.to_local(&pose.point(&bounds.centre()));
    let reach = 0.5 * bounds.extent().norm();
    let mut faces = Vec::new();
    wall.faces_within(&centre, reach, &mut faces);

    let mut flats: Vec<(Vector<3>, OverlapRegion<3>)> = Vec::new();
    for &face in &faces {
        let corners = wall.corners(face as usize);
        if !cuts(face, &corners[0]) {
            continue;
        }
        let Some((prism, inward)) = prism_behind(&corners, &centre, 2.0 * reach) else {
            continue;
        };
        let inward = pose_wall.vector(&inward);
        with_work(|work, list| {
            parts(body.tree(), pose, &prism, pose_wall, work, list);
            for part in list.iter().filter(|part| part.volume > 0.0) {
                // The sides of the prism are perpendicular to the wall.
                let area = part.section.dot(&inward).max(0.0);
                let overlap = Overlap {
                    section: inward * area,
                    ..overlap_of(part)
                };
                let depth = inward.dot(&(part.on_a - pose_wall.point(&corners[0])));
                let region = OverlapRegion::between(overlap, depth);
                let same =
                    |flat: &&mut (Vector<3>, OverlapRegion<3>)| flat.0.dot(&inward) > SAME_WALL;
                match flats.iter_mut().find(same) {
                    None => flats.push((inward, region)),
                    Some((_, flat)) => *flat = joined(flat, &region),
                }
            }
        });
    }

    found.extend(flats.into_iter().map(|(_, region)| region));
}

/// Merges two contacts that push in the same direction.
fn joined(one: &OverlapRegion<3>, other: &OverlapRegion<3>) -> OverlapRegion<3> {
    let measure = one.overlap.measure + other.overlap.measure;
    let way: Vector<3> = other.overlap.centroid - one.overlap.centroid;
    let overlap = Overlap {
        measure,
        centroid: one.overlap.centroid + way * (other.overlap.measure / measure),
        section: one.overlap.section + other.overlap.section,
    };
    OverlapRegion::between(overlap, one.depth.max(other.depth))
}

/// Returns the prism on the side of a triangle away from a point, and its direction.
fn prism_behind(
    corners: &[Point<3>; 3],
    from: &Point<3>,
    thickness: f64,
) -> Option<(TriangleTree, Vector<3>)> {
    let [a, b, c] = *corners;
    let normal: Vector<3> = (b - a).cross(&(c - a)).try_normalize(0.0)?;
    let is_above = normal.dot(&(from - a)) >= 0.0;
    let ([a, b, c], inward) = if is_above {
        ([a, b, c], -normal)
    } else {
        ([a, c, b], normal)
    };
    let shift = inward * thickness;
    let points = [a, b, c, a + shift, b + shift, c + shift];
    let triangles = [
        [0, 1, 2],
        [3, 5, 4],
        [0, 3, 4],
        [0, 4, 1],
        [1, 4, 5],
        [1, 5, 2],
        [2, 5, 3],
        [2, 3, 0],
    ];
    let surface = Surface::new(&points, &triangles).ok()?;
    Some((TriangleTree::new(&surface), inward))
}

/// Computes the contacts of a ball with a surface: at each closest point it acts like a plane.
fn ball_in_mesh(
    ball: &Sphere<3>,
    pose: &Pose<3>,
    surface: &SurfaceBody,
    pose_surface: &Pose<3>,
    found: &mut Vec<OverlapRegion<3>>,
) {
    let region = |place: &PairContact<3>| {
        let plane = HalfSpace::new(place.touch.on_b, -place.touch.normal).ok()?;
        let overlap = overlap_sphere::ball_half_space(ball, pose, &plane, &Pose::identity())?;
        Some(OverlapRegion::of(
            Overlap::from(overlap),
            &plane,
            -place.touch.gap,
        ))
    };
    with_places(|places, _| {
        ball_surface(ball, pose, surface, pose_surface, places);
        found.extend(places.iter().filter_map(region));
    });
}

/// Cosine of the largest angle between wall faces that push as one.
const SAME_WALL: f64 = 0.99;

/// Largest ratio of the body's thickness below a face to the distance to its nearest facet: its
/// facets are then within 75° of the wall. Across the side face at a wall's edge the body is as
/// thick as it is wide, but it must be pushed out along the shortest direction.
const THICKER: f64 = 4.0;

/// Wall faces that push in one direction.
#[derive(Clone, Copy, Debug)]
struct Flat {
    /// Intersections of the faces with the body, weighted by the distance to its nearest facet.
    overlap: Overlap<3>,
    normal: Vector<3>,
    /// Area-weighted sum of the faces' points.
    middle: Vector<3>,
    area: f64,
}

impl Flat {
    /// Returns the part of the body below the plane of the faces, limited to what they cover. On a
    /// flat wall this equals the intersection with a half-space.
    fn region(
        &self,
        below: impl Fn(&HalfSpace<3>) -> Option<Overlap<3>>,
    ) -> Option<OverlapRegion<3>> {
        let plane = HalfSpace::new(Point::from(self.middle / self.area), -self.normal).ok()?;
        let Some(whole) = below(&plane) else {
            let lever = 0.5 * self.overlap.measure / self.area;
            let overlap = self.overlap;
            return Some(OverlapRegion {
                overlap,
                lever,
                depth: 2.0 * lever,
            });
        };
        let lever = (-self.normal)
            .dot(&(plane.point() - whole.centroid))
            .max(0.0);
        let covered = (self.area / whole.section.norm()).min(1.0);
        let share = (THICKER * self.overlap.measure / whole.measure).min(covered);
        let way: Vector<3> = whole.centroid - self.overlap.centroid;

        let overlap = Overlap {
            measure: share * whole.measure,
            centroid: self.overlap.centroid + way * covered,
            section: self.overlap.section,
        };

        Some(OverlapRegion {
            overlap,
            ..OverlapRegion::of(whole, &plane, 2.0 * lever)
        })
    }

    fn add(&mut self, face: &Self) {
        let measure = self.overlap.measure + face.overlap.measure;
        let way: Vector<3> = face.overlap.centroid - self.overlap.centroid;
        self.overlap.centroid += way * (face.overlap.measure / measure);
        self.overlap.section += face.overlap.section;
        self.overlap.measure = measure;
        self.middle += face.middle;

        self.area += face.area;
    }
}

/// Groups wall faces by the direction in which they push; each is compared with the first of its
/// group.
fn group(faces: &[PairContact<3>], flats: &mut Vec<Flat>) {
    for face in faces {
        let Some(overlap) = face.overlap.filter(|overlap| overlap.measure > 0.0) else {
            continue;
        };
        let Some(normal) = overlap.section.try_normalize(0.0) else {
            continue;
        };
        let area = overlap.section.norm();
        let flat = Flat {
            overlap,
            normal,
            middle: face.touch.on_b.coords * area,
            area,
        };
        let same = |other: &&mut Flat| other.normal.dot(&normal) > SAME_WALL;

        match flats.iter_mut().find(same) {
            None => flats.push(flat),
            Some(other) => other.add(&flat),
        }
    }
}
