use super::*;
use impinge::shape::ElementKind;

#[test]
fn the_table_ascends_and_holds_no_kind_of_ours() {
    assert!(FOREIGN.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert!(
        FOREIGN
            .iter()
            .all(|&(id, _, _)| ElementKind::from_gmsh_id(id).is_none())
    );
    assert_eq!(foreign(14), Some(("pyramid", 14)));
    assert_eq!(foreign(93), Some(("hex", 125)));

    assert_eq!(foreign(4), None);
}
