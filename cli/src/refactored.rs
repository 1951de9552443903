//! Refactorings by commands: the tree of modules that they read, the objects that addresses name, and
//! what becomes of their changes.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use simd_hcl::dialect::{Dialect, FileKind};
use simd_hcl::directory::{Location, ModuleFile, ModuleFiles, Roots};
use simd_hcl::facts::Target;
use simd_hcl::module::{Module, Object, ProviderConfigName};
use simd_hcl::native::Traversal;
use simd_hcl::packer;
use simd_hcl::refactor::{
    Change, ChangedFile, Errors, NotChanged as Left, TakenBack, set_together,
};
use simd_hcl::show::BodySchemas;
use simd_hcl::terragrunt;
use simd_hcl::tree::{Link, Origin, Tree, TreeModule, TreeOptions};
use simd_hcl::{Arena, Code, ParsedFile, Source};

use crate::args::{ChangeFlags, Common, Configuration, ListFormat, TreeFlags};
use crate::change::{Changes, FileChange, Moved, NotChanged};
use crate::git::canonical;
use crate::incomplete::Incomplete;
use crate::modules::{path_of, path_of_files, path_of_template};
use crate::paths::or_here;
use crate::printed::nearest;
use crate::roots::{named_beside, values_of};
use crate::settings::Settings;
use crate::status::{Failure, Status};
use crate::{expand, git, input};

/// The modules that a refactoring reads, and may change.
pub(crate) struct Repository<'a> {
    /// The path of the module that is asked about.
    path: PathBuf,
    /// The directory of all modules; `-` for standard input.
    pub(crate) directory: PathBuf,
    pub(crate) is_stdin: bool,
    files: Vec<ModuleFiles>,
    /// The files that the tools read only if they are named.
    pub(crate) named: Vec<ModuleFiles>,
    pub(crate) options: TreeOptions,
    pub(crate) tree: Tree<'a>,
    pub(crate) incomplete: Incomplete,
    /// Whether the directory is known to have units of Terragrunt.
    pub(crate) has_units: bool,
    status: Status,
}

/// The message for a path without a module.
pub(crate) fn no_module(path: &str) -> String {
    format!("{path} has no module of OpenTofu or Terraform")
}

/// Splits `DIR:ADDRESS`. Without a directory, `path` is that of the module.
pub(crate) fn place<'t>(text: &'t str, path: &Path) -> (PathBuf, &'t str) {
    // Keys of instances are not part of addresses here, so a colon ends a path.
    match text.rsplit_once(':') {
        Some((path, address)) if !path.is_empty() => (PathBuf::from(path), address),
        _ => (path.to_owned(), text),
    }
}

impl<'a> Repository<'a> {
    /// Reads the tree around the module at a path, or standard input for `-`.
    pub(crate) fn load(
        arena: &'a Arena,
        path: PathBuf,
        flags: &TreeFlags,
        common: &Common,
    ) -> Result<Self, Failure> {
        let is_stdin = input::is_dash(&path);
        let directory = match (&flags.tree, is_stdin) {
            (_, true) => path.clone(),
            (Some(tree), false) => tree.clone(),
            (None, false) => work_tree(&path, common)?,
        };
        let mut configuration = Configuration::of_directory(directory.clone(), flags.dialect);
        configuration.ignore_files = flags.ignore_files;
        let options = TreeOptions::default().with_decode(input::decode_options(common)?);
        let discovery = input::checked_modules(&configuration, common)?;
        input::refuse_too_large(&discovery)?;
        let status = Incomplete::status(&discovery);
        let mut incomplete = Incomplete::of_discovery(&discovery);
        let (files, named) = (discovery.modules, discovery.named);
        let tree = Tree::load(arena, files.clone(), &options);
        incomplete.add_tree(&tree);
        let has_units = false;
        Ok(Self {
            path,
            directory,
            is_stdin,
            files,
            named,
            options,
            tree,
            incomplete,
            has_units,
            status,
        })
    }

