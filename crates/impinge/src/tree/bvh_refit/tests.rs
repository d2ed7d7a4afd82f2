use super::*;
use crate::bound::Ball;
use crate::space::{Aabb, Point, Random, Vector};

fn boxes(count: usize, random: &mut Random) -> Vec<Aabb<3>> {
    (0..count)
        .map(|_| Aabb::of([Point::from(random.direction::<3>() * 10.0 * random.unit())]).grown(0.1))
        .collect()
}

#[test]
fn a_refitted_tree_is_valid_and_finds_what_a_new_one_finds() {
    let mut random = Random::new(81);
    for count in [0, 1, 5, 300, 20_000] {
        let mut boxes = boxes(count, &mut random);
        let mut tree = Bvh::new(&boxes);
        for _ in 0..3 {
            for bounds in &mut boxes {
                let shift: Vector<3> = random.direction::<3>() * 0.5;
                *bounds = Aabb {
                    min: bounds.min + shift,
                    max: bounds.max + shift,
                };
            }

            tree.refit(&boxes);
            tree.assert_valid(&boxes);
            let (query, mut found, mut expected) = (Aabb::new([-1.0; 3], [2.0; 3]), vec![], vec![]);
            tree.find_overlapping(&query, &mut found);
            Bvh::new(&boxes).find_overlapping(&query, &mut expected);
            found.retain(|&i| boxes[i as usize].overlaps(&query));
            expected.retain(|&i| boxes[i as usize].overlaps(&query));

            assert_eq!(found, expected);
        }
    }
}

#[test]
fn refitting_the_branches_of_moved_items_is_refitting_all() {
    let mut random = Random::new(82);
    let mut boxes = boxes(5000, &mut random);
    let mut tree = Bvh::new(&boxes);

    for moved_count in [1, 7, 100, 4000] {
        let moved: Vec<u32> = (0..moved_count)
            .map(|_| random.below(boxes.len()) as u32)
            .collect();
        for &item in &moved {
            boxes[item as usize] = Aabb::of([Point::from(random.direction::<3>() * 12.0)]);
        }
        tree.refit_items(&moved, |item| boxes[item as usize]);
        tree.assert_valid(&boxes);
    }
}

#[test]
fn the_refitted_tree_is_the_same_for_any_number_of_threads() {
    let mut random = Random::new(83);
    let balls: Vec<Ball<3>> = boxes(40_000, &mut random)
        .iter()
        .map(|b| Ball::new(b.centre(), 0.1))
        .collect();
    let refitted = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let mut tree = Bvh::top_down(&balls);
        pool.install(|| tree.refit_with(|item| Ball::new(balls[item as usize].centre * 1.1, 0.2)));
        tree.nodes
    };

    assert!(refitted(1) == refitted(3));
}

#[test]
fn items_that_mix_wear_the_tree_until_it_is_rebuilt() {
    let mut random = Random::new(84);
    let at = |x: f64| Aabb::of([Point::from([x, 0.0])]).grown(0.1);
    let mut places: Vec<f64> = (0..2000).map(f64::from).collect();
    let boxes = |places: &[f64]| places.iter().map(|&x| at(x)).collect::<Vec<Aabb<2>>>();
    let mut tree = Bvh::new(&boxes(&places));
    assert_eq!(tree.update(&boxes(&places)), Update::Refitted);
    places.iter_mut().for_each(|x| *x += 1e6);
    assert_eq!(
        tree.update(&boxes(&places)),
        Update::Refitted,
        "a common motion does not degrade the tree"
    );

    for k in (1..places.len()).rev() {
        places.swap(k, random.below(k + 1));
    }

    assert_eq!(tree.update(&boxes(&places)), Update::Rebuilt);
    assert!((tree.cost_ratio() - 1.0).abs() < 1e-12);
    tree.assert_valid(&boxes(&places));
}
