//! Rays and sweeps: a scan of a terrain, the nearest obstacle, and how far a robot can drive.
//!
//! `cargo run --release -p impinge-examples --example rays`

use impinge::broad::Filter;
use impinge::detect::{Place, Ray, RayHit, Scene3, Shape3};
use impinge::narrow::SurfaceBody;
use impinge::shape::{Polyhedron, Sphere};
use impinge::space::{Aabb, Point, Pose, Vector};
use impinge_examples::{BLUE, GREY, ORANGE, Picture};
use std::{error::Error, sync::Arc};

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let hill = |n: u32| 0.2 * (0.15 * f64::from(n % 81)).sin() * (0.12 * f64::from(n / 81)).cos();
    let heights: Vec<f64> = (0..81 * 81).map(hill).collect();

    let mut scene = Scene3::default();
    let terrain = SurfaceBody::height_field(&heights, [81, 81], [0.1, 0.1])?;
    let pillar = Polyhedron::cuboid([0.6, 0.6, 3.0])?;
    let boulder = Sphere::new([0.0; 3], 0.6)?;
    let mut add = |shape, position: [f64; 3]| scene.add(shape, Place::Fixed(Pose::at(position)));
    add(Shape3::Surface(Arc::new(terrain)), [0.0; 3])?;
    let pillar = add(Shape3::Polyhedron(Arc::new(pillar)), [6.0, 4.5, 1.0])?;
    add(Shape3::Sphere(boulder), [3.0, 5.5, 0.4])?;

    // ANCHOR: ask
    // The scene at one time: its bodies are placed once, for any number of queries.
    let now = scene.at(0.0)?;

    let eye = Point::from([4.0, 1.0, 2.5]);
    let ray = |n: u32| {
        let [x, z] = [n % 120, n / 120].map(|k| f64::from(k) / 60.0 - 1.0);
        let to = eye + Vector::from([x, 1.0, z]) * 10.0;
        Ray { from: eye, to }
    };
    let rays: Vec<Ray<3>> = (0..120 * 60).map(ray).collect();
    let mut hits: Vec<Option<RayHit<3>>> = Vec::new();
    now.cast_rays(&rays, Filter::ALL, &mut hits)?;

    let nearest = now.nearest(&eye, 5.0, Filter::ALL)?;
    let robot = Shape3::Sphere(Sphere::new([0.0; 3], 0.5)?);
    let (start, way) = (Pose::at([1.0, 4.5, 0.9]), Vector::from([6.0, 0.0, 0.0]));
    let impact = now.cast_shape(&robot, &start, &way, Filter::ALL)?;
    // ANCHOR_END: ask

    let counts = [0, 1, 2].map(|body| hits.iter().flatten().filter(|hit| hit.body == body).count());
    println!("hits on terrain, pillar, boulder: {counts:?}; {nearest:.3?}; {impact:.3?}");
    assert_eq!(impact.map(|hit| hit.body), Some(pillar));
    assert!(counts.iter().all(|&count| count > 100));

    let colour = |hit: &RayHit<3>| [GREY, BLUE, ORANGE][hit.body as usize];
    let hits = hits.iter().flatten();
    let cloud = hits.map(|hit| (hit.point, 0.03, colour(hit)));
    let picture = Picture::new(&Aabb::new([0.0, 0.0, 0.0], [8.0, 8.0, 2.5]));
    picture.balls(cloud).save("rays")?;
    Ok(())
}
