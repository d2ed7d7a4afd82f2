//! Guards against tunnelling within a step.
//!
//! Contacts are searched at the ends of steps, so a body that moves by more than a thickness in a
//! step could be on the other side without ever having touched. Before a step, pairs that move
//! relative to each other by more than [`SHARE`] of the thinner one's thickness are examined: the
//! time of impact of their surfaces within the step is found exactly, on the way that the step
//! will move them. If there is one, the step is divided so that the contact is seen in time, into
//! at most [`MOST_PARTS`] parts; more are an error that names the pair, the time and the step
//! to take. Half-spaces have no other side. A solid that finds contact with itself is examined
//! against itself in the same way.
//!
//! Where nothing is fast, one comparison of the largest motion with the smallest thickness decides.

use super::Names;
use crate::{BodyRef, StepError};
use impinge::broad::{Auto, BroadPhase, BroadScene, Pair};
use impinge::predict::{ImpactOptions, MovingMesh, first_impact, first_self_impact};
use impinge::space::{Aabb, Point, Vector};
use rustc_hash::FxHashMap;

/// Relative motion in a step, in thicknesses of the thinner object, that needs no examination: the
/// contact is then detected several times before the middle is reached.
pub(super) const SHARE: f64 = 0.25;

/// Maximum number of parts of a step.
pub(super) const MOST_PARTS: f64 = 1000.0;

/// Rotation, rad, within which the points of a body are assumed to move on straight lines; the
/// deviation is added to the separation.
const ARC: f64 = 0.25;

/// Maximum number of such pieces of a step.
const MOST_PIECES: f64 = 256.0;

/// Distance of a ball from its surface of triangles, in radii.
const FACETS: f64 = 0.03;

/// Tolerance of a time of impact, as a fraction of the step.
const TOLERANCE: f64 = 1e-6;

/// The motion of an object in the next step.
pub(super) struct Mover {
    pub(super) object: BodyRef,
    /// Its centre now, and the displacement of that.
    pub(super) centre: Point<3>,
    pub(super) shift: Vector<3>,
    /// Largest distance of a point from the centre.
    pub(super) reach: f64,
    /// Largest displacement of a point relative to the centre.
    pub(super) spread: f64,
    /// Rotation, rad.
    pub(super) turn: f64,
    /// Thickness to rigid bodies, and to solids; infinite if it cannot be passed.
    pub(super) thickness: [f64; 2],
    /// Thickness to itself; infinite if it does not touch itself.
    pub(super) fold: f64,
    /// Radius, if it is a ball.
    pub(super) ball: Option<f64>,
    pub(super) kind: MoverKind,
}

/// Cause of an object's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoverKind {
    /// On a path, or at rest.
    Prescribed,
    Body,
    Solid,
}

impl Mover {
    fn swept(&self) -> Aabb<3> {
        let reach = self.reach + self.spread;
        Aabb::of([self.centre, self.centre + self.shift]).grown(reach)
    }

    /// Returns the thickness of the thinner of two objects.
    fn thinner(&self, other: &Self) -> f64 {
        let to = |a: &Self, b: &Self| a.thickness[usize::from(b.kind == MoverKind::Solid)];
        to(self, other).min(to(other, self))
    }
}

/// The surfaces of the movers.
pub(super) trait Movers {
    /// Returns the triangles of an object.
    fn triangles(&self, object: BodyRef) -> Option<&[[u32; 3]]>;

    /// Returns the points of an object after a part of the step, in seconds.
    fn points_after(&self, object: BodyRef, seconds: f64) -> Option<Vec<Point<3>>>;
}

/// A step to examine.
pub(super) struct GuardedStep<'a> {
    pub(super) names: &'a Names,
    pub(super) time: f64,
    pub(super) dt: f64,
}

/// Meshes prepared for the search of impacts.
#[derive(Default)]
pub(super) struct Guard {
    meshes: FxHashMap<BodyRef, MovingMesh>,
}

