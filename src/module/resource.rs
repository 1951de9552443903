//! `resource`, `data` and `ephemeral`: their meta-arguments. The other arguments are the
//! provider's, and stay unread.

use super::available::Available;
use super::block::{argument, single};
use super::condition::Condition;
use super::config::Config;
use super::dynamic::Nested;
use super::lifecycle::Lifecycle;
use super::meta::{dependencies, exclusive, provider_name, reserved};
use super::provider_reference::{ProviderReference, provider_reference};
use super::provisioner::{Provisioner, only_self};
use super::read;
use super::rules::Rules;
use super::site::{Use, Visitor};
use crate::body::{Block, Parts, Schema};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::Dialect;
use crate::dialect::arguments::modules::{DATA, LIST, REPEATED, RESOURCE};
use crate::expression::Expression;
use crate::native::Traversal;
use crate::reference::{Mode, ResourceName};

/// A resource, data source, ephemeral resource or query.
///
/// ```
/// use simd_hcl::Arena;
/// use simd_hcl::tree::Tree;
///
/// let arena = Arena::new();
/// let tree = Tree::open(&arena, &["corpus/monorepo"])?;
/// let mut resources = tree.modules().iter().flat_map(|it| &it.module.resources);
/// assert!(resources.any(|it| it.count().is_some() || it.for_each().is_some()));
/// # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Resource<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Whether it is a resource, a data source or an ephemeral resource.
    pub mode: Mode,
    its_lifecycle: Option<&'a Lifecycle<'a>>,
    /// None if its block has at most a `lifecycle`.
    rare: Option<&'a Rare<'a>>,
}

/// The arguments that few resources have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rare<'a> {
    pub(super) count: Option<Expression<'a>>,
    pub(super) for_each: Option<Expression<'a>>,
    pub(super) provider: Option<ProviderReference<'a>>,
    pub(super) depends_on: &'a [Traversal<'a>],
    pub(super) connection: Option<Block<'a>>,
    pub(super) provisioners: &'a [Provisioner<'a>],
    pub(super) config: Config<'a>,
    pub(super) escape: Option<Block<'a>>,
}

impl<'a> Rare<'a> {
    /// Only the body that the provider reads.
    fn of(config: Config<'a>) -> Self {
        Self {
            count: None,
            for_each: None,
            provider: None,
            depends_on: &[],
            connection: None,
            provisioners: &[],
            config,
            escape: None,
        }
    }
}

