//! Tests of the queries against brute force over bodies, and of steps along rays.

use super::samples::{cube_solid, hammer, kinds2, kinds3, pose2, pose3};
use super::*;
use crate::narrow::SurfaceBody;
use crate::narrow::projection::FaceTree;
use crate::shape::{Polyhedron, Round, generate};

/// Bodies of every kind in a box, half-spaces far below.
fn scatter<S: PairMethods<D>, const D: usize>(
    kinds: &[S],
    count: usize,
    random: &mut Random,
    pose: impl Fn(&mut Random, Point<D>) -> Pose<D>,
) -> Scene<S, D> {
    let mut scene = Scene::default();
    for n in 0..count {
        let shape = kinds[n % kinds.len()].clone();
        let mut at = Point::from(Vector::<D>::from_fn(|_, _| random.within(-6.0, 6.0)));
        let placed = if shape.half_space().is_some() {
            at[D - 1] = -9.0 - n as f64;
            Pose::at(at)
        } else {
            pose(random, at)
        };
        scene.add(shape, Place::Moved(placed)).expect("finite");
    }

    scene
}

/// All bodies of a scene, without a hierarchy.
struct All<'a, S: Queries<D>, const D: usize> {
    bodies: Vec<Option<Placed<'a, S, D>>>,
    prepared: S::Deforming,
}

impl<'a, S: Queries<D>, const D: usize> All<'a, S, D> {
    fn of(scene: &'a Scene<S, D>) -> Self {
        let bodies = scene.placed(0.0);
        let prepared = S::prepare(&bodies);
        Self { bodies, prepared }
    }

    /// The least signed distance of a point from any body, and the body.
    fn distance(&self, point: &Point<D>) -> (f64, u32) {
        let each = self.bodies.iter().flatten().filter_map(|placed| {
            let exit = S::exit(placed, &self.prepared, point, 1e30)?;
            Some((exit.0.gap, placed.id))
        });
        each.min_by(|p, q| p.partial_cmp(q).expect("finite"))
            .expect("a body")
    }
}

fn rays_and_points<S: Queries<D>, const D: usize>(
    scene: &Scene<S, D>,
    random: &mut Random,
) -> usize {
    let (now, slow) = (scene.at(0.0).expect("finite"), All::of(scene));
    let mut at = || Point::from(Vector::<D>::from_fn(|_, _| random.within(-8.0, 8.0)));
    let points: Vec<Point<D>> = (0..60).map(|_| at()).collect();
    let rays: Vec<Ray<D>> = (0..120)
        .map(|_| Ray {
            from: at(),
            to: at(),
        })
        .collect();
    let (mut nearest, mut hits) = (Vec::new(), Vec::new());
    let all = Filter::ALL;
    now.nearest_bodies(&points, f64::INFINITY, all, &mut nearest)
        .expect("finite");
    now.cast_rays(&rays, all, &mut hits).expect("finite");

    for (point, found) in points.iter().zip(&nearest) {
        let found = found.expect("a body");
        let expected = slow.distance(point);
        assert_eq!((found.gap, found.body), expected);
        assert_eq!(
            now.nearest(point, f64::INFINITY, all).expect("finite"),
            Some(found)
        );
        let close = now
            .nearest(point, 0.5 * expected.0.max(0.0), all)
            .expect("finite");
        assert_eq!(close.is_some(), expected.0 <= 0.0);
    }

    for (ray, hit) in rays.iter().zip(&hits) {
        assert_eq!(now.cast_ray(ray, all).expect("finite"), *hit);
        let way = ray.to - ray.from;
        // Nothing is hit before the hit, and something there.
        let until = hit.map_or(1.0, |hit| hit.fraction);
        for n in 0..200 {
            let fraction = until * (f64::from(n) / 200.0) - 1e-6;
            if fraction >= 0.0 {
                let gap = slow.distance(&(ray.from + way * fraction)).0;
                assert!(gap > 0.0, "{gap} at {fraction} before {until}");
            }
        }
        if let Some(hit) = hit {
            assert!(slow.distance(&hit.point).0 < 1e-7);
            assert!((hit.normal.norm() - 1.0).abs() < 1e-9 && hit.normal.dot(&way) <= 1e-9);
        }
    }

    hits.iter().flatten().count()
}

