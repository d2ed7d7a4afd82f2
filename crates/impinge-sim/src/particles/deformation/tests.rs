use super::super::tests::{hertz, setup, step};
use super::super::{Grain, Particles, Setup};
use super::Deformation;
use crate::Matter;
use impinge::space::Random;

const RADIUS: f64 = 1e-3;

/// Spheres on a lattice in a cube, with random velocities.
fn cube(count: usize, length: f64, speed: f64, setup: Setup) -> Particles {
    let half = 0.5 * length;
    let mut particles = Particles::new(Setup {
        gravity: [0.0; 3],
        period: [Some([-half, half]); 3],
        ..setup
    })
    .expect("a good setup");
    let mut random = Random::new(7);
    let side = (count as f64).cbrt().ceil() as usize;
    let pitch = length / side as f64;
    let grains: Vec<Grain> = (0..count)
        .map(|n| Grain {
            position: [n % side, n / side % side, n / (side * side)]
                .map(|k| (k as f64 + 0.5) * pitch - half),
            velocity: (random.direction::<3>() * speed).into(),
            radius: random.within(0.8, 1.2) * RADIUS,
            ..Grain::default()
        })
        .collect();
    particles.add(&grains).expect("good grains");
    particles
}

fn run(particles: &mut Particles, dt: f64, steps: usize) {
    (0..steps).for_each(|_| step(particles, dt).expect("nothing blows up"));
}

#[test]
fn a_gas_that_is_compressed_heats_up_as_an_adiabatic_one() {
    let mut elastic = setup(hertz(), 1.0, 0.0);
    elastic.materials[0].young = 1e7;
    elastic.deformation = [Deformation::Rate(-2.0); 3];
    let mut gas = cube(216, 0.06, 1.0, elastic);
    let before = gas.energy();
    let dt = gas.stable_step().min(2e-5);
    let steps = (0.1 / dt) as usize;
    run(&mut gas, dt, steps);

    // T V^(2/3) is constant: the length has shrunk by e^(−0.2).
    let after = gas.energy();
    let heated = after.kinetic / before.kinetic;
    assert!((heated / 0.4_f64.exp() - 1.0).abs() < 0.03, "{heated}");
    let closed = (after.total() - before.total()) / before.kinetic;
    assert!(closed.abs() < 2e-3, "{closed} {after:?}");
    assert!(after.dissipated.abs() < 0.01 * before.kinetic, "{after:?}");
    let [low, up] = gas.period()[0].expect("periodic");
    let shrunk = (up - low) / 0.06 / (-2.0 * steps as f64 * dt).exp();
    assert!((shrunk - 1.0).abs() < 1e-9);
    // p = 2K/3V, and somewhat more for the volume of the spheres.
    let ideal = 2.0 / 3.0 * after.kinetic / (up - low).powi(3);
    let mean = gas.pressure().iter().sum::<f64>() / 3.0;
    assert!((0.95..1.3).contains(&(mean / ideal)), "{mean} {ideal}");
}

#[test]
fn a_bed_is_brought_to_a_pressure() {
    let mut soft = setup(hertz(), 0.3, 0.3);
    soft.materials[0].young = 1e7;
    let wanted = 5e3;
    soft.deformation = [Deformation::Pressure {
        pressure: wanted,
        rate: 2.0,
    }; 3];
    let mut bed = cube(343, 0.0155, 0.05, soft);
    let dt = bed.stable_step();
    run(&mut bed, dt, (0.6 / dt) as usize);

    for pressure in bed.pressure() {
        assert!((pressure / wanted - 1.0).abs() < 0.03, "{pressure}");
    }
    let [low, up] = bed.period()[2].expect("periodic");
    let solid: f64 = bed.radii().map(|r| 4.19 * r.powi(3)).sum();
    let fraction = solid / (up - low).powi(3);
    assert!((0.55..0.66).contains(&fraction), "{fraction}");
    let energy = bed.energy();
    assert!(energy.work > 0.0 && energy.dissipated > 0.0, "{energy:?}");
}

#[test]
fn a_deforming_box_has_the_same_bytes_on_any_number_of_threads_and_after_a_restart() {
    let mut soft = setup(hertz(), 0.5, 0.4);
    soft.materials[0].young = 1e6;
    soft.deformation = [
        Deformation::Rate(-1.0),
        Deformation::Pressure {
            pressure: 1e3,
            rate: 3.0,
        },
        Deformation::Fixed,
    ];
    let run_on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("a pool").install(|| {
            let mut bed = cube(3375, 0.032, 0.2, soft.clone());
            let dt = bed.stable_step();
            run(&mut bed, dt, 300);
            let mut resumed = Particles::resume(&bed.state()).expect("a good state");
            run(&mut bed, dt, 100);
            run(&mut resumed, dt, 100);
            assert!(bed.state() == resumed.state());
            assert!(bed.contact_count() > 1000, "{}", bed.contact_count());
            bed.state()
        })
    };
    let one = run_on(1);
    assert!(run_on(2) == one && run_on(7) == one);
}

#[test]
fn deformations_that_make_no_sense_are_refused_and_too_small_boxes_stop() {
    let refused = |deformation: Deformation, axis: usize| {
        let mut bad = Setup {
            period: [Some([0.0, 1.0]), Some([0.0, 1.0]), None],
            gravity: [0.0, -1.0, 0.0],
            ..setup(hertz(), 0.5, 0.5)
        };
        bad.deformation[axis] = deformation;
        Particles::new(bad).expect_err("no sense").to_string()
    };
    assert!(refused(Deformation::Rate(f64::NAN), 0).contains("not finite"));
    assert!(refused(Deformation::Rate(1.0), 1).contains("gravity acts along it"));
    assert!(refused(Deformation::Rate(1.0), 2).contains("not periodic"));
    let pressure = Deformation::Pressure {
        pressure: 1.0,
        rate: 1.0,
    };
    assert!(refused(pressure, 0).contains("periodic on all axes"));

    let mut shrinking = setup(hertz(), 0.5, 0.5);
    shrinking.deformation = [Deformation::Rate(-10.0); 3];
    let mut few = cube(1, 0.02, 0.0, shrinking);
    let failed = (0..100_000).find_map(|_| step(&mut few, 1e-4).err());
    let failed = failed.expect("it becomes too small").to_string();
    assert!(failed.contains("the periodic box"), "{failed}");
}
