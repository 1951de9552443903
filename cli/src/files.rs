//! The driver of commands that read each file on its own and print rows: `templates`, `query`.

use std::io;

use simd_hcl::directory::{FileOf, decode};
use simd_hcl::{Diagnostic, OpenError, ParsedFile, Severity, Source};

use crate::args::{Common, Configuration, ListFormat};
use crate::check::unreadable_directories;
use crate::finding::{Finding, Policy};
use crate::incomplete::{Incomplete, reason};
use crate::output::{List, Row, Rows};
use crate::progress::Progress;
use crate::stats::{Stats, count};
use crate::status::{Failure, Status};
use crate::{human, input};

/// The number of modules that are read together, so that memory does not grow with the tree.
const MODULES_AT_ONCE: usize = 128;

/// A file that was read, and its rows and problems.
pub(crate) struct File<'f, 'a> {
    pub(crate) of: FileOf<'f>,
    pub(crate) source: Source<'a>,
    pub(crate) parsed: ParsedFile<'a>,
    pub(crate) rows: &'f mut Rows,
    pub(crate) diagnostics: &'f mut Vec<Diagnostic<'a>>,
    pub(crate) incomplete: &'f mut Incomplete,
}

/// The results of one file, kept when its arena is reused.
struct Listed {
    bytes: u64,
    arena_bytes: usize,
    rows: Rows,
    incomplete: Incomplete,
    findings: Vec<Finding>,
}

/// Reads every file below the paths, several at a time, and prints the rows of type `R` that `list`
/// returns for each, in the order of modules and files. Errors go to standard error. `unit` is the
/// noun for a row. Returns the status and the number of rows.
pub(crate) fn list<R: Row>(
    configuration: &Configuration,
    common: &Common,
    format: ListFormat,
    unit: &str,
    list: impl for<'a> Fn(File<'_, 'a>) -> io::Result<()> + Sync,
) -> Result<(Status, usize), Failure> {
    let options = input::module_options(common)?;
    let mut stats = Stats::new(options.parse.kernel);
    let discovery = input::modules(configuration, common)?;
    let mut status = Incomplete::status(&discovery);
    let mut incomplete = Incomplete::of_discovery(&discovery);
    let mut findings = unreadable_directories(&discovery, Policy::default());

    let files = discovery.modules.iter().flat_map(|module| &module.files);
    let progress = Progress::new(files.filter(|file| file.is_read()).count(), common);
    stats.modules = discovery.modules.len();
    let mut all = List::new::<R>(format)?;
    let mut total = 0;
    for modules in discovery.modules.chunks(MODULES_AT_ONCE) {
        let listed = decode(modules, &options, |of, source, parsed| {
            progress.advance();
            of.file.is_asked_for().then(|| read(of, source, parsed, format, &list))
        });
        for file in listed.into_iter().flatten() {
            let file = file?;
            stats.files += 1;
            stats.bytes += file.bytes;
            stats.arena_bytes = stats.arena_bytes.max(file.arena_bytes);
            total += file.rows.len();
            all.append(file.rows)?;
            findings.extend(file.findings);
            incomplete.append(file.incomplete);
        }
    }
    drop(progress);
    all.finish(&incomplete)?;
    let mut errors = anstream::stderr().lock();
    for finding in &findings {
        status = status.max(Status::Found);
        human::write(finding, &mut errors)?;
    }
    drop(errors);
    incomplete.print(format, common);
    if !common.quiet {
        anstream::eprintln!("{}; {}", stats.summary("read"), count(total, unit));
    }
    stats.print(common);
    Ok((status, total))
}

/// Returns the rows and errors of one file.
fn read<'a>(
    of: FileOf<'_>,
    source: Source<'a>,
    parsed: Result<ParsedFile<'a>, Box<OpenError>>,
    format: ListFormat,
    list: &(impl for<'b> Fn(File<'_, 'b>) -> io::Result<()> + Sync),
) -> io::Result<Listed> {
    let mut rows = Rows::new(format);
    let mut incomplete = Incomplete::default();
    let mut diagnostics = Vec::new();
    match parsed {
        Err(error) => {
            let diagnostic = error.to_diagnostic(source);
            incomplete.add_file(source.name(), &reason(&diagnostic));
            diagnostics.push(diagnostic);
        }
        Ok(parsed) => {
            diagnostics.extend_from_slice(parsed.diagnostics());
            if !parsed.is_complete() {
                let error = diagnostics.iter().find(|it| it.severity() == Severity::Error);
                let reason = error.map(reason).unwrap_or_default();
                incomplete.add_file(source.name(), &reason);
            }
            list(File {
                of,
                source,
                parsed,
                rows: &mut rows,
                diagnostics: &mut diagnostics,
                incomplete: &mut incomplete,
            })?;
        }
    }
    let errors = diagnostics.iter().filter(|found| found.severity() == Severity::Error);
    Ok(Listed {
        bytes: source.bytes().len() as u64,
        arena_bytes: source.arena_bytes(),
        findings: errors.map(Finding::of).collect(),
        rows,
        incomplete,
    })
}
