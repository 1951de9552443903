//! The types and sensitive parts of a value, by its schema.
//!
//! Values in plan files do not have all of their types: a number that neither `i64` nor `f64` can
//! hold is written as text, and an unknown value has no type. A [`Cursor`] moves down together with
//! a value, and has the schema and the types of the current place.

use std::hash::RandomState;
use std::sync::{PoisonError, RwLock};

use hashbrown::HashMap;

use crate::arena::Arena;
use crate::show::{BlockType, BodySchemas, Map, NestedType, NestingMode, ResourceMode};
use crate::show::{SchemaAttribute, SchemaBlock, SchemaKind};
use crate::value::{Type, type_from_node};

/// The maximal depth to which schemas are followed.
const MAX_DEPTH: usize = 100;

/// The shape of a value by its schema.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape<'a> {
    /// Not known: there is no schema.
    Unknown,
    /// The type of the value.
    Type(Type<'a>),
    /// An object with these attributes, sorted by name.
    Object(&'a [Member<'a>]),
    /// A list of such objects.
    List(&'a [Member<'a>]),
    /// A set of such objects.
    Set(&'a [Member<'a>]),
    /// A map of such objects.
    Map(&'a [Member<'a>]),
}

/// An attribute or a nested block of a schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member<'a> {
    name: &'a str,
    shape: Shape<'a>,
    is_sensitive: bool,
}

/// The kind of an unknown value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A primitive, or not known.
    Primitive,
    /// A list, set or tuple.
    Sequence,
    /// A map or object.
    Mapping,
}

/// Whether some of the members, at any depth, may have any type. Recurses as deep as schemas nest.
fn allows_any(members: &[Member<'_>]) -> bool {
    members.iter().any(|member| match member.shape {
        Shape::Unknown => false,
        Shape::Type(ty) => ty.has_dynamic(),
        Shape::Object(members)
        | Shape::List(members)
        | Shape::Set(members)
        | Shape::Map(members) => allows_any(members),
    })
}

/// The shape and type of one place in a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    shape: Shape<'a>,
    /// The type that is stored with the value, if the schema allows any type.
    stored: Option<Type<'a>>,
    /// Whether the schema says that the value is sensitive.
    pub(super) is_sensitive: bool,
}

impl<'a> Cursor<'a> {
    pub(super) const UNKNOWN: Self =
        Self { shape: Shape::Unknown, stored: None, is_sensitive: false };

    /// A value that is stored with its type.
    pub(super) const DYNAMIC: Self = Self::of(Shape::Type(Type::Dynamic));

    pub(super) const fn of(shape: Shape<'a>) -> Self {
        Self { shape, stored: None, is_sensitive: false }
    }

    /// The same place, with the type that is stored with the value.
    pub(super) fn with_stored_type(self, ty: Type<'a>) -> Self {
        Self { stored: Some(ty), ..self }
    }

