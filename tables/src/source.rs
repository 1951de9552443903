//! Sources: the modules, plans, states and schemas below some paths.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use simd_hcl::Dialect;
use simd_hcl::dialect::FileKind;
use simd_hcl::directory::{DecodeOptions, DiscoverOptions, ModuleFiles, discover};
use simd_hcl::plan_file::is_plan_file;
use simd_hcl::source::Access;
use simd_hcl::tree::Secrets;

use crate::copies::Gap;
use crate::file::{decode_options, on_disk};
use crate::table::{Origin, Table};

pub use crate::copies::Copies;

/// A module, and the repository that has it.
#[derive(Clone, Debug)]
pub struct FoundModule {
    /// Its files.
    pub files: ModuleFiles,
    /// The directory of the repository.
    pub repository: Arc<str>,
}

/// A plan, a state or schemas.
#[derive(Clone, Debug)]
pub struct FoundDocument {
    /// The file.
    pub path: PathBuf,
    /// The directory of the repository.
    pub repository: Arc<str>,
}

/// A part of the sources that is read on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A module, by its index.
    Module(usize),
    /// The modules of a repository, by its index.
    Tree(usize),
    /// A plan, a state or schemas, by its index.
    Document(usize),
    /// The paths that could not be read.
    Gaps,
}

/// The modules and documents that some paths contain. No file of configuration has been opened.
#[derive(Debug, Default)]
pub struct Sources {
    modules: Vec<FoundModule>,
    documents: Vec<FoundDocument>,
    /// The modules of each repository, by their indexes.
    repositories: Vec<(Arc<str>, Vec<usize>)>,
    gaps: Vec<Gap>,
    copies: Copies,
    follows_links: bool,
    /// The repositories with units of Terragrunt.
    with_units: BTreeSet<Arc<str>>,
    /// The directories of repositories whose names are URLs.
    directories: BTreeMap<Arc<str>, PathBuf>,
    /// The values of the modules that must not be shown because of those that they call.
    secrets: OnceLock<Secrets>,
}

/// How sources are found.
#[derive(Clone, Copy, Debug, Default)]
pub struct FindOptions {
    /// The tool whose files are found; all by default.
    pub dialect: Option<Dialect>,
    /// Whether `.gitignore` and `.ignore` hide files.
    pub respects_ignore_files: bool,
    /// Whether links are read that lead outside of the paths and their git work trees.
    pub follows_links: bool,
}

/// The number of bytes that tell what a JSON file is.
const HEAD: u64 = 4096;

/// The files of units and stacks of Terragrunt.
const UNITS: [&str; 2] = ["terragrunt.hcl", "terragrunt.stack.hcl"];

/// The names of members with which plans, states and schemas start.
const MARKS: [&[u8]; 4] =
    [b"\"format_version\"", b"\"planned_values\"", b"\"provider_schemas\"", b"\"lineage\""];

impl Sources {
    /// How files of modules are read.
    pub(crate) fn decode_options(&self) -> DecodeOptions {
        decode_options().with_follow_links(self.follows_links)
    }

    /// Returns the values of the modules that must not be shown, also because of those that they
    /// call.
    pub(crate) fn secrets(&self) -> &Secrets {
        self.secrets.get_or_init(|| {
            let files: Vec<ModuleFiles> = self.modules.iter().map(|it| it.files.clone()).collect();
            Secrets::of_modules(&files, &self.decode_options())
        })
    }

