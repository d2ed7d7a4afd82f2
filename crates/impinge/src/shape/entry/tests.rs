use super::super::Item;
use super::*;

#[test]
fn points_enter_unless_there_are_none_or_one_is_not_finite() {
    assert_eq!(enter::<2>(&[]), Err(Problem::whole(ProblemKind::Empty)));
    let broken = [[0.0, 1.0], [f64::NAN, 0.0], [1.0, 1e61]].map(Point::from);
    let expected = Problem {
        kind: ProblemKind::NotFinite,
        first: Item::Point(1),
        count: 2,
    };
    assert_eq!(enter(&broken), Err(expected));
    let entered = enter(&[Point::from([-0.0, 1e-91])]).expect("finite");

    assert!(entered[0].iter().all(|x| x.to_bits() == 0));
}
