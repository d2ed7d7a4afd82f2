//! The walk of \[Schinner1997\] over Voronoi planes, as its listings have it, beside ours.
//!
//! For each kind of pair of features the closest points are tested against the planes that border the
//! other feature's Voronoi region. If one is violated, the neighbour behind it is taken. A vertex under
//! an edge is the paper's "special case"; its treatment is not printed. Here the edge is replaced by
//! the one that the vertex is least deep under, as Lin and Canny do, and if the vertex is under all of them, the
//! bodies collide. Two edges that do not intersect are replaced by one edge and the nearer end of the
//! other.
//!
//! The paper's loop has no other end than a pair that passes. A pair of features that comes a second
//! time therefore comes again for ever: that is a cycle, which the study counts.

use crate::coherent::round_polygon;
use crate::plot::{Curve, log_log};
use crate::study::{Claim, Findings, Table};
use anyhow::Result;
use impinge::narrow::features2::{FeatureCache2, closest};
use impinge::shape::Polygon;
use impinge::space::{Point, Pose, Random};
use std::f64::consts::TAU;
use std::path::Path;

/// A feature of a polygon, by index; edge i goes from corner i to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Vertex(usize),
    Edge(usize),
}

/// The end of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    /// Both closest points are in the Voronoi regions of the other feature, at this distance.
    Apart(f64),
    Colliding,
    /// A pair of features came a second time.
    Cycle,
}

/// What the test of a pair of features says.
enum Verdict {
    Minimum(End),
    Continue([Part; 2]),
}

/// A polygon in world coordinates.
struct Body {
    points: Vec<Point<2>>,
}

impl Body {
    fn new(polygon: &Polygon, pose: &Pose<2>) -> Self {
        let points = polygon.points().iter().map(|p| pose.point(p)).collect();
        Self { points }
    }

    fn next(&self, i: usize) -> usize {
        (i + 1) % self.points.len()
    }

    fn previous(&self, i: usize) -> usize {
        (i + self.points.len() - 1) % self.points.len()
    }

    /// Signed distance of a point from the line of an edge, positive outside.
    fn height(&self, edge: usize, p: &Point<2>) -> f64 {
        let along = self.points[self.next(edge)] - self.points[edge];
        let from = p - self.points[edge];
        (along.y * from.x - along.x * from.y) / along.norm()
    }

    /// The neighbour behind a violated plane of a vertex's region: the edge on that side.
    fn beside_vertex(&self, i: usize, p: &Point<2>) -> Option<Part> {
        let from = p - self.points[i];
        let (next, previous) = (self.next(i), self.previous(i));
        if from.dot(&(self.points[next] - self.points[i])) > 0.0 {
            Some(Part::Edge(i))
        } else if from.dot(&(self.points[previous] - self.points[i])) > 0.0 {
            Some(Part::Edge(previous))
        } else {
            None
        }
    }

    /// The neighbour behind a violated plane of an edge's region: the vertex at that end.
    fn beside_edge(&self, i: usize, p: &Point<2>) -> Option<Part> {
        let next = self.next(i);
        let along = self.points[next] - self.points[i];
        if (p - self.points[i]).dot(&along) < 0.0 {
            Some(Part::Vertex(i))
        } else if (p - self.points[next]).dot(&along) > 0.0 {
            Some(Part::Vertex(next))
        } else {
            None
        }
    }

    /// The edge that a point is least deep under.
    fn outermost(&self, p: &Point<2>) -> (usize, f64) {
        let heights = (0..self.points.len()).map(|i| (i, self.height(i, p)));
        let first = (0, f64::NEG_INFINITY);
        heights.fold(first, |most, h| if h.1 > most.1 { h } else { most })
    }
}

/// `find_closest_features` of the paper, from given features; returns the end and the number of tests.
fn walk(bodies: [&Body; 2], start: [Part; 2]) -> (End, usize) {
    let mut parts = start;
    let mut seen: Vec<[Part; 2]> = Vec::new();
    loop {
        if seen.contains(&parts) {
            return (End::Cycle, seen.len());
        }
        seen.push(parts);
        let verdict = match parts {
            [Part::Vertex(i), Part::Vertex(j)] => vertex_vertex(bodies, [i, j]),
            [Part::Vertex(i), Part::Edge(j)] => vertex_edge(bodies, i, j),
            [Part::Edge(i), Part::Vertex(j)] => match vertex_edge([bodies[1], bodies[0]], j, i) {
                Verdict::Continue([second, first]) => Verdict::Continue([first, second]),
                minimum => minimum,
            },
            [Part::Edge(i), Part::Edge(j)] => edge_edge(bodies, [i, j]),
        };
        match verdict {
            Verdict::Minimum(end) => return (end, seen.len()),
            Verdict::Continue(next) => parts = next,
        }
    }
}

