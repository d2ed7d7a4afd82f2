use super::*;

#[test]
fn lines_words_and_raw_numbers_follow_each_other() {
    let mut cursor = Cursor::new(b"head \r\n\n 1\n2.5 x\n\x00\x00\x01\x02");
    assert_eq!(cursor.line(), Some(&b"head"[..]));
    assert_eq!(cursor.number::<u32>(Scalar::U32), Ok(1));
    assert_eq!(cursor.number::<f64>(Scalar::F64), Ok(2.5));
    assert_eq!(
        cursor.number::<f64>(Scalar::F64).unwrap_err().to_string(),
        "line 4: 'x' is not a valid number"
    );
    assert_eq!(cursor.line(), Some(&b""[..]));
    cursor.encoding = Encoding::Binary(Endian::Big);
    assert_eq!(cursor.number::<u32>(Scalar::I32), Ok(258));
    assert!(cursor.number::<u32>(Scalar::I32).is_err());

    assert_eq!(cursor.filled_line(), None);
}

#[test]
fn faults_of_text_carry_the_line_of_the_word() {
    let mut cursor = Cursor::new(b"1\n2\n3");
    for line in 1..=3 {
        cursor.word().expect("a word");
        assert_eq!(cursor.fault("x"), ParseError::line(line, "x"));
    }

    assert_eq!(
        cursor.word().unwrap_err().reason,
        "the file ends where a number is expected"
    );
}
