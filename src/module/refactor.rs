//! `moved`, `removed` and `import`: how the state follows changes of the configuration.

use std::cell::Cell;

use super::Module;
use super::address::{Address, wrong};
use super::available::Available;
use super::block::{argument, single};
use super::meta::provider_name;
use super::provider_reference::{ProviderReference, provider_reference};
use super::provisioner::Provisioner;
use super::read;
use super::resource::Resource;
use super::rules::Rules;
use super::site::{Use, Visitor, Wanted};
use crate::body::{Attribute, Block};
use crate::diagnostic::{Code, Diagnostic, Label, Severity, Sink};
use crate::dialect::Dialect;
use crate::dialect::arguments::modules::{IMPORT, MOVED, REMOVED, REMOVED_LIFECYCLE};
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::native::{Construct, Key, Native, StepKind, Traversal};
use crate::program::node::Kind;
use crate::reference::{Mode, ResourceName};

/// A `moved` block: an object that has a new address.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Moved<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The old address.
    pub from: Option<Traversal<'a>>,
    /// The new address.
    pub to: Option<Traversal<'a>>,
}

/// A `removed` block: an object that is no longer declared.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Removed<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its address.
    pub from: Option<Traversal<'a>>,
    /// Whether it is destroyed; if not, it is only removed from the state.
    pub destroy: Option<bool>,
    /// The provisioners to run when it is destroyed.
    pub provisioners: &'a [Provisioner<'a>],
}

/// An `import` block: an existing object to manage from now on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Import<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The address to import to, a native expression: its keys may be any expressions.
    pub to: Option<Expression<'a>>,
    /// The ID by which the provider finds the object.
    pub id: Option<Expression<'a>>,
    /// The attributes by which the provider finds the object, as an object.
    pub identity: Option<Expression<'a>>,
    /// The collection with one element per import.
    pub for_each: Option<Expression<'a>>,
    /// The provider configuration.
    pub provider: Option<ProviderReference<'a>>,
}

impl<'a> Moved<'a> {
    /// Whether it moves a resource to another type.
    #[cfg(feature = "rules")]
    pub(crate) fn changes_type(&self) -> bool {
        let resource_type = |traversal: Option<Traversal<'a>>| {
            let address = Address::of(traversal?, Rules::primary(Dialect::Terraform)).ok()?;
            Some(address.resource?.resource_type)
        };
        let (from, to) = (resource_type(self.from), resource_type(self.to));
        from.is_some() && to.is_some() && from != to
    }

    /// Visits its expressions.
    pub(super) fn visit(&self, visitor: &mut Visitor<'_, 'a>) {
        visitor.traversals(self.from.into_iter().chain(self.to), Use::Address);
    }

    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(MOVED.common(), sink);
        let mut read = |name| {
            let traversal = argument(&content, name).and_then(|value| value.traversal(sink));
            let address = traversal.and_then(|traversal| address(traversal, rules, sink));
            if let (Some(traversal), Some(address)) = (traversal, address)
                && !rules.is_terraform()
                && address.resource.is_some_and(|resource| resource.mode == Mode::Ephemeral)
            {
                sink.report(wrong(
                    traversal,
                    None,
                    "an object that the state stores, which an ephemeral resource is not",
                ));
            }
            (traversal, address)
        };
        let ((from, old), (to, new)) = (read("from"), read("to"));
        if let (Some(old), Some(new)) = (old, new)
            && old.resource.is_some() != new.resource.is_some()
        {
            sink.report(Diagnostic::new(Code::MovedKinds, block.definition_label()));
        }
        Self { block, from, to }
    }
}

const WHEN: &str = "\"when\" must be \"destroy\"";

