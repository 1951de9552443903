//! `resource`, `data` and `ephemeral`: their meta-arguments. The rest is the provider's, and stays unread.

use super::block::{argument, plain, single};
use super::condition::Condition;
use super::config::Config;
use super::lifecycle::Lifecycle;
use super::provider_reference::provider_reference;
use super::provisioner::{Provisioner, only_self};
use super::read;
use super::rules::Rules;
use crate::body::{Attribute, AttributeSchema, Block, BlockSchema, Content, Schema};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;
use crate::native::Traversal;
use crate::reference::{Mode, ResourceName};
use crate::source::Source;
use crate::span::Span;

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
    pub connection: Option<&'a Block<'a>>,
    /// What is run when an instance is created or destroyed, in order.
    pub provisioners: &'a [Provisioner<'a>],
    /// What the provider reads: the body without the arguments above.
    pub config: Config<'a>,
    /// The block `_`, whose arguments are the provider's whatever they are called.
    pub escape: Option<&'a Block<'a>>,
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
    pub(super) fn read(
        block: Block<'a>,
        mode: Mode,
        rules: Rules,
        sink: &mut impl Sink<'a>,
    ) -> Self {
        // Terraform leaves connections and provisioners of an ephemeral resource to its provider.
        let is_managed = mode == Mode::Managed || mode == Mode::Ephemeral && !rules.is_terraform();
        let schema = if is_managed { &MANAGED } else { &DATA };
        let (content, config) = block.body().partial_content(schema, sink);
        let mut labels = block.labels().zip(block.label_spans());
        let mut label = || {
            let (name, span) = labels.next().unwrap_or_default();
            read::name(name, block.source(), span, sink);
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
        exclusive(&content, sink);
        reserved(content.blocks("locals"), sink);
        if mode == Mode::Ephemeral && is_managed {
            reserved(content.blocks("connection"), sink);
            reserved(content.blocks("provisioner"), sink);
        }
        let bump = block.source().arena().bump();
        let lifecycle = single(&content, "lifecycle", sink)
            .map(|block| &*bump.alloc(Lifecycle::read(block, address, rules, sink)));
        let connection = single(&content, "connection", sink);
        let provisioners = Provisioner::read_all(&content, rules, sink);
        if let Some(connection) = connection
            && provisioners.iter().any(|provisioner| provisioner.on_destroy)
        {
            only_self(connection.body(), rules, sink);
        }
        let depends_on = argument(&content, "depends_on");
        Self {
            count: argument(&content, "count"),
            for_each: argument(&content, "for_each"),
            provider: argument(&content, "provider")
                .and_then(|value| provider_reference(value, rules, sink)),
            depends_on: depends_on.map_or(&[], |list| dependencies(list, rules, sink)),
            lifecycle,
            connection: connection.map(|block| &*bump.alloc(block)),
            provisioners: bump.alloc_slice_copy(&provisioners),
            escape: single(&content, "_", sink).map(|block| &*bump.alloc(block)),
            ..plain
        }
    }

    /// Reads the data source of a check, which has one instance and no lifecycle of its own.
    pub(super) fn read_in_check(block: Block<'a>, rules: Rules, sink: &mut impl Sink<'a>) -> Self {
        let (content, _) = block.body().partial_content(&REPEATED, &mut ());
        for attribute in content.attributes() {
            refused_in_check(attribute.name(), attribute.source(), attribute.name_span(), sink);
        }
        for lifecycle in content.blocks("lifecycle") {
            let span = lifecycle.definition_span();
            refused_in_check("lifecycle", lifecycle.source(), span, sink);
        }
        // What is refused as a whole is not told to be contradictory, too.
        let sink = &mut |diagnostic: Diagnostic<'a>| {
            if diagnostic.code() != Code::ExclusiveArguments {
                sink.report(diagnostic);
            }
        };
        Self { count: None, for_each: None, ..Self::read(block, Mode::Data, rules, sink) }
    }
}

/// What the data source of a check cannot have.
static REPEATED: Schema<'static> = Schema::new(
    &[AttributeSchema::optional("count"), AttributeSchema::optional("for_each")],
    &[plain("lifecycle")],
);

#[cold]
fn refused_in_check<'a>(name: &'a str, source: Source<'a>, span: Span, sink: &mut impl Sink<'a>) {
    let there = Diagnostic::new(Code::CheckData, source, span);
    sink.report(there.with_arguments(&[name]));
}

/// `count` and `for_each` contradict each other.
pub(super) fn exclusive<'a>(content: &Content<'a>, sink: &mut impl Sink<'a>) {
    if let Some(for_each) = content.attribute("for_each")
        && let Some(count) = content.attribute("count")
    {
        contradict(count, for_each, sink);
    }
}

#[cold]
fn contradict<'a>(count: Attribute<'a>, for_each: Attribute<'a>, sink: &mut impl Sink<'a>) {
    let there = Diagnostic::new(Code::ExclusiveArguments, for_each.source(), for_each.name_span());
    sink.report(there.with_arguments(&["count", "for_each"]).with_related(
        count.source(),
        count.name_span(),
        "set here",
    ));
}

/// The elements of `depends_on`. An action of Terraform is ordered by the resource that triggers it.
pub(super) fn dependencies<'a>(
    list: Expression<'a>,
    rules: Rules,
    sink: &mut impl Sink<'a>,
) -> &'a [Traversal<'a>] {
    let all = read::traversals(list, sink);
    let is_action = |traversal: &Traversal<'a>| traversal.root_name() == "action";
    if !rules.is_terraform() || !all.iter().any(is_action) {
        return all;
    }
    for action in all.iter().filter(|traversal| is_action(traversal)) {
        let there = Diagnostic::new(Code::InvalidDependency, action.source(), action.span());
        sink.report(there.with_arguments(&["an action is run by the resource that triggers it"]));
    }
    let kept: Vec<_> = all.iter().copied().filter(|traversal| !is_action(traversal)).collect();
    list.source().arena().bump().alloc_slice_copy(&kept)
}

/// Reports block types that are reserved: once where several blocks share the place that names the type.
pub(super) fn reserved<'a>(blocks: impl Iterator<Item = Block<'a>>, sink: &mut impl Sink<'a>) {
    let mut last = None;
    for nested in blocks {
        if last.replace(nested.type_span()) != Some(nested.type_span()) {
            sink.report(
                Diagnostic::new(Code::ReservedBlock, nested.source(), nested.type_span())
                    .with_arguments(&[nested.block_type()]),
            );
        }
    }
}
