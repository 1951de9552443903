//! Converts strings and templates to the other syntax.

use std::borrow::Cow;
use std::fmt::Write;

use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::format::{self, TokenKind, tokens};
use crate::source::Source;
use crate::structure::{File, Item};

/// Appends literal text with the escapes of quoted strings.
pub(super) fn push_escaped(out: &mut String, text: &str) {
    // Without a branch in the loop, it is vectorised.
    let is_special = |byte: u8| !(b' '..0x7F).contains(&byte) || matches!(byte, b'"' | b'\\');
    if !text.bytes().fold(false, |found, byte| found | is_special(byte)) {
        return out.push_str(text);
    }
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
        out.push_str(&expression);
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

/// The expression of a template that is one interpolation, in brackets if it is not valid by itself:
/// there, line breaks do not end it.
fn only_interpolation(text: &str) -> Option<Cow<'_, str>> {
    let (literal, sequence, after) = split_sequence(text)?;
    let inner = sequence.strip_prefix("${")?.strip_suffix('}')?;
    let trims = inner.starts_with('~') || inner.ends_with('~');
    if !literal.is_empty() || !after.is_empty() || trims {
        return None;
    }
    let expression = inner.trim();
    if !inner.contains('\n') {
        // A comment would continue after the expression.
        let has_comment = inner.contains('#') || inner.contains("//");
        return (!has_comment).then_some(expression.into());
    }
    // Only a line feed may follow the end of a heredoc.
    if expression.contains("<<") && !stands_alone(&format!("{expression} == 1")) {
        return None;
    }
    if stands_alone(expression) {
        return Some(expression.into());
    }
    let in_brackets = format!("({expression})");
    stands_alone(&in_brackets).then_some(in_brackets.into())
}

/// The heredoc of a template that is an interpolation of nothing else.
pub(super) fn only_heredoc(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("${")?.trim_start();
    let heredoc = inside.strip_suffix('}').filter(|inside| inside.starts_with("<<"))?.trim_end();
    // A value that ends with something else does not need the line feed.
    let is_one = stands_alone(heredoc) && !stands_alone(&format!("{heredoc} == 1"));
    is_one.then_some(heredoc)
}

/// Whether a text of several lines is a valid value of an argument: no line break, and no comment,
/// ends it early.
pub(super) fn stands_alone(text: &str) -> bool {
    let arena = Arena::new();
    let whole = format!("x = {text}\n");
    let Ok(source) = Source::from_bytes(&arena, "native", whole.as_bytes()) else { return false };
    let mut found: Option<Diagnostic<'_>> = None;
    let file = File::parse(&arena, source, &mut found);
    file.check(&mut found);
    let mut items = file.body().items();
    let is_whole = match items.next() {
        Some(Item::Attribute(attribute)) => attribute.text().len() == text.len(),
        _ => false,
    };
    found.is_none() && is_whole && items.next().is_none()
}

/// Whether an expression is one string in quotes.
pub(super) fn is_string(expression: &str) -> bool {
    let mut open = 0_usize;
    for token in tokens(expression) {
        match token.kind() {
            TokenKind::QuoteOpen => open += 1,
            TokenKind::QuoteClose => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return token.kind() == TokenKind::QuoteClose && token.end() == expression.len();
        }
    }
    false
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
