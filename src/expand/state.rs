//! What a state has recorded: the values of data sources, and what only providers know.
//!
//! The recorded values of an instance take the place of unknown ones if everything that is known of it is
//! as recorded. If the configuration has changed it, the provider may change the rest, so that stays
//! unknown. So do values of instances that are tainted.

use super::engine::Expansion;
use super::evaluation::Evaluation;
use super::keys::Key;
use crate::arena::Arena;
use crate::hash::{HashMap, HashSet};
use crate::json::{JsonValue, Node, Object};
use crate::module::Resource;
use crate::show::{List, MarkTree, RawState, State};
use crate::value::{Marks, Type, Value, convert, from_node, raw_equals};

/// Parts of values below this depth are not filled in.
const MAX_DEPTH: usize = 100;

/// The instances of a state, by address.
#[derive(Default)]
pub(super) struct Recorded<'a> {
    instances: HashMap<&'a str, Instance<'a>>,
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
            let is_current = resource.deposed_key().value().is_none()
                && resource.tainted().value() != Some(true);
            if let (Some(address), Some(attributes), true) =
                (resource.address().value(), resource.values().value(), is_current)
            {
                let names = |object: Object<'a>| object.members().map(|it| it.name().to_str());
                let sensitive = match resource.sensitive_values().value() {
                    Some(MarkTree::Object(marks)) => marks
                        .members()
                        .filter(|mark| has_mark(mark.value()))
                        .map(|mark| mark.name().to_str())
                        .collect(),
                    Some(MarkTree::Whole(false)) | None => HashSet::default(),
                    // The tree does not fit the object.
                    Some(_) => names(attributes).collect(),
                };
                instances.insert(address, Instance { attributes, sensitive, is_wrapped: false });
            }
        }
        Self { instances }
    }

    /// Reads a state file.
    pub(super) fn of_file(arena: &'a Arena, state: RawState<'a>) -> Self {
        let mut instances = HashMap::default();
        for resource in state.resources().value().into_iter().flat_map(List::iter) {
            for instance in resource.instances().value().into_iter().flat_map(List::iter) {
                let is_current =
                    instance.deposed().value().is_none() && instance.status().value().is_none();
                let (Some(attributes), true) = (instance.attributes().value(), is_current) else {
                    continue;
                };
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
                instances.insert(address, Instance { attributes, sensitive, is_wrapped: true });
            }
        }
        Self { instances }
    }

    /// The recorded attributes of an instance.
    fn attributes(&self, arena: &'a Arena, address: &str) -> Option<Value<'a>> {
        let instance = self.instances.get(address)?;
        let mut all = Vec::new();
        for member in instance.attributes.members() {
            let (name, node) = (member.name().to_str(), member.value());
            let node = if instance.is_wrapped { unwrapped(node) } else { node };
            // A number that is out of bounds stays unknown.
            let value = from_node(arena, node).unwrap_or_else(|_| Value::dynamic());
            let is_sensitive = instance.sensitive.contains(name);
            let marks = if is_sensitive { Marks::SENSITIVE } else { Marks::NONE };
            all.push((name, value.with_marks(marks)));
        }
        Some(Value::object(arena, &all))
    }
}

/// Whether a mark tree marks something.
fn has_mark(marks: Node<'_>) -> bool {
    let mut work = vec![marks];
    while let Some(node) = work.pop() {
        match node.value() {
            JsonValue::Bool(is_marked) if is_marked => return true,
            JsonValue::Object(object) => work.extend(object.members().map(|it| it.value())),
            JsonValue::Array(array) => work.extend(array.elements()),
            _ => {}
        }
    }
    false
}

