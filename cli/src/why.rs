//! `why`: the expressions that a value depends on.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use simd_hcl::expand::Origin;
use simd_hcl::value::Value;
use simd_hcl::{Arena, Code};

use crate::args::{self, Common};
use crate::excerpt::Range;
use crate::expand::{addresses, unknown, with_expansion};
use crate::finding::Finding;
use crate::human;
use crate::order::Asked;
use crate::output::{self, Csv};
use crate::status::{Failure, Status};
use crate::values::Outcome;
use crate::visible::{self, visible};

/// An expression, and the object that it gives a value to.
#[derive(Serialize)]
struct Row<'o, 'a> {
    depth: usize,
    address: &'o str,
    #[serde(serialize_with = "as_outcome")]
    value: Value<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

pub(crate) fn run(why: &args::Why, common: &Common) -> Result<Status, Failure> {
    let paths = [why.root.directory.clone()];
    let asked = Asked { command: "why", noun: "address", first: &why.address, paths: &paths };
    asked.check()?;
    // Every address has a dot between two names.
    let has_dot = why.address.trim_start_matches('.').contains('.');
    let is_directory = Path::new(&why.address).is_dir();
    if is_directory
        && (!has_dot || why.address.contains('/'))
        && let Some(failure) = asked.missing()?
    {
        return Err(failure);
    }
    let (directory, address) = place(why)?;
    let root = args::ExpandRoot { directory, ..why.root.clone() };
    with_expansion(&root, why.format, common, |loaded, expansion, beside| {
        let arena = loaded.arena;
        let origins = expansion.why(address);
        // Values that are not shown for their length.
        let mut notes = anstream::stderr().lock();
        for found in expansion.diagnostics().iter().filter(|it| is_limit(it.code())) {
            human::write(&Finding::of(found), &mut notes)?;
        }
        drop(notes);
        let Some(origins) = origins else {
            let shown = visible(address);
            let what = format!(
                "there is no value {shown}: expected the address of an attribute, a variable, a local value or \
                 an output"
            );
            return Err(unknown(what, address, &addresses(loaded.tree, expansion.root())));
        };
        let rows = origins.iter().map(|origin| Row::of(arena, origin, why));
        output::list(why.format, common.style(), rows, &beside.gaps(loaded, expansion))?;
        Ok(Status::Clean)
    })
}

/// Returns the directory of the root module and the address in it: `DIR:ADDRESS` names both.
fn place(why: &args::Why) -> Result<(PathBuf, &str), Failure> {
    let address = why.address.as_str();
    // Keys of instances may have colons, too.
    let end = address.find(['[', '"']).unwrap_or(address.len());
    // A drive is followed by a separator, an address is not.
    let mut colons = address[..end].rmatch_indices(':').map(|(at, _)| at);
    let is_separator = |at: &usize| !address[at + 1..].starts_with(['/', '\\']);
    let Some(colon) = colons.find(is_separator) else {
        return Ok((why.root.directory.clone(), address));
    };
    let directory = PathBuf::from(&address[..colon]);
    if why.root.directory != Path::new(".") {
        let (one, other) = (visible::path(&directory), visible::path(&why.root.directory));
        let message = format!("two directories are named: {one} and {other}");
        return Err(Failure::Message(message));
    }
    Ok((directory, &address[colon + 1..]))
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

impl<'o, 'a> Row<'o, 'a> {
    fn of(arena: &'a Arena, origin: &'o Origin<'a>, why: &args::Why) -> Self {
        Self {
            depth: origin.depth,
            address: &origin.address,
            value: shown(arena, origin.value, why),
            text: text_of(origin, why),
            given_by: origin.given_by,
            range: origin.label.map(|label| Range::of(label.source, label.span)),
        }
    }
}

/// Serializes a value in the shape of an attribute of `decode`.
fn as_outcome<S: Serializer>(value: &Value<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    Outcome::of(*value).serialize(serializer)
}

impl output::Row for Row<'_, '_> {
    const MEMBER: Option<&'static str> = Some("expressions");
    const COLUMNS: &'static [&'static str] =
        &["depth", "address", "value", "text", "filename", "line", "column"];

    /// Prints `ADDRESS = VALUE`, and below it the expression.
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let indent = "  ".repeat(self.depth.min(40));
        let value = visible::value(self.value);
        let mut lines = value.lines();
        let address = visible(self.address);
        writeln!(out, "{indent}{address} = {}", visible(lines.next().unwrap_or_default()))?;
        lines.try_for_each(|line| writeln!(out, "{indent}{}", visible(line)))?;
        let Some(Range { filename, start, .. }) = &self.range else {
            return match self.given_by {
                Some(origin) => writeln!(out, "{indent}    (set by {})", visible(origin)),
                None => writeln!(out, "{indent}    (not set)"),
            };
        };
        let (name, text) = (visible(filename), self.text.as_deref().unwrap_or("(sensitive)"));
        let first = text.lines().next().unwrap_or_default();
        let more = if text.lines().count() > 1 { " …" } else { "" };
        let (line, column) = (start.line, start.column);
        writeln!(out, "{indent}    {name}:{line}:{column}: {}{more}", visible(first))
    }

    fn records(&self, out: &mut Csv<'_>) {
        let value = visible::value(self.value);
        let text = self.text.as_deref().unwrap_or_default();
        let [line, column] = match &self.range {
            Some(range) => [range.start.line, range.start.column].map(|it| it.to_string()),
            None => Default::default(),
        };
        let filename = self.range.as_ref().map_or("", |range| &range.filename);
        let depth = self.depth.to_string();
        out.record([&depth, self.address, &value, text, filename, &line, &column]);
    }
}
