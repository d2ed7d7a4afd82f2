use super::super::{ElasticMaterial, ElasticModel, InvalidSolid, Solids, SolidsOptions, Strain};
use super::{add, block, centre, run, step, weightless};
use crate::Path;
use crate::matter::Matter;
use impinge::shape::{Problem, ProblemKind, Solid};
use impinge::space::{Aabb, Matrix, Point, Random, Vector};
use std::f64::consts::{PI, TAU};

const LAWS: [ElasticModel; 2] = [ElasticModel::SmallStrain, ElasticModel::NeoHookean];

fn of_law(law: ElasticModel) -> ElasticMaterial {
    ElasticMaterial {
        law,
        ..ElasticMaterial::default()
    }
}

/// A brick with perturbed inner nodes, so that no two tetrahedra are alike.
fn shaken(cells: usize) -> Solid {
    let regular = block([cells; 3], [1.0; 3], [0.0; 3]);
    let mut random = Random::new(5);
    let shaken = regular.points().iter().map(|p| {
        let is_inner = p.iter().all(|&x| x > 0.0 && x < 1.0);
        let reach = if is_inner { 0.15 / cells as f64 } else { 0.0 };
        p + Vector::from_fn(|_, _| random.within(-reach, reach))
    });

    Solid::new(&shaken.collect::<Vec<_>>(), regular.tetrahedra()).expect("still positive")
}

fn inner_nodes(solid: &Solid) -> Vec<usize> {
    let surface = solid.boundary_nodes();
    (0..solid.points().len())
        .filter(|&n| surface.binary_search(&(n as u32)).is_err())
        .collect()
}

#[test]
fn a_linear_field_of_displacements_gives_one_stress_everywhere_and_no_force_inside() {
    let stretch = Matrix::<3>::new(1.1, 0.05, -0.02, 0.01, 0.95, 0.03, 0.0, -0.04, 1.02);
    for law in LAWS {
        let mut solids = weightless();
        let shape = shaken(3);
        let inner = inner_nodes(&shape);
        assert!(inner.len() >= 8);
        let points: Vec<Point<3>> = shape
            .points()
            .iter()
            .map(|p| Point::from(stretch * p.coords))
            .collect();
        let solid = add(&mut solids, shape, &of_law(law));
        solids.set_points(solid, &points).expect("finite");
        solids.interact(1e-6).expect("fine");
        let mut stresses = Vec::new();
        solids.solid(solid).stresses(&mut stresses);
        let expected = of_law(law).elasticity().cauchy(&stretch);
        let size = expected.amax();

        for stress in &stresses {
            let places = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];
            let error = (0..6)
                .map(|k| (stress.cauchy[k] - expected[places[k]]).abs())
                .fold(0.0, f64::max);
            assert!(error < 1e-12 * size, "{law:?}: {error}");
        }

        assert!(
            inner
                .iter()
                .all(|&n| solids.solid(solid).forces()[n].norm() < 1e-12 * size)
        );
    }
}

#[test]
fn rigid_motion_gives_no_force() {
    let turn = nalgebra::Rotation3::from_euler_angles(2.0, -1.0, 0.5);
    for law in LAWS {
        let mut solids = weightless();
        let shape = shaken(3);
        let moved: Vec<Point<3>> = shape
            .points()
            .iter()
            .map(|p| turn * p + Vector::from([3.0, -2.0, 7.0]))
            .collect();
        let solid = add(&mut solids, shape, &of_law(law));
        solids.set_points(solid, &moved).expect("finite");
        solids.interact(1e-6).expect("fine");

        let largest = solids
            .solid(solid)
            .forces()
            .iter()
            .map(|f| f.norm())
            .fold(0.0, f64::max);
        // Rounding of coordinates of size 7 in elements of size 1/3 is a strain of some 1e-15.
        assert!(
            largest < 1e-14 * ElasticMaterial::default().young,
            "{law:?}: {largest}"
        );

        assert!(
            solids.energy().elastic.abs() < 1e-25 * ElasticMaterial::default().young,
            "{law:?}"
        );
    }
}

