//! `affected`: the modules that changed files affect, and why.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use simd_hcl::directory::{DecodeOptions, Location, ModuleFiles};
use simd_hcl::impact::{AffectedModule, Reason};
use simd_hcl::source::Access;
use simd_hcl::tree::{Tree, TreeModule, TreeOptions};
use simd_hcl::source::Access;
use simd_hcl::tree::{Tree, TreeModule, TreeOptions};
use simd_hcl::{Arena, Code, Diagnostic, Dialect};

use crate::args::{self, AffectedFormat, Common, Configuration, ListFormat};
use crate::diff::changed_objects;
use crate::incomplete::{Incomplete, reason_of};
use crate::modules::{Rests, path_of, with_tree};
use crate::output::FORMAT_VERSION;
use crate::revision::Revision;
use crate::settings::Settings;
use crate::status::{Failure, Status};
use crate::visible::visible;
use crate::{git, input, output};

#[derive(Serialize)]
struct Answer {
    format_version: &'static str,
    modules: Vec<Module>,
    /// Modules of the revision that no longer exist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    removed: Vec<Removed>,
    incomplete: Incomplete,
}

#[derive(Serialize)]
struct Module {
    path: String,
    root: bool,
    because: Vec<Step>,
    /// The objects that differ from the revision, in a module with changed files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    objects: Vec<Object>,
}

#[derive(Serialize)]
struct Removed {
    path: String,
    root: bool,
}

#[derive(Serialize)]
struct Object {
    address: String,
    action: &'static str,
}

/// One step on the shortest path from a changed file to the module.
#[derive(Serialize)]
struct Step {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    module: String,
}

/// The matrix of a GitHub workflow.
#[derive(Serialize)]
struct Matrix {
    include: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    path: String,
}

pub(crate) fn run(affected: &args::Affected, common: &Common) -> Result<Status, Failure> {
    let (mut directories, mut files) = (Vec::new(), Vec::new());
    for path in &affected.paths {
        let of = if is_directory(path)? { &mut directories } else { &mut files };
        of.push(path.clone());
    }
    // A revision that is too large is refused before git compares it.
    let since = match &affected.since {
        Some(revision) => Some(Since::of(revision, affected, common)?),
        None => None,
    };
    let changed = changed(affected, files)?;
    let format = affected.format;
    let list_format = match format {
        AffectedFormat::Human | AffectedFormat::GithubMatrix => ListFormat::Human,
        AffectedFormat::Json => ListFormat::Json,
        AffectedFormat::Ndjson => ListFormat::Ndjson,
    };
    let mut configuration = Configuration::of_directory(PathBuf::from("."), affected.dialect);
    configuration.ignore_files = affected.ignore_files;
    if !directories.is_empty() {
        configuration.paths = directories;
    }
    let ((more, failure), status) =
        with_tree(&configuration, common, Rests::OnFiles, list_format, |loaded| {
            let found = loaded.tree.affected(&changed);
            let mut more = Incomplete::default();
            for gap in &found.gaps {
                let module = gap.module.to_string_lossy();
                let place = match gap.object {
                    Some(object) => format!("{module}:{object}"),
                    None => module.into_owned(),
                };
                let what = if gap.object.is_some() { "object" } else { "module" };
                more.add(what, place, gap.why.as_str());
            }
            for file in &found.unassigned {
                more.add("file", file.to_string_lossy(), "the modules that read it are not known");
            }
            more.add_places(&found.unknown_places);
            let is_asked_for = |module: &&AffectedModule<'_>| !affected.roots || module.is_root;
            let modules = found.modules.iter().filter(is_asked_for);
            let (mut modules, mut removed) =
                (modules.map(Module::of).collect::<Vec<_>>(), Vec::new());
            if let Some(since) = &since {
                since.revision.add_gaps(&mut more);
                for module in &mut modules {
                    since.add_objects(module, loaded.tree, &mut more)?;
                }
                removed = since.removed(&changed)?;
                removed.retain(|module| !affected.roots || module.root);
            }
            let mut incomplete = loaded.incomplete.clone();
            incomplete.append(more.clone());
            let failure = incomplete.failure(affected.fail_if_incomplete);
            let format_version = FORMAT_VERSION;
            print(Answer { format_version, modules, removed, incomplete }, format)?;
            Ok((more, failure))
        })?;
    more.print(list_format, common);
    Ok(status.max(failure))
}

