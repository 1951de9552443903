//! The context of an offset of a file that may be half-written: the blocks around it, and the kind
//! of name or value that can be written there.

mod frame;
mod json;
mod native;

pub(super) use self::frame::{Around, Header, Spot, Value};
use super::answers::Entry;
use crate::dialect::{Grammar, Syntax};

/// The grammar of a file.
pub(super) fn grammar(entry: &Entry<'_>) -> Grammar {
    Grammar::of_file(Some((entry.dialect, entry.kind.list)))
}

/// Returns the context of an offset of a file.
///
/// Cost: linear in the offset.
pub(super) fn around(entry: &Entry<'_>, offset: u32) -> Around {
    let bytes = entry.source.bytes();
    match entry.kind.syntax {
        Syntax::Json => json::around(bytes, offset, grammar(entry)),
        Syntax::Native => native::around(bytes, offset),
    }
}

/// The grammar of a body inside of some blocks, as far as the tools define it.
pub(super) fn grammar_in(entry: &Entry<'_>, blocks: &[Header]) -> Option<Grammar> {
    let mut grammar = grammar(entry);
    for block in blocks {
        grammar = match grammar.block(&block.block_type) {
            Some((_, inner)) => inner,
            None if grammar.is_of_plugin() => grammar.unknown_block(&block.block_type),
            None => return None,
        };
    }
    Some(grammar)
}
