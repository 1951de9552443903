//! Copies of values in another arena.

use super::number::Number;
use super::types::{Id, fold};
use super::{AttributeType, Content, ElementType, Type, Value};
use crate::arena::Arena;
use crate::hash::HashMap;

/// The address and the length of a value's parts.
type Place = (usize, usize);

/// The parts of values that have been copied, so that shared parts stay shared.
#[derive(Default)]
struct Copied<'b> {
    elements: HashMap<Place, &'b [Value<'b>]>,
    entries: HashMap<Place, &'b [(&'b str, Value<'b>)]>,
    types: HashMap<Id, Type<'b>>,
}

impl<'a> Value<'a> {
    /// Returns a copy that only refers to `arena`. Shared parts stay shared.
    ///
    /// Cost: linear in the distinct parts.
    #[must_use]
    pub fn copy_to<'b>(self, arena: &'b Arena) -> Value<'b> {
        /// A container whose parts are being copied.
        struct Open<'a, 'b> {
            value: Value<'a>,
            done: Vec<Value<'b>>,
        }
        let mut copied = Copied::default();
        let mut open: Vec<Open<'a, 'b>> = Vec::new();
        let mut next = self;
        'parts: loop {
            let mut done = match copied.start(arena, next) {
                Some(copy) => copy,
                None => match part(next, 0) {
                    Some(first) => {
                        open.push(Open { value: next, done: Vec::new() });
                        next = first;
                        continue;
                    }
                    None => copied.finish(arena, next, &[]),
                },
            };
            // A finished copy may complete its container, and so on.
            while let Some(mut outer) = open.pop() {
                outer.done.push(done);
                if let Some(part) = part(outer.value, outer.done.len()) {
                    next = part;
                    open.push(outer);
                    continue 'parts;
                }
                done = copied.finish(arena, outer.value, &outer.done);
            }
            return done;
        }
    }

    /// Returns the minimum number of bytes that [`Value::copy_to`] allocates, at most `limit`.
    pub(crate) fn bytes(self, limit: u64) -> u64 {
        let mut seen: HashMap<Place, ()> = HashMap::default();
        let mut bytes = 0;
        let mut rest = vec![self];
        while let Some(value) = rest.pop() {
            bytes += match value.content {
                Content::String(text) => text.len(),
                Content::Number(number) => number.len(),
                Content::Elements(elements) if seen.insert(place(elements), ()).is_none() => {
                    rest.extend(elements);
                    size_of_val(elements)
                }
                Content::Entries(entries) if seen.insert(place(entries), ()).is_none() => {
                    rest.extend(entries.iter().map(|(_, value)| *value));
                    size_of_val(entries)
                }
                _ => 0,
            } as u64;
            if bytes >= limit {
                return limit;
            }
        }
        bytes
    }
}

impl Type<'_> {
    /// Returns a copy that only refers to `arena`. Shared parts stay shared.
    ///
    /// Cost: linear in the distinct parts. Nothing is allocated for primitive types and collections
    /// of them.
    #[must_use]
    pub fn copy_to<'b>(self, arena: &'b Arena) -> Type<'b> {
        let shared = |element: Type<'_>| match element {
            Type::Dynamic => Some(ElementType::DYNAMIC),
            Type::Bool => Some(ElementType::BOOL),
            Type::Number => Some(ElementType::NUMBER),
            Type::String => Some(ElementType::STRING),
            _ => None,
        };
        let simple = match self {
            Self::Dynamic => Some(Type::Dynamic),
            Self::Bool => Some(Type::Bool),
            Self::Number => Some(Type::Number),
            Self::String => Some(Type::String),
            Self::List(element) => shared(element.ty()).map(Type::List),
            Self::Set(element) => shared(element.ty()).map(Type::Set),
            Self::Map(element) => shared(element.ty()).map(Type::Map),
            Self::Object(_) | Self::Tuple(_) => None,
        };
        simple.unwrap_or_else(|| Copied::default().ty(arena, self))
    }
}

fn place<T>(parts: &[T]) -> Place {
    (parts.as_ptr() as usize, parts.len())
}

/// Returns the element, or the value of the entry, at `index`.
fn part(value: Value<'_>, index: usize) -> Option<Value<'_>> {
    match value.content {
        Content::Elements(elements) => elements.get(index).copied(),
        Content::Entries(entries) => entries.get(index).map(|(_, value)| *value),
        _ => None,
    }
}

impl<'b> Copied<'b> {
    /// Returns the copy of a value that has no parts, or whose parts have been copied before.
    fn start(&mut self, arena: &'b Arena, value: Value<'_>) -> Option<Value<'b>> {
        let content = match value.content {
            Content::Unknown { not_null, .. } => match value.known_text() {
                Some(text) => {
                    let start = arena.str(value.known_start());
                    Value::with_known_text(arena, arena.str(text), start).content
                }
                // Without its attributes, which only makes it less known.
                None => Content::Unknown { not_null, known: &[] },
            },
            Content::Null => Content::Null,
            Content::Bool(value) => Content::Bool(value),
            Content::Number(number) => Content::Number(Number::copy_to(number, arena)),
            Content::String(text) => Content::String(arena.str(text)),
            Content::Elements(elements) => {
                Content::Elements(self.elements.get(&place(elements)).copied()?)
            }
            Content::Entries(entries) => {
                Content::Entries(self.entries.get(&place(entries)).copied()?)
            }
        };
        let ty = self.ty(arena, value.ty);
        Some(Value { ty, content, marks: value.marks, inner: value.inner })
    }

    /// Returns the copy of a value whose parts have just been copied.
    fn finish(&mut self, arena: &'b Arena, value: Value<'_>, parts: &[Value<'b>]) -> Value<'b> {
        let bump = arena.bump();
        let content = match value.content {
            Content::Elements(elements) => {
                let copy = &*bump.alloc_slice_copy(parts);
                self.elements.insert(place(elements), copy);
                Content::Elements(copy)
            }
            Content::Entries(entries) => {
                let named = entries.iter().zip(parts);
                let named = named.map(|((name, _), value)| (arena.str(name), *value));
                let copy = &*bump.alloc_slice_fill_iter(named);
                self.entries.insert(place(entries), copy);
                Content::Entries(copy)
            }
            _ => Content::Null,
        };
        let ty = self.ty(arena, value.ty);
        Value { ty, content, marks: value.marks, inner: value.inner }
    }

    fn ty(&mut self, arena: &'b Arena, ty: Type<'_>) -> Type<'b> {
        if let Some(known) = self.types.get(&ty.id()) {
            return *known;
        }
        fold(ty, &mut self.types, |ty, parts: &[Type<'b>]| {
            let first = || parts.first().copied().unwrap_or(Type::Dynamic);
            match ty {
                Type::Dynamic => Type::Dynamic,
                Type::Bool => Type::Bool,
                Type::Number => Type::Number,
                Type::String => Type::String,
                Type::List(_) => Type::list_of(arena, first()),
                Type::Set(_) => Type::set_of(arena, first()),
                Type::Map(_) => Type::map_of(arena, first()),
                Type::Tuple(_) => Type::tuple_of(arena, parts),
                Type::Object(attributes) => {
                    let named = attributes.iter().zip(parts).map(|(each, &ty)| AttributeType {
                        name: arena.str(each.name),
                        ty,
                        optional: each.optional,
                    });
                    Type::object_of(arena, &named.collect::<Vec<_>>())
                }
            }
        })
    }
}
