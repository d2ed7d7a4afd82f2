//! Intersection of spheres with spheres, half-spaces, polygons and polyhedra, in closed form.
//!
//! Ball and polyhedron: the intersection is divided into cones from the ball's centre c. Over a
//! facet at height h above c the cone has a flat base where the facet is inside the ball and a
//! spherical one elsewhere,
//!     V = Σ h/3 · area(facet in ball) + r³/3 · Ω(facet out of the ball),
//! and each facet's contribution is a sum over its edges. Pieces inside the disc that the ball cuts
//! from the facet's plane span triangles with the disc's centre, pieces outside span sectors. First
//! moments are computed likewise; those of the spherical part by ∫ r̂ dΩ = ½ ∮ x × dx along its rim
//! on the unit sphere. O(edges).

use super::overlap2::{Overlap2, ends};
use super::overlap3::Overlap3;
use super::{Relative, half_space, sphere};
use crate::shape::{HalfSpace, Polygon, Polyhedron, Sphere};
use crate::space::{Pose, Vector};
use std::cell::RefCell;
use std::f64::consts::PI;

/// Computes the intersection of two balls: two caps that share their base.
pub fn balls(a: &Sphere<3>, pose_a: &Pose<3>, b: &Sphere<3>, pose_b: &Pose<3>) -> Option<Overlap3> {
    let contact = sphere::spheres(a, pose_a, b, pose_b);
    if contact.gap >= 0.0 {
        return None;
    }

    let (r, s) = (a.radius(), b.radius());
    let distance = contact.gap + (r + s);
    let centre_a = pose_a.point(&a.centre());

    if distance <= (r - s).abs() {
        let (smaller, centre) = if r <= s {
            (a, centre_a)
        } else {
            (b, pose_b.point(&b.centre()))
        };
        return Some(Overlap3 {
            volume: smaller.volume(),
            centroid: centre,
            section: Vector::zeros(),
        });
    }

    // Heights of the base above the two centres.
    let h = 0.5 * (distance + (r - s) * (r + s) / distance);
    let ((volume_a, moment_a), (volume_b, moment_b)) = (cap(r, h), cap(s, distance - h));
    let volume = volume_a + volume_b;
    let along = (moment_a + volume_b * distance - moment_b) / volume;
    Some(Overlap3 {
        volume,
        centroid: centre_a + contact.normal * along,
        section: contact.normal * (PI * (r - h) * (r + h)),
    })
}

/// Volume of the cap of a ball above a height over its centre, and its first moment.
fn cap(r: f64, h: f64) -> (f64, f64) {
    let rise = r - h;
    let square = rise * (r + h);
    (
        PI * rise * rise * (3.0 * r - rise) / 3.0,
        PI * square * square / 4.0,
    )
}

/// Computes the part of a ball inside a half-space.
pub fn ball_half_space(
    a: &Sphere<3>,
    pose_a: &Pose<3>,
    half: &HalfSpace<3>,
    pose_half: &Pose<3>,
) -> Option<Overlap3> {
    let contact = half_space::sphere_contact(a, pose_a, half, pose_half);
    if contact.gap >= 0.0 {
        return None;
    }

    let r = a.radius();
    let h = contact.gap + r;
    let centre = pose_a.point(&a.centre());

    if h <= -r {
        return Some(Overlap3 {
            volume: a.volume(),
            centroid: centre,
            section: Vector::zeros(),
        });
    }

    let (volume, moment) = cap(r, h);
    let section = contact.normal * (PI * (r - h) * (r + h));
    Some(Overlap3 {
        volume,
        centroid: centre + contact.normal * (moment / volume),
        section,
    })
}

