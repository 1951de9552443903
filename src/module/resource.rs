//! `resource`, `data` and `ephemeral`: their meta-arguments. The other arguments are the
//! provider's, and stay unread.

use super::available::Available;
use super::block::{argument, plain, single};
use super::condition::Condition;
use super::config::Config;
use super::lifecycle::Lifecycle;
use super::meta::{dependencies, exclusive, provider_name, reserved};
use super::provider_reference::{ProviderReference, provider_reference};
use super::provisioner::{Provisioner, only_self};
use super::read;
use super::rules::Rules;
use super::site::{Use, Visitor};
use crate::body::{AttributeSchema, Block, BlockSchema, Schema};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::Dialect;
use crate::expression::Expression;
use crate::native::Traversal;
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

/// Arguments of data sources, where `connection` and `provisioner` are arguments of the provider.
static DATA: Schema<'static> =
    Schema::new(&ARGUMENTS, &[plain("lifecycle"), plain("_"), plain("locals")]);

/// A resource, data source or ephemeral resource.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Resource<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The address in the module.
    pub address: ResourceName<'a>,
    /// The number of instances.
    pub count: Option<Expression<'a>>,
    /// The map or set with one element per instance.
    pub for_each: Option<Expression<'a>>,
    /// The provider configuration, if it is not the default one of the provider that the type's
    /// name starts with.
    pub provider: Option<ProviderReference<'a>>,
    /// The objects that must exist before it.
    pub depends_on: &'a [Traversal<'a>],
    /// The `lifecycle` block.
    pub lifecycle: Option<&'a Lifecycle<'a>>,
    /// The connection of provisioners to the instances.
    pub connection: Option<&'a Block<'a>>,
    /// The provisioners, in order.
    pub provisioners: &'a [Provisioner<'a>],
    /// The body that the provider reads, without the arguments above.
    pub config: Config<'a>,
    /// The block `_`. Its arguments are always the provider's, even if they are called `count` or
    /// `lifecycle`.
    pub escape: Option<&'a Block<'a>>,
}

