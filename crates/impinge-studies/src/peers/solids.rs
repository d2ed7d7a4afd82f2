//! Deforming solids, compared with parry's hierarchy with separating axes, CGAL, libigl, MeshLib and
//! the IPC Toolkit: one thread, ms per step.
//!
//! One case is a V of 96,000 tetrahedra whose legs pass through each other; the other is two Vs dragged
//! through each other. A step updates the boxes and lists all (face, tetrahedron) pairs. The peer with
//! parry refits its hierarchy and decides by 23 separating axes in f64; it skips pairs that share a
//! node. The others support surfaces only. The time of CGAL, libigl and MeshLib is for all pairs of
//! surface triangles, that of the IPC Toolkit for its broad phase of edges and faces.

use super::program;
use crate::study::{self, Findings, Table, growth_exponent, timed};
use anyhow::{Result, ensure};
use impinge::narrow::solids::{
    Depths, FaceHit, SolidContacts, SolidMethod, SolidOptions, penetrations,
};
use impinge::shape::{Solid, generate::Vee};
use impinge::space::{Point, Vector};
use impinge::tree::BucketOptions;
use std::path::Path;

/// Number of measured steps; the fastest counts, because the others were disturbed.
const STEPS: usize = 7;

/// A motion of one or two solids.
struct Case {
    name: &'static str,
    vee: Vee,
    is_pair: bool,
}

impl Case {
    fn points(&self, step: usize) -> [Vec<Point<3>>; 2] {
        let t = step as f64 / STEPS as f64;
        let angle = |a: f64| self.vee.points(a).expect("in range");
        if !self.is_pair {
            return [angle(-0.38 - 0.04 * t), Vec::new()];
        }

        let shift = Vector::from([0.31, 0.7 + 0.1 * t, 0.17]);
        [angle(0.6), angle(0.5).iter().map(|p| p + shift).collect()]
    }
}

/// Milliseconds per step, the hits of the last step, and milliseconds for their depths.
struct Measured {
    ms: f64,
    hits: Vec<(u32, u32)>,
    depths_ms: Option<f64>,
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = study::folder("peers-solids")?;
    let mut table = Table::new(&[
        "case",
        "program",
        "tetrahedra",
        "faces",
        "hits",
        "missed",
        "extra",
        "ms",
    ]);
    let mut findings = Findings::default();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let count = if quick { 6_000 } else { 96_000 };

    for (name, is_pair) in [("self", false), ("pair", true)] {
        let case = Case {
            name,
            vee: Vee::new(count)?,
            is_pair,
        };
        one_thread.install(|| compare(&case, &folder, &mut table, &mut findings, quick))?;
    }

    one_thread.install(|| growth(&mut findings, quick))?;
    table.save(&folder.join("solids.csv"))?;
    Ok(findings)
}

