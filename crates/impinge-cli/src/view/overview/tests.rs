use super::*;
use impinge::shape::Mesh;

fn spheres(centres: Vec<[f64; 3]>) -> Dataset {
    let count = centres.len();
    let mut dataset = Dataset::from(Mesh {
        points: centres.into_iter().map(Point::from).collect(),
        blocks: Vec::new(),
    });
    dataset
        .point_fields
        .push(Field::scalar("radius", vec![0.1; count]));
    dataset
}

fn cube(count: usize) -> Vec<[f64; 3]> {
    let place = |i: usize| [i % 4, i / 4 % 4, i / 16].map(|k| k as f64);
    (0..count).map(place).collect()
}

#[test]
fn a_far_runaway_does_not_count() {
    let mut centres = cube(64);
    centres.push([1e6, 0.0, -400.0]);
    let mut overview = Overview::default();
    overview.add_bodies(&spheres(centres));
    let bounds = overview.bounds().expect("bodies");
    assert!((bounds.min.x + 0.1).abs() < 1e-12 && (bounds.max.x - 3.1).abs() < 1e-12);
}

#[test]
fn a_few_bodies_are_all_shown_and_so_is_a_column() {
    let mut overview = Overview::default();
    overview.add_bodies(&spheres(vec![[0.0; 3], [1e3, 0.0, 0.0]]));
    assert!(overview.bounds().expect("bodies").max.x > 1e3);

    let column = (0..40).map(|i| [0.0, 0.0, f64::from(i)]).collect();
    let mut overview = Overview::default();
    overview.add_bodies(&spheres(column));
    assert!((overview.bounds().expect("bodies").max.z - 39.1).abs() < 1e-12);
}

#[test]
fn a_range_leaves_out_single_large_values_and_numbers_that_are_none() {
    let mut values: Vec<f64> = (0..1000).map(|i| f64::from(i) / 1000.0).collect();
    values.extend([1e9, f64::NAN, f64::INFINITY]);
    let [low, up] = range(&values).expect("values");
    assert!(low == 0.0 && (0.9..1.0).contains(&up));
    assert_eq!(range(&[f64::NAN]), None);
}

#[test]
fn walls_count_where_bodies_are_near() {
    let mut overview = Overview::default();
    overview.add_bodies(&spheres(cube(64)));
    overview.add_walls(&Aabb::new([-100.0; 3], [100.0, 100.0, -0.1]));
    let bounds = overview.bounds().expect("bodies");
    assert!(bounds.min.x > -2.0 && bounds.max.x < 5.0);
}
