use super::*;

#[test]
fn a_saved_table_is_read_again() {
    let time = Time {
        median: 1234.0,
        low: 1200.0,
        high: 1300.0,
    };
    let times = BTreeMap::from([("broad: 20,000 spheres".to_owned(), time)]);
    let read = medians(&table(&times).expect("a table"));
    assert_eq!(
        read,
        BTreeMap::from([("broad: 20,000 spheres".to_owned(), 1234.0)])
    );
}
