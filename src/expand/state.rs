//! The instances of a state: the attributes that it has recorded.

use crate::arena::Arena;
use crate::hash::{HashMap, HashSet};
use crate::json::{JsonValue, Node, Object};
use crate::show::redact::wrapped;
use crate::show::{List, MarkTree, RawState, State, has_mark};
use crate::value::{Marks, Value, from_node};

/// The instances of a state, by address. Of those that are tainted, nothing else is kept.
#[derive(Default)]
pub(super) struct Recorded<'a> {
    instances: HashMap<&'a str, Option<Instance<'a>>>,
}

/// The attributes of an instance, and the names of those with sensitive parts.
struct Instance<'a> {
    attributes: Object<'a>,
    sensitive: HashSet<&'a str>,
    /// Whether values of a type that is not known to the schema are wrapped together with their type.
    is_wrapped: bool,
}

impl<'a> Recorded<'a> {
    /// Reads a state as `show -json` prints it. Cost: linear in the resources; values stay sealed.
    pub(super) fn of(state: State<'a>) -> Self {
        let mut instances = HashMap::default();
        for resource in state.resources() {
            let Some(address) = resource.address().value() else { continue };
            if resource.deposed_key().value().is_some() {
                continue;
            }
            let instance = (|| {
                let is_tainted = resource.tainted().value() == Some(true);
                let attributes = resource.values().value().filter(|_| !is_tainted)?;
                let names = |object: Object<'a>| object.members().map(|it| it.name().to_str());
                let sensitive = match resource.sensitive_values().value() {
                    Some(MarkTree::Object(marks)) => marks
                        .members()
                        .filter(|mark| has_mark(mark.value().text(), |first| first == b't'))
                        .map(|mark| mark.name().to_str())
                        .collect(),
                    Some(MarkTree::Whole(false)) | None => HashSet::default(),
                    // The tree does not fit the object.
                    Some(_) => names(attributes).collect(),
                };
                Some(Instance { attributes, sensitive, is_wrapped: false })
            })();
            instances.insert(address, instance);
        }
        Self { instances }
    }

    /// Reads a state file.
    pub(super) fn of_file(arena: &'a Arena, state: RawState<'a>) -> Self {
        let mut instances = HashMap::default();
        for resource in state.resources().value().into_iter().flat_map(List::iter) {
            for instance in resource.instances().value().into_iter().flat_map(List::iter) {
                if instance.deposed().value().is_some() {
                    continue;
                }
                let is_tainted = instance.status().value().is_some();
                let paths = instance.sensitive_attributes().value();
                let first = |path: Node<'a>| {
                    let step = match path.value() {
                        JsonValue::Array(steps) => steps.elements().next(),
                        _ => Some(path),
                    };
                    step?.as_object()?.get("value")?.to_str()
                };
                let sensitive = paths.into_iter().flat_map(List::iter).filter_map(first).collect();
                let address = arena.str(&instance.address(resource));
                let instance = instance
                    .attributes()
                    .value()
                    .filter(|_| !is_tainted)
                    .map(|attributes| Instance { attributes, sensitive, is_wrapped: true });
                instances.insert(address, instance);
            }
        }
        Self { instances }
    }

    /// The addresses of the instances.
    pub(super) fn addresses(&self) -> impl Iterator<Item = &'a str> {
        self.instances.keys().copied()
    }

    /// Whether it has an instance at an address.
    pub(super) fn has(&self, address: &str) -> bool {
        self.instances.contains_key(address)
    }

    /// The recorded attributes of an instance.
    pub(super) fn attributes(&self, arena: &'a Arena, address: &str) -> Option<Value<'a>> {
        let instance = self.instances.get(address)?.as_ref()?;
        let mut all = Vec::new();
        for member in instance.attributes.members() {
            let (name, node) = (member.name().to_str(), member.value());
            let inside = instance.is_wrapped.then(|| wrapped(node)).flatten();
            let node = inside.unwrap_or(node);
            // A number that is out of bounds stays unknown.
            let value = from_node(arena, node).unwrap_or_else(|_| Value::dynamic());
            let is_sensitive = instance.sensitive.contains(name);
            let marks = if is_sensitive { Marks::SENSITIVE } else { Marks::NONE };
            all.push((name, value.with_marks(marks)));
        }
        Some(Value::object(arena, &all))
    }
}
