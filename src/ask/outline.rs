//! The blocks and arguments of a file, in either syntax.

use crate::body::{Attribute, Block, Body};
use crate::dialect::Grammar;
use crate::parsed::ParsedFile;
use crate::span::Span;

/// A block or an argument of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'a> {
    /// The number of blocks around it.
    pub(super) depth: u32,
    pub(super) kind: ItemKind<'a>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum ItemKind<'a> {
    Block(Block<'a>),
    Argument(Attribute<'a>),
}

impl<'a> Item<'a> {
    /// All of its bytes; of a block in JSON, those of its body.
    pub(super) fn span(&self) -> Span {
        match self.kind {
            ItemKind::Block(block) => block.span(),
            ItemKind::Argument(attribute) => attribute.span(),
        }
    }
}

/// The blocks and arguments of a file in the order of the text, each block before its items. In
/// JSON, members that a plugin defines in a body are arguments.
///
/// Cost: linear in the bodies. Values are not opened.
pub(super) fn items<'a>(file: ParsedFile<'a>, grammar: Grammar) -> Vec<Item<'a>> {
    let mut found = Vec::new();
    let mut open: Vec<(Body<'a>, Grammar, u32)> = vec![(file.body(), grammar, 0)];
    while let Some((body, grammar, depth)) = open.pop() {
        let rest = match (grammar.schema(), body.as_json()) {
            (Some(schema), Some(_)) => {
                let (content, rest) = body.partial_content(schema, &mut ());
                for &block in content.all_blocks() {
                    let inner = grammar.block(block.block_type());
                    let inner = inner.map_or_else(Grammar::of_plugin, |(_, inner)| inner);
                    open.push((block.body(), inner, depth + 1));
                    found.push(Item { depth, kind: ItemKind::Block(block) });
                }
                let known = content.attributes().iter();
                found.extend(known.map(|&it| Item { depth, kind: ItemKind::Argument(it) }));
                rest
            }
            _ => body,
        };
        for property in rest.properties() {
            match property.as_block() {
                Some(block) => {
                    let inner = grammar.block(block.block_type());
                    let inner = inner.map_or_else(Grammar::of_plugin, |(_, inner)| inner);
                    open.push((block.body(), inner, depth + 1));
                    found.push(Item { depth, kind: ItemKind::Block(block) });
                }
                None => found.push(Item { depth, kind: ItemKind::Argument(property) }),
            }
        }
    }
    found.sort_by_key(|item| (item.span().start, item.depth));
    found
}
