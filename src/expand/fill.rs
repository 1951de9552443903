//! Fills in the values that a state has recorded: those of data sources, and those that only
//! providers know.
//!
//! The recorded values of an instance take the place of unknown ones if everything that is known
//! about it is as recorded, and all of its configuration is known. If the configuration has changed
//! it, the provider may change the rest, so the rest stays unknown. The same holds for instances
//! that are tainted, and for those that are replaced because others change.

use super::evaluation::Evaluation;
use super::ignored::{self, ignored_by, ignores, part};
use super::keys::Key;
use super::resource::push_address;
use crate::arena::Arena;
use crate::module::Resource;
use crate::value::{Type, Value, convert, raw_equals};

/// Parts of values below this depth are not filled in.
const MAX_DEPTH: usize = 100;

/// The maximum number of elements of a set with unknown parts, each of which is compared with all
/// recorded ones.
const MAX_UNKNOWN: usize = 20;

impl<'v, 'a: 'v> Evaluation<'_, '_, 'v, 'a> {
    /// Fills in the values that the state has recorded of an instance with these attributes, or those that
    /// a plan gives it; `None` if there is nothing that fits. Without a schema, attributes that the
    /// configuration does not have are added.
    pub(super) fn with_recorded(
        &self,
        resource: &Resource<'a>,
        key: Key<'v>,
        value: Value<'v>,
        has_schema: bool,
    ) -> Option<Value<'v>> {
        if !self.engine.has_history(resource) {
            return None;
        }
        let mut address = String::new();
        push_address(&mut address, &self.engine.module(self.module), resource);
        key.write(&mut address);
        let Some(state) = self.engine.inputs.state.as_ref() else {
            let planned = self.engine.planned?;
            return planned.planned(self.arena, (&address, resource), value, has_schema);
        };
        let has_unknown = self.has_unknown.take();
        let lifecycle = resource.lifecycle();
        let (ignored, ignores) = (ignored_by(resource), ignores(resource));
        if has_schema && value.is_wholly_known() && !ignores {
            return None;
        }
        let recorded = self.engine.recorded_address(state, &address)?;
        let recorded: Value<'v> = state.attributes(self.engine.inputs.arena, recorded)?;
        let arena = self.arena;
        let unknown = |value: Value<'v>| Value::unknown(value.ty()).with_marks(value.marks());
        // Attributes whose changes are ignored are as recorded, in whole or in part.
        let mut value = value;
        if ignores {
            let entries = value.entries().iter().map(|&(name, value)| match part(ignored, name) {
                None => (name, value),
                Some(paths) if paths.is_empty() => {
                    let recorded = recorded.get(name);
                    let filled = recorded.and_then(|it| fill(arena, unknown(value), it, 0));
                    (name, filled.unwrap_or_else(|| unknown(value)))
                }
                Some(paths) => {
                    let old = recorded.get(name);
                    (
                        name,
                        ignored::kept(arena, value, old, &paths, has_schema)
                            .unwrap_or(unknown(value)),
                    )
                }
            });
            value = Value::object(arena, &entries.collect::<Vec<_>>());
        }
        let is_replaced = lifecycle.is_some_and(|it| !it.replace_triggered_by().is_empty());
        // Without a schema, null is what the provider sets, or the end of what the state has.
        let is_unset = |(name, value): &(&str, Value<'v>)| {
            !value.is_wholly_known() && recorded.get(name).is_some_and(|it| !it.is_null())
        };
        let is_unset = !has_schema && value.entries().iter().any(is_unset);
        let filled = match has_unknown || is_replaced || is_unset {
            true => None,
            false => fill(arena, value, recorded, 0),
        };
        let Some(filled) = filled else {
            return ignores.then_some(value);
        };
        let own = filled.entries().iter().copied();
        let more = recorded.entries().iter().filter(|(name, _)| value.get(name).is_none());
        let more = more.copied().filter(|_| !has_schema);
        Some(Value::object(arena, &own.chain(more).collect::<Vec<_>>()))
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
            return filled_set(arena, value, elements, others, depth);
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

/// Like [`fill`], for the elements of a set. Each belongs to the one recorded element that it may be; if
/// there are several, unknown parts stay unknown.
fn filled_set<'v>(
    arena: &'v Arena,
    value: Value<'v>,
    elements: &[Value<'v>],
    others: &[Value<'v>],
    depth: usize,
) -> Option<Value<'v>> {
    let (plain, marks) = value.unmark();
    let ty = plain.ty();
    if plain.is_wholly_known() {
        let recorded = convert(arena, Value::tuple(arena, others), ty).ok()?;
        let [one, other] = [plain, recorded].map(|it| it.unmark_deep(arena).0);
        return raw_equals(one, other).then(|| value.with_marks(marks));
    }
    if elements.len() != others.len() || elements.len() > MAX_UNKNOWN {
        return Some(value);
    }
    // Sets in sets in sets stay as they are, so that the comparisons are linear.
    let below = depth + MAX_DEPTH / 2;
    let mut filled = Vec::with_capacity(elements.len());
    let mut taken = vec![false; others.len()];
    for &element in elements {
        let mut fitting = others
            .iter()
            .enumerate()
            .filter_map(|(at, &other)| Some((at, fill(arena, element, other, below)?)));
        let (at, first) = fitting.next()?;
        if fitting.next().is_some() || std::mem::replace(&mut taken[at], true) {
            return Some(value);
        }
        filled.push(first);
    }
    Some(convert(arena, Value::tuple(arena, &filled), ty).ok()?.with_marks(marks))
}
