use super::*;

#[test]
fn bounds_meet_on_every_course_and_parry_agrees_if_it_is_there() {
    for kind in [Kind::Apart, Kind::Overlapping, Kind::Independent] {
        let case = case(kind, 32, 100);
        let (ours, widest) = ours(&case);
        assert!(ours.gaps.len() == 100 && widest <= CERTAIN, "{widest}");

        if let Ok(theirs) = parry(&case) {
            let differ = ours
                .gaps
                .iter()
                .zip(&theirs.gaps)
                .filter(|(o, t)| (*o - *t).abs() > SAME)
                .count();
            assert_eq!(differ, 0, "{}", kind.name());
        }
    }
}
