//! `diff`: the objects and values that differ between two configurations.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use serde_json::value::RawValue;
use simd_hcl::diagnostic::Label;
use simd_hcl::dialect::List as FileList;
use simd_hcl::diff::{Change, Objects, ShownLeaf, changes};
use simd_hcl::directory::{
    DecodeOptions, DiscoverOptions, Discovery, Location, ModuleFiles, discover,
};
use simd_hcl::tree::Secrets;
use simd_hcl::{Arena, Dialect, ParsedFile, Severity};

use crate::aligned::{self, Line};
use crate::args::{self, Common, Configuration};
use crate::check::unreadable_directories;
use crate::excerpt::Range;
use crate::files::{hidden_in_revision, hidden_in_units};
use crate::finding::{Finding, Policy};
use crate::git::{self, Commit};
use crate::incomplete::{Incomplete, reason_of};
use crate::output::{Csv, Layout, List, Row, Rows, Style};
use crate::revision::Revision;
use crate::settings::Settings;
use crate::stats::{Stats, count};
use crate::status::{Failure, Status};
use crate::visible::{abridged, apart, visible};
use crate::{human, input, uncompared};

/// The maximum length of values for people, in characters.
const SHOWN: usize = 80;

/// One of the two configurations.
struct Side {
    source: SideSource,
    discovery: Discovery,
    /// The parts that are not compared.
    gaps: Incomplete,
}

enum SideSource {
    /// The directory that module paths are relative to.
    Directory(PathBuf),
    Revision(Box<Revision>, Commit),
}

/// A module in one or both configurations.
#[derive(Default)]
struct Pair<'s> {
    old: Option<&'s ModuleFiles>,
    new: Option<&'s ModuleFiles>,
}

/// The differences of one module.
struct Compared {
    rows: Rows,
    read: Read,
}

