//! `why`: the expressions that a value depends on.

use serde::Serialize;
use simd_hcl::expand::Origin;
use simd_hcl::value::Value;
use simd_hcl::{Arena, Code};

use crate::args::{self, Common, Format, ListFormat};
use crate::excerpt::Range;
use crate::expand::with_expansion;
use crate::finding::Finding;
use crate::human;
use crate::output;
use crate::status::{Failure, Status};
use crate::values::Outcome;
use crate::visible::{self, visible};

/// An expression, and what it gives a value to.
#[derive(Serialize)]
struct Row {
    depth: usize,
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

pub(crate) fn run(why: &args::Why, common: &Common) -> Result<Status, Failure> {
    let is_human = why.format == Format::Human;
    let shown = if is_human { ListFormat::Human } else { ListFormat::Json };
    with_expansion(&why.root, shown, common, |loaded, expansion, _| {
        let arena = loaded.arena;
        let origins = expansion.why(&why.address);
        // Values that are not shown for their length.
        let mut notes = anstream::stderr().lock();
        for found in expansion.diagnostics().iter().filter(|it| is_limit(it.code())) {
            human::write(&Finding::of(found), &mut notes)?;
        }
        drop(notes);
        let Some(origins) = origins else {
            let address = visible(&why.address);
            return Err(Failure::Message(format!(
                "there is no value {address}: expected the address of an attribute, a variable, a local value or \
                 an output"
            )));
        };
        if is_human {
            output::text(|out| {
                origins.iter().try_for_each(|origin| print(arena, origin, why, out))
            })?;
        } else {
            let rows: Vec<Row> = origins.iter().map(|origin| row(arena, origin, why)).collect();
            match why.format {
                Format::Ndjson => {
                    rows.iter().try_for_each(|row| output::value(Format::Ndjson, row))?;
                }
                format => output::value(format, &rows)?,
            }
        }
        Ok(Status::Clean)
    })
}

/// Whether a limit of the evaluation was reached.
fn is_limit(code: Code) -> bool {
    matches!(code, Code::EvaluationTooLong | Code::EvaluationTooLarge)
}

/// The value to show.
fn shown<'a>(arena: &'a Arena, value: Value<'a>, why: &args::Why) -> Value<'a> {
    if why.root.show_sensitive { value.unmark_deep(arena).0 } else { value }
}

/// The text of an expression. One that may contain a secret is not shown.
fn text_of(origin: &Origin<'_>, why: &args::Why) -> Option<String> {
    let label = origin.label?;
    if origin.is_hidden && !why.root.show_sensitive {
        return None;
    }
    Some(String::from_utf8_lossy(label.span.slice(label.source.bytes())).into_owned())
}

fn row<'a>(arena: &'a Arena, origin: &Origin<'a>, why: &args::Why) -> Row {
    Row {
        depth: origin.depth,
        address: origin.address.clone(),
        value: Some(Outcome::of(shown(arena, origin.value, why))),
        text: text_of(origin, why),
        range: origin.label.map(|label| Range::of(label.source, label.span)),
    }
}

fn print<'a>(
    arena: &'a Arena,
    origin: &Origin<'a>,
    why: &args::Why,
    out: &mut dyn std::io::Write,
) -> std::io::Result<()> {
    let indent = "  ".repeat(origin.depth.min(40));
    let value = visible::value(shown(arena, origin.value, why));
    let mut lines = value.lines();
    let address = visible(&origin.address);
    writeln!(out, "{indent}{address} = {}", visible(lines.next().unwrap_or_default()))?;
    lines.try_for_each(|line| writeln!(out, "{indent}{}", visible(line)))?;
    let Some(label) = origin.label else {
        return writeln!(out, "{indent}    (not set in a file)");
    };
    let at = label.source.position(label.span.start);
    let name = visible(label.source.name()).into_owned();
    let text = text_of(origin, why).unwrap_or_else(|| "(sensitive)".to_owned());
    let first = text.lines().next().unwrap_or_default();
    let more = if text.lines().count() > 1 { " …" } else { "" };
    writeln!(out, "{indent}    {name}:{}:{}: {}{more}", at.line, at.column, visible(first))
}
