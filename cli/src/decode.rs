//! `decode`: decodes one file by a schema, evaluates its attributes, and prints JSON in the shape
//! of the conformance cases. [`spec`] implements `--spec`.

use std::cell::Cell;
use std::path::Path;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use simd_hcl::body::{Attribute, Block};
use simd_hcl::evaluate::{Budget, Meter, Scope};
use simd_hcl::{Arena, Body, Diagnostic, Document, ParsedFile, Severity, show};

use crate::args::{self, Common};
use crate::body_schema::{BodySchema, Reading};
use crate::excerpt::Places;
use crate::output;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::values::{self, Outcome};
use crate::{input, provider_schemas, spec};

pub(crate) fn run(decode: &args::Decode, common: &Common) -> Result<Status, Failure> {
    if let Some(path) = &decode.spec {
        return spec::run(decode, path, common);
    }
    let [file] = decode.files.as_slice() else {
        return Err(Failure::Message("several files need --spec".to_owned()));
    };
    if decode.vars.len() > 1 {
        return Err(Failure::Message("several files of variables need --spec".to_owned()));
    }
    let options = input::parse_options(common)?;
    let mut stats = Stats::new(options.kernel);
    let schema = decode.schema.as_deref().map(|path| BodySchema::read(path, common)).transpose()?;

    let mut arena = Arena::new();
    let stdin_name = decode.stdin_name.as_deref().unwrap_or("stdin.tf.json");
    let source = input::text(&arena, file, stdin_name, common)
        .map_err(|error| Failure::Message(format!("{}: {error}", file.display())))?;
    (stats.files, stats.bytes) = (1, source.bytes().len() as u64);
    let variables = match decode.vars.first() {
        Some(path) => Some(values::variables(&arena, Path::new(path), common)?),
        None => None,
    };
    // Without a file, variables are unknown; with an empty object, every variable is an error, as
    // in the conformance cases.
    let scope = match variables.as_deref() {
        None => Scope::new().with_variables(&[]),
        Some([]) => Scope::new(),
        Some(variables) => Scope::new().with_variables(variables),
    };
    let errors = Cell::new(false);
    let meter = Meter::new(Budget::DEFAULT);
    let scope = (!decode.literal).then_some((&scope, &meter));
    let mode = Mode { scope, errors: &errors };
    let parsed = match input::is_native(source, decode.syntax) {
        true => Ok(ParsedFile::native_with(&arena, source, options.kernel)),
        false => {
            Document::read(&arena, source, &options).map(ParsedFile::json).map_err(show::explain)
        }
    };
    let schema = match (schema, &decode.provider_schemas, &parsed) {
        (Some(schema), ..) => Some(schema),
        (None, Some(path), Ok(parsed)) => {
            let schemas = provider_schemas::read(&arena, path, common)?.with_built_in(&arena);
            let dialect = decode.dialect.map(Into::into);
            Some(BodySchema::of_configuration(*parsed, dialect, &schemas)?)
        }
        // Without a body, no schema is needed.
        _ => None,
    };
    let decoded = Decoded::of(parsed, schema.as_ref(), mode);
    output::value(decode.format, common.style(), &decoded)?;
    stats.arena_bytes = arena.allocated_bytes();
    stats.print(common);
    Ok(if errors.get() { Status::Found } else { Status::Clean })
}

/// A decoded file. Bodies are decoded while they are written, so that memory does not grow with the
/// number of blocks.
#[derive(Serialize)]
struct Decoded<'a, 's> {
    parse_diagnostics: Vec<DiagnosticLine>,
    body: Option<DecodedBody<'a, 's>>,
}

impl<'a, 's> Decoded<'a, 's> {
    fn of(
        parsed: Result<ParsedFile<'a>, Diagnostic<'a>>,
        schema: Option<&'s BodySchema>,
        mode: Mode<'s, 'a>,
    ) -> Self {
        let mut diagnostics: Vec<Diagnostic<'a>> = Vec::new();
        let body = match parsed {
            Ok(parsed) => {
                diagnostics.extend_from_slice(parsed.diagnostics());
                let error = parsed.body().type_error();
                let body = error.is_none().then(|| parsed.body());
                diagnostics.extend(error);
                body
            }
            Err(error) => {
                diagnostics.push(error);
                None
            }
        };
        Self {
            parse_diagnostics: DiagnosticLine::all(&diagnostics, mode.errors),
            body: body.zip(schema).map(|(body, schema)| DecodedBody { body, schema, mode }),
        }
    }
}

/// How attributes are evaluated.
#[derive(Clone, Copy)]
struct Mode<'s, 'a> {
    /// The scope of templates, and the budget of all of them together; `None` reads strings
    /// literally.
    scope: Option<(&'s Scope<'s, 'a>, &'s Meter)>,
    /// Set when an error is found.
    errors: &'s Cell<bool>,
}

/// A body, and how to decode it.
struct DecodedBody<'a, 's> {
    body: Body<'a>,
    schema: &'s BodySchema,
    mode: Mode<'s, 'a>,
}

impl Serialize for DecodedBody<'_, '_> {
    /// Recurses to the depth of the schema.
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
                Some((scope, meter)) => expression.value_within(scope, meter, &mut diagnostics),
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

/// Blocks, and the body that contains them.
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
            let body = schema.of_block(*block);
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
    /// Returns all diagnostics, in the order of discovery.
    fn all(diagnostics: &[Diagnostic<'_>], errors: &Cell<bool>) -> Vec<Self> {
        let lines = diagnostics.iter().map(|diagnostic| {
            if diagnostic.severity() == Severity::Error {
                errors.set(true);
            }
            Self {
                severity: diagnostic.severity().as_str(),
                code: diagnostic.code().as_str(),
                summary: diagnostic.summary(),
                detail: diagnostic.message(),
                range: Places::of(diagnostic.source(), diagnostic.span()),
            }
        });
        lines.collect()
    }
}
