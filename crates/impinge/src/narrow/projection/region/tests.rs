use super::*;
use crate::space::Random;

fn random_model(random: &mut Random) -> Model {
    let mut x = || random.within(-1.0, 1.0);
    let (p, q, r) = (x(), x(), x());
    Model {
        gradient: [2.0 * x(), 2.0 * x()],
        hessian: [p * p + 0.1, p * q, q * q + r * r + 0.1],
    }
}

fn is_least(region: &impl Region, inside: &[[f64; 2]], random: &mut Random) {
    let model = random_model(random);
    let at = inside[0];
    let found = region.minimum(at, &model);
    let value = |local: [f64; 2]| model.value([local[0] - at[0], local[1] - at[1]]);

    for &other in inside {
        assert!(
            value(found) <= value(other) + 1e-12,
            "{found:?} {other:?} {model:?}"
        );
    }
}

#[test]
fn the_minimum_of_a_model_in_a_region_is_below_a_thousand_samples() {
    let mut random = Random::new(5);
    for _ in 0..100 {
        let mut sample = || [random.unit(), random.unit()];
        let square: Vec<[f64; 2]> = (0..1000).map(|_| sample()).collect();
        let triangle: Vec<[f64; 2]> = square
            .iter()
            .copied()
            .filter(|[x, y]| x + y <= 1.0)
            .collect();
        is_least(
            &Rectangle {
                low: [0.0; 2],
                up: [1.0; 2],
            },
            &square,
            &mut random,
        );
        is_least(&Corner, &triangle, &mut random);

        is_least(
            &Part([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]),
            &triangle,
            &mut random,
        );
        let line: Vec<[f64; 2]> = square.iter().map(|&[x, _]| [x, 1.0 - x]).collect();

        is_least(
            &Line {
                start: [0.0, 1.0],
                end: [1.0, 0.0],
            },
            &line,
            &mut random,
        );
    }
}

#[test]
fn parts_and_lines_know_what_they_hold() {
    let part = Part([[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]]);
    assert!(part.contains([0.2, 0.2]) && part.contains([0.25, 0.25]) && !part.contains([0.3, 0.3]));
    let line = Line {
        start: [1.0, 0.0],
        end: [0.0, 1.0],
    };

    assert!(
        line.contains([0.25, 0.75]) && !line.contains([0.25, 0.7]) && !line.contains([1.25, -0.25])
    );
}
