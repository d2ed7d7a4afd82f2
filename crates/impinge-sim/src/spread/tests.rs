use super::*;

#[test]
fn radii_are_drawn_within_their_range_and_half_of_them_below_the_median() {
    let law = Lognormal {
        median: 2.0,
        sigma: 0.3,
        min: 1.0,
        max: 4.0,
    };
    let mut random = Random::new(3);

    for spread in [
        Spread::Uniform([1.0, 3.0]),
        Spread::Lognormal(law),
        Spread::List(vec![1.0, 3.0]),
    ] {
        let [low, up] = spread.range();
        let radii: Vec<f64> = (0..2000).map(|_| spread.draw(&mut random)).collect();
        assert!(spread.is_valid() && radii.iter().all(|r| (low..=up).contains(r)));
        let below = radii.iter().filter(|r| **r < 2.0).count();
        assert!((900..1100).contains(&below), "{spread:?}: {below}");
    }
}

#[test]
fn a_sieve_curve_and_mass_fractions_come_back_from_the_drawn_spheres() {
    let sieve = [[1.0, 0.1], [1.5, 0.4], [2.0, 0.4], [4.0, 1.0]];
    let fractions = [[1.0, 0.5], [3.0, 0.0], [2.0, 1.5]];
    let cases = [
        (
            Spread::Sieve(sieve.to_vec()),
            vec![(1.5, 1.0 / 3.0), (2.0, 1.0 / 3.0), (3.0, 2.0 / 3.0)],
        ),
        (Spread::MassFractions(fractions.to_vec()), vec![(1.5, 0.25)]),
    ];
    let mut random = Random::new(4);

    for (spread, passing) in cases {
        assert!(spread.is_valid());
        let radii: Vec<f64> = (0..200_000).map(|_| spread.draw(&mut random)).collect();
        let mass: f64 = radii.iter().map(|r| r.powi(3)).sum();
        for (size, share) in passing {
            let below: f64 = radii.iter().filter(|r| **r < size).map(|r| r.powi(3)).sum();
            assert!(
                (below / mass - share).abs() < 0.01,
                "{spread:?}, {size}: {}",
                below / mass
            );
        }
    }
}

#[test]
fn mean_cubes_are_those_of_drawn_radii() {
    let law = Lognormal {
        median: 2.0,
        sigma: 0.4,
        min: 1.0,
        max: 4.0,
    };
    let spreads = [
        Spread::Uniform([1.0, 3.0]),
        Spread::List(vec![1.0, 2.0]),
        Spread::Lognormal(law),
        Spread::Sieve(vec![[1.0, 0.0], [2.0, 0.3], [3.0, 1.0]]),
        Spread::MassFractions(vec![[1.0, 0.2], [2.0, 0.8]]),
    ];
    let mut random = Random::new(6);

    for spread in spreads {
        let cubes = (0..200_000).map(|_| spread.draw(&mut random).powi(3));
        let ratio = cubes.sum::<f64>() / 200_000.0 / spread.mean_cube();
        assert!((ratio - 1.0).abs() < 0.02, "{spread:?}: {ratio}");
    }
}

#[test]
fn radii_that_cannot_be_drawn_are_not_sound() {
    let law = Lognormal {
        median: 5.0,
        sigma: 0.3,
        min: 1.0,
        max: 4.0,
    };
    let bad = [
        Spread::Uniform([0.0, 1.0]),
        Spread::Uniform([2.0, 1.0]),
        Spread::List(vec![]),
        Spread::MassFractions(vec![[1.0, 0.0]]),
        Spread::Sieve(vec![[1.0, 0.5]]),
        Spread::Sieve(vec![[1.0, 0.5], [2.0, 0.2]]),
        Spread::Sieve(vec![[2.0, 0.0], [1.0, 1.0]]),
    ];

    assert!(
        bad.iter()
            .chain([&Spread::Lognormal(law), &Spread::List(vec![f64::NAN])])
            .all(|s| !s.is_valid())
    );
}
