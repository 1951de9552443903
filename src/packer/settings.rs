//! `packer`: the required versions of Packer and of plugins.

use super::plugin::RequiredPlugin;
use crate::body::{AttributeSchema, Block, Schema};
use crate::diagnostic::Sink;
use crate::module::{block, version};

static PACKER: Schema<'static> = Schema::new(
    &[AttributeSchema::optional("required_version")],
    &[block::plain("required_plugins")],
);

/// One `packer` block.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Settings<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The version constraint for Packer, read literally.
    pub required_version: Option<&'a str>,
    /// The entries of its `required_plugins` blocks.
    pub required_plugins: &'a [RequiredPlugin<'a>],
}

impl<'a> Settings<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(&PACKER, sink);
        let written = block::argument(&content, "required_version");
        let mut plugins = Vec::new();
        for required in content.blocks("required_plugins") {
            let entries = required.body().just_attributes(sink);
            plugins.extend(entries.iter().map(|entry| RequiredPlugin::read(*entry, sink)));
        }
        Self {
            block,
            required_version: written.and_then(|value| version::constraint(value, sink)),
            required_plugins: block.source().arena().bump().alloc_slice_copy(&plugins),
        }
    }
}
