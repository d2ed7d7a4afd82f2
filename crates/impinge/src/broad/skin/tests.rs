use super::*;

fn outlook(motion: f64) -> Outlook {
    Outlook {
        motion,
        edge: 1.0,
        pairs: 2.0,
        persistence: 1.0,
        dimension: 3,
    }
}

#[test]
fn slow_bodies_get_a_thin_skin_that_lasts() {
    let (margin, cost) = outlook(0.001).best_margin();
    assert!((0.01..0.1).contains(&margin), "{margin}");
    assert!(cost < 0.4 * outlook(0.001).cost_of_building(), "{cost}");
}

#[test]
fn for_fast_bodies_building_is_cheaper_than_a_list() {
    assert!(outlook(0.3).best_margin().1 > outlook(0.3).cost_of_building());
    assert!(outlook(1e9).best_margin().1 > outlook(1e9).cost_of_building());
    assert!(
        outlook(1e9).best_margin().0 <= 1.01 * MOST,
        "a jump does not justify a skin"
    );
}

#[test]
fn bodies_at_rest_or_without_size_get_a_finite_margin() {
    let rest = outlook(0.0).best_margin();
    assert!(rest.0 > 0.0 && rest.1 < outlook(0.0).cost_of_building());
    let points = Outlook {
        edge: 0.0,
        ..outlook(0.1)
    };
    assert_eq!(points.best_margin().0, 0.0);

    assert!(
        points.best_margin().1.is_nan(),
        "and Auto rejects a list of unknown cost"
    );
}
