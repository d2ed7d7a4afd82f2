//! The contract of [`BroadPhase`] as tests that every method must pass: one line per method.

use super::{BroadPhase, BroadScene, BruteForce, Filter, Pair, Period, Proxy, ProxyKind};
use crate::bound::Ball;
use crate::space::{Aabb, Point, Random, Vector};

/// Bodies that tests can move.
pub(crate) trait Movable<const D: usize>: Proxy<D> + PartialEq {
    fn at(centre: Point<D>, edges: Vector<D>) -> Self;
    fn shifted(&self, by: Vector<D>) -> Self;
}

impl<const D: usize> Movable<D> for Aabb<D> {
    fn at(centre: Point<D>, edges: Vector<D>) -> Self {
        Aabb {
            min: centre - edges * 0.5,
            max: centre + edges * 0.5,
        }
    }

    fn shifted(&self, by: Vector<D>) -> Self {
        Aabb {
            min: self.min + by,
            max: self.max + by,
        }
    }
}

impl<const D: usize> Movable<D> for Ball<D> {
    fn at(centre: Point<D>, edges: Vector<D>) -> Self {
        Ball {
            centre,
            radius: 0.5 * edges[0],
        }
    }

    fn shifted(&self, by: Vector<D>) -> Self {
        Ball {
            centre: self.centre + by,
            ..*self
        }
    }
}

fn vector<const D: usize>(random: &mut Random, low: f64, up: f64) -> Vector<D> {
    Vector::from_fn(|_, _| random.within(low, up))
}

/// Random bodies of edge 1 to `ratio`, with a few pairs each, in a volume of about `count` times
/// their mean volume.
pub(crate) fn crowd<B: Movable<D>, const D: usize>(count: usize, ratio: f64, seed: u64) -> Vec<B> {
    let mut random = Random::new(seed);
    let sizes: Vec<f64> = (0..count).map(|_| ratio.powf(random.unit())).collect();
    let volume: f64 = sizes.iter().map(|s| s.powi(D as i32)).sum();
    let width = volume.powf(1.0 / D as f64);
    let edges =
        |random: &mut Random, size: f64| Vector::from_fn(|_, _| size * random.within(0.5, 1.0));

    sizes
        .iter()
        .map(|&size| {
            B::at(
                vector::<D>(&mut random, 0.0, width).into(),
                edges(&mut random, size),
            )
        })
        .collect()
}

/// Runs the method and asserts that its pairs are those of brute force; returns their number.
#[track_caller]
pub(crate) fn agree<B: Proxy<D>, M: BroadPhase<D>, const D: usize>(
    method: &mut M,
    scene: &BroadScene<B, D>,
    pairs: &mut Vec<Pair>,
) -> usize {
    let mut expected = Vec::new();
    BruteForce::default()
        .find_pairs(scene, &mut expected)
        .expect("a good scene");
    method.find_pairs(scene, pairs).expect("a good scene");
    if let Some(at) =
        (0..pairs.len().max(expected.len())).find(|&n| pairs.get(n) != expected.get(n))
    {
        panic!(
            "{} pairs instead of {}; at {at} there is {:?} instead of {:?} ({:?}, {:?})",
            pairs.len(),
            expected.len(),
            pairs.get(at),
            expected.get(at),
            scene.period,
            method.counters()
        );
    }

    expected.len()
}

/// Random walks with small, large and mixed steps, and teleports.
pub(crate) fn random_steps<B: Movable<D>, M: BroadPhase<D>, const D: usize>(mut method: M) {
    let mut random = Random::new(20);
    let mut pairs = Vec::new();
    for ratio in [1.0, 3.0, 60.0] {
        let mut bodies: Vec<B> = crowd(300, ratio, 7);
        let mut found = 0;
        for step in 0..40 {
            let length = [0.0, 0.01, 0.01, 0.05, 0.5][step % 5];
            for body in &mut bodies {
                *body = body.shifted(vector(&mut random, -length, length));
            }

            if step % 13 == 12 {
                bodies = crowd(300, ratio, step as u64);
            }

            if step % 7 == 3 {
                // One runaway.
                bodies[step] = bodies[step].shifted(vector(&mut random, -5.0, 5.0));
            }

            found += agree(&mut method, &BroadScene::of(&bodies), &mut pairs);
        }

        assert!(found > 40 * 100, "too few pairs to tell: {found}");
    }
}

