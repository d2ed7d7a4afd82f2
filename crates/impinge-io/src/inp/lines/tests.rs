use super::*;

#[test]
fn keywords_continue_and_data_lines_skip_comments() {
    let text =
        b"** c\n*Solid   Section, ELSET = \"a b\" ,\n** c\nunsorted\n\n 1, 2,\r\n** c\n3\n*END";
    let mut source = Source::new(text);
    let keyword = source.keyword().expect("the section");
    assert_eq!((keyword.name.as_str(), keyword.line), ("SOLID SECTION", 2));
    assert_eq!(
        (
            keyword.get("ELSET"),
            keyword.get("UNSORTED"),
            keyword.get("X")
        ),
        (Some("a b"), Some(""), None)
    );
    assert_eq!(source.data(), Some(&b"1, 2,"[..]));
    assert_eq!(source.data(), Some(&b"3"[..]));
    assert_eq!(source.data(), None);
    assert_eq!(source.keyword().expect("the end").name, "END");

    assert!(source.keyword().is_none());
}
