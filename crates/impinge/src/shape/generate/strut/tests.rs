use super::*;

#[test]
fn the_listed_seeds_hold_the_three_nearest_of_all() {
    let (struts, all) = (Struts::new(3, 5), seeds(3, edge_and_radius(3).0, 5));
    let mut random = Random::new(6);
    for _ in 0..20_000 {
        let p = Point::from([0; 3].map(|_| random.within(-1.0, 1.0)));
        assert_eq!(three_nearest(struts.near(&p), &p), three_nearest(&all, &p));
    }

    let listed = struts.near.iter().map(Vec::len).sum::<usize>() as f64 / struts.near.len() as f64;
    assert!(listed < 20.0, "{listed}");
}
