#[test]
fn every_study_runs_quickly_and_its_findings_are_as_expected() {
    super::run(true, false).unwrap();
}
