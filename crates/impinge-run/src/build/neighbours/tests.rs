use super::*;
use impinge::space::Random;

#[test]
fn the_list_has_every_sphere_within_reach_in_periodic_and_open_boxes() {
    let bounds = Aabb {
        min: Point::from([-1.0, 0.0, 2.0]),
        max: Point::from([0.0, 0.5, 2.3]),
    };
    let mut random = Random::new(3);
    for period in [[false; 3], [true; 3], [true, false, true]] {
        let mut list = Neighbours::new(bounds, period, 0.01, 0.02);
        let spheres: Vec<Placed> = (0..400)
            .map(|_| Placed {
                centre: [0, 1, 2]
                    .map(|k| random.within(bounds.min[k], bounds.max[k]))
                    .into(),
                radius: random.within(0.01, 0.03),
            })
            .collect();
        list.update(&spheres);
        for n in 0..spheres.len() {
            let mut found = list.of(n).to_vec();
            found.sort_unstable();
            let near =
                |m: &u32| *m as usize != n && list.are_near(&spheres[n], &spheres[*m as usize]);
            let wanted: Vec<u32> = (0..spheres.len() as u32).filter(near).collect();
            assert_eq!(found, wanted);
        }
    }
}
