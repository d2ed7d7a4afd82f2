//! Detection of bodies that pass through each other.
//!
//! Contacts push bodies apart only while the overlap is small; beyond the middle of the thinner body
//! they push it out on the other side. Overlaps are therefore compared with the thickness of the
//! bodies, and centres with the surfaces that they must not cross.
//!
//! Particles are checked at every step: their force loops report the overlaps and the centres that
//! crossed an obstacle. Rigid bodies and solids are checked when the fastest has moved by a fraction
//! of the thinnest body's thickness, because nothing changes faster than bodies move. That is every
//! few hundred steps of a typical run, and every step if the step is too long.

use super::Names;
use crate::{
    BodyKind, BodyRef, ContactRecord, DEEP_OVERLAP, OverlapPartner, ParticleOverlaps, StepError,
};
use impinge::narrow::meshes::TriangleTree;
use impinge::space::{Aabb, Matrix, Point, Pose, Vector};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// Overlap, in thicknesses, above which a body is about to exit on the other side.
const THROUGH: f64 = DEEP_OVERLAP;

/// Overlap, in thicknesses, at which two bodies have passed each other: their centres coincide.
const PASSED: f64 = 1.0;

/// Minimum motion of the fastest body between two checks, in thicknesses of the thinnest: bodies that
/// overlap deeply from the start would otherwise be checked at every step.
const SHORTEST: f64 = 0.02;

/// Maximum number of normals, besides the axes, along which the thickness of a body is measured.
const MOST_NORMALS: usize = 256;

const HINT: &str = "use a shorter step, stiffer contacts or a slower impact";

/// The deepest overlap of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LargestOverlap {
    /// Overlap relative to the thickness of the thinner body; a sphere's thickness is its diameter.
    pub largest: f64,
    /// When it was detected, s.
    pub time: f64,
    /// The names of the bodies; empty if nothing ever overlapped.
    pub bodies: Vec<String>,
}

/// A surface that a centre must not cross, in its own frame.
pub(super) enum Screen {
    /// A point of the plane and the outward direction.
    HalfSpace(Point<3>, Vector<3>),
    Mesh(Box<TriangleTree>, Aabb<3>),
}

impl Screen {
    pub(super) fn half_space([point, normal]: [[f64; 3]; 2]) -> Self {
        Self::HalfSpace(point.into(), normal.into())
    }

    /// Creates a screen from triangles; `None` if they are invalid.
    pub(super) fn mesh(points: &[Point<3>], triangles: &[[u32; 3]]) -> Option<Self> {
        let tree = TriangleTree::of_triangles(points, triangles).ok()?;
        Some(Self::Mesh(Box::new(tree), Aabb::of(points.iter().copied())))
    }

    /// Returns whether a centre that moved between two points crossed it.
    fn is_crossed(&self, from: &Point<3>, to: &Point<3>) -> bool {
        match self {
            Self::HalfSpace(point, normal) => {
                normal.dot(&(from - point)) >= 0.0 && normal.dot(&(to - point)) < 0.0
            }
            Self::Mesh(tree, _) => tree.first_hit(from, to).is_some(),
        }
    }

    /// Returns the interval of the x axis that it covers.
    fn stretch(&self, pose: &Pose<3>) -> [f64; 2] {
        match self {
            Self::HalfSpace(..) => [f64::NEG_INFINITY, f64::INFINITY],
            Self::Mesh(_, bounds) => {
                let (middle, reach) =
                    (pose.point(&bounds.centre()).x, 0.5 * bounds.extent().norm());
                [middle - reach, middle + reach]
            }
        }
    }
}

/// A screen of a world.
pub(super) struct Placed<'a> {
    pub(super) screen: &'a Screen,
    /// The wall or body that the surface belongs to.
    pub(super) owner: BodyRef,
    /// `None` if it was removed.
    pub(super) pose: Option<Pose<3>>,
}

