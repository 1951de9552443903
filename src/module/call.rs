//! `module`: a call of another module.

use std::collections::hash_map::Entry;

use super::available::Available;
use super::block::{argument, single};
use super::meta::{dependencies, exclusive, reserved};
use super::provider_reference::{ProviderConfigName, ProviderReference, provider_reference};
use super::read;
use super::rules::Rules;
use super::site::{Use, Visitor, Wanted};
use crate::body::{Attribute, Block, Body};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::modules::{CALL, CALL_LIFECYCLE};
use crate::expression::{Expression, Literal, MapKey};
use crate::hash::HashMap;
use crate::native::Traversal;

/// A module call.
#[derive(Clone, Copy, Debug)]
pub struct ModuleCall<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its name.
    pub name: &'a str,
    /// The address of the module, which is evaluated before anything else.
    pub source: Option<Attribute<'a>>,
    /// The version constraint, for a module from a registry.
    pub version: Option<Attribute<'a>>,
    /// The number of instances.
    pub count: Option<Expression<'a>>,
    /// The map or set with one element per instance.
    pub for_each: Option<Expression<'a>>,
    /// Whether the instance exists (OpenTofu).
    pub enabled: Option<Attribute<'a>>,
    /// The objects that must exist before anything in the module.
    pub depends_on: &'a [Traversal<'a>],
    /// The provider configurations that the call passes to the module.
    pub providers: &'a [ProviderPass<'a>],
    /// The values of the module's variables.
    pub arguments: &'a [Attribute<'a>],
    /// If an override file changes the call: the arguments of its own block only. The tools look
    /// there for required arguments.
    pub base_arguments: Option<&'a [Attribute<'a>]>,
    /// The block `_`. Its arguments are always the module's, even if they are called `source` or
    /// `count`.
    pub escape: Option<Block<'a>>,
    /// The source and version, if they have to be evaluated.
    pub(crate) evaluated: Evaluated<'a>,
}

/// The evaluated source and version of a call, where they are known and not just strings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evaluated<'a> {
    pub(super) source: Option<&'a str>,
    pub(super) version: Option<&'a str>,
    /// The source if variables have the values of the module's own files of variables, or their
    /// defaults.
    pub(super) by_defaults: Option<&'a str>,
}

/// A provider configuration that a call passes to the module.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ProviderPass<'a> {
    /// The member of `providers`.
    pub key: MapKey<'a>,
    /// The name in the called module.
    pub inner: ProviderReference<'a>,
    /// The name in the calling module.
    pub outer: ProviderReference<'a>,
}

impl<'a> ModuleCall<'a> {
    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let (content, rest) = block.body().partial_content(rules.schema(&CALL), sink);
        let name = block.label(0).unwrap_or_default();
        read::name(name, block.label_place(0), sink);
        reserved(content.blocks("locals"), sink);
        reserved(content.blocks("provider"), sink);
        let mut enabled = None;
        if rules.is_terraform() {
            reserved(content.blocks("lifecycle"), sink);
        } else if let Some(lifecycle) = single(&content, "lifecycle", sink) {
            enabled = lifecycle.body().content(CALL_LIFECYCLE.common(), sink).attribute("enabled");
        }
        exclusive(&content, enabled, sink);
        // The tools do not convert the value.
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
        visitor.repetition(self.count, self.for_each);
        visitor.wanted(self.enabled.map(Attribute::expression), Wanted::Enabled);
        visitor.available = Available::repeated(self.count.is_some(), self.for_each.is_some());
        for argument in self.arguments {
            visitor.value(Some(argument.expression()), Use::Argument(argument.name()));
        }
        visitor.values(self.escape);
        for pass in self.providers {
            visitor.provider(Some(pass.outer), Use::Pass(pass.inner.name()));
        }
        visitor.available = Available::NONE;
        visitor.order(self.depends_on);
    }
}

const INNER_KEY: &str =
    "In the called module, configurations have no instances. Remove the brackets.";

/// The pairs of `providers`. A pair is left out if one of its sides is not a reference, or if an
/// earlier pair is for the same configuration of the called module.
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
            let diagnostic = Diagnostic::new(Code::ProviderInstance, inner.traversal().label());
            sink.report(diagnostic.with_arguments(&[INNER_KEY]));
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

/// The rest of the body, as one argument per property. A body that is an array can be read by its
/// own schema only.
fn arguments<'a>(rest: Body<'a>, sink: &mut dyn Sink<'a>) -> &'a [Attribute<'a>] {
    if rest.is_single() { rest.just_attributes(sink) } else { &[] }
}
