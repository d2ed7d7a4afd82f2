//! The connected parts of a body below a plane.
//!
//! Triangles below the plane that share a node below it belong to one part. With the origin on the
//! plane, the lid that closes a part adds nothing to the sums.

use super::super::tree::TriangleTree;
use super::work::PartsWork;
use super::{Part, PartsStatus};
use crate::narrow::half_space::seen_from;
use crate::shape::HalfSpace;
use crate::space::{Point, Pose, Vector};

/// Writes the connected parts of a closed body inside a half-space, sorted by their lowest faces.
///
/// The section points out of the body, into the half-space; the witness points are the lowest
/// vertex of the part and its projection onto the plane. A body wholly below the plane is one part
/// without section, whose depth is that of its centroid.
///
/// ```
/// use impinge::shape::HalfSpace;
/// use impinge::narrow::meshes::{PartsWork, TriangleTree, parts_below};
/// use impinge::{shape::generate, space::Pose};
/// let cube = TriangleTree::new(&generate::block([1, 1, 1], [1.0, 1.0, 1.0])?);
/// let floor = HalfSpace::new([0.0, 0.0, 0.25], [0.0, 0.0, 1.0])?;
/// let (mut work, mut found) = (PartsWork::default(), Vec::new());
/// let here = Pose::identity();
/// parts_below(&cube, &here, &floor, &here, &mut work, &mut found);
/// assert!(found.len() == 1 && (found[0].volume - 0.25).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parts_below(
    tree: &TriangleTree,
    pose: &Pose<3>,
    half: &HalfSpace<3>,
    pose_half: &Pose<3>,
    work: &mut PartsWork,
    found: &mut Vec<Part>,
) -> PartsStatus {
    found.clear();
    if tree.neighbours.is_empty() {
        return PartsStatus::Open;
    }

    let middle = tree.boxes.bounds().centre();
    let (normal, surface) = seen_from(half, &middle, pose, pose_half);
    let plane = Plane {
        normal,
        origin: middle + normal * surface,
    };
    plane.cut(tree, work);
    let PartsWork { sums, patches, .. } = work;
    sums.write(patches, &plane.origin, found);

    for part in found.iter_mut() {
        part.depth = -plane.height(&part.on_a);
        part.height = part.depth;
        part.on_b = part.on_a + normal * part.depth;
        *part = part.moved(pose);
    }

    PartsStatus::Separate
}

/// Relative rounding of a height and an extent.
const ROUNDING: f64 = 1e-12;

/// A plane in the body's frame.
struct Plane {
    normal: Vector<3>,
    /// A point of it near the body.
    origin: Point<3>,
}

impl Plane {
    fn height(&self, point: &Point<3>) -> f64 {
        self.normal.dot(&(point - self.origin))
    }

    /// Writes the polygons below the plane.
    fn cut(&self, tree: &TriangleTree, work: &mut PartsWork) {
        let PartsWork {
            patches,
            stamp,
            nodes_below,
            ..
        } = work;
        patches.clear();
        *stamp += 1;
        let count = nodes_below.len().max(tree.points.len());
        nodes_below.resize(count, (0, 0));

        let dips = |bounds: &crate::space::Aabb<3>| {
            let half = bounds.extent() * 0.5;
            self.height(&bounds.centre()) * (1.0 - ROUNDING)
                <= self.normal.abs().dot(&half) * (1.0 + ROUNDING)
        };
        tree.boxes.visit(dips, |face| {
            let corners = tree.corners(face as usize);
            let heights = corners.map(|corner| self.height(&corner));
            if heights.iter().all(|&height| height >= 0.0) {
                return;
            }

            let mut patch = None;
            for (k, &node) in tree.triangles[face as usize].iter().enumerate() {
                if heights[k] < 0.0 {
                    let entry = &mut nodes_below[node as usize];
                    if entry.0 != *stamp {
                        *entry = (*stamp, patch.unwrap_or_else(|| patches.add_patch()));
                    }
                    let here = entry.1;
                    patches.join(patch.unwrap_or(here), here);
                    patch = patch.or(Some(here));
                }
            }

            let (polygon, corner_count) = clipped(&corners, &heights);
            let patch = patch.unwrap_or(0);
            patches.is_cut[patch as usize] |= heights.iter().any(|&height| height >= 0.0);
            patches.add_polygon(0, face, patch, &polygon[..corner_count]);
        });
    }
}

/// Returns the polygon of a triangle below a plane, up to four corners.
fn clipped(corners: &[Point<3>; 3], heights: &[f64; 3]) -> ([Point<3>; 4], usize) {
    let (mut polygon, mut count) = ([Point::origin(); 4], 0);
    let mut push = |point: Point<3>| {
        polygon[count] = point;
        count += 1;
    };

    for k in 0..3 {
        let next = (k + 1) % 3;
        if heights[k] < 0.0 {
            push(corners[k]);
        }
        if (heights[k] < 0.0) != (heights[next] < 0.0) {
            // From the lower end, so that both triangles at a side compute the same point.
            let [low, high] = if heights[k] < 0.0 {
                [k, next]
            } else {
                [next, k]
            };
            let share = heights[low] / (heights[low] - heights[high]);
            push(corners[low] + (corners[high] - corners[low]) * share);
        }
    }

    (polygon, count)
}
