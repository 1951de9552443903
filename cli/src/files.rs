//! The driver of commands that read each file on its own and print rows: `templates`, `query`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::Value as Json;
use simd_hcl::diagnostic::Label;
use simd_hcl::dialect::{List as FileList, Syntax};
use simd_hcl::directory::{Discovery, FileOf, ModuleFile, ModuleFiles, decode};
use simd_hcl::hidden::Hidden;
use simd_hcl::terragrunt::{self, Options, Runs};
use simd_hcl::tree::Secrets;
use simd_hcl::{Arena, Diagnostic, OwnedDiagnostic, ParsedFile, Severity, Source, stream};

use crate::args::{Common, Configuration, ListFormat};
use crate::check::unreadable_directories;
use crate::excerpt::Range;
use crate::finding::{Finding, Policy};
use crate::git::{self, Commit};
use crate::incomplete::{Incomplete, reason};
use crate::output::{List, Row, Rows, locked};
use crate::paths::{self, or_here};
use crate::progress::Progress;
use crate::revision::Revision;
use crate::revision_files::{RevisionFiles, RootFiles};
use crate::stats::{Stats, count};
use crate::status::{Failure, Status};
use crate::visible;
use crate::{human, input};

/// The number of modules that are read together, so that memory does not grow with the tree.
const MODULES_AT_ONCE: usize = 128;

