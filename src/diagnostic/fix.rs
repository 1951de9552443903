//! Repairs of what diagnostics report: one edit each, where only one is meant.

use std::borrow::Cow;

use super::repair::{Repair, Safety};
use super::{Code, Diagnostic};
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
    fn new(start: usize, end: usize, text: impl Into<Cow<'static, str>>) -> Self {
        let span = Span::new(start as u32, end as u32);
        Self { span, text: text.into(), safety: Safety::Safe }
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
        if let Some(Repair { span, text, safety }) = self.repair() {
            return Some(Fix { span, text: Cow::Owned(text.to_owned()), safety });
        }
        let text = self.source().bytes();
        let (start, end) = (self.span().start as usize, self.span().end as usize);
        let found = text.get(start..end)?;
        match self.code() {
            Code::ByteOrderMark => (found == b"\xEF\xBB\xBF").then(|| Fix::new(start, end, "")),
            Code::TrailingComma | Code::CommaAfterArgument => {
                (found == b",").then(|| Fix::new(start, end, ""))
            }
            Code::EqualsForColon => (found == b"=").then(|| Fix::new(start, end, ":")),
            Code::ColonForEquals => {
                let has_space = text[..start].ends_with(b" ");
                (found == b":").then(|| Fix::new(start, end, if has_space { "=" } else { " =" }))
            }
            Code::MissingComma
            | Code::MissingItemSeparator
            | Code::MissingArgumentSeparator
            | Code::MissingAttributeSeparator => comma_before(text, start),
            Code::UnquotedName => {
                let name = name_at(text, start)?;
                Some(Fix::new(start, start + name.len(), format!("\"{name}\"")))
            }
            // What native syntax reports for a single quote.
            Code::SingleQuote | Code::InvalidCharacter => {
                let inside = plain_until(text, start, b'\'')?;
                Some(Fix::new(start, start + inside.len() + 2, format!("\"{inside}\"")))
            }
            Code::QuotedName => {
                let inside = plain_until(text, start, b'"')?;
                let is_name = name_at(inside.as_bytes(), 0)?.len() == inside.len();
                is_name.then(|| Fix::new(start, start + inside.len() + 2, inside.to_owned()))
            }
            // In JSON, the place is what is inside the string, with escaped quotes.
            Code::QuotedReference => unquoted(found, start, "\\\"", &is_plain)
                .or_else(|| unquoted(found, start, "\"", &is_plain)),
            Code::InvalidType => {
                unquoted(found, start, "\"", &|it| matches!(it, "string" | "number" | "bool"))
            }
            Code::InvalidKeyword => Some(Fix::new(start, end, keyword(found)?)),
            Code::ControlCharacter => match found {
                b"\t" => Some(Fix::new(start, end, "\\t")),
                [b'\n' | b'\r'] => None,
                [control @ ..=0x1F] => Some(Fix::new(start, end, format!("\\u{control:04x}"))),
                _ => None,
            },
            Code::IgnoreWildcard => wildcard(text, start, end),
            _ => None,
        }
    }
}

/// Returns the insertion of a comma after what is before `at`. There is none where a comment may end
/// the line before.
fn comma_before(text: &[u8], at: usize) -> Option<Fix> {
    let before = text.get(..at)?.trim_ascii_end();
    let is_comment =
        |line: &[u8]| line.contains(&b'#') || line.windows(2).any(|pair| pair == b"//");
    if text[before.len()..at].contains(&b'\n') {
        let line = before.rsplit(|byte| *byte == b'\n').next()?;
        if is_comment(line) {
            return None;
        }
    }
    (!before.is_empty()).then(|| Fix::new(before.len(), before.len(), ","))
}

/// Returns the name that starts at `at`.
fn name_at(text: &[u8], at: usize) -> Option<&str> {
    let rest = text.get(at..)?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let len = rest.iter().take_while(|byte| is_name(byte)).count();
    let starts = rest.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    // A name that goes on in other characters is not known wholly.
    let ends = rest.get(len).is_none_or(u8::is_ascii);
    if starts && ends { str::from_utf8(&rest[..len]).ok() } else { None }
}

/// Returns what is between the quote at `at` and the next one, on the same line, if it means the
/// same in all quotes.
fn plain_until(text: &[u8], at: usize, quote: u8) -> Option<&str> {
    let rest = text.get(at..)?.strip_prefix(&[quote])?;
    let len = rest.iter().position(|byte| *byte == quote || *byte == b'\n')?;
    let inside = str::from_utf8(&rest[..len]).ok()?;
    (rest[len] == quote && is_plain(inside)).then_some(inside)
}

/// Returns whether a text has no quotes, escapes, templates or control characters.
fn is_plain(text: &str) -> bool {
    !text.chars().any(|char| matches!(char, '"' | '\'' | '\\' | '$' | '%') || char.is_control())
}

/// Returns the removal of the quotes around a text that `fits`.
fn unquoted(found: &[u8], start: usize, quote: &str, fits: &dyn Fn(&str) -> bool) -> Option<Fix> {
    let inside = str::from_utf8(found).ok()?.strip_prefix(quote)?.strip_suffix(quote)?;
    fits(inside).then(|| Fix::new(start, start + found.len(), inside.to_owned()))
}

/// Returns the keyword of JSON that is meant.
fn keyword(found: &[u8]) -> Option<&'static str> {
    ["true", "false", "null"]
        .into_iter()
        .find(|keyword| keyword.as_bytes().eq_ignore_ascii_case(found))
        .or_else(|| (found == b"None").then_some("null"))
}

/// Returns the replacement of the list around `"*"` by the keyword `all`.
fn wildcard(text: &[u8], start: usize, end: usize) -> Option<Fix> {
    let before = text.get(..start)?.trim_ascii_end().strip_suffix(b"[")?;
    let after = text.get(end..)?.trim_ascii_start().strip_prefix(b"]")?;
    // In JSON, the attribute has a colon.
    let all = if before.trim_ascii_end().ends_with(b":") { "\"all\"" } else { "all" };
    Some(Fix::new(before.len(), text.len() - after.len(), all))
}