impl<'a> Removed<'a> {
    /// Visits its expressions.
    pub(super) fn visit(&self, visitor: &mut Visitor<'_, 'a>) {
        visitor.traversals(self.from, Use::Address);
        // The reader of provisioners has checked their references.
        visitor.available = Available::ALL;
        self.provisioners.iter().for_each(|provisioner| provisioner.visit(visitor));
    }

    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let failed = Cell::new(false);
        let sink = &mut |diagnostic: Diagnostic<'a>| {
            failed.set(failed.get() || diagnostic.severity() == Severity::Error);
            sink.report(diagnostic);
        };
        let content = block.body().content(rules.schema(&REMOVED), sink);
        let from = argument(&content, "from").and_then(|value| value.traversal(sink));
        let removed = from.and_then(|from| {
            let address = Address::of_removed(from, rules);
            address.map_err(|diagnostic| sink.report(diagnostic)).ok()
        });
        if let (Some(from), Some(removed)) = (from, removed) {
            let wants = if removed.has_key {
                "single instances of a resource: remove the key"
            } else if removed.has_module_key {
                "from single instances of a module: remove the key"
            } else if removed.resource.is_some_and(|resource| resource.mode == Mode::Data) {
                "data sources"
            } else if removed.resource.is_some_and(|resource| resource.mode == Mode::Ephemeral) {
                "ephemeral resources"
            } else {
                ""
            };
            if !wants.is_empty() {
                sink.report(
                    Diagnostic::new(Code::RemovedAddress, from.label()).with_arguments(&[wants]),
                );
            }
        }
        let connection = single(&content, "connection", sink);
        if removed.is_some_and(|removed| removed.resource.is_none()) {
            for block in content.blocks("provisioner").chain(connection) {
                misplaced(block, "the address is that of a module", sink);
            }
        }
        // There may be several blocks. The last one that sets the argument counts.
        let mut destroy = None;
        for lifecycle in content.blocks("lifecycle") {
            let value =
                argument(&lifecycle.body().content(REMOVED_LIFECYCLE.common(), sink), "destroy");
            destroy = value.and_then(|value| read::boolean(value, sink)).or(destroy);
        }
        let provisioners = Provisioner::read_all(&content, rules, sink);
        if removed.is_some_and(|removed| removed.resource.is_some()) {
            for provisioner in provisioners.iter().filter(|each| !each.on_destroy) {
                misplaced(provisioner.block, WHEN, sink);
            }
        }
        if !rules.is_terraform() && !failed.get() {
            if destroy.is_none() {
                sink.report(Diagnostic::new(Code::RemovedLifecycle, block.definition_label()));
            } else if destroy == Some(false) && !provisioners.is_empty() {
                sink.report(Diagnostic::new(Code::UnusedProvisioner, block.definition_label()));
            }
        }
        Self {
            block,
            from,
            destroy,
            provisioners: block.source().arena().bump().alloc_slice_copy(&provisioners),
        }
    }
}

