//! The units and stacks that `terragrunt stack generate` would write, and where.
//!
//! Nothing is written: the folders of generated units and stacks become mounts of the tree
//! ([`super::disk`]), with the values and the parts that the stack gives to them.

use std::collections::VecDeque;
use std::sync::Arc;

use super::call::resolved;
use super::discover::{ComponentKind, Search, search};
use super::disk::is_below;
use super::frame::{Extent, Frame, Memo};
use super::log::{Log, Reads};
use super::names;
use super::read::read;
use super::stack::{Component, Reading, Stack};
use super::world::{Bound, Shared, World, Written};
use crate::arena::Arena;
use crate::evaluate::{Budget, Meter};
use crate::functions::paths::join;
use crate::hash::{HashMap, HashSet};

/// The most levels of stacks in stacks.
const MOST_LEVELS: usize = 100;

/// The most folders that stacks of a tree generate.
const MOST_FOLDERS: usize = 100_000;

/// The longest path of a generated folder, in bytes, and the most names in it.
const LONGEST_PATH: usize = 4096;
const DEEPEST_PATH: usize = 128;

/// Evaluates the stack in a folder in an arena, and passes it on.
fn with_stack<'a, T>(
    world: &World<'a>,
    folder: &str,
    log: &Log,
    work: impl for<'v> FnOnce(Stack<'v, 'a>) -> T,
) -> Option<T> {
    let arena = Arena::new();
    let meter = Meter::new(Budget::DEFAULT);
    let path = join(folder, names::STACK);
    let memo = Memo::default();
    let mut kept = Reads::default();
    loop {
        // Values that are kept are not read again.
        let own = Log::of(kept);
        let frame = Frame {
            world,
            arena: &arena,
            config: &path,
            original: &path,
            meter: &meter,
            log: &own,
            memo: &memo,
            extent: Extent::Whole,
        };
        let stack = (Reading { frame, folder }).stack();
        let mut reads = own.into_reads();
        let wanted = std::mem::take(&mut reads.wanted);
        if wanted.is_empty() {
            log.append(reads);
            return Some(work(stack?));
        }
        kept = reads.kept();
        for request in wanted {
            read(world, &request.path, &path);
        }
    }
}

/// The folders of the units that a stack generates, those of stacks in it included.
pub(super) fn units_of(world: &World<'_>, folder: &str, log: &Log) -> Vec<String> {
    let mut units = Vec::new();
    let mut seen: HashSet<String> = HashSet::default();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        if !world.disk.is_file(&join(&folder, names::STACK))
            || !seen.insert(world.disk.resolve(&folder))
            || seen.len() > MOST_FOLDERS
        {
            continue;
        }
        let found = with_stack(world, &folder, log, |stack| {
            let folders = stack.components.iter().map(|it| (it.kind, it.folder(&folder)));
            folders.collect::<Vec<_>>()
        });
        for (kind, folder) in found.unwrap_or_default() {
            match (kind, folder) {
                (ComponentKind::Unit, Some(folder)) => units.push(folder),
                (ComponentKind::Stack, Some(folder)) => open.push(folder),
                (_, None) => {}
            }
        }
    }
    units.sort();
    units
}

/// Evaluates the stack in a folder. Returns the files that it reads and its problems, and whether it
/// needs values that it does not have.
pub(super) fn read_stack(world: &World<'_>, folder: &str) -> (Log, bool) {
    let log = Log::default();
    let _ = with_stack(world, folder, &log, |_| ());
    (log, is_template(world, folder))
}

/// Generates all stacks below a folder, those that stacks generate included. Returns what could not be
/// generated: folders, each with its problems.
pub(super) fn generate(world: &World<'_>, folder: &str, how: Search) -> Vec<(String, Log)> {
    let stacks = |folder: &str| {
        let found = search(&world.disk, folder, how).components;
        found.into_iter().filter(|(_, kind)| *kind == ComponentKind::Stack).map(|(path, _)| path)
    };
    let mut open: VecDeque<(String, Vec<String>)> =
        stacks(folder).map(|path| (path, Vec::new())).collect();
    let mut seen: HashSet<String> = open.iter().map(|(path, _)| path.clone()).collect();
    let mut logs = Vec::new();
    while let Some((stack, mut above)) = open.pop_front() {
        let log = Log::default();
        if world.is_checked() && is_template(world, &stack) {
            continue;
        }
        above.push(world.disk.real(&stack));
        let made = with_stack(world, &stack, &log, |found| make(world, &stack, found, &log));
        for folder in made.unwrap_or_default() {
            if above.len() >= MOST_LEVELS || seen.len() >= MOST_FOLDERS {
                log.problem("stack", "it generates too many stacks");
                break;
            }
            for inner in stacks(&folder) {
                if above.contains(&world.disk.real(&inner)) {
                    log.problem("stack", format!("{inner} would generate itself"));
                } else if seen.insert(inner.clone()) {
                    open.push_back((inner, above.clone()));
                }
            }
        }
        logs.push((stack, log));
    }
    logs
}

