//! Defects of a shape: one vocabulary for the typed errors of the constructors and for reports.

use std::fmt;
use thiserror::Error;

/// The kinds of defects that shapes are checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ProblemKind {
    /// There is nothing to build the shape from.
    Empty,
    /// More items than 32-bit indices can number.
    TooMany,
    /// A list does not have as many entries as the shape has items.
    WrongCount,
    /// An element is of a kind that the shape does not support.
    WrongElement,
    /// A coordinate or radius is NaN, infinite or beyond [`LARGEST_COORDINATE`](crate::space::LARGEST_COORDINATE).
    NotFinite,
    /// A point of a 2D mesh has a non-zero z.
    OffPlane,
    /// A size that must be positive is not.
    NotPositive,
    /// An element refers to a node that does not exist.
    IndexOutOfRange,
    /// An element refers to one node twice.
    RepeatedNode,
    /// Two points of one shape have the same coordinates.
    DuplicatePoint,
    /// The corners of a triangle are collinear.
    ZeroArea,
    /// The corners of a tetrahedron are coplanar, or a surface encloses no volume.
    ZeroVolume,
    /// Two elements have the same nodes.
    DuplicateElement,
    /// An edge belongs to only one triangle.
    OpenEdge,
    /// An edge belongs to more than two triangles.
    NonManifoldEdge,
    /// The triangles around a vertex form more than one fan.
    NonManifoldVertex,
    /// Neighbouring elements disagree on the outward side.
    InconsistentOrientation,
    /// The whole surface faces inward.
    InsideOut,
    /// An element's volume is negative.
    Inverted,
    /// A face belongs to more than two solid elements.
    NonManifoldFace,
    /// A shape that must be convex is not.
    NotConvex,
    /// A polygon intersects itself, is folded by more than a right angle or has no area, so that it
    /// cannot be triangulated.
    NotSimple,
    /// All points of a body that needs a volume are coplanar (or, if it needs an area, collinear).
    Flat,
}

impl ProblemKind {
    /// The stable name used in machine-readable reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooMany => "too-many",
            Self::WrongCount => "wrong-count",
            Self::WrongElement => "wrong-element",
            Self::OffPlane => "off-plane",
            Self::NotFinite => "not-finite",
            Self::NotPositive => "not-positive",
            Self::IndexOutOfRange => "index-out-of-range",
            Self::RepeatedNode => "repeated-node",
            Self::DuplicatePoint => "duplicate-point",
            Self::ZeroArea => "zero-area",
            Self::ZeroVolume => "zero-volume",
            Self::DuplicateElement => "duplicate-element",
            Self::OpenEdge => "open-edge",
            Self::NonManifoldEdge => "non-manifold-edge",
            Self::NonManifoldVertex => "non-manifold-vertex",
            Self::InconsistentOrientation => "inconsistent-orientation",
            Self::InsideOut => "inside-out",
            Self::Inverted => "inverted",
            Self::NonManifoldFace => "non-manifold-face",
            Self::NotConvex => "not-convex",
            Self::NotSimple => "not-simple",
            Self::Flat => "flat",
        }
    }

    /// The defect of the first offending item, as the rest of a sentence that begins with the item.
    fn fault(self) -> &'static str {
        match self {
            Self::Empty => "is empty",
            Self::TooMany => "has more than 2³² − 2 items",
            Self::WrongCount => "has a different number of items than the list given with it",
            Self::WrongElement => "is of a kind that the shape does not support",
            Self::OffPlane => "does not lie in the plane z = 0",
            Self::NotFinite => "has a number that is NaN, infinite or larger than 1e60",
            Self::NotPositive => "must be greater than zero",
            Self::IndexOutOfRange => "names a node that does not exist",
            Self::RepeatedNode => "names the same node twice",
            Self::DuplicatePoint => "has the coordinates of an earlier point",
            Self::ZeroArea => "has zero area",
            Self::ZeroVolume => "has zero volume",
            Self::DuplicateElement => "has the same nodes as another one",
            Self::OpenEdge | Self::NonManifoldEdge => {
                "breaks the surface; a closed surface needs exactly 2 triangles at an edge"
            }
            Self::NonManifoldVertex => "joins parts of the surface that share no edge there",
            Self::InconsistentOrientation => "has neighbours with inconsistent orientation",
            Self::InsideOut => "faces inward; its signed volume is negative",
            Self::Inverted => "is inverted; its signed volume is negative",
            Self::NonManifoldFace => "belongs to more than two elements",
            Self::NotConvex => "is not convex",
            Self::NotSimple => {
                "crosses itself, is folded or has no area, and cannot be cut into triangles"
            }
            Self::Flat => "is flat",
        }
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The item that a problem refers to. Indices start at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Item {
    /// The shape as a whole.
    Whole,
    /// A point, by index.
    Point(usize),
    /// An edge, by its two nodes in ascending order, with its number of triangles.
    Edge {
        /// The two nodes.
        nodes: [u32; 2],
        /// Number of triangles that contain it.
        triangles: usize,
    },
    /// A triangle, by index.
    Triangle(usize),
    /// A face of any kind, by index.
    Face(usize),
    /// A tetrahedron, by index.
    Tetrahedron(usize),
    /// A solid element of any kind, by index.
    Cell(usize),
    /// A face of a solid element (an edge of a flat one), by the index of the element and of the
    /// face in it.
    Side {
        /// The element.
        cell: usize,
        /// The index of the face, in the order of
        /// [`ElementKind::faces`](super::ElementKind::faces).
        side: usize,
    },
    /// A body of a list, by index.
    Body(usize),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => write!(f, "the shape"),
            Self::Point(i) => write!(f, "point {i}"),
            Self::Edge {
                nodes: [a, b],
                triangles,
            } => {
                write!(
                    f,
                    "edge {a}-{b} ({triangles} triangle{})",
                    plural(*triangles)
                )
            }
            Self::Triangle(i) => write!(f, "triangle {i}"),
            Self::Face(i) => write!(f, "face {i}"),
            Self::Tetrahedron(i) => write!(f, "tetrahedron {i}"),
            Self::Cell(i) => write!(f, "element {i}"),
            Self::Side { cell, side } => write!(f, "face {side} of element {cell}"),
            Self::Body(i) => write!(f, "body {i}"),
        }
    }
}

/// A defect of a shape: its kind, the first affected item and the number of affected items.
///
/// ```
/// use impinge::shape::{Item, Problem, ProblemKind};
/// let problem = Problem { kind: ProblemKind::ZeroArea, first: Item::Triangle(7), count: 3 };
/// assert_eq!(problem.to_string(), "triangle 7 has zero area (and 2 more)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Problem {
    /// The kind of defect.
    pub kind: ProblemKind,
    /// The first affected item, in the order of the input.
    pub first: Item,
    /// Number of affected items.
    pub count: usize,
}

impl Problem {
    /// A problem of a shape as a whole.
    pub fn whole(kind: ProblemKind) -> Self {
        Self {
            kind,
            first: Item::Whole,
            count: 1,
        }
    }

    /// The problem shared by all `items`; `None` if there are none.
    pub fn of(kind: ProblemKind, items: impl IntoIterator<Item = Item>) -> Option<Self> {
        let mut items = items.into_iter();
        let first = items.next()?;
        Some(Self {
            kind,
            first,
            count: 1 + items.count(),
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.first, self.kind.fault())?;
        if self.count > 1 {
            write!(f, " (and {} more)", self.count - 1)
        } else {
            Ok(())
        }
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
