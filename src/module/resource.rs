//! `resource`, `data` and `ephemeral`: their meta-arguments. The rest is the provider's, and stays unread.

use super::block::{argument, plain, single};
use super::condition::Condition;
use super::config::Config;
use super::lifecycle::Lifecycle;
use super::provisioner::Provisioner;
use super::read;
use crate::body::{AttributeSchema, Block, BlockSchema, Schema};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;
use crate::native::{StepKind, Traversal};
use crate::reference::{Mode, ResourceName};

const ARGUMENTS: [AttributeSchema<'static>; 4] = [
    AttributeSchema::optional("count"),
    AttributeSchema::optional("for_each"),
    AttributeSchema::optional("provider"),
    AttributeSchema::optional("depends_on"),
];

static MANAGED: Schema<'static> = Schema::new(
    &ARGUMENTS,
    &[
        plain("lifecycle"),
        plain("connection"),
        BlockSchema::new("provisioner", &["type"]),
        plain("_"),
        plain("locals"),
    ],
);

/// `connection` and `provisioner` are the provider's here.
static DATA: Schema<'static> =
    Schema::new(&ARGUMENTS, &[plain("lifecycle"), plain("_"), plain("locals")]);

/// A resource, data source or ephemeral resource.
#[derive(Clone, Copy, Debug)]
pub struct Resource<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its address in the module.
    pub address: ResourceName<'a>,
    /// How many instances.
    pub count: Option<Expression<'a>>,
    /// One instance for each element.
    pub for_each: Option<Expression<'a>>,
    /// The provider configuration, if it is not the default one of the provider that the type's name
    /// starts with.
    pub provider: Option<Traversal<'a>>,
    /// What must exist before it.
    pub depends_on: &'a [Traversal<'a>],
    /// How it is replaced and destroyed, and its conditions.
    pub lifecycle: Option<&'a Lifecycle<'a>>,
    /// How its instances are reached by provisioners.
    pub connection: Option<Block<'a>>,
    /// What is run when an instance is created or destroyed, in order.
    pub provisioners: &'a [Provisioner<'a>],
    /// What the provider reads: the body without the arguments above.
    pub config: Config<'a>,
    /// The block `_`, whose arguments are the provider's whatever they are called.
    pub escape: Option<Block<'a>>,
}

impl<'a> Resource<'a> {
    /// The local name of its provider: as it says, or the type's name up to the first underscore.
    #[must_use]
    pub fn provider_name(&self) -> &'a str {
        match self.provider {
            Some(provider) => provider.root_name(),
            None => {
                let resource_type = self.address.resource_type;
                resource_type.split_once('_').map_or(resource_type, |(provider, _)| provider)
            }
        }
    }

    /// The conditions that hold before.
    #[must_use]
    pub fn preconditions(&self) -> &'a [Condition<'a>] {
        self.lifecycle.map_or(&[], |lifecycle| lifecycle.preconditions)
    }

    /// Reads a block with the labels type and name. Cost: its body is opened, one level.
    pub(super) fn read(block: Block<'a>, mode: Mode, sink: &mut impl Sink<'a>) -> Self {
        let schema = if mode == Mode::Data { &DATA } else { &MANAGED };
        let (content, config) = block.body().partial_content(schema, sink);
        let mut labels = block.labels().zip(block.label_spans());
        let mut label = || {
            let (name, span) = labels.next().unwrap_or_default();
            read::name(name, block.source(), span, sink);
            name
        };
        let address = ResourceName { mode, resource_type: label(), name: label() };
        for nested in content.blocks("locals") {
            reserved(nested, sink);
        }
        if mode == Mode::Ephemeral {
            for nested in content.blocks("connection").chain(content.blocks("provisioner")) {
                reserved(nested, sink);
            }
        }
        let bump = block.source().arena().bump();
        let lifecycle = single(&content, "lifecycle", sink)
            .map(|block| &*bump.alloc(Lifecycle::read(block, mode, sink)));
        let provisioners: Vec<_> =
            content.blocks("provisioner").map(|block| Provisioner::read(block, sink)).collect();
        let depends_on = argument(&content, "depends_on");
        Self {
            block,
            address,
            count: argument(&content, "count"),
            for_each: argument(&content, "for_each"),
            provider: argument(&content, "provider")
                .and_then(|value| provider_reference(value, sink)),
            depends_on: depends_on.map_or(&[], |list| read::traversals(list, sink)),
            lifecycle,
            connection: single(&content, "connection", sink),
            provisioners: bump.alloc_slice_copy(&provisioners),
            config: Config::new(config),
            escape: single(&content, "_", sink),
        }
    }
}

#[cold]
fn reserved<'a>(nested: Block<'a>, sink: &mut impl Sink<'a>) {
    sink.report(
        Diagnostic::new(Code::ReservedBlock, nested.source(), nested.type_span())
            .with_arguments(&[nested.block_type()]),
    );
}

/// A reference to a provider configuration: `aws`, `aws.east`, or `aws.east["key"]`.
pub(super) fn provider_reference<'a>(
    value: Expression<'a>,
    sink: &mut impl Sink<'a>,
) -> Option<Traversal<'a>> {
    let traversal = value.as_traversal().filter(|traversal| {
        let mut kinds = traversal.steps().iter().map(|step| step.kind);
        let (root, alias, key) = (kinds.next(), kinds.next(), kinds.next());
        matches!(root, Some(StepKind::Root(_)))
            && matches!(alias, None | Some(StepKind::Attribute(_)))
            && matches!(key, None | Some(StepKind::Index(_)))
            && kinds.next().is_none()
    });
    if traversal.is_none() {
        sink.report(
            Diagnostic::new(Code::ProviderReference, value.source(), value.start_span())
                .with_arguments(&[value.node().type_name()]),
        );
    }
    traversal
}
