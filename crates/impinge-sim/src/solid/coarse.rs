//! Number of cells through the thickness of slender solids.

use super::ElasticSolid;
use impinge::narrow::meshes::TriangleTree;
use impinge::space::Point;

/// Maximum number of faces sampled.
const MOST_FACES: usize = 256;

/// Thickness, as a fraction of the solid's length, up to which bending dominates.
const SLENDER: f64 = 0.25;

/// Minimum fraction of the faces on a slender part: more than those of a notch.
const COMMON: f64 = 0.1;

impl ElasticSolid {
    /// Returns the number of cells through the thickness of the slender parts at rest, as the
    /// median over their faces: the distance from a face straight through the solid, divided by the
    /// height of the face's tetrahedron. `None` if the solid is not slender.
    pub fn cells_through_thickness(&self) -> Option<f64> {
        let faces = self.surface_triangles();
        let tree = TriangleTree::of_triangles(&self.rest, faces).ok()?;
        let bounds = impinge::space::Aabb::of(self.rest.iter().copied());
        let length = bounds.extent().amax();
        let stride = faces.len().div_ceil(MOST_FACES).max(1);
        let looked_at = faces.len().div_ceil(stride);

        let mut counts: Vec<f64> = (0..faces.len())
            .step_by(stride)
            .filter_map(|face| {
                let (thickness, height) = self.thickness_at(face, &tree, SLENDER * length)?;
                Some(thickness / height)
            })
            .collect();
        counts.sort_by(f64::total_cmp);

        (counts.len() as f64 > COMMON * looked_at as f64).then(|| counts[counts.len() / 2])
    }

    /// Returns the distance through the solid from the centre of a face, if it is at most `reach`,
    /// and the height of the tetrahedron at the face.
    fn thickness_at(&self, face: usize, tree: &TriangleTree, reach: f64) -> Option<(f64, f64)> {
        let [a, b, c] = self.surface_triangles()[face].map(|n| self.rest[n as usize]);
        let across = (b - a).cross(&(c - a));
        let inward = -across.try_normalize(0.0)?;
        let owner = self.shape.boundary_owners()[face] as usize;
        let height = 6.0 * self.rest_volume(owner) / across.norm();

        let middle = Point::from((a.coords + b.coords + c.coords) / 3.0);
        // Start half a tetrahedron inside, so that the ray does not hit the face itself.
        let start = middle + inward * (0.5 * height);
        let hit = tree.first_hit(&start, &(middle + inward * reach))?;
        Some(((hit.point - middle).norm(), height))
    }
}
