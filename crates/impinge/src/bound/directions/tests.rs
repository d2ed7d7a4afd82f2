use super::*;

fn assert_projections_are_products<const D: usize, const K: usize>(point: Point<D>) {
    let mut padded = Vector::<3>::zeros();
    padded
        .iter_mut()
        .zip(point.iter())
        .for_each(|(to, from)| *to = *from);
    let products = directions::<D, K>().map(|direction| direction.dot(&padded));

    assert_eq!(project::<D, K>(&point), products);
}

#[test]
fn projections_are_products_with_the_directions() {
    assert_projections_are_products::<2, 2>([3.0, 50.0].into());
    assert_projections_are_products::<2, 4>([3.0, 50.0].into());
    assert_projections_are_products::<3, 3>([3.0, 50.0, 700.0].into());
    assert_projections_are_products::<3, 7>([3.0, 50.0, 700.0].into());
    assert_projections_are_products::<3, 9>([3.0, 50.0, 700.0].into());
    assert_projections_are_products::<3, 13>([3.0, 50.0, 700.0].into());
}

#[test]
fn the_18_dop_cuts_edges_and_the_14_dop_corners() {
    let lengths = |squares: &[Vector<3>]| squares.iter().map(|d| d.norm_squared()).sum::<f64>();
    assert_eq!(lengths(&directions::<3, 9>()), 3.0 + 6.0 * 2.0);
    assert_eq!(lengths(&directions::<3, 7>()), 3.0 + 4.0 * 3.0);
    assert_eq!(lengths(&directions::<2, 4>()), 2.0 + 2.0 * 2.0);
}
