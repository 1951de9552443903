//! `ignore_changes`: attributes, and parts of them, that stay as a state, or another version, has them.

use crate::arena::Arena;
use crate::module::{IgnoreChanges, Resource};
use crate::native::{Key, Step, StepKind, Traversal};
use crate::value::{Type, Value, convert};

/// Which changes of an attribute are ignored: `None` if all count; otherwise the steps from the
/// attribute to each part whose changes do not, empty if that is the attribute as a whole.
pub(super) fn part<'t, 'a>(ignored: IgnoreChanges<'a>, name: &str) -> Option<Vec<&'t [Step<'a>]>>
where
    'a: 't,
{
    let IgnoreChanges::Of(paths) = ignored else { return Some(Vec::new()) };
    let starts = |path: &&Traversal<'_>| match path.steps().first().map(|step| step.kind) {
        Some(StepKind::Root(first) | StepKind::Attribute(first)) => first == name,
        _ => false,
    };
    let own: Vec<_> = paths.iter().filter(starts).map(|path| &path.steps()[1..]).collect();
    match own.iter().any(|path| path.is_empty()) {
        _ if own.is_empty() => None,
        true => Some(Vec::new()),
        false => Some(own),
    }
}

/// Returns a value with the parts at some paths as recorded; `None` if that is not known. A key that
/// only one of the two maps has is added or removed. As in the tools, a key of an object stands for
/// the whole object. Without a schema, an object may be a map.
///
/// Cost: linear in the value and the recorded one, for each path.
pub(super) fn kept<'v, 'a: 'v>(
    arena: &'v Arena,
    value: Value<'v>,
    recorded: Option<Value<'v>>,
    paths: &[&[Step<'a>]],
    has_schema: bool,
) -> Option<Value<'v>> {
    let mut value = value;
    for path in paths {
        value = replaced(arena, value, recorded, path, has_schema)??;
    }
    Some(value)
}

/// The values that a plan gives to instances that ignore changes.
pub(crate) trait Planned<'a> {
    /// Returns the planned attributes of an instance at an address, of which the configuration gives
    /// `value`; `None` if they are the same.
    fn planned<'v>(
        &self,
        arena: &'v Arena,
        instance: (&str, &Resource<'a>),
        value: Value<'v>,
        has_schema: bool,
    ) -> Option<Value<'v>>
    where
        'a: 'v;
}

/// The changes that a resource ignores.
pub(crate) fn ignored_by<'a>(resource: &Resource<'a>) -> IgnoreChanges<'a> {
    resource.lifecycle().map_or(IgnoreChanges::Of(&[]), |it| it.ignore_changes)
}

/// Whether a resource ignores changes.
pub(super) fn ignores(resource: &Resource<'_>) -> bool {
    !matches!(ignored_by(resource), IgnoreChanges::Of([]))
}

/// Returns the attributes of an instance with those whose changes are ignored as another version has them. Where
/// that is not known, they stay.
///
/// Cost: that of [`kept`] for each attribute, and copying what is kept.
pub(crate) fn with_ignored<'v, 'a: 'v>(
    arena: &'v Arena,
    ignored: IgnoreChanges<'a>,
    (before, after): (Value<'_>, Value<'v>),
    has_schema: bool,
) -> Value<'v> {
    let (Some(old), Some(new)) = (before.as_entries(), after.as_entries()) else { return after };
    let mut entries = Vec::with_capacity(new.len());
    for &(name, value) in new {
        let old = || before.get(name).map(|old| old.copy_to(arena));
        match part(ignored, name) {
            None => entries.push((name, value)),
            Some(paths) if paths.is_empty() => {
                entries.extend(old().map(|old| (name, old)));
            }
            Some(paths) => {
                let kept = kept(arena, value, old(), &paths, has_schema);
                entries.push((name, kept.unwrap_or(value)));
            }
        }
    }
    let is_gone = |name: &str| {
        after.get(name).is_none() && part(ignored, name).is_some_and(|paths| paths.is_empty())
    };
    let gone = old.iter().filter(|(name, _)| is_gone(name));
    entries.extend(gone.map(|(name, old)| (arena.str(name), old.copy_to(arena))));
    Value::object(arena, &entries)
}

