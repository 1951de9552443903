//! Moves an object to another file of its module.

use super::item::{Declared, Item, syntax_of};
use super::new_file::NewFile;
use crate::dialect::List;
use crate::directory::DecodeOptions;
use crate::edit::NewBlock;
use crate::module::Object;
use crate::parsed::ParsedFile;
use crate::refactor::change::{Change, Refusal};
use crate::refactor::files::{Files, TreeEdits, check_readable, locals_of};
use crate::tree::{Tree, TreeModule};

/// The edits that move an object to the file of its module with this name.
pub(super) fn plan<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    (module, object): (usize, Object<'a>),
    name: &str,
) -> Result<Change<'a>, Refusal> {
    let owner = &tree.modules()[module];
    let (places, shadowed) = owner.written(options);
    check_readable(owner, &places)?;
    let files = Files::of(owner, &shadowed);
    let item = Item::find(owner, (&places, &files), object)?;
    let mut edits = TreeEdits::new(tree, true);
    edits.reads(module);
    let block = |item: &Item<'a>| match (item.declared, object) {
        (Declared::Local(_), Object::Local(local)) => {
            Ok(NewBlock::of_attribute("locals", local, &item.value(local)?))
        }
        _ => item.block(Vec::new()),
    };
    let Some(to) = file_named(owner, name) else {
        let new = NewFile::of(owner, name)?;
        let not_changed = item.lost_comments(new.syntax()).into_iter().collect();
        let new = new.with(block(&item)?, item.file)?;
        edits.of(item.file).remove_named(item.name);
        let mut files = edits.finish()?;
        files.push(new);
        files.sort_by_key(|file| file.source.name());
        return Ok(Change { files, not_changed, ..Change::default() });
    };
    if to.source().id() == item.file.source().id() {
        return Ok(Change::default());
    }
    edits.of(item.file).remove_named(item.name);
    match (item.declared, object, locals_of(to)) {
        (Declared::Local(_), Object::Local(local), Some(body)) => {
            edits.of(to).add_attribute(body, local, item.value(local)?);
        }
        _ => edits.of(to).add_block(block(&item)?, None),
    }
    let not_changed = item.lost_comments(syntax_of(to)).into_iter().collect();
    Ok(Change { files: edits.finish()?, not_changed, ..Change::default() })
}

/// The primary file of a module with this name.
fn file_named<'a>(owner: &TreeModule<'a>, name: &str) -> Option<ParsedFile<'a>> {
    let is_named = |file: &ParsedFile<'a>| {
        let own = file.source().name();
        own == name || own.strip_suffix(name).is_some_and(|rest| rest.ends_with(['/', '\\']))
    };
    let mut files = owner.configuration.iter().filter(|(list, _)| *list == List::Primary);
    files.find(|(_, file)| is_named(file)).map(|(_, file)| *file)
}
