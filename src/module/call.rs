//! `module`: a call of another module.

use std::collections::hash_map::Entry;

use super::Module;
use super::block::{argument, single};
use super::computed::Computed;
use super::meta::{dependencies, exclusive, reserved};
use super::provider_reference::{ProviderConfigName, ProviderReference, provider_reference};
use super::read;
use super::rules::Rules;
use super::scope::Available;
use super::site::{Use, Visitor, Wanted};
use super::source_address::SourceAddress;
use super::table::{Row, Table};
use super::version::VersionConstraint;
use crate::body::{Attribute, AttributeSchema, Block, Body, Schema};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::evaluate::Scope;
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::json::{JsonString, Value};
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
    /// If an override file changes the call: the arguments of its own block alone. The tools ask there whether
    /// what is required is set.
    pub base_arguments: Option<&'a [Attribute<'a>]>,
    /// The block `_`, whose arguments are the module's whatever they are called.
    pub escape: Option<Block<'a>>,
}

/// A provider configuration that a call hands on.
#[derive(Clone, Copy, Debug)]
pub struct ProviderPass<'a> {
    /// The member of `providers`.
    pub key: JsonString<'a>,
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
            && !matches!(flag.literal(), Value::Bool(_))
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
        }
    }

    /// Visits its expressions.
    pub(super) fn visit(&self, visitor: &mut Visitor<'_, 'a>) {
        visitor.value(self.source.map(Attribute::expression), Use::Source);
        visitor.value(self.version.map(Attribute::expression), Use::Version);
        visitor.wanted(self.count, Wanted::Count);
        visitor.wanted(self.for_each, Wanted::Each);
        visitor.template(self.enabled.map(Attribute::expression));
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

    /// The source as a text: evaluated, or as it is written if that takes values of variables.
    #[must_use]
    pub fn source_text(&self) -> Option<&'a str> {
        self.source.and_then(written_text)
    }

    /// The version constraint as a text, in the same way.
    #[must_use]
    pub fn version_text(&self) -> Option<&'a str> {
        self.version.and_then(written_text)
    }

    /// Where the module comes from, if its source can be told without values of variables, and is right.
    #[must_use]
    pub fn source_address(&self) -> Option<SourceAddress<'a>> {
        let text = fixed_text(self.source?.expression())?.ok()?;
        // A version that takes values may turn out to be null, which asks for none.
        let has_version = self.version.is_some_and(|version| {
            let value = version.expression();
            !value.node().is_null() && fixed_text(value).is_some()
        });
        match has_version {
            true => SourceAddress::parse_versioned(text),
            false => SourceAddress::parse(text),
        }
        .ok()
    }

    /// Reports a source that is no address, or not one of a registry although there are versions, and a version
    /// that is no constraint. Of both, what depends on variables is not looked at. To be asked once overrides are
    /// merged.
    pub(super) fn check_source(
        &self,
        module: &Module<'a>,
        computed: &mut Computed<'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        // Null asks for no version, and a version that is not known may be null.
        let mut has_version = false;
        if let Some(value) = self.version.map(Attribute::expression)
            && !value.node().is_null()
        {
            let text = match fixed_text(value) {
                Some(_) => self.text(value, sink),
                None => {
                    let value = computed.value(module, value, &[], &mut ());
                    value.as_str().map(|text| computed.arena().str(text))
                }
            };
            has_version = text.is_some() || fixed_text(value).is_some();
            if text.is_some_and(|text| VersionConstraint::parse_all(text).is_none()) {
                sink.report(Diagnostic::new(Code::VersionConstraint, value.start_label()));
            }
        }
        let Some(source) = self.source.map(Attribute::expression) else { return };
        let Some(text) = self.text(source, sink) else { return };
        let parse = match has_version {
            true => SourceAddress::parse_versioned,
            false => SourceAddress::parse,
        };
        if let Err(error) = parse(text) {
            sink.report(
                Diagnostic::new(Code::ModuleSource, source.label())
                    .with_arguments(&[error.as_str()]),
            );
        }
    }

    /// The text that an argument gives without any variable.
    fn text(&self, value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
        match fixed_text(value)? {
            Ok(text) => Some(text),
            Err(_) => read::unsuitable(value, "a string", sink),
        }
    }
}

/// The text that an argument gives, or that is written if it takes variables or functions.
fn written_text(attribute: Attribute<'_>) -> Option<&str> {
    let value = attribute.expression();
    match fixed_text(value) {
        Some(text) => text.ok(),
        None => value.node().to_str(),
    }
}

/// The text that a value gives when it is evaluated without variables and functions: none if it needs some. The
/// error is the type of a value that gives no text.
fn fixed_text<'a>(value: Expression<'a>) -> Option<Result<&'a str, &'static str>> {
    match value.literal() {
        Value::String(text) if !text.may_be_template() => Some(Ok(text.to_str())),
        Value::String(_) => {
            if value.variables().next().is_some() {
                return None;
            }
            let mut error: Option<Diagnostic<'a>> = None;
            let evaluated = value.value(&Scope::new(), &mut error);
            let text = evaluated.as_str().filter(|_| error.is_none())?;
            Some(Ok(value.source().arena().str(text)))
        }
        Value::Number(number) => Some(Ok(number.text())),
        Value::Bool(true) => Some(Ok("true")),
        Value::Bool(false) => Some(Ok("false")),
        _ => Some(Err(value.node().type_name())),
    }
}

const INNER_KEY: &str =
    "The called module knows configurations only, no instances of them. Remove the brackets.";

/// The pairs of `providers`. One whose sides are not both references is left out, and so is a second one for the
/// same configuration of the called module.
pub(super) fn passes<'a>(
    map: Expression<'a>,
    rules: Rules,
    sink: &mut dyn Sink<'a>,
) -> &'a [ProviderPass<'a>] {
    let Some(pairs) = map.map(sink) else { return &[] };
    let mut passes: Vec<ProviderPass<'a>> = Vec::new();
    let mut places: HashMap<ProviderConfigName<'a>, usize> = HashMap::default();
    for (key, value) in pairs {
        let inner = provider_reference(Expression::new(key.node()), rules, sink);
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

/// What is left of the body: an argument each. Of a body that is an array nothing but its own schema
/// can be read.
fn arguments<'a>(rest: Body<'a>, sink: &mut dyn Sink<'a>) -> &'a [Attribute<'a>] {
    if rest.node().is_object() { rest.just_attributes(sink) } else { &[] }
}
