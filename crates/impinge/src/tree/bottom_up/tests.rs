use super::*;
use crate::shape::generate;
use crate::space::{Point, Random};

/// The order of the paper by brute force: repeatedly merges the best of all pairs. Returns the
/// sorted radii of the common balls.
fn radii_by_brute_force<const D: usize>(balls: &[Ball<D>]) -> Vec<f64> {
    let (mut free, mut radii) = (balls.to_vec(), Vec::new());
    while free.len() > 1 {
        let pairs = (0..free.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let joint = |&(i, j): &(usize, usize)| joint_radius(&free[i], &free[j]);
        let (i, j) = pairs
            .min_by(|a, b| joint(a).total_cmp(&joint(b)))
            .expect("two or more");
        let merged = free[i].merged(&free[j]);
        radii.push(merged.radius);
        free.swap_remove(i);
        free.swap_remove(j);
        free.push(merged);
    }

    radii.sort_by(f64::total_cmp);
    radii
}

fn inner_radii<const D: usize>(tree: &BallTree<D>) -> Vec<f64> {
    let inner = tree.nodes.iter().filter(|node| !node.is_leaf());
    let mut radii: Vec<f64> = inner.map(|node| node.bounds.radius).collect();
    radii.sort_by(f64::total_cmp);
    radii
}

fn random_balls<const D: usize>(count: usize, random: &mut Random) -> Vec<Ball<D>> {
    let mut ball = || {
        Ball::new(
            Point::from(random.direction::<D>() * random.unit()),
            0.02 * random.unit(),
        )
    };
    (0..count).map(|_| ball()).collect()
}

fn rounds_build_the_tree_of_the_queue<const D: usize>() {
    let mut random = Random::new(101);
    for count in [0, 1, 2, 3, 10, 200] {
        let balls = random_balls::<D>(count, &mut random);
        let tree = BallTree::bottom_up(&balls);
        tree.assert_valid(&balls);
        let (radii, expected) = (inner_radii(&tree), radii_by_brute_force(&balls));
        assert_eq!(radii.len(), expected.len());
        let close = |(x, y): (&f64, &f64)| (x - y).abs() <= 1e-13 * y;
        assert!(
            radii.iter().zip(&expected).all(close),
            "{radii:?} {expected:?}"
        );
    }
}

#[test]
fn rounds_of_mutual_best_pairs_build_the_tree_of_the_best_pair_of_all() {
    rounds_build_the_tree_of_the_queue::<2>();
    rounds_build_the_tree_of_the_queue::<3>();
}

#[test]
fn regular_nested_equal_and_crowding_balls_build_in_time() {
    let grid = (0..8000).map(|i| Ball::new([f64::from(i % 90), f64::from(i / 90), 0.0], 0.5));
    let equal = (0..8000).map(|_| Ball::new([1.0, 2.0, 3.0], 0.5));
    let nested = (1..4000).map(|i| Ball::new([0.0; 3], f64::from(i)));
    let crowding = (0..1000).map(|k| Ball::new([2f64.powi(-k), 0.0, 0.0], 0.0));
    let lists: [Vec<Ball<3>>; 4] = [
        grid.collect(),
        equal.collect(),
        nested.collect(),
        crowding.collect(),
    ];

    for balls in lists {
        let tree = BallTree::bottom_up(&balls);
        tree.assert_valid(&balls);
        assert!(tree.depths().largest < HEIGHT, "{:?}", tree.depths());
    }
}

#[test]
fn the_bottom_up_tree_has_less_volume_than_the_top_down_tree() {
    let body = generate::motorcycle();
    let balls: Vec<Ball<3>> = (0..body.triangles().len())
        .map(|t| Ball::smallest(&body.corners(t)))
        .collect();
    let [up, down] =
        [Builder::BottomUp, Builder::TopDown].map(|builder| BallTree::build(&balls, builder));
    up.assert_valid(&balls);

    // The top-down leaves contain four faces and the bottom-up ones a single face, and still:
    assert!(
        up.volume() < down.volume(),
        "{} {}",
        up.volume(),
        down.volume()
    );
    // [Aragon2013, section 3.2]: depths 8 to 38, mean 18, for a motorcycle with as many faces.
    let depths = up.depths();
    assert!(
        (4..=14).contains(&depths.least) && (20..=64).contains(&depths.largest),
        "{depths:?}"
    );

    assert!((14.0..24.0).contains(&depths.mean), "{depths:?}");
}

#[test]
fn the_tree_is_the_same_for_any_number_of_threads() {
    let balls = random_balls::<3>(5000, &mut Random::new(102));
    let build = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let tree = pool.install(|| BallTree::bottom_up(&balls));
        (tree.nodes, tree.items)
    };

    assert!(build(1) == build(3));
}
