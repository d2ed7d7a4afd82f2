//! The common part of two convex polyhedra: volume, centroid, mean normal.
//!
//! The first body is cut by the planes of the second one's facets, the deepest cut first, so that what is left is soon
//! as small as the overlap. A cut clips every face and closes the hole with a cap of the points where it cut, ordered
//! around their mean: no links between faces are needed, so nothing can get out of step where faces are coplanar or
//! vertices fall together. O(facets that cut · faces of what is left).

use super::Relative;
use super::half_space::HalfSpace;
use crate::shape::Polyhedron;
use crate::space::{Point, Pose, Vector};
use std::cell::RefCell;
use std::ops::Range;

/// The common part of two bodies, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap3 {
    /// Volume of the common part.
    pub volume: f64,
    /// Its centre of mass.
    pub centroid: Point<3>,
    /// Sum of outward normal times area over the first body's surface within the second: from the first body to the
    /// second, as long as the area of the contact seen from there. Zero where one body holds the other.
    pub section: Vector<3>,
}

impl Overlap3 {
    /// Mean unit normal from the first body to the second, if their surfaces meet.
    pub fn normal(&self) -> Option<Vector<3>> {
        self.section.try_normalize(0.0)
    }

    /// The same overlap seen from the other body.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self { section: -self.section, ..*self }
    }
}

/// The common part of two polyhedra; none if they are apart or only touch.
///
/// ```
/// use impinge::narrow::overlap3;
/// use impinge::{shape::Polyhedron, space::{Point, Pose, Vector}};
/// let corners: Vec<Point<3>> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from).into()).collect();
/// let cube = Polyhedron::hull(&corners)?;
/// let above = Pose::at([0.0, 0.0, 0.75]);
/// let overlap = overlap3::polyhedra(&cube, &Pose::identity(), &cube, &above).expect("overlap");
/// assert_eq!((overlap.volume, overlap.section), (0.25, Vector::z()));
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
pub fn polyhedra(a: &Polyhedron, pose_a: &Pose<3>, b: &Polyhedron, pose_b: &Pose<3>) -> Option<Overlap3> {
    REST.with_borrow_mut(|rest| common_part(a, pose_a, b, pose_b, rest))
}

fn common_part(
    a: &Polyhedron,
    pose_a: &Pose<3>,
    b: &Polyhedron,
    pose_b: &Pose<3>,
    rest: &mut Rest,
) -> Option<Overlap3> {
    let relative = Relative::of(pose_a, pose_b);
    let origin = a.points()[0];
    let mut cuts = std::mem::take(&mut rest.cuts);
    cuts.clear();
    let mut top = 0;
    for face in 0..b.face_count() {
        let corner = b.face_corners(face).next().expect("a facet has corners");
        let normal = relative.vector(&b.planes()[face].normal);
        let offset = normal.dot(&relative.seen_from(&origin, &b.points()[corner as usize]));
        top = a.support(&normal, top);
        let depth = normal.dot(&(a.points()[top as usize] - origin)) - offset;
        if depth > 0.0 {
            cuts.push((depth, Cut { normal, offset }));
        }
    }
    cuts.sort_by(|x, y| y.0.total_cmp(&x.0));
    rest.start(a, &origin);
    for (_, cut) in &cuts {
        rest.cut(cut);
    }
    rest.cuts = cuts;
    rest.measure(&origin, pose_a)
}

/// The part of a polyhedron that is in a half-space.
pub fn polyhedron_half_space(
    a: &Polyhedron,
    pose_a: &Pose<3>,
    half: &HalfSpace<3>,
    pose_half: &Pose<3>,
) -> Option<Overlap3> {
    let origin = a.points()[0];
    let (normal, offset) = half.seen_from(&origin, pose_a, pose_half);
    REST.with_borrow_mut(|rest| {
        rest.start(a, &origin);
        rest.cut(&Cut { normal, offset });
        rest.measure(&origin, pose_a)
    })
}

thread_local! {
    /// Memory to work in, so that an overlap does not ask for it anew.
    static REST: RefCell<Rest> = RefCell::default();
}

/// Keeps normal·x ≤ offset.
struct Cut {
    normal: Vector<3>,
    offset: f64,
}

/// The corners of faces, counter-clockwise seen from outside, face after face.
#[derive(Default)]
struct Shell {
    corners: Vec<Vector<3>>,
    /// Where each face's corners are, and whether it is of the first body's surface.
    faces: Vec<(Range<usize>, bool)>,
}

/// What is left of the first body, and memory to work in.
#[derive(Default)]
struct Rest {
    shell: Shell,
    before: Shell,
    heights: Vec<f64>,
    /// Points where the last cut cut, with their places around its normal.
    rim: Vec<(f64, Vector<3>)>,
    cuts: Vec<(f64, Cut)>,
}