fn vertex_vertex([a, b]: [&Body; 2], [i, j]: [usize; 2]) -> Verdict {
    let (p, q) = (a.points[i], b.points[j]);
    if let Some(part) = a.beside_vertex(i, &q) {
        Verdict::Continue([part, Part::Vertex(j)])
    } else if let Some(part) = b.beside_vertex(j, &p) {
        Verdict::Continue([Part::Vertex(i), part])
    } else {
        Verdict::Minimum(End::Apart((p - q).norm()))
    }
}

fn vertex_edge([a, b]: [&Body; 2], i: usize, j: usize) -> Verdict {
    let p = a.points[i];
    if let Some(part) = b.beside_edge(j, &p) {
        return Verdict::Continue([Part::Vertex(i), part]);
    }

    let height = b.height(j, &p);
    if height <= 0.0 {
        let (edge, least) = b.outermost(&p);
        return match edge == j || least <= 0.0 {
            true => Verdict::Minimum(End::Colliding),
            false => Verdict::Continue([Part::Vertex(i), Part::Edge(edge)]),
        };
    }

    let along = (b.points[b.next(j)] - b.points[j]).normalize();
    let foot = b.points[j] + along * (p - b.points[j]).dot(&along);
    match a.beside_vertex(i, &foot) {
        Some(part) => Verdict::Continue([part, Part::Edge(j)]),
        None => Verdict::Minimum(End::Apart(height)),
    }
}

fn edge_edge([a, b]: [&Body; 2], [i, j]: [usize; 2]) -> Verdict {
    let ends_of = |body: &Body, edge: usize| [edge, body.next(edge)];
    let [of_a, of_b] = [ends_of(a, i), ends_of(b, j)];
    let parted = |body: &Body, edge: usize, other: &Body, ends: [usize; 2]| {
        let [h, g] = ends.map(|end| body.height(edge, &other.points[end]));
        (h <= 0.0) != (g <= 0.0)
    };
    if parted(a, i, b, of_b) && parted(b, j, a, of_a) {
        return Verdict::Minimum(End::Colliding);
    }

    // One edge is replaced by the end that is nearest to the other.
    let distance = |body: &Body, edge: usize, p: &Point<2>| {
        let [from, to] = ends_of(body, edge).map(|end| body.points[end]);
        let along = to - from;
        let share = ((p - from).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        (p - (from + along * share)).norm()
    };
    let first = of_a.map(|end| {
        (
            distance(b, j, &a.points[end]),
            [Part::Vertex(end), Part::Edge(j)],
        )
    });
    let second = of_b.map(|end| {
        (
            distance(a, i, &b.points[end]),
            [Part::Edge(i), Part::Vertex(end)],
        )
    });
    let all = first.into_iter().chain(second);
    let nearest = all.min_by(|a, b| a.0.total_cmp(&b.0));
    Verdict::Continue(nearest.map_or([Part::Edge(i), Part::Edge(j)], |found| found.1))
}

/// Counts over many pairs.
#[derive(Default)]
struct Counts {
    pairs: usize,
    cycles: usize,
    /// Ends that contradict the exact result: apart or colliding, or a distance off by more than 1e-9.
    wrong: usize,
    tests: usize,
    our_tests: usize,
}

impl Counts {
    fn share(&self, count: usize) -> f64 {
        100.0 * count as f64 / self.pairs.max(1) as f64
    }
}

/// How the second polygon lies.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Apart,
    Overlapping,
    /// Two equal regular polygons whose edges are parallel.
    Parallel,
}

