//! The ends of JSON strings.

/// Returns the offset of the quote that closes a string. `from` is inside the string and not inside
/// an escape. Returns `None` if the string is not closed.
#[inline]
pub(crate) fn closing_quote(text: &[u8], inside: usize) -> Option<usize> {
    let mut at = inside;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// Returns the offset of the quote that opens the string around `inside`, which may be the offset
/// of its closing quote. Returns `None` if no string starts before it.
///
/// Cost: linear in the string.
#[inline]
pub(crate) fn opening_quote(text: &[u8], inside: usize) -> Option<usize> {
    let is_escaped = |quote: usize| {
        let backslashes = text[..quote].iter().rev().take_while(|byte| **byte == b'\\').count();
        backslashes % 2 == 1
    };
    memchr::memrchr_iter(b'"', text.get(..inside)?).find(|&quote| !is_escaped(quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_that_are_escaped_end_nothing() {
        let text = br#"{"a\"b\\":"c"}"#;
        assert_eq!(closing_quote(text, 2), Some(8));
        assert_eq!(closing_quote(text, 11), Some(12));
        assert_eq!(closing_quote(text, 13), None);
        assert_eq!(closing_quote(b"\"a\\", 1), None);
        assert_eq!(closing_quote(text, 99), None);
        assert_eq!(opening_quote(text, 8), Some(1));
        assert_eq!(opening_quote(text, 12), Some(10));
        assert_eq!(opening_quote(text, 1), None);
        assert_eq!(opening_quote(text, 99), None);
    }
}