impl Shell {
    fn clear(&mut self) {
        self.corners.clear();
        self.faces.clear();
    }
}

impl Rest {
    fn start(&mut self, body: &Polyhedron, origin: &Point<3>) {
        let shell = &mut self.shell;
        shell.clear();
        for face in 0..body.face_count() {
            let start = shell.corners.len();
            shell.corners.extend(body.face_corners(face).map(|i| body.points()[i as usize] - origin));
            shell.faces.push((start..shell.corners.len(), true));
        }
    }

    fn cut(&mut self, cut: &Cut) {
        self.heights.clear();
        self.heights.extend(self.shell.corners.iter().map(|p| cut.normal.dot(p) - cut.offset));
        if self.heights.iter().all(|&height| height <= 0.0) {
            return;
        }
        std::mem::swap(&mut self.shell, &mut self.before);
        self.shell.clear();
        self.rim.clear();
        let corners = &mut self.shell.corners;
        for (range, own) in &self.before.faces {
            let start = corners.len();
            let (face, heights) = (&self.before.corners[range.clone()], &self.heights[range.clone()]);
            clip(face, heights, corners, &mut self.rim);
            if corners.len() - start >= 3 {
                self.shell.faces.push((start..corners.len(), *own));
            } else {
                corners.truncate(start);
            }
        }
        self.close(&cut.normal);
    }

    /// The cap: the points of the rim, counter-clockwise around the normal.
    fn close(&mut self, normal: &Vector<3>) {
        if self.rim.len() < 3 {
            return;
        }
        let mean = self.rim.iter().map(|(_, p)| p).sum::<Vector<3>>() / self.rim.len() as f64;
        let axis = Vector::<3>::ith(normal.iamin(), 1.0);
        let u = normal.cross(&axis).normalize();
        let v = normal.cross(&u);
        for (place, p) in &mut self.rim {
            *place = around(u.dot(&(*p - mean)), v.dot(&(*p - mean)));
        }
        self.rim.sort_by(|p, q| p.0.total_cmp(&q.0));
        let shell = &mut self.shell;
        let start = shell.corners.len();
        shell.corners.extend(self.rim.iter().map(|(_, p)| p));
        shell.faces.push((start..shell.corners.len(), false));
    }

    /// Volume, centroid and section by the divergence theorem, from one of the corners.
    fn measure(&self, origin: &Point<3>, pose: &Pose<3>) -> Option<Overlap3> {
        let apex = self.shell.corners.first()?;
        let (mut sixfold, mut moment) = (0.0, Vector::<3>::zeros());
        let mut doubled_section = Vector::<3>::zeros();
        for (range, own) in &self.shell.faces {
            let corners = &self.shell.corners[range.clone()];
            for pair in corners[1..].windows(2) {
                let [p, q, r] = [&corners[0], &pair[0], &pair[1]].map(|corner| corner - apex);
                let area = (q - p).cross(&(r - p));
                let part = p.dot(&area);
                sixfold += part;
                moment += (p + q + r) * (0.25 * part);
                if *own {
                    doubled_section += area;
                }
            }
        }
        let closed = self.shell.faces.iter().all(|(_, own)| *own);
        (sixfold > 0.0).then(|| Overlap3 {
            volume: sixfold / 6.0,
            centroid: pose.point(&(origin + apex + moment / sixfold)),
            section: if closed { Vector::zeros() } else { pose.vector(&(doubled_section * 0.5)) },
        })
    }
}

/// A number that grows with the angle of a direction, once around from 0 to 4: in place of the angle, which costs more
/// than all the rest of a cap.
fn around(x: f64, y: f64) -> f64 {
    let share = y / (x.abs() + y.abs());
    match (x < 0.0, y < 0.0) {
        // The middle itself has no direction, and any place will do.
        _ if share.is_nan() => 0.0,
        (true, _) => 2.0 - share,
        (false, true) => 4.0 + share,
        (false, false) => share,
    }
}

