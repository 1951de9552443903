//! `moved`, `removed` and `import`: how the state follows the configuration.

use super::block::{argument, plain, single};
use super::provider_reference::provider_reference;
use super::provisioner::Provisioner;
use super::read;
use super::rules::Rules;
use crate::body::{AttributeSchema, Block, BlockSchema, Schema};
use crate::diagnostic::Sink;
use crate::expression::Expression;
use crate::native::Traversal;

static MOVED: Schema<'static> =
    Schema::new(&[AttributeSchema::required("from"), AttributeSchema::required("to")], &[]);

static REMOVED: Schema<'static> = Schema::new(
    &[AttributeSchema::required("from")],
    &[plain("lifecycle"), plain("connection"), BlockSchema::new("provisioner", &["type"])],
);

static REMOVED_LIFECYCLE: Schema<'static> =
    Schema::new(&[AttributeSchema::optional("destroy")], &[]);

static IMPORT: Schema<'static> = Schema::new(
    &[
        AttributeSchema::required("to"),
        AttributeSchema::optional("id"),
        AttributeSchema::optional("identity"),
        AttributeSchema::optional("for_each"),
        AttributeSchema::optional("provider"),
    ],
    &[],
);

/// An object that has another address now.
#[derive(Clone, Copy, Debug)]
pub struct Moved<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The old address.
    pub from: Option<Traversal<'a>>,
    /// The new address.
    pub to: Option<Traversal<'a>>,
}

/// An object that is no longer declared.
#[derive(Clone, Copy, Debug)]
pub struct Removed<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its address.
    pub from: Option<Traversal<'a>>,
    /// Whether it is destroyed, or only forgotten.
    pub destroy: Option<bool>,
    /// What is run when it is destroyed.
    pub provisioners: &'a [Provisioner<'a>],
}

/// An object that exists already and is taken over.
#[derive(Clone, Copy, Debug)]
pub struct Import<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The address it gets, a native expression: its index may be any expression.
    pub to: Option<Expression<'a>>,
    /// What the provider knows it by.
    pub id: Option<Expression<'a>>,
    /// The same, as an object.
    pub identity: Option<Expression<'a>>,
    /// One import for each element.
    pub for_each: Option<Expression<'a>>,
    /// The provider configuration.
    pub provider: Option<Traversal<'a>>,
}

impl<'a> Moved<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut impl Sink<'a>) -> Self {
        let content = block.body().content(&MOVED, sink);
        let mut address = |name| argument(&content, name).and_then(|value| value.traversal(sink));
        Self { block, from: address("from"), to: address("to") }
    }
}

impl<'a> Removed<'a> {
    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut impl Sink<'a>) -> Self {
        let content = block.body().content(&REMOVED, sink);
        let lifecycle = single(&content, "lifecycle", sink)
            .map(|lifecycle| lifecycle.body().content(&REMOVED_LIFECYCLE, sink));
        let provisioners = Provisioner::read_all(&content, rules, sink);
        Self {
            block,
            from: argument(&content, "from").and_then(|value| value.traversal(sink)),
            destroy: lifecycle
                .and_then(|lifecycle| argument(&lifecycle, "destroy"))
                .and_then(|value| read::boolean(value, sink)),
            provisioners: block.source().arena().bump().alloc_slice_copy(&provisioners),
        }
    }
}

impl<'a> Import<'a> {
    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut impl Sink<'a>) -> Self {
        let content = block.body().content(&IMPORT, sink);
        Self {
            block,
            to: argument(&content, "to"),
            id: argument(&content, "id"),
            identity: argument(&content, "identity"),
            for_each: argument(&content, "for_each"),
            provider: argument(&content, "provider")
                .and_then(|value| provider_reference(value, rules, sink)),
        }
    }
}
