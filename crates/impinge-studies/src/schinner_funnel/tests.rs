use super::*;

#[test]
fn the_sweep_of_one_axis_counts_what_brute_force_counts() {
    let mut random = Random::new(3);
    let mut interval = || {
        let at = random.within(0.0, 9.0);
        Aabb::new([at, 0.0], [at + random.within(0.0, 2.0), 1.0])
    };
    let boxes: Vec<Aabb<2>> = (0..60).map(|_| interval()).collect();
    let meet = |a: &Aabb<2>, b: &Aabb<2>| a.min.x <= b.max.x && b.min.x <= a.max.x;
    let all = (0..60).flat_map(|i| (0..i).map(move |j| (i, j)));
    let expected = all.filter(|&(i, j)| meet(&boxes[i], &boxes[j])).count();
    assert_eq!(on_one_axis(&boxes), expected);
}
