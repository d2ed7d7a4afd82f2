//! Rolling, sliding and spinning.

use super::*;

/// Rolls a ball on a wall with 1 m/s; returns its speed after a second.
fn rolled(law: RigidLaw, wall: &dyn Fn(&mut Rigid3) -> Result<usize, InvalidRigid>) -> f64 {
    let mut bodies = Rigid3::new(law, [0.0, 0.0, -G]).expect("valid");
    let shape = bodies.add_shape(RigidShape3::sphere(0.1).expect("valid"));
    bodies
        .add(&NewBody {
            shape,
            position: [-0.5, 0.01, 0.0999],
            velocity: [1.0, 0.0, 0.0],
            spin: [0.0, 10.0, 0.0],
            ..NewBody::default()
        })
        .expect("a ball");
    wall(&mut bodies).expect("a wall");
    run(&mut bodies, 1.0);

    bodies.velocity(0).x
}

#[test]
fn a_rolling_ball_keeps_its_speed_on_half_spaces_meshes_and_slabs() {
    for restitution in [0.0, 0.3, 0.8] {
        let law = RigidLaw {
            restitution,
            ..law(1e8)
        };
        let plane = |b: &mut Rigid3| {
            b.add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
        };
        let mesh = |b: &mut Rigid3| b.add_mesh(mesh_floor(9, 4.0), PrescribedMotion::default());

        let slab = |b: &mut Rigid3| {
            let shape = b.add_shape(cuboid(4.0, 1.0, 0.2));
            b.add(&NewBody {
                shape,
                guide: Some(PrescribedMotion::at([0.0, 0.0, -0.1])),
                ..NewBody::default()
            })
        };

        for speed in [rolled(law, &plane), rolled(law, &mesh), rolled(law, &slab)] {
            assert!((speed - 1.0).abs() < 0.005, "{restitution}: {speed}");
        }
    }
}

#[test]
fn rolling_friction_brakes_a_ball_and_holds_it_on_a_slope() {
    // μᵣ N R against 7/5 m R: −5/7 μᵣ g.
    let rolling = 0.05;
    let law = RigidLaw {
        rolling,
        ..law(1e8)
    };
    let plane =
        |b: &mut Rigid3| b.add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default());
    let (speed, expected) = (rolled(law, &plane), 1.0 - 5.0 / 7.0 * rolling * G);
    assert!((speed - expected).abs() < 0.01, "{speed} {expected}");

    for (tilt, stays) in [(0.8 * rolling, true), (1.2 * rolling, false)] {
        let mut bodies = Rigid3::new(law, [G * tilt.sin(), 0.0, -G * tilt.cos()]).expect("valid");
        let shape = bodies.add_shape(RigidShape3::sphere(0.1).expect("valid"));
        bodies
            .add(&NewBody {
                shape,
                position: [0.0, 0.0, 0.1],
                ..NewBody::default()
            })
            .expect("a ball");
        plane(&mut bodies).expect("a slope");
        run(&mut bodies, 2.0);
        let speed = bodies.velocity(0).x;

        assert_eq!(speed.abs() < 0.02, stays, "{tilt}: {speed}");
    }
}

/// A flat prism of 32 sides.
fn puck(radius: f64, height: f64) -> RigidShape3 {
    let corner = |i: u32| {
        let (sin, cos) = (2.0 * PI * f64::from(i / 2) / 32.0).sin_cos();
        let z = if i.is_multiple_of(2) { -0.5 } else { 0.5 } * height;
        Point::from([radius * cos, radius * sin, z])
    };
    RigidShape3::polyhedron(&(0..64).map(corner).collect::<Vec<_>>()).expect("a puck")
}

#[test]
fn a_puck_stops_sliding_and_spinning_together_with_the_ratio_of_farkas() {
    let radius = 0.1;
    for (slide, spin) in [(0.3, 30.0), (0.5, 10.0), (1.5, 7.5)] {
        let law = RigidLaw {
            friction: 0.2,
            ..law(1e8)
        };
        let mut bodies = Rigid3::new(law, [0.0, 0.0, -G]).expect("valid");
        let shape = bodies.add_shape(puck(radius, 0.01));
        bodies
            .add(&NewBody {
                shape,
                position: [0.0, 0.0, 0.005],
                velocity: [slide, 0.0, 0.0],
                spin: [0.0, 0.0, spin],
                ..NewBody::default()
            })
            .expect("a puck");
        bodies
            .add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
            .expect("a floor");
        let dt = bodies.stable_step();
        let start = bodies.energy().kinetic;
        let (mut stops, mut late) = ([0.0; 2], None);

        for n in 1..(3.0 / dt) as usize {
            step(&mut bodies, dt).expect("no trouble");
            let moving = [bodies.velocity(0).xy().norm(), bodies.spin(0).z * radius];
            for (stop, speed) in stops.iter_mut().zip(moving) {
                if speed > 1e-3 {
                    *stop = n as f64 * dt;
                }
            }
            if late.is_none() && bodies.energy().kinetic < 1e-3 * start {
                late = Some(moving[0] / moving[1]);
            }
        }

        let [slid, spun] = stops;
        assert!((slid / spun - 1.0).abs() < 0.01, "{slid} s and {spun} s");

        // v/(Rω) tends to 0.653 [Farkas2003], slowly if the spin is much faster than the slide.
        let late = late.expect("it stops");
        let slow = if slide < 0.2 * spin * radius {
            0.5
        } else {
            0.1
        };

        assert!((late - 0.653).abs() < slow, "{slide} {spin}: {late}");
    }
}

#[test]
fn a_torque_below_the_limit_does_not_turn_a_box_on_the_floor() {
    let mut bodies = Rigid3::new(law(1e8), [0.0, 0.0, -G]).expect("valid");
    let shape = bodies.add_shape(cuboid(0.2, 0.2, 0.2));
    bodies
        .add(&NewBody {
            shape,
            position: [0.0, 0.0, 0.1],
            ..NewBody::default()
        })
        .expect("a box");
    bodies
        .add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
        .expect("a floor");
    let dt = bodies.stable_step();

    // A couple with half of the torque that Coulomb allows about the normal.
    let force = 0.5 * 2.0 / 3.0 * 0.5 * bodies.mass(0) * G * (0.04 / PI).sqrt() / 0.2;
    for _ in 0..(1.0 / dt) as usize {
        bodies.begin(dt);
        bodies.interact(dt).expect("no trouble");
        for side in [-1.0, 1.0] {
            let at = bodies.centre(0) + Vector::x() * (0.1 * side);
            bodies.apply(0, &(Vector::y() * (side * force)), &at);
        }
        bodies.finish(dt).expect("no trouble");
    }

    assert!(bodies.spin(0).norm() < 1e-5, "{}", bodies.spin(0));
    let turned = bodies.pose(0).expect("finite").rotation()[(1, 0)];
    assert!(turned.abs() < 1e-4, "{turned}");
}
