//! Redaction: replaces the sensitive values of a plan or state, and keeps all other bytes.
//!
//! Two steps find the parts to replace. The first one follows the marks of the document by path:
//! changes, drift, deferred changes, actions, planned and prior values, outputs, variables
//! ([`values`]), and the expressions of the configuration that these values come from
//! ([`configuration`]). The second one searches all other strings of the document for the text of
//! every sensitive string of eight or more characters ([`content`]).
//!
//! A tree of marks that does not fit its value hides all of the value. Constants in the
//! configuration of providers have no marks, so all of them are hidden. Defaults of sensitive
//! variables are hidden unless [`Options::keep_defaults`] is set. [`Shown`](super::Shown) decides
//! what may be shown in other output than a redacted document.
//!
//! ```
//! use simd_hcl::show::redact::{Options, Places, write};
//! use simd_hcl::{Arena, Document};
//!
//! let arena = Arena::new();
//! let plan = br#"{"format_version":"1.2","planned_values":{"outputs":{"key":{"sensitive":true,"value":"s3cret"}}}}"#;
//! let document = Document::parse_bytes(&arena, "plan.json", plan)?;
//! let places = Places::of(document, Options::default(), &mut ()).unwrap();
//! let mut out = Vec::new();
//! write(document.source(), &places, &mut out)?;
//! assert!(!String::from_utf8(out)?.contains("s3cret"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod by_schema;
mod check;
mod configuration;
mod content;
mod copies;
mod copy;
mod filter;
mod hints;
mod instances;
mod large;
mod marked;
mod marks;
mod matcher;
mod merged;
mod options;
mod place;
mod raw_state;
mod secrets;
mod sets;
mod stands;
mod table;
mod texts;
mod unescape;
mod values;

use std::io;

use super::body_schema::BodySchemas;
use super::config::Configuration;
use super::kind::DocumentKind;
use super::plan::Plan;
use super::state::{RawState, State};
use crate::diagnostic::{Code, Diagnostic, Severity, Sink};
use crate::document::Document;
use crate::json::{Node, Object};
use crate::parallel::{self, ForThreads};
use crate::source::Source;
use crate::span::Span;

pub use self::check::check;
pub(super) use self::copies::Copies;
pub use self::copy::write_document;
pub use self::large::{Input, Large, Refusal, Row, RowKind};
pub use self::options::Options;
pub use self::place::Places;
pub(crate) use self::raw_state::wrapped;
pub use self::stands::REDACTED;
pub(crate) use self::stands::REDACTED_TEXT;

use self::by_schema::Types;
use self::marked::{Marked, settled};
use self::place::Replacement;

impl Marked {
    /// Sorts the places, drops those inside of others, and searches the rest of the document for
    /// the same text.
    fn finish(self, root: Node<'_>, options: Options) -> Places {
        let secrets = settled(self.spans);
        let all = settled(secrets.iter().copied().chain(self.unmarked).collect());
        let mut places = Places::of_values(&all);
        places.is_malformed = self.is_malformed;
        if !options.keep_repeated_text {
            let found = content::add(root, &secrets, &mut places.places, options.is_parallel());
            places.matchers = found;
        }
        places
    }

    /// Reports the types of a state file whose sensitive values are not known.
    fn report_unmarked<'a>(&self, root: Node<'a>, sink: &mut dyn Sink<'a>) {
        /// The most types that are named.
        const NAMED: usize = 3;
        let types = &self.unmarked_types;
        if types.is_empty() {
            return;
        }
        let named: Vec<&str> = types.iter().take(NAMED).map(String::as_str).collect();
        let more = match types.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let names = root.source().arena().format(format_args!("{}{more}", named.join(", ")));
        let report = Diagnostic::new(Code::MissingStateSchema, root.start_label());
        sink.report(report.with_arguments(&[names]));
    }
}

/// The places of a document, and whether it is understood: it is not if it may be misread.
pub(super) struct Checked {
    pub(super) places: Places,
    pub(super) is_understood: bool,
}

/// Checks a document and finds its places at the same time. Reports why it is not understood.
fn checked<'a>(
    root: Node<'a>,
    options: Options,
    sink: &mut dyn Sink<'a>,
    find: impl FnOnce() -> Places + ForThreads,
) -> Checked {
    let mut found: Vec<Diagnostic<'a>> = Vec::new();
    let places = if options.is_parallel() {
        parallel::join(find, || check::check_outside_of_entries(root, &mut found)).0
    } else {
        check::check_outside_of_entries(root, &mut found);
        find()
    };
    let is_right = |found: &[Diagnostic<'_>]| {
        found.iter().all(|diagnostic| diagnostic.severity() != Severity::Error)
    };
    // After the first problem, all of them are reported.
    if places.is_malformed || !is_right(&found) {
        found.clear();
        check(root, &mut found);
    }
    let is_understood = is_right(&found);
    found.into_iter().for_each(|diagnostic| sink.report(diagnostic));
    Checked { places, is_understood }
}

/// The places of a plan.
pub(super) fn in_plan<'a>(plan: Plan<'a>, options: Options, sink: &mut dyn Sink<'a>) -> Checked {
    checked(plan.object().node(), options, sink, || Places::of_plan(plan, options))
}

/// The places of a printed state.
pub(super) fn in_state<'a>(state: State<'a>, options: Options, sink: &mut dyn Sink<'a>) -> Checked {
    checked(state.object().node(), options, sink, || Places::of_state(state, options))
}

/// The places of a state file. Warns about values of types without a schema that have no marks.
pub(super) fn in_raw_state<'a>(
    state: RawState<'a>,
    options: Options,
    schemas: Option<&BodySchemas<'_>>,
    sink: &mut dyn Sink<'a>,
) -> Checked {
    let root = state.object().node();
    let mut marked = Marked::default();
    marked.raw_state(state, &mut Types::new(schemas));
    marked.report_unmarked(root, sink);
    checked(root, options, sink, || marked.finish(root, options))
}

