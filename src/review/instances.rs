//! The instances of resources and the outputs of one version of a root module.

use std::collections::{BTreeMap, BTreeSet};

use super::Version;
use super::model::{ReviewGap, VersionName};
use crate::arena::Arena;
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::expand::{Planned, Selection, Trigger};
use crate::hash::{HashMap, HashSet};
use crate::reference::Mode;
use crate::show::Address;
use crate::value::Value;

/// An instance of a resource.
pub(super) struct Instance<'k, 'a> {
    pub(super) address: String,
    pub(super) resource_type: &'a str,
    pub(super) mode: Mode,
    pub(super) is_placeholder: bool,
    pub(super) is_imported: bool,
    pub(super) values: Value<'k>,
    pub(super) definition: Label<'a>,
    pub(super) triggers: Vec<Trigger<'a>>,
}

/// An output of the root module.
pub(super) struct Output<'k, 'a> {
    pub(super) name: &'a str,
    pub(super) value: Value<'k>,
    pub(super) definition: Option<Label<'a>>,
}

/// The instances of a version.
#[derive(Default)]
pub(super) struct Instances<'k, 'a> {
    pub(super) all: Vec<Instance<'k, 'a>>,
    pub(super) places: HashMap<String, usize>,
    pub(super) outputs: Vec<Output<'k, 'a>>,
    /// The provider configurations, by the address of their module, and by their name with their key.
    pub(super) providers: BTreeMap<(String, String), Value<'k>>,
    /// The addresses, without keys, of resources whose instances are not known.
    pub(super) unknown_resources: HashSet<String>,
    /// The addresses, without keys, of calls whose modules are not known.
    pub(super) unread_calls: HashSet<String>,
    pub(super) gaps: Vec<ReviewGap>,
}

impl<'k, 'a: 'k> Instances<'k, 'a> {
    /// Evaluates a version; without one, there is nothing. The values are copied into `keep`. Those of
    /// instances that ignore changes are the `planned` ones.
    pub(super) fn of(
        version: Option<Version<'_, 'a>>,
        name: VersionName,
        keep: &'k Arena,
        planned: Option<&dyn Planned<'a>>,
    ) -> Self {
        let mut found = Self::default();
        let Some(Version { tree, root, inputs }) = version else { return found };
        let mut expansion = tree.expand(root, inputs);
        if let Some(planned) = planned {
            expansion = expansion.with_planned(planned);
        }
        expansion.visit_printed(&Selection::default(), |instance| {
            let declared = instance.declared();
            let address = instance.address().to_owned();
            if instance.is_placeholder() {
                found.unknown_resources.insert(without_keys(&address));
            }
            found.places.insert(address.clone(), found.all.len());
            found.all.push(Instance {
                address,
                resource_type: instance.resource().resource_type,
                mode: instance.resource().mode,
                is_placeholder: instance.is_placeholder(),
                is_imported: instance.import().is_some(),
                values: instance.printed().copy_to(keep),
                definition: instance.definition(),
                triggers: Trigger::all(declared, instance.module_address(), instance.key()),
            });
        });
        let outputs = &tree.modules()[root].module.outputs;
        for (name, value) in expansion.outputs() {
            let definition = outputs.get(name).map(|output| output.block.definition_label());
            let value = expansion.printed_output(name, value);
            found.outputs.push(Output { name, value, definition });
        }
        expansion.visit_providers(keep, |module, name, value| {
            found.providers.insert((module.to_owned(), name), value);
        });
        for call in expansion.unread_calls() {
            let why = "its module is not known, so what is in it is not compared";
            found.gaps.push(ReviewGap { version: name, place: call.clone(), why: why.to_owned() });
            found.unread_calls.insert(call);
        }
        // Conditions change no values, but those of the new version decide whether it can be planned.
        if name == VersionName::After {
            expansion.check_conditions();
        }
        // The evaluation does not report again the findings of the tree's checks.
        let places: BTreeSet<usize> =
            expansion.instances().iter().map(|(place, _)| *place).collect();
        let of_modules = places.iter().filter_map(|place| tree.modules().get(*place));
        for diagnostic in of_modules.flat_map(|module| &module.diagnostics) {
            found.gaps.extend(gap(diagnostic, name));
        }
        for diagnostic in &expansion.diagnostics() {
            found.gaps.extend(gap(diagnostic, name));
        }
        found.gaps.dedup();
        found
    }

    pub(super) fn get(&self, address: &str) -> Option<&Instance<'k, 'a>> {
        self.all.get(*self.places.get(address)?)
    }

    /// Returns the part that makes it unknown whether this version has an instance of the other one, by its
    /// address without keys: the resource, or a call around it.
    pub(super) fn unknown_part<'b>(&self, block: &'b str) -> Option<&'b str> {
        if self.unknown_resources.contains(block) {
            return Some(block);
        }
        if self.unread_calls.is_empty() {
            return None;
        }
        let ends = block.match_indices('.').map(|(at, _)| &block[..at]);
        ends.into_iter().find(|part| self.unread_calls.contains(*part))
    }

    /// Whether a module, by its address without keys, may be in this version without being known.
    pub(super) fn may_have(&self, module: &str) -> bool {
        self.unread_calls.contains(module) || self.unknown_part(module).is_some()
    }

    /// Whether it is known of all resources and modules what they have.
    pub(super) fn is_known(&self) -> bool {
        self.unknown_resources.is_empty() && self.unread_calls.is_empty()
    }
}

/// The gap that an error leaves: what depends on its place is not known, or not valid.
fn gap(diagnostic: &Diagnostic<'_>, version: VersionName) -> Option<ReviewGap> {
    if diagnostic.severity() != Severity::Error {
        return None;
    }
    let (start, _) = diagnostic.source().range(diagnostic.span());
    let place = format!("{}:{}", diagnostic.source().name(), start.line);
    let detail = diagnostic.detail();
    Some(ReviewGap {
        version,
        place,
        why: format!("has an error: {}", detail.trim_end_matches('.')),
    })
}

/// The address of the block that declares an instance.
pub(super) fn without_keys(address: &str) -> String {
    match Address::parse(address) {
        Ok(address) => address.to_configuration().to_string(),
        Err(_) => address.to_owned(),
    }
}
