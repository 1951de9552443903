//! `module`: a call of another module.

use super::block::{argument, plain, single};
use super::read;
use crate::body::{Attribute, AttributeSchema, Block, BlockSchema, Body, Schema};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;
use crate::json::JsonString;
use crate::native::Traversal;

use super::resource::provider_reference;

const fn schema(source: AttributeSchema<'static>) -> [AttributeSchema<'static>; 6] {
    [
        source,
        AttributeSchema::optional("version"),
        AttributeSchema::optional("count"),
        AttributeSchema::optional("for_each"),
        AttributeSchema::optional("depends_on"),
        AttributeSchema::optional("providers"),
    ]
}

const BLOCKS: [BlockSchema<'static>; 4] =
    [plain("lifecycle"), plain("_"), plain("locals"), BlockSchema::new("provider", &["type"])];

static CALL: Schema<'static> = Schema::new(&schema(AttributeSchema::required("source")), &BLOCKS);

/// In an override file the source may be left to the base.
static OVERRIDE: Schema<'static> =
    Schema::new(&schema(AttributeSchema::optional("source")), &BLOCKS);

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
    /// What must exist before anything in the module.
    pub depends_on: &'a [Traversal<'a>],
    /// Provider configurations for the module.
    pub providers: &'a [ProviderPass<'a>],
    /// The values of its variables, and nothing else.
    pub arguments: &'a [Attribute<'a>],
    /// The block `_`, whose arguments are the module's whatever they are called.
    pub escape: Option<Block<'a>>,
}

/// A provider configuration that a call hands on.
#[derive(Clone, Copy, Debug)]
pub struct ProviderPass<'a> {
    /// The member of `providers`.
    pub key: JsonString<'a>,
    /// What the called module knows it as.
    pub inner: Option<Traversal<'a>>,
    /// What this module knows it as.
    pub outer: Option<Traversal<'a>>,
}

impl<'a> ModuleCall<'a> {
    pub(super) fn read(block: Block<'a>, is_override: bool, sink: &mut impl Sink<'a>) -> Self {
        let schema = if is_override { &OVERRIDE } else { &CALL };
        let (content, rest) = block.body().partial_content(schema, sink);
        let name = block.label(0).unwrap_or_default();
        let label = block.label_spans().next().unwrap_or_default();
        read::name(name, block.source(), label, sink);
        for reserved in ["locals", "provider"] {
            for nested in content.blocks(reserved) {
                sink.report(
                    Diagnostic::new(Code::ReservedBlock, nested.source(), nested.type_span())
                        .with_arguments(&[reserved]),
                );
            }
        }
        single(&content, "lifecycle", sink);
        let bump = block.source().arena().bump();
        let providers: Vec<_> = argument(&content, "providers")
            .and_then(|value| value.map(sink))
            .into_iter()
            .flatten()
            .map(|(key, value)| ProviderPass {
                key,
                inner: provider_reference(Expression::new(key.node()), sink),
                outer: provider_reference(value, sink),
            })
            .collect();
        let depends_on = argument(&content, "depends_on");
        Self {
            block,
            name,
            source: content.attribute("source"),
            version: content.attribute("version"),
            count: argument(&content, "count"),
            for_each: argument(&content, "for_each"),
            depends_on: depends_on.map_or(&[], |list| read::traversals(list, sink)),
            providers: bump.alloc_slice_copy(&providers),
            arguments: arguments(rest, sink),
            escape: single(&content, "_", sink),
        }
    }
}

/// What is left of the body: an argument each. Of a body that is an array nothing but its own schema
/// can be read.
fn arguments<'a>(rest: Body<'a>, sink: &mut impl Sink<'a>) -> &'a [Attribute<'a>] {
    if rest.node().is_object() { rest.just_attributes(sink) } else { &[] }
}
