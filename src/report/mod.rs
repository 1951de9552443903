//! Owned diagnostics, which outlive the arena of their file, and diagnostics of your own rules,
//! with their own codes and texts.
//!
//! ```
//! use simd_hcl::diagnostic::{Label, Severity};
//! use simd_hcl::report::OwnedDiagnostic;
//! use simd_hcl::{Arena, Document};
//!
//! /// A custom rule: names must be in lower case.
//! fn check(name: &str, json: &[u8]) -> Result<Vec<OwnedDiagnostic>, Box<simd_hcl::OwnedDiagnostic>> {
//!     let arena = Arena::new();
//!     let document = Document::parse_bytes(&arena, name, json)?;
//!     let mut found = Vec::new();
//!     for member in document.root().as_object().into_iter().flat_map(|root| root.members()) {
//!         if member.name().to_str().contains(char::is_uppercase) {
//!             let place = Label::new(document.source(), member.name().span());
//!             found.push(
//!                 OwnedDiagnostic::new("acme-capitals", Severity::Warning, place)
//!                     .with_summary("Name with capitals")
//!                     .with_detail("Names are written in lower case.")
//!                     .with_help("Rename the property."),
//!             );
//!         }
//!     }
//!     Ok(found)
//! }
//!
//! let found = check("names.json", br#"{"a": 1, "B": 2}"#)?;
//! assert_eq!(
//!     found[0].to_string(),
//!     "names.json:1:10: warning[acme-capitals]: Name with capitals: Names are written in lower case. \
//!      Rename the property."
//! );
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```
//!
//! With the feature `render`, `Renderer` shows a diagnostic with its line of source. With the
//! feature `serde`, a diagnostic serializes to the JSON that `simd-hcl check --format json` prints,
//! and with the feature `miette` it is a `miette::Diagnostic`.

mod excerpt;
#[cfg(feature = "miette")]
mod miette;
#[cfg(feature = "render")]
mod render;
#[cfg(feature = "serde")]
mod serialize;
mod visible;

use std::borrow::Cow;
use std::fmt;

pub use self::excerpt::{Excerpt, Range};
#[cfg(feature = "render")]
pub use self::render::Renderer;
pub use self::visible::{is_steering, visible};
use crate::diagnostic::{Code, Diagnostic, Label, Severity, reason};
use crate::position::Position;
use crate::source::{Source, SourceError};

/// A diagnostic with positions, texts and its line of source. It borrows nothing, so it can outlive the
/// arena: it is also the error of a document that cannot be opened, and of a stream.
///
/// [`fmt::Display`] prints one line, like that of [`Diagnostic`]. [`fmt::Debug`] is readable, since
/// `main` prints it if it returns the diagnostic: with the feature
/// `render`, it is the rendered diagnostic if the text is kept, otherwise the line.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedDiagnostic {
    /// The severity.
    pub severity: Severity,
    /// A stable name in lower case with dashes: that of a [`Code`], or one of your
    /// own.
    pub code: Cow<'static, str>,
    /// The summary, a short phrase.
    pub summary: Cow<'static, str>,
    /// The explanation, in sentences.
    pub detail: String,
    /// The help text: what to do about it, in sentences.
    pub help: Option<String>,
    /// The position.
    pub range: Range,
    /// Further positions.
    pub related: Vec<Related>,
    /// The text around the position. `None` if the file could not be read, or if the text may
    /// contain secrets.
    pub snippet: Option<Snippet>,
    /// The rule that found it, unless it comes from the library.
    pub rule: Option<FoundBy>,
    /// Whether the position has lines. It has none if the file could not be read.
    pub has_lines: bool,
}

/// The rule that found a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundBy {
    /// Its name.
    pub name: String,
    /// How to fix its findings.
    pub help: Option<String>,
    /// The URL of its documentation.
    pub url: Option<String>,
}

impl FoundBy {
    /// Makes a rule with this name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), help: None, url: None }
    }

    /// Sets the help text.
    #[must_use]
    pub fn with_help(mut self, help: Option<impl Into<String>>) -> Self {
        self.help = help.map(Into::into);
        self
    }

    /// Sets the URL of the documentation.
    #[must_use]
    pub fn with_url(mut self, url: Option<impl Into<String>>) -> Self {
        self.url = url.map(Into::into);
        self
    }
}

/// A further position in a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// A note on the position, such as "first set here".
    pub message: Cow<'static, str>,
    /// The position.
    pub range: Range,
    /// The text around it.
    pub excerpt: Option<Excerpt>,
}

impl Related {
    /// Makes a further position.
    #[must_use]
    pub fn new(
        message: impl Into<Cow<'static, str>>,
        range: Range,
        excerpt: Option<Excerpt>,
    ) -> Self {
        Self { message: message.into(), range, excerpt }
    }
}

/// The text around the position of a diagnostic. Offsets are in bytes of `code`, which is a part of
/// the line if the line is long.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snippet {
    /// The text.
    pub code: String,
    /// The line, from 1.
    pub start_line: u64,
    /// The start of the position in the text.
    pub highlight_start_offset: usize,
    /// The end of the position in the text.
    pub highlight_end_offset: usize,
}

impl OwnedDiagnostic {
    /// Makes a diagnostic of your own rule. Keeps no text of a plan or a state. Its cost is that of a position, see
    /// [`Source::position`].
    ///
    /// ```
    /// use simd_hcl::diagnostic::Label;
    /// use simd_hcl::{Arena, OwnedDiagnostic, Severity, Source, Span};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\n")?;
    /// let place = Label::new(source, Span::new(0, 1));
    /// let found = OwnedDiagnostic::new("short-name", Severity::Warning, place)
    ///     .with_summary("Short name")
    ///     .with_detail("The name has one letter.");
    /// assert!(!found.is_error());
    /// assert!(found.to_string().starts_with("main.tf:1:1: warning[short-name]: "));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn new(code: impl Into<Cow<'static, str>>, severity: Severity, place: Label<'_>) -> Self {
        let range = Range::of_label(place);
        Self {
            severity,
            code: code.into(),
            summary: Cow::Borrowed(""),
            detail: String::new(),
            help: None,
            snippet: excerpt(place).map(|excerpt| Snippet::of(excerpt, &range)),
            range,
            related: Vec::new(),
            rule: None,
            has_lines: !place.source.bytes().is_empty(),
        }
    }

    /// Makes an owned copy of a diagnostic of the library. Keeps the text around its positions, but
    /// not that of a plan or a state, which may contain secrets: see [`Source::is_secret`].
    ///
    /// ```
    /// use simd_hcl::{Arena, OwnedDiagnostic, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a: 1\n")?;
    /// let found = OwnedDiagnostic::of(&ParsedFile::native(&arena, source).diagnostics()[0]);
    /// drop(arena);
    /// assert_eq!(found.code, "colon-for-equals");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn of(diagnostic: &Diagnostic<'_>) -> Self {
        Self::showing(diagnostic, |_| true)
    }

    /// Like [`of`](Self::of), but keeps the text around positions only in the sources for which
    /// `shows` returns true.
    #[must_use]
    pub fn showing(diagnostic: &Diagnostic<'_>, shows: impl Fn(Source<'_>) -> bool) -> Self {
        let mut this =
            Self::new(diagnostic.code().as_str(), diagnostic.severity(), diagnostic.primary())
                .with_summary(diagnostic.summary())
                .with_detail(diagnostic.detail());
        this.help = diagnostic.help();
        this.snippet = this.snippet.filter(|_| shows(diagnostic.source()));
        for related in diagnostic.related() {
            this = this.with_related(related.message.to_owned(), related.label);
            if let Some(last) = this.related.last_mut().filter(|_| !shows(related.label.source)) {
                last.excerpt = None;
            }
        }
        this
    }

    /// The first error of a text, without the text around it, which may be that of a plan or a state.
    pub(crate) fn of_error(error: &Diagnostic<'_>) -> Box<Self> {
        let this = Self::showing(error, |_| false);
        Box::new(Self { has_lines: true, ..this })
    }

    /// A diagnostic of a stream, whose text is not kept.
    pub(crate) fn of_stream(
        code: Code,
        arguments: &[&str],
        (start, end): (Position, Position),
        name: &str,
    ) -> Box<Self> {
        Box::new(Self {
            severity: code.severity(),
            code: code.as_str().into(),
            summary: code.summary().into(),
            detail: code.detail_with(arguments),
            help: code.help_with(arguments),
            range: Range { filename: name.to_owned(), start, end, code_points: None },
            related: Vec::new(),
            snippet: None,
            rule: None,
            has_lines: true,
        })
    }

    /// The error of a source with this name that could not be created.
    #[must_use]
    pub fn unreadable(name: &str, error: &SourceError) -> Box<Self> {
        let (code, argument) = reason(error);
        let place = (Position::START, Position::START);
        let this = Self::of_stream(code, &[&argument], place, name);
        Box::new(Self { has_lines: false, ..*this })
    }

    /// The code, if it is one of the library.
    ///
    /// ```
    /// use simd_hcl::diagnostic::Label;
    /// use simd_hcl::{Arena, OwnedDiagnostic, Severity, Source, Span};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\n")?;
    /// let place = Label::new(source, Span::new(0, 1));
    /// let found = OwnedDiagnostic::new("duplicate-argument", Severity::Error, place);
    /// assert_eq!(found.known_code(), Some(simd_hcl::Code::DuplicateArgument));
    /// assert!(OwnedDiagnostic::new("mine", Severity::Error, place).known_code().is_none());
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn known_code(&self) -> Option<Code> {
        Code::from_name(&self.code)
    }

    /// Sets the summary.
    #[must_use]
    pub fn with_summary(mut self, summary: impl Into<Cow<'static, str>>) -> Self {
        self.summary = summary.into();
        self
    }

    /// Sets the explanation.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Adds a further position.
    #[must_use]
    pub fn with_related(mut self, message: impl Into<Cow<'static, str>>, label: Label<'_>) -> Self {
        self.related.push(Related::new(message, Range::of_label(label), excerpt(label)));
        self
    }

    /// Sets the help text: what to do about it.
    ///
    /// ```
    /// use simd_hcl::diagnostic::Label;
    /// use simd_hcl::{Arena, OwnedDiagnostic, Severity, Source, Span};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\n")?;
    /// let place = Label::new(source, Span::new(0, 1));
    /// let found = OwnedDiagnostic::new("short-name", Severity::Warning, place)
    ///     .with_detail("The name has one letter.")
    ///     .with_help("Use more.");
    /// assert_eq!(found.message(), "The name has one letter. Use more.");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the rule that found it.
    #[must_use]
    pub fn with_rule(mut self, rule: Option<FoundBy>) -> Self {
        self.rule = rule;
        self
    }

    /// The kind of the diagnostic: the name of the rule that found it, otherwise the code.
    #[must_use]
    pub fn id(&self) -> &str {
        self.rule.as_ref().map_or(&*self.code, |rule| &rule.name)
    }

    /// The detail, and the help if there is any, as one text.
    #[must_use]
    pub fn message(&self) -> Cow<'_, str> {
        match &self.help {
            Some(help) => format!("{} {help}", self.detail).into(),
            None => self.detail.as_str().into(),
        }
    }

    /// Whether it is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// All its positions, the primary one first.
    pub fn ranges_mut(&mut self) -> impl Iterator<Item = &mut Range> {
        let related = self.related.iter_mut().map(|related| &mut related.range);
        std::iter::once(&mut self.range).chain(related)
    }
}