/// A lattice of exactly touching bodies, at an offset that is exactly representable.
pub(crate) fn touching<B: Movable<D>, M: BroadPhase<D>, const D: usize>(mut method: M) {
    let mut pairs = Vec::new();
    for offset in [0.0, 1e9] {
        let cells = 64usize;
        let side = if D == 2 { 8 } else { 4 };
        let centre = |n: usize| {
            Point::from(Vector::<D>::from_fn(|k, _| {
                (n / side_power(side, k) % side) as f64 + offset
            }))
        };
        let bodies: Vec<B> = (0..cells)
            .map(|n| B::at(centre(n), Vector::repeat(1.0)))
            .collect();
        let found = agree(&mut method, &BroadScene::of(&bodies), &mut pairs);

        // Balls touch along the axes; boxes touch at corners too.
        assert!(found >= D * (cells - cells / side), "{found}");
    }
}

fn side_power(side: usize, k: usize) -> usize {
    side.pow(k as u32)
}

/// Coincident bodies, bodies of zero size, scenes of zero height, huge coordinates, mixed sizes.
pub(crate) fn degenerate<B: Movable<D>, M: BroadPhase<D>, const D: usize>(mut method: M) {
    let mut pairs = Vec::new();
    let mut check = |bodies: &[B]| agree(&mut method, &BroadScene::of(bodies), &mut pairs);
    assert_eq!(check(&[]), 0);
    let unit = |c: Vector<D>| B::at(c.into(), Vector::repeat(1.0));
    assert_eq!(check(&[unit(Vector::zeros())]), 0);
    assert_eq!(check(&[unit(Vector::repeat(0.1)); 1000]), 499_500);
    assert_eq!(check(&[B::at(Point::origin(), Vector::zeros()); 50]), 1225);
    let mut random = Random::new(2);

    let flat: Vec<B> = (0..200)
        .map(|_| {
            unit(Vector::from_fn(|k, _| {
                if k == D - 1 {
                    5.0
                } else {
                    random.within(0.0, 9.0)
                }
            }))
        })
        .collect();
    assert!(check(&flat) > 100);

    let thin: Vec<B> = (0..200)
        .map(|_| {
            unit(Vector::from_fn(|k, _| {
                if k == 0 { 5.0 } else { random.within(0.0, 9.0) }
            }))
        })
        .collect();
    assert!(check(&thin) > 100);

    // Plates of zero thickness in a scene of zero height.
    let plates: Vec<B> = (0..200)
        .map(|_| {
            let on = |k: usize, x: f64| if k == D - 1 { 0.0 } else { x };
            let centre = Vector::<D>::from_fn(|k, _| on(k, random.within(0.0, 9.0)));
            B::at(centre.into(), Vector::from_fn(|k, _| on(k, 1.0)))
        })
        .collect();
    assert!(check(&plates) > 100);
    let points: Vec<B> = (0..200)
        .map(|n| B::at(Vector::<D>::repeat((n / 2) as f64).into(), Vector::zeros()))
        .collect();
    assert_eq!(check(&points), 100);
    let far = B::at(Vector::<D>::repeat(1e60).into(), Vector::zeros());
    assert_eq!(check(&[far; 50]), 1225);
    let large = B::at(Vector::<D>::repeat(5e59).into(), Vector::repeat(1e60));
    assert_eq!(check(&[large; 50]), 1225);

    for scale in [1e-12, 1e9, 1e50] {
        let far: Vec<B> = (0..200)
            .map(|_| {
                B::at(
                    (vector::<D>(&mut random, 0.0, 6.0) * scale).into(),
                    Vector::repeat(scale),
                )
            })
            .collect();
        assert!(check(&far) > 100);
    }

    let mixed: Vec<B> = (0..300)
        .map(|n| {
            B::at(
                vector::<D>(&mut random, 0.0, 6.0).into(),
                Vector::repeat(10f64.powi(n % 12 - 9)),
            )
        })
        .collect();
    assert!(check(&mixed) > 100);

    // Two crowds far apart, and one body farther still.
    let mut apart: Vec<B> = crowd(100, 2.0, 1);
    apart.extend(
        crowd::<B, D>(100, 2.0, 2)
            .iter()
            .map(|b| b.shifted(Vector::repeat(1e9))),
    );
    apart.push(unit(Vector::repeat(-1e14)));

    assert!(check(&apart) > 50);
}

