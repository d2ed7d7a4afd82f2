//! The JSON description of a run or another result that the page receives; its counterpart is
//! `viewer/src/types.ts`.

use impinge::space::{Aabb, Point};
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the format. It changes when an old page could no longer read it.
pub(super) const FORMAT: u32 = 1;

#[derive(Clone, Debug, Serialize)]
pub(super) struct Manifest {
    pub(super) format: u32,
    /// Version of this program.
    pub(super) program: &'static str,
    /// Version of the program that wrote the run.
    pub(super) written_by: Option<String>,
    pub(super) title: String,
    pub(super) state: State,
    /// The reason why there is nothing to show, as a sentence.
    pub(super) problem: Option<String>,
    pub(super) notes: Vec<String>,
    pub(super) dimension: u8,
    pub(super) origin: [f64; 3],
    pub(super) bounds: Option<Bounds>,
    pub(super) gravity: Option<[f64; 3]>,
    pub(super) duration: Option<f64>,
    pub(super) series: Vec<SeriesInfo>,
    pub(super) ranges: BTreeMap<String, [f64; 2]>,
    pub(super) walls: Vec<WallInfo>,
    pub(super) materials: Vec<String>,
    pub(super) history: Option<TableInfo>,
    pub(super) events: Vec<TimelineEvent>,
}

impl Manifest {
    /// Describes something without frames yet.
    pub(super) fn new(title: String, state: State) -> Self {
        Self {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION"),
            written_by: None,
            title,
            state,
            problem: None,
            notes: Vec::new(),
            dimension: 3,
            origin: [0.0; 3],
            bounds: None,
            gravity: None,
            duration: None,
            series: Vec::new(),
            ranges: BTreeMap::new(),
            walls: Vec::new(),
            materials: Vec::new(),
            history: None,
            events: Vec::new(),
        }
    }
}

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    Computing,
    Stopped,
    Finished,
    /// Not a run: the result of another command.
    Still,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

impl From<Aabb<3>> for Bounds {
    fn from(bounds: Aabb<3>) -> Self {
        Self {
            min: bounds.min.into(),
            max: bounds.max.into(),
        }
    }
}

impl From<Bounds> for Aabb<3> {
    fn from(bounds: Bounds) -> Self {
        Self::new(bounds.min, bounds.max)
    }
}

/// One kind of object over time.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SeriesInfo {
    pub(super) kind: String,
    /// Noun for people, in the plural.
    pub(super) label: String,
    pub(super) role: Role,
    pub(super) frames: Vec<FrameInfo>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    Matter,
    Walls,
    Contacts,
    /// Edges and points that stand out, such as the problems of a mesh.
    Marks,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct FrameInfo {
    pub(super) time: f64,
    /// Path by which the page requests it.
    pub(super) path: String,
}

/// A wall; a half-space has a point and a normal.
#[derive(Clone, Debug, Serialize)]
pub(super) struct WallInfo {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) point: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) normal: Option<[f64; 3]>,
}

/// A table that may grow.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TableInfo {
    pub(super) path: String,
    pub(super) bytes: u64,
}

/// An event marked on the time line.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TimelineEvent {
    pub(super) time: f64,
    pub(super) text: String,
}

/// Returns an origin for a box: zero unless 32 bits would lose digits there.
pub(super) fn origin_for(bounds: &Aabb<3>) -> Point<3> {
    let centre = bounds.centre();
    let is_far = centre.coords.norm() > 4.0 * bounds.longest_edge();
    if is_far && centre.iter().all(|x| x.is_finite()) {
        centre
    } else {
        Point::origin()
    }
}