/// A file that was read, and its rows and problems.
pub(crate) struct File<'f, 'a> {
    pub(crate) of: FileOf<'f>,
    /// The values that must not be shown; `None` if all are shown.
    pub(crate) secrets: Option<&'f Secrets>,
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

/// The parts that were read of a file that is too large to keep.
#[derive(Default)]
pub(crate) struct Streamed {
    pub(crate) rows: usize,
    pub(crate) bytes: u64,
    /// The names of the members of its root, if all of it was read.
    pub(crate) members: Vec<String>,
    /// Whether an error was printed.
    pub(crate) has_errors: bool,
    pub(crate) incomplete: Incomplete,
}

/// Lists the rows of a file.
pub(crate) type OnFile<'l> = &'l (dyn for<'a> Fn(File<'_, 'a>) -> io::Result<()> + Sync);

/// A file that is too large to keep.
pub(crate) struct Large<'m> {
    pub(crate) of: FileOf<'m>,
    pub(crate) secrets: Option<&'m Secrets>,
    pub(crate) input: Box<dyn Read>,
    pub(crate) options: stream::Options,
}

/// Notes that a value of a stream is hidden that may not be secret: what the rest of the file declares
/// and passes on is not known yet.
pub(crate) fn hides_unread(incomplete: &mut Incomplete, at: Label<'_>) {
    let why = "values from here on are hidden if a declaration or a call further on in the file can \
               make them secret; --stream-from reads a larger file as a whole";
    if !incomplete.has("row", why) {
        let Range { filename, start, .. } = Range::of(at.source, at.span);
        incomplete.add("row", format!("{filename}:{}:{}", start.line, start.column), why);
    }
}

/// Prints the rows of a file that is too large to keep.
pub(crate) type OnLarge<'l> = &'l dyn Fn(Large<'_>, &mut List) -> io::Result<Streamed>;

/// Reads every file below the paths, several at a time, and prints the rows of type `R` that `list`
/// returns for each, in the order of modules and files. Errors go to standard error. `unit` is the
/// noun for a row. `list` gets what must not be shown, unless all is. `on_large` gets a large file, if it is the only one. Returns the status and the
/// number of rows.
pub(crate) fn list<R: Row>(
    configuration: &Configuration,
    common: &Common,
    (format, shows_sensitive): (ListFormat, bool),
    unit: &str,
    on_large: Option<OnLarge<'_>>,
    list: OnFile<'_>,
) -> Result<(Status, usize), Failure> {
    let options = input::module_options(common)?;
    let mut stats = Stats::new(options.parse.kernel);
    let mut discovery = input::modules_and_units(configuration, common)?;
    let secrets = match shows_sensitive {
        true => None,
        false => {
            let secrets = Secrets::of_modules(&discovery.modules, &input::decode_options(common)?);
            Some(secrets.with_units(hidden_in_units(&discovery, configuration, common)))
        }
    };
    let secrets = secrets.as_ref();
    let mut status = Incomplete::status(&discovery);
    let mut incomplete = Incomplete::of_discovery(&discovery);
    let mut findings = unreadable_directories(&discovery, Policy::default());

    let files = discovery.modules.iter().flat_map(|module| &module.files);
    let progress = Progress::new(files.filter(|file| file.is_read()).count(), common);
    stats.modules = discovery.modules.len();
    let all = Arc::new(Mutex::new(List::new::<R>(format, common.style())?));
    let mut total = 0;
    let only = only_file(&discovery);
    let mut streamed = None;
    if let (Some(place), Some(on_large)) = (only, on_large)
        && let Some(read) = read_large(&mut discovery, place, secrets, on_large, &all, common)?
    {
        if read.has_errors {
            status = status.max(Status::Found);
        }
        incomplete.append(read.incomplete);
        total = read.rows;
        streamed = Some(read.bytes);
    } else {
        input::refuse_too_large(&discovery)?;
    }
    for modules in discovery.modules.chunks(MODULES_AT_ONCE) {
        let listed = decode(modules, &options, |of, source, parsed| {
            progress.advance();
            let rows =
                || if only.is_some() { Rows::of(&all) } else { Rows::new(format, common.style()) };
            of.file.is_asked_for().then(|| {
                read((of, secrets), source, parsed, rows(), &|file| match streamed {
                    // Only what is wrong with the file is not known yet.
                    Some(_) => Ok(()),
                    None => list(file),
                })
            })
        });
        for file in listed.into_iter().flatten() {
            let file = file?;
            stats.files += 1;
            stats.bytes += file.bytes;
            stats.arena_bytes = stats.arena_bytes.max(file.arena_bytes);
            total += file.rows.len();
            locked(&all).append(file.rows)?;
            findings.extend(file.findings);
            incomplete.append(file.incomplete);
        }
    }
    drop(progress);
    locked(&all).finish(&incomplete)?;
    stats.bytes = streamed.unwrap_or(stats.bytes);
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

/// Returns what must not be shown of files of units, by their directories. Units anywhere in a git work
/// tree may include them.
pub(crate) fn hidden_in_units(
    discovery: &Discovery,
    configuration: &Configuration,
    common: &Common,
) -> BTreeMap<PathBuf, Hidden> {
    let (mut trees, mut all) = (BTreeSet::new(), BTreeMap::new());
    // Files of variables without a module are those of units.
    let may_have_units = |module: &&ModuleFiles| {
        let has = |list| module.files.iter().any(|it| it.kind.list == list);
        has(FileList::Other) || has(FileList::Variables) && !has(FileList::Primary)
    };
    for module in discovery.modules.iter().filter(may_have_units) {
        let directory = module.directory();
        let real = directory.disk().and_then(|path| or_here(path).canonicalize().ok());
        let Some(real) = real else { continue };
        if !real.ancestors().any(|above| trees.contains(above)) {
            trees.insert(input::tree_around(&real, configuration, common));
        }
    }
    let options = Options::default().following_links(common.follow_links).within(common.limits());
    for tree in &trees {
        // One in another tree is searched with that.
        if !tree.ancestors().skip(1).any(|above| trees.contains(above)) {
            all.extend(terragrunt::hidden(tree, &options));
        }
    }
    all
}

/// Returns what must not be shown of files of units in a revision, by their directories from its top.
pub(crate) fn hidden_in_revision(
    revision: &Revision,
    commit: &Commit,
    common: &Common,
) -> Result<BTreeMap<PathBuf, Hidden>, Failure> {
    let top = git::top()?;
    let files = RevisionFiles::of(commit.hash.clone(), top.clone(), common);
    if !files.has_units() {
        return Ok(BTreeMap::new());
    }
    // The modules of units may be anywhere.
    let whole = match revision.path() {
        "" => None,
        _ => Some(Revision::read(commit, &top, common)?),
    };
    let root = whole.as_ref().unwrap_or(revision).root();
    let files = RootFiles { revision: &files, directory: String::new() };
    let (arena, options) = (Arena::new(), Options::default());
    let top = paths::text(&top);
    let runs = Runs::of_files(&arena, &files, (&top, &top), &options);
    let hidden = runs.with_modules(&root).hidden();
    let inside =
        |path: &str| path.strip_prefix(&top).map(|rest| rest.trim_start_matches('/').into());
    Ok(hidden.into_iter().filter_map(|(path, hidden)| Some((inside(&path)?, hidden))).collect())
}

/// Returns the number of the module and of the file whose rows are printed, if it is the only one.
fn only_file(discovery: &Discovery) -> Option<(usize, usize)> {
    let modules = discovery.modules.iter().enumerate();
    let mut places = modules.flat_map(|(module, files)| {
        let is_listed = |file: &ModuleFile| file.is_read() && file.is_asked_for();
        let listed = files.files.iter().enumerate().filter(move |(_, file)| is_listed(file));
        listed.map(move |(file, _)| (module, file))
    });
    let only = places.next();
    if places.next().is_none() { only } else { None }
}

/// Prints the rows of a file as a stream, if it is large JSON. Afterwards the file has the members of
/// its root without their values, which tell whether it is configuration.
fn read_large(
    discovery: &mut Discovery,
    (module, file): (usize, usize),
    secrets: Option<&Secrets>,
    on_large: OnLarge<'_>,
    list: &Mutex<List>,
    common: &Common,
) -> Result<Option<Streamed>, Failure> {
    let module = &mut discovery.modules[module];
    let of = FileOf { module, file: &module.files[file] };
    if of.file.kind.syntax == Syntax::Native {
        return Ok(None);
    }
    let path = match of.file.path.disk() {
        Some(path) if common.instead.is_stdin(path) => Path::new("-"),
        Some(path) => path,
        None => return Ok(None),
    };
    let input: Box<dyn Read> = match input::large(path, b"{[", input::LARGE_FILE, common)? {
        None => return Ok(None),
        Some(input::Large::File(file)) => Box::new(file),
        Some(input::Large::Pipe(pipe)) => pipe,
    };
    let options = stream::Options::default()
        .with_name(of.file.path.to_string_lossy())
        .with_kernel(input::kernel(common)?)
        .with_max_depth(common.max_depth);
    let read = on_large(Large { of, secrets, input, options }, &mut locked(list))?;
    let names = read.members.iter().map(|name| Json::from(name.as_str()));
    let members: Vec<_> = names.map(|name| format!("{name}:null")).collect();
    let content = format!("{{{}}}", members.join(","));
    let file = &mut module.files[file];
    *file = file.clone().with_content(content.into_bytes().into());
    Ok(Some(read))
}

impl Streamed {
    /// Prints a problem. The first one is why the rest was not read.
    pub(crate) fn fail(&mut self, problem: &OwnedDiagnostic) {
        anstream::eprintln!("{}", visible::line(&problem.to_string()));
        self.has_errors = true;
        self.incomplete.add_file(&problem.range.filename, &problem.summary);
        self.members.clear();
    }

    /// Prints the errors of a record.
    pub(crate) fn tell(&mut self, diagnostics: &[Diagnostic<'_>]) {
        for error in diagnostics.iter().filter(|it| it.severity() == Severity::Error) {
            anstream::eprintln!("{}", visible::line(&error.to_string()));
            self.has_errors = true;
        }
    }
}

/// Returns the rows and errors of one file.
fn read<'a>(
    (of, secrets): (FileOf<'_>, Option<&Secrets>),
    source: Source<'a>,
    parsed: Result<ParsedFile<'a>, Diagnostic<'a>>,
    mut rows: Rows,
    list: &dyn Fn(File<'_, 'a>) -> io::Result<()>,
) -> io::Result<Listed> {
    let mut incomplete = Incomplete::default();
    let mut diagnostics = Vec::new();
    match parsed {
        Err(diagnostic) => {
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
                secrets,
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