/// Counts of what was read, and gaps.
#[derive(Default)]
struct Read {
    files: usize,
    bytes: u64,
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct Entry {
    address: String,
    /// The path of the module relative to the given directory; empty for that directory.
    module: String,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_address: Option<String>,
    leaves: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before_range: Option<Range>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after_range: Option<Range>,
}

#[derive(Serialize)]
struct Value {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Box<RawValue>>,
}

pub(crate) fn run(diff: &args::Diff, common: &Common) -> Result<Status, Failure> {
    let options = input::decode_options(common)?;
    let mut stats = Stats::new(options.parse.kernel);
    let [old, new] = sides(diff, common)?;
    let mut status = Status::Clean;
    let mut incomplete = Incomplete::default();
    let mut findings = Vec::new();
    for side in [&old, &new] {
        // Paths that the revision does not have were added later.
        let Discovery { modules, problems, .. } = &side.discovery;
        let revision = side.revision();
        let is_new = revision.is_some() && modules.is_empty() && problems.is_empty();
        if !is_new {
            status = status.max(Incomplete::status(&side.discovery));
            incomplete.append(Incomplete::of_discovery(&side.discovery));
        }
        if let Some(revision) = revision {
            revision.add_gaps(&mut incomplete);
        }
        incomplete.append(side.gaps.clone());
        findings.extend(unreadable_directories(&side.discovery, Policy::default()));
    }
    let mut pairs: BTreeMap<(String, Dialect), Pair<'_>> = BTreeMap::new();
    for module in &old.discovery.modules {
        pairs.entry(old.key(module)).or_default().old = Some(module);
    }
    for module in &new.discovery.modules {
        pairs.entry(new.key(module)).or_default().new = Some(module);
    }
    // Without some of its files, a module would seem to have changed.
    pairs.retain(|(path, _), _| ![&old, &new].into_iter().any(|side| side.is_partial(path)));
    let pairs: Vec<_> = pairs.into_iter().collect();
    if pairs.is_empty() && [&old, &new].iter().any(|side| !side.gaps.is_empty()) {
        status = Status::CouldNotRun;
    }
    stats.modules = pairs.len();
    let secrets = |side: &Side| -> Result<Secrets, Failure> {
        let secrets = Secrets::of_modules(&side.discovery.modules, &options);
        if diff.show_sensitive {
            return Ok(secrets);
        }
        Ok(secrets.with_units(match &side.source {
            SideSource::Directory(path) => {
                let given = Configuration::of_directory(path.clone(), diff.dialect);
                hidden_in_units(&side.discovery, &given, common)
            }
            SideSource::Revision(revision, commit) => hidden_in_revision(revision, commit, common)?,
        }))
    };
    let secrets = [&secrets(&old)?, &secrets(&new)?];
    let compare = |arena: &mut Arena, ((path, dialect), pair): &((String, Dialect), Pair<'_>)| {
        let compared =
            compare(arena, path, *dialect, pair, (&options, diff, common.style()), secrets);
        arena.reset();
        compared
    };
    let compared: Vec<io::Result<Compared>> =
        pairs.par_iter().map_init(Arena::new, compare).collect();
    let mut list = List::new::<Entry>(diff.format, common.style())?;
    let mut total = 0;
    for compared in compared {
        let compared = compared?;
        stats.files += compared.read.files;
        stats.bytes += compared.read.bytes;
        total += compared.rows.len();
        list.append(compared.rows)?;
        findings.extend(compared.read.findings);
    }
    for finding in findings.iter().filter(|it| it.is_error()) {
        incomplete.add_file(&finding.range.filename, &reason_of(finding));
    }
    list.finish(&incomplete)?;
    let mut errors = anstream::stderr().lock();
    for finding in &findings {
        status = status.max(Status::Found);
        human::write(finding, &mut errors)?;
    }
    drop(errors);
    incomplete.print(diff.format, common);
    if !common.quiet {
        anstream::eprintln!("{}; {}", stats.summary("read"), count(total, "difference"));
    }
    stats.print(common);
    if diff.exit_code && total > 0 {
        status = status.max(Status::Found);
    }
    Ok(status)
}

/// Finds both configurations. A revision without a path is read at the path of the other side.
fn sides(diff: &args::Diff, common: &Common) -> Result<[Side; 2], Failure> {
    let (old, new) = (Path::new(&diff.old), Path::new(&diff.new));
    let here = Path::new(".");
    let other = |path: &'_ Path| -> Result<PathBuf, Failure> {
        Ok(if git::exists(path)? { path.to_owned() } else { here.to_owned() })
    };
    let paths = [&diff.old, &diff.new].map(PathBuf::from);
    let settings = Settings::of(&paths, common)?;
    let dialect = diff.dialect.or(settings.dialect).map(Into::into);
    let side = |name: &str, other: PathBuf| -> Result<Side, Failure> {
        let path = Path::new(name);
        if git::exists(path)? {
            let options = DiscoverOptions::default()
                .with_dialect(dialect)
                .with_ignore_files(diff.ignore_files)
                .with_follow_links(common.follow_links)
                .with_units(true)
                .with_alone(true);
            let mut discovery = discover(&[path], &options);
            let gaps = uncompared::take(&mut discovery);
            return Ok(Side { source: SideSource::Directory(path.to_owned()), discovery, gaps });
        }
        let (revision, inside) = git::revision_and_path(name, other);
        let commit = Commit::of(revision)?;
        let revision = Revision::read(&commit, &inside, common)?;
        let mut discovery = Discovery::default();
        discovery.modules = revision.modules(dialect);
        let gaps = uncompared::of_revision(&revision);
        Ok(Side { source: SideSource::Revision(Box::new(revision), commit), discovery, gaps })
    };
    Ok([side(&diff.old, other(new)?)?, side(&diff.new, other(old)?)?])
}

impl Side {
    fn revision(&self) -> Option<&Revision> {
        match &self.source {
            SideSource::Directory(_) => None,
            SideSource::Revision(revision, _) => Some(revision),
        }
    }

    /// Whether the revision does not have all files of the module at a path below the root.
    fn is_partial(&self, path: &str) -> bool {
        self.revision().is_some_and(|revision| {
            let parts = [revision.path(), path];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            revision.is_partial(&parts.join("/").replace(std::path::MAIN_SEPARATOR, "/"))
        })
    }

