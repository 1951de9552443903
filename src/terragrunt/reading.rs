//! Functions of Terragrunt that read files, and their constants.

use std::collections::BTreeSet;

use super::call::{Call, Outcome};
use super::disk::{Entry, is_below};
use super::log::Watched;
use super::pattern::Pattern;
use crate::Source;
use crate::evaluate::{FunctionError, Scope};
use crate::functions::paths::{clean, join};
use crate::functions::{FileError, FileKind};
use crate::parsed::ParsedFile;
use crate::value::{self, Clause, Value};
use crate::write::{Layout, to_string};

/// The most bytes of a file that a function reads.
pub(super) const MOST_BYTES: u64 = 64 << 20;

/// The steps of listing a folder.
const LISTING: u64 = 100;

/// The result of `get_default_retryable_errors`.
pub(super) const RETRYABLE_ERRORS: [&str; 30] = [
    "(?s).*Failed to load state.*tcp.*timeout.*",
    "(?s).*Failed to load backend.*TLS handshake timeout.*",
    "(?s).*Creating metric alarm failed.*request to update this alarm is in progress.*",
    "(?s).*Error installing provider.*TLS handshake timeout.*",
    "(?s).*Error configuring the backend.*TLS handshake timeout.*",
    "(?s).*Error installing provider.*tcp.*timeout.*",
    "(?s).*Error installing provider.*tcp.*connection reset by peer.*",
    "NoSuchBucket: The specified bucket does not exist",
    "(?s).*Error creating SSM parameter: TooManyUpdates:.*",
    "(?s).*app.terraform.io.*: 429 Too Many Requests.*",
    "(?s).*ssh_exchange_identification.*Connection closed by remote host.*",
    "(?s).*Client\\.Timeout exceeded while awaiting headers.*",
    "(?s).*Could not download module.*The requested URL returned error: 429.*",
    "(?s).*net/http: TLS.*handshake timeout.*",
    "(?s).*could not query provider registry.*context deadline exceeded.*",
    "(?s).*provider.*TLS handshake timeout.*",
    "(?s).*provider.*tcp.*timeout.*",
    "(?s).*provider.*tcp.*connection reset by peer.*",
    "(?s).*provider.*context deadline exceeded.*",
    "(?s).*registry.*context deadline exceeded.*",
    "(?s).*Failed to resolve provider.*timeout.*",
    "(?s).*Failed to resolve provider.*connection reset by peer.*",
    "(?s).*Failed to resolve provider.*context deadline exceeded.*",
    "(?s).*could not connect to registry.*timeout.*",
    "(?s).*could not connect to registry.*connection reset by peer.*",
    "(?s).*could not connect to registry.*context deadline exceeded.*",
    "(?s).*failed to request discovery document.*context deadline exceeded.*",
    "(?s).*Failed to query available provider packages.*timeout.*",
    "(?s).*Failed to query available provider packages.*connection reset by peer.*",
    "(?s).*Failed to query available provider packages.*context deadline exceeded.*",
];

