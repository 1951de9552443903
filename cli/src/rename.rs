//! `rename`: an object gets another name, and so does everything that names it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use simd_hcl::directory::{Location, ModuleFiles, Roots};
use simd_hcl::facts::Target;
use simd_hcl::module::{Object, ProviderConfigName};
use simd_hcl::refactor::rename::{Request, plan};
use simd_hcl::refactor::{Change, NotChanged as Left};
use simd_hcl::terragrunt;
use simd_hcl::tree::{Link, Origin, Tree, TreeModule, TreeOptions};
use simd_hcl::{Arena, Severity};

use crate::args::{self, Common, Configuration};
use crate::change::{Changes, FileChange, Moved, NotChanged};
use crate::git::canonical;
use crate::incomplete::Incomplete;
use crate::instead::Instead;
use crate::modules::path_of;
use crate::paths::or_here;
use crate::printed::nearest;
use crate::roots::Run;
use crate::settings::Settings;
use crate::status::{Failure, Status};
use crate::{expand, input};

pub(crate) fn run(rename: &args::Rename, common: &Common) -> Result<Status, Failure> {
    let (path, address) = place(rename);
    let is_stdin = path == Path::new("-");
    let tree = match (&rename.tree, is_stdin) {
        (_, true) => path.clone(),
        (Some(tree), false) => tree.clone(),
        (None, false) => work_tree(&path)?,
    };
    let mut configuration = Configuration::of_directory(tree.clone(), rename.dialect);
    configuration.ignore_files = rename.ignore_files;
    let options = input::decode_options(common)?;
    let discovery = input::modules(&configuration, common)?;
    input::refuse_too_large(&discovery)?;
    let mut status = Incomplete::status(&discovery);
    let mut incomplete = Incomplete::of_discovery(&discovery);
    let files = discovery.modules;
    let arena = Arena::new();
    let tree_options = TreeOptions::default().with_decode(options.clone());
    let loaded = Tree::load(&arena, files.clone(), &tree_options);
    incomplete.add_tree(&loaded);

    let found = find(&loaded, &path, is_stdin, address, &arena);
    let (module, object) = match found {
        Ok(found) => found,
        Err(failure) => {
            rename.change.pass_on(common)?;
            incomplete.print(args::ListFormat::Human, common);
            return Err(failure);
        }
    };
    let name = new_name(object, address, &rename.new)?;
    let settings = Settings::of(&configuration.paths, common)?;
    let inputs = Run::of(&loaded, settings.roots(), common, &mut incomplete)?;
    let owner = &loaded.modules()[module];
    let values = inputs.values_of(owner);
    let values = values.iter().map(|file| expand::file(&arena, file, common));
    let values: Vec<_> = values.collect::<Result<_, _>>()?;
    let request = Request::new(module, object, name)
        .with_values(&values)
        .with_moved(!rename.no_moved)
        .with_alignment(rename.fmt);
    let change = match plan(&loaded, &options, &request) {
        Ok(change) => change,
        Err(why) => {
            rename.change.pass_on(common)?;
            // A gap may be its cause.
            incomplete.print(args::ListFormat::Human, common);
            return Err(Failure::Message(format!("{address} is not renamed: {why}")));
        }
    };
    if !is_stdin {
        refuse_outside(&change, &tree)?;
        refuse_errors(&change, &loaded, module, &files, (&tree_options, &common.instead))?;
        add_units(&tree, address, object, &mut incomplete);
    }
    if !incomplete.is_empty() {
        status = status.max(Status::Clean);
    }
    let real = canonical(&tree)?;
    let file_change = |file: simd_hcl::refactor::ChangedFile<'_>| {
        let path = file.file.source().path().map(Path::to_owned);
        let changed = FileChange::of(file.file, is_stdin, file.edited);
        let inside = path.and_then(|path| canonical(&path).ok());
        let inside = inside.and_then(|path| Some(path.strip_prefix(&real).ok()?.to_owned()));
        match inside.filter(|_| !is_stdin) {
            Some(inside) => changed.with_name_in_patch(inside.to_string_lossy().into_owned()),
            None => changed,
        }
    };
    let left =
        |left: Left<'_>| NotChanged::of(left.label.source, left.label.span, left.why.to_string());
    let Change { files, moved, not_changed, .. } = change;
    let changes = Changes {
        files: files.into_iter().map(file_change).collect(),
        moved: moved.into_iter().map(|(from, to)| Moved { from, to }).collect(),
        not_changed: not_changed.into_iter().map(left).collect(),
        incomplete,
    };
    changes.finish(&rename.change, common, &Roots::around([&tree]), status)
}

