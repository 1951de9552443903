//! Block types and arguments that not all releases have, where they are written.

use super::construct::ConstructKind;
use crate::body::{Block, Body};
use crate::diagnostic::Label;
use crate::dialect::{BlockKind, Dialect, Grammar, List};
use crate::evaluate::Release;
use crate::evaluate::release::ALWAYS;
use crate::parsed::ParsedFile;

/// Takes the kind, the name, the place and the releases of a construct.
pub(super) type Add<'f, 'a> = dyn FnMut(ConstructKind, &'a str, Label<'a>, (Release, Release)) + 'f;

/// Visits those of a file of configuration.
///
/// Cost: linear in the blocks that the language defines, and their arguments.
pub(super) fn visit_file<'a>(file: ParsedFile<'a>, dialect: Dialect, add: &mut Add<'_, 'a>) {
    let root = Grammar::of_file(Some((dialect, List::Primary)));
    visit(root.blocks_of(file.body()), root, List::Primary, add);
}

/// Visits those of root blocks of a file of configuration.
///
/// Cost: as that of [`visit_file`].
pub(super) fn visit_blocks<'a>(blocks: Vec<Block<'a>>, dialect: Dialect, add: &mut Add<'_, 'a>) {
    let root = Grammar::of_file(Some((dialect, List::Primary)));
    visit(blocks, root, List::Primary, add);
}

/// Visits those of the root blocks of a test file.
///
/// Cost: as that of [`visit_file`].
pub(super) fn visit_test<'a>(blocks: &[Block<'a>], dialect: Dialect, add: &mut Add<'_, 'a>) {
    let root = Grammar::of_file(Some((dialect, List::Test)));
    visit(blocks.to_vec(), root, List::Test, add);
}

fn visit<'a>(blocks: Vec<Block<'a>>, root: Grammar, list: List, add: &mut Add<'_, 'a>) {
    let mut open: Vec<(Body<'a>, Grammar, (Release, Release))> = Vec::new();
    for block in blocks {
        let Some(kind) = BlockKind::of(block) else { continue };
        let releases = kind.releases_in(list);
        if releases != (ALWAYS, ALWAYS) {
            add(ConstructKind::Block, kind.name(), block.definition_label(), releases);
        }
        open.extend(root.block(kind.name()).map(|(_, inner)| (block.body(), inner, releases)));
    }
    while let Some((body, grammar, around)) = open.pop() {
        // An argument that is as old as the block around it needs nothing more.
        let is_newer = |it: &(Release, Release)| it.0 > around.0 || it.1 > around.1;
        if grammar.has_new() {
            for property in body.properties() {
                let name = property.name();
                if let Some(releases) = grammar.releases(name).filter(is_newer) {
                    add(ConstructKind::Argument, name, property.name_label(), releases);
                }
            }
        }
        for block in grammar.blocks_of(body) {
            let name = block.block_type();
            let own = grammar.releases(name).filter(is_newer).unwrap_or(around);
            open.extend(grammar.block(name).map(|(_, inner)| (block.body(), inner, own)));
        }
    }
}
