use super::*;
use crate::scene::{BoxRegion, CylinderRegion};

fn check(region: &RegionSpec, placed: &[Placed], period: [bool; 3]) {
    let lengths = region.bounds::<3>().extent();
    for (n, a) in placed.iter().enumerate() {
        assert!(period != [false; 3] || region.holds(&a.centre, 0.999_999 * a.radius));
        for b in &placed[..n] {
            let mut way = a.centre - b.centre;
            for k in (0..3).filter(|&k| period[k]) {
                way[k] -= lengths[k] * (way[k] / lengths[k]).round();
            }
            let overlap = a.radius + b.radius - way.norm();
            assert!(overlap < 1.01 * LEFT * a.radius.min(b.radius), "{overlap}");
        }
    }
}

#[test]
fn spheres_fill_0_60_of_a_periodic_box_and_0_52_of_a_tube() {
    let unit = RegionSpec::Box(BoxRegion {
        min: vec![0.0; 3],
        max: vec![1.0; 3],
    });
    let count = (0.6 / (4.0 / 3.0 * std::f64::consts::PI * 0.04_f64.powi(3))) as usize;
    let mut random = Random::new(1);
    let placed = pack(&unit, &vec![0.04; count], &[], [true; 3], &mut random).expect("room");
    assert!(placed.len() > 2200);
    check(&unit, &placed, [true; 3]);

    let tube = RegionSpec::Cylinder(CylinderRegion {
        from: [0.0; 3],
        to: [0.0, 0.0, 1.0],
        radius: 0.5,
    });
    let radii: Vec<f64> = (0..1450)
        .map(|n| if n % 2 == 0 { 0.035 } else { 0.045 })
        .collect();
    let placed = pack(&tube, &radii, &[], [false; 3], &mut random).expect("room");
    check(&tube, &placed, [false; 3]);
}

#[test]
fn what_does_not_fit_is_given_up() {
    let unit = RegionSpec::Box(BoxRegion {
        min: vec![0.0; 3],
        max: vec![1.0; 3],
    });
    let radii = vec![0.2; 25];
    assert_eq!(
        pack(&unit, &radii, &[], [false; 3], &mut Random::new(1)),
        None
    );
}