impl Snippet {
    fn of(excerpt: Excerpt, range: &Range) -> Self {
        Self {
            code: excerpt.text,
            start_line: range.start.line,
            highlight_start_offset: excerpt.start,
            highlight_end_offset: excerpt.end,
        }
    }
}

/// The excerpt; `None` for a file that could not be read, or whose text may contain secrets.
fn excerpt(label: Label<'_>) -> Option<Excerpt> {
    let is_shown = !label.source.bytes().is_empty() && !label.source.is_secret();
    is_shown.then(|| Excerpt::of(label.source, label.span))
}

impl From<&Diagnostic<'_>> for OwnedDiagnostic {
    fn from(diagnostic: &Diagnostic<'_>) -> Self {
        Self::of(diagnostic)
    }
}

impl From<Diagnostic<'_>> for Box<OwnedDiagnostic> {
    fn from(diagnostic: Diagnostic<'_>) -> Self {
        Self::new(OwnedDiagnostic::of(&diagnostic))
    }
}

impl From<Diagnostic<'_>> for OwnedDiagnostic {
    fn from(diagnostic: Diagnostic<'_>) -> Self {
        Self::of(&diagnostic)
    }
}

impl fmt::Display for OwnedDiagnostic {
    /// `NAME:LINE:COLUMN: SEVERITY[CODE]: SUMMARY: MESSAGE`, on one line. Control characters are
    /// escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", visible(&self.range.filename))?;
        if self.has_lines {
            write!(f, "{}:{}:", self.range.start.line, self.range.start.column)?;
        }
        let (severity, id) = (self.severity.as_str(), visible(self.id()));
        write!(f, " {severity}[{id}]")?;
        for text in [&*self.summary, &self.message()].into_iter().filter(|text| !text.is_empty()) {
            write!(f, ": {}", visible(text))?;
        }
        Ok(())
    }
}

impl fmt::Debug for OwnedDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "render")]
        if self.snippet.is_some() {
            return f.write_str(Renderer::plain().render(self).trim_end());
        }
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for OwnedDiagnostic {}
