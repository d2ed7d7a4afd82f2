//! Where a sphere touches an obstacle, and what a contact remembers.

use impinge::space::{Point, Vector};
use serde::{Deserialize, Serialize};

/// The feature of an obstacle that a particle touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Spot {
    Face(u32),
    Edge(u32, u32),
    Vertex(u32),
}

/// A contact's memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Touch {
    /// Place of the particle in the arrays.
    pub(crate) particle: u32,
    pub(crate) spot: Spot,
    pub(crate) spring: [f64; 3],
    pub(crate) rolled: [f64; 3],
    /// Energy in the spring.
    pub(crate) stored: f64,
}

/// A point of an obstacle that is the nearest around to a sphere's centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Foot {
    pub(crate) spot: Spot,
    pub(crate) point: Point<3>,
    /// Unit, out of the obstacle, to the sphere's centre.
    pub(crate) normal: Vector<3>,
    /// From the point to the centre, along the normal.
    pub(crate) distance: f64,
    /// A face that the point is on, and its shares of that face's corners.
    pub(crate) face: u32,
    pub(crate) weights: [f64; 3],
}

/// Of the touching faces of a mesh only those stay that are minima of the distance: a face within itself; an edge or vertex
/// if no touching face that it belongs to leads nearer. `nodes_of` gives a face's nodes.
pub(super) fn keep_minima(feet: &mut Vec<Foot>, radius: f64, nodes_of: impl Fn(u32) -> [u32; 3]) {
    // Most spheres touch one face, and nothing is asked for then.
    if feet.len() < 2 {
        return;
    }
    let belongs = |spot: &Spot, face: u32| {
        let nodes = nodes_of(face);
        match *spot {
            Spot::Face(own) => own == face,
            Spot::Edge(a, b) => nodes.contains(&a) && nodes.contains(&b),
            Spot::Vertex(a) => nodes.contains(&a),
        }
    };
    // Rounding may say that a point is within a face and its neighbour that it is on their edge, both equally near.
    let all: Vec<Foot> = feet.clone();
    feet.retain(|foot| all.iter().all(|other| other.spot == foot.spot || !belongs(&foot.spot, other.face)));
    feet.sort_unstable_by_key(|foot| (foot.spot, foot.face));
    feet.dedup_by_key(|foot| foot.spot);
    merge_twins(feet, radius);
}

/// Distance of two feet, as a share of the radius, below which they are one: two coplanar faces may both claim a point on
/// their common edge.
const TWIN: f64 = 1e-6;

fn merge_twins(feet: &mut Vec<Foot>, radius: f64) {
    let near = |a: &Foot, b: &Foot| (a.point - b.point).norm_squared() < (TWIN * radius).powi(2);
    let mut kept = 0;
    for n in 0..feet.len() {
        if (0..kept).all(|k| !near(&feet[k], &feet[n])) {
            feet[kept] = feet[n];
            kept += 1;
        }
    }
    feet.truncate(kept);
}
