//! Why a document could not be opened.
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

/// The one thing that kept a document from being opened: it cannot be read, or its first syntax
/// error.
///
/// It borrows nothing, so it can leave the scope of the arena. When `main` returns it, a person can
/// read what is printed: [`fmt::Debug`] is the line of [`fmt::Display`]. With the source at hand,
/// [`OpenError::to_diagnostic`] makes a diagnostic of it.
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

    /// The error that the source of that name could not be made.
    #[must_use]
    pub fn unreadable(name: &str, error: &SourceError) -> Box<Self> {
        let mut this = Self::new(Code::UnreadableFile, Span::at(0)).argument(error.to_string());
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

    /// With the name and position that [`fmt::Display`] shows.
    pub(crate) fn located_in(mut self: Box<Self>, source: Source<'_>) -> Box<Self> {
        self.name = source.name().into();
        self.position = Some(source.position(self.span.start));
        self
    }

    /// What kind of problem it is.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// The bytes meant; empty at offset 0 for a file that cannot be read.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Name of the source.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the span starts; none for a file that cannot be read.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// The error as a diagnostic of the source that it came from. For a file that cannot be read
    /// take [`Source::empty`].
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
    /// The error as a part of a sentence, without the name of the source: `invalid JSON at line 1,
    /// column 5: trailing comma`.
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
    /// `NAME:LINE:COLUMN: error[CODE]: SUMMARY: MESSAGE`, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        if let Some(Position { line, column, .. }) = self.position {
            write!(f, "{line}:{column}:")?;
        }
        let arguments: Vec<&str> = self.arguments.iter().map(|text| &**text).collect();
        let (detail, help) = (self.code.detail_with(&arguments), self.code.help_with(&arguments));
        write!(f, " error[{}]: {}: {}", self.code, self.code.summary(), joined(detail, help))
    }
}

impl fmt::Debug for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for OpenError {}
