//! `decode --spec`: the value of files by a specification, with the flags, the output and the exit
//! statuses of `hcldec`.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use serde::Serialize;
use simd_hcl::body::Body;
use simd_hcl::directory::Roots;
use simd_hcl::evaluate::Scope;
use simd_hcl::spec::{Output, SpecFile, decode, to_json, variables, variables_to_json};
use simd_hcl::value::Value;
use simd_hcl::{Arena, Diagnostic, Document, ParsedFile, Severity, Source};

use crate::args::{self, Common};
use crate::excerpt::Range;
use crate::finding::Finding;
use crate::serialized::{self, Shape};
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::visible::visible;
use crate::{human, input, output, replace};

/// The name of standard input if none is given.
const STDIN_NAME: &str = "<stdin>";

/// A problem of an input.
enum Problem<'a> {
    Found(Diagnostic<'a>),
    /// A file cannot be read.
    Unread(String),
    /// The value cannot be written.
    Unwritable(String),
}

impl Problem<'_> {
    fn is_error(&self) -> bool {
        match self {
            Self::Found(diagnostic) => diagnostic.severity() == Severity::Error,
            Self::Unread(_) | Self::Unwritable(_) => true,
        }
    }
}

/// A problem in the shape of hcldec, and its code.
#[derive(Serialize)]
struct Line<'p> {
    severity: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    summary: &'static str,
    detail: Cow<'p, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<Range>,
}

#[derive(Serialize)]
struct Lines<'p> {
    diagnostics: Vec<Line<'p>>,
}

/// The state of a run.
struct Run<'r, 'a> {
    arena: &'a Arena,
    decode: &'r args::Decode,
    common: &'r Common,
    stats: Stats,
    problems: Vec<Problem<'a>>,
}

pub(crate) fn run(decode: &args::Decode, path: &Path, common: &Common) -> Result<Status, Failure> {
    let mut arena = Arena::new();
    let stats = Stats::new(input::kernel(common)?);
    let mut run = Run { arena: &arena, decode, common, stats, problems: Vec::new() };
    let text = run.text(path)?;
    let status = run.finish(text)?;
    let mut stats = run.stats;
    stats.arena_bytes = arena.allocated_bytes();
    stats.print(common);
    Ok(status)
}

