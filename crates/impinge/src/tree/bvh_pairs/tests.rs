use super::*;
use crate::bound::{Ball, Bound};
use crate::space::{Aabb, Point, Pose, Random};

fn bounds<const D: usize, B: Bound<D>>(count: usize, random: &mut Random) -> Vec<B> {
    let mut near = |p: &Point<D>| p + random.direction::<D>() * 0.05;
    let places = (0..count).map(|i| {
        Point::from(std::array::from_fn::<f64, D, _>(|k| {
            (i * (k + 1) * 7919 % 1009) as f64 / 1009.0
        }))
    });

    places.map(|p| B::of(&[p, near(&p), near(&p)])).collect()
}

fn pairs_are_those_of_brute_force<const D: usize, B: Volume<D>>(seed: u64) {
    let mut random = Random::new(seed);
    for [m, n] in [[0, 5], [1, 1], [3, 40], [700, 300]] {
        let (a, b) = (
            bounds::<D, B>(m, &mut random),
            bounds::<D, B>(n, &mut random),
        );
        let (tree_a, tree_b) = (Bvh::top_down(&a), Bvh::top_down(&b));
        let mut pairs = Vec::new();
        tree_a.find_pairs(&tree_b, &mut pairs);
        pairs.retain(|&[i, j]| a[i as usize].overlaps(&b[j as usize]));
        let all = |n: usize| (0..m as u32).flat_map(move |i| (0..n as u32).map(move |j| [i, j]));
        let brute: Vec<_> = all(n)
            .filter(|&[i, j]| a[i as usize].overlaps(&b[j as usize]))
            .collect();
        assert_eq!(pairs, brute);
        tree_a.find_self_pairs(&mut pairs);
        pairs.retain(|&[i, j]| a[i as usize].overlaps(&a[j as usize]));
        let brute: Vec<_> = all(m)
            .filter(|&[i, j]| i < j && a[i as usize].overlaps(&a[j as usize]))
            .collect();
        assert_eq!(pairs, brute);

        assert!(m < 100 || !brute.is_empty());
    }
}

#[test]
fn tandem_and_self_pairs_are_those_of_brute_force() {
    pairs_are_those_of_brute_force::<2, Aabb<2>>(91);
    pairs_are_those_of_brute_force::<3, Aabb<3>>(92);
    pairs_are_those_of_brute_force::<3, Ball<3>>(93);
}

#[test]
fn trees_in_different_poses_find_the_pairs_of_the_moved_items() {
    let mut random = Random::new(94);
    let (a, b) = (
        bounds::<3, Ball<3>>(400, &mut random),
        bounds::<3, Ball<3>>(400, &mut random),
    );
    let pose = Pose::from_quaternion([0.3, -0.2, 0.5, 0.7], [0.3, 0.4, -0.1]).expect("valid");
    let moved = |ball: &Ball<3>| Ball::new(pose.point(&ball.centre), ball.radius);
    let mut pairs = Vec::new();
    let touches = |a: &Ball<3>, b: &Ball<3>| a.overlaps(&moved(b));
    Bvh::top_down(&a).visit_pairs(&Bvh::top_down(&b), touches, |i, j| pairs.push([i, j]));
    pairs.retain(|&[i, j]| touches(&a[i as usize], &b[j as usize]));
    pairs.sort_unstable();
    let all = (0..400u32).flat_map(|i| (0..400u32).map(move |j| [i, j]));
    let brute: Vec<_> = all
        .filter(|&[i, j]| touches(&a[i as usize], &b[j as usize]))
        .collect();

    assert!(pairs == brute && brute.len() > 100);
}
