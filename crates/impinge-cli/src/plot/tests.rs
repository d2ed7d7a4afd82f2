use super::*;

#[test]
fn axes_end_at_round_numbers_and_odd_values_do_not_break_them() {
    assert_eq!(
        (end(97.0), end(3.0), end(0.0), end(f64::NAN)),
        (100.0, 3.0, 1.0, 1.0)
    );
    assert_eq!(marks(100.0), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
    assert_eq!(short(0.1 + 0.2), "0.3");
}

#[test]
fn a_page_has_a_line_for_each_panel() {
    let panel = || Panel {
        title: "Speed, m/s",
        curve: Curve(vec![[0.0, 1.0], [1.0, 3.0]]),
    };
    let page = page("A title", "Time, s", &[panel(), panel()]);
    assert_eq!(page.matches("<polyline").count(), 2);

    assert!(page.starts_with("<svg") && page.ends_with("</svg>\n"));
}
