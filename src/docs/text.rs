//! Descriptions, headers and values as Markdown and AsciiDoc: which characters are escaped, and how
//! lines are joined.
//!
//! These are the rules of terraform-docs, byte for byte, its oddities included: text between backticks
//! stays as it is, a pair of backticks becomes one, and a URL loses its backslashes. Its regular
//! expressions are written as loops here: each reads a text once.

use std::borrow::Cow;

use super::urls;

/// Options of escaping, and whether HTML may be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Whether underscores, and in tables pipes, are escaped.
    pub(super) escape: bool,
    /// Whether lines in tables are joined by `<br/>`.
    pub(super) html: bool,
}

/// Stands for a text without characters.
pub(super) const NOTHING: &str = "n/a";

/// The fence of a block of code.
const FENCE: &str = "```";

/// Returns a name, with its underscores escaped.
pub(super) fn name(name: &str, style: Style) -> Cow<'_, str> {
    match style.escape && name.contains('_') {
        true => name.replace('_', "\\_").into(),
        false => name.into(),
    }
}

/// Returns the text of a header or a footer: its line breaks stay.
pub(super) fn section(text: &str, style: Style) -> String {
    in_segments(
        text,
        |segment, out| {
            let escaped = escaped(segment, style.escape, false);
            out.push_str(&urls::without_backslashes(&escaped, style.escape));
        },
        |segment, _, out| {
            let last = segment.rsplit('\n').next().unwrap_or_default();
            let line_break = if last.trim().is_empty() { "" } else { "\n" };
            out.extend([FENCE, segment, line_break, FENCE]);
        },
    )
}

/// Returns the text of a description in a document.
pub(super) fn document(text: &str, style: Style) -> String {
    in_segments(
        text,
        |segment, out| {
            let escaped = escaped(segment, style.escape, false);
            let broken = with_hard_breaks(&escaped);
            out.push_str(&urls::without_backslashes(&broken, style.escape));
        },
        |segment, _, out| {
            let line_break = if segment.ends_with('\n') { "" } else { "\n" };
            out.extend([FENCE, segment, line_break, FENCE]);
        },
    )
}

/// Returns the text of a cell in a table of Markdown, which has no lines.
pub(super) fn markdown_cell(text: &str, style: Style) -> String {
    let line_break = if style.html { "<br/>" } else { " " };
    in_segments(
        text,
        |segment, out| {
            let escaped = escaped(segment, style.escape, true);
            let broken = with_hard_breaks(escaped.trim());
            let joined = match broken.contains('\n') {
                true => broken.replace("  \n", line_break).replace('\n', line_break).into(),
                false => broken,
            };
            out.push_str(&urls::without_backslashes(&joined, style.escape));
        },
        |segment, edges, out| {
            let code = segment.trim();
            if style.html {
                let code = code.replace('\n', "<br/>").replace('\r', "");
                out.extend(["<pre>", &code, "</pre>"]);
                return;
            }
            let code = in_one_line(code).replace('\r', "");
            let before = if edges.is_first { FENCE } else { " ```" };
            let after = if edges.is_last { FENCE } else { "``` " };
            out.extend([before, &code, after]);
        },
    )
}

/// Returns the text of a cell in a table of AsciiDoc.
pub(super) fn asciidoc_cell(text: &str, style: Style) -> String {
    in_segments(
        text,
        |segment, out| {
            let escaped = escaped(segment, style.escape, true);
            out.push_str(&urls::without_backslashes(&escaped, style.escape));
        },
        |segment, _, out| out.extend(["[source]\n----\n", segment.trim(), "\n----"]),
    )
}

/// Where a segment stands.
#[derive(Clone, Copy)]
struct Edges {
    /// Nothing visible is in the segment before it.
    is_first: bool,
    /// Nothing visible is in the segment behind it.
    is_last: bool,
}

