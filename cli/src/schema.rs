//! `schema`: the schema of one type, for people or as in the file.

use std::io::{self, Write};

use simd_hcl::Sink;
use simd_hcl::show::{
    Map, NestedType, NestingMode, ProviderSchema, SchemaAttribute, SchemaBlock, SchemaKind,
    SchemaOf, Schemas,
};
use simd_hcl::suggest::nearest;
use simd_hcl::write::{Layout, ObjectWriter, Writer};

use crate::args::{self, Common, Format};
use crate::output::{self, FORMAT_VERSION, Style};
use crate::plan_file;
use crate::printed::{BOLD, DIM, Input, RESET, YELLOW, with_document};
use crate::status::{Failure, Status};
use crate::visible::visible;

/// The maximum depth of indentation.
const DEEPEST: usize = 20;

pub(crate) fn run(schema: &args::Schema, common: &Common) -> Result<Status, Failure> {
    let mut is_found = false;
    let mut advice = String::new();
    let input = Input {
        file: &schema.file,
        stdin_name: &schema.stdin_name,
        depth: Schemas::DEPTH,
        part: plan_file::Part::Schemas,
        schemas: None,
        on_log: None,
    };
    let status = with_document(input, common, |document, diagnostics| {
        let Some(schemas) = Schemas::of(document, diagnostics) else { return Ok(()) };
        let found = found(schemas, &schema.type_name);
        is_found = !found.is_empty();
        if found.is_empty()
            && let Some(nearest) = nearest(&schema.type_name, names(schemas))
        {
            advice = format!("; did you mean \"{nearest}\"?");
        }
        print(&found, &schema.type_name, schema.format, diagnostics)
    })?;
    if status == Status::Clean && !is_found {
        let name = &schema.type_name;
        return Err(Failure::Message(format!("no provider has a type named {name}{advice}")));
    }
    Ok(status)
}

/// The kind of the schema of a provider configuration.
const PROVIDER: &str = "provider";

/// A schema that was found: kind of type, provider, schema.
type Found<'a> = (&'static str, &'a str, SchemaOf<'a>);

fn found<'a>(schemas: Schemas<'a>, name: &str) -> Vec<Found<'a>> {
    let mut all = Vec::new();
    for kind in SchemaKind::ALL {
        for (provider, schema) in schemas.find(kind, name) {
            all.push((kind.name(), provider, schema));
        }
    }
    for (provider, schema) in schemas.providers() {
        let is_meant = provider == name || provider.rsplit('/').next() == Some(name);
        if let Some(schema) = schema.provider().value().filter(|_| is_meant) {
            all.push((PROVIDER, provider, schema));
        }
    }
    all
}

/// Iterates over the names of types and providers, in source order.
fn names<'a>(schemas: Schemas<'a>) -> impl Iterator<Item = &'a str> {
    let of_provider = |(name, provider): (&'a str, ProviderSchema<'a>)| {
        let types = SchemaKind::ALL.into_iter().filter_map(move |kind| provider.types(kind));
        let types = types.flat_map(|types| types.iter().map(|(name, _)| name));
        types.chain(name.rsplit('/').next())
    };
    schemas.providers().flat_map(of_provider)
}

/// Writes one schema with kind, provider and name.
fn write((kind, provider, schema): Found<'_>, name: &str, mut out: ObjectWriter<'_, '_>) {
    out.key("kind").string(kind);
    out.key("provider").string(provider);
    if kind != PROVIDER {
        out.key("name").string(name);
    }
    out.key("schema").node(schema.object().node());
}