/// A container on the way to the part that is replaced.
enum Outer<'v> {
    Entry(Value<'v>, &'v str),
    Element(Value<'v>, usize),
}

/// Returns a value with one part as recorded: `Some(None)` if the recorded value has no such part at
/// all, `None` if it is not known.
fn replaced<'v, 'a: 'v>(
    arena: &'v Arena,
    value: Value<'v>,
    recorded: Option<Value<'v>>,
    path: &[Step<'a>],
    has_schema: bool,
) -> Option<Option<Value<'v>>> {
    let mut outer: Vec<Outer<'v>> = Vec::new();
    let (mut inner, mut old) = (Some(value), recorded);
    for (at, step) in path.iter().enumerate() {
        // Neither has the part, or has it under another type: nothing changes.
        let Some(container) = inner else { return Some(Some(value)) };
        if !container.is_known() || old.is_some_and(|old| !old.is_known()) {
            return None;
        }
        let is_of_object = matches!(container.ty(), Type::Object(_))
            && matches!(step.kind, StepKind::Index(Key::String(_)));
        match step.kind {
            _ if is_of_object && !has_schema => return None,
            _ if is_of_object && at + 1 == path.len() => break,
            _ if is_of_object => return Some(Some(value)),
            StepKind::Attribute(name) | StepKind::Index(Key::String(name)) => {
                let Some(entries) = container.as_entries() else { return Some(Some(value)) };
                inner = entries.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
                old = old.and_then(|old| old.get(name));
                outer.push(Outer::Entry(container, name));
            }
            StepKind::Index(Key::Number(digits)) => {
                let place: Option<usize> = digits.parse().ok();
                let elements =
                    container.as_elements().filter(|_| !matches!(container.ty(), Type::Set(_)));
                let (Some(place), Some(elements)) = (place, elements) else {
                    return Some(Some(value));
                };
                let old_elements = old.and_then(|old| old.as_elements());
                let pair = (elements.get(place), old_elements.and_then(|it| it.get(place)));
                // Elements are neither added nor removed.
                let (Some(element), Some(recorded)) = pair else { return Some(Some(value)) };
                (inner, old) = (Some(*element), Some(*recorded));
                outer.push(Outer::Element(container, place));
            }
            _ => return Some(Some(value)),
        }
    }
    let mut part = match (inner, old) {
        (Some(new), Some(old)) => {
            let (new, marks) = new.unmark();
            Some(convert(arena, old, new.ty()).ok()?.with_marks(marks))
        }
        (_, old) => old,
    };
    while let Some(container) = outer.pop() {
        part = Some(match container {
            Outer::Entry(container, name) => {
                let is_object = matches!(container.ty(), Type::Object(_));
                // Attributes of objects are there in any case.
                let Some(part) = part.or(is_object.then(|| container.get(name)).flatten()) else {
                    let entries = container.entries().iter().copied();
                    let rest: Vec<_> = entries.filter(|(key, _)| *key != name).collect();
                    part = Some(of_entries(arena, container, &rest)?);
                    continue;
                };
                let mut entries = container.entries().to_vec();
                match entries.iter_mut().find(|(key, _)| *key == name) {
                    Some(entry) => entry.1 = part,
                    None if is_object => {}
                    None => entries.push((name, part)),
                }
                of_entries(arena, container, &entries)?
            }
            Outer::Element(container, place) => {
                let mut elements = container.elements().to_vec();
                if let (Some(element), Some(part)) = (elements.get_mut(place), part) {
                    *element = part;
                }
                let tuple = Value::tuple(arena, &elements);
                let list = match container.ty() {
                    Type::Tuple(_) => tuple,
                    ty => convert(arena, tuple, ty).ok()?,
                };
                list.with_marks(container.marks())
            }
        });
    }
    Some(part)
}

/// Returns a map or an object like another one, with other entries.
fn of_entries<'v>(
    arena: &'v Arena,
    like: Value<'v>,
    entries: &[(&'v str, Value<'v>)],
) -> Option<Value<'v>> {
    let object = Value::object(arena, entries);
    let value = match like.ty() {
        Type::Object(_) => object,
        ty => convert(arena, object, ty).ok()?,
    };
    Some(value.with_marks(like.marks()))
}
