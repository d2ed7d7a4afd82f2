use super::super::test_support::{hash_of_numbers, hash_of_points};
use super::*;
use std::f64::consts::PI;

fn assert_packed<const D: usize>(options: &SpheresOptions) -> Packing<D> {
    let packing = spheres::<D>(options).expect("feasible");
    assert_eq!(
        (packing.centres.len(), packing.radii.len()),
        (options.count, options.count)
    );
    let of_one = [PI, 4.0 / 3.0 * PI][D - 2];
    let content = of_one * packing.radii.iter().map(|r| r.powi(D as i32)).sum::<f64>();
    assert!((content / packing.bounds.volume() / options.fraction - 1.0).abs() < 1e-12);
    let least = packing.radii.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = packing.radii.iter().copied().fold(0.0, f64::max);
    assert_eq!((largest, least), (1.0, 1.0 / options.ratio));

    for sphere in packing.spheres() {
        let bounds = sphere.bounds();
        assert!(packing.bounds.grown(1e-9).contains(&bounds.min));
        assert!(packing.bounds.grown(1e-9).contains(&bounds.max));
    }

    packing
}

fn overlaps<const D: usize>(packing: &Packing<D>) -> usize {
    let n = packing.radii.len();
    let touch = |i: usize, j: usize| {
        (packing.centres[i] - packing.centres[j]).norm() < packing.radii[i] + packing.radii[j]
    };
    (0..n)
        .map(|i| (0..i).filter(|&j| touch(i, j)).count())
        .sum()
}

#[test]
fn the_fraction_and_the_ratio_are_met() {
    for (ratio, fraction) in [(1.0, 0.1), (2.0, 0.4), (10.0, 0.6), (100.0, 1.5)] {
        let options = SpheresOptions {
            count: 2_000,
            ratio,
            fraction,
            seed: 9,
            ..Default::default()
        };
        assert!(overlaps(&assert_packed::<2>(&options)) > 100);
        assert!(overlaps(&assert_packed::<3>(&options)) > 100);
    }
}

#[test]
fn no_two_overlap_where_that_is_avoided() {
    for (ratio, fraction) in [(1.0, 0.25), (3.0, 0.3), (30.0, 0.35), (100.0, 0.3)] {
        let overlap = OverlapPolicy::Avoided;
        let options = SpheresOptions {
            count: 3_000,
            ratio,
            fraction,
            overlap,
            seed: 4,
        };
        assert_eq!(overlaps(&assert_packed::<2>(&options)), 0);
        assert_eq!(overlaps(&assert_packed::<3>(&options)), 0);
    }
}

#[test]
fn every_octave_of_radii_has_its_share() {
    let options = SpheresOptions {
        count: 40_000,
        ratio: 16.0,
        ..Default::default()
    };
    let packing = spheres::<3>(&options).expect("feasible");

    for octave in 0..4 {
        let (low, up) = (2f64.powi(octave - 4), 2f64.powi(octave - 3));
        let share = packing
            .radii
            .iter()
            .filter(|r| (low..up).contains(r))
            .count() as f64
            / 40_000.0;
        assert!((share - 0.25).abs() < 0.01, "{share}");
    }
}

#[test]
fn the_bytes_are_known() {
    let options = SpheresOptions {
        count: 300,
        ratio: 5.0,
        fraction: 0.2,
        seed: 7,
        ..Default::default()
    };
    let mixed = spheres::<3>(&options).expect("feasible");

    let discs = spheres::<2>(&SpheresOptions {
        overlap: OverlapPolicy::Avoided,
        ..options
    })
    .expect("feasible");
    let hashes = [
        hash_of_points(&mixed.centres),
        hash_of_numbers(mixed.radii),
        hash_of_points(&discs.centres),
    ];

    assert_eq!(
        hashes,
        [
            0x9cfa_ace1_cd63_2bf2,
            0x0037_3579_3041_6efd,
            0xca43_7aa5_7660_9cfc
        ]
    );
}

#[test]
fn bad_arguments_are_named() {
    let good = SpheresOptions::default();
    let argument = |options: SpheresOptions| spheres::<3>(&options).unwrap_err().argument;
    assert_eq!(argument(SpheresOptions { count: 0, ..good }), "count");
    assert_eq!(
        argument(SpheresOptions {
            count: usize::MAX,
            ..good
        }),
        "count"
    );

    for ratio in [0.99, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(argument(SpheresOptions { ratio, ..good }), "ratio");
    }

    for fraction in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        assert_eq!(argument(SpheresOptions { fraction, ..good }), "fraction");
    }

    // One sphere cannot fill nine tenths of a box, nor can a thousand equal ones without
    // overlap.
    assert_eq!(
        argument(SpheresOptions {
            count: 1,
            fraction: 0.9,
            ..good
        }),
        "fraction"
    );

    let full = SpheresOptions {
        ratio: 1.0,
        fraction: 0.7,
        overlap: OverlapPolicy::Avoided,
        ..good
    };

    assert_eq!(argument(full), "fraction");
}