    /// The type, if it is known; [`Type::Dynamic`] if it is stored with the value.
    pub(super) fn ty(self) -> Option<Type<'a>> {
        match (self.stored, self.shape) {
            (Some(ty), _) | (None, Shape::Type(ty)) => Some(ty),
            _ => None,
        }
    }

    /// Whether neither shape nor type is known.
    pub(super) fn is_unknown(self) -> bool {
        self.stored.is_none() && matches!(self.shape, Shape::Unknown)
    }

    /// Whether the value here is stored with its type: the schema allows any type, here or in
    /// nested blocks.
    pub(super) fn stores_type(self) -> bool {
        match (self.ty(), self.shape) {
            (Some(ty), _) => ty.is_dynamic(),
            (None, Shape::List(members) | Shape::Map(members)) => allows_any(members),
            _ => false,
        }
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self.ty(), Some(Type::Number))
    }

    pub(super) fn is_set(self) -> bool {
        match self.ty() {
            Some(ty) => matches!(ty, Type::Set(_)),
            None => matches!(self.shape, Shape::Set(_)),
        }
    }

    pub(super) fn kind(self) -> Kind {
        match (self.ty(), self.shape) {
            (Some(Type::List(_) | Type::Set(_) | Type::Tuple(_)), _) => Kind::Sequence,
            (Some(Type::Map(_) | Type::Object(_)), _) => Kind::Mapping,
            (None, Shape::List(_) | Shape::Set(_)) => Kind::Sequence,
            (None, Shape::Object(_) | Shape::Map(_)) => Kind::Mapping,
            _ => Kind::Primitive,
        }
    }

    /// The place of an attribute or of a value of a map.
    pub(super) fn member(self, name: &str) -> Self {
        let stored = self.stored.map(|ty| match ty {
            Type::Map(element) => element.ty(),
            _ => ty.attribute(name).map_or(Type::Dynamic, |attribute| attribute.ty),
        });
        match self.shape {
            Shape::Object(members) => {
                let found = members.binary_search_by(|member| member.name.cmp(name));
                match found.ok().and_then(|place| members.get(place)) {
                    Some(member) => {
                        Self { shape: member.shape, stored, is_sensitive: member.is_sensitive }
                    }
                    None => Self { stored, ..Self::UNKNOWN },
                }
            }
            Shape::Map(members) => Self { shape: Shape::Object(members), stored, ..Self::UNKNOWN },
            Shape::Type(Type::Map(element)) => {
                Self { stored, ..Self::of(Shape::Type(element.ty())) }
            }
            Shape::Type(ty) => match ty.attribute(name) {
                Some(attribute) => Self { stored, ..Self::of(Shape::Type(attribute.ty)) },
                None => Self { stored, ..Self::UNKNOWN },
            },
            _ => Self { stored, ..Self::UNKNOWN },
        }
    }

    /// The place of an element.
    pub(super) fn element(self, place: usize) -> Self {
        let element = |ty: Type<'a>| match ty {
            Type::List(element) | Type::Set(element) => Some(element.ty()),
            Type::Tuple(elements) => elements.get(place).copied(),
            _ => None,
        };
        let stored = self.stored.map(|ty| element(ty).unwrap_or(Type::Dynamic));
        let shape = match self.shape {
            Shape::List(members) | Shape::Set(members) => Shape::Object(members),
            Shape::Type(ty) => element(ty).map_or(Shape::Unknown, Shape::Type),
            _ => Shape::Unknown,
        };
        Self { shape, stored, is_sensitive: false }
    }
}

/// A cache of the shapes of types of some providers.
#[derive(Debug)]
pub(super) struct Shapes<'s, 'a> {
    arena: &'a Arena,
    schemas: Option<&'s BodySchemas<'a>>,
    built_in: BodySchemas<'a>,
    known: RwLock<HashMap<TypeName, Option<TypeShape<'a>>, RandomState>>,
}

/// A type: its provider, kind and name.
#[derive(Debug, PartialEq, Eq, Hash)]
struct TypeName {
    provider: Box<str>,
    kind: SchemaKind,
    name: Box<str>,
}

/// A borrowed type key with the same hash.
#[derive(Hash)]
struct BorrowedName<'n> {
    provider: &'n str,
    kind: SchemaKind,
    name: &'n str,
}

impl hashbrown::Equivalent<TypeName> for BorrowedName<'_> {
    fn equivalent(&self, other: &TypeName) -> bool {
        (self.provider, self.kind, self.name) == (&*other.provider, other.kind, &*other.name)
    }
}

/// The schema of a resource type.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeShape<'a> {
    pub(super) version: u64,
    pub(super) shape: Shape<'a>,
}

impl<'s, 'a> Shapes<'s, 'a> {
    pub(super) fn new(arena: &'a Arena, schemas: Option<&'s BodySchemas<'a>>) -> Self {
        let built_in = BodySchemas::built_in(arena);
        Self { arena, schemas, built_in, known: RwLock::default() }
    }

