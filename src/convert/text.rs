//! Converts strings and templates to the other syntax.

use std::fmt::Write;

use crate::format;

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
    while let Some((literal, sequence, after)) = split_sequence(rest) {
        push_escaped(out, literal);
        out.push_str(sequence);
        rest = after;
    }
    push_escaped(out, rest);
    out.push('"');
}

/// The expression of a template that is one interpolation, if it is valid on a line by itself.
fn only_interpolation(text: &str) -> Option<&str> {
    let (literal, sequence, after) = split_sequence(text)?;
    let inner = sequence.strip_prefix("${")?.strip_suffix('}')?;
    let trims = inner.starts_with('~') || inner.ends_with('~');
    let is_alone = literal.is_empty() && after.is_empty() && !trims && !inner.contains('\n');
    // A comment would continue after the expression.
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
