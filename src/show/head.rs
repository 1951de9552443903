//! The head of a change: what it is a change of, and its actions.
//!
//! In goes an entry of `resource_changes`, out come [`Head`] and [`Actions`]. The tools write these members before
//! the large ones, and actions first in the change, so that neither an entry nor its change is opened for them.
//! What is written in another way is opened, and gives the same.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::field::Read;
use super::names::{Actions, Mode, token};
use super::plan::{Change, ResourceChange};
use crate::json::Node;

/// What a change is of, and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The absolute address of the instance; empty if there is none.
    pub address: &'a str,
    /// The kind of resource; managed if nothing is said.
    pub mode: Mode<'a>,
    /// The resource type; empty if there is none.
    pub resource_type: &'a str,
    /// The name of the block; empty if there is none.
    pub name: &'a str,
    /// What is done.
    pub actions: Actions<'a>,
}

impl<'a> ResourceChange<'a> {
    /// Address, type, name and actions, in one pass: the cheapest way to list changes.
    #[must_use]
    pub fn head(self) -> Head<'a> {
        let (mut address, mut mode, mut resource_type, mut name) = (None, None, None, None);
        let mut change = None;
        for member in self.object().members() {
            // Of members of the same name the first counts.
            let place = match member.name().to_bytes() {
                b"address" => &mut address,
                b"mode" => &mut mode,
                b"type" => &mut resource_type,
                b"name" => &mut name,
                b"change" => &mut change,
                _ => continue,
            };
            place.get_or_insert(member.value());
        }
        Head {
            address: address.and_then(Node::to_str).unwrap_or_default(),
            mode: mode.and_then(Mode::read).unwrap_or(Mode::Managed),
            resource_type: resource_type.and_then(Node::to_str).unwrap_or_default(),
            name: name.and_then(Node::to_str).unwrap_or_default(),
            actions: actions_of(change),
        }
    }

    /// The actions of the change. Where they stand first in it, as the tools write them, nothing is opened.
    #[must_use]
    pub fn actions(self) -> Actions<'a> {
        let node = self.object().node();
        if node.is_sealed()
            && let Some(change) = change_in(node.text())
            && let Some(actions) = Actions::at_start(change)
        {
            return actions;
        }
        actions_of(self.object().get("change"))
    }
}

fn actions_of(change: Option<Node<'_>>) -> Actions<'_> {
    let Some(change) = change.filter(|change| change.is_object()) else { return Actions::NONE };
    Actions::at_start(change.text())
        .or_else(|| Change::read(change)?.actions().value())
        .unwrap_or(Actions::NONE)
}

/// The text of an entry from the value of its member `change` on, if that stands before all other objects.
fn change_in(entry: &[u8]) -> Option<&[u8]> {
    static NAME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"change\""));
    let at = NAME.find(entry)?;
    let (before, from) = entry.split_at(at);
    // A quote behind a comma or a brace opens a string: one that it closed would be followed by something else.
    let opens = matches!(before.trim_ascii_end().last(), Some(b',' | b'{'));
    let is_outermost = memchr::memchr(b'{', before.get(1..)?).is_none();
    token(from.get(8..)?, b":").filter(|_| opens && is_outermost)
}