fn compare(
    case: &Case,
    folder: &Path,
    table: &mut Table,
    findings: &mut Findings,
    quick: bool,
) -> Result<()> {
    let solid = Solid::new(&case.points(0)[0], case.vee.tetrahedra())?;
    let sizes = (solid.tetrahedra().len(), solid.boundary_triangles().len());
    println!(
        "\n{}: {} tetrahedra, {} boundary faces",
        case.name, sizes.0, sizes.1
    );
    println!(
        "  {:<24}{:>10}{:>9}{:>9}{:>10}",
        "", "hits", "missed", "extra", "ms"
    );
    let own = ours(case, SolidMethod::Auto)?;

    let mut enter = |name: &str, measured: &Measured| {
        let [missed, extra] =
            [(&own, measured), (measured, &own)].map(|(of, not_in)| difference(of, not_in));
        println!(
            "  {name:<24}{:>10}{missed:>9}{extra:>9}{:>10.2}",
            measured.hits.len(),
            measured.ms
        );
        let cells: [&dyn std::fmt::Display; 8] = [
            &case.name,
            &name,
            &sizes.0,
            &sizes.1,
            &measured.hits.len(),
            &missed,
            &extra,
            &measured.ms,
        ];
        table.row(&cells);
        (missed, extra)
    };
    enter("impinge", &own);
    if let Some(ms) = own.depths_ms {
        let (count, ratio) = (own.hits.len(), ms / own.ms);
        findings.timing(
            ratio <= 3.0,
            format!(
                "{}: depths of {count} hits take {ms:.1} ms, {ratio:.1} times the search (3 asked)",
                case.name
            ),
        );
    }
    let buckets = ours(case, SolidMethod::Buckets(BucketOptions::default()))?;
    let (missed, extra) = enter("impinge, BucketTree", &buckets);
    findings.check(
        missed + extra == 0,
        format!("{}: the paper's method finds the same pairs", case.name),
    );

    if quick {
        let brute = ours(case, SolidMethod::BruteForce)?;
        let (missed, extra) = enter("impinge, brute force", &brute);
        findings.check(
            missed + extra == 0,
            format!("{}: brute force finds the same pairs", case.name),
        );
    }

    match parry(case) {
        Ok(peer) => {
            enter("parry + axes", &peer);
            let ratio = peer.ms / own.ms;
            findings.timing(
                ratio >= 2.0,
                format!("{}: {ratio:.2} times as fast as parry", case.name),
            );
        }
        Err(reason) => findings.skip(format!("{}, parry", case.name), format!("{reason:#}")),
    }

    match cgal(case, folder) {
        Ok([ms, pairs]) => {
            println!(
                "  {:<24}{pairs:>10}{ms:>28.2}  (pairs of surface triangles only)",
                "CGAL"
            )
        }
        Err(reason) => findings.skip(format!("{}, CGAL", case.name), format!("{reason:#}")),
    }

    for name in ["libigl", "MeshLib"] {
        match surfaces(case, folder, name) {
            Ok([ms, pairs]) => {
                println!("  {name:<24}{pairs:>10}{ms:>28.2}  (pairs of surface triangles only)")
            }
            Err(reason) => findings.skip(format!("{}, {name}", case.name), format!("{reason:#}")),
        }
    }

    match toolkit(case, folder) {
        Ok(ms) => println!(
            "  {:<24}{:>38.2}  (surface, broad phase only)",
            "IPC Toolkit", ms
        ),
        Err(reason) => findings.skip(format!("{}, IPC Toolkit", case.name), format!("{reason:#}")),
    }

    Ok(())
}

/// Counts the hits of the first that are not in the second.
fn difference(of: &Measured, not_in: &Measured) -> usize {
    of.hits
        .iter()
        .filter(|hit| not_in.hits.binary_search(hit).is_err())
        .count()
}

fn ours(case: &Case, method: SolidMethod) -> Result<Measured> {
    let [first, second] = case.points(0);
    let mut solids = vec![Solid::new(&first, case.vee.tetrahedra())?];
    if case.is_pair {
        solids.push(Solid::new(&second, case.vee.tetrahedra())?);
    }

    let options = SolidOptions {
        method,
        ..SolidOptions::default()
    };
    let mut contacts: Vec<SolidContacts> = solids
        .iter()
        .map(|s| SolidContacts::new(s, options))
        .collect();
    let (mut hits, mut other, mut best) = (Vec::new(), Vec::new(), f64::INFINITY);

    for step in 0..=STEPS {
        for (solid, points) in solids.iter_mut().zip(case.points(step)) {
            solid.set_points(&points)?;
        }

        let ((), seconds) = timed(|| {
            contacts
                .iter_mut()
                .zip(&solids)
                .for_each(|(contacts, solid)| contacts.update(solid));
            match (&mut contacts[..], &solids[..]) {
                ([a, b], [one, two]) => a.find_between(one, b, two, [&mut hits, &mut other]),
                _ => contacts[0].find_self(&solids[0], &mut hits),
            }
        });

        best = if step == 0 { best } else { best.min(seconds) };
    }

    let numbers = |hits: &[FaceHit], shift: u32| -> Vec<(u32, u32)> {
        hits.iter()
            .map(|hit| (hit.face + shift, hit.tetrahedron))
            .collect()
    };
    let depths_ms = (0..3)
        .map(|_| timed(|| depths(&solids, [&hits, &other])).1 * 1e3)
        .reduce(f64::min);
    let faces = solids[0].boundary_triangles().len() as u32;
    let mut all = numbers(&hits, 0);
    all.extend(numbers(&other, faces));

    Ok(Measured {
        ms: best * 1e3,
        hits: all,
        depths_ms,
    })
}

