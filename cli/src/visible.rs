//! Escapes text from files and paths, so that it is visible and controls nothing.
//!
//! Every command prints names, paths, values and messages for people through [`visible`]. Graphs
//! and CI annotations also apply their own escapes. All text for people passes through [`Lines`] on
//! its way out.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use simd_hcl::report::is_steering;
pub(crate) use simd_hcl::report::visible;
use simd_hcl::value::Value;

/// Returns text as [`visible`] text at the start of a line, where `::` starts a command to GitHub.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    match visible(text) {
        Cow::Borrowed(text) => without_command(text),
        Cow::Owned(text) => Cow::Owned(without_command(&text).into_owned()),
    }
}

/// Returns a line, which may have colours, that is not a command to GitHub: its first colon is
/// escaped if it starts with two.
pub(crate) fn without_command(line: &str) -> Cow<'_, str> {
    let mut start = line;
    loop {
        start = start.trim_start();
        // Colours may be stripped later.
        let Some(escape) = start.strip_prefix("\u{1b}[") else { break };
        let Some(end) = escape.find(|end: char| ('@'..='~').contains(&end)) else { break };
        start = &escape[end + 1..];
    }
    match start.strip_prefix("::") {
        None => Cow::Borrowed(line),
        Some(rest) => {
            let before = &line[..line.len() - start.len()];
            Cow::Owned(format!("{before}\\u{{3a}}:{rest}"))
        }
    }
}

/// Returns JSON text in which characters that would control a terminal are escaped. All of them are
/// in strings, so the value is the same.
pub(crate) fn json(line: &str) -> Cow<'_, str> {
    let is_plain = |character: char| matches!(character, '\t' | '\r') || !is_steering(character);
    if line.chars().all(is_plain) {
        return Cow::Borrowed(line);
    }
    let mut shown = String::with_capacity(line.len() + 8);
    for character in line.chars() {
        if is_plain(character) {
            shown.push(character);
        } else {
            // All of them have four digits at most. Writing into a string does not fail.
            let _ = write!(shown, "\\u{:04x}", u32::from(character));
        }
    }
    Cow::Owned(shown)
}

/// A stream that changes each line of text on its way.
pub(crate) struct Lines<W: Write> {
    out: W,
    change: fn(&str) -> Cow<'_, str>,
    /// The start of a line that has not ended.
    line: Vec<u8>,
}

impl<W: Write> Lines<W> {
    pub(crate) fn new(out: W, change: fn(&str) -> Cow<'_, str>) -> Self {
        Self { out, change, line: Vec::new() }
    }

    /// Passes on the line so far, without flushing what it goes to.
    pub(crate) fn pass(&mut self) -> io::Result<()> {
        if self.line.is_empty() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&self.line);
        let (text, end) = text.strip_suffix('\n').map_or((&*text, ""), |text| (text, "\n"));
        self.out.write_all((self.change)(text).as_bytes())?;
        self.out.write_all(end.as_bytes())?;
        self.line.clear();
        Ok(())
    }
}

impl<W: Write> Write for Lines<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        for part in text.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.pass()?;
            }
        }
        Ok(text.len())
    }

    /// Passes on a line that has not ended, too: a prompt, or the end of the text.
    fn flush(&mut self) -> io::Result<()> {
        self.pass()?;
        self.out.flush()
    }
}

/// Returns a text of several lines as it is printed: on a terminal with control characters made
/// visible.
pub(crate) fn as_shown(text: &str) -> Cow<'_, str> {
    if !io::stdout().is_terminal() {
        return text.into();
    }
    let line = |line| visible(line).into_owned();
    text.split('\n').map(line).collect::<Vec<_>>().join("\n").into()
}

