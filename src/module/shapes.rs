//! The types of resources, module calls and functions of providers, from schemas of providers and from
//! called modules.

use super::Object;
use super::functions::Described;
use super::site::Site;
use crate::hash::HashMap;
use crate::native::{LentTraversal, StepKind};
use crate::reference::ResourceName;
use crate::value::Value;

/// The types of objects, as unknown values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes<'a> {
    /// Resources: the value of a reference to the whole resource.
    pub(crate) resources: HashMap<ResourceName<'a>, Value<'a>>,
    /// Module calls, by name.
    pub(crate) calls: HashMap<&'a str, Value<'a>>,
    /// Functions of providers.
    pub(crate) functions: Described<'a>,
}

impl<'a> Shapes<'a> {
    /// Whether no type is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.resources.is_empty() && self.calls.is_empty() && self.functions.is_empty()
    }

    /// The value of a resource, of unknown type if it is not in the map.
    pub(super) fn resource(&self, name: ResourceName<'a>) -> Value<'a> {
        self.resources.get(&name).map_or(Value::dynamic(), |value| *value)
    }

    /// The value of `self` at a place.
    pub(super) fn of_self(&self, site: &Site<'_, 'a>) -> Value<'a> {
        match site.object {
            Object::Resource(name) => self.resource(name),
            _ => Value::dynamic(),
        }
    }
}

/// How a template refers to objects whose types are not known within the module.
#[derive(Clone, Copy, Default)]
pub(super) struct Shaped {
    /// Whether it refers to such an object.
    pub(super) refers: bool,
    /// Whether it refers to more than an attribute of one, which can be anything, or calls a function
    /// of a provider.
    pub(super) is_deep: bool,
}

impl Shaped {
    /// Adds a reference.
    pub(super) fn add(&mut self, traversal: LentTraversal<'_, '_>) {
        let steps = traversal.steps();
        let attribute = match traversal.root_name() {
            "var" | "path" | "terraform" | "tofu" | "each" | "count" => return,
            "local" | "self" => 0,
            "module" => 2,
            "data" | "resource" | "ephemeral" => 3,
            _ => 2,
        };
        self.refers = true;
        // The value of one instance among several is unknown.
        let is_instance = matches!(
            steps.get(attribute).map(|step| step.kind),
            Some(StepKind::Index(_) | StepKind::Splat)
        );
        self.is_deep |= attribute == 0 || !is_instance && steps.len() != attribute + 1;
    }
}
