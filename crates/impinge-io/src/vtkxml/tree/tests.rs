use super::*;

fn parse(text: &str) -> Result<Document<'_>, ParseError> {
    Document::parse(text.as_bytes(), &mut Budget::of(text.as_bytes()))
}

#[test]
fn a_tree_has_names_attributes_text_and_lines() {
    let document =
        parse("<?xml version=\"1.0\"?>\n<a x='1'>\n<b name=\"p &lt; q\"> 1 2 \n</b><c/></a>")
            .unwrap();
    let root = &document.root;
    assert_eq!(
        (root.name.as_str(), root.attribute("x"), root.line),
        ("a", Some("1"), 2)
    );
    let b = root.child("b").unwrap();

    assert_eq!(
        (b.attribute("name"), b.text().unwrap(), b.line),
        (Some("p < q"), "1 2", 3)
    );
    assert_eq!(root.children.len(), 2);
}

#[test]
fn appended_data_ends_the_tree_whatever_follows() {
    let document = parse("<a><AppendedData encoding='raw'>_\u{1}<<&</AppendedData></a>").unwrap();
    assert_eq!(document.appended, Some(32));
    assert_eq!(
        document
            .root
            .child("AppendedData")
            .unwrap()
            .attribute("encoding"),
        Some("raw")
    );
}

#[test]
fn unsound_xml_is_refused_with_its_line() {
    let reason = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(
        reason("<!DOCTYPE a [<!ENTITY x 'y'>]>\n<a/>"),
        "line 1: document types are not accepted"
    );
    assert_eq!(reason("<a>\n<b>"), "line 2: <b> is not closed");
    assert!(reason("<a>\n</b>").starts_with("line 2: this is not well-formed XML: "));
    assert!(reason("<a x='&y;'/>").starts_with("line 1: this is not well-formed XML: "));
    assert!(reason("").contains("this one has 0"));
    assert!(reason("<a/><a/>").contains("this one has 2"));

    assert!(reason(&"<a>".repeat(100)).contains("nested too deeply"));
}

#[test]
fn text_in_two_pieces_is_refused_only_where_it_is_wanted() {
    let document = parse("<a>1 <b/> 2</a>").unwrap();
    assert!(document.root.text().is_err());
}