/// The directory of the module, and the address in it.
fn place(rename: &args::Rename) -> (PathBuf, &str) {
    let address = &*rename.address;
    // Keys of instances are not part of addresses here, so a colon ends a path.
    match address.rsplit_once(':') {
        Some((path, address)) if !path.is_empty() => (PathBuf::from(path), address),
        _ => (rename.path.clone(), address),
    }
}

/// The git work tree around a path, relative to the working directory if it is below or above it.
fn work_tree(path: &Path) -> Result<PathBuf, Failure> {
    let real = canonical(path)?;
    if !real.exists() {
        let path = path.display();
        return Err(Failure::Message(format!("{path}: no such file or directory")));
    }
    let top = real.ancestors().find(|directory| directory.join(".git").exists());
    let directory = if real.is_dir() { Some(&*real) } else { real.parent() };
    let Some(top) = top.or(directory) else { return Ok(path.to_owned()) };
    let here = canonical(Path::new("."))?;
    if let Ok(below) = top.strip_prefix(&here) {
        return Ok(or_here(below).to_owned());
    }
    Ok(match here.strip_prefix(top) {
        Ok(below) => below.components().map(|_| "..").collect(),
        Err(_) => top.to_owned(),
    })
}

/// Finds an object in the module at a path.
fn find<'a>(
    tree: &Tree<'a>,
    path: &Path,
    is_stdin: bool,
    address: &str,
    arena: &'a Arena,
) -> Result<(usize, Object<'a>), Failure> {
    let directory = if is_stdin { PathBuf::new() } else { canonical(path)? };
    let is_meant = |module: &TreeModule<'_>| match (module.files.directory(), is_stdin) {
        (_, true) => module.origin == Origin::Given,
        (Location::Disk(own), false) => canonical(or_here(&own)).is_ok_and(|own| {
            own == directory || directory.parent() == Some(&own) && directory.is_file()
        }),
        (Location::Memory(_), false) => false,
    };
    let mut all = BTreeSet::new();
    let mut has_module = false;
    for (place, module) in tree.modules().iter().enumerate().filter(|(_, it)| is_meant(it)) {
        has_module = true;
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
    let shown = path.display();
    let mut message = match has_module {
        true => format!("{address}: no such object in {shown}"),
        false => format!("{shown} has no module of OpenTofu or Terraform"),
    };
    let near = nearest(address, &all);
    if !near.is_empty() {
        message = format!("{message}; it has {}", near.join(", "));
    }
    let others = tree
        .given()
        .filter(|module| module.module.objects().any(|object| object.to_string() == address));
    let others: Vec<String> =
        others.take(3).map(|module| format!("`{}:{address}`", path_of(module))).collect();
    if !others.is_empty() {
        message = format!("{message}; there is {}", others.join(", "));
    }
    Err(Failure::Message(message))
}

/// A provider configuration that the caller of a module passes.
fn inherited<'a>(module: &TreeModule<'a>, address: &str, arena: &'a Arena) -> Option<Object<'a>> {
    let (local_name, alias) = address.strip_prefix("provider.")?.split_once('.')?;
    let name = ProviderConfigName::new(arena.str(local_name), Some(arena.str(alias)));
    let places = module.places();
    let is_named = places.of_target(Target::Inherited(name)).next().is_some();
    is_named.then_some(Object::Provider(name))
}

