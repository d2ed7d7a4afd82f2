use super::*;

#[test]
fn the_extension_module_is_found_among_cargos_messages() {
    let messages =
        r#"{"filenames":["/t/debug/libimpinge.rlib"]}{"filenames":["/t/debug/lib_impinge.so"]}"#;
    assert_eq!(library(messages), Some("/t/debug/lib_impinge.so".into()));
    assert_eq!(library("{}"), None);
}

#[test]
fn the_summary_of_pytest_is_counted() {
    assert_eq!(passed("131 passed, 2 skipped in 3.14s"), Some(131));
    assert_eq!(passed("=== 2 failed, 7 passed in 1s ==="), Some(7));
    assert_eq!(passed("no tests ran in 0.01s"), None);
}