impl<'a> Resource<'a> {
    /// The local name of the provider: as the block says, or the type's name up to the first
    /// underscore.
    #[must_use]
    pub fn provider_name(&self) -> &'a str {
        provider_name(self.provider, self.address.resource_type)
    }

    /// Whether it always has one instance, without a key.
    pub(crate) fn is_plain(&self) -> bool {
        self.count.is_none()
            && self.for_each.is_none()
            && self.lifecycle.is_none_or(|lifecycle| lifecycle.enabled.is_none())
    }

    /// The arguments and blocks that the tools read themselves for every provider.
    #[must_use]
    pub fn own_arguments(mode: Mode, dialect: Dialect) -> &'static Schema<'static> {
        if is_like_managed(mode, dialect) { &MANAGED } else { &DATA }
    }

    /// The conditions to check before the object is evaluated.
    #[must_use]
    pub fn preconditions(&self) -> &'a [Condition<'a>] {
        self.lifecycle.map_or(&[], |lifecycle| lifecycle.preconditions)
    }

    /// Visits its expressions.
    pub(super) fn visit(&self, dialect: Dialect, visitor: &mut Visitor<'_, 'a>) {
        visitor.repetition(self.count, self.for_each);
        let repeated = Available::repeated(self.count.is_some(), self.for_each.is_some());
        visitor.available = repeated;
        visitor.config(self.config, self.escape.copied());
        if let Some(lifecycle) = self.lifecycle {
            lifecycle.visit(dialect, visitor);
        }
        visitor.available = repeated.with_self();
        // Only provisioners use the connection.
        if !self.provisioners.is_empty() {
            visitor.block(self.connection.copied());
        }
        self.provisioners.iter().for_each(|provisioner| provisioner.visit(visitor));
        visitor.available = Available::NONE;
        visitor.order(self.depends_on);
        visitor.provider(self.provider, Use::Provider);
    }

    /// Reads a block with the labels type and name. Cost: opens one level of its body.
    pub(super) fn read(
        block: Block<'a>,
        mode: Mode,
        rules: Rules,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let is_managed = is_like_managed(mode, rules.dialect);
        let schema = Self::own_arguments(mode, rules.dialect);
        let (content, config) = block.body().partial_content(schema, sink);
        let mut labels = block.labels().zip(block.label_places());
        let mut label = || {
            let Some((name, label)) = labels.next() else { return "" };
            read::name(name, label, sink);
            name
        };
        let address = ResourceName { mode, resource_type: label(), name: label() };
        let plain = Self {
            block,
            address,
            count: None,
            for_each: None,
            provider: None,
            depends_on: &[],
            lifecycle: None,
            connection: None,
            provisioners: &[],
            config: Config::new(config),
            escape: None,
        };
        if content.is_empty() {
            return plain;
        }
        reserved(content.blocks("locals"), sink);
        let is_refused = mode == Mode::Ephemeral && is_managed;
        if is_refused {
            reserved(content.blocks("connection"), sink);
            reserved(content.blocks("provisioner"), sink);
        }
        let bump = block.source().arena().bump();
        let lifecycle = single(&content, "lifecycle", sink)
            .map(|block| &*bump.alloc(Lifecycle::read(block, address, rules, sink)));
        exclusive(&content, lifecycle.and_then(|lifecycle| lifecycle.enabled), sink);
        let (mut connection, mut provisioners) = (None, Vec::new());
        if !is_refused {
            connection = single(&content, "connection", sink);
            provisioners = Provisioner::read_all(&content, rules, sink);
        }
        if let Some(connection) = connection
            && provisioners.iter().any(|provisioner| provisioner.on_destroy)
        {
            only_self(connection.body(), rules, sink);
        }
        let provider = argument(&content, "provider");
        let provider = provider.and_then(|value| provider_reference(value, rules, sink));
        let depends_on = argument(&content, "depends_on");
        Self {
            count: argument(&content, "count"),
            for_each: argument(&content, "for_each"),
            provider,
            depends_on: depends_on.map_or(&[], |list| dependencies(list, rules, sink)),
            lifecycle,
            connection: connection.map(|block| &*bump.alloc(block)),
            provisioners: bump.alloc_slice_copy(&provisioners),
            escape: single(&content, "_", sink).map(|block| &*bump.alloc(block)),
            ..plain
        }
    }

    /// Reads the data source of a check, which has one instance and no lifecycle of its own.
    pub(super) fn read_in_check(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let (content, _) = block.body().partial_content(&REPEATED, &mut ());
        for attribute in content.attributes() {
            refused_in_check(attribute.name(), attribute.name_label(), sink);
        }
        for lifecycle in content.blocks("lifecycle") {
            refused_in_check("lifecycle", lifecycle.definition_label(), sink);
        }
        // A block that is rejected as a whole is not also reported as contradictory.
        let sink = &mut |diagnostic: Diagnostic<'a>| {
            if diagnostic.code() != Code::ExclusiveArguments {
                sink.report(diagnostic);
            }
        };
        Self { count: None, for_each: None, ..Self::read(block, Mode::Data, rules, sink) }
    }
}

/// Whether the tool reads connections and provisioners itself: Terraform leaves those of an
/// ephemeral resource to its provider.
fn is_like_managed(mode: Mode, dialect: Dialect) -> bool {
    mode == Mode::Managed || mode == Mode::Ephemeral && dialect != Dialect::Terraform
}

/// The word for a resource of a mode.
pub(super) const fn kind(mode: Mode) -> &'static str {
    match mode {
        Mode::Managed => "resource",
        Mode::Data => "data source",
        Mode::Ephemeral => "ephemeral resource",
    }
}

/// Arguments that the data source of a check must not have.
static REPEATED: Schema<'static> = Schema::new(
    &[AttributeSchema::optional("count"), AttributeSchema::optional("for_each")],
    &[plain("lifecycle")],
);

#[cold]
fn refused_in_check<'a>(name: &'a str, label: Label<'a>, sink: &mut dyn Sink<'a>) {
    sink.report(Diagnostic::new(Code::CheckData, label).with_arguments(&[name]));
}