#[test]
fn both_laws_are_hookes_law_at_small_strains() {
    let [lambda, mu] = ElasticMaterial::default().lame();
    let strain = Matrix::<3>::new(1.0, 0.3, -0.2, 0.3, -0.7, 0.5, -0.2, 0.5, 0.4) * 1e-6;
    let hooke = strain * (2.0 * mu) + Matrix::from_diagonal_element(lambda * strain.trace());
    let work = 0.5 * hooke.dot(&strain);

    for law in LAWS {
        let elasticity = of_law(law).elasticity();
        let f = Matrix::identity() + strain;
        assert!(
            (elasticity.stress(&f) - hooke).norm() < 1e-5 * hooke.norm(),
            "{law:?}"
        );
        assert!((elasticity.energy(&f) / work - 1.0).abs() < 1e-5, "{law:?}");
    }
}

#[test]
fn stress_is_the_derivative_of_energy_also_when_inverted() {
    let mut random = Random::new(8);
    let mut inverted = 0;
    for _ in 0..200 {
        let f = Matrix::<3>::from_fn(|_, _| random.within(-1.5, 1.5));
        inverted += usize::from(f.determinant() < 0.0);
        for law in LAWS {
            let elasticity = of_law(law).elasticity();
            let stress = elasticity.stress(&f);
            let direction = Matrix::<3>::from_fn(|_, _| random.within(-1.0, 1.0));
            let at = |t: f64| elasticity.energy(&(f + direction * t));
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!(
                (stress.dot(&direction) - slope).abs() < 1e-6 * (stress.norm() + 1e6),
                "{law:?} {f}"
            );
        }
    }

    assert!(inverted > 50);
    for law in LAWS {
        for f in [
            Matrix::zeros(),
            Matrix::from_diagonal(&Vector::from([1.0, 1.0, 0.0])),
        ] {
            assert!(
                of_law(law)
                    .elasticity()
                    .stress(&f)
                    .iter()
                    .all(|x| x.is_finite())
            );
            assert!(
                of_law(law)
                    .elasticity()
                    .cauchy(&f)
                    .iter()
                    .all(|x| x.is_finite())
            );
        }
    }
}

/// Returns the time between two passages of the free end through its rest position, after a kick in
/// the shape of the first mode.
fn half_period(
    cells: [usize; 3],
    size: [f64; 3],
    material: &ElasticMaterial,
    mode: impl Fn(f64) -> Vector<3>,
) -> f64 {
    let mut solids = weightless();
    let bar = add(&mut solids, block(cells, size, [0.0; 3]), material);
    let root = Aabb::new([-1e-9, -1.0, -1.0], [1e-9, 2.0, 2.0]);
    let nodes = solids.solid(bar).nodes_within(&root);
    assert_eq!(nodes.len(), (cells[1] + 1) * (cells[2] + 1));
    solids
        .hold(bar, &nodes, Path::default())
        .expect("they exist");
    let kick: Vec<Vector<3>> = solids
        .solid(bar)
        .points()
        .iter()
        .map(|p| mode(p.x / size[0]))
        .collect();
    solids.set_velocities(bar, &kick).expect("finite");
    let direction = mode(1.0).normalize();
    let dt = solids.stable_step();
    let start = direction.dot(&centre(&solids, bar).coords);
    let (mut before, mut passages) = (0.0, Vec::new());

    while passages.len() < 3 {
        assert!(solids.time() < 100.0, "it must come back");
        step(&mut solids, dt).expect("stable");
        let now = direction.dot(&centre(&solids, bar).coords) - start;
        if before * now < 0.0 {
            passages.push(solids.time() - dt * now / (now - before));
        }
        before = now;
    }

    passages[2] - passages[1]
}

#[test]
fn a_bar_swings_along_itself_at_a_quarter_of_its_wave() {
    let material = ElasticMaterial {
        poisson: 0.0,
        law: ElasticModel::SmallStrain,
        ..ElasticMaterial::default()
    };
    let kick = |x: f64| Vector::from([1e-4 * (PI / 2.0 * x).sin(), 0.0, 0.0]);
    let half = half_period([24, 2, 2], [1.0, 0.08, 0.08], &material, kick);
    let exact = 2.0 * 1.0 / (material.young / material.density).sqrt();

    assert!((half / exact - 1.0).abs() < 0.005, "{half} for {exact}");
}

