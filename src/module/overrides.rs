//! Override files: blocks that are merged over what the primary files declare.
//!
//! A block of an override file changes the object of its name. Arguments that it sets take the place of the
//! object's own; of blocks that a provider reads, the bodies are kept one behind the other, the last to be asked
//! first. What cannot be overridden is reported, and the rest of the block is still merged.
//!
//! Terraform reads `ephemeral` and `removed` blocks of override files, and makes nothing of them.

use super::assemble::misplaced;
use super::declarations::{Declarations, Declared};
use super::lifecycle::{IgnoreChanges, Lifecycle};
use super::rules::Rules;
use super::{
    Action, Import, Local, Module, ModuleCall, Moved, Output, Provider, Removed, Resource,
    Settings, Variable,
};
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::native::Traversal;
use crate::reference::Mode;

impl<'a> Module<'a> {
    /// Merges one block of an override file. With `withholds`, a missing base is not reported: it may be
    /// declared where this crate does not read.
    pub(super) fn merge(&mut self, block: Block<'a>, withholds: bool, sink: &mut dyn Sink<'a>) {
        let sink = &mut |diagnostic: Diagnostic<'a>| {
            if !(withholds && diagnostic.code() == Code::MissingBase) {
                sink.report(diagnostic);
            }
        };
        let rules = Rules::overriding(self.dialect);
        let place = block.definition_label();
        match block.block_type() {
            "variable" => {
                let new = Variable::read(block, rules, sink);
                refused(new.validations.iter().map(|condition| condition.block), sink);
                if let Some(base) = base(&mut self.variables, new.name, "variable", place, sink) {
                    base.merge(&new);
                    base.override_default(&new, sink);
                }
            }
            "output" => {
                let new = Output::read(block, rules, sink);
                refused(new.preconditions.iter().map(|condition| condition.block), sink);
                if let Some(base) = base(&mut self.outputs, new.name, "output", place, sink) {
                    base.merge(&new);
                    dependencies(new.depends_on, sink);
                }
            }
            "locals" => {
                let mut read = Vec::new();
                Local::read_all(block, sink, |local| read.push(local));
                for new in read {
                    let place = new.attribute.label();
                    if let Some(base) = base(&mut self.locals, new.name, "local value", place, sink)
                    {
                        *base = new;
                    }
                }
            }
            "module" => {
                let new = ModuleCall::read(block, rules, sink);
                if let Some(base) = base(&mut self.calls, new.name, "module call", place, sink) {
                    base.merge(&new);
                    dependencies(new.depends_on, sink);
                }
            }
            "provider" => {
                let new = Provider::read(block, rules, sink);
                let key = (new.name, new.alias);
                let kind = "provider configuration";
                if new.alias.is_none() && self.providers.get(key).is_none() {
                    // A default configuration needs no base: the tools make one up.
                    let _ = self.providers.declare(key, new);
                } else if let Some(base) = base(&mut self.providers, key, kind, place, sink) {
                    base.merge(&new);
                }
            }
            "resource" => self.merge_resource(block, Mode::Managed, sink),
            "data" => self.merge_resource(block, Mode::Data, sink),
            "ephemeral" if rules.is_terraform() => {
                Resource::read(block, Mode::Ephemeral, rules, sink);
            }
            "ephemeral" => self.merge_resource(block, Mode::Ephemeral, sink),
            "action" => {
                if let Some(new) = Action::read(block, rules, sink)
                    && let Some(base) = base(&mut self.actions, new.address, "action", place, sink)
                {
                    base.merge(&new);
                }
            }
            "terraform" => self.override_settings.push(Settings::read(block, rules, sink)),
            "moved" => {
                Moved::read(block, rules, sink);
                refused([block], sink);
            }
            "import" => {
                Import::read(block, rules, sink);
                refused([block], sink);
            }
            "removed" => {
                Removed::read(block, rules, sink);
                if !rules.is_terraform() {
                    refused([block], sink);
                }
            }
            "required_providers" => misplaced(block, sink),
            _ => refused([block], sink),
        }
    }

    fn merge_resource(&mut self, block: Block<'a>, mode: Mode, sink: &mut dyn Sink<'a>) {
        let new = Resource::read(block, mode, Rules::overriding(self.dialect), sink);
        let place = block.definition_label();
        let kind = match mode {
            Mode::Managed => "resource",
            Mode::Data => "data source",
            Mode::Ephemeral => "ephemeral resource",
        };
        if let Some(base) = base(&mut self.resources, new.address, kind, place, sink) {
            base.merge(&new);
            dependencies(new.depends_on, sink);
        }
    }
}

/// Sets a value where the override has one.
fn set<T: Copy>(base: &mut Option<T>, new: Option<T>) {
    *base = new.or(*base);
}

