//! `eval`: the value of one expression, as a console would print it.

use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::evaluate::Scope;
use simd_hcl::functions::standard;
use simd_hcl::native::Native;
use simd_hcl::{Arena, Severity, Source};

use crate::args::{self, Common, Format};
use crate::finding::Finding;
use crate::values::{self, Outcome, to_console};
use crate::{Failure, Status, human, input};

/// In the shape of an attribute of `decode`.
#[derive(Serialize)]
struct Evaluated {
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Outcome>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Finding>,
    variables: Vec<String>,
}

pub(crate) fn run(eval: &args::Eval, common: &Common) -> Result<Status, Failure> {
    let options = input::parse_options(common)?;
    let arena = Arena::new();
    let variables = match &eval.vars {
        Some(path) => values::variables(&arena, path, &options)?,
        None => Vec::new(),
    };
    let library = standard();
    let scope = Scope::new().with_variables(&variables).with_functions(&library);
    let source = text(&arena, eval)?;

    let mut diagnostics = Vec::new();
    let native = match eval.template {
        true => Native::template(&arena, source, &mut diagnostics),
        false => Native::expression(&arena, source, &mut diagnostics),
    };
    let value = native.value(&scope, &mut diagnostics);
    let variables = native.variables().map(|traversal| traversal.to_string()).collect();
    diagnostics.retain(|diagnostic| diagnostic.severity() == Severity::Error);
    let errors: Vec<Finding> = diagnostics.iter().map(Finding::of).collect();
    let status = if errors.is_empty() { Status::Clean } else { Status::Found };

    let mut out = anstream::stdout().lock();
    if eval.format == Format::Human {
        let mut notes = anstream::stderr().lock();
        errors.iter().try_for_each(|error| human::write(error, &mut notes))?;
        if errors.is_empty() {
            writeln!(out, "{}", to_console(&arena, value))?;
        }
    } else {
        let result = errors.is_empty().then(|| Outcome::of(value));
        let evaluated = Evaluated { result, errors, variables };
        match eval.format {
            Format::Ndjson => serde_json::to_writer(&mut out, &evaluated)?,
            _ => serde_json::to_writer_pretty(&mut out, &evaluated)?,
        }
        writeln!(out)?;
    }
    out.flush()?;
    Ok(status)
}

/// What the argument says, or standard input for `-`.
fn text<'a>(arena: &'a Arena, eval: &args::Eval) -> Result<Source<'a>, Failure> {
    let read = match eval.expression.as_str() {
        "-" => Source::read_from(arena, "stdin", io::stdin().lock()),
        text => Source::read_from(arena, "expression", text.as_bytes()),
    };
    read.map_err(|error| Failure::Message(error.to_string()))
}