impl<'a> Import<'a> {
    /// Visits its expressions.
    pub(super) fn visit(&self, visitor: &mut Visitor<'_, 'a>) {
        visitor.wanted(self.for_each, Wanted::Collection);
        visitor.available = Available::repeated(false, self.for_each.is_some());
        visitor.wanted(self.id, Wanted::Identifier);
        visitor.wanted(self.identity, Wanted::Identity);
        visitor.natives(self.to, Use::Address);
        visitor.provider(self.provider, Use::Provider);
    }

    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        if !rules.is_terraform() {
            return Self::read_opentofu(block, rules, sink);
        }
        let content = block.body().content(IMPORT.common(), sink);
        let (id, identity) = (argument(&content, "id"), argument(&content, "identity"));
        let provider = argument(&content, "provider");
        let read = Self {
            block,
            to: argument(&content, "to"),
            id,
            identity,
            for_each: argument(&content, "for_each"),
            provider: provider.and_then(|value| provider_reference(value, rules, sink)),
        };
        if id.is_some() == identity.is_some() {
            sink.report(
                Diagnostic::new(Code::ImportArguments, block.definition_label())
                    .with_arguments(&["must have either \"id\" or \"identity\""]),
            );
        }
        let Some(to) = read.to else { return read };
        let traversal = match to.as_traversal() {
            Some(traversal) => traversal,
            None => {
                // Keys may be any expressions.
                let native = to.native(sink);
                if native.is_some_and(|native| !is_address(native)) {
                    sink.report(
                        Diagnostic::new(Code::InvalidAddress, to.label())
                            .with_arguments(&["a managed resource"]),
                    );
                    return read;
                }
                if read.for_each.is_none() {
                    // A key can depend only on the element.
                    to.traversal(sink);
                    return read;
                }
                let Some(traversal) = native.and_then(without_keys) else { return read };
                traversal
            }
        };
        let address = address(traversal, rules, sink);
        let is_managed = |resource: ResourceName<'_>| resource.mode == Mode::Managed;
        if let Some(address) = address
            && !address.resource.is_some_and(is_managed)
        {
            sink.report(wrong(traversal, None, "a managed resource"));
        }
        if let Some(provider) = provider
            && address.is_some_and(|address| address.modules > 0)
        {
            sink.report(
                Diagnostic::new(Code::ImportArguments, provider.start_label())
                    .with_arguments(&[PROVIDER_OF_MODULE]),
            );
        }
        read
    }

    /// OpenTofu reads the address first. If it is invalid, OpenTofu reads nothing else.
    fn read_opentofu(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(IMPORT.common(), sink);
        let (id, identity) = (content.attribute("id"), content.attribute("identity"));
        let mut read = Self {
            block,
            to: argument(&content, "to"),
            id: id.map(Attribute::expression),
            identity: identity.map(Attribute::expression),
            for_each: argument(&content, "for_each"),
            provider: None,
        };
        let mut address = None;
        if let Some(to) = read.to {
            if read.for_each.is_none() {
                element(to, sink);
            }
            address = import_address(to, rules, sink);
            if address.is_none() {
                return read;
            }
        }
        if let Some(provider) = content.attribute("provider") {
            if address.is_some_and(|address| address.modules > 0) {
                sink.report(
                    Diagnostic::new(Code::ImportArguments, provider.name_label())
                        .with_arguments(&[PROVIDER_OF_MODULE]),
                );
            }
            read.provider = provider_reference(provider.expression(), rules, sink);
        }
        let what = "must have either \"id\" or \"identity\"";
        match (id, identity) {
            (None, None) => {
                sink.report(
                    Diagnostic::new(Code::ImportArguments, block.definition_label())
                        .with_arguments(&[what]),
                );
            }
            (Some(one), Some(other)) => {
                let both = Label::new(block.source(), one.span().to(other.span()));
                sink.report(Diagnostic::new(Code::ImportArguments, both).with_arguments(&[what]));
            }
            _ => {}
        }
        read
    }

    /// The resource that it imports, if the module declares it.
    pub(crate) fn declared_resource<'m>(&self, module: &'m Module<'a>) -> Option<&'m Resource<'a>> {
        module.resources.get(self.resource_name(module.dialect)?)
    }

    /// The local name of the provider that the module needs only for this import, because it does
    /// not declare the resource.
    pub(crate) fn implied_provider(&self, module: &Module<'a>) -> Option<&'a str> {
        let name = self.resource_name(module.dialect)?;
        let is_declared = module.resources.get(name).is_some();
        (!is_declared).then(|| provider_name(self.provider, name.resource_type))
    }

    /// The name of the resource, if it is in this module.
    pub(crate) fn resource_name(&self, dialect: Dialect) -> Option<ResourceName<'a>> {
        let to = self.to?;
        let traversal = to.as_traversal().or_else(|| without_keys(to.as_native()?))?;
        let address = Address::of(traversal, Rules::primary(dialect)).ok()?;
        address.resource.filter(|_| address.modules == 0)
    }

    /// The address to import to, and whether all its keys are literals. Computed keys are left out.
    pub(crate) fn target(&self) -> Option<(Traversal<'a>, bool)> {
        let to = self.to?;
        match to.as_traversal() {
            Some(traversal) => Some((traversal, true)),
            None => Some((without_keys(to.as_native()?)?, false)),
        }
    }

    /// The address, if all of its keys are literals.
    pub(crate) fn traversal(&self) -> Option<Traversal<'a>> {
        self.to?.as_traversal()
    }
}

