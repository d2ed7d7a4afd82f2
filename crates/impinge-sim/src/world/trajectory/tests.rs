use super::*;

fn moving(centre: [f64; 3], velocity: [f64; 3], acceleration: [f64; 3]) -> MovingBox {
    MovingBox {
        since: 1.0,
        centre: centre.into(),
        velocity: velocity.into(),
        acceleration: acceleration.into(),
        half: Vector::from([0.5, 0.25, 0.5]),
        radius: None,
        slack: 0.0,
        orientation: None,
        offset: Vector::zeros(),
    }
}

#[test]
fn bounds_of_thrown_boxes_are_never_late_and_right_for_the_deciding_axis() {
    let thrown = moving([0.0, 0.0, 0.0], [2.0, 0.1, 9.0], [0.0, 0.0, -9.81]);
    let still = moving([6.0, 0.0, 1.0], [0.0; 3], [0.0; 3]);
    let [a, b] = [thrown.clone(), still.clone()].map(Trajectory::Box);
    let wait = time_apart(&a, &b, 1.5);
    assert!(
        wait <= 2.0 && wait > 2.0 - 1e-9,
        "{wait}: 4 m of 5 at 2 m/s"
    );

    for k in 0..2000 {
        let time = 1.0 + 1e-3 * f64::from(k);
        let way = thrown.centre_at(time) - still.centre_at(time);
        let overlap = (0..3).all(|k| way[k].abs() <= 2.0 * thrown.half[k]);
        assert!(!overlap || time_apart(&a, &b, 1.0) <= time - 1.0 + 1e-9);
    }
}

#[test]
fn a_box_that_turns_back_above_a_floor_never_reaches_it() {
    let floor = Trajectory::HalfSpace {
        normal: Vector::from([0.0, 0.0, 1.0]),
        offset: 0.0,
    };
    let pulled =
        |up: f64| Trajectory::Box(moving([0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.0, 0.0, up]));
    assert_eq!(time_apart(&pulled(1.1), &floor, 1.0), f64::INFINITY);
    let wait = time_apart(&pulled(0.0), &floor, 1.0);
    assert!(wait <= 0.5 && wait > 0.5 - 1e-9, "{wait}");
    assert_eq!(time_apart(&Trajectory::Anywhere, &floor, 1.0), 0.0);
    assert_eq!(
        time_apart(&Trajectory::Nowhere, &pulled(0.0), 1.0),
        f64::INFINITY
    );
}

#[test]
fn a_swept_box_contains_the_apex_of_a_throw() {
    let thrown = moving([0.0; 3], [1.0, 0.0, 4.0], [0.0, 0.0, -8.0]);
    let swept = thrown.swept(1.0, 1.0);
    assert!(
        (swept.max.z - 1.5).abs() < 1e-12 && (swept.min.z + 0.5).abs() < 1e-12,
        "{swept:?}"
    );
}