/// The surface of a deforming solid, in world coordinates.
pub(super) struct Deformed<'a> {
    pub(super) points: &'a [Point<3>],
    pub(super) triangles: &'a [[u32; 3]],
    pub(super) bounds: Aabb<3>,
    pub(super) owner: BodyRef,
}

impl Deformed<'_> {
    /// Creates its screen; `None` if a triangle has no area.
    fn screen(&self) -> Option<Screen> {
        Screen::mesh(self.points, self.triangles)
    }
}

/// The data of a check.
pub(super) struct CheckInput<'a> {
    pub(super) names: &'a Names,
    pub(super) time: f64,
    pub(super) contacts: Vec<ContactRecord>,
    /// Thickness of the rigid bodies, then of the solids.
    pub(super) thickness: [Vec<f64>; 2],
    /// Centres of bodies and solids that must not cross a screen.
    pub(super) centres: Vec<(BodyRef, Point<3>)>,
    /// Always in the same order.
    pub(super) screens: Vec<Placed<'a>>,
    /// Deforming surfaces that no centre may cross either; each has a centre of its own.
    pub(super) deformed: Vec<Deformed<'a>>,
}

impl CheckInput<'_> {
    /// Returns the names of the two bodies of a contact.
    fn names_of(&self, contact: &ContactRecord) -> [String; 2] {
        contact.bodies.map(|body| self.names.of(body))
    }

    /// Returns the overlap of a contact in thicknesses of the thinner body.
    fn share(&self, contact: &ContactRecord) -> f64 {
        let thickness = contact.bodies.iter().filter_map(|body| {
            let list = self.thickness.get(slot(body.kind)?)?;
            list.get(body.index as usize)
        });
        contact.depth / thickness.fold(f64::INFINITY, |a, &b| a.min(b))
    }
}

/// Returns the place of the kinds that are checked, in lists by kind.
fn slot(kind: BodyKind) -> Option<usize> {
    match kind {
        BodyKind::Body => Some(0),
        BodyKind::Solid => Some(1),
        BodyKind::Particle | BodyKind::Wall => None,
    }
}

/// Rotation matrix and position.
type SavedPose = ([[f64; 3]; 3], [f64; 3]);

/// Data kept from check to check; all of it survives a restart.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Watch {
    /// Path of the fastest body since the last check.
    path: f64,
    thinnest: f64,
    /// Largest overlap of bodies and solids at the last check, and of particles at the last step.
    now: f64,
    of_particles: f64,
    /// Largest overlap since the last row of the history.
    recent: f64,
    overlap: LargestOverlap,
    /// Pairs with deep overlaps at the start.
    given: Vec<[BodyRef; 2]>,
    /// The same of particles, from the first step on.
    given_particles: Option<Vec<(u32, OverlapPartner)>>,
    /// Centres at the last check.
    centres: Vec<(BodyRef, [f64; 3])>,
    /// Rotations and positions of the screens at the last check.
    poses: Vec<(BodyRef, SavedPose)>,
}

impl Watch {
    /// Runs the first check: bodies that already pass through others were placed that way.
    pub(super) fn start(input: &CheckInput) -> Self {
        let mut watch = Self::default();
        let deep = watch.measure(input);
        watch.given = deep.iter().map(|contact| contact.bodies).collect();
        watch.given.sort_unstable();
        watch.given.dedup();
        watch.keep(input);

        watch
    }

    /// Registers objects that were added since the last check; their present overlaps count as initial
    /// ones.
    pub(super) fn admit(&mut self, input: &CheckInput, is_new: impl Fn(BodyRef) -> bool) {
        let deep = self.measure(input);
        let pairs = deep.iter().map(|contact| contact.bodies);
        self.given
            .extend(pairs.filter(|bodies| bodies.iter().any(|&body| is_new(body))));
        self.given.sort_unstable();
        self.given.dedup();
        self.thinnest = thinnest(input);
    }

    /// Returns the deepest overlap so far.
    pub(super) fn overlap(&self) -> &LargestOverlap {
        &self.overlap
    }