/// Computes the depths of all hits, from nothing: the nearest faces of all nodes, too.
fn depths(solids: &[Solid], [of_one, of_two]: [&[FaceHit]; 2]) -> usize {
    let all: Vec<Depths> = solids.iter().map(Depths::new).collect();
    let mut deepest = Vec::new();
    match (solids, &all[..]) {
        ([one, two], [in_one, in_two]) => {
            penetrations(one, two, of_one, in_two, &mut deepest);
            let count = deepest.len();
            penetrations(two, one, of_two, in_one, &mut deepest);
            count + deepest.len()
        }
        _ => {
            penetrations(&solids[0], &solids[0], of_one, &all[0], &mut deepest);
            deepest.len()
        }
    }
}

/// Checks that the time grows little faster than the number of tetrahedra.
fn growth(findings: &mut Findings, quick: bool) -> Result<()> {
    let counts: &[usize] = if quick {
        &[6_000, 24_000]
    } else {
        &[96_000, 1_000_000]
    };
    let mut points = Vec::new();

    for &count in counts {
        let case = Case {
            name: "growth",
            vee: Vee::new(count)?,
            is_pair: false,
        };
        points.push((count as f64, ours(&case, SolidMethod::Auto)?.ms));
    }

    let ratio = points[points.len() - 1].1 / points[0].1;
    println!(
        "\nself, ms against tetrahedra: {points:.1?} (exponent {:.2})",
        growth_exponent(&points)
    );
    let times = counts[1] as f64 / counts[0] as f64;
    findings.timing(
        ratio < 1.2 * times,
        format!("{times:.1} times the tetrahedra cost {ratio:.1} times as much"),
    );

    Ok(())
}

#[cfg(feature = "parry")]
fn parry(case: &Case) -> Result<Measured> {
    let points = case.points(0);
    let solids: Vec<Solid> = points[..1 + usize::from(case.is_pair)]
        .iter()
        .map(|points| Solid::new(points, case.vee.tetrahedra()))
        .collect::<Result<_, _>>()?;
    Ok(axes::measure(case, solids))
}

#[cfg(not(feature = "parry"))]
fn parry(_: &Case) -> Result<Measured> {
    anyhow::bail!("it is built in with --features parry only")
}

/// parry's hierarchy over the tetrahedra, with hand-written separating axes.
#[cfg(feature = "parry")]
mod axes {
    use super::*;
    use parry3d_f64::bounding_volume::Aabb;
    use parry3d_f64::math::Vector as Vec3;
    use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};

    pub(super) fn measure(case: &Case, mut solids: Vec<Solid>) -> Measured {
        let mut trees: Vec<Bvh> = solids
            .iter()
            .map(|solid| {
                let boxes: Vec<Aabb> = (0..solid.tetrahedra().len())
                    .map(|t| bounds(&solid.corners(t)))
                    .collect();
                Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes)
            })
            .collect();
        let (mut hits, mut best) = (Vec::new(), f64::INFINITY);

        for step in 0..=STEPS {
            for (solid, points) in solids.iter_mut().zip(case.points(step)) {
                solid.set_points(&points).expect("finite");
            }

            let ((), seconds) = timed(|| {
                hits.clear();
                for (tree, solid) in trees.iter_mut().zip(&solids) {
                    (0..solid.tetrahedra().len()).for_each(|t| {
                        tree.insert_or_update_partially(bounds(&solid.corners(t)), t as u32, 0.0);
                    });
                    tree.refit_without_opt();
                }
                if let [one, two] = &solids[..] {
                    find(one, two, &trees[1], 0, &mut hits);
                    find(
                        two,
                        one,
                        &trees[0],
                        one.boundary_triangles().len() as u32,
                        &mut hits,
                    );
                } else {
                    find(&solids[0], &solids[0], &trees[0], 0, &mut hits);
                }
                hits.sort_unstable();
            });

            best = if step == 0 { best } else { best.min(seconds) };
        }

        Measured {
            depths_ms: None,
            ms: best * 1e3,
            hits,
        }
    }

    fn find(solid: &Solid, other: &Solid, tree: &Bvh, shift: u32, hits: &mut Vec<(u32, u32)>) {
        let is_self = std::ptr::eq(solid, other);
        for (face, nodes) in (0..).zip(solid.boundary_triangles()) {
            let triangle = nodes.map(|n| solid.points()[n as usize]);
            let query = bounds(&triangle);
            for t in tree.intersect_aabb(&query) {
                let theirs = &other.tetrahedra()[t as usize];
                if !(is_self && nodes.iter().any(|n| theirs.contains(n)))
                    && meet(&triangle, &other.corners(t as usize))
                {
                    hits.push((face + shift, t));
                }
            }
        }
    }

    fn bounds(points: &[Point<3>]) -> Aabb {
        let tight = impinge::space::Aabb::of(points.iter().copied());
        let vector = |p: Point<3>| Vec3::new(p.x, p.y, p.z);
        Aabb::new(vector(tight.min), vector(tight.max))
    }

    /// Whether two closed sets meet: no axis separates them.
    fn meet(t: &[Point<3>; 3], k: &[Point<3>; 4]) -> bool {
        let parts = |axis: &Vector<3>| {
            let reach = |points: &[Point<3>]| {
                points
                    .iter()
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, up), p| {
                        let at = axis.dot(&(p - t[0]));
                        (low.min(at), up.max(at))
                    })
            };
            let (one, two) = (reach(t), reach(k));
            one.1 < two.0 || two.1 < one.0
        };
        let sides = [t[1] - t[0], t[2] - t[1], t[0] - t[2]];

        if parts(&sides[0].cross(&sides[1])) {
            return false;
        }

        for [a, b, c] in [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]] {
            if parts(&(k[b] - k[a]).cross(&(k[c] - k[a]))) {
                return false;
            }
        }

        let edges = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        !edges
            .iter()
            .any(|&[a, b]| sides.iter().any(|side| parts(&side.cross(&(k[b] - k[a])))))
    }
}

