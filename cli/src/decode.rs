//! `decode`: one file by a schema, as JSON in the shape of the conformance cases.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use simd_hcl::body::{Attribute, AttributeSchema, BlockSchema};
use simd_hcl::{Arena, Body, Diagnostic, Document, ParseOptions, Schema, Source};

use crate::args::{self, Common};
use crate::excerpt::Places;
use crate::finding::Finding;
use crate::stats::Stats;
use crate::{Failure, Status, human, input};

/// Levels of nested JSON that a schema may have: reading it recurses.
const SCHEMA_DEPTH: u32 = 256;

pub(crate) fn run(decode: &args::Decode, common: &Common) -> Result<Status, Failure> {
    let options = input::parse_options(common)?;
    let mut stats = Stats::new(options.kernel);
    let written = WrittenSchema::read(decode, common)?;
    let schema = BodySchema::of(&written);

    let mut arena = Arena::new();
    let source = input::source(&arena, &decode.file, &decode.stdin_name, common)
        .map_err(|error| Failure::Message(format!("{}: {error}", decode.file.display())))?;
    (stats.files, stats.bytes) = (1, source.bytes().len() as u64);
    let mut errors = false;
    let decoded = decode_source(&arena, source, &schema, &options, &mut errors);
    let mut out = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer_pretty(&mut out, &decoded)?;
    writeln!(out)?;
    out.flush()?;
    stats.arena_bytes = arena.allocated_bytes();
    stats.print(common);
    Ok(if errors { Status::Found } else { Status::Clean })
}

/// A schema as the file has it.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSchema {
    #[serde(default)]
    mode: Mode,
    #[serde(default)]
    attributes: Entries<WrittenAttribute>,
    #[serde(default)]
    blocks: Entries<WrittenBlock>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mode {
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
    fn read(decode: &args::Decode, common: &Common) -> Result<Self, Failure> {
        let path = decode.schema.display();
        let mut bytes = std::fs::read(&decode.schema)
            .map_err(|error| Failure::Message(format!("{path}: {error}")))?;
        // Our own parser says best where a schema is broken, and bounds its depth.
        let arena = Arena::new();
        let options = input::parse_options(common)?.with_max_depth(SCHEMA_DEPTH);
        let name = path.to_string();
        let parsed = Source::from_bytes(&arena, &name, &bytes)
            .map_err(|error| Failure::Message(format!("{path}: {error}")))
            .and_then(|source| {
                Document::parse_with(&arena, source, &options)
                    .map_err(|error| Failure::Message(error.to_string()))
            });
        parsed?;
        drop(arena);
        simd_json::serde::from_slice(&mut bytes)
            .map_err(|error| Failure::Message(format!("{path}: this is no schema: {error}")))
    }
}

/// A schema as the library takes it, and the schemas of its blocks' bodies.
struct BodySchema<'w> {
    mode: Mode,
    schema: OwnedSchema<'w>,
    bodies: HashMap<&'w str, BodySchema<'w>>,
}

struct OwnedSchema<'w> {
    attributes: Vec<AttributeSchema<'w>>,
    blocks: Vec<(&'w str, Vec<&'w str>)>,
}

impl<'w> BodySchema<'w> {
    fn of(written: &'w WrittenSchema) -> Self {
        let attributes = written.attributes.0.iter();
        let blocks = written.blocks.0.iter();
        Self {
            mode: written.mode,
            schema: OwnedSchema {
                attributes: attributes
                    .map(|(name, attribute)| AttributeSchema { name, required: attribute.required })
                    .collect(),
                blocks: blocks
                    .clone()
                    .map(|(name, block)| {
                        let labels = block.labels.iter().flatten().map(String::as_str);
                        (name.as_str(), labels.collect())
                    })
                    .collect(),
            },
            bodies: blocks
                .map(|(name, block)| {
                    let body = match &block.body {
                        Some(body) => Self::of(body),
                        None => Self::just_attributes(),
                    };
                    (name.as_str(), body)
                })
                .collect(),
        }
    }