impl<'a> Variable<'a> {
    fn merge(&mut self, new: &Self) {
        set(&mut self.written_type, new.written_type);
        set(&mut self.description, new.description);
        set(&mut self.deprecated, new.deprecated);
        set(&mut self.sensitive, new.sensitive);
        set(&mut self.ephemeral, new.ephemeral);
        set(&mut self.is_const, new.is_const);
    }
}

impl<'a> Output<'a> {
    fn merge(&mut self, new: &Self) {
        set(&mut self.value, new.value);
        // An empty description leaves the one that is there.
        set(&mut self.description, new.description.filter(|text| !text.is_empty()));
        set(&mut self.sensitive, new.sensitive);
        set(&mut self.ephemeral, new.ephemeral);
        set(&mut self.deprecated, new.deprecated);
    }
}

impl<'a> ModuleCall<'a> {
    fn merge(&mut self, new: &Self) {
        set(&mut self.source, new.source);
        set(&mut self.version, new.version);
        set(&mut self.count, new.count);
        set(&mut self.for_each, new.for_each);
        if !new.providers.is_empty() {
            self.providers = new.providers;
        }
        self.escape = new.escape.or(self.escape);
        self.base_arguments.get_or_insert(self.arguments);
        let kept = self.arguments.iter().filter(|base| {
            let base = base.name();
            !new.arguments.iter().any(|argument| argument.name() == base)
        });
        let merged: Vec<_> = kept.chain(new.arguments).copied().collect();
        self.arguments = new.block.source().arena().bump().alloc_slice_copy(&merged);
    }
}

impl<'a> Provider<'a> {
    fn merge(&mut self, new: &Self) {
        set(&mut self.version, new.version);
        self.config.merge_all(&mut self.escape, new.config, new.escape);
    }
}

impl<'a> Resource<'a> {
    fn merge(&mut self, new: &Self) {
        set(&mut self.count, new.count);
        set(&mut self.for_each, new.for_each);
        if new.provider.is_some() {
            self.provider = new.provider;
            self.has_provider_key = new.has_provider_key;
        }
        set(&mut self.connection, new.connection);
        if !new.provisioners.is_empty() {
            self.provisioners = new.provisioners;
        }
        let mut escape = self.escape.take().copied();
        self.config.merge_all(&mut escape, new.config, new.escape.copied());
        if let Some(lifecycle) = new.lifecycle {
            let merged = match self.lifecycle {
                Some(base) => base.merged(lifecycle),
                None => Lifecycle { enabled: None, replace_triggered_by: &[], ..*lifecycle },
            };
            self.lifecycle = Some(new.block.source().arena().bump().alloc(merged));
        }
    }
}

impl<'a> Action<'a> {
    fn merge(&mut self, new: &Self) {
        set(&mut self.count, new.count);
        set(&mut self.for_each, new.for_each);
        set(&mut self.provider, new.provider);
        match (&mut self.config, new.config) {
            (Some(base), Some(new)) => base.merge(new),
            (base, new) => set(base, new),
        }
    }
}

impl<'a> Lifecycle<'a> {
    /// `enabled`, `replace_triggered_by` and conditions stay those of the base.
    fn merged(&self, new: &Self) -> Self {
        let mut merged = *self;
        set(&mut merged.create_before_destroy, new.create_before_destroy);
        set(&mut merged.prevent_destroy, new.prevent_destroy);
        set(&mut merged.destroy, new.destroy);
        if !new.action_triggers.is_empty() {
            merged.action_triggers = new.action_triggers;
        }
        merged.ignore_changes = match (self.ignore_changes, new.ignore_changes) {
            (IgnoreChanges::All, _) | (_, IgnoreChanges::All) => IgnoreChanges::All,
            (base, IgnoreChanges::Of([])) => base,
            (_, new) => new,
        };
        merged
    }
}

/// The object that a block overrides.
fn base<'d, 'a, K: Copy + Eq + std::hash::Hash, T: Declared<K>>(
    declarations: &'d mut Declarations<K, T>,
    key: K,
    kind: &'static str,
    label: Label<'a>,
    sink: &mut dyn Sink<'a>,
) -> Option<&'d mut T> {
    let base = declarations.get_mut(key);
    if base.is_none() {
        sink.report(Diagnostic::new(Code::MissingBase, label).with_arguments(&[kind]));
    }
    base
}

/// Blocks that an override file cannot have.
fn refused<'a>(blocks: impl IntoIterator<Item = Block<'a>>, sink: &mut dyn Sink<'a>) {
    for block in blocks {
        sink.report(
            Diagnostic::new(Code::UnsupportedOverride, block.definition_label())
                .with_arguments(&[block.block_type()]),
        );
    }
}

/// `depends_on` cannot be overridden.
fn dependencies<'a>(depends_on: &[Traversal<'a>], sink: &mut dyn Sink<'a>) {
    if let Some(first) = depends_on.first() {
        sink.report(
            Diagnostic::new(Code::UnsupportedOverride, first.label())
                .with_arguments(&["depends_on"]),
        );
    }
}
