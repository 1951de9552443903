//! The objects that an expression can refer to. Those that have no value yet are unknown, and become
//! missing nodes of the evaluation.

use super::evaluation::Evaluation;
use super::instance::Child;
use super::keys::Keys;
use super::node::Node;
use crate::dialect::Dialect;
use crate::evaluate::Objects;
use crate::native::{Key, Step, StepKind};
use crate::reference::{InstanceKey, Mode, ResourceName};
use crate::value::{Marks, Type, Value};

/// The attribute at a place of a traversal.
fn attribute<'s>(steps: &[Step<'s>], at: usize) -> Option<&'s str> {
    match steps.get(at)?.kind {
        StepKind::Attribute(name) => Some(name),
        _ => None,
    }
}

/// The key of an instance at a place of a traversal.
fn instance_key<'s>(steps: &[Step<'s>], at: usize) -> Option<InstanceKey<'s>> {
    match steps.get(at)?.kind {
        StepKind::Index(Key::String(text)) => Some(InstanceKey::String(text)),
        StepKind::Index(Key::Number(text)) => text.parse().ok().map(InstanceKey::Number),
        _ => None,
    }
}

impl<'v, 'a: 'v> Objects<'v> for Evaluation<'_, '_, 'v, 'a> {
    fn find(&self, steps: &[Step<'_>]) -> Option<(Value<'v>, usize)> {
        let Some(Step { kind: StepKind::Root(root), .. }) = steps.first() else { return None };
        if let Some((_, value)) = self.own.borrow().iter().rfind(|(name, _)| name == root) {
            self.uses_own.set(true);
            return Some((*value, 1));
        }
        let dialect = self.engine.dialect();
        let module = self.engine.module(self.module);
        let declared = &module.declared.module;
        let own = self.module;
        Some(match *root {
            "var" => match attribute(steps, 1).and_then(|name| declared.variables.place(name)) {
                Some(place) => (self.node(Node::Variable(own, place)), 2),
                None => unknown(steps),
            },
            "local" => match attribute(steps, 1).and_then(|name| declared.locals.place(name)) {
                Some(place) => (self.node(Node::Local(own, place)), 2),
                None => unknown(steps),
            },
            "path" => (module.path, 1),
            "terraform" => (self.engine.tool, 1),
            "tofu" if dialect != Dialect::Terraform => (self.engine.tool, 1),
            "module" => match attribute(steps, 1).and_then(|name| declared.calls.place(name)) {
                Some(place) => self.call(place, steps),
                None => unknown(steps),
            },
            "count" | "each" | "self" => unknown(steps),
            "data" => self.resource(Mode::Data, 1, steps),
            "ephemeral" => self.resource(Mode::Ephemeral, 1, steps),
            "resource" => self.resource(Mode::Managed, 1, steps),
            _ => self.resource(Mode::Managed, 0, steps),
        })
    }
}

/// The value of an object that is not declared, which has been reported.
fn unknown<'v>(steps: &[Step<'_>]) -> (Value<'v>, usize) {
    (Value::dynamic(), steps.len())
}

impl<'v, 'a: 'v> Evaluation<'_, '_, 'v, 'a> {
    /// The value of a node; unknown if it has none yet.
    fn node(&self, node: Node<'a>) -> Value<'v> {
        self.engine.kept(node, &self.missing)
    }

    fn keys(&self, node: Node<'a>) -> Option<Keys<'a>> {
        self.engine.kept_keys(node, &self.missing)
    }

    /// The value of `module.name…`.
    fn call(&self, call: u32, steps: &[Step<'_>]) -> (Value<'v>, usize) {
        let (engine, own) = (self.engine, self.module);
        let Some(keys) = self.keys(Node::CallKeys(own, call)) else { return unknown(steps) };
        let (place, taken) = match keys {
            Keys::Unknown(_) => return unknown(steps),
            Keys::One => (Some(0), 2),
            keys => (instance_key(steps, 2).and_then(|key| keys.place(key)), 3),
        };
        let output = match steps.get(taken).map(|step| step.kind) {
            Some(StepKind::Attribute(name) | StepKind::Index(Key::String(name))) => Some(name),
            _ => None,
        };
        if let (Some(place), Some(output)) = (place, output) {
            let Child::Modules(first) = engine.children(own, call, keys) else {
                return unknown(steps);
            };
            let child = first + place as u32;
            if let Some(place) = engine.module(child).declared.module.outputs.place(output) {
                return (self.node(Node::Output(child, place)), taken + 1);
            }
            return unknown(steps);
        }
        (self.node(Node::Call(own, call)), 2)
    }

    /// The value of a resource, whose type is at a place of the traversal.
    fn resource(&self, mode: Mode, at: usize, steps: &[Step<'_>]) -> (Value<'v>, usize) {
        let (engine, own) = (self.engine, self.module);
        let resource_type = match steps.get(at).map(|step| step.kind) {
            Some(StepKind::Root(name) | StepKind::Attribute(name)) => name,
            _ => return unknown(steps),
        };
        let Some(name) = attribute(steps, at + 1) else {
            return unknown(steps);
        };
        let declared = &engine.module(own).declared.module;
        let address = ResourceName { mode, resource_type, name };
        if mode == Mode::Ephemeral {
            return (Value::dynamic().with_marks(Marks::EPHEMERAL), steps.len());
        }
        let Some(place) = declared.resources.place(address) else { return unknown(steps) };
        let Some(resource) = declared.resources.at(place) else { return unknown(steps) };
        if !engine.has_history(resource)
            && engine.is_single_without_schema(own, resource)
            && let Some(name) = attribute(steps, at + 2)
        {
            // Most references are to attributes that only the provider knows.
            return match resource.config().properties().find(|property| property.is_named(name)) {
                Some(property) => (self.node(Node::Attribute(own, place, property.name())), at + 3),
                None if resource.escape().is_none() => (Value::unknown(Type::Dynamic), at + 3),
                None => (self.node(Node::Resource(own, place)), at + 2),
            };
        }
        (self.node(Node::Resource(own, place)), at + 2)
    }
}