#[test]
fn rays_and_nearest_bodies_are_those_of_all_bodies() {
    let mut random = Random::new(71);
    let hits = rays_and_points(&scatter(&kinds3(), 60, &mut random, pose3), &mut random);
    assert!(hits > 20, "{hits}");
    let hits = rays_and_points(&scatter(&kinds2(), 40, &mut random, pose2), &mut random);
    assert!(hits > 20, "{hits}");
}

#[test]
fn overlapping_bodies_are_those_that_a_detector_finds() {
    let mut random = Random::new(72);
    let (kinds, mut scene) = (kinds3(), Scene3::default());
    for n in 0..60 {
        let at = Point::from([(); 3].map(|()| random.within(-1.5, 1.5)));
        let place = Place::Moved(pose3(&mut random, at));
        scene.add(kinds[n % 9].clone(), place).expect("finite");
    }
    let mut compared = 0;
    for kind in [0, 1, 2, 4, 5, 6, 7, 8] {
        let pose = pose3(&mut random, Point::origin());
        let mut found = Vec::new();
        scene
            .at(0.0)
            .expect("finite")
            .overlapping(&kinds[kind], &pose, Filter::ALL, &mut found)
            .expect("a good shape");
        let mut with = scene.clone();
        let id = with
            .add(kinds[kind].clone(), Place::Moved(pose))
            .expect("finite");
        let mut detector = Detector3::default();
        detector.step(&with, 0.0).expect("good");
        let mut expected: Vec<u32> = detector
            .contacts()
            .iter()
            .filter(|contact| contact.pair.b == id)
            .map(|contact| contact.pair.a)
            .collect();
        expected.dedup();
        assert_eq!(found, expected);
        compared += found.len();
    }
    assert!(compared > 8, "{compared}");
}

#[test]
fn a_shape_is_cast_up_to_its_first_touch_and_no_further() {
    let mut random = Random::new(73);
    let ring = generate::torus(0.7, 0.3, [16, 10]).expect("a torus");
    let kinds = [
        kinds3()[0].clone(),
        Shape3::Polyhedron(Arc::new(
            Polyhedron::cuboid([1.0, 0.8, 0.6]).expect("a box"),
        )),
        Shape3::Surface(Arc::new(SurfaceBody::new(&ring).expect("closed"))),
        kinds3()[5].clone(),
        kinds3()[6].clone(),
        kinds3()[7].clone(),
        hammer(),
    ];
    let scene = scatter(&kinds, 42, &mut random, pose3);
    let now = scene.at(0.0).expect("finite");
    let mut hits = 0;

    for n in 0..70 {
        let shape = &kinds[n % kinds.len()];
        let start = Point::from(random.direction::<3>() * 9.0);
        let (pose, way) = (pose3(&mut random, start), -start.coords * 1.5);
        let hit = now
            .cast_shape(shape, &pose, &way, Filter::ALL)
            .expect("finite");
        let at = |fraction: f64| {
            let mut found = Vec::new();
            let here =
                Pose::at(start + way * fraction).after(&Pose::at(-start.coords).after(&pose));
            now.overlapping(shape, &here, Filter::ALL, &mut found)
                .expect("finite");
            found
        };
        let until = hit.map_or(1.0, |hit| hit.fraction);
        for k in 0..100 {
            let fraction = until * f64::from(k) / 100.0 - 1e-9;
            assert!(
                fraction < 0.0 || at(fraction).is_empty(),
                "{fraction} of {until}"
            );
        }
        if let Some(hit) = hit {
            assert!(at(hit.fraction + 1e-6).contains(&hit.body), "{hit:?}");
            hits += 1;
        }
    }

    assert!(hits > 30, "{hits}");
}

