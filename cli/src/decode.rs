//! `decode`: one file by a schema, its attributes evaluated, as JSON in the shape of the conformance cases.

use std::cell::Cell;
use std::collections::HashMap;
use std::io::{self, Write};

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use simd_hcl::body::{Attribute, AttributeSchema, Block, BlockSchema};
use simd_hcl::evaluate::Scope;
use simd_hcl::{Arena, Body, Diagnostic, Document, ParseOptions, Schema, Severity, Source};

use crate::args::{self, Common, Format};
use crate::excerpt::Places;
use crate::stats::Stats;
use crate::values::{self, Outcome};
use crate::{Failure, Status, input};

/// Levels of nested JSON that a schema may have: reading it recurses.
const SCHEMA_DEPTH: u32 = 256;

pub(crate) fn run(decode: &args::Decode, common: &Common) -> Result<Status, Failure> {
    let options = input::parse_options(common)?;
    let mut stats = Stats::new(options.kernel);
    let schema = BodySchema::of(WrittenSchema::read(decode, common)?);

    let mut arena = Arena::new();
    let source = input::source(&arena, &decode.file, &decode.stdin_name, common)
        .map_err(|error| Failure::Message(format!("{}: {error}", decode.file.display())))?;
    (stats.files, stats.bytes) = (1, source.bytes().len() as u64);
    let variables = match &decode.vars {
        Some(path) => Some(values::variables(&arena, path, &options)?),
        None => None,
    };
    // Without a file no variable is known; an empty file allows none, as in the conformance cases.
    let scope = match variables.as_deref() {
        None => Scope::new().with_variables(&[]),
        Some([]) => Scope::new(),
        Some(variables) => Scope::new().with_variables(variables),
    };
    let errors = Cell::new(false);
    let mode = Mode { scope: (!decode.literal).then_some(&scope), errors: &errors };
    let decoded = Decoded::of(&arena, source, &schema, &options, mode);
    let mut out = io::BufWriter::new(io::stdout().lock());
    match decode.format {
        Format::Human | Format::Json => serde_json::to_writer_pretty(&mut out, &decoded)?,
        Format::Ndjson => serde_json::to_writer(&mut out, &decoded)?,
    }
    writeln!(out)?;
    out.flush()?;
    drop(out);
    stats.arena_bytes = arena.allocated_bytes();
    stats.print(common);
    Ok(if errors.get() { Status::Found } else { Status::Clean })
}

/// A schema as the file has it.
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
enum Reading {
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
    /// The schema of a block that gives none.
    fn of_attributes() -> Self {
        Self { mode: Reading::JustAttributes, ..Self::default() }
    }

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
struct BodySchema {
    mode: Reading,
    schema: Schema<'static>,
    bodies: HashMap<&'static str, BodySchema>,
}

impl BodySchema {
    /// There is one schema, and it lives as long as the process: leaking it lets blocks of all levels
    /// share their tables.
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
        Self { mode: written.mode, schema, bodies }
    }
}

/// A decoded file. Bodies are read while they are written, so that a file of any number of blocks takes
/// no more memory than its views.
#[derive(Serialize)]
struct Decoded<'a, 's> {
    parse_diagnostics: Vec<DiagnosticLine>,
    body: Option<DecodedBody<'a, 's>>,
}

impl<'a, 's> Decoded<'a, 's> {
    fn of(
        arena: &'a Arena,
        source: Source<'a>,
        schema: &'s BodySchema,
        options: &ParseOptions,
        mode: Mode<'s, 'a>,
    ) -> Self {
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
        Self {
            parse_diagnostics: DiagnosticLine::all(&diagnostics, mode.errors),
            body: body.map(|body| DecodedBody { body, schema, mode }),
        }
    }
}

/// How attributes are evaluated.
#[derive(Clone, Copy)]
struct Mode<'s, 'a> {
    /// `None` takes strings as they are.
    scope: Option<&'s Scope<'s, 'a>>,
    /// Set when an error is found.
    errors: &'s Cell<bool>,
}

/// A body, and how to read it.
struct DecodedBody<'a, 's> {
    body: Body<'a>,
    schema: &'s BodySchema,
    mode: Mode<'s, 'a>,
}

