//! The modules and stacks that components and stacks in stacks call.

use std::path::Path;

use crate::dialect::Dialect;
use crate::directory::{DecodeOptions, Location, ModuleFiles, Roots};
use crate::hash::{HashMap, HashSet};
use crate::stacks::{Kind, Object};
use crate::tree::{Tree, TreeModule, clean_path, local_path};

/// A component, or a stack in a stack, whose local source leads to a directory of the tree.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Call<'t, 'a> {
    /// The index of the stack in [`Tree::modules`].
    pub stack: usize,
    /// The component or the stack.
    pub object: &'t Object<'a>,
    /// Its index in [`objects`](crate::stacks::Stack::objects).
    pub number: usize,
    /// The index of what it calls in [`Tree::modules`].
    pub target: usize,
}

/// The calls of all stacks of a tree, in the order of the stacks.
///
/// Cost: linear in the modules and the objects of stacks.
#[must_use]
pub fn calls<'t, 'a>(tree: &'t Tree<'a>) -> Vec<Call<'t, 'a>> {
    let stacks = || tree.modules().iter().enumerate().filter(|(_, it)| it.stack.is_some());
    if stacks().next().is_none() {
        return Vec::new();
    }
    // A directory may have a module and a stack.
    let (mut of_modules, mut of_stacks) = (HashMap::default(), HashMap::default());
    for (place, module) in tree.modules().iter().enumerate() {
        let directory = cleaned(module.files.directory());
        if module.stack.is_none() || !module.configuration.is_empty() {
            of_modules.entry(directory.clone()).or_insert(place);
        }
        if module.stack.is_some() {
            of_stacks.entry(directory).or_insert(place);
        }
    }
    let mut calls = Vec::new();
    for (stack, module) in stacks() {
        let Some(declared) = &module.stack else { continue };
        for (number, object) in declared.objects.iter().enumerate() {
            let Some(directory) = directory(module, object) else { continue };
            let places = if object.kind == Kind::Stack { &of_stacks } else { &of_modules };
            if let Some(&target) = places.get(&cleaned(directory)) {
                calls.push(Call { stack, object, number, target });
            }
        }
    }
    calls
}

/// The files of the modules and stacks that the stacks of a tree call by local sources, and that the
/// tree does not have. Links that lead out of the directories around the stack are not followed
/// unless `options` say so.
///
/// Cost: linear in the objects of stacks, and in the entries of the directories.
#[must_use]
pub fn uncalled(tree: &Tree<'_>, options: &DecodeOptions) -> Vec<ModuleFiles> {
    let known: HashSet<(usize, usize)> =
        calls(tree).iter().map(|call| (call.stack, call.number)).collect();
    let mut seen: HashSet<(bool, Location)> = HashSet::default();
    let mut found = Vec::new();
    for (stack, module) in tree.modules().iter().enumerate() {
        let objects = module.stack.iter().flat_map(|stack| &stack.objects);
        for (number, object) in objects.enumerate() {
            let Some(directory) = directory(module, object) else { continue };
            let is_stack = object.kind == Kind::Stack;
            if known.contains(&(stack, number)) || !seen.insert((is_stack, directory.clone())) {
                continue;
            }
            found.extend(listed(&module.files.directory(), &directory, is_stack, options));
        }
    }
    found
}

/// The files of a module or a stack in a directory; `None` if there are none that may be read.
fn listed(
    outer: &Location,
    directory: &Location,
    is_stack: bool,
    options: &DecodeOptions,
) -> Option<ModuleFiles> {
    let (path, outer) = (directory.disk()?, outer.disk()?);
    let files = match is_stack {
        true => ModuleFiles::list_components(path),
        false => ModuleFiles::list(path, Dialect::Terraform),
    };
    let mut files = files.ok().filter(|files| !files.files.is_empty())?;
    if !options.follow_links {
        // A path may lead anywhere, and a link only where those of the stack may.
        let own = path.ancestors().take_while(|it| !outer.starts_with(it));
        if { own }.any(Path::is_symlink) && Roots::around([outer]).outside(path).is_some() {
            return None;
        }
        files.refuse_links(&Roots::around([outer, path]));
    }
    Some(files)
}

/// The directory that a component, or a stack in a stack, calls; `None` if its source is not local.
pub(super) fn directory(module: &TreeModule<'_>, object: &Object<'_>) -> Option<Location> {
    let source = source(object)?;
    local_path(&module.files.directory(), source)
}

/// The source of a component or of a stack in a stack.
pub(super) fn source<'a>(object: &Object<'a>) -> Option<&'a str> {
    matches!(object.kind, Kind::Component | Kind::Stack).then_some(())?;
    object.argument("source")?.expression().to_str()
}

fn cleaned(directory: Location) -> Location {
    match directory {
        Location::Disk(path) => Location::Disk(clean_path(&path)),
        Location::Memory(_) => directory,
    }
}
