//! What drives and holds walls and bodies: conveyors, accelerated motion, hinges.

use super::{WEIGHT, advance, imbalance, world};
use std::f64::consts::PI;

const BOX: &str = "[[body]]\nshape = { box = [0.05, 0.05, 0.05] }\nposition = [0, 0, 0.026]\n";

#[test]
fn loads_contain_the_power_of_a_conveyor() {
    let text = format!(
        "{WEIGHT}[[material]]\nyoung = 1e6\nfriction = 0.4\n\
         [[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmotion = {{ surface_velocity = [5, 0, 0] }}\n{}",
        BOX
    );
    let mut world = world(&text);
    let dt = 0.9 * world.stable_step();
    advance(&mut world, 0..(0.3 / dt) as u64, dt);
    let weight = 2500.0 * 0.05_f64.powi(3) * 9.81;
    let row = crate::measure::loads(&world, 0.3);
    let power: f64 = row
        .lines()
        .find(|line| line.contains(",wall,"))
        .and_then(|line| line.rsplit(',').next())
        .and_then(|power| power.parse().ok())
        .expect("a number");
    // The box is still slower: friction acts against the belt.
    assert!((power / (-0.4 * weight * 5.0) - 1.0).abs() < 0.05, "{row}");
}

#[test]
fn a_hinged_body_swings_as_a_physical_pendulum() {
    let (length, width, offset) = (0.3_f64, 0.02, 0.1);
    let inertia = (length * length + width * width) / 12.0 + offset * offset;
    let half = PI * (inertia / (9.81 * offset)).sqrt();
    let scenes = [
        format!(
            "gravity = [0, 0, -9.81]\n[run]\nduration = 1\n[[body]]\nshape = {{ box = [{width}, 0.1, {length}] }}\n\
             position = [1, 2, 2.9]\nhinge = {{ point = [1, 5, 3], axis = [0, 2, 0] }}\nspin = [0, 0.05, 0]\n"
        ),
        format!(
            "dimension = 2\ngravity = [0, -9.81]\n[run]\nduration = 1\n[[body]]\nshape = {{ box = [{width}, {length}] }}\n\
             position = [1, 2.9]\nhinge = {{ point = [1, 3] }}\nspin = [0.05]\n"
        ),
    ];
    for scene in scenes {
        let mut world = world(&scene);
        let before = world.energy().total();
        let dt = half / 2000.0;
        advance(&mut world, 0..2000, dt);
        let spin: f64 = world.body(0).expect("there").spin.sum();
        assert!((spin / -0.05 - 1.0).abs() < 1e-3, "{spin}");
        let after = world.energy();
        assert!(
            (after.total() - before).abs() < 1e-6 * after.kinetic,
            "{after:?}"
        );
        let centre = world.body_centre(0);
        let pivot = if centre.z == 0.0 {
            [1.0, 3.0, 0.0]
        } else {
            [1.0, 2.0, 3.0]
        };
        let arm = (centre - impinge::space::Point::from(pivot)).norm();
        assert!((arm - offset).abs() < 1e-12, "{arm}");
    }
}

#[test]
fn what_hits_a_hinged_flap_turns_it_as_the_moment_about_the_hinge_says() {
    let (mass, flap) = (2500.0 * 4.0 / 3.0 * PI * 1e-6, 2500.0 * 0.02 * 0.1 * 0.3);
    let inertia = flap * ((0.3_f64.powi(2) + 0.02_f64.powi(2)) / 12.0 + 0.15_f64.powi(2));
    for (hitting, restitution) in [
        (
            "[[particles]]\ncount = 1\nradius = 0.01\nvelocity = [-1, 0, 0]\n\
          region = { box = { min = [0.0145, -0.0101, -0.2101], max = [0.0355, 0.0101, -0.1899] } }\n",
            0.5,
        ),
        (
            "[[body]]\nshape = { sphere = 0.01 }\nposition = [0.025, 0, -0.2]\nvelocity = [-1, 0, 0]\n",
            0.5,
        ),
        (
            "[[body]]\nshape = { sphere = 0.01 }\nposition = [0.025, 0, -0.2]\nvelocity = [-1, 0, 0]\n",
            1.0,
        ),
    ] {
        let text = format!(
            "[run]\nduration = 1\n[[material]]\nyoung = 1e7\nrestitution = {restitution}\nfriction = 0\n\
             [[body]]\nshape = {{ box = [0.02, 0.1, 0.3] }}\nposition = [0, 0, -0.15]\n\
             hinge = {{ point = [0, 0, 0], axis = [0, 1, 0] }}\n{hitting}"
        );
        let (imbalance, energy, world) = imbalance(&text, 0.02);
        let spin = world.body(0).expect("there").spin;
        // ω = (1 + e) m v r / (I + m r²).
        let wanted = (1.0 + restitution) * mass * 0.2 / (inertia + mass * 0.04);
        assert!(
            (spin.y / wanted - 1.0).abs() < 0.02,
            "{hitting}: {spin} {wanted}"
        );
        assert!(spin.x.abs() + spin.z.abs() < 1e-12, "{spin}");
        assert!(imbalance.abs() < 0.01, "{imbalance} {energy:?}");
    }
}

#[test]
fn discs_in_the_plane_roll_down_an_incline_as_theory_says() {
    // Gravity is inclined by 20°. A disc rolls at 2/3 of the acceleration of one that slides without friction.
    let angle = 20.0_f64.to_radians();
    let scene = format!(
        "dimension = 2\ngravity = [{}, {}]\n[run]\nduration = 1\n[[material]]\nyoung = 1e7\nfriction = 0.5\n\
         [[wall]]\npoint = [0, 0]\nnormal = [0, 1]\n[[body]]\nshape = {{ sphere = 0.05 }}\nposition = [0, 0.05]\n",
        9.81 * angle.sin(),
        -9.81 * angle.cos()
    );
    let mut world = world(&scene);
    let before = world.energy().total();
    let dt = 0.9 * world.stable_step();
    let steps = (0.5 / dt) as u64;
    advance(&mut world, 0..steps, dt);
    let wanted = 2.0 / 3.0 * 9.81 * angle.sin() * steps as f64 * dt;
    let speed = world.body_velocity(0).x;
    assert!((speed / wanted - 1.0).abs() < 0.01, "{speed} {wanted}");
    let spin = world.body(0).expect("there").spin.z;
    assert!((spin * 0.05 / -speed - 1.0).abs() < 0.01, "{spin}");
    let energy = world.energy();
    assert!(
        (energy.total() - before).abs() < 0.01 * energy.kinetic,
        "{energy:?}"
    );
    assert!(!crate::frames::of(&world, 0).is_empty());
}