    fn just_attributes() -> Self {
        let schema = OwnedSchema { attributes: Vec::new(), blocks: Vec::new() };
        Self { mode: Mode::JustAttributes, schema, bodies: HashMap::new() }
    }
}

fn decode_source<'a>(
    arena: &'a Arena,
    source: Source<'a>,
    schema: &BodySchema<'_>,
    options: &ParseOptions,
    errors: &mut bool,
) -> Value {
    let mut diagnostics: Vec<Diagnostic<'a>> = Vec::new();
    let body = match Document::parse_with(arena, source, options) {
        Ok(document) => {
            diagnostics.extend_from_slice(document.diagnostics());
            let error = document.body().type_error();
            let body = error.is_none().then(|| document.body());
            diagnostics.extend(error);
            body
        }
        Err(error) => {
            diagnostics.push(error.to_diagnostic(source));
            None
        }
    };
    json!({
        "parse_diagnostics": diagnostics_json(&diagnostics, errors),
        "body": body.map(|body| decode_body(body, schema, errors)),
    })
}

/// Recurses as deep as the schema.
fn decode_body(body: Body<'_>, schema: &BodySchema<'_>, errors: &mut bool) -> Value {
    let mut diagnostics = Vec::new();
    if schema.mode == Mode::JustAttributes {
        let attributes = attributes_json(body.just_attributes(&mut diagnostics));
        return json!({
            "attributes": attributes,
            "diagnostics": diagnostics_json(&diagnostics, errors),
        });
    }
    let OwnedSchema { attributes, blocks } = &schema.schema;
    let blocks: Vec<BlockSchema<'_>> =
        blocks.iter().map(|(name, labels)| BlockSchema::new(name, labels)).collect();
    let library_schema = Schema::new(attributes, &blocks);
    let content = match schema.mode {
        Mode::Partial => body.partial_content(&library_schema, &mut diagnostics).0,
        _ => body.content(&library_schema, &mut diagnostics),
    };
    let source = body.source();
    let blocks: Vec<Value> = content
        .all_blocks()
        .iter()
        .map(|block| {
            let block_type = block.block_type();
            let body = schema.bodies.get(block_type);
            json!({
                "type": block_type,
                "labels": block.labels().collect::<Vec<_>>(),
                "type_range": Places::of(source, block.type_span()),
                "label_ranges":
                    block.label_spans().map(|span| Places::of(source, span)).collect::<Vec<_>>(),
                "def_range": Places::of(source, block.definition_span()),
                "body": body.map(|body| decode_body(block.body(), body, errors)),
            })
        })
        .collect();
    json!({
        "attributes": attributes_json(content.attributes()),
        "blocks": blocks,
        "missing_item_range": Places::of(source, content.missing_item_span()),
        "diagnostics": diagnostics_json(&diagnostics, errors),
    })
}

fn attributes_json(attributes: &[Attribute<'_>]) -> Map<String, Value> {
    attributes
        .iter()
        .map(|attribute| {
            let source = attribute.source();
            let value = json!({
                "name_range": Places::of(source, attribute.name_span()),
                "range": Places::of(source, attribute.span()),
                "expr_range": Places::of(source, attribute.expression().span()),
            });
            (attribute.name().to_owned(), value)
        })
        .collect()
}

/// In the order of discovery.
fn diagnostics_json(diagnostics: &[Diagnostic<'_>], errors: &mut bool) -> Vec<Value> {
    let diagnostics = diagnostics.iter().map(|diagnostic| {
        *errors |= diagnostic.severity() == simd_hcl::Severity::Error;
        json!({
            "severity": diagnostic.severity().as_str(),
            "code": diagnostic.code().as_str(),
            "summary": diagnostic.summary(),
            "detail": diagnostic.detail(),
            "range": Places::of(diagnostic.source(), diagnostic.span()),
        })
    });
    diagnostics.collect()
}

/// Writes the error that keeps a file from being read, for people, on standard error.
pub(crate) fn complain(diagnostic: &Diagnostic<'_>) -> io::Result<()> {
    human::write(&Finding::of(diagnostic), &mut anstream::stderr().lock())
}
