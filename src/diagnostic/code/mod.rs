//! The table of diagnostic codes, and of all their texts.
//!
//! Each file of this module has the codes of one topic. `docs/diagnostics.md` is generated from
//! them, in the order of [`Code::ALL`]; a test compares the two.

#[macro_use]
mod body;
#[macro_use]
mod evaluation;
#[macro_use]
mod files;
#[macro_use]
mod json;
#[macro_use]
mod module;
#[macro_use]
mod packer;
#[macro_use]
mod policy;
#[macro_use]
mod provider;
#[macro_use]
mod refactoring;
#[macro_use]
mod references;
#[macro_use]
mod resource;
#[macro_use]
mod schema;
#[macro_use]
mod show;
#[macro_use]
mod spec;
#[macro_use]
mod structure;
#[macro_use]
mod syntax;
#[macro_use]
mod terragrunt;
#[macro_use]
mod test;
#[macro_use]
mod tree;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::Severity;

/// Defines [`Code`] from all topics: for each a heading, and rows with variant, name, severity,
/// summary, detail and help (if any) with `{0}` to `{2}` for the arguments, the reference
/// implementation's summaries, and a note for the documentation.
///
/// A macro cannot expand to rows of another one. So each topic's macro appends its rows to those
/// before it, and passes them on to the first macro in the bracketed list; this one is the last.
macro_rules! define_codes {
    ([] $($topic:literal { $($variant:ident $name:literal $severity:ident $summary:literal
        detail: $detail:literal $(help: $help:literal)?
        reference: [$($reference:literal),*],
        note: $note:literal;)* })*) => {
        /// The kind of a diagnostic. The name ([`Code::as_str`]) is stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $summary] $variant,)*)*
            /// A code of another crate, for its own rules.
            Custom(&'static CustomCode),
        }

        impl Code {
            /// All codes of this crate, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)*)*];

            /// The stable name, in lower case with dashes.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($(Self::$variant => $name,)*)* Self::Custom(code) => code.name }
            }

            /// The topic, a heading of the documentation.
            #[must_use]
            pub const fn topic(self) -> &'static str {
                match self { $($(Self::$variant)|* => $topic,)* Self::Custom(_) => "Custom" }
            }

            /// Whether it is a syntax error, so that what is written there is not known.
            #[must_use]
            pub fn is_syntax_error(self) -> bool {
                let topics = ["JSON", "Native syntax: structure", "Expressions: syntax"];
                topics.contains(&self.topic()) && self.severity() == Severity::Error
            }

            /// The default severity.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $($(Self::$variant => Severity::$severity,)*)* Self::Custom(code) => code.severity }
            }

            /// The headline.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $($(Self::$variant => $summary,)*)* Self::Custom(code) => code.summary }
            }

            /// The explanation, with `{0}` to `{2}` as placeholders for arguments.
            #[must_use]
            pub const fn detail(self) -> &'static str {
                match self { $($(Self::$variant => $detail,)*)* Self::Custom(code) => code.detail }
            }

            /// The help, with `{0}` to `{2}` as placeholders for arguments. `None` if the detail is
            /// sufficient.
            #[must_use]
            pub const fn help(self) -> Option<&'static str> {
                match self { $($(Self::$variant => first_of!($($help)?),)*)* Self::Custom(code) => code.help }
            }

            /// The first lines of the reference implementation's messages for this problem, in
            /// different circumstances; empty if it does not report the problem.
            #[must_use]
            pub const fn reference_summaries(self) -> &'static [&'static str] {
                match self { $($(Self::$variant => &[$($reference),*],)*)* Self::Custom(_) => &[] }
            }

            /// A note for the documentation: when it is reported.
            #[must_use]
            pub const fn note(self) -> &'static str {
                match self { $($(Self::$variant => $note,)*)* Self::Custom(_) => "" }
            }
        }
    };
}

/// Expands to the literal as `Some`, or to `None` without one.
macro_rules! first_of {
    () => {
        None
    };
    ($literal:literal) => {
        Some($literal)
    };
}

// The order of the topics is that of the documentation.
files_codes! { [json_codes body_codes structure_codes syntax_codes evaluation_codes references_codes module_codes resource_codes refactoring_codes provider_codes tree_codes schema_codes spec_codes test_codes packer_codes terragrunt_codes show_codes policy_codes define_codes] }

/// Whether all placeholders of a text are those of its three arguments.
const fn has_known_placeholders(text: &str) -> bool {
    let text = text.as_bytes();
    let mut at = 0;
    while at + 2 < text.len() {
        if text[at] == b'{'
            && text[at + 1].is_ascii_digit()
            && (text[at + 1] > b'2' || text[at + 2] != b'}')
        {
            return false;
        }
        at += 1;
    }
    true
}

const _: () = {
    let mut at = 0;
    while at < Code::ALL.len() {
        assert!(has_known_placeholders(Code::ALL[at].detail()), "a detail has an unknown argument");
        if let Some(help) = Code::ALL[at].help() {
            assert!(has_known_placeholders(help), "a help has an unknown argument");
        }
        at += 1;
    }
};