    /// Returns the largest overlap since the last call.
    pub(super) fn take_recent(&mut self) -> f64 {
        std::mem::replace(&mut self.recent, self.now.max(self.of_particles))
    }

    /// Checks the particles after a step; `name` returns the name of an obstacle.
    pub(super) fn follow(
        &mut self,
        overlaps: &ParticleOverlaps,
        time: f64,
        name: impl Fn(u32) -> String,
    ) -> Result<(), StepError> {
        let partner = |partner| match partner {
            OverlapPartner::Particle(id) => particle(id),
            OverlapPartner::Obstacle(number) => name(number),
        };

        self.of_particles = overlaps.largest_share();
        self.recent = self.recent.max(self.of_particles);
        if let Some(deepest) = overlaps
            .deepest()
            .filter(|d| d.share > self.overlap.largest)
        {
            self.overlap = LargestOverlap {
                largest: deepest.share,
                time,
                bodies: vec![particle(deepest.particle), partner(deepest.partner)],
            };
        }

        let pairs = || {
            overlaps
                .deep()
                .iter()
                .map(|deep| (deep.particle, deep.partner))
        };
        let given = self.given_particles.get_or_insert_with(|| {
            let mut given: Vec<_> = pairs().collect();
            given.sort_unstable();
            given
        });
        let is_new = |pair: &(u32, OverlapPartner)| given.binary_search(pair).is_err();

        let deepest = overlaps
            .deep()
            .iter()
            .filter(|deep| is_new(&(deep.particle, deep.partner)))
            .max_by(|a, b| a.share.total_cmp(&b.share));
        if let Some(deep) = deepest {
            let (name, other) = (particle(deep.particle), partner(deep.partner));
            return Err(too_deep(name, &other, deep.share));
        }

        let crossing = overlaps.crossings().iter().min();
        crossing.map_or(Ok(()), |&(id, number)| {
            Err(passed_through(particle(id), &name(number)))
        })
    }

    /// Adds the largest motion of a step; returns whether a check is due.
    pub(super) fn is_due(&mut self, motion: f64) -> bool {
        self.path += motion;

        // Two bodies move towards each other by at most twice the path, so no pair gets from the
        // largest overlap seen to `PASSED` before this. A centre that goes round an edge at its
        // radius turns by at most one radian meanwhile, so its chord does not cut the edge.
        let margin = (0.5 * (PASSED - self.now)).max(SHORTEST);
        self.path >= margin * self.thinnest
    }

    /// Registers a free flight: nothing was crossed, although the straight line between its ends may
    /// cross something.
    pub(super) fn skip(&mut self, input: &CheckInput) {
        self.keep(input);
    }

    pub(super) fn check(&mut self, input: &CheckInput) -> Result<(), StepError> {
        let deep = self.measure(input);
        let is_new = |contact: &&&ContactRecord| self.given.binary_search(&contact.bodies).is_err();

        if let Some(contact) = deep.iter().find(is_new) {
            let [a, b] = input.names_of(contact);
            return Err(too_deep(a, &b, self.now));
        }

        let displacements = self.displacements(input);
        let crossed = self
            .crossed(&displacements, input)
            .or_else(|| crossed_deformed(&displacements, input));

        if let Some([who, screen]) = crossed {
            let [who, screen] = [who, screen].map(|body| input.names.of(body));
            return Err(passed_through(who, &screen));
        }

        self.keep(input);
        Ok(())
    }