/// The part of a face below the cut; where it crosses, the points also go to the rim.
fn clip(corners: &[Vector<3>], heights: &[f64], kept: &mut Vec<Vector<3>>, rim: &mut Vec<(f64, Vector<3>)>) {
    for i in 0..corners.len() {
        let next = (i + 1) % corners.len();
        let (here, there) = (heights[i], heights[next]);
        if here <= 0.0 {
            kept.push(corners[i]);
        }
        if (here <= 0.0) != (there <= 0.0) {
            let crossing = corners[i] + (corners[next] - corners[i]) * (here / (here - there));
            kept.push(crossing);
            rim.push((0.0, crossing));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{any_pose, boxed, prism, round};
    use super::*;
    use crate::space::{LARGEST_COORDINATE, Random};

    /// The hull of the vertices of each body in the other and of where edges cross facets.
    fn by_hull(a: &Polyhedron, pose_a: &Pose<3>, b: &Polyhedron, pose_b: &Pose<3>) -> Option<Polyhedron> {
        let mut points = Vec::new();
        for (one, pose_one, other, pose_other) in [(a, pose_a, b, pose_b), (b, pose_b, a, pose_a)] {
            let local = |p: &Point<3>| pose_other.to_local(&pose_one.point(p));
            for h in (0..one.half_edges().len() as u32).filter(|&h| one.ends(h)[0] < one.ends(h)[1]) {
                let [p, q] = one.ends(h).map(|i| local(&one.points()[i as usize]));
                // The piece of the edge inside the other body.
                let (mut low, mut up) = (0.0f64, 1.0f64);
                for face in 0..other.face_count() {
                    let (start, end) = (other.height(face, &p), other.height(face, &q));
                    let t = start / (start - end);
                    match (start > 0.0, end > 0.0) {
                        (true, true) => up = -LARGEST_COORDINATE,
                        (true, false) => low = low.max(t),
                        (false, true) => up = up.min(t),
                        _ => (),
                    }
                }
                if low <= up {
                    points.extend([low, up].map(|t| pose_other.point(&(p + (q - p) * t))));
                }
            }
        }
        Polyhedron::hull(&points).ok()
    }

    #[test]
    fn volumes_and_centroids_are_those_of_the_hull_of_all_common_corners() {
        let mut random = Random::new(71);
        let mut compared = 0;
        for _ in 0..300 {
            let bodies = [round(&mut random, 12), boxed(1.0, 1.5, 0.7), prism(7, 0.8, 1.0)];
            let (a, b) = (&bodies[random.below(3)], &bodies[random.below(3)]);
            let (pose_a, pose_b) = (any_pose(&mut random, 0.3), any_pose(&mut random, 1.5));
            let overlap = polyhedra(a, &pose_a, b, &pose_b);
            let Some(expected) = by_hull(a, &pose_a, b, &pose_b) else {
                assert!(overlap.is_none_or(|overlap| overlap.volume < 1e-12));
                continue;
            };
            let overlap = overlap.expect("they overlap");
            assert!((overlap.volume - expected.volume()).abs() < 1e-12, "{overlap:?}");
            if overlap.volume > 1e-3 {
                compared += 1;
                assert!((overlap.centroid - expected.centroid()).norm() < 1e-10);
                let swapped = polyhedra(b, &pose_b, a, &pose_a).expect("overlap").swapped();
                assert!((swapped.section - overlap.section).norm() < 1e-12);
            }
        }
        assert!(compared > 100, "{compared}");
    }

    #[test]
    fn the_same_body_and_one_inside_another_overlap_by_their_volume() {
        let mut random = Random::new(72);
        let body = round(&mut random, 40);
        let same = polyhedra(&body, &Pose::identity(), &body, &Pose::identity()).expect("overlap");
        assert!((same.volume - body.volume()).abs() < 1e-14);
        let (small, large) = (boxed(1.0, 1.0, 1.0), boxed(3.0, 3.0, 3.0));
        let inside = polyhedra(&small, &Pose::at([1.0; 3]), &large, &Pose::identity()).expect("inside");
        assert_eq!((inside.volume, inside.centroid, inside.normal()), (1.0, [1.5; 3].into(), None));
        assert_eq!(polyhedra(&small, &Pose::at([3.0, 0.0, 0.0]), &large, &Pose::identity()), None);
        assert_eq!(polyhedra(&small, &Pose::at([9.0, 0.0, 0.0]), &large, &Pose::identity()), None);
    }

    #[test]
    fn the_section_of_a_stick_in_a_plate_points_along_the_stick() {
        let (stick, plate) = (boxed(0.5, 0.5, 4.0), boxed(4.0, 4.0, 1.0));
        let overlap =
            polyhedra(&stick, &Pose::at([1.0, 1.0, 0.75]), &plate, &Pose::identity()).expect("overlap");
        assert!((overlap.volume - 0.0625).abs() < 1e-15);
        assert!((overlap.section - Vector::<3>::z() * -0.25).norm() < 1e-15);
        let floor = HalfSpace::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]).expect("a direction");
        let in_floor = polyhedron_half_space(&stick, &Pose::at([1.0, 1.0, 0.75]), &floor, &Pose::identity());
        assert!((in_floor.expect("overlap").section - Vector::<3>::z() * -0.25).norm() < 1e-15);
    }
}