    /// Finds an object of the module.
    pub(crate) fn find(
        &self,
        address: &str,
        arena: &'a Arena,
    ) -> Result<(usize, Object<'a>), Failure> {
        let mut all = BTreeSet::new();
        let modules = self.modules_at(&self.path)?;
        for &place in &modules {
            let module = &self.tree.modules()[place];
            for object in module.module.objects() {
                let text = object.to_string();
                if text == address {
                    return Ok((place, object));
                }
                all.insert(text);
            }
            if let Some(object) = inherited(module, address, arena) {
                return Ok((place, object));
            }
        }
        let shown = self.path.display();
        let mut message = match modules.is_empty() {
            false => format!("{address}: no such object in {shown}"),
            true => no_module(&shown.to_string()),
        };
        let near = nearest(address, &all);
        if !near.is_empty() {
            message = format!("{message}; it has {}", near.join(", "));
        }
        let has_object =
            |module: &TreeModule<'_>| module.module.objects().any(|it| it.to_string() == address);
        let others = self.tree.given().filter(|module| has_object(module));
        let others: Vec<String> =
            others.take(3).map(|module| format!("`{}:{address}`", path_of(module))).collect();
        if !others.is_empty() {
            message = format!("{message}; there is {}", others.join(", "));
        }
        Err(Failure::Message(message))
    }

    /// The places of the modules at a path: of one directory, there may be one for each family of
    /// tools.
    pub(crate) fn modules_at(&self, path: &Path) -> Result<Vec<usize>, Failure> {
        if self.is_stdin {
            let modules = self.tree.modules().iter().enumerate();
            let given = modules.filter(|(_, module)| module.origin == Origin::Given);
            return Ok(given.map(|(place, _)| place).collect());
        }
        let directory = directory_of(path)?;
        self.modules_in(|own| own == directory)
    }

    /// The places of the given modules in a directory and below it.
    pub(crate) fn modules_below(&self, path: &Path) -> Result<Vec<usize>, Failure> {
        if self.is_stdin {
            return self.modules_at(path);
        }
        let directory = canonical(path)?;
        let mut modules = self.modules_in(|own| own.starts_with(&directory))?;
        modules.retain(|place| self.tree.modules()[*place].origin == Origin::Given);
        Ok(modules)
    }

    /// The places of the modules whose directories, without links, are meant.
    fn modules_in(&self, is_meant: impl Fn(&Path) -> bool) -> Result<Vec<usize>, Failure> {
        places_in(self.tree.modules().iter().map(|module| &module.files), is_meant)
    }

    /// Finds an object of the template of Packer at the path. `None` if there is none, or if there is a
    /// module, too, whose object may be meant.
    pub(crate) fn find_in_template(
        &self,
        address: &str,
    ) -> Result<Option<(usize, packer::Object<'a>)>, Failure> {
        let mut all = BTreeSet::new();
        for place in self.templates_at(&self.path)? {
            for object in self.tree.templates()[place].template.objects() {
                let text = object.to_string();
                if text == address {
                    return Ok(Some((place, object)));
                }
                all.insert(text);
            }
        }
        if all.is_empty() || !self.modules_at(&self.path)?.is_empty() {
            return Ok(None);
        }
        let mut message = format!("{address}: no such object in {}", self.path.display());
        let near = nearest(address, &all);
        if !near.is_empty() {
            message = format!("{message}; it has {}", near.join(", "));
        }
        Err(Failure::Message(message))
    }

    fn templates_at(&self, path: &Path) -> Result<Vec<usize>, Failure> {
        let templates = self.tree.templates();
        if self.is_stdin {
            return Ok((0..templates.len()).collect());
        }
        let directory = directory_of(path)?;
        places_in(templates.iter().map(|template| &template.files), |own| own == directory)
    }

