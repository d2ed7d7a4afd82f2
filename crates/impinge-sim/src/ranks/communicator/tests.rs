use super::*;

#[test]
fn bytes_survive_as_words() {
    for text in ["", "a", "12345678", "a longer text of no particular length"] {
        assert_eq!(bytes_of(&words_of(text.as_bytes())), text.as_bytes());
    }
}
