//! `affected`: the modules that changed files affect, and why.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use serde::Serialize;
use simd_hcl::tree::{AffectedModule, Reason};

use crate::args::{self, AffectedFormat, Common, Configuration, ListFormat};
use crate::git;
use crate::incomplete::Incomplete;
use crate::modules::{Rests, with_tree};
use crate::output;
use crate::status::{Failure, Status};
use crate::visible::visible;

/// The version of the shape that is printed.
const FORMAT_VERSION: &str = "1.0";

#[derive(Serialize)]
struct Answer {
    format_version: &'static str,
    modules: Vec<Module>,
    incomplete: Incomplete,
}

#[derive(Serialize)]
struct Module {
    path: String,
    root: bool,
    because: Vec<Step>,
}

/// One step on a shortest way from a changed file to the module.
#[derive(Serialize)]
struct Step {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    module: String,
}

/// What the matrix of a GitHub workflow is made of.
#[derive(Serialize)]
struct Matrix {
    include: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    path: String,
}

pub(crate) fn run(affected: &args::Affected, common: &Common) -> Result<Status, Failure> {
    let (directories, files): (Vec<PathBuf>, Vec<PathBuf>) =
        affected.paths.iter().cloned().partition(|path| path.is_dir());
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
    let (more, status) =
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
            let is_asked_for = |module: &&AffectedModule<'_>| !affected.roots || module.is_root;
            let modules = found.modules.iter().filter(is_asked_for).map(Module::of).collect();
            let mut incomplete = loaded.incomplete.clone();
            incomplete.append(more.clone());
            print(Answer { format_version: FORMAT_VERSION, modules, incomplete }, format)?;
            Ok(more)
        })?;
    more.print(list_format, common);
    Ok(status)
}

/// The files that changed: from arguments, a list, and git.
fn changed(affected: &args::Affected, mut changed: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    if let Some(list) = &affected.files_from {
        let failed = |error: io::Error| {
            Failure::Message(format!("cannot read the list of files: {}: {error}", list.display()))
        };
        let lines: io::Result<Vec<String>> = if list.as_os_str() == "-" {
            io::stdin().lock().lines().collect()
        } else {
            let file = std::fs::File::open(list).map_err(failed)?;
            io::BufReader::new(file).lines().collect()
        };
        let lines = lines.map_err(failed)?;
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

impl Module {
    fn of(module: &AffectedModule<'_>) -> Self {
        Self {
            path: module.path.to_string_lossy().into_owned(),
            root: module.is_root,
            because: module.because.iter().map(Step::of).collect(),
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
            answer.modules.iter().try_for_each(|module| print_module(module, out))
        }),
        AffectedFormat::Json => output::value(args::Format::Json, &answer),
        AffectedFormat::Ndjson => output::data(|out| {
            for module in &answer.modules {
                serde_json::to_writer(&mut *out, module)?;
                writeln!(out)?;
            }
            if !answer.incomplete.is_empty() {
                serde_json::to_writer(&mut *out, &Rest { incomplete: &answer.incomplete })?;
                writeln!(out)?;
            }
            Ok(())
        }),
        AffectedFormat::GithubMatrix => {
            let entries = answer.modules.into_iter().map(|module| Entry { path: module.path });
            output::value(args::Format::Ndjson, &Matrix { include: entries.collect() })
        }
    }
}

#[derive(Serialize)]
struct Rest<'i> {
    incomplete: &'i Incomplete,
}

/// The module, and below it the steps that lead to it.
fn print_module(module: &Module, out: &mut dyn Write) -> io::Result<()> {
    let root = if module.root { " (root)" } else { "" };
    writeln!(out, "{}{root}", visible(&module.path))?;
    for step in &module.because {
        let file = step.file.as_deref().map(|file| format!("{} -> ", visible(file)));
        let address = step.address.as_deref().map(|address| format!(":{}", visible(address)));
        let (file, address) = (file.unwrap_or_default(), address.unwrap_or_default());
        writeln!(out, "    {file}{}{address}", visible(&step.module))?;
    }
    Ok(())
}