    /// Returns the key that pairs modules: the path below the root, and the dialect.
    fn key(&self, module: &ModuleFiles) -> (String, Dialect) {
        let path = match (&self.source, &module.path) {
            (SideSource::Directory(root), Location::Disk(path)) => {
                // Files are named without `./`.
                let plain = |path: &'_ Path| path.strip_prefix(".").unwrap_or(path).to_owned();
                let (root, path) = (plain(root), plain(path));
                let path = path.strip_prefix(&root).unwrap_or(Path::new(""));
                path.to_string_lossy().into_owned()
            }
            (SideSource::Revision(revision, _), Location::Memory(path)) => {
                let path = path.as_str();
                let rest = path.strip_prefix(revision.path()).unwrap_or(path);
                rest.trim_start_matches('/').replace('/', std::path::MAIN_SEPARATOR_STR)
            }
            _ => String::new(),
        };
        (path, module.dialect)
    }
}

/// Compares two versions of a module. If a file cannot be read, that is a finding, and nothing is
/// compared, since its objects would appear to be removed.
fn compare(
    arena: &Arena,
    path: &str,
    dialect: Dialect,
    pair: &Pair<'_>,
    (options, diff, style): (&DecodeOptions, &args::Diff, Style),
    secrets: [&Secrets; 2],
) -> io::Result<Compared> {
    let mut read = Read::default();
    let [old, new] = [pair.old, pair.new]
        .map(|module| objects(arena, dialect, module, options, |_| true, &mut read));
    let mut rows = Rows::new(diff.format, style);
    if read.findings.is_empty() {
        let mut found = changes(&old, &new);
        if !diff.show_sensitive && found.iter().any(Change::rests_on_others) {
            let (mut old, mut new) = (old, new);
            for (state, (module, secrets)) in
                [&mut old, &mut new].into_iter().zip([pair.old, pair.new].into_iter().zip(secrets))
            {
                if let Some(module) = module {
                    state.hide(&secrets.of(module, None));
                }
            }
            found = changes(&old, &new);
        }
        for change in found {
            rows.push(&Entry::of(&change, path, diff.show_sensitive))?;
        }
    }
    Ok(Compared { rows, read })
}

/// Returns the addresses of objects that differ between two versions of a module, and how each
/// changed.
///
/// # Errors The diagnostics of files that cannot be decoded. Then nothing is compared.
pub(crate) fn changed_objects(
    arena: &Arena,
    states: [Option<&ModuleFiles>; 2],
    options: &DecodeOptions,
) -> Result<Vec<(String, &'static str)>, Vec<Finding>> {
    let Some(dialect) = states.into_iter().flatten().next().map(|module| module.dialect) else {
        return Ok(Vec::new());
    };
    let is_meant = |list| matches!(list, FileList::Primary | FileList::Override);
    let mut read = Read::default();
    let [old, new] =
        states.map(|module| objects(arena, dialect, module, options, is_meant, &mut read));
    let changed = changes(&old, &new);
    let changed = changed.iter().map(|it| (it.address.to_owned(), it.action.as_str()));
    if read.findings.is_empty() { Ok(changed.collect()) } else { Err(read.findings) }
}

/// Returns the objects of one version of a module, from files of the given lists.
fn objects<'a>(
    arena: &'a Arena,
    dialect: Dialect,
    module: Option<&ModuleFiles>,
    options: &DecodeOptions,
    is_meant: impl Fn(FileList) -> bool,
    read: &mut Read,
) -> Objects<'a> {
    let files = module.map(|module| module.decode(arena, options)).unwrap_or_default();
    let mut documents: Vec<(FileList, String, ParsedFile<'_>)> = Vec::new();
    for file in files.into_iter().filter(|file| is_meant(file.file.kind.list)) {
        read.files += 1;
        read.bytes += file.source.bytes().len() as u64;
        match file.parsed {
            Ok(document) => {
                let errors = document.diagnostics().iter();
                let errors = errors.filter(|it| it.severity() == Severity::Error);
                read.findings.extend(errors.map(Finding::of));
                let name = file.file.name.to_string_lossy().into_owned();
                documents.push((file.file.kind.list, name, document));
            }
            Err(error) => read.findings.push(Finding::of(&error)),
        }
    }
    let files = documents.iter().map(|(list, name, document)| (*list, &**name, *document));
    Objects::read(arena, dialect, files)
}

