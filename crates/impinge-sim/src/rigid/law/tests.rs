use super::*;

fn touch() -> Touch {
    Touch {
        measure: 1e-4,
        section: 0.1,
        lever: 5e-4,
        normal: Vector::z(),
        is_exact: false,
        dimension: 3,
        stiffness: 1e8,
        is_round: false,
        radius: 0.1,
        mass: 2.0,
        mobility: Matrix::identity() * 0.5,
        turning: Matrix::identity() * 50.0,
        yielding: 0.5,
        is_new: false,
        sharing: 1.0,
        velocity: Vector::zeros(),
        spin: Vector::zeros(),
    }
}

#[test]
fn bodies_at_rest_are_pushed_by_stiffness_times_overlap() {
    let found = push(
        &RigidLaw::default().into(),
        &touch(),
        &Spring::default(),
        1e-5,
    );
    assert!((found.force - Vector::z() * 1e4).norm() < 1e-9);

    assert_eq!(
        (found.force, found.torque),
        (found.elastic, Vector::zeros())
    );
}

#[test]
fn bodies_that_part_fast_do_not_pull() {
    let parting = Touch {
        velocity: Vector::<3>::new(1.0, 0.0, 100.0),
        spin: Vector::z(),
        ..touch()
    };
    let found = push(
        &RigidLaw::default().into(),
        &parting,
        &Spring::default(),
        1e-5,
    );

    assert_eq!((found.force.norm(), found.torque.norm()), (0.0, 0.0));
}

#[test]
fn friction_grows_with_the_way_to_coulombs_limit_and_stays_there() {
    let (law, sliding) = (
        RigidLaw::default(),
        Touch {
            velocity: Vector::x() * 0.01,
            ..touch()
        },
    );
    let mut spring = Spring::default();
    let mut last = 0.0;

    for _ in 0..10_000 {
        let found = push(&law.into(), &sliding, &spring, 1e-5);
        let lost = found.spent(&sliding.velocity, &sliding.spin, 1e-5) + spring.stored()
            - found.spring.stored();
        spring = found.spring;
        let rubbing = -found.force.x;
        assert!(rubbing >= last - 1e-9 && rubbing <= law.friction * found.force.z + 1e-9);
        assert!(lost >= -1e-12);
        last = rubbing;
    }

    assert!((last - 0.5e4).abs() < 1e-6, "{last}");
}

#[test]
fn bad_numbers_are_named() {
    let law = RigidLaw::default();
    assert_eq!(law.fault(), None);
    assert_eq!(
        RigidLaw {
            stiffness: ContactStiffness::Given(-1.0),
            ..law
        }
        .fault(),
        Some("the stiffness is not positive")
    );

    assert_eq!(
        RigidLaw {
            restitution: -0.1,
            ..law
        }
        .fault(),
        Some("the restitution is not in [0, 1]")
    );

    assert!(
        RigidLaw {
            friction: f64::NAN,
            ..law
        }
        .fault()
        .is_some()
    );
}
