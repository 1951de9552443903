//! Native expressions as the equivalent JSON.

use std::borrow::Cow;

use super::written::literal_text;
use crate::format;
use crate::lexical::number_len;
use crate::native::{Kind, Native};

/// Returns a literal that JSON writes the same way: `null`, a boolean, or a number in JSON's
/// syntax.
pub(crate) fn json_scalar(native: Native<'_>) -> Option<&str> {
    let text = native.text();
    let is_scalar = native.is(Kind::Null)
        || native.is(Kind::True)
        || native.is(Kind::False)
        || (native.is(Kind::Number) || native.is(Kind::Negate))
            && number_len(text.as_bytes()).is_ok_and(|len| len == text.len());
    is_scalar.then_some(text)
}

/// Returns the equivalent template in a JSON string: the text of a string, or `${…}`.
pub(crate) fn json_template(native: Native<'_>) -> Cow<'_, str> {
    match literal_text(native) {
        Some(text) => literal_template(text),
        None => template_of(native).into(),
    }
}

/// Returns the equivalent name in a JSON object for the key of an object.
pub(crate) fn json_key(key: Native<'_>) -> Cow<'_, str> {
    let text = key.text();
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = key.is(Kind::True)
        || key.is(Kind::False)
        || key.is(Kind::Null)
        || is_digits && (text == "0" || !text.starts_with('0'));
    if is_plain { text.into() } else { json_template(key) }
}

/// Returns a native expression as the template of a JSON string.
fn template_of(mut native: Native<'_>) -> String {
    // Parentheses around the whole expression are redundant in an interpolation.
    while native.is(Kind::Parentheses)
        && let Some(inner) = native.operands().first()
    {
        native = *inner;
    }
    let text = native.text();
    let quoted = if native.is(Kind::Template) || native.is(Kind::Wrap) {
        // A heredoc must end with a line feed.
        format::template_pieces(&format!("{text}\n")).and_then(|pieces| joined(&pieces))
    } else {
        None
    };
    // The name that ends a heredoc stands alone on its line.
    let line_feed = if ends_with_heredoc(text) { "\n" } else { "" };
    quoted.unwrap_or_else(|| format!("${{{text}{line_feed}}}"))
}

/// Whether an expression may end with a heredoc.
fn ends_with_heredoc(text: &str) -> bool {
    let last = text.rsplit_once('\n').map(|(_, last)| last.trim());
    let is_name = |last: &str| last.chars().all(|c| c == '-' || unicode_ident::is_xid_continue(c));
    last.is_some_and(is_name) && text.contains("<<")
}

/// Joins the pieces of a native template to the text of a JSON string; `None` if an escape decodes
/// to a part of a sequence, or strip markers would take other spaces.
fn joined(pieces: &[format::Piece<'_>]) -> Option<String> {
    // Strip markers take the line breaks that are written as escapes; in JSON they take those of one
    // line only.
    let has_break = |piece: &format::Piece<'_>| matches!(piece, format::Piece::Quoted(text) if text.contains('\\'));
    let has_marker = |piece: &format::Piece<'_>| {
        matches!(piece, format::Piece::Verbatim(text)
            if text.starts_with("${~") || text.starts_with("%{~") || text.ends_with("~}"))
    };
    if pieces.iter().any(has_marker) && pieces.iter().any(has_break) {
        return None;
    }
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

/// Returns the template that evaluates to this literal text.
fn literal_template(text: &str) -> Cow<'_, str> {
    if text.contains("${") || text.contains("%{") {
        text.replace("${", "$${").replace("%{", "%%{").into()
    } else {
        text.into()
    }
}
