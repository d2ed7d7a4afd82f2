use super::*;
use crate::space::Random;

fn random_boxes<const D: usize>(count: usize, size: f64, random: &mut Random) -> Vec<Aabb<D>> {
    let mut side = |scale: f64| std::array::from_fn::<f64, D, _>(|_| scale * random.unit());
    (0..count)
        .map(|_| {
            let min = Point::from(side(1.0));
            Aabb::new(min, min + Vector::from(side(size)))
        })
        .collect()
}

fn overlapping_by_brute_force<const D: usize>(boxes: &[Aabb<D>], query: &Aabb<D>) -> Vec<u32> {
    (0..boxes.len() as u32)
        .filter(|&i| boxes[i as usize].overlaps(query))
        .collect()
}

fn trees_find_what_brute_force_finds<const D: usize>() {
    let mut random = Random::new(21);
    for count in [0, 1, 2, 3, 4, 5, 17, 1000, 20_000] {
        let boxes = random_boxes::<D>(count, 0.05, &mut random);
        let tree = Bvh::new(&boxes);
        tree.assert_valid(&boxes);
        let mut found = Vec::new();
        for query in random_boxes::<D>(50, 0.2, &mut random) {
            tree.find_overlapping(&query, &mut found);
            found.retain(|&i| boxes[i as usize].overlaps(&query));
            assert_eq!(found, overlapping_by_brute_force(&boxes, &query));
        }
    }
}

#[test]
fn box_queries_find_what_brute_force_finds_in_2_and_3_dimensions() {
    trees_find_what_brute_force_finds::<2>();
    trees_find_what_brute_force_finds::<3>();
}

#[test]
fn a_segment_finds_every_box_that_it_passes_through() {
    let mut random = Random::new(22);
    let boxes = random_boxes::<3>(3000, 0.03, &mut random);
    let tree = Bvh::new(&boxes);
    let mut found = Vec::new();

    for _ in 0..40 {
        let mut point = || {
            Point::from(std::array::from_fn::<f64, 3, _>(|_| {
                random.within(-0.2, 1.2)
            }))
        };
        let (from, to) = (point(), point());
        tree.find_along(&from, &to, &mut found);

        for (i, bounds) in boxes.iter().enumerate() {
            let passes =
                (0..=300).any(|k| bounds.contains(&(from + (to - from) * (f64::from(k) / 300.0))));
            assert!(
                !passes || found.binary_search(&(i as u32)).is_ok(),
                "box {i} is missing"
            );
        }

        let distant = |&i: &u32| !boxes[i as usize].grown(0.2).overlaps(&Aabb::of([from, to]));
        assert_eq!(found.iter().filter(|i| distant(i)).count(), 0);
    }
}

#[test]
fn a_segment_that_touches_a_corner_or_lies_in_a_face_is_not_lost() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]);
    let touches =
        |from: [f64; 3], to: [f64; 3]| Segment::new(&from.into(), &to.into()).may_touch(&unit);
    assert!(touches([1.0, 1.0, 1.0], [2.0, 3.0, 4.0]));
    assert!(touches([2.0, 3.0, 4.0], [1.0, 1.0, 1.0]));
    assert!(touches([1.0, -1.0, 0.5], [1.0, 2.0, 0.5]));
    assert!(touches([0.0, 0.0, -1.0], [0.0, 0.0, 0.0]));
    assert!(touches([0.5; 3], [0.5; 3]));
    assert!(touches([2.0, 0.0, 0.0], [0.0, 2.0, 0.0]));
    assert!(!touches([2.1, 0.0, 0.0], [0.0, 2.1, 0.0]));

    assert!(!touches(
        [1.0f64.next_up(), -1.0, 0.5],
        [1.0f64.next_up(), 2.0, 0.5]
    ));
    assert!(!touches([2.0; 3], [2.0; 3]));
}

#[test]
fn ten_thousand_boxes_in_one_place_make_a_balanced_tree() {
    let boxes = vec![Aabb::new([0.5; 3], [0.6; 3]); 10_000];
    let tree = Bvh::new(&boxes);
    tree.assert_valid(&boxes);
    let mut found = Vec::new();
    tree.find_overlapping(&boxes[0], &mut found);
    assert_eq!(found.len(), 10_000);
}

#[test]
fn centres_that_crowd_geometrically_do_not_make_the_tree_too_high() {
    let boxes: Vec<Aabb<2>> = (0..1000)
        .map(|k| 2f64.powi(-k))
        .map(|x| Aabb::new([x, 0.0], [x, 0.0]))
        .collect();
    let tree = Bvh::new(&boxes);
    tree.assert_valid(&boxes);
    let mut found = Vec::new();
    tree.find_along(&[1e-3, 0.0].into(), &[1e-6, 0.0].into(), &mut found);

    assert!((10..20).all(|k| found.contains(&k)), "{found:?}");
}

#[test]
fn the_tree_is_the_same_for_any_number_of_threads() {
    let boxes = random_boxes::<3>(30_000, 0.01, &mut Random::new(23));
    let build = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let tree = pool.install(|| Bvh::new(&boxes));
        (
            tree.items,
            tree.nodes
                .iter()
                .map(|n| (n.first, n.count))
                .collect::<Vec<_>>(),
        )
    };

    assert_eq!(build(1), build(3));
}
