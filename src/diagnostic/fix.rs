//! Repairs of what diagnostics report: one edit each, where only one is meant. What finds an error
//! attaches its edit.

use std::borrow::Cow;

use super::repair::Safety;
use super::Diagnostic;
use crate::span::Span;

/// An edit that repairs what a diagnostic reports.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The bytes to replace; empty for an insertion.
    pub span: Span,
    /// The bytes to write there.
    pub text: Cow<'static, str>,
    /// Whether it may be made without being read.
    pub safety: Safety,
}

impl Fix {
    /// Writes a text instead of these bytes.
    pub(crate) fn replacement(span: Span, text: impl Into<Cow<'static, str>>) -> Self {
        Self { span, text: text.into(), safety: Safety::Safe }
    }

    /// Deletes these bytes.
    pub(crate) fn removal(span: Span) -> Self {
        Self::replacement(span, "")
    }

    /// Inserts a comma after what is before `at`. `None` where a comment may end the line before.
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

impl Diagnostic<'_> {
    /// Returns the edit that repairs this, if exactly one edit does: the one that
    /// [`with_fix`](Self::with_fix) has added, or one of those below, which cannot change what else
    /// the file means.
    ///
    /// A syntax error may hide others, so parse the file again after an edit. The codes with edits:
    ///
    /// | codes | edit |
    /// |---|---|
    /// | `byte-order-mark`, `trailing-comma`, `comma-after-argument` | deletes it |
    /// | `equals-for-colon`, `colon-for-equals` | writes the other sign |
    /// | `missing-comma`, `missing-item-separator`, `missing-argument-separator`, `missing-attribute-separator` | inserts a comma |
    /// | `unquoted-name`, `single-quote`, `invalid-character` (a single quote) | writes double quotes |
    /// | `quoted-name`, `quoted-reference`, `invalid-type` | removes the quotes around a name, a reference, or a primitive type |
    /// | `invalid-keyword` | writes `True`, `None` and the like as in JSON |
    /// | `control-character` | writes an escape sequence, except for line breaks |
    /// | `ignore-wildcard` | writes `all` for `["*"]` |
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"locals {\n  a: 1\n}\n")?;
    /// let fix = ParsedFile::native(&arena, source).diagnostics()[0].fix().unwrap();
    /// assert_eq!((fix.span.start, fix.span.end, &*fix.text), (12, 13, " ="));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn fix(&self) -> Option<Fix> {
        let Repair { span, text, safety } = self.rest?.repair?;
        Some(Fix { span, text: Cow::Owned(text.to_owned()), safety })
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
