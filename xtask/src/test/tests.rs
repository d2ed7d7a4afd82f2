use super::*;

#[test]
fn the_summary_of_a_test_program_is_counted() {
    let mut count = Count::default();
    count.add(
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.1s",
        );
    count.add("test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s");
    count.add("test shape::result ... ok");

    assert_eq!((count.passed, count.failed, count.ignored), (14, 3, 1));
}
