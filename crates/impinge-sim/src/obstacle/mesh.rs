//! The triangles of an obstacle in its own frame.

use super::touch::{Foot, Spot, share};
use impinge::detect::keep_minima;
use impinge::narrow::meshes::TriangleTree;
use impinge::narrow::triangle::closest_on;
use impinge::shape::Problem;
use impinge::space::{Aabb, Point, Pose, Vector};
use impinge::tree::Bvh;

/// Part of a distance that is within its rounding.
const ROUNDING: f64 = 1e-9;

#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    pub(crate) points: Vec<Point<3>>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// The lowest node with the same coordinates: features are known by it.
    pub(crate) names: Vec<u32>,
    /// Empty unless it deforms.
    pub(crate) velocities: Vec<Vector<3>>,
    pub(crate) forces: Vec<Vector<3>>,
    boxes: Bvh<3>,
    /// The nodes when the boxes were fitted, and the distance from the origin to the farthest.
    fitted: Vec<Point<3>>,
    pub(super) reach: f64,
}

impl Mesh {
    pub(super) fn new(points: Vec<Point<3>>, triangles: Vec<[u32; 3]>) -> Result<Self, Problem> {
        TriangleTree::of_triangles(&points, &triangles)?;
        Ok(Self::unchecked(points, triangles))
    }

    /// For a mesh that was checked once: it may have deformed to triangles without area since.
    pub(super) fn unchecked(points: Vec<Point<3>>, triangles: Vec<[u32; 3]>) -> Self {
        let bounds: Vec<Aabb<3>> = triangles
            .iter()
            .map(|t| Aabb::of(t.map(|n| points[n as usize])))
            .collect();
        let (names, fitted, reach) = (names(&points), points.clone(), reach(&points));
        let boxes = Bvh::new(&bounds);

        Self {
            points,
            triangles,
            names,
            velocities: vec![],
            forces: vec![],
            boxes,
            fitted,
            reach,
        }
    }

    pub(super) fn deform(&mut self, points: &[Point<3>], velocities: &[Vector<3>]) {
        assert_eq!(points.len(), self.points.len(), "as many nodes as before");
        assert_eq!(
            velocities.len(),
            self.points.len(),
            "a velocity for each node"
        );
        self.points.copy_from_slice(points);
        self.velocities.clear();
        self.velocities.extend_from_slice(velocities);

        self.forces.resize(points.len(), Vector::zeros());
    }

    /// How far any node has gone since the boxes were fitted.
    pub(super) fn strain(&self) -> f64 {
        if self.velocities.is_empty() {
            return 0.0;
        }

        let gone = self
            .points
            .iter()
            .zip(&self.fitted)
            .map(|(now, then)| (now - then).norm_squared());

        gone.fold(0.0, f64::max).sqrt()
    }

    /// Fits the boxes to where the nodes are.
    pub(super) fn refit(&mut self) {
        if self.velocities.is_empty() {
            return;
        }

        let boxes: Vec<Aabb<3>> = self
            .triangles
            .iter()
            .map(|t| Aabb::of(t.map(|n| self.points[n as usize])))
            .collect();
        self.boxes.update(&boxes);
        self.fitted.copy_from_slice(&self.points);

        self.reach = reach(&self.points);
    }

    pub(super) fn boxes(&self) -> &Bvh<3> {
        &self.boxes
    }

    #[inline]
    fn corners(&self, face: u32) -> [Point<3>; 3] {
        self.triangles[face as usize].map(|n| self.points[n as usize])
    }

    pub(super) fn names_of(&self, face: u32) -> [u32; 3] {
        self.triangles[face as usize].map(|n| self.names[n as usize])
    }

    /// Velocity of the nodes themselves at a foot.
    pub(super) fn velocity_at(&self, foot: &Foot) -> Vector<3> {
        if self.velocities.is_empty() {
            return Vector::zeros();
        }

        let nodes = self.triangles[foot.face as usize];
        (0..3)
            .map(|k| self.velocities[nodes[k] as usize] * foot.weights[k])
            .sum()
    }

    pub(super) fn area(&self) -> f64 {
        let of = |face: u32| {
            let [a, b, c] = self.corners(face);
            0.5 * (b - a).cross(&(c - a)).norm()
        };
        (0..self.triangles.len() as u32).map(of).sum()
    }

    /// Power of the forces on the nodes at the velocities of the nodes themselves.
    pub(super) fn power(&self, pose: &Pose<3>) -> f64 {
        let both = self.forces.iter().zip(&self.velocities);
        both.map(|(force, velocity)| force.dot(&pose.vector(velocity)))
            .sum()
    }