#[test]
fn a_cantilever_swings_as_a_beam_and_too_fast_where_elements_lock() {
    let (length, height) = (1.0, 0.125);
    // Euler–Bernoulli: ω = 1.8751² √(E I / (ρ A l⁴)). Shear and rotation lower it by about 1 % at
    // this slenderness; linear tetrahedra with four across the height raise it by about 9 % through
    // locking.
    for (strain, expected) in [
        (Strain::Smoothed, 0.96..1.01),
        (Strain::PerElement, 1.0..1.15),
    ] {
        let material = ElasticMaterial {
            poisson: 0.0,
            law: ElasticModel::SmallStrain,
            strain,
            ..ElasticMaterial::default()
        };
        let half = half_period([32, 4, 4], [length, height, height], &material, |x| {
            Vector::from([0.0, 1e-4 * x * x * (6.0 - 4.0 * x + x * x) / 3.0, 0.0])
        });
        let omega =
            1.875_104f64.powi(2) * (material.young / material.density / 12.0).sqrt() * height
                / length.powi(2);
        let ratio = PI / half / omega;
        assert!(expected.contains(&ratio), "{strain:?}: {ratio}");
    }
}

/// Oscillates a bar axially in its first mode; returns the decay of its energy in one period, and
/// the error of the energy balance.
fn decay(strain: Strain, stiffness_damping: f64, scale: f64) -> [f64; 2] {
    let material = ElasticMaterial {
        poisson: 0.0,
        strain,
        stiffness_damping,
        ..ElasticMaterial::default()
    };
    let mut solids = weightless();
    let bar = add(
        &mut solids,
        block([24, 2, 2], [1.0, 0.08, 0.08], [0.0; 3]),
        &material,
    );
    let root = Aabb::new([-1e-9, -1.0, -1.0], [1e-9, 2.0, 2.0]);
    let nodes = solids.solid(bar).nodes_within(&root);
    solids
        .hold(bar, &nodes, Path::default())
        .expect("they exist");
    let kick = |p: &Point<3>| Vector::from([1e-4 * (PI / 2.0 * p.x).sin(), 0.0, 0.0]);
    let kick: Vec<Vector<3>> = solids.solid(bar).points().iter().map(kick).collect();
    solids.set_velocities(bar, &kick).expect("finite");
    let period = 4.0 / (material.young / material.density).sqrt();
    let steps = (period / (scale * solids.stable_step())).ceil();
    let before = solids.energy();
    run(&mut solids, period / steps, steps as usize);
    let after = solids.energy();

    [
        (after.kinetic + after.elastic) / before.kinetic,
        (after.total() / before.total() - 1.0).abs(),
    ]
}

#[test]
fn stiffness_damping_takes_of_a_mode_what_kelvin_and_voigt_say() {
    for strain in [Strain::PerElement, Strain::Smoothed] {
        // x'' + βω² x' + ω² x = 0: the energy falls by exp(−βω² t).
        let period = 4.0 / (1e6f64 / 1000.0).sqrt();
        let omega = TAU / period;
        for ratio in [0.01, 0.05] {
            let beta = 2.0 * ratio / omega;
            let [left, missing] = decay(strain, beta, 0.5);
            let expected = (-beta * omega * TAU).exp();
            assert!(
                (left / expected - 1.0).abs() < 0.02,
                "{strain:?}, {ratio}: {left} for {expected}"
            );
            assert!(missing < 2e-3, "{strain:?}, {ratio}: {missing}");
        }
    }
}

#[test]
fn the_advised_step_knows_stiffness_damping() {
    for beta in [1e-4, 1e-2] {
        let mut solids = weightless();
        let material = ElasticMaterial {
            stiffness_damping: beta,
            ..ElasticMaterial::default()
        };
        let solid = add(&mut solids, shaken(3), &material);
        let mut random = Random::new(3);
        let kick: Vec<Vector<3>> = (0..solids.solid(solid).points().len())
            .map(|_| random.direction::<3>() * 0.3)
            .collect();
        solids.set_velocities(solid, &kick).expect("finite");
        let (before, momentum) = (solids.energy(), solids.momentum());
        let dt = solids.stable_step();
        run(&mut solids, dt, 2000);
        let after = solids.energy();
        let mass = solids.solid(solid).mass();
        let floating = 0.5 * momentum.norm_squared() / mass;

        assert!(
            after.kinetic - floating < 0.5 * before.kinetic,
            "{beta}: {after:?}"
        );
        assert!(
            (after.total() / before.total() - 1.0).abs() < 0.1,
            "{beta}: {after:?}"
        );

        assert!(
            (solids.momentum() - momentum).norm() < 1e-12 * mass,
            "free flight goes on"
        );
    }
}

