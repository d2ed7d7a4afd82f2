use super::*;

#[test]
fn unsigned_numbers_beyond_63_bits_become_reals_and_lost_digits_are_counted() {
    assert_eq!(unsigned(vec![1, 2]), (Values::Whole(vec![1, 2]), 0));
    let (values, lost) = unsigned(vec![3, 1 << 63, u64::MAX]);
    assert_eq!(
        values,
        Values::Real(vec![3.0, 2f64.powi(63), 2f64.powi(64)])
    );

    assert_eq!(lost, 1);
}

#[test]
fn numbers_are_read_from_both_ends_and_refused_where_they_do_not_fit() {
    let number = |scalar: Scalar, raw: &[u8], endian| i64::of(scalar.get(raw, endian));
    assert_eq!(number(Scalar::I16, &[0xfe, 0xff], Endian::Little), Some(-2));
    assert_eq!(number(Scalar::I16, &[0xff, 0xfe], Endian::Big), Some(-2));
    assert_eq!(number(Scalar::U8, &[0xfe], Endian::Big), Some(254));
    assert_eq!(number(Scalar::U64, &[0xff; 8], Endian::Big), None);
    assert_eq!(number(Scalar::F32, &[0; 4], Endian::Big), None);
    assert_eq!(u32::of(Wide::Signed(-1)), None);

    assert_eq!(
        f64::of(Scalar::F32.get(&1.5_f32.to_be_bytes(), Endian::Big)),
        Some(1.5)
    );
}