    /// The files of values of a template that its directory has beside those that Packer reads on its
    /// own.
    pub(crate) fn values_of_template(
        &mut self,
        template: usize,
        arena: &'a Arena,
        common: &Common,
    ) -> Result<Vec<ParsedFile<'a>>, Failure> {
        let files = &self.tree.templates()[template].files;
        let files = named_beside(files, &mut self.incomplete);
        files.iter().map(|file| expand::file(arena, file, common)).collect()
    }

    /// The files of values of modules that the settings name, with the places of the modules.
    pub(crate) fn values(
        &mut self,
        modules: &[usize],
        arena: &'a Arena,
        common: &Common,
    ) -> Result<Vec<(usize, ParsedFile<'a>)>, Failure> {
        let settings = Settings::of(std::slice::from_ref(&self.directory), common)?;
        let mut values = Vec::new();
        for &place in modules {
            let module = &self.tree.modules()[place];
            for file in values_of(&module.files, settings.roots(), &mut self.incomplete)? {
                values.push((place, expand::file(arena, &file, common)?));
            }
        }
        Ok(values)
    }

    /// A file of values of modules that the settings name for another module, too, which declares the same
    /// variable: the file, and the path of that module.
    pub(crate) fn also_set_by(
        &self,
        modules: &[usize],
        variable: &str,
        common: &Common,
    ) -> Result<Option<(PathBuf, String)>, Failure> {
        let settings = Settings::of(std::slice::from_ref(&self.directory), common)?;
        let all = self.tree.modules();
        let own = modules.iter().map(|&place| &all[place].files);
        let is_other = |(place, module): &(usize, &TreeModule<'_>)| {
            !modules.contains(place) && module.module.variables.get(variable).is_some()
        };
        let others = all.iter().enumerate().filter(is_other).map(|(_, module)| &module.files);
        // Gaps are reported where the values are read.
        let values = |files: &_| values_of(files, settings.roots(), &mut Incomplete::default());
        set_together(own, others, values)
    }

    /// Adds the modules to the gaps of which an expression has a syntax error; files with other errors
    /// are known to be gaps.
    pub(crate) fn add_broken(&mut self) {
        for module in self.tree.modules().iter().filter(|it| it.origin != Origin::Installed) {
            if let Some(source) = module.broken().filter(|_| module.undecoded.is_empty()) {
                let why = "not changed: a syntax error there may hide a reference";
                self.incomplete.add("file", source.name(), why);
            }
        }
    }

    /// The failure of a refactoring. A filter passes on what it does not change.
    pub(crate) fn failure(
        &self,
        failure: Failure,
        flags: &ChangeFlags,
        common: &Common,
    ) -> Result<Failure, Failure> {
        flags.pass_on(common)?;
        // A gap may be its cause.
        self.incomplete.print(ListFormat::Human, common);
        Ok(failure)
    }

    /// Whether the last commit has a `moved` block that a change takes back, or its reverse, so that states may
    /// have moved.
    pub(crate) fn has_applied(&self, change: &Change<'_>) -> bool {
        change.taken_back.iter().any(|block| {
            let directory = block.source.path().and_then(Path::parent);
            directory.is_some_and(|directory| !self.is_stdin && has_committed(directory, block))
        })
    }

    /// Prints or writes a change, unless it leads out of the tree or adds an error. An error that the check of
    /// a unit of Terragrunt would find then is a gap.
    pub(crate) fn finish(
        mut self,
        change: Change<'a>,
        flags: &ChangeFlags,
        common: &Common,
    ) -> Result<Status, Failure> {
        let mut inside = BTreeMap::new();
        if !self.is_stdin {
            inside = self.names_inside(&change)?;
            let before = self.errors_of_units();
            self.refuse_errors(&change, common)?;
            for (place, why) in self.errors_of_units().added_to(&before) {
                let why = format!("the check of a unit would fail: {why}");
                self.incomplete.add("file", place, why);
            }
        }
        let file_change = |file: ChangedFile<'_>| {
            let name = inside.get(file.source.name()).cloned();
            let changed = FileChange::of(file.source, self.is_stdin, file.edited);
            let changed = changed.with_new(file.is_new);
            match name {
                Some(name) => changed.with_name_in_patch(name),
                None => changed,
            }
        };
        let roots = Roots::around([&self.directory]);
        let changes = changes(change, self.incomplete, &file_change);
        changes.finish(flags, common, &roots, self.status)
    }

    /// The paths of changed files in the tree, by the names of their sources. Refuses changes of files
    /// outside of it.
    fn names_inside(&self, change: &Change<'_>) -> Result<BTreeMap<String, String>, Failure> {
        let real = canonical(&self.directory)?;
        let mut names = BTreeMap::new();
        for file in &change.files {
            let source = file.source;
            let name = source.name().to_owned();
            let path = source.path().map(canonical).transpose()?;
            match path.as_deref().and_then(|path| path.strip_prefix(&real).ok()) {
                Some(inside) => names.insert(name, inside.to_string_lossy().into_owned()),
                None => {
                    let tree = self.directory.display();
                    return Err(Failure::Message(format!(
                        "{name} would change, and is outside of {tree}; --tree DIR names a larger tree"
                    )));
                }
            };
        }
        Ok(names)
    }

    /// Reads the changed modules again, with the new texts, and refuses changes that add an error.
    fn refuse_errors(&self, change: &Change<'_>, common: &Common) -> Result<(), Failure> {
        let names = |file: &ChangedFile<'_>| {
            let all = std::iter::once(file.source).chain(file.aliases.clone());
            all.filter_map(|source| source.path().map(Path::to_owned)).collect::<Vec<_>>()
        };
        let changed: BTreeSet<PathBuf> = change.files.iter().flat_map(names).collect();
        if changed.is_empty() {
            return Ok(());
        }
        let modules = self.tree.modules();
        let is_changed = |module: &TreeModule<'_>| {
            module.sources.iter().any(|it| it.path().is_some_and(|it| changed.contains(it)))
        };
        let templates = self.tree.templates().iter().filter(|template| {
            template.sources.iter().any(|it| it.path().is_some_and(|it| changed.contains(it)))
        });
        let changed_modules: BTreeSet<usize> =
            (0..modules.len()).filter(|place| is_changed(&modules[*place])).collect();
        let calls_changed = |link: &Link| match link {
            Link::Module(called) => changed_modules.contains(called),
            _ => false,
        };
        let again = modules.iter().enumerate().filter(|(place, module)| {
            changed_modules.contains(place) || module.links.iter().any(calls_changed)
        });
        let paths = again.map(|(_, module)| path_of(module));
        let paths: BTreeSet<String> = paths.chain(templates.map(path_of_template)).collect();
        let given = |new: &[&Path]| -> Vec<ModuleFiles> {
            let given = self.files.iter().filter(|module| paths.contains(&path_of_files(module)));
            given.map(|module| with_new_files(module, new)).collect()
        };
        // Bodies are checked as `check` does, which finds uses behind local values.
        let known = unreadable(&self.tree);
        let errors = |new: &[&Path]| -> Result<Errors, Failure> {
            let arena = Arena::new();
            let mut tree = Tree::load(&arena, given(new), &self.options);
            tree.check_bodies(&BodySchemas::built_in(&arena));
            // A file that could be read before decides nothing now.
            if let Some(why) = unreadable(&tree).difference(&known).next() {
                return Err(Failure::Message(format!("nothing is changed: {why}")));
            }
            let modules = tree.given().filter(|module| paths.contains(&path_of(module)));
            let templates = tree.templates().iter();
            let templates = templates.filter(|it| paths.contains(&path_of_template(it)));
            let of_templates = templates.flat_map(|template| &template.diagnostics);
            Ok(Errors::of(modules.flat_map(|module| &module.diagnostics).chain(of_templates)))
        };
        let before = errors(&[])?;
        for file in &change.files {
            for path in names(file) {
                let text = file.edited.text().as_bytes();
                // Units of Terragrunt name some files by their absolute paths.
                if self.has_units {
                    common.instead.keep_text(canonical(&path)?, text.to_vec());
                }
                common.instead.keep_text(path, text.to_vec());
            }
        }
        let new: Vec<&Path> = change
            .files
            .iter()
            .filter(|file| file.is_new)
            .flat_map(|file| file.source.path())
            .collect();
        match errors(&new)?.added_to(&before).into_iter().next() {
            Some((file, error)) => Err(Failure::Message(format!(
                "nothing is changed, since there would be a new error: {file}: {error}"
            ))),
            None => Ok(()),
        }
    }

    /// The errors of the units of Terragrunt in the directory, with the texts of changed files.
    fn errors_of_units(&self) -> Errors {
        if !self.has_units {
            return Errors::default();
        }
        let arena = Arena::new();
        let options = terragrunt::Options::default();
        let options = options.following_links(self.options.decode.follow_links);
        let options = options.opening(self.options.decode.open.clone());
        let checked = terragrunt::check(&arena, &self.directory, &options);
        Errors::of(&checked.diagnostics)
    }
}