impl Places {
    /// The skeleton depth for redaction: resources among the values of modules that the root module
    /// calls are sealed one by one.
    pub const DEPTH: u32 = 7;

    /// The sensitive parts of a plan, a state or a state file. Reports errors and returns `None` if
    /// the document has another kind or may be misread ([`check()`]), so that secrets could be
    /// missed. [`has_marks`] says whether its format has marks at all.
    pub fn of<'a>(
        document: Document<'a>,
        options: Options,
        sink: &mut dyn Sink<'a>,
    ) -> Option<Self> {
        Self::with_schemas(document, options, None, sink)
    }

    /// Like [`of`](Self::of). In a state file, it also hides the attributes that the schemas of
    /// their types mark as sensitive. A warning names the types without a schema that have values
    /// without marks.
    pub fn with_schemas<'a>(
        document: Document<'a>,
        options: Options,
        schemas: Option<&BodySchemas<'_>>,
        sink: &mut dyn Sink<'a>,
    ) -> Option<Self> {
        let root = document.root();
        let checked = match DocumentKind::of(root) {
            DocumentKind::OldState => {
                let root = root.as_object()?;
                checked(root.node(), options, sink, || Self::of_old_state(root, options))
            }
            DocumentKind::RawState => {
                in_raw_state(RawState::of(document, sink)?, options, schemas, sink)
            }
            DocumentKind::State | DocumentKind::RedactedState | DocumentKind::OnlyVersion => {
                in_state(State::of(document, sink)?, options, sink)
            }
            _ => in_plan(Plan::of(document, sink)?, options, sink),
        };
        checked.is_understood.then_some(checked.places)
    }

    /// The sensitive parts of a plan. Opens all of it.
    #[must_use]
    pub fn of_plan(plan: Plan<'_>, options: Options) -> Self {
        let mut marked = Marked::default();
        marked.plan(plan, options);
        marked.finish(plan.object().node(), options)
    }

    /// The sensitive parts of a printed state.
    #[must_use]
    pub fn of_state(state: State<'_>, options: Options) -> Self {
        let mut marked = Marked::default();
        marked.state(state);
        marked.finish(state.object().node(), options)
    }

    /// The sensitive parts of a state file: sensitive outputs, attributes whose paths are listed,
    /// and their text elsewhere.
    #[must_use]
    pub fn of_raw_state(state: RawState<'_>, options: Options) -> Self {
        let mut marked = Marked::default();
        marked.raw_state(state, &mut Types::new(None));
        marked.finish(state.object().node(), options)
    }

    /// The sensitive parts of a state file of version 1 to 3: sensitive outputs. Attributes have no
    /// marks there; see [`has_marks`].
    #[must_use]
    pub fn of_old_state(root: Object<'_>, options: Options) -> Self {
        let mut marked = Marked::default();
        marked.old_state(root);
        marked.finish(root.node(), options)
    }

    /// The sensitive parts of a configuration that is printed without a plan.
    #[must_use]
    pub fn of_configuration(configuration: Configuration<'_>, options: Options) -> Self {
        let mut marked = Marked::default();
        configuration::Expressions::new(configuration, options).hide(None, Vec::new(), &mut marked);
        marked.finish(configuration.object().node(), options)
    }
}

/// Whether a format marks sensitive values at all. Printed documents do since version 0.2, state
/// files since version 4: older ones do not distinguish secrets from other values.
#[must_use]
pub fn has_marks(root: Node<'_>) -> bool {
    let Some(object) = root.as_object() else { return true };
    let is_first = |text: &str| {
        super::kind::version(text).is_some_and(|version| (version.major, version.minor) < (0, 2))
    };
    let printed =
        object.get("format_version").and_then(Node::to_str).is_none_or(|text| !is_first(text));
    printed && DocumentKind::of(root) != DocumentKind::OldState
}

/// Writes the document with its sensitive parts replaced: a value by [`REDACTED`], a part of a
/// string by the same text without quotes.
///
/// # Errors
/// Errors of `out`.
pub fn write(source: Source<'_>, places: &Places, out: &mut dyn io::Write) -> io::Result<()> {
    write_from(source, 0, places, out)
}

/// Like [`write()`], but starts at an offset in bytes.
///
/// # Errors
/// Errors of `out`.
pub fn write_from(
    source: Source<'_>,
    start: u32,
    places: &Places,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    write_span(source, Span::new(start, source.bytes().len() as u32), places, out)
}

/// Like [`write()`], for a part of the document, such as a value.
///
/// # Errors
/// Errors of `out`.
pub fn write_span(
    source: Source<'_>,
    span: Span,
    places: &Places,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let bytes = source.bytes();
    let bytes = bytes.get(..span.end as usize).unwrap_or(bytes);
    let text = REDACTED_TEXT.as_bytes();
    let mut done = span.start as usize;
    let first = places.places.partition_point(|place| place.span.end <= span.start);
    let all = places.places.iter().skip(first);
    for place in all.take_while(|place| place.span.start < span.end) {
        out.write_all(bytes.get(done..place.span.start as usize).unwrap_or_default())?;
        match place.replacement {
            Replacement::Value => out.write_all(REDACTED.as_bytes())?,
            Replacement::Text => out.write_all(text)?,
            Replacement::NumberedText(number) => {
                out.write_all(text)?;
                write!(out, "_{number}")?;
            }
        }
        done = place.span.end as usize;
    }
    out.write_all(bytes.get(done..).unwrap_or_default())
}
