//! The provider configurations of each module, and the one that each resource uses.
//!
//! The key of a configuration is its name in the module, `aws` or `aws.east`. Outside of the root
//! module it is prefixed with the address of the module and a colon. Modules inherit configurations
//! from their callers, under the same names or as a call specifies. An inherited configuration is
//! shown once, in the module that declares it.

use std::collections::BTreeMap;

use super::instances::Instance;
use crate::hash::HashMap;
use crate::module::{
    Module, Provider, ProviderConfigName, ProviderNames, VersionConstraint, VersionOperator,
};
use crate::reference::Mode;
use crate::tree::Tree;

/// The provider configurations of all instances, by key.
pub(super) struct Providers<'t, 'a> {
    by_key: BTreeMap<String, Entry<'t, 'a>>,
    /// The names in each module of the tree.
    names: HashMap<usize, Names<'a>>,
}

/// A provider configuration.
pub(super) struct Entry<'t, 'a> {
    pub(super) name: String,
    pub(super) full_name: String,
    pub(super) alias: Option<&'a str>,
    pub(super) version_constraint: String,
    /// The instance that it belongs to.
    pub(super) instance: usize,
    /// The block, if it has one.
    pub(super) block: Option<&'t Provider<'a>>,
    /// The key of the inherited configuration, if it is one.
    parent: Option<String>,
}

impl<'t, 'a> Providers<'t, 'a> {
    pub(super) fn of(tree: &'t Tree<'a>, instances: &[Instance<'t, 'a>]) -> Self {
        let mut all = Self { by_key: BTreeMap::new(), names: HashMap::default() };
        for (place, instance) in instances.iter().enumerate() {
            let module = &tree.modules()[instance.module].module;
            all.names.entry(instance.module).or_insert_with(|| Names::of(module));
            all.pass(place, instances);
            all.collect(place, instances, module);
        }
        all
    }

    /// The configurations that are not inherited, by key.
    pub(super) fn shown(&self) -> impl Iterator<Item = (&str, &Entry<'t, 'a>)> {
        let own = self.by_key.iter().filter(|(_, entry)| entry.parent.is_none());
        own.map(|(key, entry)| (key.as_str(), entry))
    }

    /// The key of the configuration that a name in a module refers to.
    pub(super) fn key(&self, instance: &Instance<'_, '_>, name: &str) -> String {
        let key = instance.key(name);
        let parent = self.by_key.get(&key).and_then(|entry| entry.parent.clone());
        parent.filter(|parent| self.by_key.contains_key(parent)).unwrap_or(key)
    }

    /// The full name of a provider, by its local name in a module of the tree.
    pub(super) fn full_name(&self, module: usize, local: &str) -> String {
        self.names.get(&module).map_or_else(String::new, |names| names.full_name(local))
    }

    /// Adds the configurations that the call of a module passes to it.
    fn pass(&mut self, place: usize, instances: &[Instance<'t, 'a>]) {
        let instance = &instances[place];
        let Some((caller, call)) = instance.caller else { return };
        for pass in call.providers {
            let name = pass.inner.name().to_string();
            let full_name = self.full_name(instance.module, pass.inner.name().local_name);
            let outer = instances[caller].key(&pass.outer.name().to_string());
            let parent = self.origin(outer, &full_name);
            let entry = Entry {
                name: name.clone(),
                full_name,
                alias: None,
                version_constraint: String::new(),
                instance: place,
                block: None,
                parent,
            };
            self.by_key.insert(instance.key(&name), entry);
        }
    }

    /// Adds a module's own configurations: from blocks, requirements, and names of resource types.
    fn collect(&mut self, place: usize, instances: &[Instance<'t, 'a>], module: &'t Module<'a>) {
        let instance = &instances[place];
        let Some(names) = self.names.get(&instance.module).cloned() else { return };
        let entry = |name: String, full_name: String| {
            let version_constraint = names.constraints.get(&full_name).cloned().unwrap_or_default();
            let (alias, block, parent) = (None, None, None);
            Entry { name, full_name, alias, version_constraint, instance: place, block, parent }
        };
        for block in &module.providers {
            let name = block.config_name().to_string();
            let entry = entry(block.name.to_owned(), names.full_name(block.name));
            let entry = Entry { alias: block.alias, block: Some(block), ..entry };
            self.by_key.insert(instance.key(&name), entry);
        }
        let inherited = |all: &Self, name: &str, full_name: &str| {
            let (caller, _) = instance.caller?;
            all.origin(instances[caller].key(name), full_name)
        };
        for required in module.required_providers() {
            let full_name = names.full_name(required.name);
            for alias in required.configuration_aliases {
                let key = instance.key(&ProviderConfigName::of(*alias).to_string());
                let new = || entry(required.name.to_owned(), full_name.clone());
                self.by_key.entry(key).or_insert_with(new);
            }
            let key = instance.key(required.name);
            if !self.by_key.contains_key(&key) {
                let parent = inherited(self, required.name, &full_name);
                let entry = entry(required.name.to_owned(), full_name);
                self.by_key.insert(key, Entry { parent, ..entry });
            }
        }
        // A provider without a configuration is known by its type. Of two of one type, the one in
        // the default namespace counts.
        let mut needed: Vec<&String> = names.constraints.keys().collect();
        needed.sort_by_key(|full_name| !full_name.contains("/hashicorp/"));
        for full_name in needed {
            let name = full_name.rsplit('/').next().unwrap_or_default();
            let key = instance.key(name);
            if !self.by_key.contains_key(&key) {
                let parent = inherited(self, name, full_name);
                let entry = entry(name.to_owned(), full_name.clone());
                // The tools do not print versions here.
                let version_constraint = String::new();
                self.by_key.insert(key, Entry { parent, version_constraint, ..entry });
            }
        }
    }

