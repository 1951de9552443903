//! The head of a change: its resource and its actions.
//!
//! A [`Head`] is read from an entry of `resource_changes`. The tools write its members before the
//! large ones, and actions first in the change, so they can be found in the text of a sealed entry
//! without opening it. An entry in another order is opened, with the same result.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::field::Read;
use super::names::{Actions, ResourceMode, token};
use super::plan::{Change, ResourceChange};
use crate::json::{self, Node, Object};
use crate::lexical::closing_quote;

/// The resource and the actions of a change: the cheapest way to list changes, at skeleton depth
/// [`Plan::LIST_DEPTH`](super::Plan::LIST_DEPTH).
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    entry: ResourceChange<'a>,
    /// The text of a sealed entry.
    text: Option<&'a [u8]>,
}

/// A searcher for the quoted name of a member.
type Name = LazyLock<Finder<'static>>;

static ADDRESS: Name = LazyLock::new(|| Finder::new(b"\"address\""));
static MODE: Name = LazyLock::new(|| Finder::new(b"\"mode\""));
static TYPE: Name = LazyLock::new(|| Finder::new(b"\"type\""));
static NAME: Name = LazyLock::new(|| Finder::new(b"\"name\""));
static CHANGE: Name = LazyLock::new(|| Finder::new(b"\"change\""));

impl<'a> Head<'a> {
    /// The absolute address of the instance; empty if it is missing.
    #[must_use]
    pub fn address(self) -> &'a str {
        self.address_or_none().unwrap_or_default()
    }

    /// The kind of resource; managed if it is missing.
    #[must_use]
    pub fn mode(self) -> ResourceMode<'a> {
        self.mode_or_none().unwrap_or(ResourceMode::Managed)
    }

    /// The resource type; empty if it is missing.
    #[must_use]
    pub fn resource_type(self) -> &'a str {
        self.type_or_none().unwrap_or_default()
    }

    /// The name of the block; empty if it is missing.
    #[must_use]
    pub fn name(self) -> &'a str {
        self.name_or_none().unwrap_or_default()
    }

    /// The actions; empty if they are missing.
    #[must_use]
    pub fn actions(self) -> Actions<'a> {
        let found = self.text.and_then(|text| Actions::at_start(member(text, &CHANGE)?));
        found.unwrap_or_else(|| actions_of(self.entry.object().get("change")))
    }

    pub(super) fn address_or_none(self) -> Option<&'a str> {
        self.text_of(&ADDRESS).or_else(|| self.entry.address().value())
    }

    pub(super) fn mode_or_none(self) -> Option<ResourceMode<'a>> {
        self.text_of(&MODE).map(ResourceMode::of).or_else(|| self.entry.mode().value())
    }

    pub(super) fn type_or_none(self) -> Option<&'a str> {
        self.text_of(&TYPE).or_else(|| self.entry.resource_type().value())
    }

    pub(super) fn name_or_none(self) -> Option<&'a str> {
        self.text_of(&NAME).or_else(|| self.entry.name().value())
    }

    /// A string member, if it is found in the text.
    fn text_of(self, name: &Name) -> Option<&'a str> {
        text_of(self.entry.object().node(), self.text?, name)
    }
}

/// The resource type of an object of the format, such as a block of the configuration. A sealed
/// object is not opened if the type comes before all nested objects.
pub(crate) fn resource_type(object: Object<'_>) -> &str {
    let node = object.node();
    let found = node.is_sealed().then(|| text_of(node, node.text(), &TYPE)).flatten();
    found.or_else(|| object.get("type").and_then(Node::to_str)).unwrap_or_default()
}

/// A string member, if it is found in the text of the object.
fn text_of<'a>(object: Node<'a>, text: &'a [u8], name: &Name) -> Option<&'a str> {
    let (raw, is_escaped) = string(member(text, name)?)?;
    let arena = object.source().arena();
    Some(if is_escaped { json::decode(json::str_of(raw), arena) } else { json::str_of(raw) })
}

impl<'a> ResourceChange<'a> {
    /// Address, type, name and actions.
    #[must_use]
    pub fn head(self) -> Head<'a> {
        let node = self.object().node();
        Head { entry: self, text: node.is_sealed().then(|| node.text()) }
    }

    /// The actions of the change. Opens nothing if they are its first member, as the tools write
    /// them.
    #[must_use]
    pub fn actions(self) -> Actions<'a> {
        self.head().actions()
    }
}

fn actions_of(change: Option<Node<'_>>) -> Actions<'_> {
    let Some(change) = change.filter(|change| change.is_object()) else { return Actions::NONE };
    Actions::at_start(change.text())
        .or_else(|| Change::read(change)?.actions().value())
        .unwrap_or(Actions::NONE)
}

/// The text of an object, starting at the value of the first member of this name, if no other
/// object comes before it.
fn member<'t>(object: &'t [u8], name: &Name) -> Option<&'t [u8]> {
    let at = name.find(object)?;
    let (before, from) = object.split_at(at);
    // A quote after a comma or a brace opens a string: a closing one would follow something else.
    let opens = matches!(before.trim_ascii_end().last(), Some(b',' | b'{'));
    let is_outermost = memchr::memchr(b'{', before.get(1..)?).is_none();
    token(from.get(name.needle().len()..)?, b":").filter(|_| opens && is_outermost)
}

/// The text of a string at the start of a text, without its quotes, and whether it has escapes.
fn string(text: &[u8]) -> Option<(&[u8], bool)> {
    let inner = text.strip_prefix(b"\"")?;
    let inner = inner.get(..closing_quote(inner, 0)?)?;
    Some((inner, memchr::memchr(b'\\', inner).is_some()))
}
