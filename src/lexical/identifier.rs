//! Identifiers: `ID_Start (ID_Continue | '-')*` of the HCL native syntax specification, which may
//! also start with an underscore.

use unicode_ident::{is_xid_continue, is_xid_start};

/// Flags of a byte that continues a name of ASCII characters, and of one that can also start it.
const CONTINUES: u8 = 1;
pub(crate) const FIRST: u8 = 2;

/// The flags of each byte; 0 if it is not in names of ASCII characters.
pub(crate) static NAME: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        table[byte as usize] = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => FIRST,
            b'0'..=b'9' | b'-' => CONTINUES,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Whether a text is an identifier.
pub(crate) fn is_identifier(word: &str) -> bool {
    let Some(first) = word.as_bytes().first() else { return false };
    if word.bytes().all(|byte| NAME[usize::from(byte)] != 0) {
        return NAME[usize::from(*first)] == FIRST;
    }
    identifier_len(word) == word.len()
}

/// Returns the length in bytes of the identifier at the start of a text; 0 if there is none.
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
