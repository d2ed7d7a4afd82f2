use super::*;

#[test]
fn every_kind_survives_packing_and_moving() {
    assert_eq!(Node::OUTSIDE.kind(), Kind::Empty(false));
    assert_eq!(Node::empty(true).kind(), Kind::Empty(true));
    assert_eq!(Node::UNLABELLED.kind(), Kind::Unlabelled);
    assert_eq!(Node::UNLABELLED.label(), None);
    assert_eq!(Node::leaf(5).moved(100, 8).kind(), Kind::Leaf(105));

    for shift in 1..=3 {
        let first = 8 * ((1 << 28) - 2);
        assert_eq!(
            Node::block(shift, first).kind(),
            Kind::Block { shift, first }
        );

        assert_eq!(
            Node::block(shift, first).moved(9, 8).kind(),
            Kind::Block {
                shift,
                first: first + 8
            }
        );
    }
}
