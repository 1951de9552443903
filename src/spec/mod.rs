//! Decodes bodies by a specification, like hashicorp's `hcldec`.
//!
//! A [`Spec`] describes the content of a body and the resulting value. It is read from a file in
//! hcldec's language ([`SpecFile::read`]), or constructed. [`decode()`] returns the value of a body
//! in native syntax or JSON, and reports errors; [`variables()`] lists the references of its
//! expressions, and [`to_json`] writes the value in hcldec's format.
//!
//! `docs/spec.md` specifies the language. In addition to hcldec's specifications, it has
//! `block_tuple`, `block_attrs` (which hcldec documents, but does not read) and `refine`.
//!
//! ```
//! use simd_hcl::spec::{Spec, Output, decode, to_json};
//! use simd_hcl::value::Type;
//! use simd_hcl::{Arena, Diagnostic, ParsedFile, Source};
//!
//! let arena = Arena::new();
//! let disk = Spec::object(&arena, &[("size", Spec::attribute("size", Type::Number).required())]);
//! let spec = Spec::object(
//!     &arena,
//!     &[("name", Spec::attribute("name", Type::String)), ("disks", Spec::block_list(&arena, "disk", disk))],
//! );
//! let text = b"name = \"a\"\ndisk {\n  size = 1 + 1\n}\ndisk {\n}\n";
//! let file = ParsedFile::native(&arena, Source::from_bytes(&arena, "a.hcl", text)?);
//!
//! let mut found: Vec<Diagnostic> = Vec::new();
//! let value = decode(spec, &[file.body()], None, &mut found);
//! assert_eq!(found[0].code().as_str(), "missing-argument");
//! let disks = value.get("disks").unwrap().as_elements().unwrap();
//! assert_eq!(to_json(disks[0], Output::default())?, r#"{"size":2}"#);
//! assert!(disks[1].get("size").unwrap().is_null());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod content;
mod decode;
mod function;
mod output;
mod read;
mod variables;

pub use decode::decode;
pub use output::{Output, to_json, variables_to_json};
pub use read::SpecFile;
pub use variables::variables;

use crate::arena::Arena;
use crate::evaluate::{Functions, Scope};
use crate::expression::Expression;
use crate::value::{AttributeType, Type, Value, sort_attributes};

/// A description of the content of a body and of the resulting value. A `Copy` handle into an
/// arena.
///
/// A constructed specification may nest as deep as the stack allows; [`SpecFile::read`] allows 100
/// levels.
#[derive(Clone, Copy)]
pub struct Spec<'a> {
    kind: Kind<'a>,
    /// The type of the value; dynamic if it depends on the body.
    ty: Type<'a>,
}