const PROVIDER_OF_RESOURCE: &str =
    "can have a \"provider\" only if the resource is not declared, or has the same one";
const PROVIDER_OF_MODULE: &str =
    "can have a \"provider\" only if the resource belongs to this module";

/// The address of an import: a native expression of names and keys, which may be any expressions.
fn import_address<'a>(
    to: Expression<'a>,
    rules: Rules,
    sink: &mut dyn Sink<'a>,
) -> Option<Address<'a>> {
    let traversal = match to.as_traversal() {
        Some(traversal) => traversal,
        None => {
            let native = to.native(sink)?;
            let Some(traversal) = without_keys(native) else {
                sink.report(
                    Diagnostic::new(Code::InvalidAddress, to.start_label())
                        .with_arguments(&["a resource, with keys in brackets"]),
                );
                return None;
            };
            traversal
        }
    };
    let address = address(traversal, rules, sink)?;
    if address.resource.is_none_or(|resource| resource.mode != Mode::Managed) {
        sink.report(wrong(traversal, None, "a managed resource"));
        return None;
    }
    Some(address)
}

/// Reports references to the element of `for_each`, where there is none.
fn element<'a>(to: Expression<'a>, sink: &mut dyn Sink<'a>) {
    let variables = to.as_native().into_iter().flat_map(Native::variables);
    for traversal in variables.filter(|it| it.root_name() == "each") {
        sink.report(
            Diagnostic::new(Code::OutOfScope, traversal.label())
                .with_arguments(&["each", "a block with \"for_each\""]),
        );
    }
}

/// The names and literal keys of an expression; `None` if it has anything else outside of brackets.
fn without_keys(mut native: Native<'_>) -> Option<Traversal<'_>> {
    let mut parts = Vec::new();
    loop {
        if native.is(Kind::Index) {
            native = *native.operands().first()?;
            continue;
        }
        if native.is(Kind::Parentheses) {
            return None;
        }
        match native.construct() {
            Construct::Relative(from, relative) => {
                parts.push(relative);
                native = from;
            }
            Construct::Traversal(start) => {
                parts.push(start);
                let source = start.source();
                let steps: Vec<_> = parts.iter().rev().flat_map(|part| part.steps()).collect();
                let steps = steps.into_iter().copied();
                let steps = source.arena().bump().alloc_slice_copy(&steps.collect::<Vec<_>>());
                return Some(Traversal::new(source, steps));
            }
            _ => return None,
        }
    }
}

/// Reports imports to an address that an earlier import has.
pub(super) fn check_imports<'a>(imports: &[Import<'a>], sink: &mut dyn Sink<'a>) {
    let mut known: HashMap<String, Traversal<'a>> = HashMap::default();
    for traversal in imports.iter().filter_map(Import::traversal) {
        let address = traversal.to_string();
        if let Some(earlier) = known.get(&address) {
            let source = traversal.source();
            let shown = source.arena().str(&address);
            sink.report(
                Diagnostic::new(Code::DuplicateImport, traversal.label())
                    .with_arguments(&[shown])
                    .with_related(earlier.label(), "first here"),
            );
        } else {
            known.insert(address, traversal);
        }
    }
}

