//! `roots`: the root modules, how the settings run them, and proposed sections for those without
//! settings, by the names of folders and files. Files of pipelines are not read.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;
use simd_hcl::dialect::{Dialect, FileKind, List};
use simd_hcl::directory::Location;
use simd_hcl::tree::Tree;

use super::add_missing;
use super::inputs::entries_of;
use crate::args::{self, Common, Format, ListFormat};
use crate::git::canonical;
use crate::incomplete::Incomplete;
use crate::migrate::quoted;
use crate::modules::{DependsOn, with_tree};
use crate::output::{self, FORMAT_VERSION, Style};
use crate::paths::{or_here, text};
use crate::root_section::Values;
use crate::settings::Settings;
use crate::status::{Failure, Status};
use crate::visible::visible;

/// The number of entries of directories that are looked at.
const MOST_ENTRIES: usize = 1_000_000;

#[derive(Serialize)]
struct Answer {
    format_version: &'static str,
    roots: Vec<Root>,
    /// The section to add to `simd-hcl.toml`; empty if there is nothing to add.
    section: String,
    incomplete: Incomplete,
}

#[derive(Serialize)]
pub(crate) struct Root {
    pub(crate) path: String,
    /// Where the inputs are from: `settings`, `proposal`, or nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<&'static str>,
    var_files: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    workspace: Option<String>,
}

pub(crate) fn run(roots: &args::Roots, common: &Common) -> Result<Status, Failure> {
    let configuration = &roots.configuration;
    let settings = Settings::of(&configuration.paths, common)?;
    let format = match roots.format {
        Format::Human => ListFormat::Human,
        Format::Json => ListFormat::Json,
        Format::Ndjson => ListFormat::Ndjson,
    };
    let (more, status) = with_tree(configuration, common, DependsOn::Files, format, |loaded| {
        let mut more = Incomplete::default();
        let start = settings.directory().map_or_else(|| canonical(Path::new(".")), Ok)?;
        let proposed = of_tree(loaded.tree, &settings, &start, &mut more)?;
        let mut incomplete = loaded.incomplete.clone();
        incomplete.append(more.clone());
        let Proposed { roots, section, .. } = proposed;
        let answer = Answer { format_version: FORMAT_VERSION, roots, section, incomplete };
        print(&answer, format)?;
        Ok(more)
    })?;
    more.print(format, common);
    Ok(status)
}

/// The root modules of a tree, and what is proposed for them.
pub(crate) struct Proposed {
    pub(crate) roots: Vec<Root>,
    /// The sections to add to `simd-hcl.toml`; empty if there is nothing to add.
    pub(crate) section: String,
    /// Files of variables that the settings name, and that do not exist.
    pub(crate) missing: Incomplete,
}

/// Lists the root modules of a tree, and proposes sections for those about which the settings say
/// nothing. `start` is the directory of the settings, without links. Files that cannot be assigned
/// are added to the gaps.
pub(crate) fn of_tree(
    tree: &Tree<'_>,
    settings: &Settings,
    start: &Path,
    more: &mut Incomplete,
) -> Result<Proposed, Failure> {
    let mut all: Vec<Found> = Vec::new();
    let mut missing = Incomplete::default();
    let modules = tree.modules().iter().zip(tree.roots());
    for (module, _) in modules.filter(|(_, is_root)| *is_root) {
        let Location::Disk(directory) = module.files.directory() else { continue };
        let required = module.module.variables.iter().filter(|it| it.is_required());
        let is_set = |name: &str| module.assignments.get(name).is_some();
        let values = Values::of(settings.roots(), &directory)?;
        values.iter().for_each(|values| add_missing(values, &mut missing));
        all.push(Found {
            shown: module.files.path.to_string_lossy().into_owned(),
            directory: canonical(or_here(&directory))?,
            settings: values,
            lacks: required.map(|it| it.name).filter(|it| !is_set(it)).map(str::to_owned).collect(),
            proposed: None,
        });
    }
    let files = variables_below(start, more);
    let section = propose(&mut all, &files, start, more);
    let roots = all.iter().map(Found::row).collect();
    Ok(Proposed { roots, section, missing })
}

