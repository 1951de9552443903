//! The error of a document that could not be opened.
//!
//! ```
//! use simd_hcl::{Arena, Document};
//!
//! let arena = Arena::new();
//! let error = Document::parse_bytes(&arena, "a.json", b"{\n  \"a\" 1\n}").err().unwrap();
//! assert_eq!(error.position().map(|at| (at.line, at.column)), Some((2, 7)));
//! assert!(error.to_string().starts_with("a.json:2:7: error["));
//! ```

use std::fmt;

use crate::diagnostic::{Code, Diagnostic, Label, joined};
use crate::position::Position;
use crate::source::{Source, SourceError};
use crate::span::Span;

/// The error that prevented a document from being opened: it cannot be read, or has a syntax error.
/// The first one is returned.
///
/// It borrows nothing, so it can outlive the arena. If `main` returns it, the output is readable:
/// [`fmt::Debug`] prints the same line as [`fmt::Display`]. If the source is available,
/// [`OpenError::to_diagnostic`] converts it to a diagnostic.
#[derive(Clone)]
pub struct OpenError {
    code: Code,
    span: Span,
    arguments: Vec<Box<str>>,
    related: Option<(Span, &'static str)>,
    name: Box<str>,
    position: Option<Position>,
}

impl OpenError {
    pub(crate) fn new(code: Code, span: Span) -> Box<Self> {
        Box::new(Self {
            code,
            span,
            arguments: Vec::new(),
            related: None,
            name: Box::default(),
            position: None,
        })
    }

    /// Returns the error of a source with that name that could not be created.
    #[must_use]
    pub fn unreadable(name: &str, error: &SourceError) -> Box<Self> {
        let (code, argument) = match error {
            SourceError::Outside { target } => {
                (Code::LinkOutside, target.to_string_lossy().into_owned())
            }
            error => (Code::UnreadableFile, error.to_string()),
        };
        let mut this = Self::new(code, Span::at(0)).argument(argument);
        this.name = name.into();
        this
    }

    pub(crate) fn argument(mut self: Box<Self>, text: impl Into<Box<str>>) -> Box<Self> {
        self.arguments.push(text.into());
        self
    }

    pub(crate) fn related(mut self: Box<Self>, span: Span, message: &'static str) -> Box<Self> {
        self.related = Some((span, message));
        self
    }

    /// The arguments of the code's texts.
    pub(crate) fn arguments(&self) -> &[Box<str>] {
        &self.arguments
    }

    /// The related place, and its note.
    pub(crate) fn related_place(&self) -> Option<(Span, &'static str)> {
        self.related
    }

    /// Adds the name and the position that [`fmt::Display`] shows.
    pub(crate) fn located_in(mut self: Box<Self>, source: Source<'_>) -> Box<Self> {
        self.name = source.name().into();
        self.position = Some(source.position(self.span.start));
        self
    }

    /// The code of the diagnostic.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// The bytes of the error; empty at offset 0 for a file that cannot be read.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// The name of the source.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The position of the start of the span; `None` for a file that cannot be read.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// Returns the error as a diagnostic of its source. For a file that cannot be read, use
    /// [`Source::empty`].
    #[must_use]
    pub fn to_diagnostic<'a>(&self, source: Source<'a>) -> Diagnostic<'a> {
        let arguments: Vec<&'a str> =
            self.arguments.iter().map(|text| source.arena().str(text)).collect();
        let diagnostic =
            Diagnostic::new(self.code, Label::new(source, self.span)).with_arguments(&arguments);
        match self.related {
            Some((span, message)) => diagnostic.with_related(Label::new(source, span), message),
            None => diagnostic,
        }
    }
}

impl OpenError {
    /// Returns the error as a part of a sentence, without the name of the source: `invalid JSON at
    /// line 1, column 5: trailing comma`.
    pub(crate) fn brief(&self) -> String {
        let mut summary = self.code.summary().to_owned();
        if let Some(first) = summary.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        match self.position {
            Some(Position { line, column, .. }) => {
                format!("invalid JSON at line {line}, column {column}: {summary}")
            }
            None => summary,
        }
    }
}

impl fmt::Display for OpenError {
    /// Writes `NAME:LINE:COLUMN: error[CODE]: SUMMARY: MESSAGE` on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        if let Some(Position { line, column, .. }) = self.position {
            write!(f, "{line}:{column}:")?;
        }
        let arguments: Vec<&str> = self.arguments.iter().map(|text| &**text).collect();
        let (detail, help) = (self.code.detail_with(&arguments), self.code.help_with(&arguments));
        let (code, severity) = (self.code, self.code.severity());
        write!(f, " {severity}[{code}]: {}: {}", code.summary(), joined(detail, help))
    }
}

impl fmt::Debug for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for OpenError {}