impl Entry {
    fn of(change: &Change<'_>, module: &str, shows_sensitive: bool) -> Self {
        let range = |label: Label<'_>| Range::of(label.source, label.span);
        Self {
            address: change.address.to_owned(),
            module: module.to_owned(),
            action: change.action.as_str(),
            previous_address: change.previous_address.map(str::to_owned),
            leaves: change.shown(shows_sensitive).into_iter().map(Value::of).collect(),
            before_range: change.before.map(range),
            after_range: change.after.map(range),
        }
    }
}

impl Value {
    fn of(leaf: ShownLeaf) -> Self {
        let json = |value: String| RawValue::from_string(value).ok();
        Self {
            path: leaf.path,
            before: leaf.before.and_then(json),
            after: leaf.after.and_then(json),
        }
    }
}

impl Entry {
    /// Adds one record, for a leaf if there is one.
    fn record(&self, leaf: Option<&Value>, out: &mut Csv<'_>) {
        let path = leaf.map_or("", |leaf| &leaf.path);
        let before = leaf.and_then(|leaf| leaf.before.as_ref()).map_or("", |it| it.get());
        let after = leaf.and_then(|leaf| leaf.after.as_ref()).map_or("", |it| it.get());
        let previous = self.previous_address.as_deref().unwrap_or_default();
        out.record([&self.address, &self.module, self.action, previous, path, before, after]);
    }
}

impl Row for Entry {
    const MEMBER: Option<&'static str> = Some("differences");
    const LAYOUT: Layout = Layout::Lines;
    /// One record for each leaf.
    const COLUMNS: &'static [&'static str] =
        &["address", "module", "action", "previous_address", "path", "before", "after"];

    /// Prints the object, and below it the changed values.
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let sign = match self.action {
            "added" => '+',
            "removed" => '-',
            "moved" => '>',
            _ => '~',
        };
        let module =
            if self.module.is_empty() { String::new() } else { format!("{}:", self.module) };
        write!(out, "{sign} {}{}", visible(&module), visible(&self.address))?;
        if let Some(previous) = &self.previous_address {
            write!(out, " (was {})", visible(previous))?;
        }
        writeln!(out)?;
        if matches!(self.action, "added" | "removed") {
            return Ok(());
        }
        let leaves: Vec<aligned::Leaf<'_>> = self
            .leaves
            .iter()
            .map(|leaf| {
                let before = leaf.before.as_deref().map(RawValue::get);
                (leaf.path.as_str(), before, leaf.after.as_deref().map(RawValue::get))
            })
            .collect();
        for line in aligned::lines(&leaves) {
            let leaf = match line {
                Line::Leaf(at) => &self.leaves[at],
                Line::Inserted(list, at, value) => {
                    let (list, value) = (visible(list), abridged(value, SHOWN));
                    writeln!(out, "    {list}[{at}]: inserted {}", visible(&value))?;
                    continue;
                }
                Line::Removed(list, at, value) => {
                    let (list, value) = (visible(list), abridged(value, SHOWN));
                    writeln!(out, "    {list}[{at}]: removed {}", visible(&value))?;
                    continue;
                }
            };
            let sides = [leaf.before.as_deref(), leaf.after.as_deref()];
            let [before, after] = sides.map(|side| side.map(RawValue::get));
            let [before, after] = apart([before, after], SHOWN);
            let absent = || "(absent)".into();
            let [before, after] = [before.unwrap_or_else(absent), after.unwrap_or_else(absent)];
            let path = if leaf.path.is_empty() { "value" } else { &leaf.path };
            writeln!(out, "    {}: {} -> {}", visible(path), visible(&before), visible(&after))?;
        }
        Ok(())
    }

    fn records(&self, out: &mut Csv<'_>) {
        if self.leaves.is_empty() {
            self.record(None, out);
        }
        self.leaves.iter().for_each(|leaf| self.record(Some(leaf), out));
    }
}
