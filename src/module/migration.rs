//! Files of migrations, `*.tfmigrate.hcl` (Terraform): where the state of a root module is migrated from.
//!
//! The files of a directory are read as one. They name either a backend, or a store of a provider that
//! they require.

use super::block::duplicate_block;
use crate::body::{Block, BlockSchema, Body, Schema};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::arguments::policies::FROM;
use crate::dialect::{Dialect, List, root_schema};

/// The part of a store that Terraform reads; its provider knows the rest.
static STORE: Schema<'static> = Schema::new(&[], &[BlockSchema::new("provider", &["name"])]);

/// Reports the errors of the files of a directory. Cost: linear in their blocks.
pub(crate) fn check<'a>(files: &[Body<'a>], sink: &mut dyn Sink<'a>) {
    let Some(schema) = root_schema(Dialect::Terraform, List::Migration) else { return };
    let (mut from, mut required): (Option<Block<'a>>, Option<Block<'a>>) = (None, None);
    for file in files {
        for &block in file.content(schema, sink).all_blocks() {
            let first = if block.is("from") { &mut from } else { &mut required };
            match *first {
                Some(first) => sink.report(duplicate_block(block, first)),
                None => *first = Some(block),
            }
        }
    }
    let providers = required.map(|block| (block, block.body().just_attributes(sink)));
    let Some(from) = from else {
        if let Some(file) = files.first() {
            sink.report(wrong(file.missing_item_label(), "a block \"from\" is missing"));
        }
        return;
    };
    let content = from.body().content(FROM.schema(Dialect::Terraform, false), sink);
    let place = match *content.all_blocks() {
        [] => from.body().missing_item_label(),
        [_] => from.type_label(),
        [_, second, ..] => second.definition_label(),
    };
    let [store] = *content.all_blocks() else {
        return sink.report(wrong(place, "a state has one backend or one state_store"));
    };
    let providers = match (store.is("state_store"), providers) {
        (false, Some((required, _))) => {
            let why = "a backend has no provider; only a state_store has one";
            return sink.report(wrong(required.type_label(), why));
        }
        (true, None) => {
            let why = "a block \"state_store_provider\" is missing";
            return sink.report(wrong(store.type_label(), why));
        }
        (true, Some((_, providers))) => providers,
        (false, None) => return,
    };
    // The provider reads the others.
    let inside = store.body().partial_content(&STORE, &mut ());
    let Some(&used) = inside.0.all_blocks().first() else {
        return sink.report(wrong(store.type_label(), "a block \"provider\" is missing"));
    };
    if !providers.iter().any(|provider| used.label(0) == Some(provider.name())) {
        let why = "the block \"state_store_provider\" does not have this provider";
        sink.report(wrong(used.label_place(0), why));
    }
}

#[cold]
fn wrong<'a>(place: Label<'a>, why: &'static str) -> Diagnostic<'a> {
    Diagnostic::new(Code::Migration, place).with_arguments(&[why])
}
