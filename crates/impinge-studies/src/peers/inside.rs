//! Point in polyhedron, compared with CGAL, parry, Embree, libigl and Open3D: one thread each, the same
//! meshes and points.
//!
//! CGAL is exact and serves as the reference. The others work in f32.

use super::program;
use crate::plot::{Curve, log_log};
use crate::study::{self, Findings, Table, growth_exponent, timed};
use anyhow::{Context, Result};
use impinge::inside::{
    CellsOptions, Inside, InsideMethod, InsideOptions, LabelledCells, MultipoleOptions, PointGrid,
    Position, Winding, winding_number,
};
use impinge::shape::{Surface, generate};
use impinge::space::{Point, Random};
use std::path::Path;
use std::process::Command;

/// A mesh with points to locate.
struct Case {
    name: &'static str,
    surface: Surface,
    points: Vec<Point<3>>,
    grid: Option<PointGrid>,
}

/// Result of one program on a case.
struct Measured {
    setup: f64,
    query: f64,
    answers: Vec<u8>,
}

pub(crate) fn run(quick: bool) -> Result<Findings> {
    let folder = study::folder("peers-inside")?;
    let mut findings = Findings::default();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let cgal = program::compiled(
        "cgal_inside",
        include_str!("../../peers/cgal_inside.cpp"),
        &["-lgmp", "-lmpfr"],
        &folder,
    );

    let mut table = Table::new(&[
        "case",
        "program",
        "triangles",
        "points",
        "setup_s",
        "ns_per_point",
        "wrong",
    ]);

    for case in cases(quick)? {
        write_files(
            &folder,
            case.surface.points(),
            case.surface.triangles(),
            &case.points,
        )?;
        println!(
            "\n{}: {} triangles, {} points",
            case.name,
            case.surface.triangles().len(),
            case.points.len()
        );

        println!(
            "  {:<22}{:>12}{:>14}{:>10}",
            "", "set-up s", "ns per point", "wrong"
        );
        let exact = one_thread.install(|| ours(&case));
        let mut enter = |name: &str, measured: Result<Measured>| match measured {
            Ok(measured) => {
                let wrong = report(&mut table, &case, name, &measured, &exact.answers);
                // The multipole method and CGAL are exact, too; the others work in f32.
                if ["impinge multipole", "CGAL"].contains(&name) {
                    findings.check(wrong == 0, format!("{}: {name} agrees", case.name));
                }
            }
            Err(reason) => findings.skip(format!("{}, {name}", case.name), format!("{reason:#}")),
        };
        enter("impinge auto", Ok(one_thread.install(|| ours(&case))));
        enter("impinge multipole", one_thread.install(|| multipole(&case)));

        enter(
            "CGAL",
            cgal.as_ref()
                .map_err(|e| anyhow::anyhow!("{e:#} (Debian: libcgal-dev)"))
                .and_then(|program| {
                    peer(
                        &folder,
                        Command::new(program).args(files(&folder)),
                        case.points.len(),
                    )
                }),
        );
        enter("parry3d-f64", parry(&case));

        for name in ["embree", "libigl", "open3d"] {
            let script =
                program::script("inside.py", include_str!("../../peers/inside.py"), &folder);
            enter(
                name,
                script.and_then(|mut script| {
                    peer(
                        &folder,
                        script.arg(name).args(files(&folder)),
                        case.points.len(),
                    )
                }),
            );
        }
    }

    table.save(&folder.join("inside.csv"))?;
    one_thread.install(|| open_surface(&folder, quick, &mut findings))?;
    findings.append(one_thread.install(|| growth(&folder, quick))?);
    println!("\nwritten: {}", folder.display());
    Ok(findings)
}

/// Compares the winding number of a foam with a quarter torn off with libigl's; the direct sum is the
/// reference.
fn open_surface(folder: &Path, quick: bool, findings: &mut Findings) -> Result<()> {
    let (triangles, side) = if quick { (29_000, 10) } else { (121_000, 60) };
    let foam = generate::foam(triangles, 1)?;
    let stays = |t: &&[u32; 3]| foam.points()[t[0] as usize].x < 0.25;
    let torn: Vec<[u32; 3]> = foam.triangles().iter().filter(stays).copied().collect();
    let points: Vec<Point<3>> = PointGrid::over_cube(foam.bounds(), side).points().collect();
    write_files(folder, foam.points(), &torn, &points)?;
    println!(
        "\nopen foam: {} triangles, {} points",
        torn.len(),
        points.len()
    );

    println!(
        "  {:<22}{:>12}{:>14}{:>20}",
        "", "set-up s", "ns per point", "largest error of J"
    );
    let stride = points.len() / 300;
    let print = |name: &str, setup: f64, query: f64, values: &[f64]| {
        let error = |(p, v): (&Point<3>, &f64)| (winding_number(foam.points(), &torn, p) - v).abs();
        let largest = points
            .iter()
            .zip(values)
            .step_by(stride)
            .map(error)
            .fold(0.0, f64::max);
        println!(
            "  {name:<22}{setup:>12.3}{:>14.1}{largest:>20.1e}",
            query / points.len() as f64 * 1e9
        );
    };
    let (winding, setup) = timed(|| Winding::new(foam.points(), &torn));
    let (winding, mut values) = (winding?, Vec::new());
    let (done, query) = timed(|| winding.windings(&points, &mut values));
    done?;
    print("impinge", setup, query, &values);

    match libigl_windings(folder, points.len()) {
        Ok((setup, query, values)) => print("libigl", setup, query, &values),
        Err(reason) => findings.skip("open foam, libigl", format!("{reason:#}")),
    }

    Ok(())
}

