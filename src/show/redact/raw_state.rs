//! Sensitive values of state files: the paths in `sensitive_attributes`, and the attributes that
//! schemas mark.

use super::by_schema::Types;
use super::marked::Marked;
use crate::hash::{HashMap, HashSet};
use crate::json::{Node, Object};
use crate::show::body_schema::BUILT_IN_PROVIDER;
use crate::show::field::{List, Map};
use crate::show::state::{RawResource, RawState};

impl Marked {
    pub(super) fn raw_state(&mut self, state: RawState<'_>, types: &mut Types<'_, '_>) {
        for (_, output) in state.outputs().value().into_iter().flat_map(Map::iter) {
            if output.sensitive().value() == Some(true) {
                self.whole(output.value());
            }
        }
        for resource in state.resources().value().into_iter().flat_map(List::iter) {
            self.raw_resource(resource, types);
        }
    }

    /// The attributes of a resource of a state file that its paths or its schema hide.
    pub(super) fn raw_resource(&mut self, resource: RawResource<'_>, types: &mut Types<'_, '_>) {
        let by_schema = types.of(resource);
        // Of the types of the built-in provider, only what `store` keeps may be sensitive.
        let is_built_in = resource.provider_name().as_deref() == Some(BUILT_IN_PROVIDER);
        let mut is_unmarked = false;
        for instance in resource.instances().value().into_iter().flat_map(List::iter) {
            let object = |name| instance.object().get(name).and_then(Node::as_object);
            let (values, flat) = (object("attributes"), object("attributes_flat"));
            if let Some(marks) = &by_schema {
                values.into_iter().for_each(|values| marks.hide(values, self));
                flat.into_iter().for_each(|flat| marks.hide_flat(flat, self));
            }
            let paths = instance.sensitive_attributes().value();
            let mut paths = paths.into_iter().flat_map(|paths| paths.iter()).peekable();
            let has_values = match is_built_in {
                true => values.and_then(|it| it.get("store")).is_some_and(|it| !it.is_null()),
                false => [values, flat].into_iter().flatten().any(|it| !it.is_empty()),
            };
            is_unmarked |= has_values && paths.peek().is_none();
            let mut attributes = Attributes::default();
            let mut prefixes = HashSet::default();
            for path in paths {
                if let Some(values) = values {
                    self.path(&mut attributes, values.node(), path);
                }
                if flat.is_some() {
                    prefixes.insert(flat_name(path));
                }
            }
            if let Some(flat) = flat.filter(|_| !prefixes.is_empty()) {
                self.flat(flat, &prefixes);
            }
        }
        if is_unmarked && by_schema.is_none() {
            let name = resource.resource_type().value().unwrap_or_default();
            self.unmarked_types.insert(name.to_owned());
        }
    }

    /// Hides the attributes in the form of Terraform 0.11 with these names, and those inside them:
    /// `tags.Name` is in `tags`.
    fn flat(&mut self, attributes: Object<'_>, names: &HashSet<String>) {
        for member in attributes.members() {
            let name = member.name().to_str();
            let ends = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
            if names.contains("") || ends.into_iter().any(|end| names.contains(&name[..end])) {
                self.whole(Some(member.value()));
            }
        }
    }

    /// Hides the target of a path. A missing target is ignored; a value that the path cannot enter
    /// is hidden as a whole. The object of all attributes stays an object: its members are hidden
    /// one by one.
    fn path<'a>(&mut self, attributes: &mut Attributes<'a>, root: Node<'a>, path: Node<'a>) {
        let mut node = root;
        for step in steps(path) {
            match attributes.below(node, step) {
                Below::Found(inner) => node = inner,
                Below::Absent => return,
                Below::Unclear => break,
            }
        }
        if node.offset() != root.offset() {
            self.whole(Some(node));
        } else if let Some(object) = root.as_object() {
            object.members().for_each(|member| self.whole(Some(member.value())));
        }
    }
}

