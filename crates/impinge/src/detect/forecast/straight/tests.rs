use super::*;
use crate::bound::Bound;
use crate::shape::generate;
use crate::space::Random;

#[test]
fn bounds_hold_all_corners_below_them_at_all_times() {
    let mut random = Random::new(51);
    let surface = generate::torus(2.0, 0.7, [24, 12]).expect("valid");
    let shape = Prepared::new(&surface);
    let velocities: Vec<Vector<3>> = surface
        .points()
        .iter()
        .map(|p| p.coords.cross(&Vector::z()) * 3.0 + random.direction::<3>() + Vector::x() * 100.0)
        .collect();
    let body = Straight::new(&shape, surface.points(), &velocities, 1.0);

    for time in [1.0, 1.5, 7.0] {
        let points = body.at(time);
        for number in 0..shape.balls().nodes.len() as u32 {
            let ball = body.ball(number, time).ball;
            let faces = &shape.balls().items()[shape.balls().item_range(number)];
            let corners = faces
                .iter()
                .flat_map(|&face| shape.triangles()[face as usize]);
            assert!(
                corners.clone().all(|n| ball.contains(&points[n as usize])),
                "{number} at {time}"
            );
        }
    }

    assert!(
        body.motion().1 < 12.0,
        "the common motion is taken out: {}",
        body.motion().1
    );
}