/// Computes the intersection of two discs: two segments that share their chord.
pub fn discs(a: &Sphere<2>, pose_a: &Pose<2>, b: &Sphere<2>, pose_b: &Pose<2>) -> Option<Overlap2> {
    let contact = sphere::spheres(a, pose_a, b, pose_b);
    if contact.gap >= 0.0 {
        return None;
    }

    let (r, s) = (a.radius(), b.radius());
    let distance = contact.gap + (r + s);
    let centre_a = pose_a.point(&a.centre());

    if distance <= (r - s).abs() {
        let (smaller, centroid) = if r <= s {
            (a, centre_a)
        } else {
            (b, pose_b.point(&b.centre()))
        };
        return Some(Overlap2 {
            area: smaller.area(),
            centroid,
            section: Vector::zeros(),
            line: None,
        });
    }

    let h = 0.5 * (distance + (r - s) * (r + s) / distance);
    let ((area_a, moment_a), (area_b, moment_b)) = (segment(r, h), segment(s, distance - h));
    let area = area_a + area_b;
    let along = (moment_a + area_b * distance - moment_b) / area;
    Some(chord_overlap(centre_a, contact.normal, area, along, h, r))
}

/// Computes the part of a disc inside a half-plane.
pub fn disc_half_plane(
    a: &Sphere<2>,
    pose_a: &Pose<2>,
    half: &HalfSpace<2>,
    pose_half: &Pose<2>,
) -> Option<Overlap2> {
    let contact = half_space::sphere_contact(a, pose_a, half, pose_half);
    if contact.gap >= 0.0 {
        return None;
    }

    let r = a.radius();
    let h = contact.gap + r;
    let centre = pose_a.point(&a.centre());

    if h <= -r {
        return Some(Overlap2 {
            area: a.area(),
            centroid: centre,
            section: Vector::zeros(),
            line: None,
        });
    }

    let (area, moment) = segment(r, h);
    Some(chord_overlap(
        centre,
        contact.normal,
        area,
        moment / area,
        h,
        r,
    ))
}

/// Area of the segment of a disc above a height over its centre, and its first moment.
fn segment(r: f64, h: f64) -> (f64, f64) {
    let half_chord = ((r - h) * (r + h)).max(0.0).sqrt();
    (
        r * r * half_chord.atan2(h) - h * half_chord,
        2.0 / 3.0 * half_chord.powi(3),
    )
}

fn chord_overlap(
    centre: crate::space::Point<2>,
    normal: Vector<2>,
    area: f64,
    along: f64,
    h: f64,
    r: f64,
) -> Overlap2 {
    let half_chord = ((r - h) * (r + h)).max(0.0).sqrt();
    let (middle, across) = (
        centre + normal * h,
        Vector::<2>::new(-normal.y, normal.x) * half_chord,
    );

    Overlap2 {
        area,
        centroid: centre + normal * along,
        section: normal * (2.0 * half_chord),
        line: Some([middle - across, middle + across]),
    }
}

/// Contributions of an edge's pieces, relative to the centre of a disc in the plane with the normal
/// `up`.
struct Share<const D: usize> {
    area: f64,
    moment: Vector<D>,
    /// The piece's ends if it is inside the disc, and the angle that it spans if it is outside.
    ends: [Vector<D>; 2],
    outside: Option<f64>,
}

/// Returns the fractions at which the line from p along the edge crosses the circle, if it does.
fn crossings<const D: usize>(
    p: &Vector<D>,
    edge: &Vector<D>,
    squared_radius: f64,
) -> Option<[f64; 2]> {
    let (a, b) = (edge.norm_squared(), p.dot(edge));
    // Uses the foot of the perpendicular from the centre, not the difference of squares, which
    // cancels for a distant edge.
    let foot = p - edge * (b / a);
    let half = (squared_radius - foot.norm_squared()) / a;
    (half > 0.0).then(|| [-b / a - half.sqrt(), -b / a + half.sqrt()])
}