/// The new name, which may be given as an address of the same kind.
fn new_name<'n>(object: Object<'_>, address: &str, new: &'n str) -> Result<&'n str, Failure> {
    let last = address.rsplit('.').next().unwrap_or(address);
    let prefix = address.strip_suffix(last).unwrap_or_default();
    match new.strip_prefix(prefix).filter(|_| !prefix.is_empty()) {
        Some(name) => Ok(name),
        None if new.contains('.') => Err(Failure::Message(format!(
            "{new} is not an address of the same kind as {object}: it would be {prefix}NAME"
        ))),
        None => Ok(new),
    }
}

/// Refuses changes of files outside of the tree.
fn refuse_outside(change: &Change<'_>, tree: &Path) -> Result<(), Failure> {
    let real = canonical(tree)?;
    for file in &change.files {
        let source = file.file.source();
        let is_inside = match source.path() {
            Some(path) => canonical(path)?.starts_with(&real),
            None => false,
        };
        if !is_inside {
            let (name, tree) = (source.name(), tree.display());
            return Err(Failure::Message(format!(
                "{name} names the object, and is outside of {tree}; --tree DIR names a larger tree"
            )));
        }
    }
    Ok(())
}

/// Reads the changed modules again, with the new texts, and refuses changes that add an error.
fn refuse_errors(
    change: &Change<'_>,
    tree: &Tree<'_>,
    owner: usize,
    files: &[ModuleFiles],
    (options, instead): (&TreeOptions, &Instead),
) -> Result<(), Failure> {
    let changed: BTreeSet<&Path> =
        change.files.iter().filter_map(|file| file.file.source().path()).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let is_read_again = |(place, module): &(usize, &TreeModule<'_>)| {
        *place == owner
            || module.links.contains(&Link::Module(owner))
            || module.sources.iter().any(|it| it.path().is_some_and(|it| changed.contains(it)))
    };
    let again: Vec<(usize, &TreeModule<'_>)> =
        tree.modules().iter().enumerate().filter(is_read_again).collect();
    let paths: BTreeSet<String> = again.iter().map(|(_, module)| path_of(module)).collect();
    let errors = |tree: &Tree<'_>| -> Vec<String> {
        let modules = tree.given().filter(|module| paths.contains(&path_of(module)));
        let all = modules.flat_map(|module| &module.diagnostics);
        let errors = all.filter(|found| found.severity() == Severity::Error);
        errors.map(|found| format!("{}: {}", found.source().name(), found.detail())).collect()
    };
    let before = errors(tree);
    for file in &change.files {
        if let Some(path) = file.file.source().path() {
            instead.keep_text(path.to_owned(), file.edited.text().as_bytes().to_vec());
        }
    }
    let arena = Arena::new();
    let path_of_files = |module: &ModuleFiles| module.path.to_string_lossy().into_owned();
    let given = files.iter().filter(|module| paths.contains(&path_of_files(module)));
    let after = errors(&Tree::load(&arena, given.cloned().collect(), options));
    if after.len() <= before.len() {
        return Ok(());
    }
    let known: BTreeSet<&String> = before.iter().collect();
    let new = after.iter().find(|error| !known.contains(error)).or(after.first());
    Err(Failure::Message(format!(
        "the object is not renamed, since there would be a new error: {}",
        new.map_or("", |error| error)
    )))
}

/// Notes the units of Terragrunt whose files have the old name: they are not changed.
fn add_units(tree: &Path, address: &str, object: Object<'_>, incomplete: &mut Incomplete) {
    if !matches!(object, Object::Variable(_) | Object::Output(_)) {
        return;
    }
    let name = address.rsplit('.').next().unwrap_or(address);
    let units = terragrunt::find(tree, &terragrunt::Options::default()).units;
    for unit in &units {
        let path = tree.join(&unit.path).join("terragrunt.hcl");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if text.split(|c| !is_part(c)).any(|word| word == name) {
            let why = "not changed: a unit of Terragrunt that has the name";
            incomplete.add("file", path.to_string_lossy(), why);
        }
    }
}
