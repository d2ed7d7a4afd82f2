//! Node-to-surface and surface-to-surface contact of finite-element bodies: finds the nodes of one
//! body (slave) that touch or penetrate faces of another (master), with the data that a
//! finite-element code needs to assemble contact forces.
//!
//! A node's gap is its signed distance to the master's surface [Aragon2013, eq. (17)], for any
//! shape of the faces and any depth of the node. Nodes are processed in parallel; lists are sorted
//! by node (or face), so they do not depend on the number of threads.

use super::answer::{On, Status};
use super::tree::{FaceTree, NearestFace};
use crate::parallel::prelude::*;
use crate::shape::Domain;
use crate::space::{Point, Vector};

/// Selects the contacts to report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactOptions {
    /// Largest gap reported. Zero reports only touching or overlapping pairs.
    pub within: f64,
    /// Largest depth reported.
    pub depth: f64,
}

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            within: 0.0,
            depth: f64::INFINITY,
        }
    }
}

/// Rounding error, relative to the largest coordinate, by which a gap of zero may be positive.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A point of the slave and its closest point on the master.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ProjectedPoint<const D: usize> {
    /// Face of the master.
    pub face: u32,
    /// Natural coordinates on it.
    pub local: [f64; 2],
    /// The closest point.
    pub point: Point<D>,
    /// Unit vector out of the master; the slave's point is `point + gap · normal`.
    pub normal: Vector<D>,
    /// ∂x/∂ξ and ∂x/∂η of the master there; the second is zero for lines.
    pub tangents: [Vector<D>; 2],
    /// Signed distance; negative inside the master.
    pub gap: f64,
    /// The part of the face that contains the closest point.
    pub on: On,
    /// Certainty of the result.
    pub status: Status,
    /// The true distance is at least |gap| minus this.
    pub error: f64,
}

/// A node of the slave in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "node-to-segment")]
#[doc(alias = "node-to-surface")]
pub struct NodeContact<const D: usize> {
    /// The slave's node.
    pub node: u32,
    /// Its projection onto the master.
    pub touch: ProjectedPoint<D>,
}

/// A quadrature point of a slave's face in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "surface-to-surface")]
pub struct FaceContact<const D: usize> {
    /// The slave's face.
    pub slave: u32,
    /// Natural coordinates of the quadrature point.
    pub at: [f64; 2],
    /// Area (in 2D: length) associated with the point.
    pub weight: f64,
    /// Its projection onto the master.
    pub touch: ProjectedPoint<D>,
}

/// Finds the nodes of the slave's faces that touch the master, in ascending order.
///
/// ```
/// use impinge::narrow::projection::{ContactOptions, FaceTree, node_to_surface};
/// use impinge::shape::{Faces, Surface, generate};
/// use impinge::space::{Point, Vector};
/// let block = generate::block([2, 2, 2], [1.0; 3])?;
/// let small = generate::block([2, 2, 2], [0.5; 3])?;
/// let onto = |p: &Point<3>| p + Vector::from([0.25, 0.25, 0.99]);
/// let placed: Vec<Point<3>> = small.points().iter().map(onto).collect();
/// let small = Surface::new(&placed, small.triangles())?;
/// let tree = |surface: &Surface| Faces::<3>::from_mesh(&surface.to_mesh()).map(FaceTree::new);
/// let (mut contacts, options) = (Vec::new(), ContactOptions { depth: 0.1, ..Default::default() });
/// node_to_surface(&tree(&small)?, &tree(&block)?, &options, &mut contacts);
/// assert_eq!(contacts.len(), 9, "the nodes of the small block's lower face");
/// assert!(contacts.iter().all(|contact| (contact.touch.gap + 0.01).abs() < 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn node_to_surface<const D: usize>(
    slave: &FaceTree<D>,
    master: &FaceTree<D>,
    options: &ContactOptions,
    found: &mut Vec<NodeContact<D>>,
) {
    let search = Search::new(slave, master, options);
    let points = slave.faces().points();
    let contact = |&node: &u32| {
        search
            .touch(&points[node as usize])
            .map(|touch| NodeContact { node, touch })
    };
    found.clear();

    found.par_extend(
        slave
            .nodes()
            .par_iter()
            .with_min_len(32)
            .filter_map(contact),
    );
}

/// Finds the quadrature points of the slave's faces that touch the master, by ascending face and
/// point. They integrate polynomials up to the degree of the faces' squares exactly on straight
/// faces: 2 or 3 points on a line, 3 or 6 on a triangle, 4 or 9 on a quadrilateral.
pub fn surface_to_surface<const D: usize>(
    slave: &FaceTree<D>,
    master: &FaceTree<D>,
    options: &ContactOptions,
    found: &mut Vec<FaceContact<D>>,
) {
    let search = Search::new(slave, master, options);
    let of_face = |face: usize| {
        let shape = slave.faces().face(face);
        let places = quadrature(shape.kind().domain(), shape.kind().order());
        let contacts = places.into_iter().filter_map(|(at, weight)| {
            let touch = search.touch(&shape.position(at))?;
            let weight = weight * shape.area_normal(at).norm();
            Some(FaceContact {
                slave: face as u32,
                at,
                weight,
                touch,
            })
        });
        contacts.collect::<Vec<_>>()
    };
    found.clear();

    found.par_extend(
        (0..slave.faces().len())
            .into_par_iter()
            .with_min_len(16)
            .flat_map_iter(of_face),
    );
}

