use super::*;
use crate::bound::Ball;
use crate::space::{Aabb, Random};

fn points<const D: usize>(count: usize, random: &mut Random) -> Vec<Point<D>> {
    (0..count)
        .map(|_| Point::from(std::array::from_fn::<f64, D, _>(|_| random.unit())))
        .collect()
}

fn nearest_is_that_of_brute_force<const D: usize, B: Volume<D>>(bound: impl Fn(&Point<D>) -> B) {
    let mut random = Random::new(71);
    for count in [0, 1, 3, 100, 5000] {
        let places = points::<D>(count, &mut random);
        let tree = Bvh::top_down(&places.iter().map(&bound).collect::<Vec<B>>());
        for from in points::<D>(50, &mut random) {
            let from = Point::from(from.coords * 3.0);
            let square = |item: u32| (places[item as usize] - from).norm_squared();
            let expected = (0..count as u32).min_by(|&a, &b| square(a).total_cmp(&square(b)));
            let found = tree.nearest(&from, f64::INFINITY, |item, _| square(item));
            assert_eq!(found.map(|least| least.item), expected);
            let Some(least) = found else { continue };
            assert_eq!(
                tree.nearest(&from, least.value.sqrt() * 0.999, |item, _| square(item)),
                None
            );
            let radius = least.value.sqrt() * 1.3;
            let mut within = Vec::new();
            tree.find_within(&from, radius, &mut within);
            within.retain(|&item| square(item) <= radius * radius);
            let brute: Vec<u32> = (0..count as u32)
                .filter(|&i| square(i) <= radius * radius)
                .collect();

            assert_eq!(within, brute);
        }
    }
}

#[test]
fn the_nearest_item_and_those_within_a_distance_are_those_of_brute_force() {
    nearest_is_that_of_brute_force::<2, _>(|p| Aabb::of([*p]));
    nearest_is_that_of_brute_force::<3, _>(|p| Aabb::of([*p]));
    nearest_is_that_of_brute_force::<3, _>(|p| Ball::new(*p, 0.0));
}

#[test]
fn of_equally_near_items_the_lowest_number_is_found() {
    let boxes = vec![Aabb::new([1.0; 3], [2.0; 3]); 1000];
    let found = Bvh::new(&boxes).nearest(&[0.0; 3].into(), f64::INFINITY, |_, _| 3.0);
    assert_eq!(
        found,
        Some(Least {
            item: 0,
            value: 3.0
        })
    );
}

#[test]
fn few_items_are_measured() {
    let mut random = Random::new(72);
    let places = points::<3>(20_000, &mut random);
    let tree = Bvh::new(&places.iter().map(|p| Aabb::of([*p])).collect::<Vec<_>>());
    let mut measured = 0;

    for from in points::<3>(100, &mut random) {
        tree.nearest(&from, f64::INFINITY, |item, _| {
            measured += 1;
            (places[item as usize] - from).norm_squared()
        });
    }

    assert!((100..4000).contains(&measured), "{measured}");
}
