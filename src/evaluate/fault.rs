//! What is wrong, before it has a place.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Source;
use crate::span::Span;
use crate::value::Marks;

/// A diagnostic's code and names. Whoever knows the place makes a [`Diagnostic`] of it.
#[derive(Debug)]
pub(super) struct Fault<'a> {
    code: Code,
    arguments: [&'a str; 3],
}

impl<'a> Fault<'a> {
    pub(super) fn new(code: Code, arguments: &[&'a str]) -> Self {
        let mut all = [""; 3];
        for (slot, &argument) in all.iter_mut().zip(arguments) {
            *slot = argument;
        }
        Self { code, arguments: all }
    }

    #[cold]
    pub(super) fn at(&self, source: Source<'a>, span: Span) -> Diagnostic<'a> {
        Diagnostic::new(self.code, source, span).with_arguments(&self.arguments)
    }
}

/// The marks of all of them.
pub(super) fn union(all: impl IntoIterator<Item = Marks>) -> Marks {
    all.into_iter().fold(Marks::NONE, Marks::with)
}
