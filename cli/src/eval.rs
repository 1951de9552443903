//! `eval`: the value of one expression, as the console of the tools prints it.

use std::io;

use serde::Serialize;
use simd_hcl::evaluate::{Function, Functions, Scope};
use simd_hcl::functions::{Environment, STANDARD};
use simd_hcl::native::Native;
use simd_hcl::{Arena, Code, Severity, Source};

use crate::args::{self, Common, Format};
use crate::finding::Finding;
use crate::human;
use crate::incomplete::Incomplete;
use crate::output::{self, FORMAT_VERSION};
use crate::status::{Failure, Status};
use crate::values::{self, Outcome};
use crate::visible;

/// The result as JSON, in the shape of an attribute of `decode`.
#[derive(Serialize)]
struct Evaluated {
    format_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Outcome>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Finding>,
    variables: Vec<String>,
    /// Always empty: an expression is read as a whole, and a value says itself that it is unknown.
    incomplete: Incomplete,
}

pub(crate) fn run(eval: &args::Eval, common: &Common) -> Result<Status, Failure> {
    let arena = Arena::new();
    let variables = match &eval.vars {
        Some(path) => values::variables(&arena, path, common)?,
        None => Vec::new(),
    };
    let library =
        Library { clock: eval.now.as_deref().map(|now| Environment::new().with_now(now)) };
    let scope = Scope::new().with_variables(&variables).with_functions(&library);
    let source = text(&arena, eval)?;

    let mut diagnostics = Vec::new();
    let native = match eval.template {
        true => Native::template(&arena, source, &mut diagnostics),
        false => Native::expression(&arena, source, &mut diagnostics),
    };
    let value = native.value(&scope, &mut diagnostics);
    let value = if eval.show_sensitive { value.unmark_deep(&arena).0 } else { value };
    let variables = native.variables().map(|traversal| traversal.to_string()).collect();
    diagnostics.retain(|diagnostic| diagnostic.severity() == Severity::Error);
    let errors: Vec<Finding> = diagnostics.iter().map(Finding::of).map(advised).collect();
    let status = if errors.is_empty() { Status::Clean } else { Status::Found };

    if eval.format == Format::Human {
        let mut notes = anstream::stderr().lock();
        errors.iter().try_for_each(|error| human::write(error, &mut notes))?;
        if errors.is_empty() {
            output::text(|out| writeln!(out, "{}", visible::as_shown(&value.to_string())))?;
        }
    } else {
        let result = errors.is_empty().then(|| Outcome::of(value));
        let (format_version, incomplete) = (FORMAT_VERSION, Incomplete::default());
        let evaluated = Evaluated { format_version, result, errors, variables, incomplete };
        output::value(eval.format, common.style(), &evaluated)?;
    }
    Ok(status)
}

/// The functions that need nothing but their arguments, and the clock if it is set.
struct Library<'e> {
    clock: Option<Environment<'e>>,
}

/// The functions that read the clock.
const OF_CLOCK: [&str; 2] = ["timestamp", "plantimestamp"];

impl Functions for Library<'_> {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        let plain = name.strip_prefix("core::").unwrap_or(name);
        match &self.clock {
            Some(clock) if OF_CLOCK.contains(&plain) => clock.get(name),
            _ => STANDARD.get(name),
        }
    }

    fn names(&self) -> Vec<&str> {
        STANDARD.names()
    }
}

/// Adds the flag that gives what is missing.
fn advised(error: Finding) -> Finding {
    let of_clock = || OF_CLOCK.iter().any(|name| error.detail.contains(&format!("\"{name}\"")));
    match error.known_code() {
        Some(Code::UnknownVariable) => {
            error.with_help("`--vars FILE` gives variables: a JSON object.")
        }
        Some(Code::FunctionFailed) if of_clock() => {
            error.with_help("`--now 2030-01-02T03:04:05Z` sets the time.")
        }
        _ => error,
    }
}

/// Returns the argument, or standard input for `-`.
fn text<'a>(arena: &'a Arena, eval: &args::Eval) -> Result<Source<'a>, Failure> {
    let read = match eval.expression.as_str() {
        "-" => Source::read_from(arena, "stdin", io::stdin().lock()),
        text => Source::read_from(arena, "expression", text.as_bytes()),
    };
    read.map_err(|error| Failure::Message(error.to_string()))
}
