//! Evaluates configurations after those that they read.
//!
//! `read_terragrunt_config` evaluates nothing: it notes what it needs, and [`evaluate`] evaluates that
//! first, with a stack of configurations, so nothing recurses. A configuration that reads itself is
//! reported.

use super::evaluate::Outcome;
use super::frame::{Extent, Frame, Memo};
use super::log::{Log, Problem, Reads};
use super::names;
use super::world::{Read, World};
use crate::arena::Arena;
use crate::evaluate::{Budget, Meter};
use crate::functions::paths::base;

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
        let Reads { tracked, also, looked_for, watched, problems, is_relative, .. } = reads;
        let kept = Read { value, tracked, also, looked_for, watched, problems, is_relative };
        world.keep(&path, original, kept);
        world.set_being_read(&path, false);
        open.pop();
    }
}