#[test]
fn free_fall_is_exact() {
    let mut solids = Solids::new(SolidsOptions::default()).expect("valid");
    let solid = add(
        &mut solids,
        block([2; 3], [0.1; 3], [0.0; 3]),
        &ElasticMaterial::default(),
    );
    solids.set_velocity(solid, [1.0, 0.0, 2.0]).expect("finite");
    solids.interact(1.0).expect("fine");

    let forces: Vec<Vector<3>> = solids
        .solid(solid)
        .masses()
        .iter()
        .map(|m| Vector::z() * (-9.81 * m))
        .collect();

    for (node, force) in (0..).zip(forces) {
        solids.apply(solid, node, force).expect("exists");
    }

    let start = centre(&solids, solid);
    let before = solids.energy().total();
    run(&mut solids, 1e-4, 2000);
    let expected = start + Vector::from([0.2, 0.0, 0.4 - 0.5 * 9.81 * 0.04]);
    assert!((centre(&solids, solid) - expected).norm() < 1e-12);
    assert!((solids.energy().total() - before).abs() < 1e-11 * solids.energy().kinetic);

    assert!(solids.energy().elastic < 1e-15);
}

#[test]
fn a_free_vibrating_brick_keeps_its_energy_and_momentum() {
    for law in LAWS {
        let mut solids = weightless();
        let solid = add(
            &mut solids,
            block([4, 3, 3], [0.4, 0.3, 0.3], [0.0; 3]),
            &of_law(law),
        );
        let kick =
            |p: &Point<3>| Vector::from([1.5 * (p.x * 7.0).sin(), 2.0 * p.x, 1.0 - 3.0 * p.y]);
        let kicks: Vec<Vector<3>> = solids.solid(solid).points().iter().map(kick).collect();
        solids.set_velocities(solid, &kicks).expect("finite");
        let (before, momentum) = (solids.energy().total(), solids.momentum());
        let dt = 0.2 * solids.stable_step();
        let mut most = 0.0f64;

        for _ in 0..200 {
            run(&mut solids, dt, 50);
            most = most.max((solids.energy().total() / before - 1.0).abs());
        }

        assert!(most < 1e-3, "{law:?}: {most}");
        assert!((solids.momentum() - momentum).norm() < 1e-12 * momentum.norm());
    }
}

#[test]
fn the_advised_step_is_stable_and_one_twice_as_long_is_reported() {
    let shaken_start = |scale: f64| {
        let mut solids = weightless();
        let solid = add(&mut solids, shaken(4), &ElasticMaterial::default());
        let mut random = Random::new(3);
        let kick: Vec<Vector<3>> = (0..solids.solid(solid).points().len())
            .map(|_| random.direction::<3>() * 0.3)
            .collect();
        solids.set_velocities(solid, &kick).expect("finite");
        let dt = scale * solids.stable_step();
        (solids, dt)
    };
    let (mut solids, dt) = shaken_start(1.0);
    let before = solids.energy().total();
    run(&mut solids, dt, 3000);
    assert!((solids.energy().total() / before - 1.0).abs() < 0.2);
    let (mut solids, dt) = shaken_start(2.0);
    let trouble = (0..3000)
        .find_map(|_| step(&mut solids, dt).err())
        .expect("it blows up");

    assert!(trouble.body.starts_with("solid 0, node "), "{trouble}");
}

#[test]
fn an_element_that_starts_inverted_turns_back() {
    let mut solids = weightless();
    let material = ElasticMaterial {
        damping: 20.0,
        ..ElasticMaterial::default()
    };
    let solid = add(&mut solids, block([2; 3], [1.0; 3], [0.0; 3]), &material);
    let mut points = solids.solid(solid).points().to_vec();
    let middle = points
        .iter()
        .position(|p| p.coords == Vector::from([0.5; 3]))
        .expect("an inner node");
    points[middle] = Point::from([1.3, 0.6, 0.4]);
    solids.set_points(solid, &points).expect("finite");
    assert!(solids.solid(solid).inverted() > 0);
    let mut stresses = Vec::new();
    solids.solid(solid).stresses(&mut stresses);
    assert!(stresses.iter().all(|s| s.von_mises.is_finite()));
    let dt = solids.stable_step();
    run(&mut solids, dt, 2000);
    assert_eq!(solids.solid(solid).inverted(), 0);

    assert!((solids.solid(solid).points()[middle] - Point::from([0.5; 3])).norm() < 1.0);
}