/// Whether a stack needs the values that another one gives to it, and has none.
fn is_template(world: &World<'_>, folder: &str) -> bool {
    let needs = world.parsed(&join(folder, names::STACK)).is_ok_and(|it| it.uses.values);
    needs && !world.has_values(folder)
}

/// The first two components of one path: of one kind as it is written, of two as the folder it leads to.
fn same_path<'s, 'v, 'a>(
    stack: &str,
    found: &'s Stack<'v, 'a>,
) -> Option<(&'s Component<'v, 'a>, &'s Component<'v, 'a>)> {
    let mut written: HashMap<(ComponentKind, &str), &Component<'v, 'a>> = HashMap::default();
    let mut folders: HashMap<String, &Component<'v, 'a>> = HashMap::default();
    for component in &found.components {
        let same = component.path.and_then(|it| written.insert((component.kind, it), component));
        let folder = component.folder(stack);
        let beside = folder.and_then(|it| folders.insert(it, component));
        let beside = beside.filter(|other| other.kind != component.kind);
        if let Some(other) = same.or(beside) {
            return Some((other, component));
        }
    }
    None
}

/// Generates the components of one stack. Returns their folders.
fn make<'a>(world: &World<'a>, stack: &str, found: Stack<'_, 'a>, log: &Log) -> Vec<String> {
    if found.components.is_empty() {
        log.problem("stack", "the stack has neither units nor stacks");
    }
    let mut files: Vec<String> = vec![world.disk.real(&join(stack, names::STACK))];
    files.extend(world.written(stack).iter().flat_map(|it| it.files.iter().cloned()));
    {
        let reads = log.get();
        files.extend(reads.tracked.iter().chain(&reads.also).map(|file| world.disk.real(file)));
    }
    let files: Arc<[String]> = files.into();
    if let Some((one, two)) = same_path(stack, &found) {
        let why = format!("{} and {} have one path", one.shown(), two.shown());
        log.problem("stack", why);
    }
    let mut made = Vec::new();
    // The variables of the stack, and of what is merged over it.
    let mut copied: Vec<(Shared<'_>, Shared<'a>)> = Vec::new();
    for component in found.components.into_iter().filter(|it| it.is_enabled) {
        let shown = component.shown();
        let Some(folder) = component.folder(stack) else {
            let why = format!("the path of {shown} is not known, or leads out of the stack");
            log.problem("stack", why);
            continue;
        };
        if folder.len() > LONGEST_PATH || folder.matches('/').count() > DEEPEST_PATH {
            log.problem("stack", format!("the path of {shown} is too long"));
            continue;
        }
        let source = component.source.map(|source| resolved(stack, source));
        let Some(source) = source.filter(|source| world.disk.is_folder(source)) else {
            let why = format!("the source of {shown} is not a folder of this tree");
            log.problem("stack", why);
            continue;
        };
        let expected = match component.kind {
            ComponentKind::Unit => names::UNIT,
            ComponentKind::Stack => names::STACK,
        };
        let is_valid = world.disk.is_file(&join(&source, expected));
        if component.is_checked && !component.is_outside && !is_valid {
            log.problem("stack", format!("the source of {shown} has no {expected}"));
            continue;
        }
        if is_below(&folder, &world.disk.real(&source)) && component.kind == ComponentKind::Stack {
            log.problem("stack", format!("{shown} would contain itself"));
            continue;
        }
        world.disk.mount(&folder, &source);
        let arena = world.arena;
        let values = component.values.filter(|it| !it.is_null());
        let values = values.map(|it| world.copied(it, log));
        let autoinclude = component.autoinclude.map(|part| {
            let own = component.variables;
            let known = copied.iter().find(|(known, _)| Arc::ptr_eq(known, &own));
            let variables = known.map(|(_, copy)| Arc::clone(copy)).unwrap_or_else(|| {
                let copy = |&(name, value)| (arena.str(name), world.copied(value, log));
                let copy: Shared<'a> = own.iter().map(copy).collect();
                copied.push((own, Arc::clone(&copy)));
                copy
            });
            // The part belongs to a file of the world.
            Arc::new(Bound { parsed: world.parsed_block(part), variables, file: component.file })
        });
        world.write(&folder, Written { values, autoinclude, files: Arc::clone(&files) });
        made.push(folder);
    }
    made
}
