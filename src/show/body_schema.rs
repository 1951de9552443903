//! Provider schemas as schemas of bodies: what a provider says of a block type, ready to open bodies with.
//!
//! In goes a [`SchemaBlock`]; out comes a [`BodySchema`]: its attributes and nested blocks as a
//! [`body::Schema`](crate::body::Schema). Each is made once, when it is asked for, so of a file of schemas only
//! those types are decoded that a configuration uses.
//!
//! Nesting modes decide on labels: blocks of a map have one, their key; all others have none. In JSON a name that a
//! schema has for an attribute is always an attribute, one of objects included.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::schemas::{Attribute, BlockType, ProviderSchema, SchemaBlock, SchemaKind, SchemaOf};
use super::{Map, NestingMode, Schemas};
use crate::body::{AttributeSchema, BlockSchema, Schema};

/// The label of blocks that nest as a map.
const KEY: &[&str] = &["key"];

/// The schemas of a file, found by provider and type, and made into schemas of bodies. Can be shared by threads.
#[derive(Debug)]
pub struct BodySchemas<'a> {
    providers: FxHashMap<&'a str, ProviderSchema<'a>>,
    types: Mutex<FxHashMap<(&'a str, SchemaKind), Arc<Types<'a>>>>,
    /// By the place of the block in the file.
    bodies: Mutex<FxHashMap<u32, Arc<BodySchema<'a>>>>,
}

/// The types of one kind of a provider, by name.
type Types<'a> = FxHashMap<&'a str, SchemaOf<'a>>;

/// The schema of a body.
#[derive(Debug)]
pub struct BodySchema<'a> {
    /// The provider's schema, with all that it says.
    pub block: SchemaBlock<'a>,
    schema: Schema<'a>,
    attributes: FxHashMap<&'a str, Attribute<'a>>,
    blocks: FxHashMap<&'a str, BlockType<'a>>,
}

impl<'a> BodySchemas<'a> {
    /// Those of a document. Cost: linear in the number of providers.
    #[must_use]
    pub fn new(schemas: Schemas<'a>) -> Self {
        Self {
            providers: schemas.providers().collect(),
            types: Mutex::default(),
            bodies: Mutex::default(),
        }
    }

    /// What there is of a provider, by its full name, `HOST/NAMESPACE/TYPE`.
    #[must_use]
    pub fn provider(&self, full_name: &str) -> Option<ProviderSchema<'a>> {
        self.providers.get(full_name).copied()
    }

    /// The schema of a type. Cost: constant, but for the first of its kind and provider.
    #[must_use]
    pub fn find(&self, full_name: &str, kind: SchemaKind, name: &str) -> Option<SchemaOf<'a>> {
        let (&provider, schema) = self.providers.get_key_value(full_name)?;
        let mut types = self.types.lock().unwrap_or_else(PoisonError::into_inner);
        let types = types.entry((provider, kind)).or_insert_with(|| {
            let types = schema.types(kind);
            Arc::new(types.into_iter().flat_map(Map::iter).collect())
        });
        types.get(name).copied()
    }

    /// The schema of the bodies of a type. None if the file gives no attributes and blocks for it.
    #[must_use]
    pub fn body_of(&self, schema: SchemaOf<'a>) -> Option<Arc<BodySchema<'a>>> {
        Some(self.body(schema.block().value()?))
    }

    /// The schema of the bodies of a block. Cost: linear in what the block has itself, the first time.
    #[must_use]
    pub fn body(&self, block: SchemaBlock<'a>) -> Arc<BodySchema<'a>> {
        let place = block.object().node().span().start;
        let mut bodies = self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(bodies.entry(place).or_insert_with(|| Arc::new(BodySchema::new(block))))
    }
}

impl<'a> BodySchema<'a> {
    fn new(block: SchemaBlock<'a>) -> Self {
        let bump = block.object().node().source().arena().bump();
        let attributes: Vec<_> =
            block.attributes().value().into_iter().flat_map(Map::iter).collect();
        let blocks: Vec<_> = block.block_types().value().into_iter().flat_map(Map::iter).collect();
        let of_attributes: Vec<_> = attributes
            .iter()
            .map(|&(name, attribute)| AttributeSchema {
                name,
                required: attribute.required().value() == Some(true),
            })
            .collect();
        let of_blocks: Vec<_> = blocks
            .iter()
            .map(|&(name, block)| {
                let is_map = block.nesting_mode().value() == Some(NestingMode::Map);
                BlockSchema::new(name, if is_map { KEY } else { &[] })
            })
            .collect();
        let schema =
            Schema::new(bump.alloc_slice_copy(&of_attributes), bump.alloc_slice_copy(&of_blocks));
        let attributes = attributes.into_iter().collect();
        Self { block, schema, attributes, blocks: blocks.into_iter().collect() }
    }

    /// What bodies are opened with.
    #[must_use]
    pub fn schema(&self) -> &Schema<'a> {
        &self.schema
    }

    /// An attribute by its name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<Attribute<'a>> {
        self.attributes.get(name).copied()
    }

    /// A type of nested blocks by its name.
    #[must_use]
    pub fn block_type(&self, name: &str) -> Option<BlockType<'a>> {
        self.blocks.get(name).copied()
    }
}