fn libigl_windings(folder: &Path, points: usize) -> Result<(f64, f64, Vec<f64>)> {
    let mut script = program::script("inside.py", include_str!("../../peers/inside.py"), folder)?;
    let numbers = program::numbers(script.arg("winding").args(files(folder)))?;
    let bytes = std::fs::read(&files(folder)[2]).context("it wrote no answers")?;
    let values: Vec<f64> = bytes
        .as_chunks()
        .0
        .iter()
        .map(|b| f64::from_le_bytes(*b))
        .collect();

    anyhow::ensure!(
        numbers.len() == 2 && values.len() == points,
        "it answers {} of {points}",
        values.len()
    );

    Ok((numbers[0], numbers[1], values))
}

/// Measures the growth of the cost per point with the number of triangles, on spheres.
fn growth(folder: &Path, quick: bool) -> Result<Findings> {
    let (levels, side) = if quick { (3..=5, 20) } else { (5..=7, 80) };
    let mut points = Vec::new();
    for level in levels {
        let case = over_grid("growth", generate::sphere(level)?, side);
        let best = (0..3)
            .map(|_| ours(&case).query)
            .fold(f64::INFINITY, f64::min);
        points.push((
            case.surface.triangles().len() as f64,
            best / case.points.len() as f64 * 1e9,
        ));
    }

    let exponent = growth_exponent(&points);
    let ratio = points[points.len() - 1].1 / points[0].1;
    let mut findings = Findings::default();
    println!("\nnanoseconds per point against triangles: {points:.0?}");
    findings.check(
        ratio < 2.0,
        format!("16 times the triangles cost {ratio:.2} times as much per point (exponent {exponent:.2})"),
    );

    let curve = Curve {
        label: "impinge auto".to_owned(),
        points,
    };
    log_log(
        &folder.join("growth.svg"),
        "Cost of a point on a grid",
        "triangles",
        "ns per point",
        &[curve],
    )?;

    Ok(findings)
}

/// Creates a case of a mesh with a grid of points over its bounding cube.
fn over_grid(name: &'static str, surface: Surface, side: usize) -> Case {
    let grid = PointGrid::over_cube(surface.bounds(), side);
    Case {
        name,
        points: grid.points().collect(),
        grid: Some(grid),
        surface,
    }
}

fn cases(quick: bool) -> Result<Vec<Case>> {
    let (level, fine, coarse, side) = if quick {
        (5, 29_000, 29_000, 20)
    } else {
        (7, 494_000, 121_000, 80)
    };
    let foam = generate::foam(coarse, 1)?;
    let near = near_points(&foam, side * side * side / 4);

    Ok(vec![
        over_grid("sphere, grid", generate::sphere(level)?, side),
        over_grid("foam, grid", generate::foam(fine, 1)?, side),
        Case {
            name: "foam, near, sorted",
            points: sorted(near.clone()),
            grid: None,
            surface: foam.clone(),
        },
        Case {
            name: "foam, near",
            points: near,
            grid: None,
            surface: foam,
        },
    ])
}

/// Returns points within three edge lengths of random places on the surface.
fn near_points(surface: &Surface, count: usize) -> Vec<Point<3>> {
    let mut random = Random::new(7);
    let edge = (surface.area() / surface.triangles().len() as f64).sqrt() * 1.5;
    (0..count)
        .map(|_| {
            let [a, b, c] = surface.corners(random.below(surface.triangles().len()));
            let (u, v) = (random.unit(), random.unit());
            let (u, v) = if u + v > 1.0 {
                (1.0 - u, 1.0 - v)
            } else {
                (u, v)
            };
            a + (b - a) * u
                + (c - a) * v
                + random.direction::<3>() * (edge * random.within(0.0, 3.0))
        })
        .collect()
}

/// Sorts points by cells of a coarse grid, like the nodes of a mesh or a scan.
fn sorted(mut points: Vec<Point<3>>) -> Vec<Point<3>> {
    points.sort_by_key(|p| [p.x, p.y, p.z].map(|x| (x * 64.0).floor() as i64));
    points
}