pub(crate) fn run(folder: &Path, pairs: usize, findings: &mut Findings) -> Result<()> {
    let mut table = Table::new(&[
        "place", "corners", "pairs", "cycles", "wrong", "tests", "ours",
    ]);
    let places = [Place::Apart, Place::Overlapping, Place::Parallel];
    let names = ["apart", "overlapping", "parallel edges"];
    let mut sums: [Counts; 3] = Default::default();
    let mut curves = ["planes, apart", "ours, apart"].map(|label| Curve {
        label: label.into(),
        points: Vec::new(),
    });

    for corners in [4, 8, 16, 32, 64, 128] {
        for (k, place) in places.into_iter().enumerate() {
            let counts = count(place, corners, pairs)?;
            let each = [counts.tests, counts.our_tests].map(|n| n as f64 / pairs as f64);
            table.row(&[
                &names[k],
                &corners,
                &pairs,
                &counts.cycles,
                &counts.wrong,
                &each[0],
                &each[1],
            ]);
            if place == Place::Apart {
                for (curve, tests) in curves.iter_mut().zip(each) {
                    curve.points.push((corners as f64, tests));
                }
            }
            sums[k].pairs += counts.pairs;
            sums[k].cycles += counts.cycles;
            sums[k].wrong += counts.wrong;
        }
    }

    table.save(&folder.join("voronoi_planes.csv"))?;
    log_log(
        &folder.join("voronoi_planes.svg"),
        "The walk over Voronoi planes from unrelated features",
        "corners",
        "tests for each pair",
        &curves,
    )?;
    report(&sums, names, findings);
    Ok(())
}

fn report(sums: &[Counts; 3], names: [&str; 3], findings: &mut Findings) {
    let cycles: Vec<String> = (sums.iter().zip(names))
        .map(|(sum, name)| format!("{name} {} of {}", sum.cycles, sum.pairs))
        .collect();
    findings.claim(
        Claim::refuted(
            "Closest Feature Algorithm",
            "the loop over Voronoi planes ends for every pair of polygons",
        ),
        sums.iter().all(|sum| sum.cycles == 0),
        format!("cycles: {}", cycles.join(", ")),
    );
    let [apart, overlapping, _] = sums;
    findings.claim(
        Claim::held(
            "Closest features",
            "features in each other's Voronoi regions are the closest, for polygons that are apart",
        ),
        apart.wrong == 0,
        format!(
            "{} of {} distances are wrong",
            apart.wrong,
            apart.pairs - apart.cycles
        ),
    );
    findings.claim(
        Claim::held(
            "Closest features",
            "the sign of the distance decides whether overlapping polygons collide",
        ),
        overlapping.wrong + overlapping.cycles == 0,
        format!(
            "{:.2} % of the overlapping pairs end as apart, {:.2} % in a cycle",
            overlapping.share(overlapping.wrong),
            overlapping.share(overlapping.cycles)
        ),
    );
}

fn count(place: Place, corners: usize, pairs: usize) -> Result<Counts> {
    let mut random = Random::new(corners as u64 + 100 * place as u64);
    let mut counts = Counts::default();

    while counts.pairs < pairs {
        let [a, b] = match place {
            Place::Parallel => [(); 2].map(|()| regular(corners)),
            _ => [(); 2].map(|()| round_polygon(&mut random, corners)),
        };
        let distance = match place {
            Place::Overlapping => random.within(0.2, 1.8),
            _ => random.within(2.02, 4.0),
        };
        let (way, turn) = match place {
            // Along a normal, and so that edges are parallel up to rounding.
            Place::Parallel => (
                TAU * (random.below(corners) as f64 + 0.5) / corners as f64,
                TAU * random.below(corners) as f64 / corners as f64,
            ),
            _ => (random.within(0.0, TAU), random.within(0.0, TAU)),
        };
        let pose = Pose::from_angle(turn, [distance * way.cos(), distance * way.sin()])?;
        let rest = Pose::identity();
        let exact = closest(&a, &rest, &b, &pose, &mut FeatureCache2::default());
        if (place == Place::Overlapping) != (exact.contact.gap < 0.0) {
            continue;
        }

        let start = [(); 2].map(|()| Part::Vertex(random.below(corners)));
        let (end, tests) = walk([&Body::new(&a, &rest), &Body::new(&b, &pose)], start);
        counts.pairs += 1;
        counts.tests += tests;
        counts.our_tests += exact.tests as usize;
        match end {
            End::Cycle => counts.cycles += 1,
            End::Colliding => counts.wrong += usize::from(exact.contact.gap > 0.0),
            End::Apart(gap) => counts.wrong += usize::from((gap - exact.contact.gap).abs() > 1e-9),
        }
    }
    Ok(counts)
}

fn regular(corners: usize) -> Polygon {
    let angle = |i: usize| TAU * i as f64 / corners as f64;
    let points: Vec<Point<2>> = (0..corners)
        .map(|i| Point::from([angle(i).cos(), angle(i).sin()]))
        .collect();
    Polygon::new(&points).expect("a regular polygon is convex")
}

#[cfg(test)]
mod tests;
