//! Evaluates configurations after those that they read.
//!
//! `read_terragrunt_config` evaluates nothing: it notes what it needs, and [`evaluate`] evaluates that
//! first, with a stack of configurations, so nothing recurses. A configuration that reads itself is
//! reported.

use std::sync::Arc;

use super::config::Config;
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
    if world.disk.is_file(&config) {
        let (outcome, _) = evaluate(world, &arena, &config, Extent::Whole);
        let module = module_of(folder, &outcome.config);
        let own = Some(folder).filter(|folder| module.as_deref() != Some(*folder));
        for folder in module.as_deref().into_iter().chain(own) {
            for (name, _) in &world.disk.list(folder).entries {
                let read = || world.disk.read(&join(folder, name), MAX_LEN as u64).ok();
                add_declared(name, read, &mut hidden);
            }
        }
        add_generated(&outcome.config, &mut hidden);
    }
    let hidden = Arc::new(hidden);
    world.keep_outputs(folder, Arc::clone(&hidden));
    hidden
}

/// Adds what the files declare that a configuration writes into its module.
pub(super) fn add_generated(config: &Config<'_>, hidden: &mut Hidden) {
    for (_, block) in &config.generate {
        let text = |name: &str| block.get(name).and_then(|value| value.as_str());
        if let (Some(path), Some(contents)) = (text("path"), text("contents")) {
            add_declared(base(path), || Some(contents), hidden);
        }
    }
}

/// Adds what a file declares, if its name is that of configuration.
fn add_declared<B: AsRef<[u8]>>(name: &str, read: impl FnOnce() -> Option<B>, hidden: &mut Hidden) {
    let kind = FileKind::of(name.as_ref(), Dialect::OpenTofu);
    let Some(kind) = kind.filter(|kind| declares(kind.list)) else { return };
    let arena = Arena::new();
    let source = read().and_then(|bytes| Source::copy_from(&arena, name, bytes.as_ref()).ok());
    let parsed = source.and_then(|source| match kind.syntax {
        Syntax::Json => ParsedFile::parse(&arena, source).ok(),
        Syntax::Native => Some(ParsedFile::native(&arena, source)),
    });
    if let Some(parsed) = parsed {
        hidden.add(Dialect::OpenTofu, kind.list, parsed);
    }
}

fn too_many() -> Problem {
    let why = "it reads too many configurations, one because of another".to_owned();
    Problem { what: "configuration", why, instead: None }
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
        let Reads {
            tracked,
            also,
            looked_for,
            watched,
            mocked,
            needed,
            leads,
            problems,
            is_relative,
            ..
        } = reads;
        let kept = Read {
            value,
            tracked,
            also,
            looked_for,
            watched,
            mocked,
            needed,
            leads,
            problems,
            is_relative,
        };
        world.keep(&path, original, kept);
        world.set_being_read(&path, false);
        open.pop();
    }
}