/// Returns the value of a wrapper `{"value": VALUE, "type": TYPE}`, and any other value unchanged.
fn unwrapped(node: Node<'_>) -> Node<'_> {
    let inside = || {
        let object = node.as_object()?;
        let (value, kind) = (object.get("value")?, object.get("type")?);
        let is_type = kind.to_str().is_some() || kind.is_array();
        (object.members().count() == 2 && is_type).then_some(value)
    };
    inside().unwrap_or(node)
}

impl<'v, 'a: 'v> Evaluation<'_, '_, 'v, 'a> {
    /// Fills in what the state has recorded of an instance with these attributes; `None` if it has
    /// recorded nothing that fits. Without a schema, attributes that the configuration does not have are
    /// added.
    pub(super) fn with_recorded(
        &self,
        resource: &Resource<'a>,
        key: Key<'v>,
        value: Value<'v>,
        has_schema: bool,
    ) -> Option<Value<'v>> {
        let state = self.engine.inputs.state.as_ref()?;
        if has_schema && value.is_wholly_known() {
            return None;
        }
        let mut address = String::new();
        super::resource::push_address(&mut address, &self.engine.module(self.module), resource);
        key.write(&mut address);
        let recorded: Value<'v> = state.attributes(self.engine.inputs.arena, &address)?;
        let filled = fill(self.arena, value, recorded, 0)?;
        if has_schema {
            return Some(filled);
        }
        let own = filled.entries().iter().copied();
        let more = recorded.entries().iter().filter(|(name, _)| value.get(name).is_none());
        let all: Vec<_> = own.chain(more.copied()).collect();
        Some(Value::object(self.arena, &all))
    }
}

impl<'a> Expansion<'_, 'a> {
    /// Whether there is a state.
    pub(super) fn has_state(&self) -> bool {
        self.inputs.state.is_some()
    }
}

/// Returns a value with its unknown parts as recorded; `None` if a known part is not as recorded.
fn fill<'v>(
    arena: &'v Arena,
    value: Value<'v>,
    recorded: Value<'v>,
    depth: usize,
) -> Option<Value<'v>> {
    let (plain, marks) = value.unmark();
    let ty = plain.ty();
    if !plain.is_known() {
        return Some(convert(arena, recorded, ty).ok()?.with_marks(marks));
    }
    // Null leaves the value to the provider, which records its choice.
    if plain.is_null() || depth >= MAX_DEPTH {
        return Some(value);
    }
    let (recorded, recorded_marks) = recorded.unmark();
    let marks = marks.with(recorded_marks);
    let filled = if let Some(entries) = plain.as_entries() {
        let others = recorded.as_entries()?;
        if matches!(ty, Type::Map(_)) && entries.len() != others.len() {
            return None;
        }
        let mut all = Vec::with_capacity(entries.len());
        for &(name, value) in entries {
            all.push(match recorded.get(name) {
                Some(recorded) => (name, fill(arena, value, recorded, depth + 1)?),
                None if matches!(ty, Type::Map(_)) => return None,
                None => (name, value),
            });
        }
        Value::object(arena, &all)
    } else if let Some(elements) = plain.as_elements() {
        let others = recorded.as_elements()?;
        if matches!(ty, Type::Set(_)) {
            // Which elements belong together is only known if all are.
            if plain.is_wholly_known() {
                let recorded = convert(arena, recorded, ty).ok()?;
                let [one, other] = [plain, recorded].map(|it| it.unmark_deep(arena).0);
                return raw_equals(one, other).then(|| value.with_marks(marks));
            }
            return Some(value);
        }
        if elements.len() != others.len() {
            return None;
        }
        let pairs = elements.iter().zip(others);
        let all: Option<Vec<_>> =
            pairs.map(|(value, recorded)| fill(arena, *value, *recorded, depth + 1)).collect();
        Value::tuple(arena, &all?)
    } else {
        let recorded = convert(arena, recorded, ty).ok()?;
        return raw_equals(plain, recorded).then(|| value.with_marks(marks));
    };
    // An object or a tuple of an unknown type may have got one.
    let filled = match ty {
        Type::List(_) | Type::Map(_) => convert(arena, filled, ty).ok()?,
        _ => filled,
    };
    Some(filled.with_marks(marks))
}
