//! Strings and templates in the other syntax.

use std::fmt::Write;

use crate::format;
use crate::native::{Kind, Native};

/// Appends literal text with the escapes of quoted strings.
fn push_escaped(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character.is_control() => {
                // Writing into a string does not fail.
                let _ = write!(out, "\\u{:04X}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
}

/// Appends a valid template, the text of a JSON string, as a native expression.
pub(super) fn push_template(out: &mut String, text: &str) {
    if let Some(expression) = only_interpolation(text) {
        out.push_str(expression);
        return;
    }
    out.push('"');
    let mut rest = text;
    while let Some((literal, sequence, behind)) = split_sequence(rest) {
        push_escaped(out, literal);
        out.push_str(sequence);
        rest = behind;
    }
    push_escaped(out, rest);
    out.push('"');
}

/// The expression of a template that is one interpolation, if it can stand on a line by itself.
fn only_interpolation(text: &str) -> Option<&str> {
    let (literal, sequence, behind) = split_sequence(text)?;
    let inner = sequence.strip_prefix("${")?.strip_suffix('}')?;
    let trims = inner.starts_with('~') || inner.ends_with('~');
    let is_alone = literal.is_empty() && behind.is_empty() && !trims && !inner.contains('\n');
    // A comment would go on after the expression.
    let has_comment = inner.contains('#') || inner.contains("//");
    (is_alone && !has_comment).then(|| inner.trim())
}

/// The text before the first sequence, the sequence, and the text after it. `$${` and `%%{` are
/// text.
fn split_sequence(text: &str) -> Option<(&str, &str, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'$', b'%', bytes.get(at..)?)?;
        match (bytes[at], bytes.get(at + 1), bytes.get(at + 2)) {
            (sign, Some(&next), Some(b'{')) if next == sign => at += 3,
            (_, Some(b'{'), _) => {
                let end = at + format::sequence_len(&text[at..]);
                return Some((&text[..at], &text[at..end], &text[end..]));
            }
            _ => at += 1,
        }
    }
}

/// A native expression as the template of a JSON string.
pub(super) fn template(mut native: Native<'_>) -> String {
    // In an interpolation parentheses around all of it mean nothing.
    while native.is(Kind::Parentheses)
        && let Some(inner) = native.operands().first()
    {
        native = *inner;
    }
    let text = native.text();
    let quoted = if native.is(Kind::Template) || native.is(Kind::Wrap) {
        // The line feed ends a heredoc.
        format::template_pieces(&format!("{text}\n")).and_then(|pieces| joined(&pieces))
    } else {
        None
    };
    quoted.unwrap_or_else(|| format!("${{{text}}}"))
}

/// The pieces of a native template as the text of a JSON string; `None` if an escape in it makes a
/// part of a sequence.
fn joined(pieces: &[format::Piece<'_>]) -> Option<String> {
    let mut text = String::new();
    for piece in pieces {
        match *piece {
            format::Piece::Quoted(quoted) => unescape(&mut text, quoted)?,
            format::Piece::Verbatim(verbatim) => text.push_str(verbatim),
        }
    }
    Some(text)
}

/// Appends literal text of a quoted string with its escapes decoded.
fn unescape(out: &mut String, quoted: &str) -> Option<()> {
    let mut rest = quoted;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = rest.as_bytes().get(at + 1)?;
        let (character, len) = match escape {
            b'n' => ('\n', 2),
            b'r' => ('\r', 2),
            b't' => ('\t', 2),
            b'"' => ('"', 2),
            b'\\' => ('\\', 2),
            b'u' | b'U' => {
                let len = if *escape == b'u' { 6 } else { 10 };
                let digits = rest.get(at + 2..at + len)?;
                (char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, len)
            }
            _ => return None,
        };
        if matches!(character, '$' | '%' | '{') {
            return None;
        }
        out.push(character);
        rest = &rest[at + len..];
    }
    out.push_str(rest);
    Some(())
}

/// Literal text as the template that means it.
pub(super) fn literal_template(text: &str) -> String {
    text.replace("${", "$${").replace("%{", "%%{")
}