    /// Finds the modules and documents below some paths. Directories are walked; a file that is
    /// named is read, whatever it is called. Below a directory, plans, states and schemas are the
    /// files `*.tfstate` and `*.tfplan`, and JSON files that start as `show -json` and
    /// `providers schema -json` write them.
    ///
    /// Cost: one walk, and 4 KB of each JSON file that is not configuration.
    #[must_use]
    pub fn find(paths: &[PathBuf], options: FindOptions) -> Self {
        let mut sources = Self::default();
        let (mut trees, mut files) = (Vec::new(), Vec::new());
        for path in paths {
            match std::fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => trees.push(path.clone()),
                Ok(_) if is_configuration(path.file_name(), options.dialect) => {
                    trees.push(path.clone());
                }
                Ok(_) => files.push(path.clone()),
                Err(error) => sources.add_gap(path, &error.to_string()),
            }
        }
        let discover_options = DiscoverOptions::default()
            .with_dialect(options.dialect)
            .with_ignore_files(options.respects_ignore_files)
            .with_follow_links(options.follows_links);
        let found = discover(&trees, &discover_options);
        for problem in &found.problems {
            sources.add_gap(&problem.path, &problem.message);
        }
        let mut known = BTreeMap::new();
        for files in found.modules {
            let repository = repository_of(on_disk(&files.path), paths, &mut known);
            sources.modules.push(FoundModule { files, repository });
        }
        let mut units = Vec::new();
        for tree in trees.iter().filter(|path| path.is_dir()) {
            sources.find_documents(tree, options, &mut files, &mut units);
        }
        let with_units: Vec<Arc<str>> =
            units.iter().map(|folder| repository_of(folder, paths, &mut known)).collect();
        files.sort();
        files.dedup();
        for path in files {
            let repository = repository_of(&path, paths, &mut known);
            sources.documents.push(FoundDocument { path, repository });
        }
        for (path, why) in &found.nothing {
            let has_documents = sources.documents.iter().any(|it| it.path.starts_with(path));
            let has_units = units.iter().any(|it| it.starts_with(path));
            if !has_documents && !has_units {
                sources.add_gap(path, &format!("nothing to read: {why}"));
            }
        }
        Self::of_parts(sources.modules, sources.documents, sources.gaps)
            .with_units(with_units)
            .with_follow_links(options.follows_links)
    }

    /// Returns sources that were found earlier, or a part of them.
    #[must_use]
    pub fn of_parts(
        modules: Vec<FoundModule>,
        documents: Vec<FoundDocument>,
        mut gaps: Vec<Gap>,
    ) -> Self {
        let mut repositories: BTreeMap<Arc<str>, Vec<usize>> = BTreeMap::new();
        for (place, module) in modules.iter().enumerate() {
            repositories.entry(Arc::clone(&module.repository)).or_default().push(place);
        }
        gaps.sort();
        gaps.dedup();
        let repositories = repositories.into_iter().collect();
        Self { modules, documents, repositories, gaps, ..Self::default() }
    }

    /// Adds repositories with units of Terragrunt, which need not have modules.
    #[must_use]
    pub fn with_units(mut self, repositories: impl IntoIterator<Item = Arc<str>>) -> Self {
        self.with_units.extend(repositories);
        for repository in &self.with_units {
            if let Err(at) = self.repositories.binary_search_by(|(name, _)| name.cmp(repository)) {
                self.repositories.insert(at, (Arc::clone(repository), Vec::new()));
            }
        }
        self
    }

    /// Whether a repository has units of Terragrunt.
    #[must_use]
    pub fn has_units(&self, repository: &str) -> bool {
        self.with_units.contains(repository)
    }

    /// The directory of a repository, whose name is its URL if it is a copy.
    pub(crate) fn directory_of(&self, repository: &str) -> PathBuf {
        let directory = self.directories.get(repository).cloned();
        directory.unwrap_or_else(|| PathBuf::from(repository))
    }

    pub(crate) fn follows_links(&self) -> bool {
        self.follows_links
    }

    /// Has links read that lead outside of the paths and their git work trees.
    #[must_use]
    pub fn with_follow_links(mut self, follows_links: bool) -> Self {
        self.follows_links = follows_links;
        self
    }

    /// Names copies by their URLs, in everything that is found and read.
    #[must_use]
    pub fn with_copies(mut self, copies: Copies) -> Self {
        let renamed = |name: &Arc<str>| Arc::from(&*copies.name_of(name));
        let directories = self.repositories.iter();
        let directories: BTreeMap<Arc<str>, PathBuf> =
            directories.map(|(name, _)| (renamed(name), self.directory_of(name))).collect();
        let with_units: Vec<Arc<str>> = self.with_units.iter().map(renamed).collect();
        self.modules.iter_mut().for_each(|it| it.repository = renamed(&it.repository));
        self.documents.iter_mut().for_each(|it| it.repository = renamed(&it.repository));
        self.gaps.iter_mut().for_each(|it| it.path = copies.name_of(&it.path).into_owned());
        self.gaps.extend(copies.missing.iter().cloned());
        let parts = Self::of_parts(self.modules, self.documents, self.gaps);
        let parts = parts.with_units(with_units).with_follow_links(self.follows_links);
        Self { copies, directories, ..parts }
    }

    /// Which paths are copies.
    #[must_use]
    pub fn copies(&self) -> &Copies {
        &self.copies
    }

    /// Returns the name that rows give a path.
    #[must_use]
    pub fn name_of(&self, path: &Path) -> String {
        self.copies.name_of(&path.to_string_lossy()).into_owned()
    }

    fn add_gap(&mut self, path: &Path, why: &str) {
        self.gaps.push(Gap { path: path.to_string_lossy().into_owned(), why: why.to_owned() });
    }

    /// Adds the documents below a directory, as `discover` finds modules: not in hidden directories.
    /// Notes the folders of units of Terragrunt.
    fn find_documents(
        &mut self,
        root: &Path,
        options: FindOptions,
        files: &mut Vec<PathBuf>,
        units: &mut Vec<PathBuf>,
    ) {
        let mut walk = ignore::WalkBuilder::new(root);
        walk.standard_filters(false).hidden(true);
        if options.respects_ignore_files {
            walk.git_ignore(true).ignore(true);
        }
        // `discover` has reported what cannot be listed.
        for entry in walk.build().filter_map(Result::ok) {
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let path = entry.path();
            if is_file && UNITS.iter().any(|name| path.ends_with(name)) {
                units.push(without_dot(path.parent().unwrap_or(path)));
            }
            if is_file && !is_configuration(path.file_name(), options.dialect) {
                match is_document(path) {
                    Ok(true) => files.push(without_dot(path)),
                    Ok(false) => {}
                    Err(error) => self.add_gap(path, &error.to_string()),
                }
            }
        }
    }

    /// The modules, sorted by their paths.
    #[must_use]
    pub fn modules(&self) -> &[FoundModule] {
        &self.modules
    }

    /// The documents, sorted by their paths.
    #[must_use]
    pub fn documents(&self) -> &[FoundDocument] {
        &self.documents
    }

    /// The repositories with modules, sorted, each with the places of its modules.
    #[must_use]
    pub fn repositories(&self) -> &[(Arc<str>, Vec<usize>)] {
        &self.repositories
    }

    /// The paths that could not be read.
    #[must_use]
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// The units that may have rows of a table.
    #[must_use]
    pub fn units(&self, table: &Table) -> Vec<Unit> {
        let documents = (0..self.documents.len()).map(Unit::Document);
        match table.origin {
            Origin::File | Origin::Module => (0..self.modules.len()).map(Unit::Module).collect(),
            Origin::Plan | Origin::State | Origin::Schemas => documents.collect(),
            Origin::Tree => {
                let trees = (0..self.repositories.len()).map(Unit::Tree);
                match table.name {
                    "units" => {
                        let names = self.repositories.iter().enumerate();
                        let names = names.filter(|(_, (name, _))| self.has_units(name));
                        names.map(|(place, _)| Unit::Tree(place)).collect()
                    }
                    "diagnostics" => trees.chain(documents).chain([Unit::Gaps]).collect(),
                    _ => trees.collect(),
                }
            }
        }
    }
}

