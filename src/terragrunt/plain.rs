//! Values as Terragrunt passes them on: through JSON, which has neither sets nor maps.

use crate::arena::Arena;
use crate::hash::HashMap;
use crate::value::{Content, Marks, Type, Value};

/// A container whose parts are being copied.
struct Open<'v> {
    value: Value<'v>,
    done: Vec<Value<'v>>,
}

impl<'v> Open<'v> {
    fn next(&self) -> Option<Value<'v>> {
        match self.value.content() {
            Content::Elements(elements) => elements.get(self.done.len()).copied(),
            Content::Entries(entries) => entries.get(self.done.len()).map(|(_, value)| *value),
            _ => None,
        }
    }

    /// The container with the copied parts.
    fn close(self, arena: &'v Arena) -> Value<'v> {
        let copy = match self.value.content() {
            Content::Elements(_) => Value::tuple(arena, &self.done),
            Content::Entries(entries) => {
                let named = entries.iter().map(|(name, _)| *name).zip(self.done);
                Value::object(arena, &named.collect::<Vec<_>>())
            }
            _ => return self.value,
        };
        copy.with_marks(self.value.marks())
    }
}

/// Returns a value with tuples for lists and sets, and objects for maps.
///
/// Cost: linear in the value. A value that has none of them is returned as it is.
pub(super) fn plain<'v>(arena: &'v Arena, value: Value<'v>) -> Value<'v> {
    if is_plain(value) {
        return value;
    }
    rebuild(arena, value, |_| None)
}

/// Whether a value and all its parts have the form of JSON.
fn is_plain(value: Value<'_>) -> bool {
    let mut is_plain = true;
    value.visit_distinct(|part| {
        let is_collection = matches!(part.ty(), Type::List(_) | Type::Set(_) | Type::Map(_));
        is_plain &= !is_collection || !part.is_known() || part.is_null();
    });
    is_plain
}

/// Returns a copy of tuples and objects, in which `replace` has replaced parts. Shared parts are copied
/// once.
pub(super) fn rebuild<'v>(
    arena: &'v Arena,
    value: Value<'v>,
    replace: impl Fn(Value<'v>) -> Option<Value<'v>>,
) -> Value<'v> {
    let mut open: Vec<Open<'v>> = Vec::new();
    let mut copies: HashMap<(usize, usize), Value<'v>> = HashMap::default();
    let mut next = value;
    loop {
        let known = || copies.get(&next.place()?).map(|copy| copy.with_marks(next.marks()));
        let mut done = match (replace(next), next.content()) {
            (Some(instead), _) => instead,
            (None, Content::Elements(_) | Content::Entries(_)) if known().is_none() => {
                let container = Open { value: next, done: Vec::new() };
                match container.next() {
                    Some(first) => {
                        open.push(container);
                        next = first;
                        continue;
                    }
                    None => container.close(arena),
                }
            }
            _ => known().unwrap_or(next),
        };
        next = loop {
            let Some(outer) = open.last_mut() else { return done };
            outer.done.push(done);
            if let Some(part) = outer.next() {
                break part;
            }
            let Some(outer) = open.pop() else { return done };
            let place = outer.value.place();
            done = outer.close(arena);
            copies.extend(place.map(|place| (place, done.unmark().0)));
        };
    }
}

/// The most bytes of the paths of parts that are not known.
const MOST_PATHS: usize = 1 << 20;

/// Adds the paths of the deepest parts of a value that are not known; if these are too long together,
/// the path of the whole value. Of a value that is not shown, its own path.
pub(super) fn unknown_paths(
    name: &str,
    value: Value<'_>,
    shows: &dyn Fn(Marks) -> bool,
    paths: &mut Vec<String>,
) {
    if value.is_wholly_known() {
        return;
    }
    let (before, mut bytes) = (paths.len(), 0);
    let mut open = vec![(name.to_owned(), value)];
    while let Some((path, value)) = open.pop() {
        bytes += path.len();
        if bytes > MOST_PATHS {
            paths.truncate(before);
            paths.push(name.to_owned());
            break;
        }
        match value.content() {
            _ if !shows(value.marks()) => paths.push(path),
            Content::Unknown { .. } => paths.push(path),
            Content::Elements(elements) => {
                let parts = elements.iter().enumerate().filter(|(_, it)| !it.is_wholly_known());
                open.extend(parts.map(|(at, part)| (format!("{path}[{at}]"), *part)));
            }
            Content::Entries(entries) => {
                let parts = entries.iter().filter(|(_, it)| !it.is_wholly_known());
                open.extend(parts.map(|(name, part)| (format!("{path}.{name}"), *part)));
            }
            _ => {}
        }
    }
    paths.sort();
}

