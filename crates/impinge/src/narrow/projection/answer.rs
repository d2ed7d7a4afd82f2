//! Result types of a projection.

use crate::space::{Point, Vector};

/// The part of a face that a closest point lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum On {
    /// The interior of the face.
    Face,
    /// The interior of an edge, by its index within the face: edge k runs from corner k to the
    /// next.
    Edge(u8),
    /// A corner, by its index within the face. The two ends of a line are its corners.
    Vertex(u8),
}

impl On {
    /// Returns `face`, `edge` or `vertex`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Face => "face",
            Self::Edge(_) => "edge",
            Self::Vertex(_) => "vertex",
        }
    }
}

/// Certainty of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Status {
    /// The closest point, proven to be unique up to rounding.
    Unique,
    /// A closest point, proven; another one elsewhere is as close up to rounding.
    Several,
    /// The best point found. No other is closer by more than the error bound.
    Unsure,
}

impl Status {
    /// Returns `unique`, `several` or `unsure`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unique => "unique",
            Self::Several => "several",
            Self::Unsure => "unsure",
        }
    }
}

/// The closest point of a face to a point [Aragon2013, eq. (16)].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Projection<const D: usize> {
    /// Natural coordinates ξ of the closest point.
    pub local: [f64; 2],
    /// The closest point x(ξ).
    pub point: Point<D>,
    /// Unit vector on the outer side, such that the projected point is `point + gap · normal`. In
    /// the interior of a face it is the face's normal; on an edge or a vertex it points towards the
    /// projected point. If the gap is too small to define a direction it is the face's normal, or
    /// the first axis if the face has none either (its tangents are parallel).
    pub normal: Vector<D>,
    /// Distance, negative behind the face.
    pub gap: f64,
    /// The part of the face that contains the closest point.
    pub on: On,
    /// Certainty of the result.
    pub status: Status,
    /// The true distance is at most |gap| and at least |gap| − `error`.
    pub error: f64,
    /// Number of Newton steps; zero for closed formulas.
    pub iterations: u32,
}