fn ours(case: &Case) -> Measured {
    let (cells, setup) =
        timed(|| LabelledCells::new(case.surface.clone(), CellsOptions::default()));
    let mut positions = Vec::new();
    let ((), query) = timed(|| match &case.grid {
        Some(grid) => cells.grid(grid, &mut positions),
        None => cells.positions(&case.points, &mut positions),
    });

    Measured {
        setup,
        query,
        answers: positions.iter().map(number).collect(),
    }
}

/// Measures the fast multipole method with its default degree.
fn multipole(case: &Case) -> Result<Measured> {
    let options = InsideOptions {
        method: InsideMethod::Multipole(MultipoleOptions::default()),
        ..InsideOptions::default()
    };
    let surface = case.surface.clone();
    let (inside, setup) = timed(|| Inside::new(surface, &options));
    let (inside, mut positions) = (inside?, Vec::new());
    let (located, query) = timed(|| inside.positions(&case.points, &mut positions));
    located?;

    Ok(Measured {
        setup,
        query,
        answers: positions.iter().map(number).collect(),
    })
}

fn number(position: &Position) -> u8 {
    match position {
        Position::Outside => 0,
        Position::Inside => 1,
        Position::On(_) => 2,
    }
}

/// The pseudo-normal of the nearest face determines the side.
#[cfg(feature = "parry")]
fn parry(case: &Case) -> Result<Measured> {
    use parry3d_f64::math::Vector;
    use parry3d_f64::query::PointQuery;
    use parry3d_f64::shape::{TriMesh, TriMeshFlags};
    let vector = |p: &Point<3>| Vector::new(p.x, p.y, p.z);
    let vertices = case.surface.points().iter().map(vector).collect();
    let (mesh, setup) = timed(|| {
        TriMesh::with_flags(
            vertices,
            case.surface.triangles().to_vec(),
            TriMeshFlags::ORIENTED,
        )
    });
    let mesh = mesh.map_err(|e| anyhow::anyhow!("{e:?}"))?;

    let (answers, query) = timed(|| {
        case.points
            .iter()
            .map(|p| u8::from(mesh.contains_local_point(vector(p))))
            .collect()
    });

    Ok(Measured {
        setup,
        query,
        answers,
    })
}

#[cfg(not(feature = "parry"))]
fn parry(_: &Case) -> Result<Measured> {
    anyhow::bail!("it is built in with --features parry only")
}

fn files(folder: &Path) -> [std::path::PathBuf; 3] {
    ["mesh.bin", "points.bin", "answers.bin"].map(|name| folder.join(name))
}

fn write_files(
    folder: &Path,
    points: &[Point<3>],
    triangles: &[[u32; 3]],
    queries: &[Point<3>],
) -> Result<()> {
    let coordinates = |points: &[Point<3>]| -> Vec<u8> {
        points
            .iter()
            .flat_map(|p| [p.x, p.y, p.z])
            .flat_map(f64::to_le_bytes)
            .collect()
    };
    let mut mesh: Vec<u8> = [points.len() as u64, triangles.len() as u64]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    mesh.extend(coordinates(points));

    mesh.extend(
        triangles
            .as_flattened()
            .iter()
            .flat_map(|n| n.to_le_bytes()),
    );
    let mut asked = (queries.len() as u64).to_le_bytes().to_vec();
    asked.extend(coordinates(queries));
    let [mesh_file, point_file, _] = files(folder);
    std::fs::write(mesh_file, mesh)?;
    std::fs::write(point_file, asked)?;

    Ok(())
}

fn peer(folder: &Path, command: &mut Command, points: usize) -> Result<Measured> {
    let numbers = program::numbers(command)?;
    let [setup, query] = numbers[..] else {
        anyhow::bail!("it prints {} numbers instead of 2", numbers.len())
    };
    let answers = std::fs::read(&files(folder)[2]).context("it wrote no answers")?;
    anyhow::ensure!(
        answers.len() == points,
        "it answers {} of {points} points",
        answers.len()
    );

    Ok(Measured {
        setup,
        query,
        answers,
    })
}

/// Prints a line and returns the number of wrong answers.
fn report(table: &mut Table, case: &Case, name: &str, measured: &Measured, exact: &[u8]) -> usize {
    // For programs that know only inside and outside, either answer is right for points on the surface.
    let wrong = measured
        .answers
        .iter()
        .zip(exact)
        .filter(|&(a, e)| a != e && *e != 2)
        .count();
    let each = measured.query / case.points.len() as f64 * 1e9;
    println!(
        "  {name:<22}{:>12.3}{each:>14.1}{wrong:>10}",
        measured.setup
    );
    let sizes = (case.surface.triangles().len(), case.points.len());

    table.row(&[
        &case.name.replace(',', ""),
        &name,
        &sizes.0,
        &sizes.1,
        &measured.setup,
        &each,
        &wrong,
    ]);

    wrong
}
