use super::*;

#[test]
fn dense_and_sparse_numbers_are_found_and_others_are_not() {
    for numbers in [
        vec![7, 3, 5, 4],
        vec![u64::MAX, 0, 1 << 40, 9],
        vec![],
        vec![u64::MAX],
    ] {
        let numbering = Numbering::new(&numbers).expect("no number twice");
        for (place, &number) in numbers.iter().enumerate() {
            assert_eq!(numbering.get(number), Some(place as u32));
        }
        assert_eq!(
            (
                numbering.get(6),
                numbering.get(2),
                numbering.get(u64::MAX - 1)
            ),
            (None, None, None)
        );
    }

    assert!(matches!(Numbering::new(&[1, 2]), Ok(Numbering::Dense(..))));
    assert!(matches!(
        Numbering::new(&[1, 100]),
        Ok(Numbering::Sparse(_))
    ));
}

#[test]
fn ranges_are_those_of_the_sorted_list() {
    let dense = Numbering::new(&[9, 3, 5, 4]).expect("no number twice");
    let sparse = Numbering::sparse(&[9, 3, 5, 4]).expect("no number twice");
    for low in 0..12 {
        for high in [0, low, low + 1, 8, 9, u64::MAX] {
            let all = |numbering: &Numbering| -> Vec<(u64, u32)> {
                numbering
                    .slots(low, high)
                    .filter_map(|slot| numbering.slot(slot))
                    .collect()
            };
            assert_eq!(all(&dense), all(&sparse), "{low} to {high}");
        }
    }

    assert_eq!(
        dense
            .slots(4, 9)
            .filter_map(|slot| dense.slot(slot))
            .map(|(number, _)| number)
            .sum::<u64>(),
        18
    );
}

#[test]
fn a_number_that_comes_twice_is_named() {
    assert_eq!(Numbering::new(&[1, 2, 1]).unwrap_err(), 1);
    assert_eq!(Numbering::new(&[1, 1 << 50, 1 << 50]).unwrap_err(), 1 << 50);
}
