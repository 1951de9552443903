//! Errors of an evaluation, before they have a place.

use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::source::Source;
use crate::span::Span;
use crate::value::{Clause, ConversionError, Marks, Type, shown};

/// A text that a diagnostic may show. It is not made of values, or of values that may be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Shown<'a>(&'a str);

impl<'a> Shown<'a> {
    /// A name that the program has.
    pub(super) const fn written(name: &'a str) -> Self {
        Self(name)
    }

    /// A text made from values with these marks.
    pub(super) const fn of(text: &'a str, marks: Marks) -> Self {
        Self(shown(text, marks))
    }

    /// A clause whose quotations are made from values with these marks.
    pub(super) const fn clause(clause: Clause<'a>, marks: Marks) -> Self {
        Self(clause.shown(marks))
    }

    /// Why a value cannot be converted that is a part of values with these marks. Its own marks count
    /// in any case.
    pub(super) fn unconverted(arena: &'a Arena, error: ConversionError<'_>, marks: Marks) -> Self {
        Self(arena.format(format_args!("{}", error.for_marks(marks))))
    }

    /// The name of a type, with its article.
    pub(super) fn ty(arena: &'a Arena, ty: Type<'_>) -> Self {
        Self(arena.str(&ty.with_article()))
    }
}

impl From<&'static str> for Shown<'_> {
    fn from(text: &'static str) -> Self {
        Self(text)
    }
}

/// A diagnostic's code and arguments. The caller adds the place, which makes it a [`Report`].
#[derive(Debug)]
pub(super) struct Fault<'a> {
    code: Code,
    arguments: [Shown<'a>; 3],
    suggestion: Option<&'a str>,
}

impl<'a> Fault<'a> {
    pub(super) fn new(code: Code, arguments: &[Shown<'a>]) -> Self {
        let mut all = [Shown::default(); 3];
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
    arguments: [Shown<'a>; 3],
    suggestion: Option<&'a str>,
}

impl Report<'_> {
    /// Returns the diagnostic for a source, allocated in its arena.
    #[cold]
    pub(super) fn diagnostic<'b>(&self, source: Source<'b>) -> Diagnostic<'b> {
        let arena = source.arena();
        let names =
            self.arguments.map(|Shown(name)| if name.is_empty() { "" } else { arena.str(name) });
        Diagnostic::new(self.code, Label::new(source, self.span))
            .with_arguments(&names)
            .with_suggestion(self.suggestion.map(|name| arena.str(name)))
    }
}

/// Returns the union of the marks.
pub(super) fn union(all: impl IntoIterator<Item = Marks>) -> Marks {
    all.into_iter().fold(Marks::NONE, Marks::with)
}
