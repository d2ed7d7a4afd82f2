//! Tests of contacts between spheres and meshes.

use super::*;
use crate::law::{Law, Normal};
use crate::{Grain, Matter, Particles, Setup};
use impinge::space::Random;

/// A square of 2·n² triangles in the plane z = 0, from the origin to (1, 1); each triangle has its
/// own nodes if `soup`.
fn plate(n: usize, soup: bool) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let node = |i: usize, j: usize| (i * (n + 1) + j) as u32;
    let mut points = Vec::new();
    for i in 0..=n {
        points.extend((0..=n).map(|j| [i as f64 / n as f64, j as f64 / n as f64, 0.0]));
    }

    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..n {
            triangles.push([node(i, j), node(i + 1, j), node(i + 1, j + 1)]);
            triangles.push([node(i, j), node(i + 1, j + 1), node(i, j + 1)]);
        }
    }

    if !soup {
        return (points, triangles);
    }

    let corners: Vec<[f64; 3]> = triangles
        .iter()
        .flatten()
        .map(|&n| points[n as usize])
        .collect();
    let own = (0..triangles.len() as u32)
        .map(|n| [3 * n, 3 * n + 1, 3 * n + 2])
        .collect();

    (corners, own)
}

fn surface_points(obstacle: &Obstacle, centre: [f64; 3], radius: f64) -> Vec<SurfacePoint> {
    let faces: Vec<u32> = (0..obstacle.triangles().len() as u32).collect();
    let mut found = Vec::new();
    obstacle.surface_points(&centre.into(), radius, &faces, &mut found);
    found
}

#[test]
fn a_flat_wall_of_many_triangles_is_one_contact_everywhere() {
    for soup in [false, true] {
        let (points, triangles) = plate(4, soup);
        let wall = Obstacle::mesh(&points, &triangles, 0).expect("a plate");
        let mut random = Random::new(1);

        // Exactly on edges and vertices, an ulp and more beside them, and anywhere.
        for n in 0..3000 {
            let mut place = [random.within(0.05, 0.95), random.within(0.05, 0.95)];
            let nearest = place.map(|x: f64| (x * 4.0).round() / 4.0);

            // From rounding to more than the radius.
            let beside = 10f64.powf(random.within(-17.0, 0.0));
            match n % 8 {
                0 => place[0] = nearest[0],
                1 => place = nearest,
                2 => place[0] = place[1],
                3 => place[0] = nearest[0].next_up(),
                4 => place[1] = place[0].next_down(),
                5 => place[0] = (nearest[0] + beside).min(0.95),
                6 => place[1] = (place[0] - beside).max(0.05),
                _ => {}
            }

            let found = surface_points(&wall, [place[0], place[1], 0.19], 0.2);
            assert_eq!(found.len(), 1, "{place:?}: {found:?}");
            assert!((found[0].distance - 0.19).abs() < 1e-12 && found[0].normal.z > 1.0 - 1e-9);
        }
    }
}

#[test]
fn the_faces_of_a_flat_funnel_share_one_contact_and_those_of_a_steep_one_do_not() {
    // Four faces around a dent in the middle, from flat to steep.
    let funnel = |dent: f64| {
        let points = [
            [-1.0, -1.0, 0.0],
            [1.0, -1.0, 0.0],
            [1.0, 1.0, 0.0],
            [-1.0, 1.0, 0.0],
            [0.0, 0.0, -dent],
        ];
        Obstacle::mesh(&points, &[[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]], 0).expect("a funnel")
    };
    for (dent, total) in [(1e-4, 1.0), (1e-2, 1.0), (1.0, 4.0)] {
        let slope = f64::hypot(1.0, dent);
        let found = surface_points(&funnel(dent), [0.0, 0.0, 0.19 * slope - dent], 0.2);
        let shared: f64 = found.iter().map(|foot| foot.share).sum();
        assert_eq!(found.len(), 4, "{dent}: {found:?}");
        assert!((shared - total).abs() < 0.01, "{dent}: {shared}");
    }
}

