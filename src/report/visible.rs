//! Escapes text from files, so that a name in a configuration can control neither a terminal nor
//! the CI service that reads the log.

use std::borrow::Cow;
use std::fmt::Write;
#[cfg(any(test, feature = "render"))]
use std::ops::Range;

/// Escapes control characters, and characters that change the direction of text: `
/// `, `\r`, `\t`, and `\u{1b}` for all others. So the result is always one line.
///
/// Also escapes a character of `##[` and `##vso[`, with which commands to GitHub and Azure Pipelines
/// start, anywhere in a line.
///
/// ```
/// assert_eq!(simd_hcl::report::visible("a\u{1b}[31m"), "a\\u{1b}[31m");
/// assert_eq!(simd_hcl::report::visible("##[error]a"), "#\\u{23}[error]a");
/// ```
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    let has_command = text.contains("##");
    if !has_command && (is_plain(text) || !text.contains(is_steering)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for (at, character) in text.char_indices() {
        push(character, has_command && is_command(text, at), &mut shown);
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

/// Whether the second character of a command is there.
fn is_command(line: &str, at: usize) -> bool {
    let (before, rest) = line.split_at(at);
    before.ends_with('#') && (rest.starts_with("#[") || rest.starts_with("#vso["))
}

fn push(character: char, is_command: bool, shown: &mut String) {
    match character {
        _ if is_command => {
            let _ = write!(shown, "{}", character.escape_unicode());
        }
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
/// paragraph separators, and characters that mark, override or isolate the direction of text.
#[must_use]
pub fn is_steering(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{206F}'
        )
}

/// A line of a file as [`visible`] text, with tabs as spaces, and a range of the line as a range of
/// the result.
#[cfg(any(test, feature = "render"))]
pub(super) fn visible_place(line: &str, place: Range<usize>) -> (String, Range<usize>) {
    let mut shown = String::new();
    let mut shown_place = 0..0;
    for (at, character) in line.char_indices() {
        if at == place.start {
            shown_place.start = shown.len();
        }
        if at == place.end {
            shown_place.end = shown.len();
        }
        let character = if character == '\t' { ' ' } else { character };
        push(character, is_command(line, at), &mut shown);
    }
    if place.start >= line.len() {
        shown_place.start = shown.len();
    }
    if place.end >= line.len() {
        shown_place.end = shown.len();
    }
    (shown, shown_place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_a_terminal() {
        let text = "a\u{1b}[31m\r\n\t\u{7f}\u{9b}2J\u{202e}é\u{200e}\u{200f}\u{61c}";
        let shown = r"a\u{1b}[31m\r\n\t\u{7f}\u{9b}2J\u{202e}é\u{200e}\u{200f}\u{61c}";
        assert_eq!(visible(text), shown);
        assert!(matches!(visible("plain é"), Cow::Borrowed(_)));
        for character in '\0'..='\u{FFFF}' {
            let text = character.to_string();
            assert!(!visible(&text).contains(is_steering), "{character:?}");
        }
    }

    #[test]
    fn nothing_is_a_command_of_a_service() {
        for (text, shown) in [
            ("##[error]a", r"#\u{23}[error]a"),
            ("a ###vso[x]", r"a ##\u{23}vso[x]"),
            ("é##vso[", r"é#\u{23}vso["),
            ("## heading, #[x], ##", "## heading, #[x], ##"),
        ] {
            assert_eq!(visible(text), shown);
            for at in text.char_indices().map(|(at, _)| at) {
                let (line, place) = visible_place(text, at..text.len());
                assert_eq!((&*line, place.end), (shown, shown.len()));
            }
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