#[test]
fn held_nodes_follow_their_motion_and_damping_takes_what_it_says() {
    let mut solids = weightless();
    let material = ElasticMaterial {
        damping: 3.0,
        ..ElasticMaterial::default()
    };
    let solid = add(&mut solids, block([2; 3], [1.0; 3], [0.0; 3]), &material);
    let nodes = solids
        .solid(solid)
        .nodes_within(&Aabb::new([0.0; 3], [0.0, 1.0, 1.0]));

    let hold = Path {
        velocity: [0.1, 0.0, 0.0],
        spin: [0.5, 0.0, 0.0],
        centre: Some([0.0, 0.5, 0.5]),
        ..Path::default()
    };
    solids.hold(solid, &nodes, hold).expect("they exist");
    let start: Vec<Point<3>> = nodes
        .iter()
        .map(|&n| solids.solid(solid).points()[n as usize])
        .collect();
    let dt = solids.stable_step();
    run(&mut solids, dt, 100);
    let time = solids.time();
    let turn = nalgebra::Rotation3::new(Vector::x() * (0.5 * time));
    let middle = Point::from([0.0, 0.5, 0.5]);

    for (&n, start) in nodes.iter().zip(&start) {
        let expected = middle + turn * (start - middle) + Vector::x() * (0.1 * time);
        assert!((solids.solid(solid).points()[n as usize] - expected).norm() < 1e-13);
    }

    solids.release(solid, &nodes).expect("exists");
    let before = solids.energy().total();
    run(&mut solids, 0.2 * dt, 2000);
    assert!(solids.energy().dissipated > 0.0);
    assert!((solids.energy().total() / before - 1.0).abs() < 1e-3);
    let swing = Path {
        amplitude: [0.0, 0.01, 0.0],
        frequency: 2.0,
        ..Path::default()
    };
    solids.hold(solid, &[0], swing).expect("exists");
    let (start, since) = (solids.solid(solid).points()[0], solids.time());
    run(&mut solids, dt, 50);
    let expected = 0.01 * (TAU * 2.0 * (solids.time() - since)).sin();

    assert!((solids.solid(solid).points()[0].y - start.y - expected).abs() < 1e-13);
}

#[test]
fn bad_input_is_named() {
    let mut solids = weightless();
    let shape = || block([1; 3], [1.0; 3], [0.0; 3]);
    let solid = add(&mut solids, shape(), &ElasticMaterial::default());
    let bad = ElasticMaterial {
        poisson: 0.5,
        ..ElasticMaterial::default()
    };
    let error = solids.add(shape(), &bad, Default::default()).unwrap_err();

    assert_eq!(
        error.to_string(),
        "poisson is 0.5; it must be from 0 to less than 0.5"
    );
    let mut points = shape().points().to_vec();
    points[3].y = f64::NAN;
    assert_eq!(
        solids.set_points(solid, &points),
        Err(InvalidSolid::NotFinite { node: 3 })
    );

    assert_eq!(
        solids.apply(solid, 2, [f64::INFINITY, 0.0, 0.0]),
        Err(InvalidSolid::NotFinite { node: 2 })
    );
    assert_eq!(
        solids.apply(solid, 8, [0.0; 3]),
        Err(InvalidSolid::NoSuchNode { node: 8, count: 8 })
    );

    assert_eq!(
        solids.set_velocity(7, [0.0; 3]),
        Err(InvalidSolid::NoSuchSolid { solid: 7, count: 1 })
    );
    assert_eq!(
        solids.set_velocities(solid, &[Vector::zeros()]),
        Err(InvalidSolid::WrongCount { given: 1, count: 8 })
    );
    let problem = Problem::whole(ProblemKind::NotPositive);

    assert_eq!(
        solids.add_half_space([0.0; 3], [0.0; 3], Default::default()),
        Err(InvalidSolid::Shape(problem))
    );
    solids.apply(solid, 5, [1e300, 0.0, 0.0]).expect("finite");
    let trouble = step(&mut solids, 1e3)
        .and_then(|()| step(&mut solids, 1e3))
        .unwrap_err();

    assert_eq!(trouble.body, "solid 0, node 5", "{trouble}");
}
