//! Errors of an evaluation, before they have a place.

use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::source::Source;
use crate::span::Span;
use crate::value::{Clause, ConversionError, HIDDEN, Marks, Type, shown};

/// A text that a diagnostic may show. It is not made of values, or of values that may be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Shown<'a> {
    text: &'a str,
    /// The text without what it repeats of values, for an expression at a place where these must not be shown.
    hiding: &'a str,
}

impl<'a> Shown<'a> {
    /// A name that the program has.
    pub(super) const fn written(name: &'a str) -> Self {
        Self { text: name, hiding: name }
    }

    /// A text made from values with these marks.
    pub(super) const fn of(text: &'a str, marks: Marks) -> Self {
        Self { text: shown(text, marks), hiding: HIDDEN }
    }

    /// A clause whose quotations are made from values with these marks.
    pub(super) const fn clause(clause: Clause<'a>, marks: Marks) -> Self {
        Self { text: clause.shown(marks), hiding: clause.bare() }
    }

    /// Why a value cannot be converted that is a part of values with these marks. Its own marks count
    /// in any case.
    pub(super) fn unconverted(arena: &'a Arena, error: ConversionError<'_>, marks: Marks) -> Self {
        let hiding = arena.format(format_args!("{}", error.clone().for_marks(Marks::HIDDEN)));
        let text = match marks.hides() {
            true => hiding,
            false => arena.format(format_args!("{}", error.for_marks(marks))),
        };
        Self { text, hiding }
    }

    /// The name of a type, with its article.
    pub(super) fn ty(arena: &'a Arena, ty: Type<'_>) -> Self {
        Self::written(arena.str(&ty.with_article()))
    }
}

impl From<&'static str> for Shown<'_> {
    fn from(text: &'static str) -> Self {
        Self::written(text)
    }
}

/// A diagnostic's code and arguments. The caller adds the place, which makes it a [`Report`].
#[derive(Debug)]
pub(super) struct Fault<'a> {
    code: Code,
    said: Said<'a>,
    suggestion: Option<&'a str>,
}

/// The arguments of a diagnostic, with and without what they repeat of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Said<'a> {
    arguments: [&'a str; 3],
    /// Which of them repeat values.
    repeats: [bool; 3],
    /// The first of these without them. The others are hidden as a whole.
    hiding: &'a str,
}

impl<'a> Said<'a> {
    fn of(all: &[Shown<'a>]) -> Self {
        let mut said = Self::default();
        for (at, argument) in all.iter().take(said.arguments.len()).enumerate() {
            said.arguments[at] = argument.text;
            if argument.text != argument.hiding {
                if !said.repeats.contains(&true) {
                    said.hiding = argument.hiding;
                }
                said.repeats[at] = true;
            }
        }
        said
    }

    fn hiding(&self) -> [&'a str; 3] {
        let first = self.repeats.iter().position(|repeats| *repeats);
        let mut arguments = self.arguments;
        for (at, argument) in arguments.iter_mut().enumerate().filter(|(at, _)| self.repeats[*at]) {
            *argument = if first == Some(at) { self.hiding } else { HIDDEN };
        }
        arguments
    }
}

impl<'a> Fault<'a> {
    pub(super) fn new(code: Code, arguments: &[Shown<'a>]) -> Self {
        Self { code, said: Said::of(arguments), suggestion: None }
    }

    /// Adds the name that was probably meant.
    pub(super) fn with_suggestion(mut self, name: Option<&'a str>) -> Self {
        self.suggestion = name;
        self
    }

    #[cold]
    pub(super) fn at(&self, span: Span) -> Report<'a> {
        Report { code: self.code, span, said: self.said, suggestion: self.suggestion }
    }
}

/// A diagnostic about the program that is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Report<'a> {
    code: Code,
    span: Span,
    said: Said<'a>,
    suggestion: Option<&'a str>,
}

impl Report<'_> {
    /// Returns the diagnostic for a source, allocated in its arena.
    #[cold]
    pub(super) fn diagnostic<'b>(&self, source: Source<'b>) -> Diagnostic<'b> {
        let arena = source.arena();
        let kept = |name: &str| if name.is_empty() { "" } else { arena.str(name) };
        let names = self.said.arguments.map(kept);
        let hiding = match self.said.repeats.contains(&true) {
            true => self.said.hiding().map(kept),
            false => names,
        };
        Diagnostic::new(self.code, Label::new(source, self.span))
            .with_arguments(&names)
            .with_suggestion(self.suggestion.map(|name| arena.str(name)))
            .with_hiding(hiding)
    }
}

/// Returns the union of the marks.
pub(super) fn union(all: impl IntoIterator<Item = Marks>) -> Marks {
    all.into_iter().fold(Marks::NONE, Marks::with)
}
