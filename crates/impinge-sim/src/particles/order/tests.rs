use super::*;
use impinge::space::{Aabb, Random};

fn in_towers(balls: &[Ball<3>]) -> Vec<u32> {
    let corner = Aabb::of(balls.iter().map(|ball| ball.centre)).min;
    let sum: f64 = balls.iter().map(|ball| ball.radius).sum();
    let ids: Vec<u32> = (0..balls.len() as u32).collect();
    let seats = seats(balls, &corner, 2.0 * sum / balls.len().max(1) as f64);
    by_seat(&seats, &ids)
}

fn random_balls(count: usize, edges: [f64; 3]) -> Vec<Ball<3>> {
    let mut random = Random::new(1);
    (0..count)
        .map(|_| Ball::new(edges.map(|edge| edge * random.unit()), 0.5))
        .collect()
}

#[test]
fn every_place_comes_once() {
    let mut order = in_towers(&random_balls(5000, [70.0, 30.0, 5.0]));
    order.sort_unstable();
    assert!(order.into_iter().eq(0..5000));
}

#[test]
fn most_neighbours_are_no_more_than_a_layer_ahead() {
    let balls = random_balls(60_000, [40.0; 3]);
    let order = in_towers(&balls);
    let layer = (TOWER * TOWER) as usize;
    let mut places = vec![0; balls.len()];
    order
        .iter()
        .enumerate()
        .for_each(|(new, &old)| places[old as usize] = new);
    let (mut near, mut far) = (0, 0);

    for (one, &old) in order.iter().enumerate().step_by(50) {
        let touches = |other: &Ball<3>| (other.centre - balls[old as usize].centre).norm() < 1.0;
        for (other, _) in balls.iter().enumerate().filter(|(_, other)| touches(other)) {
            let ahead = places[other].saturating_sub(one);
            *(if ahead <= 2 * layer {
                &mut near
            } else {
                &mut far
            }) += usize::from(ahead > 0);
        }
    }

    assert!(near > 1000 && far * 12 < near, "{near} near, {far} far");
}

#[test]
fn a_single_particle_coinciding_ones_and_those_far_apart_have_an_order() {
    assert_eq!(in_towers(&[Ball::new([3.0; 3], 1.0)]), [0]);
    assert_eq!(in_towers(&[Ball::new([3.0; 3], 1.0); 3]), [0, 1, 2]);
    assert_eq!(
        in_towers(&[
            Ball::new([1e12, 0.0, 0.0], 1e-9),
            Ball::new([-1e12; 3], 1e-9)
        ]),
        [1, 0]
    );

    assert!(in_towers(&[]).is_empty());
}

#[test]
fn a_part_of_the_particles_has_the_order_that_it_has_among_all() {
    let balls = random_balls(3000, [60.0, 30.0, 20.0]);
    let ids: Vec<u32> = (0..3000).rev().collect();
    let seats = seats(&balls, &Point::origin(), 1.0);
    let all = by_seat(&seats, &ids);
    let part: Vec<usize> = (0..3000).filter(|n| n % 7 != 0).collect();
    let seats_of: Vec<Seat> = part.iter().map(|&n| seats[n]).collect();
    let ids_of: Vec<u32> = part.iter().map(|&n| ids[n]).collect();
    let ordered = by_seat(&seats_of, &ids_of);
    let ordered = ordered.into_iter().map(|place| part[place as usize] as u32);

    assert!(all.into_iter().filter(|n| n % 7 != 0).eq(ordered));
}

#[test]
fn new_particles_come_last_and_by_id() {
    let far = Seat::at(&Ball::new([1e300; 3], 1.0), &Point::origin(), 1.0);
    assert!(far < Seat::new_of(70_000) && Seat::new_of(4095) < Seat::new_of(4096));
    assert_ne!(Seat::new_of(4095).block(), Seat::new_of(4096).block());
    assert_eq!(Seat::new_of(4094).block(), Seat::new_of(4095).block());
}
