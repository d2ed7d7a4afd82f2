//! Averages on a grid of boxes, as cells of a mesh.

use super::average::{Average, Sums, points_of_a_ball, volume_of_a_ball};
use super::snapshot::Snapshot;
use crate::output::Frame;
use crate::scene::GridSpec;
use impinge::shape::ElementKind;
use impinge::space::Point;
use impinge_io::{Dataset, Field, Format, Values};

/// Returns the averages of all cells.
pub(super) fn frame(snapshot: &Snapshot, grid: &GridSpec) -> Frame {
    let averages = averages(snapshot, grid);
    let scalars = |of: &dyn Fn(&Average) -> f64| averages.iter().map(of).collect::<Vec<f64>>();
    let velocities: Vec<[f64; 3]> = averages.iter().map(|a| a.velocity.into()).collect();
    let stresses = averages
        .iter()
        .flat_map(|a| a.stress.transpose().iter().copied().collect::<Vec<f64>>());

    let mut dataset = cells(grid);
    dataset.cell_fields = vec![
        Field::scalar("solid_fraction", scalars(&|a| a.solid_fraction)),
        Field::scalar("coordination", scalars(&|a| a.coordination)),
        Field::scalar("temperature", scalars(&|a| a.temperature)),
        Field::scalar("pressure", scalars(&|a| a.stress.trace() / 3.0)),
        Field::vector("velocity", &velocities),
        Field {
            name: "stress".to_owned(),
            components: 9,
            values: Values::Real(stresses.collect()),
        },
        Field::whole(
            "particles",
            averages.iter().map(|a| a.particles as i64).collect(),
        ),
    ];

    Frame {
        kind: "grid",
        format: Format::Vtu,
        dataset,
    }
}

/// Returns the averages cell by cell, x fastest.
pub(super) fn averages(snapshot: &Snapshot, grid: &GridSpec) -> Vec<Average> {
    let [nx, ny, nz] = grid.cells;
    let mut sums = vec![Sums::default(); nx * ny * nz];
    let points = points_of_a_ball();

    for particle in &snapshot.particles {
        let (centre, radius) = (Point::from(particle.grain.position), particle.grain.radius);
        if let Some(cell) = cell_of(grid, &centre) {
            sums[cell].add(particle);
        }

        let volume = volume_of_a_ball(radius) / points.len() as f64;
        for cell in points
            .iter()
            .filter_map(|p| cell_of(grid, &(centre + p * radius)))
        {
            sums[cell].add_solid(volume);
        }
    }

    for bond in &snapshot.bonds {
        if let Some(cell) = cell_of(grid, &bond.point) {
            sums[cell].add_bond(bond);
        }
    }

    let size = |k: usize| (grid.max[k] - grid.min[k]) / grid.cells[k] as f64;
    let volume = size(0) * size(1) * size(2);
    sums.iter().map(|sums| sums.average(volume)).collect()
}

fn cell_of(grid: &GridSpec, point: &Point<3>) -> Option<usize> {
    let mut cell = [0; 3];
    for k in 0..3 {
        let share = (point[k] - grid.min[k]) / (grid.max[k] - grid.min[k]);
        if !(0.0..1.0).contains(&share) {
            return None;
        }
        cell[k] = ((share * grid.cells[k] as f64) as usize).min(grid.cells[k] - 1);
    }

    let [nx, ny, _] = grid.cells;
    Some(cell[0] + nx * (cell[1] + ny * cell[2]))
}

/// Returns the cells as hexahedra.
fn cells(grid: &GridSpec) -> Dataset {
    let [nx, ny, nz] = grid.cells;
    let mut dataset = Dataset::default();
    for k in 0..=nz {
        for j in 0..=ny {
            for i in 0..=nx {
                let at = |axis: usize, n: usize| {
                    let share = n as f64 / grid.cells[axis] as f64;
                    grid.min[axis] + (grid.max[axis] - grid.min[axis]) * share
                };
                dataset
                    .mesh
                    .points
                    .push(Point::from([at(0, i), at(1, j), at(2, k)]));
            }
        }
    }

    let node = |i: usize, j: usize, k: usize| (i + (nx + 1) * (j + (ny + 1) * k)) as u32;
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let level = |k: usize| {
                    [
                        node(i, j, k),
                        node(i + 1, j, k),
                        node(i + 1, j + 1, k),
                        node(i, j + 1, k),
                    ]
                };
                let corners = [level(k), level(k + 1)].concat();
                dataset.mesh.push(ElementKind::Hex8, &corners);
            }
        }
    }

    dataset
}
