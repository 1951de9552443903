//! Diagnostics: what is wrong, as plain data.
//!
//! A [`Diagnostic`] is a stable [`Code`], a severity, a primary place, further places, and the
//! names that it mentions. The text is only made when it is shown: [`Diagnostic::detail`] and
//! [`Diagnostic::help`] fill in the code's texts. Rules of another crate have codes of their own
//! ([`CustomCode`]). Readers and rules report to a [`Sink`], which the caller chooses:
//!
//! | sink | keeps |
//! |---|---|
//! | `()` | nothing |
//! | `Option<Diagnostic>` | the first |
//! | `Vec<Diagnostic>` | all, in order |
//! | a closure | as it likes; an `OwnedDiagnostic` outlives the arena |
//!
//! ```
//! use simd_hcl::{Arena, Code, Document};
//!
//! let arena = Arena::new();
//! let document = Document::parse_bytes(&arena, "a.tf.json", br#"{"a": 1, "a": 2}"#)?;
//! let mut found = Vec::new();
//! document.body().just_attributes(&mut found);
//! assert_eq!(found[0].code(), Code::DuplicateAttribute);
//! assert_eq!(found[0].related()[0].label.span.start, 1);
//! # Ok::<(), Box<simd_hcl::OpenError>>(())
//! ```

mod code;

use std::fmt;

pub use self::code::{Code, CustomCode};
use crate::source::Source;
use crate::span::Span;
use crate::suggest::DidYouMean;

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The tools that use the file accept it, but probably not as it was meant.
    Warning,
    /// The tools that use the file refuse it.
    Error,
}

impl Severity {
    /// `"error"` or `"warning"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A place in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label<'a> {
    /// The source.
    pub source: Source<'a>,
    /// The bytes meant; empty for a place between bytes.
    pub span: Span,
}

impl<'a> Label<'a> {
    /// The place `span` in `source`.
    #[must_use]
    pub const fn new(source: Source<'a>, span: Span) -> Self {
        Self { source, span }
    }
}

/// One thing that is wrong. Its texts are made when asked for.
///
/// It borrows from the arena of its source, as an `OwnedDiagnostic` does not:
///
/// ```compile_fail,E0505
/// let arena = simd_hcl::Arena::new();
/// let document = simd_hcl::Document::parse_bytes(&arena, "a.json", br#"{"a": 1, "a": 2}"#).unwrap();
/// let mut found = Vec::new();
/// document.body().just_attributes(&mut found);
/// drop(arena);
/// found[0].to_string();
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic<'a> {
    code: Code,
    severity: Severity,
    primary: Label<'a>,
    arguments: [&'a str; 3],
    /// Boxed, since most diagnostics have none of it.
    rest: Option<Box<Rest<'a>>>,
}

/// What few diagnostics have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Rest<'a> {
    related: Vec<Related<'a>>,
    suggestion: Option<&'a str>,
}

/// A further place that a diagnostic mentions, with a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related<'a> {
    /// The place.
    pub label: Label<'a>,
    /// The note, a phrase such as "first set here".
    pub message: &'static str,
}

impl<'a> Diagnostic<'a> {
    /// A diagnostic of `code` at `primary`, with the code's own severity.
    #[must_use]
    pub fn new(code: Code, primary: Label<'a>) -> Self {
        Self { code, severity: code.severity(), primary, arguments: [""; 3], rest: None }
    }

