//! `packer`: the required versions of Packer and of plugins.

use super::plugin::RequiredPlugin;
use crate::body::Block;
use crate::diagnostic::Sink;
use crate::dialect::arguments::packer::PACKER;
use crate::module::{block, version};

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
        let content = block.body().content(PACKER.common(), sink);
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