/// A kind of diagnostic that another crate reports, with its own name and texts, such as a rule of
/// a linter. It is reported to the same [`Sink`](super::Sink) as the library's diagnostics, and
/// displayed in the same way.
///
/// ```
/// use simd_hcl::diagnostic::{Code, CustomCode, Diagnostic, Severity, Sink};
/// use simd_hcl::{Arena, Document};
///
/// static CAPITALS: CustomCode =
///     CustomCode::new("acme-capitals", Severity::Warning, "Name with capitals", "Write \"{0}\" in lower case.");
///
/// fn check<'a>(document: Document<'a>, sink: &mut dyn Sink<'a>) {
///     for member in document.root().as_object().into_iter().flatten() {
///         let name = member.name().to_str();
///         if name.contains(char::is_uppercase) {
///             let code = Code::Custom(&CAPITALS);
///             sink.report(Diagnostic::new(code, member.name_label()).with_arguments(&[name]));
///         }
///     }
/// }
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": 1, "B": 2}"#)?;
/// let mut found = Vec::new();
/// check(document, &mut found);
/// assert_eq!(
///     found[0].to_string(),
///     "a.json:1:10: warning[acme-capitals]: Name with capitals: Write \"B\" in lower case."
/// );
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CustomCode {
    name: &'static str,
    severity: Severity,
    summary: &'static str,
    detail: &'static str,
    help: Option<&'static str>,
    /// Whether all arguments are names of the language or of declared objects.
    has_names: bool,
}

impl CustomCode {
    /// Returns a code. The name is in lower case with dashes, and starts with the name of the crate
    /// or the company, so that it is distinct from the library's codes. In the detail, `{0}` to
    /// `{2}` are placeholders for the arguments of a diagnostic.
    #[must_use]
    pub const fn new(
        name: &'static str,
        severity: Severity,
        summary: &'static str,
        detail: &'static str,
    ) -> Self {
        Self { name, severity, summary, detail, help: None, has_names: false }
    }

    /// Returns a code whose texts are known only when the program runs, such as that of a rule in a
    /// file. It is kept until the program ends, once for the same texts.
    #[must_use]
    pub fn kept(
        name: &str,
        severity: Severity,
        summary: &str,
        detail: &str,
        help: Option<&str>,
    ) -> &'static Self {
        type Texts = (String, Severity, String, String, Option<String>);
        static KEPT: Mutex<BTreeMap<Texts, &'static CustomCode>> = Mutex::new(BTreeMap::new());
        let texts: Texts =
            (name.into(), severity, summary.into(), detail.into(), help.map(Into::into));
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entry(texts).or_insert_with(|| {
            let keep = |text: &str| -> &'static str { String::leak(text.to_owned()) };
            let code = Self::new(keep(name), severity, keep(summary), keep(detail));
            Box::leak(Box::new(Self { help: help.map(keep), ..code }))
        })
    }

    /// Has the arguments shown wherever a diagnostic is: they are names of the language or of declared
    /// objects, and never made of values.
    #[must_use]
    pub const fn with_names(self) -> Self {
        Self { has_names: true, ..self }
    }

    /// Sets the help. `{0}` to `{2}` are placeholders for the arguments, as in the detail.
    #[must_use]
    pub const fn with_help(mut self, help: &'static str) -> Self {
        self.help = Some(help);
        self
    }
}

impl Code {
    /// Which arguments of its texts are names of the language or of declared objects, and never made of values.
    pub(super) const fn named(self) -> [bool; 3] {
        match self {
            Self::UndeclaredReference
            | Self::UndeclaredDependency
            | Self::UnknownVariable
            | Self::VariablesNotAllowed
            | Self::UnknownFunction
            | Self::CallsNotAllowed
            | Self::CircularReference
            | Self::StaticReference
            | Self::EarlySecret
            | Self::OutOfScope
            | Self::UnknownAttribute
            | Self::InvalidReference
            | Self::EphemeralValue
            | Self::UnusedDeclaration => [true; 3],
            Self::Custom(code) => [code.has_names; 3],
            Self::VariableValue | Self::OutputValue => [true, false, false],
            _ => [false; 3],
        }
    }

    /// Returns the explanation with arguments filled in. Long arguments are truncated.
    #[must_use]
    pub fn detail_with(self, arguments: &[&str]) -> String {
        filled(self.detail(), arguments)
    }

    /// Returns the help with arguments filled in as in [`Code::detail_with`]. `None` if it would be
    /// empty.
    #[must_use]
    pub fn help_with(self, arguments: &[&str]) -> Option<String> {
        self.help().map(|help| filled(help, arguments)).filter(|help| !help.is_empty())
    }

    /// Returns the code with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name)
    }
}

/// Fills arguments in for `{0}` to `{2}`.
fn filled(template: &str, arguments: &[&str]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        text.push_str(&rest[..at]);
        let (index, len) = match rest.as_bytes().get(at + 1..at + 3) {
            Some([digit @ b'0'..=b'2', b'}']) => (usize::from(digit - b'0'), 3),
            _ => (usize::MAX, 1),
        };
        match arguments.get(index) {
            Some(argument) => push_beginning(&mut text, argument),
            None => text.push_str(&rest[at..at + len]),
        }
        rest = &rest[at + len..];
    }
    text.push_str(rest);
    text
}

/// Appends an argument. Long arguments, such as a name of ten megabytes, are truncated.
fn push_beginning(text: &mut String, argument: &str) {
    const LONGEST: usize = 200;
    match argument.char_indices().nth(LONGEST) {
        Some((end, _)) => {
            text.push_str(&argument[..end]);
            text.push('…');
        }
        None => text.push_str(argument),
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
