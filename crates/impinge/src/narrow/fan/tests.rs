use super::*;
use crate::space::Random;

#[test]
fn boxes_hold_the_directions_of_all_points_and_hardly_more() {
    let mut random = Random::new(3);
    for round in 0..3000 {
        let scale = 10f64.powi(round % 7 - 3);
        let hub = Point::from(random.direction::<3>() * 0.3);
        let corners: [Point<3>; 3] = std::array::from_fn(|_| {
            hub + random.direction::<3>() * scale * random.within(0.01, 1.0)
        });
        for count in 1..=3 {
            let corners = &corners[..count];
            let bounds = directions(&hub, corners);
            let mut seen = Aabb::EMPTY;
            for n in 0..400 {
                let mut weights = [0.0; 3];
                (0..count).for_each(|k| weights[k] = random.within(0.0, 1.0).powi(1 + n % 9));
                let total: f64 = weights.iter().sum();
                let point: Vector<3> = corners
                    .iter()
                    .zip(weights)
                    .map(|(p, w)| (p - hub) * (w / total))
                    .sum();
                let unit = Point::from(point.normalize());
                assert!(bounds.contains(&unit), "{corners:?} {unit}");
                seen = seen.with(&unit);
            }
            let is_pointed = bounds.extent().min() < 1.99;
            let excess = (bounds.extent() - seen.extent()).max();
            assert!(
                !is_pointed || excess < 0.6,
                "{corners:?} {bounds:?} {seen:?}"
            );
        }
    }
}

#[test]
fn a_hull_that_holds_the_point_is_seen_everywhere() {
    let hub = Point::from([0.25, 0.25, 0.0]);
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
    let all = |corners: &[Point<3>], hub: &Point<3>| directions(hub, corners).extent().min();
    assert!(all(&corners, &hub) > 2.0, "within");
    assert!(all(&corners, &[0.5, 0.5, 0.0].into()) > 2.0, "on an edge");
    assert!(all(&corners, &[0.0, 1.0, 0.0].into()) > 2.0, "on a corner");
    assert!(all(&[], &hub) > 2.0);
    assert!(all(&corners, &[0.25, 0.25, 1.0].into()) < 1.0);
    let tiny = corners.map(|p| Point::from(p.coords * 1e-310));
    assert!(all(&tiny[1..], &tiny[0]) < 1.0 + 1e-8, "subnormal");
}
