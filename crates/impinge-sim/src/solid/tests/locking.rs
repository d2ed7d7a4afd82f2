use super::super::{ElasticMaterial, ElasticModel, ElasticSolid, SelfContact, SolidMesh, Strain};
use super::{add, block, run, weightless};
use crate::matter::Matter;
use impinge::shape::{ElementKind, generate::brick};
use impinge::space::{Random, Vector};

const LENGTH: f64 = 1.0;
const HEIGHT: f64 = 0.1;

/// A square cantilever of cubic cells, along x.
fn cantilever(cells: usize, material: &ElasticMaterial) -> ElasticSolid {
    let cells = [10 * cells, cells, cells];
    let shape = block(cells, [LENGTH, HEIGHT, HEIGHT], [0.0; 3]);
    ElasticSolid::new(shape.into(), material, SelfContact::Ignored).expect("valid")
}

/// Returns the forces against a displacement.
fn resistance(solid: &mut ElasticSolid, u: &[Vector<3>], scale: f64) -> Vec<Vector<3>> {
    let moved = solid.rest.iter().zip(u).map(|(x, u)| x + u * scale);
    solid.points = moved.collect();
    solid.forces.fill(Vector::zeros());
    solid.strain();
    solid.forces.iter().map(|f| -f).collect()
}

/// Returns K u, as a difference of order 4 of the forces at displacements of `STEP`: its error and
/// that of rounding are some 1e-11 of K, less than the softest mode needs near incompressibility.
fn stiffness_times(solid: &mut ElasticSolid, u: &[Vector<3>]) -> Vec<Vector<3>> {
    const STEP: f64 = 1e-4 * HEIGHT;
    let [far_back, back, ahead, far_ahead] =
        [-2.0, -1.0, 1.0, 2.0].map(|parts| resistance(solid, u, parts * STEP));
    (0..u.len())
        .map(|i| (8.0 * (ahead[i] - back[i]) - (far_ahead[i] - far_back[i])) / (12.0 * STEP))
        .collect()
}

/// Free nodes by their planes across the beam, from the clamped end on.
fn planes(solid: &ElasticSolid) -> Vec<Vec<usize>> {
    let mut nodes: Vec<usize> = (0..solid.rest.len())
        .filter(|&n| solid.rest[n].x > 1e-9)
        .collect();
    nodes.sort_by(|&a, &b| solid.rest[a].x.total_cmp(&solid.rest[b].x));
    let is_same = |a: &usize, b: &usize| solid.rest[*b].x - solid.rest[*a].x < 1e-9;
    nodes.chunk_by(is_same).map(<[usize]>::to_vec).collect()
}

/// Planes to either side that a node's force depends on: of a quadratic cell, or of two linear
/// ones where strains are averaged at nodes.
const REACH: usize = 2;

/// The lower half of a symmetric matrix with entries close to its diagonal.
struct Band {
    width: usize,
    rows: Vec<Vec<f64>>,
}

#[allow(clippy::needless_range_loop)]
impl Band {
    /// The stiffness of a beam with free nodes in this order of planes. One product gives a column
    /// in every plane that is out of reach of the others.
    fn stiffness(solid: &mut ElasticSolid, planes: &[Vec<usize>]) -> Self {
        let mut first = vec![0];
        for plane in planes {
            first.push(first[first.len() - 1] + plane.len());
        }
        let most = planes.iter().map(Vec::len).max().expect("some planes");
        let width = 3 * most * (REACH + 1);
        let count = 3 * first[planes.len()];
        let mut band = Self {
            width,
            rows: vec![vec![0.0; width + 1]; count],
        };

        let apart = 2 * REACH + 1;
        for (colour, slot, axis) in (0..apart)
            .flat_map(|c| (0..most).flat_map(move |s| (0..3).map(move |axis| (c, s, axis))))
        {
            let probed: Vec<usize> = (colour..planes.len())
                .step_by(apart)
                .filter(|&p| slot < planes[p].len())
                .collect();
            let mut u = vec![Vector::zeros(); solid.rest.len()];
            for &p in &probed {
                u[planes[p][slot]][axis] = 1.0;
            }
            let product = stiffness_times(solid, &u);

            for &p in &probed {
                let column = 3 * (first[p] + slot) + axis;
                for q in p.saturating_sub(REACH)..(p + REACH + 1).min(planes.len()) {
                    for (k, &node) in planes[q].iter().enumerate() {
                        for direction in 0..3 {
                            let row = 3 * (first[q] + k) + direction;
                            // Either half of K gives half of each entry: rounding is symmetric.
                            let (low, high) = (row.min(column), row.max(column));
                            let share = if low == high { 1.0 } else { 0.5 };
                            band.rows[high][low + width - high] += share * product[node][direction];
                        }
                    }
                }
            }
        }
        band
    }

