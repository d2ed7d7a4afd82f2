use super::super::{ElasticMaterial, ElasticModel, ElasticSolid, SelfContact, SolidMesh, Strain};
use super::{add, block, run, weightless};
use crate::matter::Matter;
use impinge::shape::{ElementKind, generate::brick};
use impinge::space::{Point, Random, Vector};

const LENGTH: f64 = 1.0;
const HEIGHT: f64 = 0.1;

/// A square cantilever of cubic cells, along x.
fn cantilever(cells: usize, material: &ElasticMaterial) -> ElasticSolid {
    let cells = [10 * cells, cells, cells];
    let shape = block(cells, [LENGTH, HEIGHT, HEIGHT], [0.0; 3]);
    ElasticSolid::new(shape.into(), material, SelfContact::Ignored).expect("valid")
}

/// Returns K u, from the forces of a tiny displacement; nodes at x = 0 are held.
fn stiffness_times(solid: &mut ElasticSolid, u: &[Vector<3>]) -> Vec<Vector<3>> {
    let largest = u.iter().map(|u| u.amax()).fold(0.0, f64::max);
    let tiny = 1e-6 * HEIGHT / largest;
    let moved = solid.rest.iter().zip(u).map(|(x, u)| x + u * tiny);
    solid.points = moved.collect();
    solid.forces.fill(Vector::zeros());
    solid.strain();
    let rest = solid.rest.iter();
    let answer = |(x, f): (&Point<3>, &Vector<3>)| match x.x > 0.0 {
        true => f / -tiny,
        false => Vector::zeros(),
    };

    rest.zip(&solid.forces).map(answer).collect()
}

fn dot(a: &[Vector<3>], b: &[Vector<3>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

/// Returns the deflection at the end of a cantilever under a force of 1 N there, by conjugate
/// gradients, relative to Timoshenko's beam.
fn deflection(solid: &mut ElasticSolid, across: &Vector<3>) -> f64 {
    let is_end = |x: f64| x > LENGTH - 1e-9;
    let end = solid.rest.iter().filter(|x| is_end(x.x)).count() as f64;
    let load = |x: &Point<3>| match is_end(x.x) {
        true => across / end,
        false => Vector::zeros(),
    };
    let load: Vec<Vector<3>> = solid.rest.iter().map(load).collect();

    let (mut u, mut residual) = (vec![Vector::zeros(); load.len()], load.clone());
    let (mut direction, mut size) = (load.clone(), dot(&load, &load));
    let goal = 1e-10 * size;
    let mut rounds = 0;

    while size > goal {
        rounds += 1;
        assert!(rounds < 5000, "{size} of {goal}");
        let product = stiffness_times(solid, &direction);
        let step = size / dot(&direction, &product);

        for (i, u) in u.iter_mut().enumerate() {
            *u += direction[i] * step;
            residual[i] -= product[i] * step;
        }

        let next = dot(&residual, &residual);
        let ratio = next / size;
        size = next;

        for (d, r) in direction.iter_mut().zip(&residual) {
            *d = r + *d * ratio;
        }
    }

    let ElasticMaterial { young, poisson, .. } = solid.material;
    let (area, inertia) = (HEIGHT.powi(2), HEIGHT.powi(4) / 12.0);
    let shear = young / (2.0 * (1.0 + poisson));
    let beam = LENGTH.powi(3) / (3.0 * young * inertia) + LENGTH / (5.0 / 6.0 * shear * area);
    dot(&u, &load) / beam
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
fn smoothed_strains_bend_as_a_beam_does_from_two_cells_on() {
    for (law, poisson) in [
        (ElasticModel::SmallStrain, 0.0),
        (ElasticModel::NeoHookean, 0.3),
        (ElasticModel::NeoHookean, 0.49),
    ] {
        let [one, two, four] = deflections(poisson, Strain::Smoothed, law);
        assert!((0.4..0.8).contains(&one), "ν {poisson}: {one}");
        assert!((two - 1.0).abs() < 0.08, "ν {poisson}: {two}");
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
    for poisson in [0.0, 0.3, 0.49] {
        for (kind, cells, most) in [
            (ElementKind::Tet10, 1, 0.06),
            (ElementKind::Tet10, 2, 0.03),
            (ElementKind::Hex8, 4, 0.06),
            // A single cell has one constraint on its volume: near incompressibility it is soft.
            (ElementKind::Hex20, 1, 0.15),
            (ElementKind::Hex27, 1, 0.15),
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