/// Scenes of zero width and bodies of zero thickness on any combination of axes, at all scales,
/// periodic and not.
pub(crate) fn flat_worlds<B: Movable<D>, M: BroadPhase<D>, const D: usize>(mut method: M) {
    let mut random = Random::new(14);
    let mut pairs = Vec::new();
    for scale in [1.0, 1e-110, 1e-160, 1e-300, 1e-320, 1e58] {
        for (world, thin) in
            (0..1 << D).flat_map(|world| (0..1 << D).map(move |thin| (world, thin)))
        {
            // A ball has one size: its first edge.
            if B::KIND == ProxyKind::Ball && thin > 1 {
                continue;
            }

            let has = |axes: usize, k: usize| axes >> k & 1 == 1;
            let height = [0.0, 3.0][thin % 2] * scale;
            let mut bodies: Vec<B> = (0..48)
                .map(|n| {
                    let size = scale * [1.0, 0.02, 0.5, 0.0][n % 4];
                    let centre = Vector::<D>::from_fn(|k, _| match has(world, k) {
                        true => height,
                        false => scale * random.within(0.0, 4.0),
                    });
                    let edges = Vector::from_fn(|k, _| if has(thin, k) { 0.0 } else { size });
                    B::at(centre.into(), edges)
                })
                .collect();

            for step in 0..4 {
                let lengths = std::array::from_fn(|_| (step > 1).then_some(4.0 * scale));
                let scene = BroadScene {
                    period: Period { lengths },
                    ..BroadScene::of(&bodies)
                };
                agree(&mut method, &scene, &mut pairs);

                for body in &mut bodies {
                    *body = body.shifted(Vector::from_fn(|k, _| match has(world, k) {
                        true => 0.0,
                        false => scale * random.within(-0.01, 0.01),
                    }));
                }
            }
        }
    }
}

/// Balls that touch exactly and balls one ulp apart, whose squares f64 cannot represent; at all
/// scales.
pub(crate) fn kisses<M: BroadPhase<D>, const D: usize>(mut method: M) {
    // Pythagorean tuples: integers whose squares add up to a square.
    let (legs, hypotenuse): (&[f64], f64) = match D {
        2 => (&[3.0, -4.0], 5.0),
        _ => (&[2.0, -3.0, 6.0], 7.0),
    };
    let mut random = Random::new(15);
    let mut pairs = Vec::new();

    for exponent in [0, -40, 140, -540, -590, -1074] {
        // In two steps, because 2^1074 overflows.
        let unit = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        let mut whole = |low: f64, up: f64| random.within(low, up).floor();
        let mut balls = Vec::new();
        let mut expected = Vec::new();

        for n in 0..60 {
            let (length, gap) = (whole(2f64.powi(40), 2f64.powi(43)), f64::from(n % 3 - 1));
            let radius = whole(2.0, hypotenuse * length - 2.0);
            let place = Vector::<D>::from_fn(|k, _| {
                f64::from(n) * if k == 0 { 2f64.powi(47) } else { 1.0 }
            });
            let other = Vector::<D>::from_fn(|k, _| place[k] + legs[k] * length);
            balls.push(Ball::new(place * unit, radius * unit));
            balls.push(Ball::new(
                other * unit,
                (hypotenuse * length - radius - gap) * unit,
            ));

            if gap <= 0.0 {
                let a = 2 * n as u32;
                expected.push(Pair { a, b: a + 1 });
            }
        }

        for _ in 0..2 {
            agree(&mut method, &BroadScene::of(&balls), &mut pairs);
            assert_eq!(pairs, expected, "2^{exponent}");
        }
    }
}

