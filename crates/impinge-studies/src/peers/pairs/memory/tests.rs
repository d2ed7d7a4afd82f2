use super::*;

#[test]
fn the_plain_sort_sorts() {
    let mut random = Random::new(3);
    let mut keys: Vec<u32> = (0..5000)
        .map(|_| random.within(0.0, 5000.0) as u32)
        .collect();
    let sorted = sort::<[u32; 2]>(&keys, 5000);
    keys.sort_unstable();

    assert!(sorted.iter().map(Record::key).eq(keys));
}
