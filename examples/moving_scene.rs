//! Bodies on known motions: which begin and cease to touch, where, and how deep?
//!
//! `cargo run --release -p impinge-examples --example moving_scene`

use impinge::detect::{Detector3, EventKind, Place, Scene3, Shape3};
use impinge::narrow::SurfaceBody;
use impinge::shape::{HalfSpace, Polyhedron, Sphere, generate};
use impinge::space::{Aabb, Motion, Pose};
use impinge_examples::{BLUE, GREY, ORANGE, Picture};
use std::{error::Error, sync::Arc};

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let ring = generate::torus(1.0, 0.25, [48, 24])?;
    let upright = Pose::from_quaternion([1.0, 0.0, 0.0, 1.0], [-2.6, 0.0, 1.25])?;
    let rolling = Motion::at_rest(upright).with_velocity([6.5, 0.0, 0.0]);
    let rolling = rolling.with_spin([0.0, 5.2, 0.0]);
    let thrown = Motion::at_rest(Pose::at([0.0, -2.4, 0.5])).with_velocity([0.0, 6.0, 3.8]);
    let thrown = thrown.with_acceleration([0.0, 0.0, -9.81]);

    // ANCHOR: build
    let mut scene = Scene3::default();
    let floor = Shape3::HalfSpace(HalfSpace::new([0.0; 3], [0.0, 0.0, 1.0])?);
    scene.add(floor, Place::Fixed(Pose::identity()))?;
    let given = |motion| Place::Given { motion, since: 0.0 };
    let torus = Shape3::Surface(Arc::new(SurfaceBody::new(&ring)?));
    let torus = scene.add(torus, given(rolling))?;
    let ball = Shape3::Sphere(Sphere::new([0.0; 3], 0.2)?);
    let ball = scene.add(ball, given(thrown))?;
    let (cube, beside) = (Polyhedron::cuboid([0.6; 3])?, Pose::at([2.0, 0.3, 0.3]));
    let brick = scene.add(Shape3::Polyhedron(Arc::new(cube)), Place::Moved(beside))?;
    // ANCHOR_END: build

    // ANCHOR: step
    let (mut detector, mut events) = (Detector3::default(), Vec::new());
    for time in (0..120).map(|step| 0.01 * f64::from(step)) {
        detector.step(&scene, time)?;
        for event in detector.events() {
            let pair = event.pair;
            println!("{time:.2} s: {} and {} {:?}", pair.a, pair.b, event.kind);
            events.push((pair.a, pair.b, event.kind));
        }
    }
    // ANCHOR_END: step
    assert!(events.contains(&(torus, brick, EventKind::Ended)));
    let hits = |event: &&(_, _, _)| event.0 == torus && event.1 == ball;
    assert_eq!(events.iter().find(hits), None, "through the hole");

    let cube = generate::block([1, 1, 1], [0.6; 3])?;
    let mut picture = Picture::new(&Aabb::new([-4.0, -2.5, 0.0], [4.0, 2.5, 2.5]));
    picture = picture.placed(&cube, &Pose::at([1.7, 0.0, 0.0]), ORANGE);
    for (time, colour) in [(0.0, GREY), (0.4, BLUE), (0.8, ORANGE)] {
        picture = picture.placed(&ring, &rolling.pose_at(time), colour);
        picture = picture.balls([(thrown.position(time), 0.2, colour)]);
    }
    picture.save("moving_scene")?;
    Ok(())
}
