//! The one decision about which values of a plan or a state are shown.
//!
//! [`redact`] finds the sensitive parts of a document. A [`Shown`] answers for each value, name and
//! text of it whether it is one of them, so that every command, page, table and binding hides the
//! same: marked values, values that others mark, keys of hidden values, and text that repeats them.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::body_schema::BodySchemas;
use super::leaves::{Content, Difference, Leaf};
use super::path::{Path, Step};
use super::plan::Plan;
use super::redact::{self, Checked, Options, Places};
use super::state::{RawState, State};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::document::Document;
use crate::json::{JsonString, Node};
use crate::reference::write_name;

/// Decides which values of one or several documents are shown.
///
/// ```
/// use simd_hcl::show::{Plan, Shown, redact};
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let plan = br#"{"format_version":"1.2","resource_changes":[{"address":"a.b","change":{
///     "actions":["create"],"before":null,"after":{"key":"correct horse","copy":"correct horse"},
///     "after_unknown":{},"before_sensitive":false,"after_sensitive":{"key":true}}}]}"#;
/// let document = Document::parse_bytes(&arena, "plan.json", plan)?;
/// let plan = Plan::of(document, &mut ()).unwrap();
/// let shown = Shown::of_plan(plan, redact::Options::default());
/// let change = plan.changes().next().unwrap().change().value().unwrap();
/// assert!(change.differences().all(|difference| shown.hides(&difference)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shown {
    rule: Rule,
    /// By the number of the source, in order. A document read as a stream has one for each record.
    places: Vec<(u32, Places)>,
}

/// From the weakest to the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rule {
    Everything,
    /// All but the places.
    Outside,
    /// No value, since the document may be misread.
    NoValue,
}

impl Shown {
    /// Everything is shown, sensitive values included.
    #[must_use]
    pub fn everything() -> Self {
        Self { rule: Rule::Everything, places: Vec::new() }
    }

    /// Shows all but the places of a document, which are of the source of `node`.
    #[must_use]
    pub fn outside(node: Node<'_>, places: Places) -> Self {
        Self::outside_of([(node, places)])
    }

