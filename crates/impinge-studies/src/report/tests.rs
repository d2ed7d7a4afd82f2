use super::*;

#[test]
fn an_outcome_against_expectation_is_marked() {
    let finding = |expected, outcome| Finding {
        kind: Kind::Claim {
            place: "Section 1".into(),
            expected,
        },
        statement: "a < b".into(),
        evidence: String::new(),
        outcome,
        by_clock: false,
    };
    let [as_expected, not] = [Outcome::Refuted, Outcome::Held]
        .map(|outcome| rows("Claims", &[&finding(Outcome::Refuted, outcome)]));

    assert!(as_expected.contains("class=\"refuted\"") && as_expected.contains("a &lt; b"));
    assert!(not.contains("held, unexpectedly"));
}
