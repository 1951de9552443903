//! Override files: merges their blocks into the objects of the primary files.
//!
//! A block of an override file changes the object of the same name. Its arguments replace the
//! object's own. For blocks that a provider reads, the bodies are kept in order, and the last one
//! that sets an argument wins. Arguments that cannot be overridden are reported, and the rest of
//! the block is merged.
//!
//! All overrides of an object are collected first and merged at once, so that the cost is linear in
//! their arguments. Each `merge` destructures the override: a new field does not compile until
//! somebody decides how it is overridden.
//!
//! Terraform reads `ephemeral` and `removed` blocks of override files, and ignores them.

use std::hash::Hash;

use super::declarations::{Declarations, Declared};
use super::lifecycle::{self, IgnoreChanges, Lifecycle};
use super::resource::Rare;
use super::rules::Rules;
use super::settings::misplaced;
use super::{
    Action, Import, Local, Module, ModuleCall, Moved, Output, Provider, Removed, Resource,
    Settings, Variable,
};
use crate::body::{Attribute, Block};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::{BlockKind, only_beside_modules, only_in_packer, only_in_tests};
use crate::hash::HashMap;
use crate::native::Traversal;
use crate::reference::Mode;

/// The collected overrides, each with the index of its object among those of the same kind.
#[derive(Default)]
pub(super) struct Overrides<'a> {
    providers: Vec<(u32, Provider<'a>)>,
    resources: Vec<(u32, Resource<'a>)>,
    calls: Vec<(u32, ModuleCall<'a>)>,
    actions: Vec<(u32, Action<'a>)>,
}

impl<'a> Overrides<'a> {
    /// Merges all collected overrides.
    pub(super) fn apply(self, module: &mut Module<'a>) {
        let Self { providers, resources, calls, actions } = self;
        apply(&mut module.providers, providers, Provider::merge);
        apply(&mut module.resources, resources, Resource::merge);
        apply(&mut module.calls, calls, ModuleCall::merge);
        apply(&mut module.actions, actions, Action::merge);
    }
}

/// Merges overrides into objects, those of one object in the order of the files.
fn apply<K, T>(
    objects: &mut Declarations<K, T>,
    mut overrides: Vec<(u32, T)>,
    merge: impl Fn(&mut T, &[&T]),
) {
    overrides.sort_by_key(|&(place, _)| place);
    for of_object in overrides.chunk_by(|(one, _), (next, _)| one == next) {
        let new: Vec<&T> = of_object.iter().map(|(_, new)| new).collect();
        if let Some(object) = of_object.first().and_then(|&(place, _)| objects.at_mut(place)) {
            merge(object, &new);
        }
    }
}

impl<'a> Module<'a> {
    /// Reads one block of an override file, and merges it or adds it to `overrides`. With
    /// `withholds`, a missing base is not reported: a file that was not read may declare it.
    pub(super) fn merge(
        &mut self,
        block: Block<'a>,
        overrides: &mut Overrides<'a>,
        withholds: bool,
        sink: &mut dyn Sink<'a>,
    ) {
        let sink = &mut |diagnostic: Diagnostic<'a>| {
            if !(withholds && diagnostic.code() == Code::MissingBase) {
                sink.report(diagnostic);
            }
        };
        let rules = Rules::overriding(self.dialect);
        let place = block.definition_label();
        let Some(kind) = BlockKind::of(block) else { return };
        match kind {
            BlockKind::Variable => {
                let new = Variable::read(block, rules, sink);
                refused(new.validations.iter().map(|condition| condition.block), sink);
                let base = base(&self.variables, new.name, "variable", place, sink);
                if let Some(base) = base.and_then(|base| self.variables.at_mut(base)) {
                    base.merge(&new, sink);
                }
            }
            BlockKind::Output => {
                let new = Output::read(block, rules, sink);
                refused(new.preconditions.iter().map(|condition| condition.block), sink);
                let base = base(&self.outputs, new.name, "output", place, sink);
                if let Some(base) = base.and_then(|base| self.outputs.at_mut(base)) {
                    base.merge(&new);
                    dependencies(new.depends_on, sink);
                }
            }
            BlockKind::Locals => {
                let mut read = Vec::new();
                Local::read_all(block, sink, |local| read.push(local));
                for new in read {
                    let place = new.attribute.label();
                    let base = base(&self.locals, new.name, "local value", place, sink);
                    if let Some(base) = base.and_then(|base| self.locals.at_mut(base)) {
                        *base = new;
                    }
                }
            }
            BlockKind::Module => {
                let new = ModuleCall::read(block, rules, sink);
                if let Some(base) = base(&self.calls, new.name, "module call", place, sink) {
                    dependencies(new.depends_on, sink);
                    overrides.calls.push((base, new));
                }
            }
            BlockKind::Provider => {
                let new = Provider::read(block, rules, sink);
                let name = new.config_name();
                let kind = "provider configuration";
                if new.alias.is_none() && self.providers.get(name).is_none() {
                    // A default configuration needs no base: the tools make one up.
                    let _ = self.providers.declare(name, new);
                } else if let Some(base) = base(&self.providers, name, kind, place, sink) {
                    overrides.providers.push((base, new));
                }
            }
            BlockKind::Resource => self.override_resource(block, Mode::Managed, overrides, sink),
            BlockKind::Data => self.override_resource(block, Mode::Data, overrides, sink),
            BlockKind::Ephemeral if rules.is_terraform() => {
                Resource::read(block, Mode::Ephemeral, rules, sink);
            }
            BlockKind::Ephemeral => {
                self.override_resource(block, Mode::Ephemeral, overrides, sink);
            }
            BlockKind::Action => {
                if let Some(new) = Action::read(block, rules, sink)
                    && let Some(base) = base(&self.actions, new.address, "action", place, sink)
                {
                    overrides.actions.push((base, new));
                }
            }
            BlockKind::Terraform => {
                self.override_settings.push(Settings::read(block, rules, sink));
            }
            BlockKind::Moved => {
                Moved::read(block, rules, sink);
                refused([block], sink);
            }
            BlockKind::Import => {
                Import::read(block, rules, sink);
                refused([block], sink);
            }
            BlockKind::Removed => {
                Removed::read(block, rules, sink);
                if !rules.is_terraform() {
                    refused([block], sink);
                }
            }
            BlockKind::RequiredProviders => misplaced(block, sink),
            BlockKind::Check | BlockKind::Language => refused([block], sink),
            only_in_tests!() | only_in_packer!() | only_beside_modules!() => {}
            BlockKind::Variables | BlockKind::OverrideResource | BlockKind::OverrideData => {}
        }
    }

    fn override_resource(
        &self,
        block: Block<'a>,
        mode: Mode,
        overrides: &mut Overrides<'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        let new = Resource::read(block, mode, Rules::overriding(self.dialect), sink);
        let place = block.definition_label();
        let kind = super::resource::kind(mode);
        if let Some(base) = base(&self.resources, new.address(), kind, place, sink) {
            dependencies(new.depends_on(), sink);
            overrides.resources.push((base, new));
        }
    }
}

/// Replaces a value if the override has one.
fn set<T: Copy>(base: &mut Option<T>, new: Option<T>) {
    *base = new.or(*base);
}

impl<'a> Variable<'a> {
    fn merge(&mut self, new: &Self, sink: &mut dyn Sink<'a>) {
        let Self {
            block: _,
            name: _,
            written_type,
            description,
            deprecated,
            sensitive,
            ephemeral,
            is_const,
            // Merged together, below.
            constraint: _,
            written_defaults: _,
            default: _,
            converted: _,
            nullable: _,
            // Rejected in an override file.
            validations: _,
        } = *new;
        set(&mut self.written_type, written_type);
        set(&mut self.description, description);
        set(&mut self.deprecated, deprecated);
        set(&mut self.sensitive, sensitive);
        set(&mut self.ephemeral, ephemeral);
        set(&mut self.is_const, is_const);
        self.override_default(new, sink);
    }
}

impl<'a> Output<'a> {
    fn merge(&mut self, new: &Self) {
        let Self {
            block: _,
            name: _,
            value,
            constraint,
            description,
            sensitive,
            ephemeral,
            deprecated,
            // In a root module Terraform rejects only that of the base.
            deprecation: _,
            // Rejected in an override file.
            depends_on: _,
            preconditions: _,
        } = *new;
        set(&mut self.value, value);
        set(&mut self.constraint, constraint);
        // An empty description does not replace the base's.
        set(&mut self.description, description.filter(|text| !text.is_empty()));
        set(&mut self.sensitive, sensitive);
        set(&mut self.ephemeral, ephemeral);
        set(&mut self.deprecated, deprecated);
    }
}

impl<'a> ModuleCall<'a> {
    fn merge(&mut self, overrides: &[&Self]) {
        self.base_arguments.get_or_insert(self.arguments);
        let mut all = vec![self.arguments];
        for &new in overrides {
            let Self {
                block: _,
                name: _,
                source,
                version,
                count,
                for_each,
                // Keeps the base's value.
                enabled: _,
                // Rejected in an override file.
                depends_on: _,
                providers,
                arguments,
                base_arguments: _,
                escape,
                // Evaluated after all overrides are merged.
                evaluated: _,
            } = *new;
            set(&mut self.source, source);
            set(&mut self.version, version);
            set(&mut self.count, count);
            set(&mut self.for_each, for_each);
            if !providers.is_empty() {
                self.providers = providers;
            }
            set(&mut self.escape, escape);
            all.push(arguments);
        }
        let merged = last_of_each(&all, |argument: &Attribute<'a>| argument.name());
        self.arguments = self.block.source().arena().bump().alloc_slice_copy(&merged);
    }
}

/// The items of several lists, without those whose key also occurs in a later list. Cost: linear in
/// the items.
fn last_of_each<T: Copy, K: Eq + Hash>(lists: &[&[T]], key: impl Fn(&T) -> K) -> Vec<T> {
    let mut last: HashMap<K, usize> = HashMap::default();
    for (place, list) in lists.iter().enumerate() {
        last.extend(list.iter().map(|item| (key(item), place)));
    }
    let items =
        lists.iter().enumerate().flat_map(|(place, list)| list.iter().map(move |it| (place, it)));
    let kept = items.filter(|(place, item)| last.get(&key(item)) == Some(place));
    kept.map(|(_, item)| *item).collect()
}

impl<'a> Provider<'a> {
    fn merge(&mut self, overrides: &[&Self]) {
        for &new in overrides {
            let Self {
                block: _,
                name: _,
                alias: _,
                version,
                // Keeps the base's value.
                for_each: _,
                // Merged together, below.
                config: _,
                escape: _,
            } = *new;
            set(&mut self.version, version);
        }
        let configs = overrides.iter().map(|new| (new.config, new.escape));
        self.config.merge_all(&mut self.escape, configs);
    }
}

impl<'a> Resource<'a> {
    fn merge(&mut self, overrides: &[&Self]) {
        let (mut lifecycle, mut merged) = (self.lifecycle().copied(), self.rare());
        let new = overrides.iter().map(|new| new.rare());
        let configs: Vec<_> = new.map(|new| (new.config, new.escape)).collect();
        merged.config.merge_all(&mut merged.escape, configs);
        for &new in overrides {
            let Rare {
                count,
                for_each,
                provider,
                // Rejected in an override file.
                depends_on: _,
                connection,
                provisioners,
                // Merged together, above.
                config: _,
                escape: _,
            } = new.rare();
            set(&mut merged.count, count);
            set(&mut merged.for_each, for_each);
            set(&mut merged.provider, provider);
            set(&mut merged.connection, connection);
            if !provisioners.is_empty() {
                merged.provisioners = provisioners;
            }
            if let Some(new) = new.lifecycle() {
                match &mut lifecycle {
                    Some(base) => base.merge(new),
                    None => {
                        let rare = new.rare();
                        lifecycle = Some(new.with(lifecycle::Rare {
                            enabled: None,
                            replace_triggered_by: &[],
                            ..rare
                        }));
                    }
                }
            }
        }
        self.set(merged, lifecycle);
    }
}

impl<'a> Action<'a> {
    fn merge(&mut self, overrides: &[&Self]) {
        let mut configs = Vec::new();
        for &new in overrides {
            let Self { block: _, address: _, count, for_each, provider, config } = *new;
            set(&mut self.count, count);
            set(&mut self.for_each, for_each);
            set(&mut self.provider, provider);
            match (&mut self.config, config) {
                (base @ None, new) => *base = new,
                (Some(_), new) => configs.extend(new.map(|new| (new, None))),
            }
        }
        if let Some(config) = &mut self.config {
            config.merge_all(&mut None, configs);
        }
    }
}

impl<'a> Lifecycle<'a> {
    fn merge(&mut self, new: &Self) {
        let (mut rare, ignore_changes) = (self.rare(), new.ignore_changes);
        let lifecycle::Rare {
            prevent_destroy,
            destroy,
            action_triggers,
            // These keep the base's values.
            enabled: _,
            replace_triggered_by: _,
            preconditions: _,
            postconditions: _,
        } = new.rare();
        set(&mut self.create_before_destroy, new.create_before_destroy);
        set(&mut rare.prevent_destroy, prevent_destroy);
        set(&mut rare.destroy, destroy);
        if !action_triggers.is_empty() {
            rare.action_triggers = action_triggers;
        }
        *self = self.with(rare);
        self.ignore_changes = match (self.ignore_changes, ignore_changes) {
            (IgnoreChanges::All, _) | (_, IgnoreChanges::All) => IgnoreChanges::All,
            (base, IgnoreChanges::Of([])) => base,
            (_, new) => new,
        };
    }
}

/// The place of the object that a block overrides.
fn base<'a, K: Copy + Eq + Hash, T: Declared<K>>(
    declarations: &Declarations<K, T>,
    key: K,
    kind: &'static str,
    label: Label<'a>,
    sink: &mut dyn Sink<'a>,
) -> Option<u32> {
    let base = declarations.place(key);
    if base.is_none() {
        sink.report(Diagnostic::new(Code::MissingBase, label).with_arguments(&[kind]));
    }
    base
}

/// Reports blocks that an override file must not have.
fn refused<'a>(blocks: impl IntoIterator<Item = Block<'a>>, sink: &mut dyn Sink<'a>) {
    for block in blocks {
        sink.report(
            Diagnostic::new(Code::UnsupportedOverride, block.definition_label())
                .with_arguments(&[block.block_type()]),
        );
    }
}

/// Reports `depends_on`, which cannot be overridden.
fn dependencies<'a>(depends_on: &[Traversal<'a>], sink: &mut dyn Sink<'a>) {
    if let Some(first) = depends_on.first() {
        sink.report(
            Diagnostic::new(Code::UnsupportedOverride, first.label())
                .with_arguments(&["depends_on"]),
        );
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::hash::{Hash, Hasher};

    use super::last_of_each;

    /// A key that counts how often it is compared or hashed.
    struct Counted<'c>(u32, &'c Cell<usize>);

    impl PartialEq for Counted<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.1.set(self.1.get() + 1);
            self.0 == other.0
        }
    }

    impl Eq for Counted<'_> {}

    impl Hash for Counted<'_> {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.1.set(self.1.get() + 1);
            self.0.hash(state);
        }
    }

    #[test]
    fn the_last_list_that_has_a_key_counts() {
        let lists: [&[(u32, u32)]; 3] = [&[(1, 0), (2, 0), (3, 0)], &[(2, 1), (4, 1)], &[(1, 2)]];
        let kept = last_of_each(&lists, |&(key, _)| key);
        assert_eq!(kept, [(3, 0), (2, 1), (4, 1), (1, 2)]);
    }

    #[test]
    fn merging_arguments_is_linear() {
        let steps = |len: u32| {
            let counter = Cell::new(0);
            let base: Vec<u32> = (0..len).collect();
            let mut lists: Vec<&[u32]> = vec![&base, &base];
            lists.extend(base.chunks(1));
            let kept = last_of_each(&lists, |&key| Counted(key, &counter));
            assert_eq!(kept.len(), base.len());
            counter.get()
        };
        let (once, twice) = (steps(2_000), steps(4_000));
        assert!(twice < 3 * once, "{once} {twice}");
    }
}