/// Returns a path as [`visible`] text.
pub(crate) fn path(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// Returns a file name without a leading `./`, for comparison with the paths of a repository.
pub(crate) fn plain_path(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// The bytes of a value's text that people see. Layout can make a text many times longer than the
/// value.
const MOST_SHOWN: usize = 64 << 10;

/// Returns the text of a value for people, with an ellipsis if it is cut.
pub(crate) fn value(value: Value<'_>) -> String {
    /// A text that takes no more than [`MOST_SHOWN`] bytes.
    struct Limited(String);
    impl fmt::Write for Limited {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let room = MOST_SHOWN.saturating_sub(self.0.len());
            let end = (0..=room.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
            let end = end.unwrap_or_default();
            self.0.push_str(&text[..end]);
            if end == text.len() { Ok(()) } else { Err(fmt::Error) }
        }
    }
    let mut text = Limited(String::new());
    let written = fmt::Write::write_fmt(&mut text, format_args!("{value}"));
    if written.is_err() {
        text.0.push('…');
    }
    text.0
}

/// Returns the first characters of a text, with an ellipsis if there are more. Values can be whole
/// scripts.
pub(crate) fn abridged(text: &str, characters: usize) -> Cow<'_, str> {
    if text.len() <= characters {
        return Cow::Borrowed(text);
    }
    match text.char_indices().nth(characters) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The characters around the part in which two long texts differ.
const AROUND: usize = 16;

/// Returns both texts as far as they differ, with ellipses for the parts that are cut; short ones
/// as a whole.
pub(crate) fn apart<'t>(
    texts: [Option<&'t str>; 2],
    characters: usize,
) -> [Option<Cow<'t, str>>; 2] {
    let [Some(one), Some(other)] = texts else {
        return texts.map(|text| text.map(|text| abridged(text, characters)));
    };
    if one.chars().count() <= characters && other.chars().count() <= characters {
        return [Some(one.into()), Some(other.into())];
    }
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let start = same(&mut one.chars().zip(other.chars()));
    let shortest = one.chars().count().min(other.chars().count());
    let end = same(&mut one.chars().rev().zip(other.chars().rev())).min(shortest - start);
    let cut = |text: &str| -> Cow<'static, str> {
        let length = text.chars().count();
        let (from, to) = (start.saturating_sub(AROUND), (length - end + AROUND).min(length));
        let middle: String = text.chars().skip(from).take(to - from).collect();
        let middle = abridged(&middle, characters);
        let (before, after) = (if from > 0 { "…" } else { "" }, if to < length { "…" } else { "" });
        // An ellipsis of `abridged` is enough.
        let after = if middle.ends_with('…') { "" } else { after };
        format!("{before}{middle}{after}").into()
    };
    [Some(cut(one)), Some(cut(other))]
}

impl<W: Write> Drop for Lines<W> {
    fn drop(&mut self) {
        // Text is flushed, unless something else has failed.
        let _ = self.pass();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shown_where_they_differ() {
        let long = "the same words again and again ".repeat(9);
        let [one, other] = [format!("{long}one end"), format!("{long}two end")];
        let shown = apart([Some(&one), Some(&other)], 80);
        assert_eq!(shown[0].as_deref(), Some("…again and again one end"));
        assert_eq!(shown[1].as_deref(), Some("…again and again two end"));
        let longer = format!("{one}{long}");
        let [short, cut] = apart([Some(&one), Some(&longer)], 80);
        assert!(cut.unwrap().chars().count() <= 82 && short.unwrap().starts_with('…'));
        assert_eq!(apart([Some("a"), None], 80), [Some("a".into()), None]);
        assert_eq!(apart([Some("a"), Some("b")], 80), [Some("a".into()), Some("b".into())]);
    }

    #[test]
    fn no_line_is_a_command() {
        for (text, shown) in [
            ("::error::a", r"\u{3a}:error::a"),
            (" \u{3000}::error::a", " \u{3000}\\u{3a}:error::a"),
            ("\u{1b}[1m\u{1b}[31m ::a\u{1b}[0m", "\u{1b}[1m\u{1b}[31m \\u{3a}:a\u{1b}[0m"),
            ("a::b", "a::b"),
            (":a", ":a"),
            ("\u{1b}[", "\u{1b}["),
        ] {
            assert_eq!(without_command(text), shown);
        }
        assert_eq!(line("::a\n##[b]"), r"\u{3a}:a\n#\u{23}[b]");
    }

    #[test]
    fn lines_are_changed_however_they_are_written() {
        let text = "a\n::b\n\n ::c\nd::";
        for size in 1..text.len() {
            let mut out = Vec::new();
            let mut lines = Lines::new(&mut out, without_command);
            for part in text.as_bytes().chunks(size) {
                lines.write_all(part).unwrap();
            }
            lines.flush().unwrap();
            drop(lines);
            assert_eq!(out, b"a\n\\u{3a}:b\n\n \\u{3a}:c\nd::", "{size} bytes at a time");
        }
    }

    #[test]
    fn json_for_a_terminal_is_the_same_value() {
        let text = "{\"a\": \"\u{9b}2J\u{200f}\u{7f}é\"}";
        let shown = json(text);
        assert_eq!(shown, "{\"a\": \"\\u009b2J\\u200f\\u007fé\"}");
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(text), value(&shown));
    }
}