/// Splits a text at the fences of code, and writes the parts outside by `plain`, those inside by `code`.
fn in_segments(
    text: &str,
    mut plain: impl FnMut(&str, &mut String),
    code: impl FnMut(&str, Edges, &mut String),
) -> String {
    if text.is_empty() {
        return NOTHING.to_owned();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    match text.contains(FENCE) {
        true => for_segments(text, FENCE, plain, code, &mut out),
        false => plain(text, &mut out),
    }
    out
}

/// Empty segments do not change what is code.
fn for_segments(
    text: &str,
    fence: &str,
    mut plain: impl FnMut(&str, &mut String),
    mut code: impl FnMut(&str, Edges, &mut String),
    out: &mut String,
) {
    let mut is_code = text.starts_with(fence);
    let mut segments = text.split(fence).peekable();
    let mut is_first = true;
    while let Some(segment) = segments.next() {
        if !segment.is_empty() {
            let is_last = segments.peek().is_none_or(|next| next.trim().is_empty());
            match is_code {
                true => code(segment, Edges { is_first, is_last }, out),
                false => plain(segment, out),
            }
            is_code = !is_code;
        }
        is_first = segment.trim().is_empty();
    }
}

/// Escapes characters with a meaning in Markdown, outside of backticks.
fn escaped(text: &str, escapes: bool, escapes_pipes: bool) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    // Without any of these, nothing changes.
    if !text.contains(['|', '_', '`']) {
        return text;
    }
    if escapes_pipes {
        text = outside_backticks(text, |segment, out| {
            for part in segment.split_inclusive('|') {
                match part.strip_suffix('|') {
                    Some(before) => out.extend([before, "\\|"]),
                    None => out.push_str(part),
                }
            }
        });
    }
    if escapes {
        text = outside_backticks(text, |segment, out| {
            for (number, line) in segment.split('\n').enumerate() {
                out.extend((number > 0).then_some("\n"));
                escape_underscores(line, out);
            }
        });
    }
    text
}

fn outside_backticks<'t>(text: Cow<'t, str>, plain: impl FnMut(&str, &mut String)) -> Cow<'t, str> {
    let mut out = String::with_capacity(text.len() + 16);
    let code = |segment: &str, _: Edges, out: &mut String| out.extend(["`", segment, "`"]);
    for_segments(&text, "`", plain, code, &mut out);
    match out == text {
        true => text,
        false => Cow::Owned(out),
    }
}

/// Whether this is white space in the sense of `\s`.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// Escapes the underscores of a line, except those that start a line as a word of their own, and those
/// around emphasized words.
fn escape_underscores(line: &str, out: &mut String) {
    if !line.contains('_') {
        out.push_str(line);
        return;
    }
    let bytes = line.as_bytes();
    let run = |from: usize| bytes[from..].iter().take_while(|byte| **byte == b'_').count();
    let is_space_at = |at: usize| bytes.get(at).is_some_and(|byte| is_space(*byte));
    let mut kept: [std::ops::Range<usize>; 3] = [0..0, 0..0, 0..0];
    // `__ text`
    let start = bytes.iter().take_while(|byte| is_space(**byte)).count();
    let end = start + run(start);
    if end > start && is_space_at(end) {
        kept[0] = start..end;
    }
    // ` _text_ `
    let is_kept = |at: usize| kept[0].contains(&at);
    let opening = (1..bytes.len()).find(|&at| {
        bytes[at] == b'_'
            && is_space(bytes[at - 1])
            && !is_kept(at)
            && at + run(at) < bytes.len()
            && !is_space_at(at + run(at))
    });
    if let Some(opening) = opening {
        let text = opening + run(opening);
        // From the end: runs of underscores, each behind a visible character and before a space.
        let mut end = bytes.len();
        while end > text + 1 {
            let is_end = is_space_at(end) && bytes[end - 1] == b'_' && !is_kept(end - 1);
            if is_end {
                let len = bytes[..end].iter().rev().take_while(|byte| **byte == b'_').count();
                let from = end - len;
                // The visible character is not the one that starts the text.
                let first = line[text..].chars().next().map_or(1, char::len_utf8);
                if from > text + first && !is_space(bytes[from - 1]) {
                    kept[1] = opening..text;
                    kept[2] = from..end;
                    break;
                }
                end = from;
            }
            end = end.saturating_sub(1);
        }
    }
    for (at, char) in line.char_indices() {
        if char == '_' && !kept.iter().any(|kept| kept.contains(&at)) {
            out.push('\\');
        }
        out.push(char);
    }
}

