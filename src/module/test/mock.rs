//! `mock_provider`: a provider that returns made-up values, and its blocks `mock_resource` and
//! `mock_data`.

use super::command::{Command, during};
use super::replacement::{Replacement, Targets, object};
use super::values::report_broken;
use crate::body::{Block, Body};
use crate::diagnostic::{Label, Sink};
use crate::dialect::arguments::test_files::{MOCK_PROVIDER, MOCK_RESOURCE};
use crate::dialect::{Dialect, List, root_schema};
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::module::ProviderConfigName;
use crate::module::block::argument;
use crate::module::declarations::{declared, duplicate};
use crate::module::provider::{alias, named_instances, provider_name};
use crate::module::read;
use crate::module::rules::Rules;
use crate::reference::Mode;

/// A provider that returns made-up values.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MockProvider<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The provider's local name.
    pub name: &'a str,
    /// Distinguishes it from other configurations of the provider; read literally.
    pub alias: Option<&'a str>,
    /// The map or set with one element per configuration, a template (OpenTofu).
    pub for_each: Option<Expression<'a>>,
    /// A directory with files of further mocks, read literally (Terraform).
    pub source: Option<&'a str>,
    /// The first command for which its values apply, a keyword (Terraform).
    pub override_during: Option<Command>,
    /// The values for all resources or data sources of a type, in order; one of each type counts.
    pub resources: &'a [MockResource<'a>],
    /// The overrides of single resources and data sources, in order.
    pub replacements: &'a [Replacement<'a>],
}

/// The values of a mock for all resources, or data sources, of a type.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MockResource<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Managed for `mock_resource`, data for `mock_data`.
    pub mode: Mode,
    /// The resource type.
    pub resource_type: &'a str,
    /// Values of attributes: an object, read literally in OpenTofu, a template in Terraform.
    pub defaults: Option<Expression<'a>>,
    /// The first command for which they apply, a keyword (Terraform).
    pub override_during: Option<Command>,
}

declared! {
    MockProvider: ProviderConfigName<'k> = |mock| mock.config_name();
}

impl<'a> MockProvider<'a> {
    /// The name of the configuration in the test file.
    #[must_use]
    pub fn config_name(&self) -> ProviderConfigName<'a> {
        ProviderConfigName { local_name: self.name, alias: self.alias }
    }

    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(rules.schema(&MOCK_PROVIDER), sink);
        provider_name(block, sink);
        let alias = alias(&content, sink);
        let for_each = argument(&content, "for_each");
        named_instances(alias, for_each, sink);
        let mut resources = Vec::new();
        let mut replacements = Vec::new();
        let mut types: HashMap<(Mode, &'a str), Label<'a>> = HashMap::default();
        let mut targets = Targets::new(rules);
        for &block in content.all_blocks() {
            if let Some(replacement) = Replacement::read(block, rules, sink) {
                targets.add(&replacement, sink);
                replacements.push(replacement);
                continue;
            }
            let resource = MockResource::read(block, rules, sink);
            let label = block.label_place(0);
            match types.get(&(resource.mode, resource.resource_type)) {
                Some(&earlier) => sink.report(duplicate("mock", label, earlier)),
                None => {
                    types.insert((resource.mode, resource.resource_type), block.definition_label());
                    resources.push(resource);
                }
            }
        }
        let bump = block.source().arena().bump();
        Self {
            block,
            name: block.label(0).unwrap_or_default(),
            alias,
            for_each,
            source: argument(&content, "source").and_then(|value| read::string(value, sink)),
            override_during: during(&content, sink),
            resources: bump.alloc_slice_copy(&resources),
            replacements: bump.alloc_slice_copy(&replacements),
        }
    }
}

/// A file with mocks of a provider, which the `source` of `mock_provider` names (Terraform).
#[derive(Clone, Copy, Debug)]
pub(crate) struct MockFile;

impl MockFile {
    /// Reports the errors of a file of mocks. Cost: opens the bodies of all blocks.
    pub(crate) fn read<'a>(file: impl Into<Body<'a>>, sink: &mut dyn Sink<'a>) {
        let rules = Rules::test(Dialect::Terraform);
        let Some(schema) = root_schema(Dialect::Terraform, List::Mock) else { return };
        let body: Body<'a> = file.into();
        let content = body.content(schema, sink);
        let mut targets = Targets::new(rules);
        let mut types: HashMap<(Mode, &'a str), Label<'a>> = HashMap::default();
        for &block in content.all_blocks() {
            if let Some(replacement) = Replacement::read(block, rules, sink) {
                targets.add(&replacement, sink);
                continue;
            }
            let resource = MockResource::read(block, rules, sink);
            let key = (resource.mode, resource.resource_type);
            if let Some(earlier) = types.insert(key, block.definition_label()) {
                sink.report(duplicate("mock", block.label_place(0), earlier));
            }
        }
    }
}

impl<'a> MockResource<'a> {
    fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(rules.schema(&MOCK_RESOURCE), sink);
        let defaults = match content.attribute("defaults") {
            // Terraform ignores other values, without a diagnostic.
            Some(defaults) if rules.is_terraform() => {
                report_broken(defaults.expression(), sink);
                Some(defaults.expression())
            }
            defaults => object(defaults, rules, sink),
        };
        Self {
            block,
            mode: if block.is("mock_data") { Mode::Data } else { Mode::Managed },
            resource_type: block.label(0).unwrap_or_default(),
            defaults,
            override_during: during(&content, sink),
        }
    }
}
