//! What is wrong, before it has a place.

use crate::diagnostic::{Code, Diagnostic, Label};
use crate::value::Marks;

/// A diagnostic's code and names. Whoever knows the place makes a [`Diagnostic`] of it.
#[derive(Debug)]
pub(super) struct Fault<'a> {
    code: Code,
    arguments: [&'a str; 3],
    suggestion: Option<&'a str>,
}

impl<'a> Fault<'a> {
    pub(super) fn new(code: Code, arguments: &[&'a str]) -> Self {
        let mut all = [""; 3];
        for (slot, &argument) in all.iter_mut().zip(arguments) {
            *slot = argument;
        }
        Self { code, arguments: all, suggestion: None }
    }

    /// With the name that was probably meant.
    pub(super) fn with_suggestion(mut self, name: Option<&'a str>) -> Self {
        self.suggestion = name;
        self
    }

    #[cold]
    pub(super) fn at(&self, label: Label<'a>) -> Diagnostic<'a> {
        Diagnostic::new(self.code, label)
            .with_arguments(&self.arguments)
            .with_suggestion(self.suggestion)
    }
}

/// The marks of all of them.
pub(super) fn union(all: impl IntoIterator<Item = Marks>) -> Marks {
    all.into_iter().fold(Marks::NONE, Marks::with)
}
