//! Detects encodings other than UTF-8 by the first bytes of a text.

/// Returns the encoding of a text that is not UTF-8, if its first bytes show it: by a byte order
/// mark, or by zero bytes next to an ASCII character.
pub(crate) fn other_encoding(text: &[u8]) -> Option<&'static str> {
    match text {
        [0xFF, 0xFE, 0, 0, ..] | [1..=0x7F, 0, 0, 0, ..] => Some("UTF-32 (little-endian)"),
        [0, 0, 0xFE, 0xFF, ..] | [0, 0, 0, 1..=0x7F, ..] => Some("UTF-32 (big-endian)"),
        [0xFF, 0xFE, ..] | [1..=0x7F, 0, 1..=0x7F, 0, ..] => Some("UTF-16 (little-endian)"),
        [0xFE, 0xFF, ..] | [0, 1..=0x7F, 0, 1..=0x7F, ..] => Some("UTF-16 (big-endian)"),
        _ => None,
    }
}

/// Converts a text from UTF-16, with or without a byte order mark, to UTF-8. Returns `None` if it
/// is not in UTF-16, or has an incomplete character. Cost: reads a few bytes; a conversion is
/// linear.
pub(crate) fn from_utf16(text: &[u8]) -> Option<String> {
    let (pairs, code_unit): (_, fn([u8; 2]) -> u16) = match text {
        [0xFF, 0xFE, 0, 0, ..] | [1..=0x7F, 0, 0, 0, ..] => return None,
        [0xFF, 0xFE, pairs @ ..] => (pairs, u16::from_le_bytes),
        [0xFE, 0xFF, pairs @ ..] => (pairs, u16::from_be_bytes),
        [1..=0x7F, 0, 1..=0x7F, 0, ..] | [b'{', 0, ..] => (text, u16::from_le_bytes),
        [0, 1..=0x7F, 0, 1..=0x7F, ..] | [0, b'{', ..] => (text, u16::from_be_bytes),
        _ => return None,
    };
    let (pairs, []) = pairs.as_chunks::<2>() else { return None };
    char::decode_utf16(pairs.iter().map(|pair| code_unit(*pair))).collect::<Result<_, _>>().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_becomes_utf_8() {
        let text = "{\"ä\": \"😀\"}\n";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for (mark, bytes) in [([0xFF, 0xFE], &little), ([0xFE, 0xFF], &big)] {
            assert_eq!(from_utf16(bytes).as_deref(), Some(text));
            let marked = [&mark[..], bytes].concat();
            assert_eq!(from_utf16(&marked).as_deref(), Some(text));
            // Half a code unit, and half a pair.
            assert_eq!(from_utf16(&marked[..marked.len() - 1]), None);
            assert_eq!(from_utf16(&marked[..2 + 2 * 8]), None);
        }
    }

    #[test]
    fn other_texts_are_left_alone() {
        for bytes in
            [&b""[..], b"{", b"{}", b"{\0\0\0", b"\xFF\xFE\0\0", b"\xEF\xBB\xBF{}", b"\0\0\0{"]
        {
            assert_eq!(from_utf16(bytes), None, "{bytes:?}");
        }
    }
}