/// Reports imports to instances that a resource of the module does not have, and imports through
/// undeclared module calls (Terraform). Declarations of called modules are not checked.
pub(super) fn check_import_targets<'a>(
    module: &Module<'a>,
    withholds: bool,
    sink: &mut dyn Sink<'a>,
) {
    if withholds {
        return;
    }
    for import in &module.imports {
        if let (Some(provider), Some(resource)) =
            (import.provider, import.declared_resource(module))
            && resource.provider().map(ProviderReference::name) != Some(provider.name())
        {
            sink.report(
                Diagnostic::new(Code::ImportArguments, provider.traversal().label())
                    .with_arguments(&[PROVIDER_OF_RESOURCE])
                    .with_related(resource.block.definition_label(), "the resource"),
            );
        }
    }
    if module.dialect != Dialect::Terraform {
        return;
    }
    let rules = Rules::primary(module.dialect);
    for import in &module.imports {
        if let (Some(name), Some(to)) = (import.resource_name(module.dialect), import.to)
            && name.mode == Mode::Managed
            && module.resources.get(name).is_none()
        {
            let address = to.as_traversal().and_then(|to| Address::of(to, rules).ok());
            let is_plain = address.is_some_and(|address| !address.has_key);
            if import.for_each.is_some() || !is_plain {
                let why = "the resource is not declared, and no configuration is generated for an address with keys";
                sink.report(
                    Diagnostic::new(Code::ImportTarget, to.start_label()).with_arguments(&[why]),
                );
            }
            continue;
        }
        let Some(traversal) = import.traversal() else {
            computed_key(module, import, sink);
            continue;
        };
        let Ok(address) = Address::of(traversal, rules) else { continue };
        let key = traversal.steps().last().map(|step| step.kind).filter(|_| address.has_key);
        let wrong = match (address.modules, address.resource) {
            (0, Some(name)) => module.resources.get(name).and_then(|resource| match key {
                None if resource.count().is_some() => {
                    Some("the resource has \"count\", so the address needs an index")
                }
                None if resource.for_each().is_some() => {
                    Some("the resource has \"for_each\", so the address needs a key")
                }
                Some(StepKind::Index(Key::Number(_))) if resource.count().is_none() => {
                    Some("the address has an index, but the resource has no \"count\"")
                }
                Some(StepKind::Index(Key::String(_))) if resource.for_each().is_none() => {
                    Some("the address has a key, but the resource has no \"for_each\"")
                }
                _ => None,
            }),
            (0, None) => None,
            _ => match traversal.steps().get(1).map(|step| step.kind) {
                Some(StepKind::Attribute(call)) if module.calls.get(call).is_none() => {
                    Some("the module call does not exist")
                }
                _ => None,
            },
        };
        if let Some(wrong) = wrong {
            sink.report(
                Diagnostic::new(Code::ImportTarget, traversal.label()).with_arguments(&[wrong]),
            );
        }
    }
}

/// Reports an import whose address has a computed key, if the resource has no instances with keys.
fn computed_key<'a>(module: &Module<'a>, import: &Import<'a>, sink: &mut dyn Sink<'a>) {
    let Some((resource, to)) = import.declared_resource(module).zip(import.to) else { return };
    if resource.count().is_none() && resource.for_each().is_none() {
        let why = "the address has a key, but the resource has neither \"count\" nor \"for_each\"";
        sink.report(Diagnostic::new(Code::ImportTarget, to.start_label()).with_arguments(&[why]));
    }
}

/// Whether an expression is a traversal whose keys may be any expressions.
fn is_address(mut native: Native<'_>) -> bool {
    loop {
        native = match native.construct() {
            Construct::Traversal(_) => return true,
            Construct::Relative(source, _) => source,
            Construct::Index { collection, .. } => collection,
            _ => return false,
        };
    }
}

/// Reads an address, or returns the diagnostic of its error.
fn address<'a>(
    traversal: Traversal<'a>,
    rules: Rules,
    sink: &mut dyn Sink<'a>,
) -> Option<Address<'a>> {
    Address::of(traversal, rules).map_err(|diagnostic| sink.report(diagnostic)).ok()
}

#[cold]
fn misplaced<'a>(block: Block<'a>, why: &'static str, sink: &mut dyn Sink<'a>) {
    sink.report(
        Diagnostic::new(Code::RemovedBlock, block.definition_label())
            .with_arguments(&[block.block_type(), why]),
    );
}