/// The files of a tree that cannot be read, with the reasons.
fn unreadable(tree: &Tree<'_>) -> BTreeSet<String> {
    let unread = tree.diagnostics().filter(|found| found.code() == Code::UnreadableFile);
    unread.map(|found| format!("{}: {}", found.source().name(), found.detail())).collect()
}

/// The files of a module, with new ones that are in its directory.
fn with_new_files(module: &ModuleFiles, new: &[&Path]) -> ModuleFiles {
    let dialect = module.dialect;
    let directory = module.directory();
    let is_here = |path: &Path| path.parent().map(or_here) == directory.disk().map(or_here);
    let here = new.iter().filter(|path| is_here(path));
    let here = here.filter_map(|path| {
        let name = path.file_name()?;
        let kind = FileKind::of(name, dialect)?;
        Some(ModuleFile::new(name.to_owned(), path.to_path_buf(), kind))
    });
    let mut files = module.files.clone();
    files.extend(here);
    ModuleFiles::of_directory(module.path.clone(), dialect, files)
}

/// Whether the last commit has a `moved` block in a directory, or its reverse.
pub(crate) fn has_committed(directory: &Path, block: &TakenBack<'_>) -> bool {
    let dialect = Dialect::OpenTofu;
    let kind = |name: &str| {
        let kind = FileKind::of(OsStr::new(name), dialect)?;
        kind.list.declares().then_some(kind)
    };
    let files = git::committed(directory, |name| kind(name).is_some());
    let arena = Arena::new();
    let parsed = files.iter().filter_map(|(name, bytes)| {
        let source = Source::copy_from(&arena, name, bytes).ok()?;
        Some((kind(name)?.list, ParsedFile::parse(&arena, source).ok()?))
    });
    let module = Module::read(dialect, parsed, true, &mut ());
    let is_it = |address: Option<Traversal<'_>>, text: &str| {
        address.is_some_and(|address| address.to_string() == text)
    };
    let TakenBack { from, to, .. } = block;
    module.moved.iter().any(|it| {
        is_it(it.from, from) && is_it(it.to, to) || is_it(it.from, to) && is_it(it.to, from)
    })
}

