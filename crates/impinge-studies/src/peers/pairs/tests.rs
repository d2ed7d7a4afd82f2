use super::*;

#[test]
fn differences_are_counted_whatever_the_order() {
    let pair = |a, b| Pair { a, b };
    let exact = [pair(0, 1), pair(0, 2), pair(3, 4)];
    let mut found = vec![pair(3, 4), pair(0, 1), pair(5, 6), pair(3, 4)];
    assert_eq!(
        Difference::of(&mut found, &exact),
        Difference {
            missing: 1,
            extra: 1
        }
    );

    assert_eq!(Difference::of(&mut exact.to_vec(), &exact).remark(3), "");
}