    /// With the names that the code's text speaks of: at most three, in the text's order.
    #[must_use]
    pub fn with_arguments(mut self, arguments: &[&'a str]) -> Self {
        for (slot, &argument) in self.arguments.iter_mut().zip(arguments) {
            *slot = argument;
        }
        self
    }

    /// Of another kind, with the same places and names.
    pub(crate) fn with_code(mut self, code: Code) -> Self {
        (self.code, self.severity) = (code, code.severity());
        self
    }

    /// With the name that was probably meant, if there is one: [`Diagnostic::help`] suggests it.
    #[must_use]
    pub fn with_suggestion(mut self, name: Option<&'a str>) -> Self {
        if name.is_some() || self.rest.is_some() {
            self.rest.get_or_insert_default().suggestion = name;
        }
        self
    }

    /// With a further place.
    #[must_use]
    pub fn with_related(mut self, label: Label<'a>, message: &'static str) -> Self {
        self.rest.get_or_insert_default().related.push(Related { label, message });
        self
    }

    /// With another severity than the code's own.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// What kind of problem it is.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// How grave it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Where it is.
    #[must_use]
    pub fn primary(&self) -> Label<'a> {
        self.primary
    }

    /// The source that the primary place is in.
    #[must_use]
    pub fn source(&self) -> Source<'a> {
        self.primary.source
    }

    /// The primary place's bytes.
    #[must_use]
    pub fn span(&self) -> Span {
        self.primary.span
    }

    /// Further places.
    #[must_use]
    pub fn related(&self) -> &[Related<'a>] {
        self.rest.as_ref().map_or(&[], |rest| &rest.related)
    }

    /// The names that the code's text speaks of.
    pub(crate) fn arguments(&self) -> [&'a str; 3] {
        self.arguments
    }

    /// The name that was probably meant instead of the one that is not known.
    #[must_use]
    pub fn suggestion(&self) -> Option<&'a str> {
        self.rest.as_ref()?.suggestion
    }

    /// The headline, the same for every diagnostic of the code.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.code.summary()
    }

    /// The explanation with names filled in.
    #[must_use]
    pub fn detail(&self) -> String {
        self.code.detail_with(&self.arguments)
    }

    /// What to do about it, with names filled in: the suggestion as a question, then the help of
    /// the code.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        let help = self.code.help_with(&self.arguments);
        match (self.suggestion(), help) {
            (None, help) => help,
            (Some(name), None) => Some(DidYouMean(name).to_string()),
            (Some(name), Some(help)) => Some(format!("{} {help}", DidYouMean(name))),
        }
    }

    /// The detail, and the help if there is any, as one text.
    #[must_use]
    pub fn message(&self) -> String {
        joined(self.detail(), self.help())
    }
}

/// A detail and the help, as one text.
pub(crate) fn joined(mut detail: String, help: Option<String>) -> String {
    if let Some(help) = help {
        detail.push(' ');
        detail.push_str(&help);
    }
    detail
}

impl fmt::Display for Diagnostic<'_> {
    /// `NAME:LINE:COLUMN: SEVERITY[CODE]: SUMMARY: MESSAGE`, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Label { source, span } = self.primary;
        let position = source.position(span.start);
        write!(
            f,
            "{}:{}:{}: {}[{}]: {}: {}",
            source.name(),
            position.line,
            position.column,
            self.severity.as_str(),
            self.code,
            self.summary(),
            self.message()
        )
    }
}

impl std::error::Error for Diagnostic<'_> {}

/// Takes diagnostics as they are found.
pub trait Sink<'a> {
    /// Takes one diagnostic.
    fn report(&mut self, diagnostic: Diagnostic<'a>);
}

impl<'a> Sink<'a> for () {
    fn report(&mut self, _: Diagnostic<'a>) {}
}

impl<'a> Sink<'a> for Option<Diagnostic<'a>> {
    fn report(&mut self, diagnostic: Diagnostic<'a>) {
        self.get_or_insert(diagnostic);
    }
}

impl<'a> Sink<'a> for Vec<Diagnostic<'a>> {
    fn report(&mut self, diagnostic: Diagnostic<'a>) {
        self.push(diagnostic);
    }
}

impl<'a, F: FnMut(Diagnostic<'a>)> Sink<'a> for F {
    fn report(&mut self, diagnostic: Diagnostic<'a>) {
        self(diagnostic);
    }
}