#[test]
fn a_corner_of_a_room_is_one_contact_with_each_wall() {
    let room = impinge::shape::generate::block([3, 3, 3], [1.0; 3]).expect("a room");
    let points: Vec<[f64; 3]> = room.points().iter().map(|p| p.coords.into()).collect();
    let room = Obstacle::mesh(&points, room.triangles(), 0).expect("a room");
    let low = *points
        .iter()
        .min_by(|a, b| a.iter().sum::<f64>().total_cmp(&b.iter().sum()))
        .expect("points");
    let at = |x: f64, y: f64, z: f64| {
        surface_points(&room, [low[0] + x, low[1] + y, low[2] + z], 0.1).len()
    };

    assert_eq!(
        (
            at(0.09, 0.09, 0.09),
            at(0.09, 0.09, 0.5),
            at(0.09, 0.5, 0.5),
            at(0.5, 0.5, 0.5)
        ),
        (3, 2, 1, 0)
    );

    // From outside the corner, its edge and its face are one contact each.
    assert_eq!(
        (
            at(-0.05, -0.05, -0.05),
            at(-0.06, -0.06, 0.4),
            at(-0.09, 0.4, 0.4)
        ),
        (1, 1, 1)
    );
}

#[test]
fn a_sphere_that_slides_over_edges_keeps_its_friction_spring() {
    let (points, triangles) = plate(8, false);
    let mut setup = Setup {
        gravity: [0.0, 0.0, -9.81],
        ..Setup::default()
    };
    setup.materials[0].friction = 0.3;
    setup.materials[0].restitution = 0.3;
    let mut on_mesh = Particles::new(setup.clone()).expect("a setup");
    let mut on_plane = Particles::new(setup).expect("a setup");
    on_mesh
        .add_obstacle(Obstacle::mesh(&points, &triangles, 0).expect("a plate"))
        .expect("its material");
    on_plane
        .add_obstacle(Obstacle::half_space([0.0; 3], [0.0, 0.0, 1.0], 0).expect("a floor"))
        .expect("its material");

    let grain = Grain {
        position: [0.2, 0.31, 0.02],
        velocity: [2.0, 1.3, 0.0],
        radius: 0.02,
        ..Grain::default()
    };

    for particles in [&mut on_mesh, &mut on_plane] {
        particles.add(&[grain]).expect("a grain");
        let dt = particles.stable_step();
        while particles.time() < 0.15 {
            particles.begin(dt);
            particles.interact(dt).expect("fine");
            particles.finish(dt).expect("fine");
        }
    }

    let (mesh, plane) = (on_mesh.grain_at(0), on_plane.grain_at(0));
    for k in 0..3 {
        assert!(
            (mesh.velocity[k] - plane.velocity[k]).abs() < 1e-6,
            "{mesh:?} {plane:?}"
        );
        assert!(
            (mesh.position[k] - plane.position[k]).abs() < 1e-7,
            "{mesh:?} {plane:?}"
        );
    }
}

#[test]
fn a_plate_feels_the_weight_on_it_and_its_nodes_share_it() {
    let (points, triangles) = plate(2, false);
    let mut setup = Setup::default();
    setup.materials[0].restitution = 0.2;
    let mut particles = Particles::new(setup).expect("a setup");
    let mut wall = Obstacle::mesh(&points, &triangles, 0).expect("a plate");
    let nodes = wall.points();
    wall.deform(&nodes, &vec![Vector::zeros(); nodes.len()]);
    wall.move_to(Pose::at([0.1, 0.2, 0.0]), [0.0; 3], [0.0; 3]);
    particles.add_obstacle(wall).expect("its material");

    particles
        .add(&[Grain {
            position: [0.7, 0.5, 0.02],
            radius: 0.02,
            ..Grain::default()
        }])
        .expect("a grain");
    let dt = particles.stable_step();

    for _ in 0..20_000 {
        particles.begin(dt);
        particles.interact(dt).expect("fine");
        particles.finish(dt).expect("fine");
    }

    let (wall, weight) = (&particles.obstacles()[0], 9.81 * particles.mass_at(0));
    let (force, torque) = (wall.reaction().force, wall.reaction().torque);
    assert!((force.z / -weight - 1.0).abs() < 1e-3);

    // About the position of the pose: x = 0.6, y = 0.3 from it.
    assert!(
        (torque.x / (-0.3 * weight) - 1.0).abs() < 1e-3
            && (torque.y / (0.6 * weight) - 1.0).abs() < 1e-3
    );
    let shared: Vector<3> = wall.node_forces().iter().sum();
    let moment: Vector<3> = wall
        .node_forces()
        .iter()
        .zip(&nodes)
        .map(|(force, node)| node.coords.cross(force))
        .sum();

    assert!((shared - force).norm() < 1e-12 * weight && (moment - torque).norm() < 1e-9 * weight);
}

