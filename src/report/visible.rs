//! Escapes text from files, so that a name in a configuration cannot control the reader's terminal.

use std::borrow::Cow;
use std::fmt::Write;
#[cfg(any(test, feature = "render"))]
use std::ops::Range;

/// Escapes control characters, and characters that change the direction of text: `
/// `, `\r`, `\t`, and `\u{1b}` for all others. So the result is always one line.
///
/// ```
/// assert_eq!(simd_hcl::report::visible("a\u{1b}[31m"), "a\\u{1b}[31m");
/// ```
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if is_plain(text) || !text.contains(is_steering) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        push(character, &mut shown);
    }
    Cow::Owned(shown)
}

/// Whether a text has printable ASCII characters only. Checks many bytes at once.
fn is_plain(text: &str) -> bool {
    let is_plain =
        |bytes: &[u8]| bytes.iter().fold(true, |all, byte| all & (b' '..=b'~').contains(byte));
    let (chunks, rest) = text.as_bytes().as_chunks::<32>();
    chunks.iter().all(|chunk| is_plain(chunk)) && is_plain(rest)
}

fn push(character: char, shown: &mut String) {
    match character {
        '\n' => shown.push_str("\\n"),
        '\r' => shown.push_str("\\r"),
        '\t' => shown.push_str("\\t"),
        _ if is_steering(character) => {
            let _ = write!(shown, "{}", character.escape_unicode());
        }
        _ => shown.push(character),
    }
}

/// Whether a character would control the terminal instead of being shown: C0, DEL and C1, line and
/// paragraph separators, and characters that override or isolate the direction of text.
fn is_steering(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A line of a file as [`visible`] text, with tabs as spaces, and a range of the line as a range of
/// the result.
#[cfg(any(test, feature = "render"))]
pub(super) fn visible_place(line: &str, place: Range<usize>) -> (String, Range<usize>) {
    let mut shown = String::new();
    let mut push_part = |part: &str| {
        for character in part.chars() {
            push(if character == '\t' { ' ' } else { character }, &mut shown);
        }
        shown.len()
    };
    let start = push_part(&line[..place.start]);
    let end = push_part(&line[place.clone()]);
    push_part(&line[place.end..]);
    (shown, start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_a_terminal() {
        let text = "a\u{1b}[31m\r\n\t\u{7f}\u{9b}2J\u{202e}é";
        assert_eq!(visible(text), r"a\u{1b}[31m\r\n\t\u{7f}\u{9b}2J\u{202e}é");
        assert!(matches!(visible("plain é"), Cow::Borrowed(_)));
        for character in '\0'..='\u{FFFF}' {
            let text = character.to_string();
            assert!(!visible(&text).contains(is_steering), "{character:?}");
        }
    }

    #[test]
    fn every_place_of_a_text_is_looked_at() {
        for (place, character) in
            (0..100).flat_map(|at| ['\n', '\u{7f}', '\u{202e}'].map(|c| (at, c)))
        {
            let mut text = "x".repeat(100);
            text.insert(place, character);
            assert!(!visible(&text).contains(is_steering), "{character:?} at {place}");
        }
    }

    #[test]
    fn places_move_with_the_text() {
        let (shown, place) = visible_place("\u{1}\ta\u{3}b\u{2}c", 2..5);
        assert_eq!(&shown[place], r"a\u{3}b");
        assert_eq!(shown, r"\u{1} a\u{3}b\u{2}c");
    }
}
