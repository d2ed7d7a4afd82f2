use super::*;
use std::time::Duration;

#[test]
fn dates_follow_the_calendar() {
    let at = |seconds: u64| date(UNIX_EPOCH + Duration::from_secs(seconds));
    assert_eq!(at(0), "1970-01-01 00:00");
    assert_eq!(at(951_782_399), "2000-02-28 23:59");
    assert_eq!(at(951_782_400), "2000-02-29 00:00");
    assert_eq!(at(1_795_001_820), "2026-11-18 11:37");
}
