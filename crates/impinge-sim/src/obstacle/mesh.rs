//! The triangle mesh of an obstacle, in its own frame.

use super::touch::{MeshFeature, SurfacePoint, share};
use impinge::narrow::ball_surface::keep_minima;
use impinge::narrow::meshes::TriangleTree;
use impinge::narrow::triangle::closest_on;
use impinge::shape::Problem;
use impinge::space::{Aabb, Point, Pose, Vector};
use impinge::tree::Bvh;

/// Relative rounding error of a distance.
const ROUNDING: f64 = 1e-9;

#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    pub(crate) points: Vec<Point<3>>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// The lowest node with the same coordinates, which identifies a feature.
    pub(crate) names: Vec<u32>,
    /// Empty unless the mesh deforms.
    pub(crate) velocities: Vec<Vector<3>>,
    pub(crate) forces: Vec<Vector<3>>,
    boxes: Bvh<3>,
    /// The nodes when the boxes were last fitted, and the distance from the origin to the farthest.
    fitted: Vec<Point<3>>,
    pub(super) reach: f64,
}

impl Mesh {
    pub(super) fn new(points: Vec<Point<3>>, triangles: Vec<[u32; 3]>) -> Result<Self, Problem> {
        TriangleTree::of_triangles(&points, &triangles)?;
        Ok(Self::unchecked(points, triangles))
    }

    /// Creates a mesh that was validated before: it may since have deformed to triangles without
    /// area.
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
        assert_eq!(
            points.len(),
            self.points.len(),
            "the number of nodes changed"
        );
        assert_eq!(
            velocities.len(),
            self.points.len(),
            "one velocity per node is needed"
        );
        self.points.copy_from_slice(points);
        self.velocities.clear();
        self.velocities.extend_from_slice(velocities);

        self.forces.resize(points.len(), Vector::zeros());
    }

    /// Returns the largest displacement of a node since the boxes were fitted.
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

    /// Refits the boxes to the current nodes.
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

    /// Returns the velocity of the deforming surface at a closest point.
    pub(crate) fn velocity_at(&self, foot: &SurfacePoint) -> Vector<3> {
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

    /// Returns the power of the node forces at the node velocities.
    pub(super) fn power(&self, pose: &Pose<3>) -> f64 {
        let both = self.forces.iter().zip(&self.velocities);
        both.map(|(force, velocity)| force.dot(&pose.vector(velocity)))
            .sum()
    }

    pub(super) fn receive(&mut self, face: u32, weights: [f64; 3], force: &Vector<3>) {
        if self.forces.is_empty() {
            return;
        }

        for (node, weight) in self.triangles[face as usize].into_iter().zip(weights) {
            self.forces[node as usize] += force * weight;
        }
    }

    /// Finds the closest points of a sphere on these faces, in the mesh's frame.
    pub(super) fn surface_points(
        &self,
        centre: &Point<3>,
        radius: f64,
        faces: &[u32],
        found: &mut Vec<SurfacePoint>,
    ) {
        found.extend(
            faces
                .iter()
                .filter_map(|&face| self.foot(centre, radius, face)),
        );
        keep_minima(found, radius, SurfacePoint::on_face, |face| {
            self.names_of(face)
        });

        share(found, radius);
    }

    /// Returns whether a face comes within `reach` of a point, with a tolerance for rounding. The
    /// boxes of slanted and slender faces are near many more spheres: in a hopper a third of a step
    /// went into faces that no sphere could reach.
    pub(super) fn comes_within(&self, centre: &Point<3>, reach: f64, face: u32) -> bool {
        closest_on(&self.corners(face), centre).way.norm() <= reach * (1.0 + ROUNDING)
    }

    /// Returns the closest point of a face, if it is within the radius.
    fn foot(&self, centre: &Point<3>, radius: f64, face: u32) -> Option<SurfacePoint> {
        let corners = self.corners(face);
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        let height = normal.dot(&(centre - corners[0]));

        // Most candidates are already out of reach of the plane.
        if height * height >= radius * radius * normal.norm_squared() {
            return None;
        }

        let nearest = closest_on(&corners, centre);
        let distance = nearest.way.norm();
        if distance >= radius {
            return None;
        }

        // A centre on the surface itself is pushed out along the face normal.
        let normal = if distance > 0.0 {
            nearest.way / distance
        } else {
            normal.normalize()
        };
        let names = self.names_of(face);
        let mut between = (0..3).filter(|&k| nearest.between[k]).map(|k| names[k]);
        let spot = match (between.next(), between.next(), between.next()) {
            (Some(a), None, _) => MeshFeature::Vertex(a),
            (Some(a), Some(b), None) => MeshFeature::Edge([a.min(b), a.max(b)]),
            _ => MeshFeature::Face(face),
        };
        let weights = weights(&corners, &nearest.point);

        Some(SurfacePoint {
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

/// Returns the barycentric coordinates of a point in a triangle; they add up to one.
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
        // Degenerate to a line: all the weight to the nearest corner.
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

/// Returns, for each node, the lowest node with the same coordinates.
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