/// Returns the entries of both objects; of two with the same name, that of `over`. A value that is
/// not an object makes all unknown.
pub(super) fn merged<'v>(arena: &'v Arena, under: Value<'v>, over: Value<'v>) -> Value<'v> {
    match (under.content(), over.content()) {
        (Content::Null, _) => over,
        (_, Content::Null) => under,
        (Content::Entries(one), Content::Entries(other)) => {
            let all: Vec<_> = one.iter().chain(other).copied().collect();
            Value::object(arena, &all).with_marks(under.marks().with(over.marks()))
        }
        _ => Value::dynamic(),
    }
}

/// The reason why two values cannot be merged.
#[derive(Debug)]
pub(super) struct Unmergeable;

/// Returns both objects merged at every level: lists are joined, and of other parts those of `over`
/// count.
///
/// # Errors
/// A list would be joined to something else.
pub(super) fn deeply_merged<'v>(
    arena: &'v Arena,
    under: Value<'v>,
    over: Value<'v>,
) -> Result<Value<'v>, Unmergeable> {
    /// A pair of objects whose entries are being merged.
    struct Pair<'v> {
        entries: Vec<(&'v str, Value<'v>)>,
        /// Entries that both have, the next one last.
        both: Vec<(&'v str, Value<'v>, Value<'v>)>,
        name: &'v str,
        marks: Marks,
    }
    fn split<'v>(name: &'v str, under: Value<'v>, over: Value<'v>) -> Pair<'v> {
        let names: HashMap<&str, Value<'v>> = under.entries().iter().copied().collect();
        let mut pair = Pair {
            entries: Vec::new(),
            both: Vec::new(),
            name,
            marks: under.marks().with(over.marks()),
        };
        let mut shared: HashMap<&str, ()> = HashMap::default();
        for &(name, value) in over.entries() {
            match names.get(name) {
                Some(&known) => {
                    shared.insert(name, ());
                    pair.both.push((name, known, value));
                }
                None => pair.entries.push((name, value)),
            }
        }
        let rest = under.entries().iter().filter(|(name, _)| !shared.contains_key(name));
        pair.entries.extend(rest.copied());
        pair
    }
    let is_object = |value: Value<'v>| matches!(value.content(), Content::Entries(_));
    match (under.content(), over.content()) {
        (Content::Null, _) => return Ok(over),
        (_, Content::Null) => return Ok(under),
        _ if is_object(under) && is_object(over) => {}
        _ => return Ok(Value::dynamic()),
    }
    let mut open = vec![split("", under, over)];
    loop {
        let Some(top) = open.last_mut() else { return Ok(over) };
        let Some((name, under, over)) = top.both.pop() else {
            let Some(done) = open.pop() else { return Ok(over) };
            let value = Value::object(arena, &done.entries).with_marks(done.marks);
            match open.last_mut() {
                Some(outer) => outer.entries.push((done.name, value)),
                None => return Ok(value),
            }
            continue;
        };
        let value = match (under.content(), over.content()) {
            (Content::Entries(_), Content::Entries(_)) => {
                open.push(split(name, under, over));
                continue;
            }
            (Content::Null, Content::Elements(_)) => over,
            (Content::Elements(one), Content::Elements(other)) => {
                let all: Vec<_> = one.iter().chain(other).copied().collect();
                Value::tuple(arena, &all)
            }
            (Content::Unknown { .. }, Content::Elements(_) | Content::Entries(_)) => {
                Value::dynamic()
            }
            (_, Content::Elements(_)) => return Err(Unmergeable),
            _ => over,
        };
        top.entries.push((name, value));
    }
}
