//! Fixes of diagnostics: one edit each, where only one can be meant. The code that finds an error
//! attaches its edit.

use std::borrow::Cow;

use super::repair::Safety;
use crate::span::Span;

/// An edit that fixes the problem that a diagnostic reports.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The bytes to replace; empty for an insertion.
    pub span: Span,
    /// The bytes to write there.
    pub text: Cow<'static, str>,
    /// Whether it may be made without being read.
    pub safety: Safety,
    /// Whether values there must not be shown: a text about the edit does not quote what it replaces and writes.
    pub is_hidden: bool,
}

impl Fix {
    /// Writes a text instead of these bytes.
    pub(crate) fn replacement(span: Span, text: impl Into<Cow<'static, str>>) -> Self {
        Self { span, text: text.into(), safety: Safety::Safe, is_hidden: false }
    }

    /// Deletes these bytes.
    pub(crate) fn removal(span: Span) -> Self {
        Self::replacement(span, "")
    }

    /// Inserts a comma after the text before `at`. `None` where a comment may end the line before.
    pub(crate) fn comma_before(text: &[u8], at: u32) -> Option<Self> {
        let at = at as usize;
        let before = text.get(..at)?.trim_ascii_end();
        let is_comment =
            |line: &[u8]| line.contains(&b'#') || line.windows(2).any(|pair| pair == b"//");
        if text[before.len()..at].contains(&b'\n') {
            let line = before.rsplit(|byte| *byte == b'\n').next()?;
            if is_comment(line) {
                return None;
            }
        }
        (!before.is_empty()).then(|| Self::replacement(Span::at(before.len() as u32), ","))
    }

    /// Writes double quotes instead of the single one at `at` and the next one, on the same line, if
    /// what is between them means the same in all quotes. `quote` is how a double quote is written.
    pub(crate) fn double_quotes(text: &[u8], at: u32, quote: &str) -> Option<Self> {
        let inside = plain_until(text, at, b'\'')?;
        let span = Span::new(at, at + inside.len() as u32 + 2);
        Some(Self::replacement(span, format!("{quote}{inside}{quote}")))
    }

    /// Removes the quotes around the name that starts with the quote at `at`.
    pub(crate) fn bare_name(text: &[u8], at: u32) -> Option<Self> {
        let name = plain_until(text, at, b'"')?;
        let span = Span::new(at, at + name.len() as u32 + 2);
        is_name(name).then(|| Self::replacement(span, name.to_owned()))
    }
}

/// Returns whether a text is one name of ASCII characters.
fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let starts = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    starts && text.bytes().all(is_part)
}

/// Returns what is between the quote at `at` and the next one, on the same line, if it means the
/// same in all quotes.
fn plain_until(text: &[u8], at: u32, quote: u8) -> Option<&str> {
    let rest = text.get(at as usize..)?.strip_prefix(&[quote])?;
    let len = rest.iter().position(|byte| *byte == quote || *byte == b'\n')?;
    let inside = str::from_utf8(&rest[..len]).ok()?;
    (rest[len] == quote && is_plain(inside)).then_some(inside)
}

/// Returns whether a text has no quotes, escapes, templates or control characters.
fn is_plain(text: &str) -> bool {
    !text.chars().any(|char| matches!(char, '"' | '\'' | '\\' | '$' | '%') || char.is_control())
}
