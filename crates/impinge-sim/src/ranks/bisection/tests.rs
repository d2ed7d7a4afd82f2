use super::*;
use crate::ranks::run_on_threads;
use impinge::space::{Random, Vector};

/// Returns the numbers of points that each rank owns.
fn shares(count: usize, points: &[Point<3>]) -> Vec<usize> {
    let divisions = run_on_threads(count, |ranks| {
        let own: Vec<Point<3>> = points
            .iter()
            .skip(ranks.rank())
            .step_by(count)
            .copied()
            .collect();
        Bisection::balanced(&*ranks, &own, &vec![1; own.len()])
    });
    let all = Bisection::of_all(count, points, &vec![1; points.len()]);
    assert!(divisions.iter().all(|division| *division == all));
    let mut shares = vec![0; count];
    points
        .iter()
        .for_each(|point| shares[divisions[0].owner(point)] += 1);

    shares
}

#[test]
fn ranks_own_equal_numbers_of_points() {
    let mut random = Random::new(1);
    let points: Vec<Point<3>> = (0..7000)
        .map(|_| Point::from(Vector::from_fn(|k, _| random.unit().powi(k as i32 + 1))))
        .collect();

    for count in [1, 2, 3, 4, 7, 16] {
        let even = points.len() / count;
        for share in shares(count, &points) {
            assert!(share.abs_diff(even) <= 2 + even / 100, "{share} of {even}");
        }
    }
}

#[test]
fn every_point_has_an_owner_however_they_lie() {
    let same = vec![Point::from([3.0; 3]); 50];
    assert_eq!(shares(4, &same).iter().sum::<usize>(), 50);
    assert_eq!(shares(5, &[]), [0; 5]);
    let few = [[0.0; 3], [1e-300, 0.0, 0.0], [1e30; 3]].map(Point::from);
    assert_eq!(shares(7, &few).iter().sum::<usize>(), 3);
}