impl<'a> Resource<'a> {
    /// The address in the module. Its names are the labels of the block.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::tree::Tree;
    ///
    /// let arena = Arena::new();
    /// let tree = Tree::open(&arena, &["corpus/monorepo"])?;
    /// let mut resources = tree.modules().iter().flat_map(|it| &it.module.resources);
    /// assert!(resources.any(|it| it.address().to_string() == "aws_ecs_service.this"));
    /// # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
    /// ```
    #[must_use]
    pub fn address(&self) -> ResourceName<'a> {
        let label = |index| self.block.label(index).unwrap_or_default();
        ResourceName { mode: self.mode, resource_type: label(0), name: label(1) }
    }

    /// The number of instances.
    #[must_use]
    pub fn count(&self) -> Option<Expression<'a>> {
        self.rare?.count
    }

    /// The map or set with one element per instance.
    #[must_use]
    pub fn for_each(&self) -> Option<Expression<'a>> {
        self.rare?.for_each
    }

    /// The provider configuration, if it is not the default one of the provider that the type's
    /// name starts with.
    #[must_use]
    pub fn provider(&self) -> Option<ProviderReference<'a>> {
        self.rare?.provider
    }

    /// The objects that must exist before it.
    #[must_use]
    pub fn depends_on(&self) -> &'a [Traversal<'a>] {
        self.rare.map_or(&[], |rare| rare.depends_on)
    }

    /// The `lifecycle` block.
    #[must_use]
    pub fn lifecycle(&self) -> Option<&'a Lifecycle<'a>> {
        self.its_lifecycle
    }

    /// The connection of provisioners to the instances.
    #[must_use]
    pub fn connection(&self) -> Option<Block<'a>> {
        self.rare?.connection
    }

    /// The provisioners, in order.
    #[must_use]
    pub fn provisioners(&self) -> &'a [Provisioner<'a>] {
        self.rare.map_or(&[], |rare| rare.provisioners)
    }

    /// The body that the provider reads, without the arguments above.
    #[must_use]
    pub fn config(&self) -> Config<'a> {
        if let Some(rare) = self.rare {
            return rare.config;
        }
        let body = self.block.body();
        Config::new(if self.its_lifecycle.is_some() { body.without_lifecycle() } else { body })
    }

    /// The block `_`. Its arguments are always the provider's, even if they are called `count` or
    /// `lifecycle`.
    #[must_use]
    pub fn escape(&self) -> Option<Block<'a>> {
        self.rare?.escape
    }

    /// Returns all but the block, the mode and the `lifecycle`.
    pub(super) fn rare(&self) -> Rare<'a> {
        self.rare.copied().unwrap_or_else(|| Rare::of(self.config()))
    }

    /// Replaces what override files change.
    pub(super) fn set(&mut self, rare: Rare<'a>, lifecycle: Option<Lifecycle<'a>>) {
        let bump = self.block.source().arena().bump();
        self.rare = Some(bump.alloc(rare));
        self.its_lifecycle = lifecycle.map(|lifecycle| &*bump.alloc(lifecycle));
    }

    /// The local name of the provider: as the block says, or the type's name up to the first
    /// underscore.
    #[must_use]
    pub fn provider_name(&self) -> &'a str {
        provider_name(self.provider(), self.block.label(0).unwrap_or_default())
    }

    /// Whether it always has one instance, without a key.
    pub(crate) fn is_plain(&self) -> bool {
        self.rare.is_none_or(|rare| rare.count.is_none() && rare.for_each.is_none())
            && self.its_lifecycle.is_none_or(|lifecycle| lifecycle.enabled().is_none())
    }

    /// The arguments and blocks that the tools read themselves for every provider.
    #[must_use]
    pub fn own_arguments(mode: Mode, dialect: Dialect) -> &'static Schema<'static> {
        if is_like_managed(mode, dialect) { RESOURCE.common() } else { DATA.common() }
    }

    /// The conditions to check before the object is evaluated.
    #[must_use]
    pub fn preconditions(&self) -> &'a [Condition<'a>] {
        self.its_lifecycle.map_or(&[], |lifecycle| lifecycle.preconditions())
    }

    /// Whether objects of its body can be blocks. The built-in types have attributes only.
    fn nested(&self) -> Nested {
        match self.address().resource_type {
            "terraform_data" | "terraform_remote_state" => Nested::None,
            _ => Nested::Unknown,
        }
    }

    /// Visits its expressions.
    pub(super) fn visit(&self, dialect: Dialect, visitor: &mut Visitor<'_, 'a>) {
        let Some(&Rare { count, for_each, provider, depends_on, connection, provisioners, .. }) =
            self.rare
        else {
            visitor.available = Available::NONE;
            visitor.config(self.config(), None, self.nested());
            if let Some(lifecycle) = self.its_lifecycle {
                lifecycle.visit(dialect, visitor);
            }
            visitor.available = Available::NONE;
            return;
        };
        visitor.repetition(count, for_each);
        if self.mode == Mode::List {
            let (content, _) = self.block.body().partial_content(LIST.common(), &mut ());
            visitor.template(argument(&content, "include_resource"));
            visitor.template(argument(&content, "limit"));
        }
        let repeated = Available::repeated(count.is_some(), for_each.is_some());
        visitor.available = repeated;
        visitor.config(self.config(), self.escape(), self.nested());
        if let Some(lifecycle) = self.its_lifecycle {
            lifecycle.visit(dialect, visitor);
        }
        visitor.available = repeated.with_self();
        // Only provisioners use the connection.
        if !provisioners.is_empty() || visitor.visits_unused {
            visitor.values(connection);
        }
        provisioners.iter().for_each(|provisioner| provisioner.visit(visitor));
        visitor.available = Available::NONE;
        visitor.order(depends_on);
        visitor.provider(provider, Use::Provider);
    }

    /// Reads a block with the labels type and name. Cost: opens one level of its body.
    pub(super) fn read(
        block: Block<'a>,
        mode: Mode,
        rules: Rules,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        if mode == Mode::List {
            return Self::read_list(block, rules, sink);
        }
        let is_managed = is_like_managed(mode, rules.dialect);
        let schema = Self::own_arguments(mode, rules.dialect);
        let (content, config) = block.body().partial_brief_content(schema, sink);
        for (name, label) in block.labels().zip(block.label_places()).take(2) {
            read::name(name, label, sink);
        }
        let bump = block.source().arena().bump();
        let mut read = Self { block, mode, its_lifecycle: None, rare: None };
        if content.is_empty() {
            if !config.is_whole() {
                read.rare = Some(bump.alloc(Rare::of(Config::new(config))));
            }
            return read;
        }
        reserved(content.blocks("locals"), sink);
        let is_refused = mode == Mode::Ephemeral && is_managed;
        if is_refused {
            reserved(content.blocks("connection"), sink);
            reserved(content.blocks("provisioner"), sink);
        }
        read.its_lifecycle = single(&content, "lifecycle", sink)
            .map(|block| &*bump.alloc(Lifecycle::read(block, read.address(), rules, sink)));
        let lifecycle = read.its_lifecycle;
        if config.is_without_lifecycle() && lifecycle.is_some() {
            return read;
        }
        exclusive(&content, lifecycle.and_then(|lifecycle| lifecycle.enabled()), sink);
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
        read.rare = Some(bump.alloc(Rare {
            count: argument(&content, "count"),
            for_each: argument(&content, "for_each"),
            provider,
            depends_on: depends_on.map_or(&[], |list| dependencies(list, rules, sink)),
            connection,
            provisioners: bump.alloc_slice_copy(&provisioners),
            config: Config::new(config),
            escape: single(&content, "_", sink),
        }));
        read
    }

    /// Reads a `list` block of a query. The arguments of the provider are in its block `config`.
    fn read_list(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(LIST.common(), sink);
        for (name, label) in block.labels().zip(block.label_places()).take(2) {
            read::name(name, label, sink);
        }
        exclusive(&content, None, sink);
        let provider = argument(&content, "provider");
        let provider = provider.and_then(|value| provider_reference(value, rules, sink));
        let config = match single(&content, "config", sink) {
            Some(config) => config.body(),
            None => block.body().partial_content(LIST.common(), &mut ()).1,
        };
        let rare = Rare {
            count: argument(&content, "count"),
            for_each: argument(&content, "for_each"),
            provider,
            depends_on: &[],
            connection: None,
            provisioners: &[],
            config: Config::new(config),
            escape: None,
        };
        let rare = Some(&*block.source().arena().bump().alloc(rare));
        Self { block, mode: Mode::List, its_lifecycle: None, rare }
    }

    /// Reads the data source of a check, which has one instance and no lifecycle of its own.
    pub(super) fn read_in_check(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let (content, _) = block.body().partial_brief_content(REPEATED.common(), &mut ());
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
        let mut read = Self::read(block, Mode::Data, rules, sink);
        if !read.is_plain() {
            let rare = Rare { count: None, for_each: None, ..read.rare() };
            read.rare = Some(block.source().arena().bump().alloc(rare));
        }
        read
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
        Mode::List => "query",
    }
}

#[cold]
fn refused_in_check<'a>(name: &'a str, label: Label<'a>, sink: &mut dyn Sink<'a>) {
    sink.report(Diagnostic::new(Code::CheckData, label).with_arguments(&[name]));
}

#[cfg(test)]
mod tests {
    use super::{Lifecycle, Resource};
    use crate::body::Block;

    /// A file may have hundreds of thousands.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn resources_are_small() {
        assert_eq!(size_of::<Block<'_>>(), 24);
        assert_eq!(size_of::<Resource<'_>>(), 48);
        assert_eq!(size_of::<Lifecycle<'_>>(), 56);
    }
}