impl<'a> Run<'_, 'a> {
    /// Returns the text to write, if there is no error.
    fn text(&mut self, path: &Path) -> Result<Option<String>, Failure> {
        let Some(source) = self.source(path) else { return Ok(None) };
        let file = ParsedFile::native(self.arena, source);
        self.take(file.diagnostics());
        let Some(native) = file.as_native().filter(|_| !self.has_errors()) else {
            return Ok(None);
        };
        let mut found = Vec::new();
        let spec = SpecFile::read(native, &mut found);
        self.take(&found);
        let Some(spec) = spec else { return Ok(None) };

        let mut known: Vec<(&'a str, Value<'a>)> = spec.variables().to_vec();
        for (place, argument) in self.decode.vars.iter().enumerate() {
            known.extend(self.variables(place, argument)?);
        }
        // Of two variables of one name the last counts.
        known.reverse();
        known.sort_by_key(|(name, _)| *name);
        known.dedup_by_key(|(name, _)| *name);
        let mut scope = Scope::new();
        if !known.is_empty() {
            scope = scope.with_variables(&known);
        }
        if let Some(functions) = spec.functions() {
            scope = scope.with_functions(functions);
        }
        let has_scope = !known.is_empty() || spec.functions().is_some();

        let mut bodies = Vec::new();
        let stdin = [Path::new("-").to_owned()];
        let files = if self.decode.files.is_empty() { &stdin } else { &*self.decode.files };
        for path in files {
            let Some(source) = self.source(path) else { continue };
            bodies.extend(self.body(source)?);
        }
        if self.has_errors() {
            return Ok(None);
        }
        if self.decode.var_refs {
            let references = variables(spec.root(), &bodies);
            return Ok(Some(variables_to_json(&references, &known)));
        }
        let mut found = Vec::new();
        let value = decode(spec.root(), &bodies, has_scope.then_some(&scope), &mut found);
        self.take(&found);
        if self.has_errors() {
            return Ok(None);
        }
        let options =
            Output::default().with_type(self.decode.with_type).with_nulls(self.decode.keep_nulls);
        match to_json(value, options) {
            Ok(text) => Ok(Some(text)),
            Err(error) => {
                self.problems.push(Problem::Unwritable(format!("the value has no JSON: {error}")));
                Ok(None)
            }
        }
    }

    fn take(&mut self, found: &[Diagnostic<'a>]) {
        self.problems.extend(found.iter().cloned().map(Problem::Found));
    }

    fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }

    fn source(&mut self, path: &Path) -> Option<Source<'a>> {
        let stdin_name = self.decode.stdin_name.as_deref().unwrap_or(STDIN_NAME);
        match input::text(self.arena, path, stdin_name, self.common) {
            Ok(source) => {
                self.stats.files += 1;
                self.stats.bytes += source.bytes().len() as u64;
                Some(source)
            }
            Err(error) => {
                let path = path.to_string_lossy();
                self.problems.push(Problem::Unread(format!("{path}: {error}")));
                None
            }
        }
    }

    /// The body of a file whose name says its syntax; `None` after an error.
    fn body(&mut self, source: Source<'a>) -> Result<Option<Body<'a>>, Failure> {
        let parsed = match source.name().ends_with(".json") {
            false => ParsedFile::native(self.arena, source),
            true => {
                let options = input::parse_options(self.common)?;
                match Document::read(self.arena, source, &options) {
                    Ok(document) => ParsedFile::json(document),
                    Err(error) => {
                        self.take(&[error]);
                        return Ok(None);
                    }
                }
            }
        };
        self.take(parsed.diagnostics());
        let body = parsed.body();
        if let Some(error) = body.type_error() {
            self.take(&[error]);
            return Ok(None);
        }
        let is_valid = parsed.diagnostics().iter().all(|it| it.severity() != Severity::Error);
        Ok(is_valid.then_some(body))
    }

    /// The variables of one `--vars`: of a file, or of JSON in its place.
    fn variables(
        &mut self,
        place: usize,
        argument: &str,
    ) -> Result<Vec<(&'a str, Value<'a>)>, Failure> {
        let source = if argument.trim_start().starts_with('{') {
            let name = format!("<vars argument {place}>.json");
            Source::from_bytes(
                self.arena,
                self.arena.str(&name),
                self.arena.str(argument).as_bytes(),
            )
            .map_err(|error| Failure::Message(error.to_string()))
            .map(Some)?
        } else {
            self.source(Path::new(argument))
        };
        let Some(source) = source else { return Ok(Vec::new()) };
        let Some(body) = self.body(source)? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        let attributes = body.just_attributes(&mut found);
        let known = attributes
            .iter()
            .map(|it| (it.name(), it.expression().literal_value(&mut found)))
            .collect();
        self.take(&found);
        Ok(known)
    }

    /// Writes the text and the problems.
    fn finish(&self, text: Option<String>) -> Result<Status, Failure> {
        let mut errors = anstream::stderr().lock();
        match self.decode.diags {
            Some(args::DiagnosticFormat::Json) if !self.problems.is_empty() => {
                let diagnostics = self.problems.iter().map(line).collect();
                serialized::write(&mut errors, Shape::Indented(0), &Lines { diagnostics })?;
                io::Write::write_all(&mut errors, b"\n")?;
            }
            Some(_) => {}
            None => {
                for problem in &self.problems {
                    match problem {
                        Problem::Found(diagnostic) => {
                            human::write(&Finding::of(diagnostic), &mut errors)?;
                        }
                        Problem::Unread(message) | Problem::Unwritable(message) => {
                            let message = visible(message);
                            io::Write::write_fmt(
                                &mut errors,
                                format_args!("simd-hcl: {message}\n"),
                            )?;
                        }
                    }
                }
            }
        }
        drop(errors);
        let is_unwritable = |problem: &Problem<'_>| matches!(problem, Problem::Unwritable(_));
        match text {
            Some(text) => self.write(&text).map(|()| Status::Clean),
            None if self.problems.iter().any(is_unwritable) => Ok(Status::Found),
            None => Ok(Status::CouldNotRun),
        }
    }

    fn write(&self, text: &str) -> Result<(), Failure> {
        let Some(path) = &self.decode.out else {
            return Ok(output::data(|out| writeln!(out, "{text}"))?);
        };
        let text = format!("{text}\n");
        replace::result(path, text.as_bytes(), &Roots::around([path])).map_err(|error| {
            Failure::Message(format!("cannot write {}: {error}", path.to_string_lossy()))
        })
    }
}

fn line<'p>(problem: &'p Problem<'_>) -> Line<'p> {
    match problem {
        Problem::Found(diagnostic) => Line {
            severity: diagnostic.severity().as_str(),
            code: Some(diagnostic.code().as_str()),
            summary: diagnostic.summary(),
            detail: diagnostic.message().into(),
            subject: Some(Range::of(diagnostic.source(), diagnostic.span())),
        },
        Problem::Unread(message) => without_place("File cannot be read", message),
        Problem::Unwritable(message) => without_place("Value cannot be written", message),
    }
}

fn without_place<'p>(summary: &'static str, detail: &'p str) -> Line<'p> {
    let severity = Severity::Error.as_str();
    Line { severity, code: None, summary, detail: detail.into(), subject: None }
}