/// The name of the attribute that a path leads to, in the form of Terraform 0.11. It ends before a
/// step that is not understood, such as one into a set.
fn flat_name(path: Node<'_>) -> String {
    let mut name = String::new();
    for step in steps(path) {
        let value = step.as_object().and_then(|step| step.get("value"));
        // The key of an index may be wrapped with its type.
        let wrapped = value.and_then(Node::as_object).and_then(|value| value.get("value"));
        let value = wrapped.or(value);
        let text = match value.map(|value| (value.as_number(), value.to_str())) {
            Some((Some(number), _)) => number.text(),
            Some((None, Some(text))) => text,
            _ => break,
        };
        if !name.is_empty() {
            name.push('.');
        }
        name.push_str(text);
    }
    name
}

/// The steps of a path. An early form has a single step without an array around it.
fn steps(path: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let single = path.is_object().then_some(path);
    single.into_iter().chain(path.as_array().into_iter().flat_map(|steps| steps.elements()))
}

/// The value in a wrapper `{"value": VALUE, "type": TYPE}`.
pub(crate) fn wrapped(node: Node<'_>) -> Option<Node<'_>> {
    let mut members = node.as_object()?.members();
    let (one, other) = (members.next()?, members.next()?);
    if members.next().is_some() {
        return None;
    }
    let (value, kind) = match (one.name().to_str(), other.name().to_str()) {
        ("value", "type") => (one.value(), other.value()),
        ("type", "value") => (other.value(), one.value()),
        _ => return None,
    };
    (kind.to_str().is_some() || kind.is_array()).then_some(value)
}

/// Finds the targets of paths. The members of each container are listed once for all paths through
/// it.
#[derive(Default)]
struct Attributes<'a> {
    /// Members by name; `None` if several have the same name.
    objects: HashMap<u32, HashMap<&'a str, Option<Node<'a>>>>,
    arrays: HashMap<u32, Vec<Node<'a>>>,
}

/// The target of a step.
enum Below<'a> {
    Found(Node<'a>),
    /// A missing value, so that there is nothing to hide.
    Absent,
    /// Not known: the step is into a set, or into a value of another type.
    Unclear,
}

impl<'a> Attributes<'a> {
    /// The target of a step from a value. State files wrap a value of a dynamic type together with
    /// that type; paths do not name the wrapper. If the step has a target both in a possible
    /// wrapper and in the value inside, the path is ambiguous.
    fn below(&mut self, node: Node<'a>, step: Node<'a>) -> Below<'a> {
        let outside = self.directly_below(node, step);
        let Some(value) = wrapped(node) else { return outside };
        match (outside, self.directly_below(value, step)) {
            (Below::Found(_), Below::Found(_)) => Below::Unclear,
            (found @ Below::Found(_), _) | (_, found) => found,
        }
    }

    fn directly_below(&mut self, node: Node<'a>, step: Node<'a>) -> Below<'a> {
        let Some(value) = step.as_object().and_then(|step| step.get("value")) else {
            return Below::Unclear;
        };
        // The key of an index may be wrapped with its type.
        let value = match value.as_object() {
            Some(wrapped) => wrapped.get("value"),
            None => Some(value),
        };
        let Some(value) = value else { return Below::Unclear };
        if node.is_null() {
            return Below::Absent;
        }
        let found = match (value.as_number(), value.to_str()) {
            // An index past the end shows that the array has changed.
            (Some(number), _) => number.as_u64().and_then(|index| self.element(node, index)),
            (None, Some(name)) if node.is_object() => match self.member(node, name) {
                None => return Below::Absent,
                Some(found) => found,
            },
            _ => None,
        };
        found.map_or(Below::Unclear, Below::Found)
    }

    fn member(&mut self, node: Node<'a>, name: &str) -> Option<Option<Node<'a>>> {
        let object = node.as_object()?;
        let members = self.objects.entry(node.offset()).or_insert_with(|| {
            let mut members = HashMap::default();
            for member in object.members() {
                let slot = members.entry(member.name().to_str());
                slot.and_modify(|found| *found = None).or_insert(Some(member.value()));
            }
            members
        });
        members.get(name).copied()
    }

    fn element(&mut self, node: Node<'a>, index: u64) -> Option<Node<'a>> {
        let array = node.as_array()?;
        let elements = self.arrays.entry(node.offset());
        let elements = elements.or_insert_with(|| array.elements().collect());
        elements.get(usize::try_from(index).ok()?).copied()
    }
}