/// The changes of a refactoring.
pub(crate) fn changes<'a>(
    change: Change<'a>,
    incomplete: Incomplete,
    file_change: &dyn Fn(ChangedFile<'a>) -> FileChange,
) -> Changes {
    let left =
        |left: Left<'_>| NotChanged::of(left.label.source, left.label.span, left.why.to_string());
    let Change { files, moved, not_changed, .. } = change;
    Changes {
        files: files.into_iter().map(file_change).collect(),
        moved: moved.into_iter().map(|(from, to)| Moved { from, to }).collect(),
        not_changed: not_changed.into_iter().map(left).collect(),
        incomplete,
    }
}

/// The directory that a path names, or that the file is in, without links.
fn directory_of(path: &Path) -> Result<PathBuf, Failure> {
    let real = canonical(path)?;
    let is_file = match real.metadata() {
        Ok(metadata) => metadata.is_file(),
        Err(error) if git::is_missing(&error) => false,
        Err(error) => return Err(git::cannot(&format!("find {}", real.display()), &error)),
    };
    Ok(if is_file { real.parent().unwrap_or(&real).to_owned() } else { real })
}

/// The indexes of the files whose directories, without links, are meant.
fn places_in<'f>(
    all: impl Iterator<Item = &'f ModuleFiles>,
    is_meant: impl Fn(&Path) -> bool,
) -> Result<Vec<usize>, Failure> {
    let mut places = Vec::new();
    for (place, files) in all.enumerate() {
        if let Location::Disk(own) = files.directory()
            && is_meant(&canonical(or_here(&own))?)
        {
            places.push(place);
        }
    }
    Ok(places)
}

/// The git work tree around a path, relative to the working directory if it is below or above it.
fn work_tree(path: &Path, common: &Common) -> Result<PathBuf, Failure> {
    let real = canonical(path)?;
    if !real.exists() {
        let path = path.display();
        return Err(Failure::Message(format!("{path}: no such file or directory")));
    }
    let directory = if real.is_dir() { Some(&*real) } else { real.parent() };
    let Some(directory) = directory else { return Ok(path.to_owned()) };
    let top = expand::repository(directory, common).unwrap_or_else(|| directory.to_owned());
    let here = canonical(Path::new("."))?;
    match top.strip_prefix(&here) {
        Ok(below) if !below.as_os_str().is_empty() => Ok(below.to_owned()),
        _ if here.starts_with(&top) => git::from_here(&top),
        _ => Ok(top),
    }
}

/// A provider configuration that the caller of a module passes.
fn inherited<'a>(module: &TreeModule<'a>, address: &str, arena: &'a Arena) -> Option<Object<'a>> {
    let (local_name, alias) = address.strip_prefix("provider.")?.split_once('.')?;
    let name = ProviderConfigName::new(arena.str(local_name), Some(arena.str(alias)));
    let places = module.places();
    let is_named = places.of_target(Target::Inherited(name)).next().is_some();
    is_named.then_some(Object::Provider(name))
}
