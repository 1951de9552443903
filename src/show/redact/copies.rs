//! Copies of secrets that are found one by one, in texts before and after them.

use std::borrow::Cow;
use std::fmt;

use super::matcher::Matchers;
use super::stands::Stands;
use super::texts::Texts;
use crate::span::Span;

/// The most times that secrets are added; then all texts count as copies.
const MOST_ADDED: usize = 100;

/// The texts of secrets, and what finds them.
#[derive(Default)]
pub(in crate::show) struct Copies {
    texts: Texts,
    added: usize,
    matchers: Option<Matchers>,
}

impl fmt::Debug for Copies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Copies").finish_non_exhaustive()
    }
}

impl Copies {
    /// Adds the texts of secrets, which are values as JSON. Returns whether there are new ones.
    ///
    /// Cost: linear in all of them, the first 100 times.
    pub(in crate::show) fn add<'t>(&mut self, values: impl Iterator<Item = &'t [u8]>) -> bool {
        if self.added > MOST_ADDED {
            return false;
        }
        let before = self.texts.len();
        for value in values {
            self.texts.add(&[Span::new(0, value.len() as u32)], value);
        }
        if self.texts.len() == before {
            return false;
        }
        self.added += 1;
        self.matchers = Some(match self.added > MOST_ADDED {
            true => Matchers::of_everything(),
            false => Matchers::of(self.texts.iter()),
        });
        true
    }

    /// Whether it has no secret.
    pub(in crate::show) fn is_empty(&self) -> bool {
        self.matchers.is_none()
    }

    /// An address or a name without copies.
    pub(in crate::show) fn without_names<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.without(text, Stands::Names)
    }

    /// A message or a value without copies.
    pub(in crate::show) fn without_texts<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.without(text, Stands::Text)
    }

    fn without<'t>(&self, text: &'t str, stands: Stands) -> Cow<'t, str> {
        match &self.matchers {
            Some(matchers) if !text.is_empty() => matchers.without(text, stands),
            _ => Cow::Borrowed(text),
        }
    }
}