    /// Like [`outside`](Self::outside), for several documents of one arena.
    pub(crate) fn outside_of<'a>(all: impl IntoIterator<Item = (Node<'a>, Places)>) -> Self {
        let places = all.into_iter().map(|(node, places)| (node.source().id(), places));
        let mut places: Vec<(u32, Places)> = places.collect();
        places.sort_by_key(|(source, _)| *source);
        Self { rule: Rule::Outside, places }
    }

    /// Shows of the documents of either what both show. They have one arena.
    #[must_use]
    pub fn and(mut self, mut other: Self) -> Self {
        self.places.append(&mut other.places);
        self.places.sort_by_key(|(source, _)| *source);
        self.rule = self.rule.max(other.rule);
        self
    }

    fn of(node: Node<'_>, checked: Checked) -> Self {
        let mut shown = Self::outside(node, checked.places);
        if !checked.is_understood {
            shown.rule = Rule::NoValue;
        }
        shown
    }

    /// Decides what is shown of a plan. No value of a plan that may be misread is: [`redact::check`] says
    /// why.
    #[must_use]
    pub fn of_plan(plan: Plan<'_>, options: Options) -> Self {
        Self::of(plan.object().node(), redact::in_plan(plan, options, &mut ()))
    }

    /// Decides what is shown of a printed state, as [`of_plan`](Self::of_plan) does.
    #[must_use]
    pub fn of_state(state: State<'_>, options: Options) -> Self {
        Self::of(state.object().node(), redact::in_state(state, options, &mut ()))
    }

    /// Decides what is shown of a state file, as [`of_plan`](Self::of_plan) does, by its marks and by the
    /// schemas of its types. A warning names the types without a schema that have values without marks.
    #[must_use]
    pub fn of_raw_state<'a>(
        state: RawState<'a>,
        options: Options,
        schemas: Option<&BodySchemas<'_>>,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let mut found: Vec<Diagnostic<'a>> = Vec::new();
        let checked = redact::in_raw_state(state, options, schemas, &mut found);
        let warnings = found.into_iter().filter(|it| it.code() == Code::MissingStateSchema);
        warnings.for_each(|warning| sink.report(warning));
        Self::of(state.object().node(), checked)
    }

    /// Whether all values are hidden, since the document may be misread.
    #[must_use]
    pub fn is_unclear(&self) -> bool {
        self.rule == Rule::NoValue
    }

    fn places(&self, node: Node<'_>) -> Option<&Places> {
        let place = self.places.binary_search_by_key(&node.source().id(), |(source, _)| *source);
        place.ok().and_then(|place| self.places.get(place)).map(|(_, places)| places)
    }

    /// Whether a value, or a part of it, is hidden.
    #[must_use]
    pub fn hides_node(&self, node: Node<'_>) -> bool {
        match self.rule {
            Rule::Everything => false,
            Rule::Outside => self.places(node).is_some_and(|places| places.touch(node.span())),
            Rule::NoValue => true,
        }
    }

    fn hides_content(&self, content: Content<'_>) -> bool {
        match content {
            Content::Known(node) => self.hides_node(node),
            Content::Absent | Content::Null | Content::Unknown => false,
        }
    }

    /// Whether a leaf is hidden.
    #[must_use]
    pub fn hides_leaf(&self, leaf: &Leaf<'_>) -> bool {
        self.rule != Rule::Everything && (leaf.is_sensitive || self.hides_content(leaf.content))
    }

    /// Whether both sides of a difference are hidden.
    #[must_use]
    pub fn hides(&self, difference: &Difference<'_>) -> bool {
        self.hides_leaf(&difference.before) || self.hides_leaf(&difference.after)
    }

    /// The text of a value, in which the hidden parts are [`redact::REDACTED`].
    #[must_use]
    pub fn value<'a>(&self, node: Node<'a>) -> Cow<'a, [u8]> {
        if !self.hides_node(node) {
            return Cow::Borrowed(node.text());
        }
        match self.places(node).filter(|_| self.rule != Rule::NoValue) {
            Some(places) => {
                let mut text = Vec::new();
                // Writing into memory does not fail.
                let _ = redact::write_span(node.source(), node.span(), places, &mut text);
                Cow::Owned(text)
            }
            None => Cow::Borrowed(redact::REDACTED.as_bytes()),
        }
    }

    /// A value without its hidden parts: the value itself if it has none, otherwise a copy in the
    /// same arena.
    #[must_use]
    pub fn node<'a>(&self, node: Node<'a>) -> Option<Node<'a>> {
        if !self.hides_node(node) {
            return Some(node);
        }
        let arena = node.source().arena();
        let text = arena.bump().alloc_slice_copy(&self.value(node));
        Document::parse_bytes(arena, "", text).ok().map(Document::root)
    }

    /// A name or an address of the document that `of` is a part of, without the texts of hidden
    /// values. A plain word stays, except in the key of an instance.
    #[must_use]
    pub fn name<'t>(&self, of: Node<'_>, name: &'t str) -> Cow<'t, str> {
        match self.places(of) {
            Some(places) => places.without_names(name),
            None => Cow::Borrowed(name),
        }
    }

    /// Like [`name`](Self::name), for a column of a row.
    pub(super) fn name_of<'t>(&self, of: Node<'_>, name: Cow<'t, str>) -> Option<Cow<'t, str>> {
        Some(match name {
            Cow::Borrowed(name) => self.name(of, name),
            Cow::Owned(name) => match self.name(of, &name) {
                Cow::Owned(shown) => Cow::Owned(shown),
                Cow::Borrowed(_) => Cow::Owned(name),
            },
        })
    }

    /// Like [`text`](Self::text), for a column of a row.
    pub(super) fn text_of<'t>(&self, of: Node<'_>, text: &'t str) -> Option<Cow<'t, str>> {
        Some(self.text(of, text))
    }

    /// A text of the document that `of` is a part of, such as a message, without those of hidden
    /// values.
    #[must_use]
    pub fn text<'t>(&self, of: Node<'_>, text: &'t str) -> Cow<'t, str> {
        match self.places(of) {
            Some(places) => places.without_texts(text),
            None => Cow::Borrowed(text),
        }
    }

    /// A message about the documents without the texts of hidden values.
    #[must_use]
    pub fn message<'a>(&self, arena: &'a Arena, message: Diagnostic<'a>) -> Diagnostic<'a> {
        if !self.has_texts() {
            return message;
        }
        let arguments = message.arguments().map(|text| match self.anything(text) {
            Cow::Borrowed(text) => text,
            Cow::Owned(text) => arena.str(&text),
        });
        message.with_arguments(&arguments)
    }

    /// A text about the documents without those of hidden values.
    #[must_use]
    pub fn anything<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        for (_, places) in self.places.iter().filter(|(_, places)| places.has_texts()) {
            if let Cow::Owned(left) = places.without_texts(&text) {
                text = Cow::Owned(left);
            }
        }
        text
    }

    fn has_texts(&self) -> bool {
        self.places.iter().any(|(_, places)| places.has_texts())
    }

    /// The name of a member without its hidden parts.
    #[must_use]
    pub fn member<'a>(&self, name: JsonString<'a>) -> Cow<'a, str> {
        let places = self.places(name.node());
        match places.filter(|places| places.touch(name.span())) {
            // All of the object is hidden, with its names.
            Some(places) if places.has(name.span()) => Cow::Borrowed(redact::REDACTED_TEXT),
            Some(places) => places.without_names(name.to_str()),
            None => Cow::Borrowed(name.to_str()),
        }
    }

    /// A path without its hidden names, as a reference.
    #[must_use]
    pub fn path(&self, path: Path<'_, '_>) -> String {
        if self.places.is_empty() {
            return path.to_string();
        }
        let mut text = String::new();
        for (place, step) in path.steps().iter().enumerate() {
            // Writing into memory does not fail.
            let _ = match step {
                Step::Index(index) => write!(text, "[{index}]"),
                Step::Name(name) => write_name(&mut text, &self.member(*name), place == 0),
            };
        }
        text
    }
}
