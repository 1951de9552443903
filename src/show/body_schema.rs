//! Converts provider schemas to schemas of bodies, so that bodies can be opened with them.
//!
//! A [`BodySchema`] is built from a [`SchemaBlock`]: its attributes and nested blocks as a
//! [`body::Schema`](crate::body::Schema). Each one is built once, on first use, so that only those
//! types of a file are decoded that a configuration uses.
//!
//! Nesting modes decide on labels: blocks of a map have one, their key; all others have none. In
//! JSON, a name of an attribute is always an attribute, even if its value is an object. `dynamic`
//! makes blocks of any type.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::field::Read;
use super::schemas::{
    BlockType, ProviderSchema, SchemaAttribute, SchemaBlock, SchemaKind, SchemaOf,
};
use super::{Map, NestingMode, Schemas};
use crate::arena::Arena;
use crate::body::{AttributeSchema, BlockSchema, Schema};
use crate::document::Document;
use crate::hash::HashMap;
use crate::json::{Node, Object};
use crate::value::Type;

/// The label of blocks that nest as a map.
const KEY: &[&str] = &["key"];

/// The schemas of a file by provider and type, converted to schemas of bodies on demand. Threads
/// can share it.
#[derive(Debug, Default)]
pub struct BodySchemas<'a> {
    providers: HashMap<&'a str, ProviderSchema<'a>>,
    types: Mutex<HashMap<(&'a str, SchemaKind), Arc<Types<'a>>>>,
    /// Schemas of bodies by the place of the block in its file.
    bodies: Mutex<HashMap<(u32, u32), Arc<BodySchema<'a>>>>,
    /// The schemas that are built into the tools.
    built_in: Option<BuiltIn<'a>>,
}

/// The schemas that the tools have without a provider.
#[derive(Clone, Copy, Debug)]
struct BuiltIn<'a> {
    provisioners: Object<'a>,
    connection: SchemaBlock<'a>,
    /// Resource types as only Terraform has them, unless the document has their provider.
    extended: Option<Object<'a>>,
}

/// The provider that is built into the tools.
pub(crate) const BUILT_IN_PROVIDER: &str = "terraform.io/builtin/terraform";

/// The schemas of the provider that is built into the tools, and of their provisioners.
const BUILT_IN: &[u8] = include_bytes!("built_in.json");

/// The types of one kind of one provider, by name.
type Types<'a> = HashMap<&'a str, SchemaOf<'a>>;

/// The schema of a body.
#[derive(Debug)]
pub struct BodySchema<'a> {
    /// The complete schema of the provider.
    pub block: SchemaBlock<'a>,
    schema: Schema<'a>,
    lenient: Schema<'a>,
    attributes: HashMap<&'a str, Known<'a>>,
    blocks: HashMap<&'a str, BlockType<'a>>,
    /// The block types of which a body needs some.
    needed: Vec<&'a str>,
}

/// An attribute of a schema.
#[derive(Debug)]
struct Known<'a> {
    attribute: SchemaAttribute<'a>,
    /// Its type, once it has been read.
    ty: OnceLock<Option<Type<'a>>>,
}

impl<'a> BodySchemas<'a> {
    /// The schemas of a document. Cost: linear in the number of providers.
    #[must_use]
    pub fn new(schemas: Schemas<'a>) -> Self {
        Self { providers: schemas.providers().collect(), ..Self::default() }
    }

    /// Only the schemas that are built into the tools.
    #[must_use]
    pub fn built_in(arena: &'a Arena) -> Self {
        Self::default().with_built_in(arena)
    }

    /// Adds the schemas that are built into the tools: the provider
    /// `terraform.io/builtin/terraform`, unless the document has it, provisioners and connections.
    #[must_use]
    pub fn with_built_in(mut self, arena: &'a Arena) -> Self {
        let Ok(document) = Document::parse_bytes(arena, "built in", BUILT_IN) else { return self };
        let root = document.root().as_object();
        let member = |name| root.and_then(|root| root.get(name));
        let provisioners = member("provisioners").and_then(Node::as_object);
        let connection = member("connection").and_then(SchemaBlock::read);
        if let (Some(provisioners), Some(connection)) = (provisioners, connection) {
            let is_given = self.providers.contains_key(BUILT_IN_PROVIDER);
            let extended = member("terraform").and_then(Node::as_object).filter(|_| !is_given);
            self.built_in = Some(BuiltIn { provisioners, connection, extended });
        }
        for (name, provider) in
            Schemas::read(document.root()).into_iter().flat_map(Schemas::providers)
        {
            self.providers.entry(name).or_insert(provider);
        }
        self
    }

