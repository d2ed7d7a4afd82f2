//! Properties and defects of an arbitrary, possibly broken list of triangles: everything that
//! `Surface` would reject one by one.

use super::edges::{MOST_TRIANGLES, visit_edges};
use super::surface::{area, misoriented, signed_volume, zero_area};
use super::union::Union;
use super::{Item, Problem, ProblemKind, check, closing_weld, edges::Edges, weld};
use crate::space::Point;

/// Properties of a triangle mesh.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SurfaceReport {
    /// Every edge has at least two triangles.
    pub closed: bool,
    /// Neighbours across every edge agree on the outward side, and the enclosed volume is not
    /// negative.
    pub oriented: bool,
    /// No edge has more than two triangles, and the triangles around every vertex form one fan.
    pub manifold: bool,
    /// Number of components connected over edges.
    pub components: usize,
    /// Total number of handles of all components; `None` if the surface is not closed and
    /// edge-manifold.
    pub genus: Option<usize>,
    /// Total area of the triangles.
    pub area: f64,
    /// Enclosed volume; `None` if the surface is not closed and consistently oriented.
    pub volume: Option<f64>,
    /// Minimum and mean quality of the triangles: 4√3·area / Σ edge², 1 for equilateral, 0 for
    /// degenerate.
    pub quality: Option<Quality>,
    /// Lengths of the shortest and the longest edge.
    pub edge_lengths: [f64; 2],
    /// The smallest tolerance at which merging points closes the surface: zero or a power of ten.
    /// `None` if it is already closed, or if that would take more than a thousandth of its size.
    pub closing_weld: Option<f64>,
    /// All problems, in the order in which they are checked.
    pub problems: Vec<Problem>,
}

/// Shape quality of the elements, from 0 (degenerate) to 1 (regular).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Quality {
    /// Quality of the worst element.
    pub least: f64,
    /// Mean quality.
    pub mean: f64,
}

impl Quality {
    /// Summarises the qualities of all elements; `None` if there are none.
    pub(crate) fn of(qualities: impl IntoIterator<Item = f64>) -> Option<Self> {
        let (mut least, mut sum, mut count) = (f64::INFINITY, 0.0, 0usize);
        for quality in qualities {
            least = least.min(quality);
            sum += quality;
            count += 1;
        }

        (count > 0).then(|| Self {
            least,
            mean: sum / count as f64,
        })
    }
}

/// Inspects a triangle mesh. Triangles with missing nodes, repeated nodes or unusable coordinates
/// are reported and excluded from the rest.
pub fn inspect_triangles(points: &[Point<3>], triangles: &[[u32; 3]]) -> SurfaceReport {
    let mut problems = Vec::new();
    if triangles.is_empty() {
        problems.push(Problem::whole(ProblemKind::Empty));
    }

    if triangles.len() > MOST_TRIANGLES {
        problems.push(Problem::whole(ProblemKind::TooMany));
    }

    problems.extend(check::not_finite(points));
    problems.extend(check::out_of_range(triangles, points.len(), Item::Triangle));
    problems.extend(check::repeated_node(triangles, Item::Triangle));
    let usable = usable_triangles(points, triangles);
    problems.extend(duplicate_points(points));
    problems.extend(check::duplicate(triangles, Item::Triangle));

    if usable.len() == triangles.len() {
        // Indices in the report refer to the input only if nothing was excluded.
        problems.extend(zero_area(points, triangles));
    }

    report_geometry(points, &usable, problems)
}

fn report_geometry(
    points: &[Point<3>],
    triangles: &[[u32; 3]],
    mut problems: Vec<Problem>,
) -> SurfaceReport {
    let edges = Edges::of(points.len(), triangles);
    problems.extend(edges.problems());
    let fans = Fans::of(points.len(), triangles);
    problems.extend(fans.problem);
    let closed = !triangles.is_empty() && edges.open.is_none();
    let consistent = edges.inconsistent.is_none() && edges.non_manifold.is_none();
    let facing = if closed && consistent {
        misoriented(points, triangles)
    } else {
        None
    };
    problems.extend(facing);
    let components = fans.components(points.len(), triangles);

    SurfaceReport {
        closed,
        oriented: consistent && facing.is_none_or(|problem| problem.kind != ProblemKind::InsideOut),
        manifold: edges.non_manifold.is_none() && fans.problem.is_none(),
        components,
        genus: (closed && consistent)
            .then(|| genus(fans.count, edges.count, triangles.len(), components)),
        area: area(points, triangles),
        volume: (closed && consistent).then(|| signed_volume(points, triangles).0),
        quality: Quality::of(
            triangles
                .iter()
                .map(|t| triangle_quality(t.map(|n| points[n as usize]))),
        ),
        edge_lengths: edge_lengths(points, triangles),
        closing_weld: closing_weld(points, triangles),
        problems,
    }
}