    pub(super) fn receive(&mut self, foot: &Foot, force: &Vector<3>) {
        if self.forces.is_empty() {
            return;
        }

        for (node, weight) in self.triangles[foot.face as usize]
            .into_iter()
            .zip(foot.weights)
        {
            self.forces[node as usize] += force * weight;
        }
    }

    /// The feet of a sphere on these faces, in the mesh's frame.
    pub(super) fn feet(
        &self,
        centre: &Point<3>,
        radius: f64,
        faces: &[u32],
        found: &mut Vec<Foot>,
    ) {
        found.extend(
            faces
                .iter()
                .filter_map(|&face| self.foot(centre, radius, face)),
        );
        keep_minima(found, radius, Foot::on_face, |face| self.names_of(face));

        share(found, radius);
    }

    /// Whether a face comes so near to a point, but for rounding. The boxes of slanted and slender faces come near to many
    /// more: in a hopper a third of a step went into faces that no sphere would reach.
    pub(super) fn comes_within(&self, centre: &Point<3>, reach: f64, face: u32) -> bool {
        closest_on(&self.corners(face), centre).way.norm() <= reach * (1.0 + ROUNDING)
    }

    /// The nearest point of a face, if it is within the radius.
    fn foot(&self, centre: &Point<3>, radius: f64, face: u32) -> Option<Foot> {
        let corners = self.corners(face);
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        let height = normal.dot(&(centre - corners[0]));

        // Most candidates are out of reach of their plane already.
        if height * height >= radius * radius * normal.norm_squared() {
            return None;
        }

        let nearest = closest_on(&corners, centre);
        let distance = nearest.way.norm();
        if distance >= radius {
            return None;
        }

        // A centre on the surface itself is pushed out along the face's own normal.
        let normal = if distance > 0.0 {
            nearest.way / distance
        } else {
            normal.normalize()
        };
        let names = self.names_of(face);
        let mut between = (0..3).filter(|&k| nearest.between[k]).map(|k| names[k]);
        let spot = match (between.next(), between.next(), between.next()) {
            (Some(a), None, _) => Spot::Vertex(a),
            (Some(a), Some(b), None) => Spot::Edge([a.min(b), a.max(b)]),
            _ => Spot::Face(face),
        };
        let weights = weights(&corners, &nearest.point);

        Some(Foot {
            spot,
            point: nearest.point,
            normal,
            distance,
            face,
            weights,
            share: 1.0,
        })
    }
}

/// Shares of the corners at a point of a triangle; they add up to one.
fn weights(corners: &[Point<3>; 3], point: &Point<3>) -> [f64; 3] {
    let (u, v, w) = (
        corners[1] - corners[0],
        corners[2] - corners[0],
        point - corners[0],
    );
    let (uu, uv, vv) = (u.norm_squared(), u.dot(&v), v.norm_squared());
    let (wu, wv) = (w.dot(&u), w.dot(&v));
    let determinant = uu * vv - uv * uv;

    if determinant <= 0.0 {
        // Deformed to a line: everything to the nearest corner.
        let nearest = (0..3).min_by(|&a, &b| {
            (corners[a] - point)
                .norm_squared()
                .total_cmp(&(corners[b] - point).norm_squared())
        });
        return [0, 1, 2].map(|k| f64::from(Some(k) == nearest));
    }

    let second = ((vv * wu - uv * wv) / determinant).clamp(0.0, 1.0);
    let third = ((uu * wv - uv * wu) / determinant).clamp(0.0, 1.0 - second);
    [1.0 - second - third, second, third]
}

fn reach(points: &[Point<3>]) -> f64 {
    points
        .iter()
        .map(|p| p.coords.norm_squared())
        .fold(0.0, f64::max)
        .sqrt()
}

/// For each node the lowest with the same coordinates.
fn names(points: &[Point<3>]) -> Vec<u32> {
    let key = |n: u32| points[n as usize].coords;
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| {
        let (x, y) = (key(a), key(b));
        x.x.total_cmp(&y.x)
            .then(x.y.total_cmp(&y.y))
            .then(x.z.total_cmp(&y.z))
            .then(a.cmp(&b))
    });
    let mut names: Vec<u32> = (0..points.len() as u32).collect();

    for two in order.windows(2) {
        if key(two[0]) == key(two[1]) {
            names[two[1] as usize] = names[two[0] as usize];
        }
    }

    names
}