/// A periodic lattice of exactly touching bodies, including across its faces.
pub(crate) fn touching_across_faces<B: Movable<D>, M: BroadPhase<D>, const D: usize>(
    mut method: M,
) {
    let mut pairs = Vec::new();
    let side = 4usize;
    let count = side.pow(D as u32);

    for (scale, cells_off) in [(1.0, 0.0), (0.1, 0.0), (1.0, 1e6), (2f64.powi(-590), -3.0)] {
        let bodies: Vec<B> = (0..count)
            .map(|n| {
                let centre = Vector::<D>::from_fn(|k, _| {
                    let cell = (n / side_power(side, k) % side) as f64;
                    (cell + 4.0 * cells_off * (n % 2) as f64) * scale
                });
                B::at(centre.into(), Vector::repeat(scale))
            })
            .collect();

        let scene = BroadScene {
            period: Period::cell([side as f64 * scale; D]),
            ..BroadScene::of(&bodies)
        };
        let found = agree(&mut method, &scene, &mut pairs);

        // Multiples of a tenth are rounded.
        if scale != 0.1 {
            let neighbours = match B::KIND {
                ProxyKind::Ball => D,
                ProxyKind::Box => (3usize.pow(D as u32) - 1) / 2,
            };
            assert_eq!(found, neighbours * count);
        }
    }
}

/// Clusters scattered over a huge scene, at huge coordinates, with a runaway and a few bodies a
/// million times larger.
pub(crate) fn clusters<B: Movable<D>, const D: usize>(count: usize, seed: u64) -> Vec<B> {
    let mut random = Random::new(seed);
    let mut bodies = Vec::new();
    while bodies.len() < count {
        let at = vector::<D>(&mut random, -1e7, 1e7) + Vector::repeat(1e9);
        bodies.extend(
            crowd::<B, D>(50, 2.0, bodies.len() as u64)
                .iter()
                .map(|b| b.shifted(at)),
        );
    }

    bodies.push(B::at(Vector::<D>::repeat(-1e9).into(), Vector::repeat(1.0)));
    for n in 0..3 {
        bodies.insert(
            n * count / 4,
            B::at(
                vector::<D>(&mut random, 9.9e8, 1.01e9).into(),
                Vector::repeat(1e6),
            ),
        );
    }

    bodies
}

/// Nearly empty scenes.
pub(crate) fn sparse<B: Movable<D>, M: BroadPhase<D>, const D: usize>(mut method: M) {
    let mut pairs = Vec::new();
    let mut random = Random::new(12);
    let mut bodies = clusters::<B, D>(400, 3);

    for _ in 0..4 {
        assert!(agree(&mut method, &BroadScene::of(&bodies), &mut pairs) > 100);
        bodies
            .iter_mut()
            .for_each(|b| *b = b.shifted(vector(&mut random, -0.02, 0.02)));
    }
}

/// A scene that is periodic on some axes, with bodies outside its cell and bodies longer than its
/// period.
pub(crate) fn periodic<B: Movable<D>, M: BroadPhase<D>, const D: usize>(mut method: M) {
    let mut random = Random::new(5);
    let mut pairs = Vec::new();
    for axes in 0..1usize << D {
        for (width, largest) in [(12.0, 1.0), (6.0, 4.0), (2.0, 1.5)] {
            let lengths = std::array::from_fn(|k| (axes >> k & 1 == 1).then_some(width + k as f64));
            let mut bodies: Vec<B> = (0..150)
                .map(|_| {
                    let edges = Vector::repeat(random.within(0.2, largest));
                    B::at(vector::<D>(&mut random, -width, 2.0 * width).into(), edges)
                })
                .collect();

            for step in 0..6 {
                let scene = BroadScene {
                    period: Period { lengths },
                    ..BroadScene::of(&bodies)
                };
                agree(&mut method, &scene, &mut pairs);
                let length = [0.02, 0.02, 0.5][step % 3];
                bodies
                    .iter_mut()
                    .for_each(|b| *b = b.shifted(vector(&mut random, -length, length)));
            }
        }
    }
}

