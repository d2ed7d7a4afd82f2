use super::*;
use impinge::space::{Point, Vector};

#[test]
fn tables_show_no_negative_zero_and_quote_names_with_commas() {
    let contact = ContactRecord {
        bodies: [BodyRef::particle(7), BodyRef::wall(2)],
        point: Point::from([-0.0, 1.0, -2.0]),
        normal: Vector::from([0.0, -0.0, 1.0]),
        force: Vector::from([-0.0, -0.0, 3.0]),
        depth: -0.0,
        feature: Some(Feature::Edge([4, 9])),
    };
    let row = contact_row(&contact, 0.5, &|_| "lid, \"left\"".to_owned());

    assert_eq!(
        row,
        "0.5,particle,7,,wall,2,\"lid, \"\"left\"\"\",0.0,1.0,-2.0,0.0,0.0,1.0,0.0,0.0,3.0,0.0,edge 4-9\n"
    );
}