    /// Updates the largest overlap; returns all contacts that are about to pass through, deepest
    /// first.
    fn measure<'a>(&mut self, input: &'a CheckInput) -> Vec<&'a ContactRecord> {
        let mut shares: Vec<(f64, &ContactRecord)> = input
            .contacts
            .iter()
            .map(|contact| (input.share(contact), contact))
            .collect();
        let deepest = shares
            .iter()
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.bodies.cmp(&a.1.bodies)));
        self.now = deepest.map_or(0.0, |deepest| deepest.0.max(0.0));
        self.recent = self.recent.max(self.now);

        if let Some((_, touch)) = deepest.filter(|deepest| deepest.0 > self.overlap.largest) {
            self.overlap = LargestOverlap {
                largest: self.now,
                time: input.time,
                bodies: input.names_of(touch).into(),
            };
        }

        shares.retain(|(share, _)| *share >= THROUGH);
        shares.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.bodies.cmp(&b.1.bodies)));

        shares.into_iter().map(|(_, touch)| touch).collect()
    }

    /// Returns the displacements of the centres since the last check, sorted by their ends along
    /// the x axis.
    fn displacements(&self, input: &CheckInput) -> Vec<Displacement> {
        let mut before: [Vec<Option<Point<3>>>; 2] = Default::default();
        for (body, place) in &self.centres {
            let Some(slot) = slot(body.kind) else {
                continue;
            };
            let (list, number) = (&mut before[slot], body.index as usize);
            list.resize(list.len().max(number + 1), None);
            list[number] = Some(Point::from(*place));
        }

        let before = |body: BodyRef| *before[slot(body.kind)?].get(body.index as usize)?;
        let longest = self.longest_way();
        let mut displacements: Vec<Displacement> = input
            .centres
            .iter()
            .filter_map(|(who, to)| {
                let (who, from, to) = (*who, before(*who)?, *to);
                Some(Displacement { who, from, to })
            })
            .filter(|displacement| (displacement.to - displacement.from).norm() <= longest)
            .collect();
        displacements.sort_by(|a, b| a.to.x.total_cmp(&b.to.x));

        displacements
    }

    /// Returns the longest plausible displacement: a centre that moved farther was wrapped at a
    /// periodic boundary.
    fn longest_way(&self) -> f64 {
        1.5 * self.path
    }

    /// Returns the first centre that crossed a screen since the last check.
    fn crossed(&self, displacements: &[Displacement], input: &CheckInput) -> Option<[BodyRef; 2]> {
        let longest = self.longest_way();
        let poses: FxHashMap<BodyRef, &SavedPose> = self
            .poses
            .iter()
            .map(|(owner, pose)| (*owner, pose))
            .collect();
        for placed in &input.screens {
            let then = poses.get(&placed.owner).and_then(|pose| restored(pose));
            let (Some(pose), Some(then)) = (&placed.pose, then) else {
                continue;
            };
            let [low, up] = placed.screen.stretch(pose);
            let first =
                displacements.partition_point(|displacement| displacement.to.x < low - longest);
            let end =
                displacements.partition_point(|displacement| displacement.to.x <= up + longest);
            let crossing = displacements[first..end].iter().find(|displacement| {
                let (from, to) = (
                    then.to_local(&displacement.from),
                    pose.to_local(&displacement.to),
                );
                placed.owner != displacement.who && placed.screen.is_crossed(&from, &to)
            });

            if let Some(displacement) = crossing {
                return Some([displacement.who, placed.owner]);
            }
        }

        None
    }

    fn keep(&mut self, input: &CheckInput) {
        self.path = 0.0;
        self.thinnest = thinnest(input);
        self.centres = input
            .centres
            .iter()
            .map(|(who, place)| (*who, place.coords.into()))
            .collect();

        let of_screen = |placed: &Placed| {
            let pose = placed.pose?;
            let rotation = (*pose.rotation()).into();
            Some((placed.owner, (rotation, pose.position().coords.into())))
        };
        self.poses = input.screens.iter().filter_map(of_screen).collect();
    }
}

/// Returns the thickness of the thinnest body.
fn thinnest(input: &CheckInput) -> f64 {
    let all = input.thickness.iter().flatten().copied();
    all.fold(f64::INFINITY, f64::min)
}

/// The displacement of a centre since the last check.
struct Displacement {
    who: BodyRef,
    from: Point<3>,
    to: Point<3>,
}

