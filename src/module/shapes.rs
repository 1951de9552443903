//! What the schemas of providers and the modules that are called say of the objects of a module:
//! the types of their values.

use super::Object;
use super::site::Site;
use crate::hash::HashMap;
use crate::native::{LentTraversal, StepKind};
use crate::reference::ResourceName;
use crate::value::Value;

/// Values without content, for the types that they have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes<'a> {
    /// Of resources, as references to the whole of one have them.
    pub(crate) resources: HashMap<ResourceName<'a>, Value<'a>>,
    /// Of module calls, by name.
    pub(crate) calls: HashMap<&'a str, Value<'a>>,
}

impl<'a> Shapes<'a> {
    /// Whether they say nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.resources.is_empty() && self.calls.is_empty()
    }

    /// Of a resource; nothing is known of one that is not there.
    pub(super) fn resource(&self, name: ResourceName<'a>) -> Value<'a> {
        self.resources.get(&name).map_or(Value::dynamic(), |value| *value)
    }

    /// What `self` is at a place.
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
    /// At all.
    pub(super) refers: bool,
    /// Not just to an attribute of one, which can be anything.
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
        // Of one instance among several nothing is known.
        let is_instance = matches!(
            steps.get(attribute).map(|step| step.kind),
            Some(StepKind::Index(_) | StepKind::Splat)
        );
        self.is_deep |= attribute == 0 || !is_instance && steps.len() != attribute + 1;
    }
}