impl Guard {
    /// Returns the number of parts into which a step is divided.
    pub(super) fn parts(
        &mut self,
        all: &[Mover],
        surfaces: &impl Movers,
        step: &GuardedStep,
    ) -> Result<u32, StepError> {
        let boxes: Vec<Aabb<3>> = all.iter().map(Mover::swept).collect();
        let mut pairs = Vec::new();
        if Auto::default()
            .find_pairs(&BroadScene::of(&boxes), &mut pairs)
            .is_err()
        {
            // Motion that is not finite is reported by the step.
            return Ok(1);
        }

        let mut parts: f64 = 1.0;
        for Pair { a, b } in pairs {
            let [a, b] = [&all[a as usize], &all[b as usize]];
            let is_prescribed = [a, b].iter().all(|m| m.kind == MoverKind::Prescribed);
            let way = (a.shift - b.shift).norm() + a.spread + b.spread;
            let needed = (way / (SHARE * a.thinner(b))).ceil();
            if is_prescribed || needed <= 1.0 || needed <= parts {
                continue;
            }

            if let Some(wait) = self.impact(a, b, surfaces, step.dt) {
                if needed > MOST_PARTS {
                    return Err(too_fast([a, b], way, wait, step));
                }
                parts = needed;
            }
        }

        for mover in all {
            let way = 2.0 * mover.spread;
            let needed = (way / (SHARE * mover.fold)).ceil();
            if needed <= parts {
                continue;
            }

            if let Some(wait) = self.self_impact(mover, surfaces, step.dt) {
                if needed > MOST_PARTS {
                    return Err(too_fast([mover; 2], way, wait, step));
                }
                parts = needed;
            }
        }

        Ok(parts as u32)
    }

    /// Returns a lower bound of the time at which parts of an object without a common node touch
    /// within a step.
    fn self_impact(&mut self, mover: &Mover, surfaces: &impl Movers, dt: f64) -> Option<f64> {
        let Some(mesh) = self.mesh(mover.object, surfaces, 0.0, dt) else {
            return Some(0.0);
        };
        let options = ImpactOptions {
            tolerance: TOLERANCE,
            ..ImpactOptions::default()
        };
        let found = first_self_impact(&mesh, &options);
        self.meshes.insert(mover.object, mesh);
        found.map(|impact| impact.from * dt)
    }

    /// Returns a lower bound of the time of impact of two objects within a step.
    fn impact(&mut self, a: &Mover, b: &Mover, surfaces: &impl Movers, dt: f64) -> Option<f64> {
        let turn = a.turn.max(b.turn);
        let pieces = (turn / ARC).ceil().clamp(1.0, MOST_PIECES);
        let bulge = |m: &Mover| {
            let angle = m.turn / pieces;
            m.reach * (1.0 - (0.5 * angle).min(1.5).cos()) + FACETS * m.ball.unwrap_or(0.0)
        };
        let options = ImpactOptions {
            separation: bulge(a) + bulge(b),
            tolerance: TOLERANCE,
            ..ImpactOptions::default()
        };

        for piece in 0..pieces as u32 {
            let from = dt * f64::from(piece) / pieces;
            let to = dt * f64::from(piece + 1) / pieces;
            let [one, two] = [a, b].map(|m| self.mesh(m.object, surfaces, from, to));
            let (Some(one), Some(two)) = (one, two) else {
                return Some(0.0);
            };
            let found = first_impact(&one, &two, &options);
            self.meshes.insert(a.object, one);
            self.meshes.insert(b.object, two);
            if let Some(impact) = found {
                return Some(from + impact.from * (to - from));
            }
        }

        None
    }

    /// Returns the surface of an object in a part of the step; `None` if it is invalid.
    fn mesh(
        &mut self,
        object: BodyRef,
        surfaces: &impl Movers,
        from: f64,
        to: f64,
    ) -> Option<MovingMesh> {
        let start = surfaces.points_after(object, from)?;
        let end = surfaces.points_after(object, to)?;
        let known = self.meshes.remove(&object);
        let mut mesh = match known {
            Some(mesh) => mesh,
            None => MovingMesh::new(&start, surfaces.triangles(object)?).ok()?,
        };
        mesh.set_step(&start, &end).ok()?;
        Some(mesh)
    }
}

fn too_fast([a, b]: [&Mover; 2], way: f64, wait: f64, step: &GuardedStep) -> StepError {
    let other = match a.object == b.object {
        true => "itself".to_owned(),
        false => step.names.of(b.object),
    };
    let thin = match a.object == b.object {
        true => a.fold,
        false => a.thinner(b),
    };
    let advised = MOST_PARTS * SHARE * thin / way * step.dt;
    StepError {
        body: step.names.of(a.object),
        cause: format!(
            "would pass through {other} at {:.9} s: they move by {way:.3e} m in a step of {:.3e} \
             s, and the thinner one is {thin:.3e} m thick",
            step.time + wait,
            step.dt
        ),
        hint: format!("use a step of at most {advised:.1e} s"),
    }
}