/// Calls back for the pieces of the edge from p to q before, inside and after the disc.
fn pieces<const D: usize>(
    p: &Vector<D>,
    q: &Vector<D>,
    squared_radius: f64,
    double_area: impl Fn(&Vector<D>, &Vector<D>) -> f64,
    quarter_turn_back: impl Fn(&Vector<D>) -> Vector<D>,
    mut each: impl FnMut(Share<D>),
) {
    let edge = q - p;
    let [low, up] =
        crossings(p, &edge, squared_radius).map_or([1.0; 2], |cut| cut.map(|t| t.clamp(0.0, 1.0)));
    let at = |t: f64| if t >= 1.0 { *q } else { p + edge * t };

    for (from, to, inside) in [(0.0, low, false), (low, up, true), (up, 1.0, false)] {
        if from >= to {
            continue;
        }

        let ends = [at(from), at(to)];
        let twice = double_area(&ends[0], &ends[1]);
        if inside {
            let area = 0.5 * twice;
            each(Share {
                area,
                moment: (ends[0] + ends[1]) * (area / 3.0),
                ends,
                outside: None,
            });
        } else {
            let angle = twice.atan2(ends[0].dot(&ends[1]));
            let [u, v] = ends.map(|end| end.try_normalize(0.0).unwrap_or_else(Vector::zeros));
            let radius = squared_radius.max(0.0).sqrt();

            // ∫ (cos φ, sin φ) dφ is the chord rotated by −90°.
            let moment = quarter_turn_back(&(v - u)) * (radius.powi(3) / 3.0);
            each(Share {
                area: 0.5 * squared_radius.max(0.0) * angle,
                moment,
                ends,
                outside: Some(angle),
            });
        }
    }
}

/// Computes the intersection of a polygon and a disc.
pub fn polygon_disc(
    a: &Polygon,
    pose_a: &Pose<2>,
    disc: &Sphere<2>,
    pose_disc: &Pose<2>,
) -> Option<Overlap2> {
    if sphere::polygon(disc, pose_disc, a, pose_a).gap >= 0.0 {
        return None;
    }

    let relative = Relative::of(pose_a, pose_disc);
    let seen: Vec<Vector<2>> = a
        .points()
        .iter()
        .map(|p| -relative.seen_from(p, &disc.centre()))
        .collect();
    let squared_radius = disc.radius() * disc.radius();
    let (mut area, mut moment, mut along) = (0.0, Vector::<2>::zeros(), Vector::<2>::zeros());
    let mut crossed = Vec::new();
    let turn_back = |v: &Vector<2>| Vector::<2>::new(v.y, -v.x);

    for (p, q) in seen.iter().zip(seen.iter().cycle().skip(1)) {
        pieces(
            p,
            q,
            squared_radius,
            |u, v| u.perp(v),
            turn_back,
            |share| {
                area += share.area;
                moment += share.moment;
                if share.outside.is_none() {
                    along += share.ends[1] - share.ends[0];
                    crossed.extend(
                        [(share.ends[0], p), (share.ends[1], q)]
                            .iter()
                            .filter(|(e, c)| e != *c)
                            .map(|e| e.0),
                    );
                }
            },
        );
    }

    let centre = pose_disc.point(&disc.centre());
    let line = ends(crossed, &along).map(|ends| ends.map(|end| centre + pose_a.vector(&end)));
    let section = if line.is_some() {
        turn_back(&along)
    } else {
        Vector::zeros()
    };
    let centroid = centre + pose_a.vector(&(moment / area));

    (area > 0.0).then(|| Overlap2 {
        area,
        centroid,
        section: pose_a.vector(&section),
        line,
    })
}

