//! Schemas for `decode`: from a schema file, or from the schemas of providers.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use simd_hcl::body::{AttributeSchema, Block, BlockSchema};
use simd_hcl::dialect::{FileKind, root_schema};
use simd_hcl::module::Module;
use simd_hcl::show::{BodySchemas, SchemaBlock};
use simd_hcl::{Arena, Dialect, Document, ParsedFile, Schema};

use crate::args::Common;
use crate::input;
use crate::provider_schemas::described_blocks;
use crate::status::Failure;

/// The maximum nesting of a schema file. Reading it recurses.
const SCHEMA_DEPTH: u32 = 256;

/// The maximum nesting of blocks in the schema of a provider.
const MAX_NESTING: usize = 100;

/// A schema as it is in the file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSchema {
    #[serde(default)]
    mode: Reading,
    #[serde(default)]
    attributes: Entries<WrittenAttribute>,
    #[serde(default)]
    blocks: Entries<WrittenBlock>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reading {
    #[default]
    Content,
    Partial,
    JustAttributes,
}

#[derive(Deserialize)]
struct WrittenAttribute {
    #[serde(default)]
    required: bool,
}

#[derive(Deserialize)]
struct WrittenBlock {
    #[serde(default)]
    labels: Option<Vec<String>>,
    #[serde(default)]
    body: Option<WrittenSchema>,
}

/// The members of an object in the order of the file, which is the order of some diagnostics.
struct Entries<T>(Vec<(String, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> serde::de::Visitor<'de> for Visitor<T> {
            type Value = Entries<T>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Entries::default())
            }
        }

        deserializer.deserialize_any(Visitor(std::marker::PhantomData))
    }
}

impl WrittenSchema {
    /// Returns the schema of a block from the schemas of providers, and the meta-arguments that the
    /// tools read.
    fn of_provider<'a>(
        block: SchemaBlock<'a>,
        own: Option<&Schema<'a>>,
        schemas: &BodySchemas<'a>,
        depth: usize,
    ) -> Self {
        let schema = schemas.body(block);
        let known = |schema: &Schema<'a>| {
            let attributes = schema.attributes().iter();
            let attributes: Vec<_> = attributes
                .map(|it| (it.name.to_owned(), WrittenAttribute { required: it.required }))
                .collect();
            (attributes, schema.blocks().to_vec())
        };
        let (mut attributes, mut blocks) = known(schema.schema());
        if let Some(own) = own {
            let (own_attributes, own_blocks) = known(own);
            attributes.extend(own_attributes);
            blocks.extend(own_blocks);
        }
        let blocks = blocks.into_iter().map(|nested| {
            let inner = schema.block_type(nested.block_type).filter(|_| depth > 0);
            let inner = inner.and_then(|it| it.block().value());
            let body = inner.map(|it| Self::of_provider(it, None, schemas, depth - 1));
            let labels = nested.labels.iter().map(|&label| label.to_owned()).collect();
            (nested.block_type.to_owned(), WrittenBlock { labels: Some(labels), body })
        });
        let blocks = Entries(blocks.collect());
        Self { mode: Reading::Content, attributes: Entries(attributes), blocks }
    }

    /// Returns the schema of a block without one.
    fn of_attributes() -> Self {
        Self { mode: Reading::JustAttributes, ..Self::default() }
    }

    fn read(path: &Path, common: &Common) -> Result<Self, Failure> {
        // The error messages of our own parser are better, and it limits the depth.
        let arena = Arena::new();
        let options = input::parse_options(common)?.with_max_depth(SCHEMA_DEPTH);
        let source = input::text(&arena, path, "stdin.json", common);
        let path = path.display();
        let source = source.map_err(|error| Failure::Message(format!("{path}: {error}")))?;
        Document::parse_with(&arena, source, &options)
            .map_err(|error| Failure::Message(error.to_string()))?;
        let mut reader = serde_json::Deserializer::from_slice(source.bytes());
        reader.disable_recursion_limit();
        Self::deserialize(&mut reader)
            .map_err(|error| Failure::Message(format!("{path}: invalid schema: {error}")))
    }
}