#[derive(Clone, Copy)]
enum Kind<'a> {
    Object(&'a [(&'a str, Spec<'a>)]),
    Tuple(&'a [Spec<'a>]),
    Attribute { name: &'a str, required: bool },
    Block { block_type: &'a str, required: bool, nested: &'a Spec<'a> },
    Blocks(Blocks<'a>),
    BlockMap { block_type: &'a str, labels: &'a [&'a str], nested: &'a Spec<'a> },
    BlockAttributes { block_type: &'a str, required: bool, element: Type<'a> },
    Default(&'a [Spec<'a>]),
    Transform(&'a Transform<'a>),
    NotNull(&'a Spec<'a>),
    Literal(Value<'a>),
}

/// All blocks of a type.
#[derive(Clone, Copy)]
struct Blocks<'a> {
    collection: Collection,
    block_type: &'a str,
    /// The minimum number of blocks.
    least: u64,
    /// The maximum number of blocks; 0 for any number.
    most: u64,
    nested: &'a Spec<'a>,
}

/// The collection of the blocks' values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Collection {
    List,
    Tuple,
    Set,
}

/// An expression that computes the value from the value of another specification.
#[derive(Clone, Copy)]
struct Transform<'a> {
    nested: Spec<'a>,
    /// The expression; without it the value is null.
    result: Option<Expression<'a>>,
    functions: &'a dyn Functions,
}

impl<'a> Transform<'a> {
    /// The name of the variable with the nested value.
    const VARIABLE: &'static str = "nested";
}

impl<'a> Spec<'a> {
    /// Returns an object with a value for each name. Of entries with the same name, the last one
    /// counts.
    #[must_use]
    pub fn object(arena: &'a Arena, entries: &[(&'a str, Self)]) -> Self {
        let mut types: Vec<AttributeType<'a>> = Vec::with_capacity(entries.len());
        let mut last: Vec<(&'a str, Self)> = Vec::with_capacity(entries.len());
        // In the given order, which is the order of diagnostics.
        let mut seen = crate::hash::HashSet::default();
        for (name, spec) in entries.iter().rev() {
            if seen.insert(*name) {
                last.push((*name, *spec));
                types.push(AttributeType { name, ty: spec.ty, optional: false });
            }
        }
        last.reverse();
        sort_attributes(&mut types);
        let ty = Type::object_of(arena, &types);
        Self { kind: Kind::Object(arena.bump().alloc_slice_copy(&last)), ty }
    }

    /// Returns a tuple of values.
    #[must_use]
    pub fn tuple(arena: &'a Arena, elements: &[Self]) -> Self {
        let types: Vec<_> = elements.iter().map(|spec| spec.ty).collect();
        let kind = Kind::Tuple(arena.bump().alloc_slice_copy(elements));
        Self { kind, ty: Type::tuple_of(arena, &types) }
    }

    /// Returns the value of an attribute, converted to a type; null if the body does not have it.
    #[must_use]
    pub fn attribute(name: &'a str, ty: Type<'a>) -> Self {
        Self { kind: Kind::Attribute { name, required: false }, ty }
    }

    /// Returns the value of the only block of a type; null without one.
    #[must_use]
    pub fn block(arena: &'a Arena, block_type: &'a str, nested: Self) -> Self {
        let kind = Kind::Block { block_type, required: false, nested: arena.bump().alloc(nested) };
        Self { kind, ty: nested.ty }
    }

    /// Returns a list of the values of all blocks of a type.
    #[must_use]
    pub fn block_list(arena: &'a Arena, block_type: &'a str, nested: Self) -> Self {
        Self::blocks(arena, Collection::List, block_type, nested)
    }

    /// Returns a tuple of the values of all blocks of a type, which may have different types.
    #[must_use]
    pub fn block_tuple(arena: &'a Arena, block_type: &'a str, nested: Self) -> Self {
        Self::blocks(arena, Collection::Tuple, block_type, nested)
    }

    /// Returns a set of the values of all blocks of a type.
    #[must_use]
    pub fn block_set(arena: &'a Arena, block_type: &'a str, nested: Self) -> Self {
        Self::blocks(arena, Collection::Set, block_type, nested)
    }

    fn blocks(arena: &'a Arena, collection: Collection, block_type: &'a str, nested: Self) -> Self {
        let ty = match collection {
            Collection::List => Type::list_of(arena, nested.ty),
            Collection::Set => Type::set_of(arena, nested.ty),
            Collection::Tuple => Type::Dynamic,
        };
        let nested = arena.bump().alloc(nested);
        let blocks = Blocks { collection, block_type, least: 0, most: 0, nested };
        Self { kind: Kind::Blocks(blocks), ty }
    }

    /// Returns a map of the values of all blocks of a type by their labels, with a level for each
    /// label. `labels` are the names of the labels, for diagnostics; without labels it is a list.
    #[must_use]
    pub fn block_map(
        arena: &'a Arena,
        block_type: &'a str,
        labels: &'a [&'a str],
        nested: Self,
    ) -> Self {
        if labels.is_empty() {
            return Self::block_list(arena, block_type, nested);
        }
        let ty = labels.iter().fold(nested.ty, |ty, _| Type::map_of(arena, ty));
        let nested = arena.bump().alloc(nested);
        Self { kind: Kind::BlockMap { block_type, labels, nested }, ty }
    }

    /// Returns a map of the attributes of the only block of a type, each converted to a type; null
    /// without a block.
    #[must_use]
    pub fn block_attributes(arena: &'a Arena, block_type: &'a str, element: Type<'a>) -> Self {
        let kind = Kind::BlockAttributes { block_type, required: false, element };
        Self { kind, ty: Type::map_of(arena, element) }
    }

    /// Returns the first value that is not null, otherwise the last one. The body may have the
    /// content of all of them. Without candidates the value is null.
    #[must_use]
    pub fn first_of(arena: &'a Arena, candidates: &[Self]) -> Self {
        let ty = candidates.first().map_or(Type::Dynamic, |spec| spec.ty);
        Self { kind: Kind::Default(arena.bump().alloc_slice_copy(candidates)), ty }
    }

    /// Returns the value of `result`, with the value of another specification as the variable
    /// `nested`.
    #[must_use]
    pub fn transform(
        arena: &'a Arena,
        nested: Self,
        result: Expression<'a>,
        functions: &'a dyn Functions,
    ) -> Self {
        Self::transform_if(arena, nested, Some(result), functions)
    }

    fn transform_if(
        arena: &'a Arena,
        nested: Self,
        result: Option<Expression<'a>>,
        functions: &'a dyn Functions,
    ) -> Self {
        let variables = [(Transform::VARIABLE, Value::unknown(nested.ty))];
        let scope = Scope::new().with_variables(&variables).with_functions(functions);
        let ty = result.map_or(Type::Dynamic, |result| result.value(&scope, &mut ()).ty());
        let transform = arena.bump().alloc(Transform { nested, result, functions });
        Self { kind: Kind::Transform(transform), ty }
    }

    /// Returns the value of another specification; null is an error.
    #[must_use]
    pub fn not_null(arena: &'a Arena, nested: Self) -> Self {
        Self { kind: Kind::NotNull(arena.bump().alloc(nested)), ty: nested.ty }
    }

    /// Returns a constant value.
    #[must_use]
    pub fn literal(value: Value<'a>) -> Self {
        Self { kind: Kind::Literal(value), ty: value.ty() }
    }

    /// Makes the attribute or the block required. Other specifications are unchanged.
    #[must_use]
    pub fn required(mut self) -> Self {
        if let Kind::Attribute { required, .. }
        | Kind::Block { required, .. }
        | Kind::BlockAttributes { required, .. } = &mut self.kind
        {
            *required = true;
        }
        self
    }

    /// Limits the number of blocks, for lists, tuples and sets of blocks. If `most` is 0, any
    /// number is allowed.
    #[must_use]
    pub fn with_count(mut self, least: u64, most: u64) -> Self {
        if let Kind::Blocks(blocks) = &mut self.kind {
            (blocks.least, blocks.most) = (least, most);
        }
        self
    }

    /// The type of the value, as far as it is known without a body: the type of a tuple of blocks
    /// is dynamic.
    #[must_use]
    pub fn ty(self) -> Type<'a> {
        self.ty
    }

    /// Visits the specifications that read the same body. Recurses as deep as the specification.
    fn visit_same_body(self, visit: &mut dyn FnMut(Self)) {
        visit(self);
        match self.kind {
            Kind::Object(entries) => {
                entries.iter().for_each(|(_, spec)| spec.visit_same_body(visit));
            }
            Kind::Tuple(specs) | Kind::Default(specs) => {
                specs.iter().for_each(|spec| spec.visit_same_body(visit));
            }
            Kind::Transform(transform) => transform.nested.visit_same_body(visit),
            Kind::NotNull(nested) => nested.visit_same_body(visit),
            Kind::Attribute { .. }
            | Kind::Block { .. }
            | Kind::Blocks(_)
            | Kind::BlockMap { .. }
            | Kind::BlockAttributes { .. }
            | Kind::Literal(_) => {}
        }
    }
}

impl std::fmt::Debug for Spec<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Spec({})", self.ty)
    }
}
