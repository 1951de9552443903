//! Types.

use std::fmt;

use crate::arena::Arena;

/// A type of the HCL type system.
#[derive(Clone, Copy)]
pub enum Type<'a> {
    /// Any type: of `null` without a type, and of values whose type is not known yet.
    Dynamic,
    /// `bool`.
    Bool,
    /// `number`.
    Number,
    /// `string`.
    String,
    /// `list(…)`: elements of one type, in order.
    List(&'a Type<'a>),
    /// `set(…)`: distinct elements of one type.
    Set(&'a Type<'a>),
    /// `map(…)`: values of one type, by name.
    Map(&'a Type<'a>),
    /// `object({…})`: a type for each name, sorted by name.
    Object(&'a [AttributeType<'a>]),
    /// `tuple([…])`: a type for each element.
    Tuple(&'a [Type<'a>]),
}

/// An attribute of an object type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttributeType<'a> {
    /// Its name, in normal form C.
    pub name: &'a str,
    /// Its type.
    pub ty: Type<'a>,
    /// Whether a value may lack it when it is converted to the type. Only in type constraints.
    pub optional: bool,
}

impl<'a> Type<'a> {
    /// `bool`, `number` or `string`.
    #[must_use]
    pub const fn is_primitive(self) -> bool {
        matches!(self, Self::Bool | Self::Number | Self::String)
    }

    /// A list, set or map.
    #[must_use]
    pub const fn is_collection(self) -> bool {
        matches!(self, Self::List(_) | Self::Set(_) | Self::Map(_))
    }

    /// Whether it is the dynamic type.
    #[must_use]
    pub const fn is_dynamic(self) -> bool {
        matches!(self, Self::Dynamic)
    }

    /// The element type of a collection.
    #[must_use]
    pub const fn element(self) -> Option<Self> {
        match self {
            Self::List(element) | Self::Set(element) | Self::Map(element) => Some(*element),
            _ => None,
        }
    }

    /// The type of an attribute of an object.
    #[must_use]
    pub fn attribute(self, name: &str) -> Option<AttributeType<'a>> {
        let Self::Object(attributes) = self else { return None };
        let found = attributes.binary_search_by(|known| known.name.cmp(name)).ok()?;
        attributes.get(found).copied()
    }

    /// Whether the dynamic type is anywhere in it.
    #[must_use]
    pub fn has_dynamic(self) -> bool {
        let mut found = false;
        self.visit(|ty| found |= ty.is_dynamic());
        found
    }

    /// Visits the type and everything in it.
    fn visit(self, mut visit: impl FnMut(Self)) {
        let mut rest = vec![self];
        while let Some(ty) = rest.pop() {
            visit(ty);
            match ty {
                Self::List(element) | Self::Set(element) | Self::Map(element) => {
                    rest.push(*element);
                }
                Self::Object(attributes) => rest.extend(attributes.iter().map(|each| each.ty)),
                Self::Tuple(elements) => rest.extend(elements),
                _ => {}
            }
        }
    }

    /// How many types are nested at most, itself included.
    pub(super) fn depth(self) -> usize {
        let mut deepest = 0;
        let mut rest = vec![(self, 1)];
        while let Some((ty, depth)) = rest.pop() {
            deepest = deepest.max(depth);
            match ty {
                Self::List(element) | Self::Set(element) | Self::Map(element) => {
                    rest.push((*element, depth + 1));
                }
                Self::Object(attributes) => {
                    rest.extend(attributes.iter().map(|each| (each.ty, depth + 1)));
                }
                Self::Tuple(elements) => rest.extend(elements.iter().map(|ty| (*ty, depth + 1))),
                _ => {}
            }
        }
        deepest
    }

    /// The type with no attribute optional, at any depth.
    #[must_use]
    pub fn without_optional_attributes(self, arena: &'a Arena) -> Self {
        let mut has_optional = false;
        self.visit(|ty| {
            if let Self::Object(attributes) = ty {
                has_optional |= attributes.iter().any(|each| each.optional);
            }
        });
        if has_optional && self.depth() <= super::MAX_DEPTH { self.strict(arena) } else { self }
    }

    /// Recurses as deep as the type, which is bounded.
    fn strict(self, arena: &'a Arena) -> Self {
        let bump = arena.bump();
        match self {
            Self::List(element) => Self::List(bump.alloc(element.strict(arena))),
            Self::Set(element) => Self::Set(bump.alloc(element.strict(arena))),
            Self::Map(element) => Self::Map(bump.alloc(element.strict(arena))),
            Self::Object(attributes) => {
                let strict = attributes.iter().map(|each| AttributeType {
                    ty: each.ty.strict(arena),
                    optional: false,
                    ..*each
                });
                Self::Object(bump.alloc_slice_fill_iter(strict.collect::<Vec<_>>()))
            }
            Self::Tuple(elements) => {
                let strict = elements.iter().map(|element| element.strict(arena));
                Self::Tuple(bump.alloc_slice_fill_iter(strict.collect::<Vec<_>>()))
            }
            _ => self,
        }
    }

    /// What messages call it: `list of string`.
    #[must_use]
    pub fn friendly_name(self) -> std::borrow::Cow<'static, str> {
        self.to_string().into()
    }
}

impl PartialEq for Type<'_> {
    /// Compares as deep as the types, without recursion.
    fn eq(&self, other: &Self) -> bool {
        let mut rest = vec![(*self, *other)];
        while let Some(pair) = rest.pop() {
            match pair {
                (Type::Dynamic, Type::Dynamic)
                | (Type::Bool, Type::Bool)
                | (Type::Number, Type::Number)
                | (Type::String, Type::String) => {}
                (Type::List(one), Type::List(other))
                | (Type::Set(one), Type::Set(other))
                | (Type::Map(one), Type::Map(other)) => {
                    if !std::ptr::eq(one, other) {
                        rest.push((*one, *other));
                    }
                }
                (Type::Object(one), Type::Object(other)) if one.len() == other.len() => {
                    if std::ptr::eq(one, other) {
                        continue;
                    }
                    for (one, other) in one.iter().zip(other) {
                        if one.name != other.name || one.optional != other.optional {
                            return false;
                        }
                        rest.push((one.ty, other.ty));
                    }
                }
                (Type::Tuple(one), Type::Tuple(other)) if one.len() == other.len() => {
                    if !std::ptr::eq(one, other) {
                        rest.extend(one.iter().copied().zip(other.iter().copied()));
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

impl Eq for Type<'_> {}

impl fmt::Display for Type<'_> {
    /// The reference's friendly names: `list of string`, `object`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ty = *self;
        loop {
            let (name, element) = match ty {
                Self::Dynamic => return f.write_str("dynamic"),
                Self::Bool => return f.write_str("bool"),
                Self::Number => return f.write_str("number"),
                Self::String => return f.write_str("string"),
                Self::Object(_) => return f.write_str("object"),
                Self::Tuple(_) => return f.write_str("tuple"),
                Self::List(element) => ("list of ", element),
                Self::Set(element) => ("set of ", element),
                Self::Map(element) => ("map of ", element),
            };
            f.write_str(name)?;
            ty = *element;
        }
    }
}

impl fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