#[test]
fn a_moving_mesh_takes_particles_along_and_never_loses_one() {
    let (points, triangles) = plate(6, true);
    // Stiff, so that the arm of friction is a radius.
    let law = Law {
        normal: Normal::HertzMindlin,
        ..Law::default()
    };
    let setup = Setup {
        law,
        ..Setup::default()
    };
    let mut particles = Particles::new(setup).expect("a setup");
    particles
        .add_obstacle(Obstacle::mesh(&points, &triangles, 0).expect("a plate"))
        .expect("its material");

    let grains: Vec<Grain> = (0..25)
        .map(|n| Grain {
            position: [0.3 + 0.1 * (n % 5) as f64, 0.3 + 0.1 * (n / 5) as f64, 0.02],
            radius: 0.02,
            ..Grain::default()
        })
        .collect();
    particles.add(&grains).expect("grains");
    let dt = particles.stable_step();

    // A plate that rises, rocks and turns about its middle.
    while particles.time() < 0.5 {
        let t = particles.time();
        let (lift, rate) = (0.05 * (1.0 - (10.0 * t).cos()), 0.5 * (10.0 * t).sin());
        let angle = 0.5 * t;
        let middle = Vector::from([0.5, 0.5, 0.0]);
        let pose = Pose::from_quaternion(
            [0.0, 0.0, (0.5 * angle).sin(), (0.5 * angle).cos()],
            [0.0; 3],
        )
        .expect("a turn");
        let at = middle - pose.vector(&middle) + Vector::z() * lift;
        let pose = Pose::new(*pose.rotation(), Point::from(at)).expect("a pose");
        let spin: Vector<3> = Vector::z() * 0.5;
        let velocity = Vector::z() * rate + spin.cross(&(at - middle));
        particles.obstacles_mut()[0].move_to(pose, velocity, spin);
        particles.begin(dt);
        particles.interact(dt).expect("fine");
        particles.finish(dt).expect("fine");
        let wall = particles.obstacles()[0].pose().position().z;

        assert!(
            particles
                .grains()
                .all(|(_, grain)| grain.position[2] > wall + 0.01)
        );
    }

    // A sphere that rolls without slipping follows its support with 2/7 of the speed.
    let (_, first) = particles.grains().next().expect("grains");
    let turned = (first.position[1] - 0.5).atan2(first.position[0] - 0.5) - (-0.2f64).atan2(-0.2);
    assert!((turned / (2.0 / 7.0 * 0.25) - 1.0).abs() < 0.03, "{turned}");
}

#[test]
fn a_state_brings_back_the_obstacle() {
    let (points, triangles) = plate(2, false);
    let mut wall = Obstacle::mesh(&points, &triangles, 0).expect("a plate");
    let pose = Pose::from_quaternion([0.1, 0.2, 0.3, 0.9], [1.0, 2.0, 3.0]).expect("a pose");
    wall.move_to(pose, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    wall.touches.push(Touch {
        particle: 0,
        spot: MeshFeature::Edge([1, 2]),
        spring: [1.0; 3],
        rolled: [2.0; 3],
        stored: 0.0,
        pressed: [3.0; 3],
    });
    let state = wall.state();

    assert_eq!(
        Obstacle::resume(&state).expect("a good state").state(),
        state
    );
    let bad = Obstacle::mesh(
        &[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]],
        &[[0, 1, 2]],
        0,
    );

    assert_eq!(bad.unwrap_err().kind.name(), "zero-area");
}

#[test]
fn a_ball_is_touched_where_its_surface_is_and_keeps_its_state() {
    let mut ball = Obstacle::sphere(0.5, 0).expect("a ball");
    ball.move_to(Pose::at([1.0, 2.0, 3.0]), [0.0; 3], [0.0, 0.0, 2.0]);
    let found = surface_points(&ball, [1.0, 2.58, 3.0], 0.1);
    assert_eq!(found.len(), 1);
    assert!((found[0].distance - 0.08).abs() < 1e-15);
    assert!((found[0].point - Point::from([1.0, 2.5, 3.0])).norm() < 1e-15);
    assert!((found[0].normal - Vector::y()).norm() < 1e-15);
    assert!(surface_points(&ball, [1.0, 2.61, 3.0], 0.1).is_empty());
    assert_eq!(
        surface_points(&ball, [1.0, 2.0, 3.0], 0.1)[0].distance,
        -0.5
    );
    let turning = ball.velocity_at(&found[0]);
    assert!((turning - Vector::<3>::new(-1.0, 0.0, 0.0)).norm() < 1e-15);
    assert_eq!(
        Obstacle::resume(&ball.state()).expect("saved").state(),
        ball.state()
    );
    assert!(Obstacle::sphere(0.0, 0).is_err() && Obstacle::sphere(f64::NAN, 0).is_err());
}
