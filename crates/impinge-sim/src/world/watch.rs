//! Whether anything goes through anything else.
//!
//! Contacts push bodies apart only as long as these are not too deep in each other: beyond the middle of the thinner one
//! they push it out on the other side. So overlaps are compared with the thickness of the bodies, and centres with the
//! surfaces that they must not cross. Nothing can change by more than bodies move: the look is taken when the fastest has
//! come by a share of the thinnest body's thickness, which is every few hundred steps of a usual run, and at every step
//! of one whose step is too long.

use crate::StepError;
use crate::output::ContactRow;
use impinge::narrow::meshes::TriangleTree;
use impinge::space::{Aabb, Matrix, Point, Pose, Vector};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// Way of the fastest body between two looks, in thicknesses of the thinnest.
const LOOK: f64 = 0.1;

/// Overlap, in thicknesses, from which on a body is about to come out on the other side. Less than a half by what bodies
/// move between two looks, towards each other.
const THROUGH: f64 = 0.45;

/// Normals along which the thickness of a body is measured, beside the axes.
const MOST_NORMALS: usize = 256;

const HINT: &str = "take a shorter step, stiffer contacts or a slower impact";

/// The deepest overlap of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LargestOverlap {
    /// As a share of the thickness of the thinner body; a sphere's is its diameter.
    pub largest: f64,
    /// When it was seen, s.
    pub time: f64,
    /// Whose it is, in words; empty where nothing ever overlapped.
    pub bodies: Vec<String>,
}

/// Something that a centre must not cross, in its own frame.
pub(super) enum Screen {
    /// A point of the plane and the direction out of it.
    HalfSpace(Point<3>, Vector<3>),
    Mesh(Box<TriangleTree>, Aabb<3>),
}

impl Screen {
    pub(super) fn half_space([point, normal]: [[f64; 3]; 2]) -> Self {
        Self::HalfSpace(point.into(), normal.into())
    }

    /// None where the triangles have a fault.
    pub(super) fn mesh(points: &[Point<3>], triangles: &[[u32; 3]]) -> Option<Self> {
        let tree = TriangleTree::of_triangles(points, triangles).ok()?;
        Some(Self::Mesh(Box::new(tree), Aabb::of(points.iter().copied())))
    }

    /// Whether a centre that went from one place to another came through.
    fn is_crossed(&self, from: &Point<3>, to: &Point<3>) -> bool {
        match self {
            Self::HalfSpace(point, normal) => {
                normal.dot(&(from - point)) >= 0.0 && normal.dot(&(to - point)) < 0.0
            }
            Self::Mesh(tree, _) => tree.first_hit(from, to).is_some(),
        }
    }

    /// The stretch of the x axis that it covers.
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

/// A kind of matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Kind {
    Particles,
    Bodies,
    Solids,
}

/// Who: the kind, and the number within it.
pub(super) type Who = (Kind, u32);

/// A screen of a world.
pub(super) struct Placed<'a> {
    pub(super) screen: &'a Screen,
    pub(super) name: String,
    /// The body whose surface it is.
    pub(super) owner: Option<Who>,
    /// None for one that is gone.
    pub(super) pose: Option<Pose<3>>,
}

/// Everything that is looked at.
pub(super) struct Sight<'a> {
    pub(super) time: f64,
    pub(super) contacts: Vec<ContactRow>,
    /// Of every body that moves, by the kind and its number; infinite for numbers that nobody has.
    pub(super) thickness: [Vec<f64>; 3],
    /// Places that must not cross a screen.
    pub(super) centres: Vec<(Who, Point<3>)>,
    /// Always in the same order.
    pub(super) screens: Vec<Placed<'a>>,
}

/// What is kept from look to look; everything of it survives a restart.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Watch {
    /// Way of the fastest since the last look.
    path: f64,
    thinnest: f64,
    /// Largest overlap at the last look, and since the last row of the history.
    now: f64,
    recent: f64,
    overlap: LargestOverlap,
    /// Pairs that were as deep in each other at the start.
    given: Vec<(Kind, [u32; 2])>,
    /// Centres at the last look.
    centres: Vec<(Who, [f64; 3])>,
    /// Rotations and positions of the screens at the last look.
    poses: Vec<Option<([[f64; 3]; 3], [f64; 3])>>,
}

impl Watch {
    /// The first look: what is through anything else was put there.
    pub(super) fn start(sight: &Sight) -> Self {
        let mut watch = Self::default();
        let deep = watch.measure(sight);
        watch.given = deep
            .iter()
            .map(|touch| (kind(touch), touch.line.bodies))
            .collect();
        watch.given.sort_unstable();
        watch.given.dedup();
        watch.keep(sight);
        watch
    }

    /// The deepest overlap so far.
    pub(super) fn overlap(&self) -> &LargestOverlap {
        &self.overlap
    }

    /// The largest overlap since the last time that it was asked.
    pub(super) fn take_recent(&mut self) -> f64 {
        std::mem::replace(&mut self.recent, self.now)
    }

    /// Books how far the fastest came in a step; whether it is time for a look.
    pub(super) fn is_due(&mut self, motion: f64) -> bool {
        self.path += motion;
        self.path >= LOOK * self.thinnest
    }

