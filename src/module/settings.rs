//! `terraform`: requirements of the module, and where its state is stored.

use super::Config;
use super::encryption::Encryption;
use super::object::Setting;
use super::provider::{RequiredProvider, provider_name};
use super::rules::Rules;
use super::site::{Use, Visitor};
use super::version::{VersionConstraint, constraint};
use crate::body::{Attribute, Block};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::arguments::modules::TERRAFORM;
use crate::source::Source;

/// One `terraform` block.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Settings<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The version constraint for the tool.
    pub required_version: Option<Attribute<'a>>,
    /// The blocks inside it, in order: `backend`, `cloud`, `required_providers`, `provider_meta`,
    /// and `encryption` (OpenTofu) or `state_store` (Terraform).
    pub blocks: &'a [Block<'a>],
    /// The entries of its `required_providers`.
    pub required_providers: &'a [RequiredProvider<'a>],
    /// Its `encryption` blocks, of which there should be one (OpenTofu).
    pub encryption: &'a [Encryption<'a>],
}

impl<'a> Settings<'a> {
    /// The blocks of one type.
    pub fn blocks_of(&self, block_type: &'static str) -> impl Iterator<Item = Block<'a>> + use<'a> {
        self.blocks.iter().copied().filter(move |block| block.is(block_type))
    }

    /// The parts of this block alone, but for those of encryption, whether or not they count.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part<'a>> + use<'a> {
        let blocks = self.blocks.iter().filter_map(|&block| {
            let setting = match block.block_type() {
                "backend" => Setting::Backend,
                "cloud" => Setting::Cloud,
                "state_store" => Setting::StateStore,
                "provider_meta" => Setting::ProviderMeta(block.label(0).unwrap_or_default()),
                _ => return None,
            };
            Some(Part::block(setting, block))
        });
        blocks.chain(self.required_providers.iter().map(Part::entry))
    }

    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(rules.schema(&TERRAFORM), sink);
        if let Some(language) = content.attribute("language")
            && rules.is_terraform()
            && language.expression().as_keyword() != Some(EDITION)
        {
            sink.report(
                Diagnostic::new(Code::LanguageEdition, language.expression().start_label())
                    .with_arguments(&[EDITION]),
            );
        }
        // Only experimental builds know it.
        let mut last = None;
        for store in content.blocks("state_store") {
            let place = store.type_span();
            if last.replace(place) != Some(place) {
                sink.report(
                    Diagnostic::new(Code::Experimental, store.type_label())
                        .with_arguments(&["state_store"]),
                );
            }
        }
        if let Some(version) = content.attribute("required_version")
            && counts_here(block.source(), rules)
            && let Some(text) = constraint(version.expression(), sink)
        {
            let constraints = VersionConstraint::parse_all(text).unwrap_or_default();
            if constraints.iter().any(|one| !one.version.prerelease.is_empty()) {
                let value = version.expression();
                let diagnostic = Diagnostic::new(Code::VersionConstraint, value.label());
                let why = ": it cannot require a prerelease of the tool";
                sink.report(diagnostic.with_arguments(&[why]));
            }
        }
        if let Some(experiments) = content.attribute("experiments")
            && rules.is_terraform()
        {
            sink.report(Diagnostic::new(Code::Experiments, experiments.name_label()));
        }
        for metadata in content.blocks("provider_meta") {
            provider_name(metadata, sink);
            // Values here cannot use variables. JSON strings are taken literally.
            for property in metadata.body().properties().filter(|it| it.as_block().is_none()) {
                let value = property.expression();
                if !value.is_json() {
                    value.literal_value(sink);
                }
            }
        }
        let mut required = Vec::new();
        for providers in content.blocks("required_providers") {
            let entries = providers.body().just_attributes(sink);
            required.extend(entries.iter().map(|entry| RequiredProvider::read(*entry, sink)));
        }
        let encryption = content.blocks("encryption");
        let encryption: Vec<_> = encryption.map(|block| Encryption::read(block, sink)).collect();
        let bump = block.source().arena().bump();
        Self {
            block,
            required_version: content.attribute("required_version"),
            blocks: content.all_blocks(),
            required_providers: bump.alloc_slice_copy(&required),
            encryption: bump.alloc_slice_copy(&encryption),
        }
    }
}

/// The only edition of Terraform's language.
const EDITION: &str = "TF2021";

/// Whether a version constraint is for this tool: OpenTofu checks those of `.tofu` files only,
/// since all others are about Terraform's versions.
fn counts_here(source: Source<'_>, rules: Rules) -> bool {
    rules.is_terraform() || [".tofu.json", ".tofu"].iter().any(|it| source.name().ends_with(it))
}

/// A part of the `terraform` blocks that has a number among the objects of the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) setting: Setting<'a>,
    /// Where it is declared.
    pub(super) label: Label<'a>,
    content: PartContent<'a>,
}

#[derive(Clone, Copy, Debug)]
enum PartContent<'a> {
    Block(Block<'a>),
    Entry(Attribute<'a>),
}

impl<'a> Part<'a> {
    pub(super) fn block(setting: Setting<'a>, block: Block<'a>) -> Self {
        Self { setting, label: block.definition_label(), content: PartContent::Block(block) }
    }

    pub(super) fn entry(entry: &RequiredProvider<'a>) -> Self {
        let attribute = entry.attribute;
        let setting = Setting::RequiredProvider(entry.name);
        Self { setting, label: attribute.label(), content: PartContent::Entry(attribute) }
    }

    /// Visits its expressions. Those of encryption are visited by [`super::Encryption::visit`].
    pub(super) fn visit(&self, visitor: &mut Visitor<'_, 'a>) {
        match (self.setting, self.content) {
            (_, PartContent::Entry(entry)) => visitor.literal(Some(entry.expression())),
            (Setting::ProviderMeta(_), PartContent::Block(block)) => visitor.values(Some(block)),
            (_, PartContent::Block(block)) => {
                visitor.early(Config::new(block.body()), Use::Early, &[]);
            }
        }
    }
}

/// The diagnostic for `required_providers`, which the root schema accepts only so that this can be
/// reported.
#[cold]
pub(super) fn misplaced<'a>(block: Block<'a>, sink: &mut dyn Sink<'a>) {
    sink.report(Diagnostic::new(Code::MisplacedRequirements, block.type_label()));
}