/// Families, groups, disabling, adding and removing, one at a time and in bulk.
pub(crate) fn filters<B: Movable<D>, M: BroadPhase<D>, const D: usize>(mut method: M) {
    let mut random = Random::new(6);
    let mut pairs = Vec::new();
    let mut bodies: Vec<B> = crowd(200, 2.0, 3);
    let mut filters = vec![Filter::ALL; 200];

    for step in 0..60 {
        match step % 6 {
            0 => filters[random.below(bodies.len())] = Filter::OFF,
            1 => filters[random.below(bodies.len())] = Filter::family(1 + step as u32 % 3),
            2 => {
                bodies.extend(crowd::<B, D>(
                    if step > 30 { 60 } else { 1 },
                    2.0,
                    step as u64,
                ));
                filters.resize(bodies.len(), Filter::ALL);
            }
            3 => filters
                .iter_mut()
                .skip(step)
                .step_by(7)
                .for_each(|f| f.groups = 1),
            4 => filters
                .iter_mut()
                .skip(step)
                .step_by(5)
                .for_each(|f| f.collides_with = 6),
            _ => {
                bodies.truncate(bodies.len() - if step > 30 { 40 } else { 1 });
                filters.truncate(bodies.len());
                let back = random.below(bodies.len());
                filters[back] = Filter::ALL;
            }
        }

        bodies
            .iter_mut()
            .for_each(|b| *b = b.shifted(vector(&mut random, -0.01, 0.01)));
        let scene = BroadScene {
            filters: &filters,
            ..BroadScene::of(&bodies)
        };

        assert!(agree(&mut method, &scene, &mut pairs) > 0);
    }

    agree(&mut method, &BroadScene::of(&bodies), &mut pairs);
}

/// Walls and half-spaces among boxes.
pub(crate) fn walls<M: BroadPhase<D>, const D: usize>(mut method: M) {
    let mut random = Random::new(9);
    let mut pairs = Vec::new();
    let mut bodies: Vec<Aabb<D>> = crowd(200, 1.5, 4);

    for axis in 0..D {
        let (mut low, mut up) = ([f64::NEG_INFINITY; D], [f64::INFINITY; D]);
        up[axis] = 1.0;
        bodies.insert(17 * axis, Aabb::new(low, up));
        (low[axis], up[axis]) = (1.0, 1.0);
        bodies.push(Aabb::new(low, up));
        bodies.push(Aabb::new([-1e6; D], [1e6 + axis as f64; D]));
    }

    for step in 0..10 {
        for body in &mut bodies {
            *body = body.shifted(vector(&mut random, -0.01, 0.01));
        }

        assert!(
            agree(&mut method, &BroadScene::of(&bodies), &mut pairs) > 600,
            "step {step}"
        );
        let period = Period {
            lengths: std::array::from_fn(|k| (k == 0).then_some(7.0)),
        };

        agree(
            &mut method,
            &BroadScene {
                period,
                ..BroadScene::of(&bodies)
            },
            &mut pairs,
        );
    }
}

/// Errors name the body, and the method remains usable afterwards.
pub(crate) fn bad_input<M: BroadPhase<D>, const D: usize>(mut method: M) {
    let mut pairs = Vec::new();
    let mut bodies: Vec<Aabb<D>> = crowd(50, 1.5, 4);
    agree(&mut method, &BroadScene::of(&bodies), &mut pairs);
    let good = bodies[31];
    bodies[31].min[1] = f64::NAN;
    let error = method
        .find_pairs(&BroadScene::of(&bodies), &mut pairs)
        .unwrap_err();

    assert!(
        error
            .to_string()
            .starts_with("body 31 has a coordinate that is NaN"),
        "{error}"
    );
    bodies[31] = Aabb {
        min: good.max,
        max: good.min,
    };
    let error = method
        .find_pairs(&BroadScene::of(&bodies), &mut pairs)
        .unwrap_err();

    assert_eq!(
        error.to_string(),
        "body 31 is inverted: min > max on axis 0"
    );
    let balls = [Ball::new([0.0; D], 1.0), Ball::new([f64::INFINITY; D], 1.0)];
    assert!(
        method
            .find_pairs(&BroadScene::of(&balls), &mut pairs)
            .unwrap_err()
            .to_string()
            .starts_with("body 1 ")
    );
    bodies[31] = good;

    assert!(agree(&mut method, &BroadScene::of(&bodies), &mut pairs) > 0);
}