#[test]
fn solids_and_triangular_faces_are_hit_when_their_polyhedron_is() {
    let mut random = Random::new(79);
    let solid = cube_solid(1.0);
    let hull = Polyhedron::hull(solid.points()).expect("a cube");
    let faces = crate::narrow::triangle_faces(solid.points(), solid.boundary_triangles());
    let alike = [
        Shape3::Solid(Arc::new(solid)),
        Shape3::Faces(Arc::new(FaceTree::new(faces.expect("faces")))),
    ];
    let cube = Shape3::Polyhedron(Arc::new(hull));
    let ring = generate::torus(0.7, 0.3, [16, 10]).expect("a torus");
    let pill = Round::capsule([0.0; 3], [0.0, 0.0, 1.0], 0.4).expect("valid");
    let cast = [
        cube.clone(),
        Shape3::Surface(Arc::new(SurfaceBody::new(&ring).expect("closed"))),
        pill.into(),
        hammer(),
        alike[0].clone(),
        alike[1].clone(),
    ];
    let mut hits = 0;
    for n in 0..60 {
        let shape = &cast[n % cast.len()];
        let place = pose3(&mut random, Point::origin());
        let start = Point::from(random.direction::<3>() * 4.0);
        let aside = random.direction::<3>() * 0.8;
        let (pose, way) = (pose3(&mut random, start), (aside - start.coords) * 1.5);
        let first = |body: &Shape3, shape: &Shape3| {
            let mut scene = Scene3::default();
            let place = Place::Fixed(place);
            scene.add(body.clone(), place).expect("finite");
            let now = scene.at(0.0).expect("finite");
            let hit = now.cast_shape(shape, &pose, &way, Filter::ALL);
            hit.expect("all have a distance").map(|hit| hit.fraction)
        };
        // The cube as a polyhedron, where the moving shape is of tetrahedra or faces.
        let expected = first(&cube, if n % cast.len() < 4 { shape } else { &cube });
        for body in &alike {
            match (first(body, shape), expected) {
                (Some(one), Some(other)) => assert!((one - other).abs() < 1e-7, "{one} {other}"),
                (one, other) => assert_eq!(one, other, "{n}"),
            }
        }
        hits += usize::from(expected.is_some());
    }
    assert!((30..60).contains(&hits), "{hits}");
}

#[test]
fn bad_queries_are_refused_with_the_item_named() {
    let scene = scatter(&kinds3(), 12, &mut Random::new(74), pose3);
    let now = scene.at(0.0).expect("finite");
    let at = |x: f64| Point::from([x, 0.0, 0.0]);
    let ray = |from: f64, to: f64| Ray {
        from: at(from),
        to: at(to),
    };
    let fault = |ray: Ray<3>| now.cast_ray(&ray, Filter::ALL).unwrap_err().cause;
    assert_eq!(fault(ray(1.0, 1.0)), QueryFault::NoLength);
    assert_eq!(fault(ray(f64::NAN, 1.0)), QueryFault::NotFinite);
    let many = [ray(0.0, 1.0), ray(0.0, 1.0), ray(2.0, 2.0)];
    let refused = now
        .cast_rays(&many, Filter::ALL, &mut Vec::new())
        .unwrap_err();
    assert_eq!(refused.to_string(), "query 2: the ray has length zero");
    assert!(now.nearest(&at(0.0), -1.0, Filter::ALL).is_err() && scene.at(f64::NAN).is_err());
    let solid = &kinds3()[3];
    let refused = now.overlapping(solid, &Pose::identity(), Filter::ALL, &mut Vec::new());
    assert_eq!(refused.unwrap_err().cause, QueryFault::Solid);
    assert_eq!(now.cast_ray(&ray(0.0, 9.0), Filter::OFF), Ok(None));
}
