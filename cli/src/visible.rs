//! Text from files, made safe to show: a name in a configuration must not steer the reader's terminal.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

/// The text with control characters replaced by their pictures, a tab by a space, and those that change
/// the direction of text by U+FFFD. One character stays one character.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| picture(character) == character) {
        Cow::Borrowed(text)
    } else {
        text.chars().map(picture).collect()
    }
}

/// A path, as [`visible`] text.
pub(crate) fn path(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// The name of a file as machines compare it with those of a repository.
pub(crate) fn plain_path(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// As [`visible`], and the place in the result of a place in the text.
pub(crate) fn visible_place(text: &str, place: Range<usize>) -> (String, Range<usize>) {
    let mut shown = visible(&text[..place.start]).into_owned();
    let start = shown.len();
    shown.push_str(&visible(&text[place.clone()]));
    let end = shown.len();
    shown.push_str(&visible(&text[place.end..]));
    (shown, start..end)
}

fn picture(character: char) -> char {
    match character {
        '\t' => ' ',
        '\0'..='\x1F' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(' '),
        '\x7F' => '␡',
        '\u{80}'..='\u{9F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => '\u{FFFD}',
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_a_terminal() {
        assert_eq!(visible("a\u{1b}[31m\n\u{9b}2J\u{202e}é"), "a␛[31m␊\u{FFFD}2J\u{FFFD}é");
        assert!(matches!(visible("plain é"), Cow::Borrowed(_)));
    }

    #[test]
    fn places_move_with_the_text() {
        let (shown, place) = visible_place("\u{1}ab\u{2}c", 1..3);
        assert_eq!(&shown[place], "ab");
        assert_eq!(shown, "␁ab␂c");
    }
}
