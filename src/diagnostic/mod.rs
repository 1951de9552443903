//! Diagnostics: errors and warnings as plain data.
//!
//! A [`Diagnostic`] has a stable [`Code`], a severity, a primary place, related places, and
//! arguments. The text is only created when it is displayed: [`Diagnostic::detail`] and
//! [`Diagnostic::help`] fill the arguments into the code's texts. Rules of another crate have their
//! own codes ([`CustomCode`]). Readers and rules report to a [`Sink`], which the caller chooses:
//!
//! | sink | keeps |
//! |---|---|
//! | `()` | nothing |
//! | `Option<Diagnostic>` | the first |
//! | `Vec<Diagnostic>` | all, in order |
//! | a closure | those that it chooses; an `OwnedDiagnostic` outlives the arena |
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
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```

mod alike;
mod code;
mod fix;
mod repair;

use std::borrow::Cow;
use std::fmt;

use bumpalo::Bump;

pub(crate) use self::alike::report_alike;
pub use self::code::{Code, CustomCode};
pub use self::fix::Fix;
use self::repair::Repair;
pub use self::repair::Safety;
use crate::source::{Source, SourceError};
use crate::span::Span;
use crate::suggest::DidYouMean;

/// The severity of a diagnostic.
///
/// ```
/// use simd_hcl::Severity;
///
/// assert_eq!(Severity::Error.to_string(), "error");
/// assert!(Severity::Error > Severity::Warning);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The tools accept the file, but it probably does not mean what the author intended.
    Warning,
    /// The tools reject the file.
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
///
/// ```
/// use simd_hcl::diagnostic::Label;
/// use simd_hcl::{Arena, Source, Span};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"a = 1")?;
/// let label = Label::new(source, Span::new(4, 5));
/// assert_eq!(label.span.slice(label.source.bytes()), b"1");
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label<'a> {
    /// The source.
    pub source: Source<'a>,
    /// The bytes; empty for a place between bytes.
    pub span: Span,
}

impl<'a> Label<'a> {
    /// Returns the place `span` in `source`.
    #[must_use]
    pub const fn new(source: Source<'a>, span: Span) -> Self {
        Self { source, span }
    }
}

/// An error or a warning. Its texts are created on demand.
///
/// It borrows from the arena of its source; an `OwnedDiagnostic` does not:
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
    /// Apart, because most diagnostics have none of these, and in the arena, because a diagnostic
    /// may be kept there, and an arena drops nothing.
    rest: Option<&'a Rest<'a>>,
}

const _: () = assert!(!std::mem::needs_drop::<Diagnostic<'_>>(), "an arena would leak it");

/// The rare parts of a diagnostic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Rest<'a> {
    related: &'a [Related<'a>],
    suggestion: Option<&'a str>,
    /// The arguments without what they repeat of values.
    hiding: Option<[&'a str; 3]>,
    /// Whether it is without these.
    is_withheld: bool,
    repair: Option<Repair<'a>>,
}

/// A related place of a diagnostic, with a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related<'a> {
    /// The place.
    pub label: Label<'a>,
    /// The note, a phrase such as "first set here".
    pub message: &'a str,
}