    /// The schema of a resource type of the built-in provider as only Terraform has it.
    pub(crate) fn extended(&self, resource_type: &str) -> Option<SchemaOf<'a>> {
        SchemaOf::read(self.built_in?.extended?.get(resource_type)?)
    }

    /// The schema of a type of provisioners, if it is built in.
    #[must_use]
    pub fn provisioner(&self, name: &str) -> Option<SchemaBlock<'a>> {
        SchemaBlock::read(self.built_in?.provisioners.get(name)?)
    }

    /// The names of the built-in types of provisioners.
    pub(crate) fn provisioner_names(&self) -> impl Iterator<Item = &'a str> {
        let built_in = self.built_in.into_iter();
        built_in.flat_map(|it| it.provisioners.members()).map(|member| member.name().to_str())
    }

    /// Whether the types of provisioners are known.
    #[must_use]
    pub fn has_provisioners(&self) -> bool {
        self.built_in.is_some()
    }

    /// The schema of blocks `connection`, if the built-in schemas were added.
    #[must_use]
    pub fn connection(&self) -> Option<SchemaBlock<'a>> {
        Some(self.built_in?.connection)
    }

    /// The schemas of a provider, by its full name, `HOST/NAMESPACE/TYPE`.
    #[must_use]
    pub fn provider(&self, full_name: &str) -> Option<ProviderSchema<'a>> {
        self.providers.get(full_name).copied()
    }

    /// The schema of a type. Cost: constant, except for the first of its kind and provider.
    #[must_use]
    pub fn find(&self, full_name: &str, kind: SchemaKind, name: &str) -> Option<SchemaOf<'a>> {
        self.find_named(full_name, kind, name).map(|(.., schema)| schema)
    }

    /// Like [`find`](Self::find), with the names of the provider and of the type as the file has
    /// them.
    pub(crate) fn find_named(
        &self,
        full_name: &str,
        kind: SchemaKind,
        name: &str,
    ) -> Option<(&'a str, &'a str, SchemaOf<'a>)> {
        let (&provider, schema) = self.providers.get_key_value(full_name)?;
        let mut types = self.types.lock().unwrap_or_else(PoisonError::into_inner);
        let types = types.entry((provider, kind)).or_insert_with(|| {
            let types = schema.types(kind);
            Arc::new(types.into_iter().flat_map(Map::iter).collect())
        });
        types.get_key_value(name).map(|(name, schema)| (provider, *name, *schema))
    }

    /// The names of the types of one kind of a provider, in source order.
    pub(crate) fn type_names(
        &self,
        full_name: &str,
        kind: SchemaKind,
    ) -> impl Iterator<Item = &'a str> + use<'a> {
        let types = self.provider(full_name).and_then(|provider| provider.types(kind));
        types.into_iter().flat_map(Map::iter).map(|(name, _)| name)
    }

    /// The schema of the bodies of a type. `None` if the type has no `block` in the file.
    #[must_use]
    pub fn body_of(&self, schema: SchemaOf<'a>) -> Option<Arc<BodySchema<'a>>> {
        Some(self.body(schema.block().value()?))
    }

    /// The schema of the bodies of a block. Cost: on first use, linear in the block's own
    /// attributes and block types.
    #[must_use]
    pub fn body(&self, block: SchemaBlock<'a>) -> Arc<BodySchema<'a>> {
        let node = block.object().node();
        let place = (node.source().id(), node.span().start);
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
        // The last of several entries with the same name counts, so a provider's own `dynamic` has
        // priority.
        let mut of_blocks = vec![BlockSchema::new("dynamic", &["type"])];
        of_blocks.extend(blocks.iter().map(|&(name, block)| {
            let is_map = block.nesting_mode().value() == Some(NestingMode::Map);
            BlockSchema::new(name, if is_map { KEY } else { &[] })
        }));
        let optional = of_attributes.iter().map(|known| AttributeSchema::optional(known.name));
        let optional: Vec<_> = optional.collect();
        let of_blocks = bump.alloc_slice_copy(&of_blocks);
        Self {
            block,
            schema: Schema::new(bump.alloc_slice_copy(&of_attributes), of_blocks),
            lenient: Schema::new(bump.alloc_slice_copy(&optional), of_blocks),
            attributes: attributes
                .into_iter()
                .map(|(name, attribute)| (name, Known { attribute, ty: OnceLock::new() }))
                .collect(),
            needed: blocks
                .iter()
                .filter(|(_, block)| block.min_items().value().is_some_and(|least| least > 0))
                .map(|(name, _)| *name)
                .collect(),
            blocks: blocks.into_iter().collect(),
        }
    }

    /// The schema to open bodies with. It includes the block type `dynamic`.
    #[must_use]
    pub fn schema(&self) -> &Schema<'a> {
        &self.schema
    }

    /// The names of its attributes and nested block types, in source order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> {
        let attributes = self.schema.attributes().iter().map(|attribute| attribute.name);
        attributes.chain(self.block_type_names())
    }

    /// The names of its nested block types, in source order.
    pub(crate) fn block_type_names(&self) -> impl Iterator<Item = &'a str> {
        let types = self.schema.blocks().iter().map(|block| block.block_type);
        types.filter(|name| self.blocks.contains_key(name))
    }

    /// The schema for a body that is only a part of the whole: nothing is required.
    #[must_use]
    pub fn lenient(&self) -> &Schema<'a> {
        &self.lenient
    }

    /// An attribute by its name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<SchemaAttribute<'a>> {
        Some(self.attributes.get(name)?.attribute)
    }

    /// The type of an attribute, which `read` reads on first use.
    pub(crate) fn attribute_type(
        &self,
        name: &str,
        read: impl FnOnce(SchemaAttribute<'a>) -> Option<Type<'a>>,
    ) -> Option<Type<'a>> {
        let known = self.attributes.get(name)?;
        *known.ty.get_or_init(|| read(known.attribute))
    }

    /// All types of nested blocks, in the order of the file.
    pub(crate) fn block_types(&self) -> impl Iterator<Item = (&'a str, BlockType<'a>)> {
        self.block.block_types().value().into_iter().flat_map(Map::iter)
    }

    /// The names of the nested block types of which a body needs some, in source order.
    pub(crate) fn needed_block_types(&self) -> &[&'a str] {
        &self.needed
    }

    /// A type of nested blocks by its name.
    #[must_use]
    pub fn block_type(&self, name: &str) -> Option<BlockType<'a>> {
        self.blocks.get(name).copied()
    }
}