/// Returns whether a path is a directory. Deleted files are not. If the operating system cannot
/// tell, this is an error.
fn is_directory(path: &Path) -> Result<bool, Failure> {
    match path.metadata() {
        Ok(found) => Ok(found.is_dir()),
        Err(error) if git::is_missing(&error) => Ok(false),
        Err(error) => Err(Failure::Message(format!("cannot look at {}: {error}", path.display()))),
    }
}

/// Returns the changed files from arguments, a list, and git.
fn changed(affected: &args::Affected, mut changed: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    if let Some(list) = &affected.files_from {
        let failed = |error: &dyn std::fmt::Display| {
            Failure::Message(format!("cannot read the list of files: {}: {error}", list.display()))
        };
        let lines: io::Result<Vec<String>> = if list.as_os_str() == "-" {
            io::stdin().lock().lines().collect()
        } else {
            let file = Access::NAMED.open(list).map_err(|error| failed(&error))?;
            io::BufReader::new(file.into_file()).lines().collect()
        };
        let lines = lines.map_err(|error| failed(&error))?;
        let named = lines.iter().map(|line| line.trim_end_matches('\r'));
        changed.extend(named.filter(|line| !line.is_empty()).map(PathBuf::from));
    }
    if let Some(revision) = &affected.since {
        changed.extend(git::changed_since(revision)?);
    }
    if changed.is_empty() && affected.files_from.is_none() && affected.since.is_none() {
        return Err(Failure::Message(
            "no changed files: name them, or give --files-from or --since".to_owned(),
        ));
    }
    Ok(changed)
}

/// The revision that the working tree is compared with.
struct Since {
    revision: Revision,
    /// The directory of the working tree.
    top: PathBuf,
    decode: DecodeOptions,
    dialect: Option<Dialect>,
}

impl Since {
    fn of(revision: &str, affected: &args::Affected, common: &Common) -> Result<Self, Failure> {
        let top = git::top()?;
        let revision = Revision::read(revision, &top, common)?;
        let settings = Settings::of(&[PathBuf::from(".")], common)?;
        let dialect = affected.dialect.or(settings.dialect).map(Into::into);
        Ok(Self { revision, top, decode: input::decode_options(common)?, dialect })
    }

    /// Returns the path of a directory in the revision.
    fn old(&self, directory: &Path) -> Result<Option<String>, Failure> {
        let directory = git::canonical(directory)?;
        let inside = directory.strip_prefix(&self.top).ok();
        Ok(inside.map(|inside| {
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            parts.join("/")
        }))
    }

    /// Adds the objects that differ from the revision to a module with changed files, or a gap if
    /// files of the revision cannot be decoded.
    fn add_objects(
        &self,
        module: &mut Module,
        tree: &Tree<'_>,
        incomplete: &mut Incomplete,
    ) -> Result<(), Failure> {
        if module.because.len() != 1 {
            return Ok(());
        }
        let is_it = |it: &&TreeModule<'_>| path_of(it) == module.path;
        let Some(new) = tree.modules().iter().find(is_it) else { return Ok(()) };
        let is_known = |name: &str| new.undecoded.iter().any(|source| source.name() == name);
        let Location::Disk(directory) = new.files.directory() else { return Ok(()) };
        let Some(directory) = self.old(&directory)? else { return Ok(()) };
        if self.revision.is_partial(&directory) {
            return Ok(());
        }
        let old = self.revision.list(&directory, new.files.dialect);
        let arena = Arena::new();
        let changed = changed_objects(&arena, [old.as_ref(), Some(&new.files)], &self.decode);
        match changed {
            Ok(changed) => {
                let objects = changed.into_iter();
                module.objects =
                    objects.map(|(address, action)| Object { address, action }).collect();
            }
            Err(findings) => {
                for finding in findings {
                    let name = &finding.range.filename;
                    // Gaps of the current tree are in the answer anyway.
                    if is_known(name) {
                        continue;
                    }
                    if finding.code == Code::UnreadableFile.as_str() {
                        return Err(Failure::Message(format!("{name}: {}", finding.detail)));
                    }
                    incomplete.add_file(name, &reason_of(&finding));
                }
            }
        }
        Ok(())
    }