impl<'a> Diagnostic<'a> {
    /// Returns a diagnostic of `code` at `primary`, with the code's default severity.
    ///
    /// ```
    /// use simd_hcl::diagnostic::{CustomCode, Label};
    /// use simd_hcl::{Arena, Code, Diagnostic, Severity, Source, Span};
    ///
    /// static SHORT: CustomCode =
    ///     CustomCode::new("acme-short", Severity::Warning, "Short name", "\"{0}\" is short.");
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\n")?;
    /// let place = Label::new(source, Span::new(0, 1));
    /// let found = Diagnostic::new(Code::Custom(&SHORT), place).with_arguments(&["a"]);
    /// assert_eq!(found.detail(), "\"a\" is short.");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn new(code: Code, primary: Label<'a>) -> Self {
        Self { code, severity: code.severity(), primary, arguments: [""; 3], rest: None }
    }

    /// The error of a file that could not be read; its source is
    /// [empty](Source::empty).
    #[must_use]
    pub fn unreadable(source: Source<'a>, error: &SourceError) -> Self {
        let (code, argument) = reason(error);
        Self::new(code, Label::new(source, Span::at(0)))
            .with_arguments(&[source.arena().str(&argument)])
    }

    /// Sets the arguments of the code's texts: at most three, in the order of the texts.
    #[must_use]
    pub fn with_arguments(mut self, arguments: &[&'a str]) -> Self {
        for (slot, &argument) in self.arguments.iter_mut().zip(arguments) {
            *slot = argument;
        }
        self
    }

    /// Changes the code, and keeps the places and arguments.
    pub(crate) fn with_code(mut self, code: Code) -> Self {
        (self.code, self.severity) = (code, code.severity());
        self
    }

    /// Adds the name that was probably meant, if there is one: [`Diagnostic::help`] suggests it.
    ///
    /// ```
    /// use simd_hcl::diagnostic::{CustomCode, Label};
    /// use simd_hcl::{Arena, Code, Diagnostic, Severity, Source, Span};
    ///
    /// static SHORT: CustomCode =
    ///     CustomCode::new("acme-short", Severity::Warning, "Short name", "\"{0}\" is short.");
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\n")?;
    /// let place = Label::new(source, Span::new(0, 1));
    /// let found = Diagnostic::new(Code::Custom(&SHORT), place).with_suggestion(Some("size"));
    /// assert_eq!(found.help().as_deref(), Some("Did you mean \"size\"?"));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn with_suggestion(self, name: Option<&'a str>) -> Self {
        match name {
            None if self.rest.is_none() => self,
            _ => self.with_rest(|_, rest| rest.suggestion = name),
        }
    }

    /// Adds a related place. Cost: linear in the related places.
    ///
    /// ```
    /// use simd_hcl::diagnostic::{CustomCode, Label};
    /// use simd_hcl::{Arena, Code, Diagnostic, Severity, Source, Span};
    ///
    /// static SHORT: CustomCode =
    ///     CustomCode::new("acme-short", Severity::Warning, "Short name", "\"{0}\" is short.");
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\n")?;
    /// let place = Label::new(source, Span::new(0, 1));
    /// let found = Diagnostic::new(Code::Custom(&SHORT), place)
    ///     .with_related(Label::new(source, Span::new(4, 5)), "set here");
    /// assert_eq!(found.related()[0].message, "set here");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn with_related(self, label: Label<'a>, message: &'a str) -> Self {
        self.with_rest(|bump, rest| {
            let added = Related { label, message };
            let earlier = rest.related;
            let with_added = |at| earlier.get(at).copied().unwrap_or(added);
            rest.related = bump.alloc_slice_fill_with(earlier.len() + 1, with_added);
        })
    }

    /// Adds the edit that repairs this: `text` instead of the bytes of `span` in the source of the
    /// primary place. See [`Diagnostic::fix`].
    ///
    /// ```
    /// use simd_hcl::diagnostic::{CustomCode, Label, Safety};
    /// use simd_hcl::{Arena, Code, Diagnostic, Severity, Source, Span};
    ///
    /// static SHORT: CustomCode =
    ///     CustomCode::new("acme-short", Severity::Warning, "Short name", "\"{0}\" is short.");
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\n")?;
    /// let name = Span::new(0, 1);
    /// let found = Diagnostic::new(Code::Custom(&SHORT), Label::new(source, name))
    ///     .with_fix(name, "size", Safety::Unsafe);
    /// assert_eq!(found.fix().unwrap().text, "size");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn with_fix(self, span: Span, text: &'a str, safety: Safety) -> Self {
        self.with_rest(|_, rest| rest.repair = Some(Repair { span, text, safety }))
    }

    /// Adds the edit that repairs this, if there is one.
    pub(crate) fn with_repair(self, fix: Option<Fix>) -> Self {
        let Some(Fix { span, text, safety, .. }) = fix else { return self };
        let text = self.source().arena().str(&text);
        self.with_fix(span, text, safety)
    }

    /// Changes the rare parts.
    fn with_rest(mut self, change: impl FnOnce(&'a Bump, &mut Rest<'a>)) -> Self {
        let bump = self.primary.source.arena().bump();
        let mut rest = self.rest.copied().unwrap_or_default();
        change(bump, &mut rest);
        self.rest = Some(bump.alloc(rest));
        self
    }

    /// Changes the severity.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// The code.
    ///
    /// ```
    /// use simd_hcl::Code;
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a {\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// assert_eq!(file.diagnostics()[0].code(), Code::UnclosedBlock);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// The severity.
    ///
    /// ```
    /// use simd_hcl::Severity;
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a: 1\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// assert_eq!(file.diagnostics()[0].severity(), Severity::Error);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The primary place.
    #[must_use]
    pub fn primary(&self) -> Label<'a> {
        self.primary
    }

    /// The source of the primary place.
    #[must_use]
    pub fn source(&self) -> Source<'a> {
        self.primary.source
    }

    /// The bytes of the primary place.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a: 1\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let span = file.diagnostics()[0].span();
    /// assert_eq!(span.slice(source.bytes()), b":");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn span(&self) -> Span {
        self.primary.span
    }

    /// The related places.
    #[must_use]
    pub fn related(&self) -> &[Related<'a>] {
        self.rest.map_or(&[], |rest| rest.related)
    }

    /// The arguments of the code's texts.
    pub(crate) fn arguments(&self) -> [&'a str; 3] {
        self.arguments
    }

    /// Whether its texts, or that of its edit, may repeat values.
    pub(crate) fn may_repeat_values(&self) -> bool {
        let named = self.code.named();
        let may_be_value = |(argument, is_name): (&&str, bool)| !is_name && !argument.is_empty();
        let may_repeat = match self.rest.and_then(|rest| rest.hiding) {
            Some(hiding) => hiding != self.arguments,
            None => self.arguments.iter().zip(named).any(may_be_value),
        };
        may_repeat
            || self.suggestion().is_some_and(|_| !named[0])
            || self.rest.is_some_and(|rest| rest.repair.is_some())
    }

    /// Adds the arguments as they are without what they repeat of values.
    pub(crate) fn with_hiding(self, arguments: [&'a str; 3]) -> Self {
        self.with_rest(|_, rest| rest.hiding = Some(arguments))
    }

    /// The same without what it repeats of values: for an expression at a place whose values must not be shown.
    /// `hidden` is in the place of arguments of which it is not known whether they do.
    pub(crate) fn without_values(&self, hidden: &'a str) -> Self {
        let known = self.rest.and_then(|rest| rest.hiding);
        let named = self.code.named();
        let arguments = known.unwrap_or_else(|| {
            let mut arguments = self.arguments;
            for (argument, is_name) in arguments.iter_mut().zip(named) {
                if !is_name && !argument.is_empty() {
                    *argument = hidden;
                }
            }
            arguments
        });
        let suggestion = self.suggestion().filter(|_| named[0]);
        Self { arguments, ..self.clone() }.with_rest(|_, rest| {
            (rest.suggestion, rest.is_withheld) = (suggestion, true);
        })
    }

    /// The name that was probably meant instead of an unknown one.
    #[must_use]
    pub fn suggestion(&self) -> Option<&'a str> {
        self.rest?.suggestion
    }

    /// Returns the edit that repairs this, if exactly one edit does: what reported it has added the
    /// edit ([`with_fix`](Self::with_fix)). Those of the library cannot change what else the file means.
    ///
    /// A syntax error may hide others, so parse the file again after an edit. The codes with edits:
    ///
    /// | codes | edit |
    /// |---|---|
    /// | `byte-order-mark`, `trailing-comma`, `comma-after-argument` | deletes it |
    /// | `equals-for-colon`, `colon-for-equals` | writes the other sign |
    /// | `missing-comma`, `missing-item-separator`, `missing-argument-separator`, `missing-attribute-separator` | inserts a comma |
    /// | `unquoted-name`, `single-quote`, `invalid-character` (a single quote) | writes double quotes |
    /// | `quoted-name`, `quoted-reference`, `invalid-type` | removes the quotes around a name, a reference, or a primitive type |
    /// | `invalid-keyword` | writes `True`, `None` and the like as in JSON |
    /// | `control-character` | writes an escape sequence, except for line breaks |
    /// | `ignore-wildcard` | writes `all` for `["*"]` |
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"locals {\n  a: 1\n}\n")?;
    /// let fix = ParsedFile::native(&arena, source).diagnostics()[0].fix().unwrap();
    /// assert_eq!((fix.span.start, fix.span.end, &*fix.text), (12, 13, " ="));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn fix(&self) -> Option<Fix> {
        let Repair { span, text, safety } = self.rest?.repair?;
        let is_hidden = self.rest.is_some_and(|rest| rest.is_withheld);
        Some(Fix { span, text: Cow::Owned(text.to_owned()), safety, is_hidden })
    }

    /// The headline, the same for every diagnostic of the code.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.code.summary()
    }

    /// The explanation with arguments filled in.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a: 1\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let error = &file.diagnostics()[0];
    /// assert!(error.detail().ends_with('.'));
    /// assert!(error.to_string().starts_with("main.tf:1:2: error[colon-for-equals]: "));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn detail(&self) -> String {
        self.code.detail_with(&self.arguments)
    }

    /// The help with arguments filled in: the suggestion as a question, then the help of the code.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        let help = self.code.help_with(&self.arguments);
        match (self.suggestion(), help) {
            (None, help) => help,
            (Some(name), None) => Some(DidYouMean(name).to_string()),
            (Some(name), Some(help)) => Some(format!("{} {help}", DidYouMean(name))),
        }
    }

    /// The detail and the help, if there is one, as one text.
    #[must_use]
    pub fn message(&self) -> String {
        joined(self.detail(), self.help())
    }
}

/// The code and the argument of the error of a file that could not be read.
pub(crate) fn reason(error: &SourceError) -> (Code, String) {
    match error {
        SourceError::Outside { target } => {
            (Code::LinkOutside, target.to_string_lossy().into_owned())
        }
        error => (Code::UnreadableFile, error.to_string()),
    }
}

/// Joins a detail and the help to one text.
fn joined(mut detail: String, help: Option<String>) -> String {
    if let Some(help) = help {
        detail.push(' ');
        detail.push_str(&help);
    }
    detail
}

impl fmt::Display for Diagnostic<'_> {
    /// Writes `NAME:LINE:COLUMN: SEVERITY[CODE]: SUMMARY: MESSAGE` on one line.
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

/// Receives diagnostics as they are found.
///
/// ```
/// use simd_hcl::{Arena, Diagnostic, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": 1, "a": 2}"#)?;
/// // A list keeps all diagnostics, an option the first, `()` none, and a closure decides itself.
/// let mut count = 0;
/// document.body().just_attributes(&mut |_: Diagnostic<'_>| count += 1);
/// assert_eq!(count, 1);
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
pub trait Sink<'a> {
    /// Receives one diagnostic.
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
