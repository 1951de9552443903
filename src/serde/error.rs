//! The error of a document that does not fit a type.

use std::fmt;

use crate::diagnostic::{Code, Diagnostic, Label, Severity};
use crate::position::Position;
use crate::span::Span;

/// The error of a document, body, expression or value that does not fit the requested type.
///
/// Borrows nothing, so it outlives the arena. Its [`Display`](fmt::Display) form starts with the
/// place, as compilers print it: `main.tf.json:3:5: invalid type: string "x", expected u32`. So
/// does its [`Debug`](fmt::Debug) form, which is printed when `main` returns the error.
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    message: String,
    code: Option<Code>,
    place: Option<Place>,
    is_end: bool,
}

#[derive(Clone, Debug)]
struct Place {
    name: Box<str>,
    span: Span,
    position: Position,
}

impl Error {
    fn new(message: String) -> Self {
        Self(Box::new(Inner { message, code: None, place: None, is_end: false }))
    }

    /// Returns the first reported error, if there is one.
    pub(super) fn check(diagnostics: &[Diagnostic<'_>]) -> Result<(), Self> {
        match diagnostics.iter().find(|found| found.severity() == Severity::Error) {
            Some(first) => Err(Self::reported(first)),
            None => Ok(()),
        }
    }

    /// Returns the error of a diagnostic.
    pub(super) fn reported(found: &Diagnostic<'_>) -> Self {
        let mut error = Self::new(format!("{}: {}", found.summary(), found.detail()));
        error.0.code = Some(found.code());
        error.at(found.primary())
    }

    /// Returns the error that ends a list of blocks. It never leaves this module: the list ends
    /// there.
    pub(super) fn end_of_blocks() -> Self {
        let mut error = Self::new("missing block".to_owned());
        error.0.is_end = true;
        error
    }

    pub(super) fn is_end_of_blocks(&self) -> bool {
        self.0.is_end
    }

    /// Adds a place, unless an inner one is known.
    pub(super) fn at(mut self, label: Label<'_>) -> Self {
        if self.0.place.is_none() && !self.0.is_end {
            let Label { source, span } = label;
            let position = source.position(span.start);
            self.0.place = Some(Place { name: source.name().into(), span, position });
        }
        self
    }

    /// The message, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The code of the diagnostic that the error repeats; `None` if the document is valid, but does
    /// not fit the type.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        self.0.code
    }

    /// The name of the source, if the place is known. Values that do not come from a file have no
    /// place.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.0.place.as_ref().map(|place| &*place.name)
    }

    /// The bytes that do not fit.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.0.place.as_ref().map(|place| place.span)
    }

    /// The position of its first byte.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.0.place.as_ref().map(|place| place.position)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Error {
    /// Writes `NAME:LINE:COLUMN: MESSAGE`, or only the message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Place { name, position, .. }) = &self.0.place {
            write!(f, "{name}:{}:{}: ", position.line, position.column)?;
        }
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}

impl serde_core::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
}