/// V − E + F = 2 (components − genus), with a vertex counted once for each fan so that touching
/// shells count separately.
fn genus(vertices: usize, edges: usize, faces: usize, components: usize) -> usize {
    ((2 * components + edges) - vertices - faces) / 2
}

fn usable_triangles(points: &[Point<3>], triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let usable = |&[a, b, c]: &[u32; 3]| {
        let known = |n: u32| points.get(n as usize).is_some_and(crate::space::is_usable);
        a != b && b != c && c != a && known(a) && known(b) && known(c)
    };
    triangles
        .iter()
        .copied()
        .filter(usable)
        .take(MOST_TRIANGLES)
        .collect()
}

fn duplicate_points(points: &[Point<3>]) -> Option<Problem> {
    let (_, number) = weld(points);
    // A point with an earlier number is a duplicate: numbers are assigned in order of first
    // appearance.
    let mut next = 0;
    let repeated = number.iter().enumerate().filter(|&(_, &n)| {
        let first = n == next;
        next += u32::from(first);
        !first
    });

    Problem::of(
        ProblemKind::DuplicatePoint,
        repeated.map(|(i, _)| Item::Point(i)),
    )
}

/// 4√3·area / Σ edge².
fn triangle_quality([a, b, c]: [Point<3>; 3]) -> f64 {
    let edges = (b - a).norm_squared() + (c - b).norm_squared() + (a - c).norm_squared();
    let twice_area = (b - a).cross(&(c - a)).norm();
    if edges > 0.0 {
        2.0 * 3f64.sqrt() * twice_area / edges
    } else {
        0.0
    }
}

fn edge_lengths(points: &[Point<3>], triangles: &[[u32; 3]]) -> [f64; 2] {
    let lengths = triangles.iter().flat_map(|t| {
        let [a, b, c] = t.map(|n| points[n as usize]);
        [(b - a).norm(), (c - b).norm(), (a - c).norm()]
    });
    let [least, largest] =
        lengths.fold([f64::INFINITY, 0.0], |[low, up], l| [low.min(l), up.max(l)]);

    [least.min(largest), largest]
}

/// The fans of triangles around the vertices: corners connected over edges at their vertex.
struct Fans {
    count: usize,
    problem: Option<Problem>,
}

impl Fans {
    fn of(node_count: usize, triangles: &[[u32; 3]]) -> Self {
        let mut corners = Union::new(triangles.len() * 3);
        visit_edges(node_count, triangles, |nodes, half_edges| {
            for node in nodes {
                let corner = |triangle: usize| {
                    let place = triangles[triangle]
                        .iter()
                        .position(|&n| n == node)
                        .expect("an end of its edge");
                    (3 * triangle + place) as u32
                };
                let first = corner(half_edges[0].triangle());

                half_edges[1..]
                    .iter()
                    .for_each(|other| corners.join(first, corner(other.triangle())));
            }
        });
        let mut fans_at = vec![0u32; node_count];

        for (corner, &node) in (0u32..).zip(triangles.as_flattened()) {
            fans_at[node as usize] += u32::from(corners.find(corner) == corner);
        }

        let pinched = fans_at.iter().enumerate().filter(|&(_, &fans)| fans > 1);
        let problem = Problem::of(
            ProblemKind::NonManifoldVertex,
            pinched.map(|(i, _)| Item::Point(i)),
        );

        Self {
            count: corners.count(),
            problem,
        }
    }

    fn components(&self, node_count: usize, triangles: &[[u32; 3]]) -> usize {
        connected(node_count, triangles).count()
    }
}

/// The component of each triangle, connected over shared edges and numbered from 0 in order of
/// first appearance.
pub fn connected_triangles(node_count: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    connected(node_count, triangles).labels()
}

fn connected(node_count: usize, triangles: &[[u32; 3]]) -> Union {
    let mut parts = Union::new(triangles.len());
    visit_edges(node_count, triangles, |_, half_edges| {
        let first = half_edges[0].triangle() as u32;
        half_edges[1..]
            .iter()
            .for_each(|other| parts.join(first, other.triangle() as u32));
    });

    parts
}

#[cfg(test)]
mod tests;