/// Computes the intersection of a polyhedron and a ball.
pub fn polyhedron_ball(
    a: &Polyhedron,
    pose_a: &Pose<3>,
    ball: &Sphere<3>,
    pose_ball: &Pose<3>,
) -> Option<Overlap3> {
    let kept = &mut sphere::FeatureHint::default();
    if sphere::polyhedron(ball, pose_ball, a, pose_a, kept).gap >= 0.0 {
        return None;
    }

    let relative = Relative::of(pose_a, pose_ball);
    let (mut volume, mut moment, mut section) = (0.0, Vector::<3>::zeros(), Vector::<3>::zeros());
    CORNERS.with_borrow_mut(|corners| {
        for face in 0..a.face_count() {
            corners.clear();
            let seen = |i: u32| -relative.seen_from(&a.points()[i as usize], &ball.centre());
            corners.extend(a.face_corners(face).map(seen));
            let cone = Cone::over(corners, &a.planes()[face].normal, ball.radius());
            volume += cone.volume;
            moment += cone.moment;
            section += cone.section;
        }
    });

    let centre = pose_ball.point(&ball.centre());
    (volume > 0.0).then(|| Overlap3 {
        volume,
        centroid: centre + pose_a.vector(&(moment / volume)),
        section: pose_a.vector(&section),
    })
}

thread_local! {
    /// The corners of a facet, reused from facet to facet.
    static CORNERS: RefCell<Vec<Vector<3>>> = const { RefCell::new(Vec::new()) };
}

/// The part of a ball at the origin below one facet.
struct Cone {
    volume: f64,
    moment: Vector<3>,
    section: Vector<3>,
}

impl Cone {
    /// Projects the corners onto the plane through the centre.
    fn over(corners: &mut [Vector<3>], normal: &Vector<3>, r: f64) -> Self {
        let h = normal.dot(&corners[0]);
        let squared_radius = (r - h) * (r + h);
        corners
            .iter_mut()
            .for_each(|p| *p -= normal * normal.dot(p));
        let (mut area, mut area_moment) = (0.0, Vector::<3>::zeros());
        let (mut angle, mut direction) = (0.0, Vector::<3>::zeros());
        let up = |u: &Vector<3>, v: &Vector<3>| normal.dot(&u.cross(v));
        let turn_back = |v: &Vector<3>| -normal.cross(v);

        for (p, q) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            pieces(p, q, squared_radius, up, turn_back, |share| {
                area += share.area;
                area_moment += share.moment;
                if let Some(sector) = share.outside {
                    let ends = share.ends.map(|end| end + normal * h);
                    direction += great_arc(&ends[0], &ends[1]);

                    // A facet in a plane through the centre is seen edge-on.
                    if h != 0.0 {
                        angle += solid_angle(&(normal * h), &ends[0], &ends[1]);
                    }

                    if squared_radius > 0.0 {
                        let side = if h == 0.0 { 0.0 } else { h.signum() };
                        angle -= sector * (1.0 - h.abs() / r) * side;
                        // ½ ∮ x × dx along the circle where the ball meets the plane.
                        let chord = share.moment * (3.0 / squared_radius);
                        direction -=
                            (normal * (squared_radius * sector) - chord * h) * (0.5 / (r * r));
                    }
                }
            });
        }

        Self {
            volume: h / 3.0 * area + r.powi(3) / 3.0 * angle,
            moment: (normal * (area * h) + area_moment) * (h / 4.0) + direction * (r.powi(4) / 4.0),
            section: normal * area,
        }
    }
}

/// tan(Ω/2) = a·(b×c) / (|a||b||c| + (a·b)|c| + (a·c)|b| + (b·c)|a|), of van Oosterom and Strackee (1983).
fn solid_angle(a: &Vector<3>, b: &Vector<3>, c: &Vector<3>) -> f64 {
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let below = la * lb * lc + a.dot(b) * lc + a.dot(c) * lb + b.dot(c) * la;
    2.0 * a.dot(&b.cross(c)).atan2(below)
}

/// ½ ∫ x × dx along the great circle between two directions: half the angle, about its axis.
fn great_arc(p: &Vector<3>, q: &Vector<3>) -> Vector<3> {
    let axis = p.cross(q);
    let length = axis.norm();
    if length > 0.0 {
        axis * (0.5 * length.atan2(p.dot(q)) / length)
    } else {
        Vector::zeros()
    }
}

#[cfg(test)]
mod tests;