    /// Solves with Cholesky's factors, in place.
    fn solve(mut self, load: &[f64]) -> Vec<f64> {
        let width = self.width;
        let count = load.len();
        for i in 0..count {
            let lowest = i.saturating_sub(width);
            let (done, rest) = self.rows.split_at_mut(i);
            let row = &mut rest[0];
            for j in lowest..=i {
                // Column c of row r is at c + width − r.
                let from = lowest.max(j.saturating_sub(width));
                let own = &row[from + width - i..j + width - i];
                if j == i {
                    let pivot = row[width] - own.iter().map(|x| x * x).sum::<f64>();
                    assert!(pivot > 0.0, "K is not positive at {i}: {pivot}");
                    row[width] = pivot.sqrt();
                } else {
                    let other = &done[j][from + width - j..width];
                    let product: f64 = own.iter().zip(other).map(|(a, b)| a * b).sum();
                    row[j + width - i] = (row[j + width - i] - product) / done[j][width];
                }
            }
        }

        let mut x = load.to_vec();
        for i in 0..count {
            for j in i.saturating_sub(width)..i {
                x[i] -= self.rows[i][j + width - i] * x[j];
            }
            x[i] /= self.rows[i][width];
        }
        for i in (0..count).rev() {
            x[i] /= self.rows[i][width];
            for j in i.saturating_sub(width)..i {
                x[j] -= self.rows[i][j + width - i] * x[i];
            }
        }
        x
    }
}

