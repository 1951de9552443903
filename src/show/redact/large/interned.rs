//! Texts and trees of marks that outlive their record.

use super::pieces::Refusal;
use crate::arena::Arena;
use crate::document::Document;
use crate::event::ParseOptions;
use crate::hash::{HashMap, HashSet};
use crate::json::Node;
use crate::show::redact::instances::Identity;
use crate::show::redact::values::MarkedChange;
use crate::source::Source;

/// Texts and trees of marks, each once.
pub(super) struct Interned<'t> {
    arena: &'t Arena,
    strings: HashSet<&'t str>,
    trees: HashMap<&'t [u8], Node<'t>>,
}

impl<'t> Interned<'t> {
    pub(super) fn new(arena: &'t Arena) -> Self {
        Self { arena, strings: HashSet::default(), trees: HashMap::default() }
    }

    pub(super) fn string(&mut self, text: &str) -> &'t str {
        if let Some(known) = self.strings.get(text) {
            return known;
        }
        let text = self.arena.str(text);
        self.strings.insert(text);
        text
    }

    pub(super) fn tree(&mut self, tree: Node<'_>) -> Result<Node<'t>, Refusal> {
        if let Some(known) = self.trees.get(tree.text()) {
            return Ok(*known);
        }
        let text: &'t [u8] = self.arena.bump().alloc_slice_copy(tree.text());
        let source = Source::from_bytes(self.arena, "", text).map_err(|_| Refusal::Unclear)?;
        let options = ParseOptions::default().with_max_depth(u32::MAX);
        let document = Document::parse_with(self.arena, source, &options);
        let root = document.map_err(|_| Refusal::Unclear)?.root();
        self.trees.insert(text, root);
        Ok(root)
    }

    pub(super) fn identity(&mut self, identity: Identity<'_>) -> Identity<'t> {
        identity.map(|text| self.string(text))
    }

    pub(super) fn change(&mut self, change: MarkedChange<'_>) -> Result<MarkedChange<'t>, Refusal> {
        let [before, after] = change.sides;
        let mut side = |side: Option<(Node<'_>, bool)>| match side {
            Some((tree, has_value)) => self.tree(tree).map(|tree| Some((tree, has_value))),
            None => Ok(None),
        };
        let sides = [side(before)?, side(after)?];
        let instance = self.identity(change.instance);
        Ok(MarkedChange { instance, sides, is_planned: change.is_planned })
    }
}
