use super::super::{ElasticMaterial, SelfContact, Solids, SolidsOptions};
use super::{add, block, rough, run};
use crate::Path;
use crate::matter::{BodyRef, Matter};
use impinge::shape::Solid;
use impinge::shape::generate::Vee;
use impinge::space::Vector;

/// A scene with every feature: contacts, friction, self-contact, holds, damping.
fn busy() -> Solids {
    let mut solids = Solids::new(SolidsOptions::default()).expect("valid");
    let material = ElasticMaterial {
        damping: 1.0,
        surface: rough(0.3),
        stiffness_damping: 1e-5,
        ..ElasticMaterial::default()
    };
    let lower = add(&mut solids, block([4; 3], [0.2; 3], [0.0; 3]), &material);

    let upper = add(
        &mut solids,
        block([3; 3], [0.15; 3], [0.03, 0.02, 0.201]),
        &material,
    );
    let vee = Vee::new(600).expect("valid");
    let points: Vec<_> = vee
        .points(-0.13)
        .expect("in range")
        .iter()
        .map(|p| p * 0.1 + Vector::from([0.8, 0.0, 0.06]))
        .collect();
    let shape = Solid::new(&points, vee.tetrahedra()).expect("valid");

    let inward: Vec<Vector<3>> = points
        .iter()
        .map(|p| Vector::from([-10.0 * (p.x - 0.8).signum() * p.y.max(0.0), 0.0, 0.0]))
        .collect();
    let closing = solids
        .add(shape, &material, SelfContact::Found)
        .expect("valid");
    solids.set_velocities(closing, &inward).expect("finite");
    solids
        .add_half_space([0.0, 0.0, 0.001], [0.1, 0.0, 0.9], rough(0.3))
        .expect("a direction");
    solids
        .set_velocity(upper, [0.5, 0.1, -1.0])
        .expect("finite");

    solids
        .hold(
            lower,
            &[0, 1],
            Path {
                amplitude: [0.0, 0.001, 0.0],
                frequency: 9.0,
                ..Path::default()
            },
        )
        .expect("exist");

    solids
}

fn bytes(solids: &Solids) -> Vec<u8> {
    postcard::to_stdvec(solids).expect("plain numbers")
}

#[test]
fn one_two_and_seven_threads_give_the_same_bytes() {
    let after = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| {
            let mut solids = busy();
            let dt = solids.stable_step();
            run(&mut solids, dt, 300);
            assert!(solids.dissipated > 0.0);
            bytes(&solids)
        })
    };
    let one = after(1);

    assert!(one == after(2) && one == after(7));
}

#[test]
fn resuming_gives_the_same_bytes_as_going_on() {
    let mut solids = busy();
    let dt = solids.stable_step();
    run(&mut solids, dt, 10);
    let mut resumed: Solids = postcard::from_bytes(&bytes(&solids)).expect("what was written");
    assert_eq!(resumed.stable_step(), solids.stable_step());
    assert_eq!(resumed.energy(), solids.energy());
    let mut lines = Vec::new();

    for _ in 0..150 {
        run(&mut solids, dt, 1);
        run(&mut resumed, dt, 1);
        solids.contacts(&mut lines);
    }

    assert!(bytes(&solids) == bytes(&resumed));
    assert_eq!(solids.contacts, resumed.contacts);
    let solid = BodyRef::solid;
    for bodies in [
        [solid(0), solid(1)],
        [solid(0), BodyRef::wall(0)],
        [solid(2), solid(2)],
    ] {
        assert!(
            lines.iter().any(|line| line.bodies == bodies),
            "{bodies:?} touch"
        );
    }
}

#[test]
fn a_damaged_state_is_refused() {
    let good = bytes(&busy());
    assert!(postcard::from_bytes::<Solids>(&good[..good.len() / 2]).is_err());
}