/// Finds the nodes of a body that touch its own surface, in ascending order. Ignores faces that
/// share a node with a face of the node itself, and faces that do not face the node.
///
/// `options.depth` must be less than the thinnest part of the body: behind a face may be the far
/// side of the same thin wall. No local test distinguishes a node that came through a face from one
/// that belongs behind it.
pub fn self_contact<const D: usize>(
    body: &FaceTree<D>,
    options: &ContactOptions,
    found: &mut Vec<NodeContact<D>>,
) {
    let reach = options.within.max(options.depth);
    let rounding = ROUNDING * largest(body);
    let points = body.faces().points();
    let contact = |&node: &u32| {
        let outward = body.normal_at_node(node)?;
        let ring = ring(body, node);
        let is_near = |other: &u32| ring.binary_search(other).is_ok();
        let may = |face: u32| {
            let nodes = body.faces().nodes(face as usize);
            !nodes.iter().any(is_near) && faces_against(body, face, &outward)
        };
        let nearest = body.nearest_among(&points[node as usize], reach + rounding, may)?;
        let gap = nearest.projection.gap;
        let wanted = -options.depth - rounding <= gap && gap <= options.within + rounding;
        wanted.then(|| NodeContact {
            node,
            touch: touch(body, &nearest),
        })
    };
    found.clear();

    found.par_extend(body.nodes().par_iter().with_min_len(32).filter_map(contact));
}

/// Returns the nodes of the faces around a node, ascending. Not the faces around those: beside a node of many faces
/// every node would have many.
fn ring<const D: usize>(body: &FaceTree<D>, node: u32) -> Vec<u32> {
    let around = body.faces_around(node).iter();
    let mut ring: Vec<u32> = around
        .flat_map(|&(face, _)| body.faces().nodes(face as usize))
        .copied()
        .collect();
    ring.sort_unstable();
    ring.dedup();

    ring
}

/// Returns whether a face's normal at its centre points against a direction.
fn faces_against<const D: usize>(body: &FaceTree<D>, face: u32, direction: &Vector<D>) -> bool {
    let shape = body.faces().face(face as usize);
    shape
        .area_normal(shape.kind().domain().centre())
        .dot(direction)
        < 0.0
}

/// A search in the master's surface.
struct Search<'a, const D: usize> {
    master: &'a FaceTree<D>,
    within: f64,
    depth: f64,
}

impl<'a, const D: usize> Search<'a, D> {
    fn new(slave: &FaceTree<D>, master: &'a FaceTree<D>, options: &ContactOptions) -> Self {
        let rounding = ROUNDING * largest(slave).max(largest(master));
        Self {
            master,
            within: options.within + rounding,
            depth: options.depth + rounding,
        }
    }

    fn touch(&self, point: &Point<D>) -> Option<ProjectedPoint<D>> {
        // A point inside the body is inside its bounding box, at any depth.
        if !self
            .master
            .bounds()
            .grown(self.within.max(0.0))
            .contains(point)
        {
            return None;
        }
        let nearest = self.master.nearest(point)?;
        let gap = nearest.projection.gap;

        (-self.depth <= gap && gap <= self.within).then(|| touch(self.master, &nearest))
    }
}

fn largest<const D: usize>(tree: &FaceTree<D>) -> f64 {
    let bounds = tree.bounds();
    if bounds.is_empty() {
        0.0
    } else {
        bounds.min.coords.amax().max(bounds.max.coords.amax())
    }
}

fn touch<const D: usize>(master: &FaceTree<D>, nearest: &NearestFace<D>) -> ProjectedPoint<D> {
    let projection = &nearest.projection;
    ProjectedPoint {
        face: nearest.face,
        local: projection.local,
        point: projection.point,
        normal: projection.normal,
        tangents: master
            .faces()
            .face(nearest.face as usize)
            .tangents(projection.local),
        gap: projection.gap,
        on: projection.on,
        status: projection.status,
        error: projection.error,
    }
}

/// Returns points and weights of a quadrature rule exact to degree 3 (order 1) or 5 and 4 (order
/// 2).
fn quadrature(domain: Domain, order: usize) -> Vec<([f64; 2], f64)> {
    let line: &[(f64, f64)] = match order {
        1 => &[
            (-0.577_350_269_189_625_8, 1.0),
            (0.577_350_269_189_625_8, 1.0),
        ],
        _ => &[
            (-0.774_596_669_241_483_4, 5.0 / 9.0),
            (0.0, 8.0 / 9.0),
            (0.774_596_669_241_483_4, 5.0 / 9.0),
        ],
    };

    // Orbits (a, weight) of the points (a, a), (1 − 2a, a), (a, 1 − 2a).
    let orbits: &[(f64, f64)] = match order {
        1 => &[(1.0 / 6.0, 1.0 / 6.0)],
        _ => &[
            (0.445_948_490_915_965, 0.111_690_794_839_005_74),
            (0.091_576_213_509_771, 0.054_975_871_827_660_935),
        ],
    };

    match domain {
        Domain::Segment => line.iter().map(|&(x, w)| ([x, 0.0], w)).collect(),
        Domain::Square => line
            .iter()
            .flat_map(|&(x, w)| line.iter().map(move |&(y, v)| ([x, y], w * v)))
            .collect(),
        Domain::Triangle => orbits
            .iter()
            .flat_map(|&(a, w)| {
                [[a, a], [1.0 - 2.0 * a, a], [a, 1.0 - 2.0 * a]].map(|local| (local, w))
            })
            .collect(),
    }
}
