use super::*;

#[test]
fn a_finding_fails_when_the_measurement_contradicts_the_expectation() {
    let mut findings = Findings::default();
    findings.check(true, "a fact");
    findings.check(false, "a wrong fact");
    findings.timing(false, "a slow run");
    findings.claim(Claim::held("Section 1", "holds"), false, "2 > 1");
    findings.claim(Claim::refuted("Section 1", "does not"), false, "2 > 1");
    findings.claim(Claim::refuted("Section 1", "does"), true, "1 < 2");
    findings.skip("a peer", "not installed");

    let expected: Vec<bool> = findings.all.iter().map(Finding::is_as_expected).collect();
    assert_eq!(expected, [true, false, false, false, true, false, true]);
}