impl Serialize for DecodedBody<'_, '_> {
    /// Recurses as deep as the schema.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { body, schema, mode } = *self;
        let mut diagnostics = Vec::new();
        let mut map = serializer.serialize_map(None)?;
        if schema.mode == Reading::JustAttributes {
            let attributes = body.just_attributes(&mut diagnostics);
            map.serialize_entry("attributes", &Attributes(attributes, mode))?;
        } else {
            let content = match schema.mode {
                Reading::Partial => body.partial_content(&schema.schema, &mut diagnostics).0,
                _ => body.content(&schema.schema, &mut diagnostics),
            };
            let missing_item = Places::of(body.source(), content.missing_item_span());
            map.serialize_entry("attributes", &Attributes(content.attributes(), mode))?;
            map.serialize_entry("blocks", &Blocks(content.all_blocks(), self))?;
            map.serialize_entry("missing_item_range", &missing_item)?;
        }
        map.serialize_entry("diagnostics", &DiagnosticLine::all(&diagnostics, mode.errors))?;
        map.end()
    }
}

/// Attributes by name, evaluated while they are written.
struct Attributes<'a, 's>(&'a [Attribute<'a>], Mode<'s, 'a>);

#[derive(Serialize)]
struct AttributeLine {
    name_range: Places,
    range: Places,
    expr_range: Places,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Outcome>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<DiagnosticLine>,
    variables: Vec<String>,
}

impl Serialize for Attributes<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(attributes, mode) = *self;
        serializer.collect_map(attributes.iter().map(|attribute| {
            let place = |span| Places::of(attribute.source(), span);
            let expression = attribute.expression();
            let mut diagnostics = Vec::new();
            let value = match mode.scope {
                Some(scope) => expression.value(scope, &mut diagnostics),
                None => expression.literal_value(&mut diagnostics),
            };
            diagnostics.retain(|diagnostic| diagnostic.severity() == Severity::Error);
            let line = AttributeLine {
                name_range: place(attribute.name_span()),
                range: place(attribute.span()),
                expr_range: place(expression.span()),
                result: diagnostics.is_empty().then(|| Outcome::of(value)),
                errors: DiagnosticLine::all(&diagnostics, mode.errors),
                variables: expression.variables().map(|variable| variable.to_string()).collect(),
            };
            (attribute.name(), line)
        }))
    }
}

/// Blocks, and the body that they are in.
struct Blocks<'a, 's>(&'a [Block<'a>], &'s DecodedBody<'a, 's>);

#[derive(Serialize)]
struct BlockLine<'a, 's> {
    #[serde(rename = "type")]
    block_type: &'a str,
    labels: Vec<&'a str>,
    type_range: Places,
    label_ranges: Vec<Places>,
    def_range: Places,
    body: Option<DecodedBody<'a, 's>>,
}

impl Serialize for Blocks<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(blocks, DecodedBody { schema, mode, .. }) = *self;
        serializer.collect_seq(blocks.iter().map(|block| {
            let place = |span| Places::of(block.source(), span);
            let body = schema.bodies.get(block.block_type());
            BlockLine {
                block_type: block.block_type(),
                labels: block.labels().collect(),
                type_range: place(block.type_span()),
                label_ranges: block.label_spans().map(place).collect(),
                def_range: place(block.definition_span()),
                body: body.map(|schema| DecodedBody { body: block.body(), schema, mode: *mode }),
            }
        }))
    }
}

#[derive(Serialize)]
struct DiagnosticLine {
    severity: &'static str,
    code: &'static str,
    summary: &'static str,
    detail: String,
    range: Places,
}

impl DiagnosticLine {
    /// All of them, in the order of discovery.
    fn all(diagnostics: &[Diagnostic<'_>], errors: &Cell<bool>) -> Vec<Self> {
        let lines = diagnostics.iter().map(|diagnostic| {
            if diagnostic.severity() == Severity::Error {
                errors.set(true);
            }
            Self {
                severity: diagnostic.severity().as_str(),
                code: diagnostic.code().as_str(),
                summary: diagnostic.summary(),
                detail: diagnostic.detail(),
                range: Places::of(diagnostic.source(), diagnostic.span()),
            }
        });
        lines.collect()
    }
}