    /// The shape of a type; `None` without a schema.
    pub(super) fn find(
        &self,
        provider: &str,
        kind: SchemaKind,
        name: &str,
    ) -> Option<TypeShape<'a>> {
        let key = BorrowedName { provider, kind, name };
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = known.get(&key) {
            return known;
        }
        drop(known);
        let shape = self.make(provider, kind, name);
        let (provider, name) = (provider.into(), name.into());
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(TypeName { provider, kind, name }, shape);
        shape
    }

    fn make(&self, provider: &str, kind: SchemaKind, name: &str) -> Option<TypeShape<'a>> {
        let given = self.schemas.and_then(|schemas| schemas.find(provider, kind, name));
        let schema = given.or_else(|| self.built_in.find(provider, kind, name))?;
        let block = schema.block().value()?;
        let members = members_of_block(self.arena, block, MAX_DEPTH);
        let version = schema.version().value().unwrap_or_default();
        Some(TypeShape { version, shape: Shape::Object(members) })
    }

    /// The version of the identity schema of a resource type.
    pub(super) fn identity_version(&self, provider: &str, name: &str) -> Option<u64> {
        let provider = self.schemas?.provider(provider)?;
        provider.resource_identity_schemas().value()?.get(name).value()?.version().value()
    }
}

/// The kind of schema for resources of a mode.
pub(super) fn schema_kind(mode: ResourceMode<'_>) -> SchemaKind {
    match mode {
        ResourceMode::Data => SchemaKind::DataSource,
        ResourceMode::Ephemeral => SchemaKind::Ephemeral,
        _ => SchemaKind::Resource,
    }
}

fn members_of_block<'a>(
    arena: &'a Arena,
    block: SchemaBlock<'a>,
    depth: usize,
) -> &'a [Member<'a>] {
    let Some(depth) = depth.checked_sub(1) else { return &[] };
    let attributes = block.attributes().value().into_iter().flat_map(Map::iter);
    let blocks = block.block_types().value().into_iter().flat_map(Map::iter);
    let attributes = attributes.map(|(name, attribute)| member(arena, name, attribute, depth));
    let blocks = blocks.map(|(name, block)| Member {
        name,
        shape: shape_of_blocks(arena, block, depth),
        is_sensitive: false,
    });
    sorted(arena, attributes.chain(blocks).collect())
}

fn sorted<'a>(arena: &'a Arena, mut members: Vec<Member<'a>>) -> &'a [Member<'a>] {
    members.sort_by_key(|member| member.name);
    arena.bump().alloc_slice_copy(&members)
}

fn nested<'a>(mode: Option<NestingMode<'_>>, members: &'a [Member<'a>]) -> Shape<'a> {
    match mode {
        Some(NestingMode::List) => Shape::List(members),
        Some(NestingMode::Set) => Shape::Set(members),
        Some(NestingMode::Map) => Shape::Map(members),
        Some(NestingMode::Single | NestingMode::Group) => Shape::Object(members),
        _ => Shape::Unknown,
    }
}

fn shape_of_blocks<'a>(arena: &'a Arena, block: BlockType<'a>, depth: usize) -> Shape<'a> {
    let body = block.block().value();
    let members = body.map_or(&[][..], |body| members_of_block(arena, body, depth));
    nested(block.nesting_mode().value(), members)
}

fn member<'a>(
    arena: &'a Arena,
    name: &'a str,
    attribute: SchemaAttribute<'a>,
    depth: usize,
) -> Member<'a> {
    let shape = match attribute.nested_type().value() {
        Some(nested) => shape_of_nested(arena, nested, depth),
        None => {
            let ty = attribute.value_type().value();
            let ty = ty.and_then(|ty| type_from_node(arena, ty.node()).ok());
            ty.map_or(Shape::Unknown, Shape::Type)
        }
    };
    Member { name, shape, is_sensitive: attribute.sensitive().value() == Some(true) }
}

/// Recurses at most `depth` levels.
fn shape_of_nested<'a>(arena: &'a Arena, of: NestedType<'a>, depth: usize) -> Shape<'a> {
    let Some(depth) = depth.checked_sub(1) else { return Shape::Unknown };
    let attributes = of.attributes().value().into_iter().flat_map(Map::iter);
    let members = attributes.map(|(name, attribute)| member(arena, name, attribute, depth));
    nested(of.nesting_mode().value(), sorted(arena, members.collect()))
}
