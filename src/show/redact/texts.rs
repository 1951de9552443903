//! The texts that are searched for: strings, numbers and keys of hidden values.

use std::hash::BuildHasher;

use super::secrets::Secrets;
use super::stands::REDACTED_TEXT;
use super::table::Table;
use super::unescape::Level;
use crate::hash::Keyed;
use crate::lexical::closing_quote;
use crate::span::Span;

/// The minimal length of a secret, in characters.
const SHORTEST: usize = 8;

/// The texts to search for.
///
/// Memory: a text, and 23 to 27 bytes.
#[derive(Default)]
pub(super) struct Texts {
    secrets: Secrets,
    /// Hashes of the texts, and of those with escapes as they are written.
    known: Table,
}

impl Texts {
    /// Adds the texts of strings, numbers and keys in parts of a document.
    pub(super) fn add(&mut self, secrets: &[Span], bytes: &[u8]) {
        for span in secrets {
            tokens(span.slice(bytes), |raw, is_name| {
                let is_escaped = memchr::memchr(b'\\', raw).is_some();
                // A plan repeats most secrets verbatim.
                if raw.len() < SHORTEST || is_name && is_letters(raw) {
                    return;
                }
                if !self.is_new(raw, is_escaped) {
                    return;
                }
                let text = Level::decoded(raw);
                let text = text.trim_ascii();
                if std::str::from_utf8(text)
                    .is_ok_and(|text| text.chars().nth(SHORTEST - 1).is_some())
                    && text != REDACTED_TEXT.as_bytes()
                    && (text == raw && !is_escaped || self.is_new(text, false))
                {
                    self.secrets.push(text);
                }
            });
        }
    }

    /// The number of texts.
    pub(super) fn len(&self) -> usize {
        self.secrets.len()
    }

    /// The texts.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.secrets.iter()
    }

    /// The texts alone.
    pub(super) fn into_secrets(self) -> Secrets {
        let Self { mut secrets, known } = self;
        drop(known);
        secrets.bytes.shrink_to_fit();
        secrets.ends.shrink_to_fit();
        secrets
    }

    pub(super) fn append(&mut self, other: Self) {
        if self.secrets.is_empty() {
            *self = other;
            return;
        }
        for text in other.secrets.iter() {
            if self.is_new(text, false) {
                self.secrets.push(text);
            }
        }
    }

    /// Notes the hash of a text. The author of the document cannot produce collisions. A text that is
    /// written with escapes differs from one that contains these characters.
    fn is_new(&mut self, text: &[u8], is_escaped: bool) -> bool {
        self.known.insert(Keyed::default().hash_one((text, is_escaped)), 0).is_none()
    }
}

/// Whether a name could be that of an attribute, which is not a secret: letters and underscores.
fn is_letters(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}

/// Calls `found` with the text of every number in a JSON value, and with the text between the quotes
/// of every string, and whether it is the name of a member.
fn tokens<'t>(text: &'t [u8], mut found: impl FnMut(&'t [u8], bool)) {
    let is_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    let mut rest = text;
    while !rest.is_empty() {
        let quote = memchr::memchr(b'"', rest).unwrap_or(rest.len());
        let (between, after) = rest.split_at(quote);
        between.split(|byte| !is_number(byte)).for_each(|number| found(number, false));
        let Some(start) = after.get(1..) else { return };
        let len = closing_quote(start, 0).unwrap_or(start.len());
        rest = start.get(len + 1..).unwrap_or_default();
        found(&start[..len], rest.trim_ascii_start().first() == Some(&b':'));
    }
}
