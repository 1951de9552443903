//! Identifiers: `ID_Start (ID_Continue | '-')*` of the HCL native syntax specification, where an underscore may start
//! one too.

use unicode_ident::{is_xid_continue, is_xid_start};

/// Whether a text is an identifier.
pub(crate) fn is_identifier(word: &str) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if let [first, rest @ ..] = word.as_bytes()
        && first.is_ascii()
        && rest.iter().all(is_plain)
    {
        return first.is_ascii_alphabetic() || *first == b'_';
    }
    !word.is_empty() && identifier_len(word) == word.len()
}

/// How many bytes the identifier has that a text starts with; 0 if it starts with none.
pub(crate) fn identifier_len(text: &str) -> usize {
    let belongs = |(at, character): (usize, char)| match at {
        0 => character == '_' || is_xid_start(character),
        _ => character == '-' || is_xid_continue(character),
    };
    text.char_indices().find(|&next| !belongs(next)).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_end_where_the_grammar_says() {
        for (text, len) in [
            ("", 0),
            ("a", 1),
            ("_-1", 3),
            ("-a", 0),
            ("1a", 0),
            ("größe-1.x", 9),
            ("漢字", 6),
            ("a b", 1),
            ("a\u{301}[", 3),
            ("\u{301}a", 0),
        ] {
            assert_eq!(identifier_len(text), len, "{text}");
            assert_eq!(is_identifier(text), len > 0 && len == text.len(), "{text}");
        }
    }
}
