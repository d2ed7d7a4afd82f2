use super::*;
use crate::space::Random;

#[test]
fn balls_that_touch_overlap_and_balls_an_ulp_apart_do_not() {
    let a = Ball::new([0.0, 0.0, 0.0], 1.0);
    assert!(a.overlaps(&Ball::new([3.0, 4.0, 0.0], 4.0)));
    assert!(!a.overlaps(&Ball::new([3.0, 4.0, 0.0], 4.0 - 1e-14)));
}

#[test]
fn images_across_a_face_overlap() {
    let period = Period::cell([10.0, 10.0]);
    let (a, b) = (Ball::new([0.1, 5.0], 0.2), Ball::new([29.9, -5.0], 0.2));
    assert!(!a.overlaps(&b) && a.overlaps_image(&b, &period) && b.overlaps_image(&a, &period));
    assert!(a.bounds().overlaps_image(&b.bounds(), &period));
    let wall = Aabb::new([f64::NEG_INFINITY, 4.0], [f64::INFINITY, 4.9]);
    assert!(wall.overlaps_image(&b.bounds(), &period));
}

#[test]
fn faults_are_named() {
    let nan = f64::NAN;
    let inf = f64::INFINITY;
    assert_eq!(
        Aabb::new([0.0, nan], [1.0, 1.0]).fault(),
        Some(ProxyFault::NotFinite)
    );
    assert_eq!(
        Aabb::new([0.0, 2.0], [1.0, 1.0]).fault(),
        Some(ProxyFault::Inverted(1))
    );
    assert_eq!(Aabb::<2>::EMPTY.fault(), Some(ProxyFault::Inverted(0)));

    assert_eq!(
        Aabb::new([inf, 0.0], [inf, 0.0]).fault(),
        Some(ProxyFault::NotFinite)
    );
    assert_eq!(Aabb::new([-inf, 0.0], [inf, 0.0]).fault(), None);
    assert_eq!(
        Ball::new([0.0, 1e61], 1.0).fault(),
        Some(ProxyFault::NotFinite)
    );

    assert_eq!(
        Ball::new([0.0, 0.0], -1.0).fault(),
        Some(ProxyFault::NegativeRadius)
    );
    assert_eq!(Ball::new([0.0, 0.0], 0.0).fault(), None);
}

#[test]
fn the_travel_of_a_ball_bounds_its_move_and_its_growth() {
    let mut random = Random::new(1);
    for _ in 0..1000 {
        let step = random.direction::<3>() * random.unit();
        let growth = random.within(-1.0, 1.0);
        let old = Ball::new([1.0, 2.0, 3.0], 2.0);
        let new = Ball {
            centre: old.centre + step,
            radius: old.radius + growth,
        };
        let (from, to) = (old.bounds(), new.bounds());

        let moves = std::array::from_fn(|k| {
            (to.min[k] - from.min[k])
                .abs()
                .max((to.max[k] - from.max[k]).abs())
        });

        assert!(<Ball<3> as Proxy<3>>::travel(moves) >= step.norm() + growth.abs() - 1e-12);
    }
}