/// A schema of the library, and the schemas of the bodies of its blocks.
pub(crate) struct BodySchema {
    pub(crate) mode: Reading,
    pub(crate) schema: Schema<'static>,
    /// By block type.
    bodies: HashMap<&'static str, BodySchema>,
    /// By block type and first label, if the label selects the schema.
    labelled: HashMap<(&'static str, String), BodySchema>,
}

impl BodySchema {
    /// Reads a schema file.
    pub(crate) fn read(path: &Path, common: &Common) -> Result<Self, Failure> {
        WrittenSchema::read(path, common).map(Self::of)
    }

    /// Leaks the schema, of which there is one per process, so that blocks of all levels share
    /// their tables.
    fn of(written: WrittenSchema) -> Self {
        let attributes = written.attributes.0.into_iter().map(|(name, attribute)| {
            AttributeSchema { name: name.leak(), required: attribute.required }
        });
        let mut bodies = HashMap::new();
        let blocks = written.blocks.0.into_iter().map(|(name, block)| {
            let name = &*name.leak();
            let labels = block.labels.unwrap_or_default().into_iter().map(|label| &*label.leak());
            bodies.insert(name, Self::of(block.body.unwrap_or_else(WrittenSchema::of_attributes)));
            BlockSchema::new(name, labels.collect::<Vec<_>>().leak())
        });
        let schema =
            Schema::new(attributes.collect::<Vec<_>>().leak(), blocks.collect::<Vec<_>>().leak());
        Self { mode: written.mode, schema, bodies, labelled: HashMap::new() }
    }

    /// Returns the schema of a file of OpenTofu or Terraform with the schemas of providers. Bodies
    /// of types without a schema, and of all other blocks, are read as attributes.
    pub(crate) fn of_configuration<'a>(
        parsed: ParsedFile<'a>,
        dialect: Option<Dialect>,
        schemas: &BodySchemas<'a>,
    ) -> Result<Self, Failure> {
        let name = Path::new(parsed.source().name()).file_name().unwrap_or_default();
        let dialect = Dialect::of_named(name, dialect);
        let list = FileKind::of_named(name, dialect).list;
        let Some(root) = root_schema(dialect, list).filter(|_| dialect != Dialect::Packer) else {
            let name = parsed.source().name();
            return Err(Failure::Message(format!(
                "{name}: this file has no blocks that providers read"
            )));
        };
        let mut bodies = HashMap::new();
        for block in root.blocks() {
            bodies.insert(block.block_type, Self::of(WrittenSchema::of_attributes()));
        }
        let schema = Schema::new(root.attributes(), root.blocks());
        let mut all = Self { mode: Reading::Content, schema, bodies, labelled: HashMap::new() };
        let module = Module::read(dialect, [(list, parsed)], true, &mut ());
        for found in described_blocks(&module, dialect, schemas) {
            let mut known = root.blocks().iter();
            let Some(known) = known.find(|it| found.block.is(it.block_type)) else { continue };
            let key = (known.block_type, found.label.to_owned());
            all.labelled.entry(key).or_insert_with(|| {
                let own = Some(found.own);
                Self::of(WrittenSchema::of_provider(found.schema, own, schemas, MAX_NESTING))
            });
        }
        Ok(all)
    }

    /// Returns the schema of the body of a block.
    pub(crate) fn of_block(&self, block: Block<'_>) -> Option<&Self> {
        let block_type = block.block_type();
        let label = || {
            let (&known, _) = self.bodies.get_key_value(block_type)?;
            self.labelled.get(&(known, block.label(0)?.to_owned()))
        };
        label().or_else(|| self.bodies.get(block_type))
    }
}