    /// The key of the configuration that `key` inherits from, or `key` itself. `None` if the
    /// provider has no configuration there.
    fn origin(&self, key: String, full_name: &str) -> Option<String> {
        let entry = self.by_key.get(&key).filter(|entry| entry.full_name == full_name)?;
        // The parent is already an origin.
        Some(entry.parent.clone().unwrap_or(key))
    }
}

/// The full names of a module's providers, and their version constraints.
#[derive(Clone)]
struct Names<'a> {
    names: ProviderNames<'a>,
    /// The constraints of all providers that the module needs, by full name.
    constraints: BTreeMap<String, String>,
}

impl<'a> Names<'a> {
    fn of(module: &Module<'a>) -> Self {
        let names = ProviderNames::of(module);
        let mut constraints: BTreeMap<String, Vec<VersionConstraint<'a>>> = BTreeMap::new();
        let mut need = |local: &str, version: Option<&'a str>| {
            let all = constraints.entry(names.full_name(local)).or_default();
            all.extend(version.and_then(VersionConstraint::parse_all).into_iter().flatten());
        };
        for entry in module.required_providers() {
            need(entry.name, entry.version);
        }
        for provider in &module.providers {
            need(provider.name, provider.version);
        }
        let mut last = "";
        let mut imply = |local: &'a str| {
            if local != last {
                need(local, None);
                last = local;
            }
        };
        let of_checks = module.checks.iter().filter_map(|check| check.data);
        // Commands that print a representation do not read the files of queries.
        let resources = module.resources.iter().filter(|each| each.mode != Mode::List);
        resources.chain(of_checks).for_each(|each| imply(each.provider_name()));
        module.actions.iter().for_each(|each| imply(each.provider_name()));
        module.imports.iter().filter_map(|each| each.implied_provider(module)).for_each(imply);
        let constraints = constraints
            .into_iter()
            .map(|(full_name, constraints)| (full_name, canonical(&constraints)))
            .collect();
        Self { names, constraints }
    }

    fn full_name(&self, local: &str) -> String {
        self.names.full_name(local)
    }
}

/// Constraints in the tools' canonical form: without duplicates, sorted by version.
fn canonical(constraints: &[VersionConstraint<'_>]) -> String {
    let mut all: Vec<(Key, String)> = constraints.iter().map(term).collect();
    all.sort();
    all.dedup();
    let texts: Vec<String> = all.into_iter().map(|(_, text)| text).collect();
    texts.join(", ")
}

/// The sort key of a constraint: the version, a prerelease before its release, then the rank of the
/// operator.
type Key = ([i64; 3], bool, String, u8);

fn term(constraint: &VersionConstraint<'_>) -> (Key, String) {
    use VersionOperator as Operator;
    let version = &constraint.version;
    let segment = |at: usize| version.segments.get(at).copied().unwrap_or_default();
    let numbers = [segment(0), segment(1), segment(2)];
    // Lower bounds come before upper bounds.
    let is_short = constraint.operator == Operator::Pessimistic && version.segments.len() < 3;
    let (place, operator) = match constraint.operator {
        Operator::Greater => (0, "> "),
        Operator::GreaterOrEqual => (1, ">= "),
        Operator::Equal => (2, ""),
        Operator::Pessimistic if !is_short => (3, "~> "),
        Operator::Pessimistic => (4, "~> "),
        Operator::LessOrEqual => (5, "<= "),
        Operator::Less => (6, "< "),
        Operator::NotEqual => (7, "!= "),
    };
    let [major, minor, patch] = numbers;
    let mut text = match is_short {
        true => format!("{operator}{major}.{minor}"),
        false => format!("{operator}{major}.{minor}.{patch}"),
    };
    for (mark, part) in [("-", version.prerelease), ("+", version.metadata)] {
        if !part.is_empty() {
            text.push_str(mark);
            text.push_str(part);
        }
    }
    let is_release = version.prerelease.is_empty();
    ((numbers, is_release, version.prerelease.to_owned(), place), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_are_canonical() {
        let of = |text| canonical(&VersionConstraint::parse_all(text).unwrap());
        assert_eq!(of("~> 1.2.0"), "~> 1.2.0");
        assert_eq!(of("~>1"), "~> 1.0");
        assert_eq!(of("< 2, >= 1.0"), ">= 1.0.0, < 2.0.0");
        assert_eq!(of("2, = 2.0.0"), "2.0.0");
        assert_eq!(of("!= 1.0.1-rc.1"), "!= 1.0.1-rc.1");
        assert_eq!(
            of("!= 1, < 1, <= 1, ~> 1.0, ~> 1.0.0, 1, >= 1, > 1"),
            "> 1.0.0, >= 1.0.0, 1.0.0, ~> 1.0.0, ~> 1.0, <= 1.0.0, < 1.0.0, != 1.0.0"
        );
    }
}