fn dot(a: &[Vector<3>], b: &[Vector<3>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

/// Returns the deflection at the end of a cantilever under a force of 1 N there, relative to
/// Timoshenko's beam.
fn deflection(solid: &mut ElasticSolid, across: &Vector<3>) -> f64 {
    let is_end = |x: f64| x > LENGTH - 1e-9;
    let end = solid.rest.iter().filter(|x| is_end(x.x)).count() as f64;
    let planes = planes(solid);
    let load: Vec<f64> = planes
        .concat()
        .iter()
        .flat_map(|&n| match is_end(solid.rest[n].x) {
            true => (across / end).into(),
            false => [0.0; 3],
        })
        .collect();
    let u = Band::stiffness(solid, &planes).solve(&load);
    let work: f64 = u.iter().zip(&load).map(|(u, f)| u * f).sum();

    let ElasticMaterial { young, poisson, .. } = solid.material;
    let (area, inertia) = (HEIGHT.powi(2), HEIGHT.powi(4) / 12.0);
    let shear = young / (2.0 * (1.0 + poisson));
    let beam = LENGTH.powi(3) / (3.0 * young * inertia) + LENGTH / (5.0 / 6.0 * shear * area);
    work / beam
}

/// Returns the deflection relative to Timoshenko's, with 1, 2 and 4 cells through the height.
fn deflections(poisson: f64, strain: Strain, law: ElasticModel) -> [f64; 3] {
    let material = ElasticMaterial {
        poisson,
        strain,
        law,
        ..ElasticMaterial::default()
    };
    [1, 2, 4].map(|cells| deflection(&mut cantilever(cells, &material), &Vector::y()))
}

#[test]
fn smoothed_strains_bend_as_a_beam_does_from_two_cells_on_and_from_four_if_incompressible() {
    for (law, poisson, coarse, fair) in [
        (ElasticModel::SmallStrain, 0.0, 0.4..0.8, 0.08),
        (ElasticModel::NeoHookean, 0.3, 0.4..0.8, 0.08),
        (ElasticModel::NeoHookean, 0.49, 0.4..0.8, 0.08),
        // Two cells still lock: a quarter of the deflection is missing.
        (ElasticModel::NeoHookean, 0.499, 0.3..0.4, 0.25),
    ] {
        let [one, two, four] = deflections(poisson, Strain::Smoothed, law);
        assert!(coarse.contains(&one), "ν {poisson}: {one}");
        assert!((two - 1.0).abs() < fair, "ν {poisson}: {two}");
        assert!((four - 1.0).abs() < 0.03, "ν {poisson}: {four}");
    }
}

/// Returns the deflection of a cantilever of cells of a kind, relative to Timoshenko's.
fn deflection_of(kind: ElementKind, cells: usize, poisson: f64) -> f64 {
    let material = ElasticMaterial {
        poisson,
        ..ElasticMaterial::default()
    };
    let counts = [10 * cells, cells, cells];
    let mesh = brick(counts, [LENGTH, HEIGHT, HEIGHT], kind).expect("valid");
    let mesh = SolidMesh::from_mesh(&mesh).expect("valid");
    let mut solid = ElasticSolid::new(mesh, &material, SelfContact::Ignored).expect("valid");
    deflection(&mut solid, &Vector::y())
}

#[test]
fn cells_with_several_points_bend_as_a_beam_does_near_incompressibility_too() {
    for poisson in [0.0, 0.3, 0.49, 0.499] {
        for (kind, cells, most) in [
            (ElementKind::Tet10, 1, 0.06),
            (ElementKind::Tet10, 2, 0.03),
            (ElementKind::Hex8, 4, 0.06),
            // A single cell has one constraint on its volume: near incompressibility it is soft.
            (ElementKind::Hex20, 1, 0.15),
            (ElementKind::Hex27, 1, 0.15),
            (ElementKind::Hex20, 2, 0.03),
            (ElementKind::Hex27, 2, 0.03),
        ] {
            let found = deflection_of(kind, cells, poisson);
            assert!(
                (found - 1.0).abs() < most,
                "{} {cells} ν {poisson}: {found}",
                kind.name()
            );
        }
    }
}

#[test]
fn strains_of_elements_lock_as_is_known() {
    for (poisson, known) in [(0.3, [0.22, 0.50, 0.79]), (0.49, [0.04, 0.10, 0.29])] {
        let found = deflections(poisson, Strain::PerElement, ElasticModel::NeoHookean);
        for (found, known) in found.iter().zip(known) {
            assert!(
                (found - known).abs() < 0.01,
                "ν {poisson}: {found} for {known}"
            );
        }
    }
}

#[test]
fn forces_of_smoothed_strains_are_the_derivative_of_their_energy() {
    let mut random = Random::new(4);
    for law in [ElasticModel::SmallStrain, ElasticModel::NeoHookean] {
        let material = ElasticMaterial {
            law,
            poisson: 0.45,
            ..ElasticMaterial::default()
        };
        let mut solid = cantilever(1, &material);

        // Far enough for elements to be inverted.
        let mut shake = |reach: f64| -> Vec<Vector<3>> {
            let nodes = solid.rest.iter();
            nodes.map(|_| random.direction::<3>() * reach).collect()
        };
        let (start, way) = (shake(0.5 * HEIGHT), shake(HEIGHT));
        let mut place = |share: f64| {
            let moves = start.iter().zip(&way);
            let moved = solid.rest.iter().zip(moves);
            solid.points = moved.map(|(x, (u, w))| x + u + w * share).collect();
            solid.forces.fill(Vector::zeros());
            solid.strain();
            let power = -dot(&solid.forces, &way);
            (solid.strain_energy(), power, solid.inverted())
        };
        let [(before, ..), (energy, power, inverted), (after, ..)] =
            [-1e-6, 0.0, 1e-6].map(&mut place);
        let slope = (after - before) / 2e-6;
        assert!(inverted > 0 && energy.is_finite());

        assert!(
            (power / slope - 1.0).abs() < 1e-6,
            "{law:?}: {power} for {slope}"
        );
        let sum: Vector<3> = solid.forces.iter().sum();

        assert!(sum.norm() < 1e-9 * solid.forces.iter().map(|f| f.norm()).sum::<f64>());
    }
}

#[test]
fn few_cells_through_a_slender_solid_are_counted() {
    let count = |cells: [usize; 3], size: [f64; 3]| {
        let shape = block(cells, size, [0.0; 3]);
        ElasticSolid::new(
            shape.into(),
            &ElasticMaterial::default(),
            SelfContact::Ignored,
        )
        .expect("valid")
        .cells_through_thickness()
    };

    for cells in [1, 2, 3] {
        let beam = count([10, cells, cells], [1.0, 0.1, 0.1]).expect("slender");
        assert!((beam - cells as f64).abs() < 1e-9, "{beam}");
        let plate = count([8, 8, cells], [1.0, 1.0, 0.05]).expect("slender");
        assert!((plate - cells as f64).abs() < 1e-9, "{plate}");
    }

    assert_eq!(count([2; 3], [1.0; 3]), None, "a cube does not bend");
}

#[test]
#[ignore = "prints what smoothing gives and costs"]
fn worth_and_price_of_smoothing() {
    for strain in [Strain::PerElement, Strain::Smoothed] {
        for poisson in [0.0, 0.3, 0.49] {
            let found = deflections(poisson, strain, ElasticModel::NeoHookean);
            eprintln!("{strain:?}, ν {poisson}: {found:.3?} of the deflection");
        }

        let mut solids = weightless();
        let material = ElasticMaterial {
            strain,
            ..ElasticMaterial::default()
        };
        add(&mut solids, block([20; 3], [1.0; 3], [0.0; 3]), &material);
        let dt = solids.stable_step();
        let start = std::time::Instant::now();
        run(&mut solids, dt, 50);
        let time = 1e9 * start.elapsed().as_secs_f64() / 50.0 / 48_000.0;

        eprintln!("{strain:?}: {time:.1} ns an element and step of {dt:.3e} s");
    }
}
