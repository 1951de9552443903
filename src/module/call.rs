//! `module`: a call of another module.

use std::collections::hash_map::Entry;

use super::available::Available;
use super::block::{argument, single};
use super::meta::{dependencies, exclusive, reserved};
use super::provider_reference::{ProviderConfigName, ProviderReference, provider_reference};
use super::read;
use super::rules::Rules;
use super::site::{Use, Visitor, Wanted};
use super::table::{Row, Table};
use crate::body::{Attribute, AttributeSchema, Block, Body, Schema};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::{Expression, Literal, MapKey};
use crate::hash::HashMap;
use crate::native::Traversal;

static CALL: Table = Table::new(&[
    Row::required_of_base("source"),
    Row::optional("version"),
    Row::optional("count"),
    Row::optional("for_each"),
    Row::optional("depends_on"),
    Row::optional("providers"),
    Row::optional("ignore_nested_deprecations").terraform(),
    Row::block("lifecycle"),
    Row::block("_"),
    Row::block("locals"),
    Row::labelled("provider", &["type"]),
]);

static LIFECYCLE: Schema<'static> = Schema::new(&[AttributeSchema::optional("enabled")], &[]);

/// A module call.
#[derive(Clone, Copy, Debug)]
pub struct ModuleCall<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its name.
    pub name: &'a str,
    /// Where the module comes from: evaluated before anything else is.
    pub source: Option<Attribute<'a>>,
    /// The versions that will do, of a module from a registry.
    pub version: Option<Attribute<'a>>,
    /// How many instances.
    pub count: Option<Expression<'a>>,
    /// One instance for each element.
    pub for_each: Option<Expression<'a>>,
    /// Whether there is an instance at all (OpenTofu).
    pub enabled: Option<Attribute<'a>>,
    /// What must exist before anything in the module.
    pub depends_on: &'a [Traversal<'a>],
    /// Provider configurations for the module.
    pub providers: &'a [ProviderPass<'a>],
    /// The values of its variables, and nothing else.
    pub arguments: &'a [Attribute<'a>],
    /// If an override file changes the call: the arguments of its own block alone. The tools ask
    /// there whether what is required is set.
    pub base_arguments: Option<&'a [Attribute<'a>]>,
    /// The block `_`, whose arguments are the module's whatever they are called.
    pub escape: Option<Block<'a>>,
    /// What source and version give where that takes more than reading them.
    pub(crate) evaluated: Evaluated<'a>,
}

/// What source and version of a call give where they are more than texts, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evaluated<'a> {
    pub(super) source: Option<&'a str>,
    pub(super) version: Option<&'a str>,
}

/// A provider configuration that a call hands on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ProviderPass<'a> {
    /// The member of `providers`.
    pub key: MapKey<'a>,
    /// What the called module knows it as.
    pub inner: ProviderReference<'a>,
    /// What this module knows it as.
    pub outer: ProviderReference<'a>,
}

impl<'a> ModuleCall<'a> {
    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let (content, rest) = block.body().partial_content(CALL.schema(rules), sink);
        let name = block.label(0).unwrap_or_default();
        read::name(name, block.label_place(0), sink);
        reserved(content.blocks("locals"), sink);
        reserved(content.blocks("provider"), sink);
        let mut enabled = None;
        if rules.is_terraform() {
            reserved(content.blocks("lifecycle"), sink);
        } else if let Some(lifecycle) = single(&content, "lifecycle", sink) {
            enabled = lifecycle.body().content(&LIFECYCLE, sink).attribute("enabled");
        }
        exclusive(&content, enabled, sink);
        // Of any other type the reference does not survive the value.
        if let Some(flag) = argument(&content, "ignore_nested_deprecations")
            && !matches!(flag.literal(), Literal::Bool(_))
        {
            read::unsuitable::<()>(flag, "true or false", sink);
        }
        let depends_on = argument(&content, "depends_on");
        let providers = argument(&content, "providers");
        Self {
            block,
            name,
            source: content.attribute("source"),
            version: content.attribute("version"),
            count: argument(&content, "count"),
            for_each: argument(&content, "for_each"),
            enabled,
            depends_on: depends_on.map_or(&[], |list| dependencies(list, rules, sink)),
            providers: providers.map_or(&[], |map| passes(map, rules, sink)),
            arguments: arguments(rest, sink),
            base_arguments: None,
            escape: single(&content, "_", sink),
            evaluated: Evaluated::default(),
        }
    }

    /// Visits its expressions.
    pub(super) fn visit(&self, visitor: &mut Visitor<'_, 'a>) {
        visitor.value(self.source.map(Attribute::expression), Use::Source);
        visitor.value(self.version.map(Attribute::expression), Use::Version);
        visitor.wanted(self.count, Wanted::Count);
        visitor.wanted(self.for_each, Wanted::Each);
        visitor.wanted(self.enabled.map(Attribute::expression), Wanted::Enabled);
        visitor.available = Available::repeated(self.count.is_some(), self.for_each.is_some());
        for argument in self.arguments {
            visitor.value(Some(argument.expression()), Use::Argument(argument.name()));
        }
        visitor.block(self.escape);
        for pass in self.providers {
            visitor.provider(Some(pass.outer), Use::Pass(pass.inner.name()));
        }
        visitor.available = Available::NONE;
        visitor.order(self.depends_on);
    }
}

const INNER_KEY: &str =
    "In the called module, configurations have no instances. Remove the brackets.";

/// The pairs of `providers`. One whose sides are not both references is left out, and so is a
/// second one for the same configuration of the called module.
pub(super) fn passes<'a>(
    map: Expression<'a>,
    rules: Rules,
    sink: &mut dyn Sink<'a>,
) -> &'a [ProviderPass<'a>] {
    let Some(pairs) = map.map(sink) else { return &[] };
    let mut passes: Vec<ProviderPass<'a>> = Vec::new();
    let mut places: HashMap<ProviderConfigName<'a>, usize> = HashMap::default();
    for (key, value) in pairs {
        let inner = provider_reference(key.expression(), rules, sink);
        let outer = provider_reference(value, rules, sink);
        let (Some(inner), Some(outer)) = (inner, outer) else {
            continue;
        };
        if inner.has_key() {
            let there = Diagnostic::new(Code::ProviderInstance, inner.traversal().label());
            sink.report(there.with_arguments(&[INNER_KEY]));
        }
        match places.entry(inner.name()) {
            Entry::Vacant(place) => {
                place.insert(passes.len());
                passes.push(ProviderPass { key, inner, outer });
            }
            Entry::Occupied(place) => {
                let earlier = passes[*place.get()].key;
                sink.report(
                    Diagnostic::new(Code::DuplicatePass, value.start_label())
                        .with_arguments(&[key.to_str()])
                        .with_related(earlier.label(), "passed first here"),
                );
            }
        }
    }
    map.source().arena().bump().alloc_slice_copy(&passes)
}

/// What is left of the body: an argument each. Of a body that is an array nothing but its own
/// schema can be read.
fn arguments<'a>(rest: Body<'a>, sink: &mut dyn Sink<'a>) -> &'a [Attribute<'a>] {
    if rest.is_single() { rest.just_attributes(sink) } else { &[] }
}