/// Returns the milliseconds of the IPC Toolkit's broad phase on the surface.
fn toolkit(case: &Case, folder: &Path) -> Result<f64> {
    let path = surface_file(case, folder)?;
    let mut script = program::script("solids.py", include_str!("../../peers/solids.py"), folder)?;
    let numbers = program::numbers(script.arg(&path))?;
    ensure!(
        numbers.len() == 2,
        "it prints {} numbers instead of 2",
        numbers.len()
    );

    Ok(numbers[0] * 1e3)
}

/// Returns the milliseconds of CGAL for the surface, and the number of triangle pairs found.
fn cgal(case: &Case, folder: &Path) -> Result<[f64; 2]> {
    let path = surface_file(case, folder)?;
    let source = include_str!("../../peers/cgal_self.cpp");
    let compiled = program::compiled("cgal_self", source, &["-lgmp", "-lmpfr"], folder)?;
    let numbers = program::numbers(std::process::Command::new(compiled).arg(&path))?;
    ensure!(
        numbers.len() == 2,
        "it prints {} numbers instead of 2",
        numbers.len()
    );

    Ok([numbers[0] * 1e3, numbers[1]])
}

/// Returns the milliseconds of libigl or MeshLib for the surface, and the number of triangle pairs
/// found.
fn surfaces(case: &Case, folder: &Path, name: &str) -> Result<[f64; 2]> {
    let path = surface_file(case, folder)?;
    let mut script = program::script(
        "surfaces.py",
        include_str!("../../peers/surfaces.py"),
        folder,
    )?;
    let numbers = program::numbers(script.arg(&path).args([case.name, name]))?;
    ensure!(
        numbers.len() == 2,
        "it prints {} numbers instead of 2",
        numbers.len()
    );

    Ok([numbers[0] * 1e3, numbers[1]])
}

/// Writes the surface of all solids of a case to one file.
fn surface_file(case: &Case, folder: &Path) -> Result<std::path::PathBuf> {
    let [first, second] = case.points(STEPS);
    let solid = Solid::new(&first, case.vee.tetrahedra())?;
    let shift = first.len() as u32;
    let mut triangles = solid.boundary_triangles().to_vec();

    if case.is_pair {
        triangles.extend(
            solid
                .boundary_triangles()
                .iter()
                .map(|t| t.map(|n| n + shift)),
        );
    }

    let points: Vec<Point<3>> = first.into_iter().chain(second).collect();
    let mut bytes: Vec<u8> = [points.len() as u64, triangles.len() as u64]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    bytes.extend(
        points
            .iter()
            .flat_map(|p| [p.x, p.y, p.z])
            .flat_map(f64::to_le_bytes),
    );

    bytes.extend(
        triangles
            .as_flattened()
            .iter()
            .flat_map(|n| n.to_le_bytes()),
    );
    let path = folder.join("surface.bin");
    std::fs::write(&path, bytes)?;

    Ok(path)
}
