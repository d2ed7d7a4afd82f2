use super::*;
use impinge::broad::{BroadPhase, BroadScene, BruteForce};
use impinge::space::Random;

/// Spheres of radii 1:20 in a unit box.
fn mixed(random: &mut Random, count: usize) -> Vec<Ball<3>> {
    (0..count)
        .map(|_| {
            let centre = [random.unit(), random.unit(), random.unit()];
            let radius = if random.unit() < 0.05 { 0.1 } else { 0.005 };
            Ball::new(centre, radius)
        })
        .collect()
}

#[test]
fn all_neighbours_across_a_cut_are_sent_and_large_ones_do_not_drown_the_small() {
    let mut random = Random::new(2);
    let margin = 0.002;
    for lengths in [[None; 3], [Some(1.0), None, Some(1.0)]] {
        let period = Period { lengths };
        let balls = mixed(&mut random, 2000);
        let is_mine = |ball: &Ball<3>| ball.centre.x < 0.45;
        let (mine, theirs): (Vec<_>, Vec<_>) = balls.iter().partition(|ball| is_mine(ball));
        let (own, other) = (
            reaches(mine.iter().copied()),
            reaches(theirs.iter().copied()),
        );
        let sent = select(&mine, &own, &other, margin, &period);
        let sent: Vec<Ball<3>> = sent.iter().map(|&n| mine[n as usize]).collect();

        let grown = |ball: &Ball<3>| Ball {
            radius: ball.radius + 0.5 * margin,
            ..*ball
        };
        let all: Vec<Ball<3>> = balls.iter().map(grown).collect();
        let mut pairs = Vec::new();
        let scene = BroadScene {
            period,
            ..BroadScene::of(&all)
        };
        BruteForce::default()
            .find_pairs(&scene, &mut pairs)
            .expect("good balls");
        let crossing = pairs.iter().filter_map(|pair| {
            let two = [pair.a, pair.b].map(|n| balls[n as usize]);
            let [a, b] = two.map(|ball| is_mine(&ball));
            (a != b).then(|| if a { two[0] } else { two[1] })
        });

        let mut needed = 0;
        for ball in crossing {
            assert!(sent.contains(&ball), "{ball:?} is a neighbour");
            needed += 1;
        }
        assert!(needed > 20, "{needed}");
        assert!(lengths[0].is_some() || sent.len() < mine.len() / 2);
    }
}

#[test]
fn a_rank_without_particles_needs_none() {
    let balls = mixed(&mut Random::new(3), 10);
    let own = reaches(balls.iter().copied());
    let period = Period { lengths: [None; 3] };
    assert!(select(&balls, &own, &[], 1.0, &period).is_empty());
    assert!(reaches([].into_iter()).is_empty());
}
