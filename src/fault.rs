//! The first error of a text that is not JSON, before it is assigned to a source.

use crate::diagnostic::{Code, Diagnostic, Fix, Label};
use crate::source::Source;
use crate::span::Span;

/// An error in a text. It borrows nothing, and has no position: [`Fault::to_diagnostic`] makes it a
/// diagnostic of a source.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    code: Code,
    span: Span,
    arguments: Vec<Box<str>>,
    related: Option<(Span, &'static str)>,
    fix: Option<Fix>,
}

impl Fault {
    pub(crate) fn new(code: Code, span: Span) -> Box<Self> {
        Box::new(Self { code, span, arguments: Vec::new(), related: None, fix: None })
    }

    pub(crate) fn argument(mut self: Box<Self>, text: impl Into<Box<str>>) -> Box<Self> {
        self.arguments.push(text.into());
        self
    }

    pub(crate) fn related(mut self: Box<Self>, span: Span, message: &'static str) -> Box<Self> {
        self.related = Some((span, message));
        self
    }

    /// Sets the edit that repairs it.
    pub(crate) fn with_fix(mut self: Box<Self>, fix: Option<Fix>) -> Box<Self> {
        self.fix = fix;
        self
    }

    pub(crate) fn code(&self) -> Code {
        self.code
    }

    pub(crate) fn span(&self) -> Span {
        self.span
    }

    /// The arguments of the code's texts.
    pub(crate) fn arguments(&self) -> Vec<&str> {
        self.arguments.iter().map(|text| &**text).collect()
    }

    /// The related place, and its note.
    pub(crate) fn related_place(&self) -> Option<(Span, &'static str)> {
        self.related
    }

    /// The error of a source whose text it is.
    pub(crate) fn to_diagnostic<'a>(&self, source: Source<'a>) -> Diagnostic<'a> {
        let arguments: Vec<&'a str> =
            self.arguments.iter().map(|text| source.arena().str(text)).collect();
        let diagnostic = Diagnostic::new(self.code, Label::new(source, self.span))
            .with_arguments(&arguments)
            .with_repair(self.fix.clone());
        match self.related {
            Some((span, message)) => diagnostic.with_related(Label::new(source, span), message),
            None => diagnostic,
        }
    }
}
