//! Moves an object to another file of its module.

use super::item::{Declared, Item};
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
    let to = file_named(owner, name)?;
    let mut edits = TreeEdits::new(tree, true);
    edits.reads(module);
    if to.source().id() == item.file.source().id() {
        return Ok(Change::default());
    }
    edits.of(item.file).remove_named(item.name);
    match (item.declared, object) {
        (Declared::Local(_), Object::Local(local)) => {
            let value = item.value(local)?;
            match locals_of(to) {
                Some(body) => edits.of(to).add_attribute(body, local, value),
                None => {
                    let locals = NewBlock::of_attribute("locals", local, &value);
                    edits.of(to).add_block(locals, None);
                }
            }
        }
        _ => edits.of(to).add_block(item.block(Vec::new())?, None),
    }
    Ok(Change { files: edits.finish()?, ..Change::default() })
}

/// The primary file of a module with this name.
fn file_named<'a>(owner: &TreeModule<'a>, name: &str) -> Result<ParsedFile<'a>, Refusal> {
    let is_named = |file: &ParsedFile<'a>| {
        let own = file.source().name();
        own == name || own.strip_suffix(name).is_some_and(|rest| rest.ends_with(['/', '\\']))
    };
    let mut files = owner.configuration.iter().filter(|(list, _)| *list == List::Primary);
    match files.find(|(_, file)| is_named(file)) {
        Some((_, file)) => Ok(*file),
        None => {
            let path = owner.files.path.to_string_lossy();
            Err(Refusal::Unsupported(format!(
                "{path} has no configuration file named {name}, or it is an override: create it first"
            )))
        }
    }
}