    /// Returns the modules of the revision whose directories no longer have configuration.
    fn removed(&self, changed: &[PathBuf]) -> Result<Vec<Removed>, Failure> {
        let mut gone = BTreeSet::new();
        for file in changed {
            let Some(directory) = file.parent() else { continue };
            if git::exists(file)? {
                continue;
            }
            // The parent of a bare name is empty.
            let directory =
                if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
            let mut has_files = false;
            for dialect in Dialect::ALL {
                has_files |= match ModuleFiles::list(directory, dialect) {
                    Ok(files) => files.has_configuration(),
                    Err(error) if git::is_missing(&error) => false,
                    Err(error) => {
                        let message = format!("cannot list {}: {error}", directory.display());
                        return Err(Failure::Message(message));
                    }
                };
            }
            if !has_files {
                gone.extend(self.old(directory)?);
            }
        }
        if gone.is_empty() {
            return Ok(Vec::new());
        }
        let modules = self.revision.all_modules(self.dialect);
        let arena = Arena::new();
        let options = TreeOptions::default().with_decode(self.decode);
        let tree = Tree::load(&arena, modules, &options);
        // If its calls are unknown, a called module seems to be a root module.
        let diagnostics = tree.modules().iter().flat_map(|module| &module.diagnostics);
        let unread = |it: &&Diagnostic<'_>| it.code() == Code::UnreadableFile;
        if let Some(diagnostic) = diagnostics.into_iter().find(unread) {
            let name = diagnostic.source().name();
            return Err(Failure::Message(format!("{name}: {}", diagnostic.detail())));
        }
        let here = git::canonical(Path::new("."))?;
        let shown = |directory: &str| {
            let path = self.top.join(directory);
            path.strip_prefix(&here).unwrap_or(&path).to_string_lossy().into_owned()
        };
        let modules = tree.modules().iter().zip(tree.roots());
        let modules = modules.map(|(module, root)| (module.files.directory(), root));
        let templates = tree.templates().iter().map(|it| (it.files.directory(), true));
        let all = modules.chain(templates);
        let all = all
            .filter_map(|(directory, root)| Some((directory.memory()?.as_str().to_owned(), root)));
        let removed = all.filter(|(directory, _)| gone.contains(directory));
        Ok(removed.map(|(directory, root)| Removed { path: shown(&directory), root }).collect())
    }
}

impl Module {
    fn of(module: &AffectedModule<'_>) -> Self {
        Self {
            path: module.path.to_string_lossy().into_owned(),
            root: module.is_root,
            because: module.because.iter().map(Step::of).collect(),
            objects: Vec::new(),
        }
    }
}

impl Step {
    fn of(reason: &Reason<'_>) -> Self {
        Self {
            file: reason.file.as_ref().map(|file| file.to_string_lossy().into_owned()),
            address: reason.object.map(|object| object.to_string()),
            module: reason.module.to_string_lossy().into_owned(),
        }
    }
}

fn print(answer: Answer, format: AffectedFormat) -> io::Result<()> {
    match format {
        AffectedFormat::Human => output::text(|out| {
            answer.modules.iter().try_for_each(|module| print_module(module, out))?;
            answer.removed.iter().try_for_each(|module| {
                let root = if module.root { " (root)" } else { "" };
                writeln!(out, "{}{root}: removed", visible(&module.path))
            })
        }),
        AffectedFormat::Json => output::value(args::Format::Json, &answer),
        AffectedFormat::Ndjson => output::data(|out| {
            for module in &answer.modules {
                output::line(out, module)?;
            }
            for removed in &answer.removed {
                output::line(out, &Gone { removed })?;
            }
            output::rest(&answer.incomplete, out)
        }),
        AffectedFormat::GithubMatrix => {
            let entries = answer.modules.into_iter().map(|module| Entry { path: module.path });
            output::value(args::Format::Ndjson, &Matrix { include: entries.collect() })
        }
    }
}

#[derive(Serialize)]
struct Gone<'r> {
    removed: &'r Removed,
}

/// Prints the module, and below it the steps that lead to it.
fn print_module(module: &Module, out: &mut dyn Write) -> io::Result<()> {
    let root = if module.root { " (root)" } else { "" };
    writeln!(out, "{}{root}", visible(&module.path))?;
    for step in &module.because {
        let file = step.file.as_deref().map(|file| format!("{} -> ", visible(file)));
        let address = step.address.as_deref().map(|address| format!(":{}", visible(address)));
        let (file, address) = (file.unwrap_or_default(), address.unwrap_or_default());
        writeln!(out, "    {file}{}{address}", visible(&step.module))?;
    }
    for object in &module.objects {
        writeln!(out, "    {}: {}", visible(&object.address), object.action)?;
    }
    Ok(())
}
