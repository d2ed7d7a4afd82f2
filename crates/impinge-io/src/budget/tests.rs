use super::*;

#[test]
fn a_budget_is_sixteen_times_the_file_and_64_megabytes() {
    let mut budget = Budget::of(&[0; 10]);
    budget.take(20, 8).expect("the multiple of the file");
    budget.take(1 << 20, 64).expect("what any file may cost");
    assert!(budget.take(1, 1).is_err());
    budget.give_back(1, 1);
    assert!(budget.take(1, 1).is_ok());

    assert!(budget.take(usize::MAX, 8).is_err());
}