/// A root module.
struct Found {
    shown: String,
    directory: PathBuf,
    settings: Option<Values>,
    /// Variables without a value.
    lacks: Vec<String>,
    proposed: Option<Vec<String>>,
}

impl Found {
    fn row(&self) -> Root {
        let path = self.shown.clone();
        match (&self.settings, &self.proposed) {
            (Some(values), _) => {
                let files = values.files.iter().map(|file| file.path.to_string_lossy());
                Root {
                    path,
                    from: Some("settings"),
                    var_files: files.map(Cow::into_owned).collect(),
                    workspace: values.workspace.clone(),
                }
            }
            (None, Some(files)) => {
                Root { path, from: Some("proposal"), var_files: files.clone(), workspace: None }
            }
            (None, None) => Root { path, from: None, var_files: Vec::new(), workspace: None },
        }
    }

    fn name(&self) -> String {
        self.directory.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The files of variables in a directory and below that the tools read only if they are named.
fn variables_below(start: &Path, incomplete: &mut Incomplete) -> Vec<PathBuf> {
    let (mut files, mut open, mut left) = (Vec::new(), vec![start.to_owned()], MOST_ENTRIES);
    while let Some(directory) = open.pop() {
        for entry in entries_of(&directory, incomplete) {
            if left == 0 {
                let place = start.to_string_lossy();
                incomplete.add(
                    "directory",
                    place,
                    format!("it has more than {MOST_ENTRIES} entries"),
                );
                files.sort();
                return files;
            }
            left -= 1;
            let name = entry.file_name();
            let kind = match entry.file_type() {
                Ok(kind) => kind,
                Err(error) => {
                    incomplete.add("file", entry.path().to_string_lossy(), error.to_string());
                    continue;
                }
            };
            if kind.is_dir() {
                if !name.to_string_lossy().starts_with('.') {
                    open.push(entry.path());
                }
                continue;
            }
            let dialect = Dialect::OpenTofu;
            let is_variables =
                FileKind::of_known(&name, dialect).is_some_and(|it| it.list == List::Variables);
            if is_variables && FileKind::of(&name, dialect).is_none() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    files
}

/// Proposes files of variables for root modules about which the settings say nothing. Returns the
/// section, and adds what it could not assign to the gaps.
fn propose(
    all: &mut [Found],
    files: &[PathBuf],
    start: &Path,
    incomplete: &mut Incomplete,
) -> String {
    let mut used: BTreeSet<&Path> = BTreeSet::new();
    // By the directory around root modules, and how the file of each is found from it.
    let mut groups: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for (place, root) in all.iter().enumerate() {
        match &root.settings {
            Some(values) => {
                let named = values.existing().filter_map(|file| canonical(file).ok());
                let named: Vec<PathBuf> = named.collect();
                let known = named.iter().filter_map(|file| files.binary_search(file).ok());
                used.extend(known.map(|at| files[at].as_path()));
            }
            None => {
                let parent = root.directory.parent().unwrap_or(start).to_owned();
                groups.entry(parent).or_default().push(place);
            }
        }
    }
    let candidates = Candidates::of(files);
    let mut sections: Vec<(String, Vec<String>)> = Vec::new();
    for (parent, members) in &groups {
        let mut whole: Option<Vec<String>> = None;
        let mut is_same = members.len() > 1;
        for &member in members {
            let root = &mut all[member];
            let (own, others) = candidates.for_root(root);
            let chosen = match (own.as_slice(), others.as_slice()) {
                ([only], []) | ([], [only]) => Some(*only),
                (_, [only]) => Some(*only),
                ([], []) => {
                    if !root.lacks.is_empty() {
                        let why = "no file of variables has the name of this root module, and \
                                   some of its variables have no value";
                        incomplete.add("module", &root.shown, why);
                    }
                    None
                }
                _ => {
                    let why = "several files of variables may be meant for this root module";
                    incomplete.add("module", &root.shown, why);
                    None
                }
            };
            let template = chosen.map(|file| vec![template(root, file)]);
            used.extend(chosen);
            is_same &=
                template.is_some() && whole.as_ref().is_none_or(|it| Some(it) == template.as_ref());
            whole = whole.or_else(|| template.clone());
            root.proposed = template;
        }
        let below = |path: &Path| text(path.strip_prefix(start).unwrap_or(path));
        match whole.filter(|_| is_same) {
            Some(files) => {
                let parent = below(parent);
                let path = if parent.is_empty() { "*".to_owned() } else { format!("{parent}/*") };
                sections.push((path, files));
            }
            None => {
                for &member in members {
                    if let Some(files) = &all[member].proposed {
                        let path = below(&all[member].directory);
                        let path = if path.is_empty() { ".".to_owned() } else { path };
                        sections.push((path, files.clone()));
                    }
                }
            }
        }
    }
    for file in files.iter().filter(|file| !used.contains(file.as_path())) {
        let path = file.strip_prefix(start).unwrap_or(file);
        let why = "no root module is known that is run with this file of variables";
        incomplete.add("file", path.to_string_lossy(), why);
    }
    let text = sections.iter().map(|(path, files)| {
        let files: Vec<String> = files.iter().map(|file| quoted(file)).collect();
        format!("[[root]]\npath = {}\nvar-files = [{}]\n", quoted(path), files.join(", "))
    });
    text.collect::<Vec<_>>().join("\n")
}

/// Files of variables, by their directories and by their names up to the first dot.
struct Candidates<'f> {
    inside: BTreeMap<&'f Path, Vec<&'f Path>>,
    named: BTreeMap<String, Vec<&'f Path>>,
}

impl<'f> Candidates<'f> {
    fn of(files: &'f [PathBuf]) -> Self {
        let mut all = Self { inside: BTreeMap::new(), named: BTreeMap::new() };
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let name = name.split('.').next().unwrap_or_default().to_owned();
            all.named.entry(name).or_default().push(file);
            if let Some(directory) = file.parent() {
                all.inside.entry(directory).or_default().push(file);
            }
        }
        all
    }

    /// The files that may be meant for a root module, at most two of each kind: those in its directory, and
    /// those elsewhere that have its name.
    fn for_root(&self, root: &Found) -> (Vec<&'f Path>, Vec<&'f Path>) {
        let own = self.inside.get(root.directory.as_path()).into_iter().flatten().take(2);
        let named = self.named.get(&root.name()).into_iter().flatten();
        let others = named.filter(|file| file.parent() != Some(&root.directory)).take(2);
        (own.copied().collect(), others.copied().collect())
    }
}

/// The path of a file from the directory of a root module, with `{name}` for its name.
fn template(root: &Found, file: &Path) -> String {
    let (from, to): (Vec<_>, Vec<_>) =
        (root.directory.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from[shared..].iter().map(|_| "..".to_owned());
    let down = to[shared..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let mut parts: Vec<String> = up.chain(down).collect();
    let name = root.name();
    if let Some(last) = parts.last_mut()
        && last.split('.').next() == Some(&*name)
    {
        *last = format!("{{name}}{}", &last[name.len()..]);
    }
    parts.join("/")
}

fn print(answer: &Answer, format: ListFormat) -> std::io::Result<()> {
    match format {
        ListFormat::Json => output::value(Format::Json, Style::default(), answer),
        ListFormat::Ndjson => output::value(Format::Ndjson, Style::default(), answer),
        _ => output::text(|out| {
            for root in &answer.roots {
                let files: Vec<_> = root.var_files.iter().map(|file| visible(file)).collect();
                let files =
                    if files.is_empty() { String::new() } else { format!("  {}", files.join(" ")) };
                let from = root.from.map_or_else(String::new, |from| format!("  ({from})"));
                writeln!(out, "{}{files}{from}", visible(&root.path))?;
            }
            match answer.section.is_empty() {
                true => Ok(()),
                false => write!(out, "\n# for simd-hcl.toml\n{}", answer.section),
            }
        }),
    }
}
