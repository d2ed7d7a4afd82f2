//! A surface with its hierarchy of balls, built once and shared by all bodies of that shape.
//!
//! [`BallTree`] gives the topology of the tree. A ball around balls is up to twice as large as
//! their contents, so each ball is fitted again to the corners below it. This wakes the engine
//! later: by 20 ms of 15 s in the example of [Aragon2013, section 5.1]. A fitted ball need not
//! enclose its children's balls, only their contents. O(n log n), about 10 ns per corner and level.

use crate::bound::{Ball, Bound};
use crate::narrow::meshes::TriangleTree;
use crate::shape::{Problem, Surface, check_triangles, zero_area};
use crate::space::Point;
use crate::tree::{BallTree, Builder};
use std::sync::{Arc, OnceLock};

/// A surface prepared for a [`Forecast`](super::Forecast). Cheap to clone: clones share all data.
///
/// ```
/// use impinge::detect::forecast::Prepared;
/// use impinge::shape::generate;
/// let ball = Prepared::new(&generate::sphere(4)?);
/// assert!((ball.bounds().radius - 1.0).abs() < 1e-12, "the balls are fitted to the corners");
/// # Ok::<(), generate::InvalidArgument>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prepared(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    points: Vec<Point<3>>,
    triangles: Vec<[u32; 3]>,
    closed: bool,
    balls: BallTree<3>,
    /// Built by the first overlap test, which most bodies never need.
    faces: OnceLock<TriangleTree>,
}

impl Prepared {
    /// Prepares a closed surface.
    pub fn new(surface: &Surface) -> Self {
        Self::built(
            surface.points().to_vec(),
            surface.triangles().to_vec(),
            true,
            Builder::Auto,
        )
    }

    /// Prepares any triangles, closed or not, with a chosen builder of the hierarchy. The error
    /// names the first triangle that has no area, a missing node or a coordinate that is not
    /// finite.
    pub fn of_triangles(
        points: &[Point<3>],
        triangles: &[[u32; 3]],
        builder: Builder,
    ) -> Result<Self, Problem> {
        check_triangles(points, triangles)?;
        zero_area(points, triangles).map_or(Ok(()), Err)?;
        Ok(Self::built(
            points.to_vec(),
            triangles.to_vec(),
            false,
            builder,
        ))
    }

    fn built(
        points: Vec<Point<3>>,
        triangles: Vec<[u32; 3]>,
        closed: bool,
        builder: Builder,
    ) -> Self {
        let corners = |t: &[u32; 3]| t.map(|n| points[n as usize]);
        let balls: Vec<Ball<3>> = triangles
            .iter()
            .map(|t| Ball::smallest(&corners(t)))
            .collect();
        let mut balls = BallTree::build(&balls, builder);
        fit(&mut balls, &points, &triangles);

        Self(Arc::new(Shared {
            points,
            triangles,
            closed,
            balls,
            faces: OnceLock::new(),
        }))
    }

    /// Returns the bounding ball.
    pub fn bounds(&self) -> Ball<3> {
        self.balls().bounds()
    }

    /// Returns the point indices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.0.triangles
    }

    /// Returns the points.
    pub fn points(&self) -> &[Point<3>] {
        &self.0.points
    }

    /// Returns whether it was built from a closed surface, which has an inside.
    pub fn is_closed(&self) -> bool {
        self.0.closed
    }

    pub(super) fn balls(&self) -> &BallTree<3> {
        &self.0.balls
    }

    pub(super) fn faces(&self) -> &TriangleTree {
        let shared = &self.0;
        shared.faces.get_or_init(|| {
            TriangleTree::built(
                shared.points.clone(),
                shared.triangles.clone(),
                shared.closed,
            )
        })
    }

    /// The corners of a triangle, in the body frame.
    pub(super) fn corners(&self, face: u32) -> [Point<3>; 3] {
        self.0.triangles[face as usize].map(|n| self.0.points[n as usize])
    }
}

impl From<TriangleTree> for Prepared {
    fn from(faces: TriangleTree) -> Self {
        let (points, triangles) = (faces.points().to_vec(), faces.triangles().to_vec());
        let prepared = Self::built(points, triangles, faces.is_closed(), Builder::Auto);
        // The cell is new and still empty.
        let _ = prepared.0.faces.set(faces);
        prepared
    }
}

impl From<&Surface> for Prepared {
    fn from(surface: &Surface) -> Self {
        Self::new(surface)
    }
}

/// Fits every ball to the corners below it, if that makes it smaller.
fn fit(balls: &mut BallTree<3>, points: &[Point<3>], triangles: &[[u32; 3]]) {
    let mut seen = vec![u32::MAX; points.len()];
    let mut below = Vec::new();
    for number in 0..balls.nodes.len() as u32 {
        let item_range = balls.item_range(number);
        if item_range.len() == 1 {
            continue;
        }

        below.clear();
        for &face in &balls.items()[item_range] {
            for corner in triangles[face as usize].map(|n| n as usize) {
                if std::mem::replace(&mut seen[corner], number) != number {
                    below.push(points[corner]);
                }
            }
        }

        let fitted = Ball::of(&below);
        let bounds = &mut balls.nodes[number as usize].bounds;
        if fitted.radius < bounds.radius {
            *bounds = fitted;
        }
    }
}