/// Returns the first centre that crossed the surface of a deforming solid. The solid hardly deforms
/// between two checks, so the surface is assumed to move with the solid's centre.
fn crossed_deformed(displacements: &[Displacement], input: &CheckInput) -> Option<[BodyRef; 2]> {
    for solid in &input.deformed {
        let Some(own) = displacements
            .iter()
            .find(|displacement| displacement.who == solid.owner)
        else {
            continue;
        };
        let moved = own.to - own.from;
        let is_near = |displacement: &&Displacement| {
            let swept = Aabb::of([displacement.from + moved, displacement.to]);
            displacement.who != solid.owner && swept.overlaps(&solid.bounds)
        };
        let near: Vec<&Displacement> = displacements.iter().filter(is_near).collect();

        if near.is_empty() {
            continue;
        }

        let Some(screen) = solid.screen() else {
            continue;
        };
        let crossing = near
            .into_iter()
            .find(|displacement| screen.is_crossed(&(displacement.from + moved), &displacement.to));

        if let Some(displacement) = crossing {
            return Some([displacement.who, solid.owner]);
        }
    }
    None
}

fn restored((rotation, position): &([[f64; 3]; 3], [f64; 3])) -> Option<Pose<3>> {
    Pose::new(Matrix::<3>::from(*rotation), *position).ok()
}

fn too_deep(body: String, other: &str, share: f64) -> StepError {
    let percent = 100.0 * share;
    StepError {
        body,
        cause: format!(
            "overlaps {other} by {percent:.0} % of the thinner one's thickness and would exit on \
             the other side"
        ),
        hint: HINT.to_owned(),
    }
}

fn passed_through(body: String, screen: &str) -> StepError {
    StepError {
        body,
        cause: format!("its centre passed through {screen}"),
        hint: HINT.to_owned(),
    }
}

fn particle(id: u32) -> String {
    format!("particle {id}")
}

/// Returns the smallest thickness of a body, along its axes and face normals.
pub(super) fn thickness(points: &[Point<3>], triangles: &[[u32; 3]]) -> f64 {
    let stride = triangles.len().div_ceil(MOST_NORMALS).max(1);
    let normals = triangles.iter().step_by(stride).filter_map(|corners| {
        let [a, b, c] = corners.map(|node| points[node as usize]);
        (b - a).cross(&(c - a)).try_normalize(0.0)
    });
    let used: FxHashSet<u32> = triangles.iter().flatten().copied().collect();
    let width = |direction: Vector<3>| {
        let [low, up] = used
            .iter()
            .map(|&node| direction.dot(&points[node as usize].coords))
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, up], x| {
                [low.min(x), up.max(x)]
            });
        up - low
    };

    [Vector::x(), Vector::y(), Vector::z()]
        .into_iter()
        .chain(normals)
        .map(width)
        .filter(|&width| width > 0.0)
        .fold(f64::INFINITY, f64::min)
}

/// Mean thickness 2V/A of a convex body, relative to its smallest width: at least this.
const CONVEX: f64 = 0.19;

/// Returns the thickness of what must not be passed in one step: of the whole body, or of its sheet if
/// it is a shell or folded.
pub(super) fn passable(points: &[Point<3>], triangles: &[[u32; 3]]) -> f64 {
    let (width, mean) = (
        thickness(points, triangles),
        mean_thickness(points, triangles),
    );
    if mean < CONVEX * width { mean } else { width }
}

/// Returns 2V/A, the thickness of a sheet of any form; infinite without volume.
pub(super) fn mean_thickness(points: &[Point<3>], triangles: &[[u32; 3]]) -> f64 {
    let (mut volume, mut area) = (0.0, 0.0);
    for corners in triangles {
        let [a, b, c] = corners.map(|node| points[node as usize] - points[0]);
        let twice = (b - a).cross(&(c - a));
        volume += a.dot(&twice) / 6.0;
        area += 0.5 * twice.norm();
    }

    if volume > 0.0 {
        2.0 * volume / area
    } else {
        f64::INFINITY
    }
}