    pub(super) fn look(&mut self, sight: &Sight) -> Result<(), StepError> {
        let deep = self.measure(sight);
        let is_new = |touch: &&&ContactRow| {
            let key = (kind(touch), touch.line.bodies);
            self.given.binary_search(&key).is_err()
        };
        if let Some(touch) = deep.iter().find(is_new) {
            let [a, b] = names(touch);
            let share = 100.0 * self.now;
            return Err(StepError {
                body: a,
                cause: format!(
                    "is in {b} by {share:.0} % of the thinner one's thickness and would come out on the other side"
                ),
                hint: HINT.to_owned(),
            });
        }
        if let Some((who, screen)) = self.crossed(sight) {
            return Err(StepError {
                body: name(who),
                cause: format!("its centre went through {screen}"),
                hint: HINT.to_owned(),
            });
        }
        self.keep(sight);
        Ok(())
    }

    /// The largest overlap; returns all that are about to go through, the deepest first.
    fn measure<'a>(&mut self, sight: &'a Sight) -> Vec<&'a ContactRow> {
        let share = |touch: &ContactRow| {
            let list = &sight.thickness[kind(touch) as usize];
            let bodies = touch.line.bodies.iter();
            let thinner = bodies
                .filter_map(|&body| list.get(body as usize))
                .fold(f64::INFINITY, |a, &b| a.min(b));
            touch.line.depth / thinner
        };
        let mut shares: Vec<(f64, &ContactRow)> = sight
            .contacts
            .iter()
            .map(|touch| (share(touch), touch))
            .collect();
        let deepest = shares.iter().max_by(|a, b| {
            a.0.total_cmp(&b.0)
                .then(b.1.line.bodies.cmp(&a.1.line.bodies))
        });
        self.now = deepest.map_or(0.0, |deepest| deepest.0.max(0.0));
        self.recent = self.recent.max(self.now);
        if let Some((_, touch)) = deepest.filter(|deepest| deepest.0 > self.overlap.largest) {
            self.overlap = LargestOverlap {
                largest: self.now,
                time: sight.time,
                bodies: names(touch).into(),
            };
        }
        shares.retain(|(share, _)| *share >= THROUGH);
        shares.sort_by(|a, b| {
            b.0.total_cmp(&a.0)
                .then(a.1.line.bodies.cmp(&b.1.line.bodies))
        });
        shares.into_iter().map(|(_, touch)| touch).collect()
    }

    /// The first centre that came through a screen since the last look.
    fn crossed<'a>(&self, sight: &'a Sight) -> Option<(Who, &'a str)> {
        let mut before: [Vec<Option<Point<3>>>; 3] = Default::default();
        for ((kind, number), place) in &self.centres {
            let (list, number) = (&mut before[*kind as usize], *number as usize);
            list.resize(list.len().max(number + 1), None);
            list[number] = Some(Point::from(*place));
        }
        let before = |(kind, number): Who| *before[kind as usize].get(number as usize)?;
        // Who came farther than anything moved went round a periodic side.
        let longest = 1.5 * self.path;
        let mut ways: Vec<(Who, Point<3>, Point<3>)> = sight
            .centres
            .iter()
            .filter_map(|(who, to)| Some((*who, before(*who)?, *to)))
            .filter(|(_, from, to)| (to - from).norm() <= longest)
            .collect();
        ways.sort_by(|a, b| a.2.x.total_cmp(&b.2.x));
        for (placed, then) in sight.screens.iter().zip(&self.poses) {
            let (Some(pose), Some(then)) = (&placed.pose, then.as_ref().and_then(restored)) else {
                continue;
            };
            let [low, up] = placed.screen.stretch(pose);
            let first = ways.partition_point(|way| way.2.x < low - longest);
            let end = ways.partition_point(|way| way.2.x <= up + longest);
            let crossing = ways[first..end].iter().find(|(who, from, to)| {
                placed.owner != Some(*who)
                    && placed
                        .screen
                        .is_crossed(&then.to_local(from), &pose.to_local(to))
            });
            if let Some((who, _, _)) = crossing {
                return Some((*who, &placed.name));
            }
        }
        None
    }

    fn keep(&mut self, sight: &Sight) {
        self.path = 0.0;
        self.thinnest = sight
            .thickness
            .iter()
            .flatten()
            .copied()
            .fold(f64::INFINITY, f64::min);
        self.centres = sight
            .centres
            .iter()
            .map(|(who, place)| (*who, place.coords.into()))
            .collect();
        self.poses = sight
            .screens
            .iter()
            .map(|placed| {
                placed.pose.map(|pose| {
                    let rotation = (*pose.rotation()).into();
                    (rotation, pose.position().coords.into())
                })
            })
            .collect();
    }
}

fn restored((rotation, position): &([[f64; 3]; 3], [f64; 3])) -> Option<Pose<3>> {
    Pose::new(Matrix::<3>::from(*rotation), *position).ok()
}

fn kind(touch: &ContactRow) -> Kind {
    match touch.kind {
        "particles" => Kind::Particles,
        "bodies" => Kind::Bodies,
        _ => Kind::Solids,
    }
}

fn names(touch: &ContactRow) -> [String; 2] {
    touch.line.bodies.map(|body| name((kind(touch), body)))
}

fn name((kind, body): Who) -> String {
    match kind {
        _ if body == u32::MAX => "what it bumps into".to_owned(),
        Kind::Particles => format!("particle {body}"),
        Kind::Bodies => format!("rigid body {body}"),
        Kind::Solids => format!("solid {body}"),
    }
}

/// How thick a body is at its thinnest, seen along its axes and the normals of its faces.
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
