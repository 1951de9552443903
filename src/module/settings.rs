//! `terraform`: what the module asks of the tool, and where its state is kept.

use super::block::plain;
use super::provider::RequiredProvider;
use super::version::constraint;
use crate::body::{Attribute, AttributeSchema, Block, BlockSchema, Schema};
use crate::diagnostic::Sink;

static TERRAFORM: Schema<'static> = Schema::new(
    &[
        AttributeSchema::optional("required_version"),
        AttributeSchema::optional("experiments"),
        AttributeSchema::optional("language"),
    ],
    &[
        BlockSchema::new("backend", &["type"]),
        plain("cloud"),
        plain("required_providers"),
        BlockSchema::new("provider_meta", &["provider"]),
        plain("encryption"),
    ],
);

/// One `terraform` block.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The versions of the tool that will do.
    pub required_version: Option<Attribute<'a>>,
    /// The blocks inside it, in order: `backend`, `cloud`, `required_providers`, `provider_meta` and
    /// `encryption`.
    pub blocks: &'a [Block<'a>],
    /// The entries of its `required_providers`.
    pub required_providers: &'a [RequiredProvider<'a>],
}

impl<'a> Settings<'a> {
    /// The blocks of one type.
    pub fn blocks_of(&self, block_type: &'static str) -> impl Iterator<Item = Block<'a>> + use<'a> {
        self.blocks.iter().copied().filter(move |block| block.is(block_type))
    }

    pub(super) fn read(block: Block<'a>, sink: &mut impl Sink<'a>) -> Self {
        let content = block.body().content(&TERRAFORM, sink);
        let required_version = content.attribute("required_version");
        if let Some(version) = required_version {
            constraint(version.expression(), sink);
        }
        let mut required = Vec::new();
        for providers in content.blocks("required_providers") {
            let entries = providers.body().just_attributes(sink);
            required.extend(entries.iter().map(|entry| RequiredProvider::read(*entry, sink)));
        }
        Self {
            block,
            required_version,
            blocks: content.all_blocks(),
            required_providers: block.source().arena().bump().alloc_slice_copy(&required),
        }
    }
}
