//! Errors that a change adds.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Severity};

/// The errors of a check: by their codes, the name of the file and the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Errors(BTreeMap<String, Vec<(String, String)>>);

impl Errors {
    /// The errors among some diagnostics.
    pub fn of<'d, 'a: 'd>(all: impl IntoIterator<Item = &'d Diagnostic<'a>>) -> Self {
        let mut errors = Self::default();
        for found in all.into_iter().filter(|found| found.severity() == Severity::Error) {
            let (file, text) = (found.source().name().to_owned(), found.detail().to_string());
            errors.add(found.code().as_str(), file, text);
        }
        errors
    }

    /// Adds an error.
    pub(crate) fn add(&mut self, code: &str, file: String, text: String) {
        self.0.entry(code.to_owned()).or_default().push((file, text));
    }

    /// The errors that are new since earlier ones, of the kinds of which there are more than before: texts
    /// have names, which may be new ones. Each is the name of the file, and the text.
    ///
    /// Cost: linear in the errors, apart from sorting.
    #[must_use]
    pub fn added_to(&self, before: &Self) -> Vec<(String, String)> {
        let mut new = Vec::new();
        for (code, after) in &self.0 {
            let before = before.0.get(code).map_or(&[][..], Vec::as_slice);
            if after.len() > before.len() {
                let known: BTreeSet<_> = before.iter().collect();
                let unknown = after.iter().filter(|error| !known.contains(error)).cloned();
                let count = new.len();
                new.extend(unknown);
                if new.len() == count {
                    new.extend(after.first().cloned());
                }
            }
        }
        new
    }
}