/// Identical output and counters for 1, 2 and 7 threads.
pub(crate) fn threads<M: BroadPhase<D> + Clone + Send, const D: usize>(method: M, count: usize) {
    let run = |threads: usize| {
        let mut method = method.clone();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| {
            let mut bodies: Vec<Ball<D>> = crowd(count, 3.0, 11);
            let (mut random, mut pairs, mut all) = (Random::new(1), Vec::new(), Vec::new());
            for _ in 0..4 {
                method
                    .find_pairs(&BroadScene::of(&bodies), &mut pairs)
                    .expect("a good scene");
                all.extend_from_slice(&pairs);
                bodies
                    .iter_mut()
                    .for_each(|b| *b = b.shifted(vector(&mut random, -0.02, 0.02)));
            }
            (all, method.counters())
        })
    };
    let alone = run(1);
    assert!(alone.0.len() > count);

    assert!(alone == run(2) && alone == run(7));
}

/// Instantiates the whole contract for one method, in two and three dimensions, for boxes and
/// balls.
macro_rules! broad_phase_contract {
    ($name:ident, $new:expr) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            use crate::bound::Ball;
            use crate::broad::contract;
            use crate::space::Aabb;
            broad_phase_contract!(dimension two, 2, $new);
            broad_phase_contract!(dimension three, 3, $new);
        }
    };
    (dimension $name:ident, $D:literal, $new:expr) => {
        mod $name {
            use super::*;
            #[test]
            fn random_steps_give_the_pairs_of_brute_force() {
                contract::random_steps::<Ball<$D>, _, $D>($new);
                contract::random_steps::<Aabb<$D>, _, $D>($new);
            }
            #[test]
            fn touching_counts() {
                contract::touching::<Ball<$D>, _, $D>($new);
                contract::touching::<Aabb<$D>, _, $D>($new);
                contract::touching_across_faces::<Ball<$D>, _, $D>($new);
                contract::touching_across_faces::<Aabb<$D>, _, $D>($new);
            }
            #[test]
            fn balls_that_kiss_exactly_are_pairs_and_those_an_ulp_apart_are_not() {
                contract::kisses::<_, $D>($new);
            }
            #[test]
            fn flat_worlds_and_flat_bodies_give_the_pairs_of_brute_force_at_all_scales() {
                contract::flat_worlds::<Ball<$D>, _, $D>($new);
                contract::flat_worlds::<Aabb<$D>, _, $D>($new);
            }
            #[test]
            fn degenerate_worlds_give_the_pairs_of_brute_force() {
                contract::degenerate::<Ball<$D>, _, $D>($new);
                contract::degenerate::<Aabb<$D>, _, $D>($new);
            }
            #[test]
            fn sparse_worlds_give_the_pairs_of_brute_force() {
                contract::sparse::<Ball<$D>, _, $D>($new);
                contract::sparse::<Aabb<$D>, _, $D>($new);
            }
            #[test]
            fn periodic_worlds_give_the_pairs_of_brute_force() {
                contract::periodic::<Ball<$D>, _, $D>($new);
                contract::periodic::<Aabb<$D>, _, $D>($new);
            }
            #[test]
            fn filters_and_added_and_removed_bodies_are_obeyed() {
                contract::filters::<Ball<$D>, _, $D>($new);
                contract::filters::<Aabb<$D>, _, $D>($new);
            }
            #[test]
            fn walls_and_half_spaces_are_found() {
                contract::walls::<_, $D>($new);
            }
            #[test]
            fn bad_bodies_are_named_and_do_no_harm() {
                contract::bad_input::<_, $D>($new);
            }
            #[test]
            fn one_two_and_seven_threads_give_the_same_bytes() {
                contract::threads::<_, $D>($new, 40_000);
            }
        }
    };
}
mod methods {
    use crate::broad::{Auto, CellSweep, Columns, Levels, NeighbourList, Skin, Sweep};

    broad_phase_contract!(columns, Columns::default());
    broad_phase_contract!(columns_of_one_level, Columns::with_levels(Levels::One));
    broad_phase_contract!(kept_list, NeighbourList::default());
    broad_phase_contract!(
        kept_list_with_a_thick_skin,
        NeighbourList::with_skin(Skin::Margin(0.3))
    );
    broad_phase_contract!(sweep, Sweep::default());
    broad_phase_contract!(cell_sweep, CellSweep::default());
    broad_phase_contract!(auto, Auto::default());
}
