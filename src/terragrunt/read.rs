//! Evaluates configurations after those that they read.
//!
//! `read_terragrunt_config` evaluates nothing: it notes what it needs, and [`evaluate`] evaluates that
//! first, with a stack of configurations, so nothing recurses. A configuration that reads itself is
//! reported.

use std::sync::Arc;

use super::evaluate::Outcome;
use super::frame::{Extent, Frame, Memo};
use super::log::{Log, Problem, Reads};
use super::names;
use super::source::module_of;
use super::world::{Read, World};
use crate::arena::Arena;
use crate::dialect::{Dialect, FileKind, Syntax};
use crate::evaluate::{Budget, Meter};
use crate::functions::paths::{base, join};
use crate::hash::HashSet;
use crate::hidden::{Hidden, declares};
use crate::parsed::ParsedFile;
use crate::source::{MAX_LEN, Source};

/// The budget of one configuration: several seconds, and 256 MiB.
const BUDGET: Budget = Budget::DEFAULT;

/// The most configurations that read one another.
const DEEPEST: usize = 1_000;

/// The most times that an evaluation is repeated.
const MOST_RUNS: usize = 1_000;

/// Evaluates the configuration of a unit in an arena. Returns it with what it reads.
pub(super) fn evaluate<'a: 'v, 'v>(
    world: &World<'a>,
    arena: &'v Arena,
    config: &str,
    extent: Extent,
) -> (Outcome<'v>, Reads) {
    let (meter, memo) = (Meter::new(BUDGET), Memo::default());
    let (mut runs, mut kept) = (0, Reads::default());
    loop {
        let log = Log::of(kept);
        let frame = Frame {
            world,
            arena,
            config,
            original: config,
            meter: &meter,
            log: &log,
            memo: &memo,
            extent,
        };
        let outcome = frame.run();
        let mut reads = log.into_reads();
        runs += 1;
        let wanted = std::mem::take(&mut reads.wanted);
        if wanted.is_empty() {
            return (outcome, reads);
        }
        if runs == MOST_RUNS {
            reads.problems.insert(too_many());
            return (outcome, reads);
        }
        kept = reads.kept();
        for request in wanted {
            read(world, &request.path, config);
        }
    }
}

/// Does the same with sensitive outputs marked in the mocks of dependencies, unless all values may be
/// shown.
///
/// Cost: that of evaluating the units that it depends on to list them, once for all units. A unit with
/// such mocks is evaluated again.
pub(super) fn evaluate_marked<'a: 'v, 'v>(
    world: &World<'a>,
    arena: &'v Arena,
    config: &str,
    extent: Extent,
) -> (Outcome<'v>, Reads) {
    loop {
        let (outcome, reads) = evaluate(world, arena, config, extent);
        if world.options.shows_sensitive {
            return (outcome, reads);
        }
        let new = reads.mocked.iter().filter(|folder| world.known_outputs(folder).is_none());
        let sensitive =
            new.filter(|folder| hidden_outputs(world, folder).outputs().next().is_some());
        let sensitive: HashSet<&str> = sensitive.map(String::as_str).collect();
        if sensitive.is_empty() {
            return (outcome, reads);
        }
        world.forget_mocked(&sensitive);
    }
}

/// Returns which outputs the module of a unit declares as sensitive. Evaluates the unit to list it, so it
/// must not be called during an evaluation.
pub(super) fn hidden_outputs(world: &World<'_>, folder: &str) -> Arc<Hidden> {
    if let Some(known) = world.known_outputs(folder) {
        return known;
    }
    let arena = Arena::new();
    let config = world.config_of(folder);
    let mut hidden = Hidden::default();
    let module = match world.disk.is_file(&config) {
        true => module_of(folder, &evaluate(world, &arena, &config, Extent::Listed).0.config),
        false => None,
    };
    let listing = module.as_ref().map(|folder| world.disk.list(folder));
    for (name, _) in listing.iter().flat_map(|it| &it.entries) {
        let Some(kind) = FileKind::of(name.as_ref(), Dialect::OpenTofu) else { continue };
        let path = join(module.as_deref().unwrap_or_default(), name);
        let source = match declares(kind.list) {
            true => world.disk.read(&path, MAX_LEN as u64),
            false => continue,
        };
        let source = source.map(|bytes| Source::copy_from(&arena, name, &bytes));
        let Ok(Ok(source)) = source else { continue };
        let parsed = match kind.syntax {
            Syntax::Json => ParsedFile::parse(&arena, source).ok(),
            Syntax::Native => Some(ParsedFile::native(&arena, source)),
        };
        if let Some(parsed) = parsed {
            hidden.add(Dialect::OpenTofu, kind.list, parsed);
        }
    }
    let hidden = Arc::new(hidden);
    world.keep_outputs(folder, Arc::clone(&hidden));
    hidden
}

fn too_many() -> Problem {
    let why = "it reads too many configurations, one because of another".to_owned();
    Problem { what: "configuration", why }
}

/// Evaluates a configuration that another one reads, and all that it reads.
pub(super) fn read(world: &World<'_>, path: &str, original: &str) {
    let mut open: Vec<(String, Meter, usize)> = Vec::new();
    let push = |open: &mut Vec<(String, Meter, usize)>, path: &str| {
        if world.read(path, original).is_none() && !world.set_being_read(path, true) {
            open.push((path.to_owned(), Meter::new(BUDGET), 0));
        }
    };
    push(&mut open, path);
    while let Some((path, meter, runs)) = open.last_mut() {
        *runs += 1;
        let is_last = *runs >= MOST_RUNS;
        let path = path.clone();
        let arena = Arena::new();
        let log = Log::default();
        let value = match base(&path) {
            names::STACK | names::AUTOINCLUDE_STACK => {
                super::stack::value(world, &arena, &path, original, (meter, &log))
            }
            _ => {
                let memo = Memo::default();
                let frame = Frame {
                    world,
                    arena: &arena,
                    config: &path,
                    original,
                    meter,
                    log: &log,
                    memo: &memo,
                    extent: Extent::Full,
                };
                frame.read_value()
            }
        };
        let mut reads = log.into_reads();
        let wanted = std::mem::take(&mut reads.wanted);
        if !wanted.is_empty() && (is_last || open.len() >= DEEPEST) {
            reads.problems.insert(too_many());
        } else if !wanted.is_empty() {
            let before = open.len();
            for request in wanted {
                push(&mut open, &request.path);
            }
            if open.len() > before {
                continue;
            }
        }
        let log = Log::of(reads);
        let value = world.copied(value, &log);
        let reads = log.into_reads();
        let Reads { tracked, also, looked_for, watched, mocked, problems, is_relative, .. } = reads;
        let kept =
            Read { value, tracked, also, looked_for, watched, mocked, problems, is_relative };
        world.keep(&path, original, kept);
        world.set_being_read(&path, false);
        open.pop();
    }
}