/// Puts two spaces, a line break in Markdown, before each line that starts with a word.
fn with_hard_breaks(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return text.into();
    }
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len() + 16);
    let (mut at, mut written) = (0, 0);
    while let Some(found) = memchr::memchr(b'\n', &bytes[at..]) {
        let line_feed = at + found;
        let next = bytes[line_feed..].iter().take_while(|byte| is_space(**byte)).count();
        let word = line_feed + next;
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if bytes.get(word).is_some_and(is_word) {
            let has_return = line_feed > at && bytes[line_feed - 1] == b'\r';
            let end = line_feed - usize::from(has_return);
            out.extend([&text[written..end], "  "]);
            written = end;
        }
        at = word;
    }
    out.push_str(&text[written..]);
    let out = out.replace("    \n", "  \n");
    let out = out.replace("  \n\n", "\n\n");
    out.replace("\n  \n", "\n\n").into()
}

/// Joins the lines of code, without those that are blank.
fn in_one_line(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    for line in code.split('\n').filter(|line| !line.trim().is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        let space = |char: char| char.is_ascii() && is_space(char as u8);
        let last = line.matches('=').count();
        let parts = line.split('=').enumerate().map(|(number, part)| {
            let part = if number > 0 { part.trim_start_matches(space) } else { part };
            if number < last { part.trim_end_matches(space) } else { part }
        });
        let spaced = parts.collect::<Vec<_>>().join(" = ");
        out.push_str(spaced.trim_start());
    }
    out
}

/// Returns a whole page or a section as it is printed: without trailing spaces, except for line breaks of
/// Markdown, and with at most one blank line in a row.
pub(super) fn tidied(text: &str) -> String {
    let out = without_trailing_spaces(text);
    let out = without_lines_of_two_spaces(&out);
    without_blank_lines(&out)
}

/// Removes a single space at the end of a line, and all spaces at the end of the text.
fn without_trailing_spaces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let Some(content) = line.strip_suffix('\n') else {
            out.push_str(line.trim_end_matches(' '));
            continue;
        };
        let (content, line_end) = match content.strip_suffix('\r') {
            Some(content) => (content, "\r\n"),
            None => (content, "\n"),
        };
        let trimmed = content.trim_end_matches(' ');
        let is_break = content.len() - trimmed.len() >= 2;
        out.extend([if is_break { content } else { trimmed }, line_end]);
    }
    out
}

/// Returns the length of the line break that a text starts with; 0 without one.
fn line_break(bytes: &[u8]) -> usize {
    match bytes {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    }
}

fn without_lines_of_two_spaces(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut written) = (0, 0);
    while at < bytes.len() {
        let first = line_break(&bytes[at..]);
        let behind = at + first;
        if first > 0
            && bytes[behind..].starts_with(b"  ")
            && let second @ 1.. = line_break(&bytes[behind + 2..])
        {
            out.push_str(&text[written..behind]);
            at = behind + 2 + second;
            written = at;
        } else {
            at += first.max(1);
        }
    }
    out.push_str(&text[written..]);
    out
}

fn without_blank_lines(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut written) = (0, 0);
    while at < bytes.len() {
        let (start, mut count, mut last) = (at, 0, 0);
        while let len @ 1.. = line_break(&bytes[at..]) {
            (count, last, at) = (count + 1, len, at + len);
        }
        if count == 0 {
            at += 1;
            continue;
        }
        let is_end = at == bytes.len();
        if count >= 3 || count == 2 && is_end {
            out.push_str(&text[written..start]);
            if !is_end {
                out.extend([&text[at - last..at]; 2]);
            }
            written = at;
        }
    }
    out.push_str(&text[written..]);
    out
}
