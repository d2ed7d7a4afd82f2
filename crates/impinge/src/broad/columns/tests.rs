use super::*;
use crate::bound::Ball;
use crate::broad::contract::{clusters, crowd};
use crate::broad::{Auto, NeighbourList, Skin};
use crate::space::{Aabb, Random, Vector};

/// Filter tests and bytes per body.
fn cost<B: Proxy<3>>(bodies: &[B]) -> (f64, f64) {
    let (mut columns, mut pairs) = (Columns::default(), Vec::new());
    columns
        .find_pairs(&BroadScene::of(bodies), &mut pairs)
        .expect("good bodies");
    let count = bodies.len() as f64;

    (
        columns.counters().tests as f64 / count,
        columns.memory() as f64 / count,
    )
}

#[test]
fn sparse_worlds_runaways_giants_and_walls_do_not_degrade_the_grid() {
    let dense = cost::<Aabb<3>>(&crowd(20_000, 2.0, 1));
    let (unit, far) = (Aabb::new([0.0; 3], [1.0; 3]), f64::INFINITY);
    let mut walled: Vec<Aabb<3>> = crowd(20_000, 2.0, 1);
    walled.push(Aabb::new([-far, -far, 0.0], [far, far, 0.1]));
    walled.push(Aabb::new([-far; 3], [far, 0.0, far]));
    walled.push(Aabb::new([-1e6; 3], [1e6, 1e6, 0.0]));
    walled.push(Aabb {
        min: unit.min + Vector::repeat(1e9),
        max: unit.max + Vector::repeat(1e9),
    });

    for bodies in [clusters::<Aabb<3>, 3>(20_000, 1), walled] {
        let (tests, memory) = cost(&bodies);
        assert!(
            tests < 3.0 * dense.0 + 20.0,
            "{tests} tests instead of {}",
            dense.0
        );

        assert!(
            memory < 2.0 * dense.1,
            "{memory} bytes instead of {}",
            dense.1
        );
    }
}

#[test]
fn memory_stays_within_a_hundred_bytes_for_each_body_and_is_kept() {
    let mut balls: Vec<Ball<3>> = crowd(100_000, 1.0, 1);
    let (mut auto, mut random) = (Auto::default(), Random::new(2));
    let (mut pairs, mut warm) = (Vec::new(), (0, 0));

    for step in 0..40 {
        auto.find_pairs(&BroadScene::of(&balls), &mut pairs)
            .expect("good balls");
        balls
            .iter_mut()
            .for_each(|ball| ball.centre += random.direction::<3>() * 0.01);

        match step {
            0..20 => warm = (auto.memory(), pairs.capacity()),
            // Lists with a thicker skin contain a few more blocks.
            _ => assert!(
                auto.memory() <= warm.0 + warm.0 / 20 && pairs.capacity() == warm.1,
                "step {step}"
            ),
        }
    }

    assert!(
        auto.counters().list_steps > 20 && auto.counters().rebuilds > 2,
        "{:?}",
        auto.counters()
    );

    assert!(warm.0 < 100 * balls.len(), "{} bytes", warm.0 / balls.len());
}

#[test]
fn a_jump_does_not_make_a_skin_of_its_own_length() {
    let (mut list, mut pairs) = (NeighbourList::with_skin(Skin::Auto), Vec::new());
    for seed in 0..4 {
        list.find_pairs(
            &BroadScene::of(&crowd::<Ball<3>, 3>(20_000, 1.0, seed)),
            &mut pairs,
        )
        .expect("good balls");
    }

    assert!(
        list.counters().tests < 200 * 4 * 20_000,
        "{:?}",
        list.counters()
    );
}

#[test]
fn tasks_cover_all_bodies_once_and_give_coarse_levels_fewer() {
    let balls: Vec<Ball<3>> = crowd(100_000, 60.0, 4);
    let mut columns = Columns::default();
    columns
        .build(&BroadScene::of(&balls), 0.0)
        .expect("good balls");
    let mut begins = Vec::new();
    columns.plan.share_out(50, &mut begins);
    assert_eq!(
        (begins.len(), begins[0], begins[50]),
        (51, 0, columns.lanes.tags.len())
    );
    assert!(begins.windows(2).all(|two| two[0] <= two[1]));

    assert!(
        columns.level_count() > 1 && begins[50] - begins[49] < begins[1],
        "{begins:?}"
    );
}
