use super::*;

#[test]
fn what_no_machine_holds_is_refused_with_its_size() {
    assert!(ensure(1000, 24, "points").is_ok());
    let refused = ensure(1_000_000_000_000, 24, "points").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "1,000,000,000,000 points need 24,000 GB of memory, more than is available"
    );

    assert!(ensure(usize::MAX, 24, "points").is_err());
}
