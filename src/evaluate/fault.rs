//! Errors of an evaluation, before they have a place.

use crate::diagnostic::{Code, Diagnostic, Label};
use crate::source::Source;
use crate::span::Span;
use crate::value::Marks;

/// A diagnostic's code and arguments. The caller adds the place, which makes it a [`Report`].
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

    /// Adds the name that was probably meant.
    pub(super) fn with_suggestion(mut self, name: Option<&'a str>) -> Self {
        self.suggestion = name;
        self
    }

    #[cold]
    pub(super) fn at(&self, span: Span) -> Report<'a> {
        Report { code: self.code, span, arguments: self.arguments, suggestion: self.suggestion }
    }
}

/// A diagnostic about the program that is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Report<'a> {
    code: Code,
    span: Span,
    arguments: [&'a str; 3],
    suggestion: Option<&'a str>,
}

impl Report<'_> {
    /// Returns the diagnostic for a source, allocated in its arena.
    #[cold]
    pub(super) fn diagnostic<'b>(&self, source: Source<'b>) -> Diagnostic<'b> {
        let arena = source.arena();
        let names = self.arguments.map(|name| if name.is_empty() { "" } else { arena.str(name) });
        Diagnostic::new(self.code, Label::new(source, self.span))
            .with_arguments(&names)
            .with_suggestion(self.suggestion.map(|name| arena.str(name)))
    }
}

/// Returns the union of the marks.
pub(super) fn union(all: impl IntoIterator<Item = Marks>) -> Marks {
    all.into_iter().fold(Marks::NONE, Marks::with)
}
