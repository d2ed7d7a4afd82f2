use super::*;

#[test]
fn the_velocity_of_a_path_is_the_difference_of_its_places_and_zero_outside_its_time() {
    let guide = PrescribedMotion {
        position: [0.3, -0.2, 0.5],
        orientation: [0.1, 0.2, -0.4, 0.8],
        path: Path {
            velocity: [0.1, -0.2, 0.3],
            amplitude: [0.05, 0.0, 0.02],
            frequency: 3.0,
            spin: [1.0, 2.0, -0.5],
            centre: Some([0.3, 0.1, -0.7]),
            since: 0.25,
            until: Some(5.0),
            ..Path::default()
        },
    };
    let local = Vector::<3>::new(0.4, -0.3, 0.9);

    let place = |t: f64| {
        let state = guide.state(t);
        state.rotation * local + state.origin
    };
    let (t, h) = (1.3, 1e-6);
    let found = (place(t + h) - place(t - h)) / (2.0 * h);
    assert!((guide.state(t).velocity_at(&place(t)) - found).norm() < 1e-7);
    assert_eq!((place(0.1), place(6.0)), (place(0.25), place(5.0)));
    assert_eq!(guide.state(7.0).velocity_at(&local), Vector::<3>::zeros());

    assert_eq!(guide.state(0.1).velocity_at(&local), Vector::<3>::zeros());
}