/// `read_tfvars_file`: the values of a file of variables, as JSON.
pub(super) fn read_tfvars_file<'v>(call: &Call<'_, '_, '_, 'v>) -> Outcome<'v> {
    let context = call.context;
    let Some(path) = call.arguments.first().and_then(|value| value.as_str()) else {
        return Err(FunctionError::new(Clause::fixed("a path is required")));
    };
    let path = context.absolute(path);
    match context.world.disk.kind(&path) {
        Ok(FileKind::File) => context.log.track(path.clone()),
        Ok(kind) => return Err(call.error(&path, &FileError::Kind(kind))),
        Err(error) => {
            context.log.also(path.clone());
            return Err(call.error(&path, &error));
        }
    }
    let read = context.world.disk.read(&path, MOST_BYTES);
    let bytes = read.map_err(|error| call.error(&path, &error))?;
    call.meter.spend(bytes.len() as u64 / 16)?;
    call.meter.allocate(bytes.len() as u64)?;
    if path.ends_with("json") {
        return match std::str::from_utf8(&bytes) {
            Ok(text) => call.string(text),
            Err(_) => Err(FunctionError::new(Clause::fixed("the file is not UTF-8 text"))),
        };
    }
    let arena = call.arena;
    let source = Source::copy_from(arena, &path, &bytes)
        .map_err(|_| call.error(&path, &FileError::TooLarge(MOST_BYTES)))?;
    let file = ParsedFile::native(arena, source);
    let invalid = || FunctionError::new(Clause::fixed("the file of variables is invalid"));
    let is_error = |it: &crate::Diagnostic<'_>| it.severity() == crate::Severity::Error;
    if file.diagnostics().iter().any(is_error) {
        return Err(invalid());
    }
    let mut errors: Option<crate::Diagnostic<'_>> = None;
    let mut entries = Vec::new();
    for attribute in file.body().just_attributes(&mut errors) {
        let value = attribute.expression().value_within(&Scope::new(), call.meter, &mut errors);
        entries.push((attribute.name(), value));
    }
    if errors.is_some() {
        return Err(invalid());
    }
    let object = Value::object(arena, &entries);
    let mut written = Ok(());
    let text = to_string(Layout::Compact, |slot| written = value::write(object, slot));
    written.map_err(|_| invalid())?;
    call.string(&text)
}

/// `mark_glob_as_read`: the files that match a pattern, which are tracked.
pub(super) fn mark_glob_as_read<'v>(call: &Call<'_, '_, '_, 'v>) -> Outcome<'v> {
    const FLAG: &str = "--terragrunt-boundary";
    let context = call.context;
    let mut texts: Vec<&str> = call.arguments.iter().filter_map(|it| it.as_str()).collect();
    let mut boundary = None;
    if let Some(rest) = texts.first().and_then(|first| first.strip_prefix(FLAG)) {
        let value = match rest.strip_prefix('=') {
            Some(value) => {
                texts.remove(0);
                Some(value)
            }
            None if rest.is_empty() && texts.len() > 1 => {
                texts.remove(0);
                Some(texts.remove(0))
            }
            None => None,
        };
        let Some(value) = value.filter(|value| !value.is_empty()) else {
            return Err(FunctionError::new(Clause::fixed("the boundary has no folder")));
        };
        boundary = Some(context.absolute(value));
    }
    let [pattern] = texts[..] else {
        return Err(FunctionError::new(Clause::fixed("one pattern is required")));
    };
    let boundary = boundary.or_else(|| context.world.work_tree(&context.folder()));
    let pattern = match pattern.starts_with('/') {
        true => clean(pattern),
        false => join(&context.folder(), pattern),
    };
    context.log.get().watched.insert(Watched::Pattern(pattern.clone()));
    let glob = Pattern::new(&pattern).map_err(|why| FunctionError::new(Clause::fixed(why)))?;
    let start = glob.start();
    if let Some(boundary) = &boundary
        && !is_below(start, boundary)
    {
        return Err(FunctionError::new(Clause::fixed(
            "the pattern leads out of the folder that it is bound to",
        )));
    }
    let mut found = BTreeSet::new();
    if context.world.disk.is_file(start) {
        found.insert(start.to_owned());
    }
    let mut open = vec![start.to_owned()];
    while let Some(folder) = open.pop() {
        let listing = context.world.disk.list(&folder);
        call.meter.spend(LISTING + listing.entries.len() as u64 * glob.cost())?;
        for (name, entry) in &listing.entries {
            let path = join(&folder, name);
            match entry {
                Entry::Folder if name == ".git" => {}
                Entry::Folder if glob.enters(&path) => open.push(path),
                Entry::Folder => {}
                _ if glob.matches(&path) && context.world.disk.is_file(&path) => {
                    found.insert(path);
                }
                _ => {}
            }
        }
    }
    let found: Vec<String> = found.into_iter().collect();
    for path in &found {
        context.log.track(path.clone());
    }
    call.strings(found.iter().map(String::as_str))
}
