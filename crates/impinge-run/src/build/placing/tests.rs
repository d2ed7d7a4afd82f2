use super::*;
use crate::scene::{BallRegion, BoxRegion, Radius, SpreadSpec};

fn group(count: usize, placement: Placement) -> ParticlesSpec {
    ParticlesSpec {
        count: Some(count),
        radius: Some(Radius::Spread(SpreadSpec::Uniform([0.02, 0.04]))),
        region: Some(unit_box()),
        placement,
        ..ParticlesSpec::default()
    }
}

fn unit_box() -> RegionSpec {
    RegionSpec::Box(BoxRegion {
        min: vec![0.0; 3],
        max: vec![1.0; 3],
    })
}

#[test]
fn spheres_of_several_groups_lie_in_their_regions_and_apart() {
    for placement in [Placement::Random, Placement::Lattice] {
        let mut room = PlacedSpheres::new(0.1);
        let ball = RegionSpec::Sphere(BallRegion {
            centre: [0.5; 3],
            radius: 0.3,
        });
        room.put(&ball, 0.1, &mut Random::new(2))
            .expect("room for one");
        let group = group(1000, placement);
        let placed = room
            .fill("particles[0]", &group, [false; 3], &mut Random::new(1))
            .expect("room");
        assert_eq!(placed.len(), 1000);

        assert!(
            placed
                .iter()
                .all(|sphere| unit_box().holds(&sphere.centre, sphere.radius))
        );

        for (i, a) in room.placed.iter().enumerate() {
            for b in &room.placed[..i] {
                assert!((a.centre - b.centre).norm() > a.radius + b.radius);
            }
        }
    }
}

#[test]
fn a_region_that_is_too_small_is_named() {
    let mut room = PlacedSpheres::new(0.04);
    let fault = room.fill(
        "particles[3]",
        &group(1_000_000, Placement::Lattice),
        [false; 3],
        &mut Random::new(1),
    );
    let message = fault.expect_err("no room").to_string();
    assert!(
        message.starts_with("particles[3].region: only 1728 of 1000000 fit"),
        "{message}"
    );
    let mut large = group(3, Placement::Random);
    large.radius = Some(Radius::Fixed(5.0));
    let fault = room
        .fill("particles[0]", &large, [false; 3], &mut Random::new(1))
        .expect_err("no room");

    assert_eq!(
        fault.to_string(),
        "particles[0].region: only 0 of 3 fit in the region; enlarge it, or use fewer or \
             smaller ones"
    );
    let fault = PlacedSpheres::new(5.0)
        .fill("particles[0]", &large, [false; 3], &mut Random::new(1))
        .expect_err("no room");

    assert_eq!(
        fault.to_string(),
        "particles[0].radius: a sphere of radius 5.000 m does not fit into the region; \
             lengths are in metres"
    );
}