fn print<'a>(
    found: &[Found<'a>],
    type_name: &str,
    format: Format,
    sink: &mut dyn Sink<'a>,
) -> Result<(), Failure> {
    found.iter().for_each(|(_, _, schema)| schema.check(sink));
    if found.is_empty() {
        return Ok(());
    }
    match format {
        Format::Human => {}
        Format::Json => {
            output::document(Layout::Pretty, Style::default(), |slot| {
                let mut document = slot.object();
                document.key("format_version").string(FORMAT_VERSION);
                let mut list = document.key("schemas").array();
                found.iter().for_each(|one| write(*one, type_name, list.element().object()));
                list.end();
                // A type that a provider has is there as a whole.
                document.key("incomplete").array().end();
            })?;
            return Ok(());
        }
        Format::Ndjson => {
            output::data(|mut out| {
                let mut writer = Writer::new(&mut out, Layout::Compact);
                found.iter().for_each(|one| write(*one, type_name, writer.value().object()));
                writer.finish()?;
                writeln!(out)
            })?;
            return Ok(());
        }
    }
    output::text(|out| {
        for (kind, provider, schema) in found {
            let version = schema.version().value().unwrap_or_default();
            writeln!(out, "{BOLD}{kind}{RESET} of {}, version {version}", visible(provider))?;
            if let Some(block) = schema.block().value() {
                print_body(block, out)?;
            }
        }
        Ok(())
    })?;
    Ok(())
}

/// Parts that are still to be printed.
enum Part<'a> {
    Attribute(&'a str, SchemaAttribute<'a>),
    Block(&'a str, simd_hcl::show::BlockType<'a>),
}

fn print_body(block: SchemaBlock<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut parts = Vec::new();
    push_body(block, 1, &mut parts);
    while let Some((level, part)) = parts.pop() {
        let indent = 2 * level.min(DEEPEST);
        match part {
            Part::Attribute(name, attribute) => {
                write!(out, "{:indent$}{}", "", visible(name))?;
                let nested = attribute.nested_type().value();
                match (nested, attribute.value_type().value()) {
                    (Some(nested), _) => {
                        write!(out, " {}", nesting(nested.nesting_mode().value()))?
                    }
                    (None, Some(value_type)) => {
                        write!(out, " {}", visible(&value_type.to_string()))?;
                    }
                    _ => {}
                }
                for (flag, is_set) in [
                    ("required", attribute.required()),
                    ("optional", attribute.optional()),
                    ("computed", attribute.computed()),
                    ("sensitive", attribute.sensitive()),
                    ("write-only", attribute.write_only()),
                ] {
                    if is_set.value() == Some(true) {
                        write!(out, " {DIM}{flag}{RESET}")?;
                    }
                }
                if attribute.deprecated().value() == Some(true) {
                    write!(out, " {YELLOW}deprecated{RESET}")?;
                }
                writeln!(out)?;
                if let Some(nested) = nested {
                    push_nested(nested, level + 1, &mut parts);
                }
            }
            Part::Block(name, block) => {
                let mode = nesting(block.nesting_mode().value());
                write!(out, "{:indent$}{BOLD}{}{RESET} {mode} of blocks", "", visible(name))?;
                if let Some(least) = block.min_items().value().filter(|least| *least > 0) {
                    write!(out, ", at least {least}")?;
                }
                if let Some(most) = block.max_items().value().filter(|most| *most > 0) {
                    write!(out, ", at most {most}")?;
                }
                writeln!(out)?;
                if let Some(body) = block.block().value() {
                    push_body(body, level + 1, &mut parts);
                }
            }
        }
    }
    Ok(())
}

/// Pushes the parts of a body in reverse order, so that its first attribute is popped first.
fn push_body<'a>(body: SchemaBlock<'a>, level: usize, parts: &mut Vec<(usize, Part<'a>)>) {
    let start = parts.len();
    for (name, attribute) in body.attributes().value().into_iter().flat_map(Map::iter) {
        parts.push((level, Part::Attribute(name, attribute)));
    }
    for (name, block) in body.block_types().value().into_iter().flat_map(Map::iter) {
        parts.push((level, Part::Block(name, block)));
    }
    parts[start..].reverse();
}

fn push_nested<'a>(nested: NestedType<'a>, level: usize, parts: &mut Vec<(usize, Part<'a>)>) {
    let start = parts.len();
    for (name, attribute) in nested.attributes().value().into_iter().flat_map(Map::iter) {
        parts.push((level, Part::Attribute(name, attribute)));
    }
    parts[start..].reverse();
}

fn nesting(mode: Option<NestingMode<'_>>) -> String {
    visible(mode.map_or("single", |mode| mode.name())).into_owned()
}