/// Whether the tools read a file of that name as configuration.
fn is_configuration(name: Option<&OsStr>, dialect: Option<Dialect>) -> bool {
    let dialects = dialect.map_or_else(|| Dialect::ALL.to_vec(), |dialect| vec![dialect]);
    name.is_some_and(|name| dialects.into_iter().any(|it| FileKind::of(name, it).is_some()))
}

/// Whether a file below a directory is a plan, a state or schemas.
fn is_document(path: &Path) -> std::io::Result<bool> {
    match path.extension().and_then(OsStr::to_str) {
        Some("tfstate") => return Ok(true),
        Some("json" | "tfplan") => {}
        _ => return Ok(false),
    }
    let mut head = Vec::new();
    let file = Access::FOUND.open(path).map_err(std::io::Error::other)?;
    file.take(HEAD).read_to_end(&mut head)?;
    Ok(is_plan_file(&head) || MARKS.iter().any(|mark| memchr::memmem::find(&head, mark).is_some()))
}

fn without_dot(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_owned()
}

/// The repository of a path: the nearest directory with `.git`, not above the path that was given;
/// otherwise the path that was given.
fn repository_of(
    path: &Path,
    given: &[PathBuf],
    known: &mut BTreeMap<PathBuf, Arc<str>>,
) -> Arc<str> {
    if let Some(repository) = known.get(path) {
        return Arc::clone(repository);
    }
    let around = given.iter().map(|path| without_dot(path)).filter(|it| path.starts_with(it));
    let around = around.max_by_key(|path| path.components().count()).unwrap_or_default();
    let has_git = |path: &&Path| path.join(".git").exists();
    let inside = path.ancestors().take_while(|it| it.starts_with(&around));
    let nearest = { inside }.find(has_git).map_or(around, Path::to_owned);
    let text = nearest.to_string_lossy();
    let repository: Arc<str> = if text.is_empty() { ".".into() } else { text.into() };
    known.insert(path.to_owned(), Arc::clone(&repository));
    repository
}

#[cfg(test)]
mod tests {
    use super::{Copies, FindOptions, Sources};

    #[test]
    fn links_are_followed_as_asked_whatever_becomes_of_the_sources() {
        for follows_links in [true, false] {
            let options = FindOptions { follows_links, ..FindOptions::default() };
            let sources = Sources::find(&["missing".into()], options);
            assert_eq!(sources.gaps().len(), 1);
            assert_eq!(sources.decode_options().follow_links, follows_links);
            let renamed = sources.with_copies(Copies::default());
            assert_eq!(renamed.decode_options().follow_links, follows_links);
        }
    }
}
