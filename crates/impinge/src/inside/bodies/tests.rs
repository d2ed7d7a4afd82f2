use super::super::{InsideMethod, InsideOptions, MultipoleOptions, samples};
use super::*;
use crate::shape::Surface;
use crate::space::Random;

fn prepared(surface: Surface, method: InsideMethod) -> Inside {
    Inside::new(surface, &InsideOptions { method, seed: 1 }).expect("valid options")
}

fn random_pose(random: &mut Random) -> Pose<3> {
    let turn = std::array::from_fn(|_| random.within(-1.0, 1.0));
    Pose::from_quaternion(
        turn,
        std::array::from_fn::<f64, 3, _>(|_| random.within(-1.2, 1.2)),
    )
    .expect("valid")
}

/// Transforms every node to the world and back, and tests them one by one.
fn by_asking_each(x: &PlacedBody, y: &PlacedBody) -> Vec<NodeInBody> {
    let mut found = Vec::new();
    for (node, point) in x.inside.surface().points().iter().enumerate() {
        let local = y.pose.to_local(&x.pose.point(point));
        let mut position = Vec::new();
        y.inside.positions(&[local], &mut position).expect("finite");
        if position[0] != Position::Outside {
            found.push(NodeInBody {
                node: node as u32,
                position: position[0],
            });
        }
    }

    found
}

#[test]
fn moved_bodies_have_the_nodes_in_each_other_that_asking_each_node_finds() {
    let methods = [
        InsideMethod::Auto,
        InsideMethod::Ray,
        InsideMethod::Potential,
        InsideMethod::Multipole(MultipoleOptions::default()),
    ];
    for method in methods {
        let (ball, cube) = (
            prepared(samples::sphere(3), method),
            prepared(samples::cube([-0.7; 3], 1.4), method),
        );
        let mut random = Random::new(81);
        let mut seen = 0;

        for _ in 0..20 {
            let a = PlacedBody {
                inside: &ball,
                pose: random_pose(&mut random),
            };
            let b = PlacedBody {
                inside: &cube,
                pose: random_pose(&mut random),
            };
            let found = nodes_in_bodies(&a, &b).expect("finite");
            assert_eq!(found.a_in_b, by_asking_each(&a, &b));
            assert_eq!(found.b_in_a, by_asking_each(&b, &a));

            seen += found.a_in_b.len() + found.b_in_a.len();
        }

        assert!(seen > 100);
    }
}

#[test]
fn a_body_in_its_own_place_has_all_nodes_on_itself_and_far_ones_have_none() {
    let ball = prepared(samples::sphere(2), InsideMethod::Ray);
    let pose = random_pose(&mut Random::new(82));
    let here = PlacedBody {
        inside: &ball,
        pose,
    };
    let found = nodes_in_bodies(&here, &here).expect("finite");
    assert_eq!(found.a_in_b.len(), ball.surface().points().len());

    assert!(
        found
            .a_in_b
            .iter()
            .all(|n| matches!(n.position, Position::On(_)))
    );
    let far = PlacedBody {
        inside: &ball,
        pose: Pose::at([1e12, 0.0, 0.0]),
    };

    assert_eq!(nodes_in_bodies(&here, &far), Ok(NodesInBodies::default()));
}

#[test]
fn nodes_that_no_triangle_uses_are_not_part_of_a_body() {
    let (mut points, faces) = samples::cube_parts([0.0; 3], 1.0);
    points.push([0.5, 0.5, 0.5]);
    let cube = prepared(
        Surface::new(&points, &faces).expect("closed"),
        InsideMethod::Ray,
    );
    let big = prepared(samples::cube([-1.0; 3], 3.0), InsideMethod::Ray);
    let [a, b] = [&cube, &big].map(|inside| PlacedBody {
        inside,
        pose: Pose::identity(),
    });

    assert_eq!(nodes_in_bodies(&a, &b).expect("finite").a_in_b.len(), 8);
}
