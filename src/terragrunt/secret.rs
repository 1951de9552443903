//! The values of units that must not be shown: inputs for variables that the module of a unit hides,
//! what is passed on to these, and outputs that the module of a dependency declares as sensitive.
//!
//! Values are found by their names in the files that the evaluation of a unit has read. An input that
//! is computed from others has the names of what it is computed from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::call::resolved;
use super::config::Config;
use super::evaluate::Outcome;
use super::log::Reads;
use super::parse::{Parsed, Part};
use super::source::module_of;
use super::world::World;
use super::{names, read};
use crate::expression::Expression;
use crate::functions::paths::{base, join};
use crate::hash::HashMap;
use crate::hidden::{Hidden, Paths};
use crate::native::{Key, Step, StepKind};
use crate::value::Content;

/// The values of a unit that must not be shown.
#[derive(Default)]
pub(super) struct Secret {
    /// The inputs, by name.
    pub(super) inputs: Paths,
    /// Paths in the files that its evaluation has read.
    pub(super) files: BTreeMap<String, Paths>,
}

impl Secret {
    /// Returns those of a unit.
    pub(super) fn of<'a>(
        world: &World<'a>,
        folder: &str,
        outcome: &Outcome<'_>,
        reads: &Reads,
    ) -> Self {
        let mut files: BTreeMap<String, Arc<Parsed<'a>>> = BTreeMap::new();
        let hidden = world.hidden_variables(module_of(folder, &outcome.config).as_deref());
        let outputs = sensitive_outputs(world, folder, &outcome.config);
        let mut open: Vec<Name<'_>> =
            hidden.variables().iter().map(|name| Name::Input(name)).collect();
        for (dependency, outputs) in &outputs {
            open.extend(outputs.outputs().map(|name| Name::Output(dependency, Some(name))));
        }
        if open.is_empty() {
            return Self::default();
        }
        let own = [names::VALUES, names::AUTOINCLUDE].map(|name| join(folder, name));
        let written = world.written(folder);
        let paths = [world.config_of(folder)].into_iter().chain(own);
        let paths = paths.chain(reads.tracked.iter().chain(&reads.also).cloned());
        for path in paths.chain(written.iter().flat_map(|it| it.files.iter().cloned())) {
            if let Some(parsed) = world.known(&path) {
                files.insert(path, parsed);
            }
        }
        let is_input = |name: &str| match outcome.config.inputs {
            Some(inputs) if matches!(inputs.content(), Content::Unknown { .. }) => true,
            Some(inputs) => inputs.get(name).is_some(),
            None => false,
        };
        let mut trace = Trace {
            files: files.iter().map(|(path, parsed)| File::of(path, parsed)).collect(),
            is_input: &is_input,
            seen: BTreeSet::new(),
            open,
        };
        trace.run();
        let mut inputs = Paths::default();
        for name in &trace.seen {
            if let Name::Input(name) = name {
                inputs.add(&[name]);
            }
        }
        let files = trace.files.into_iter().filter(|file| file.has_any);
        Self { inputs, files: files.map(|file| (file.path.to_owned(), file.hidden)).collect() }
    }
}

/// The dependencies with mocks, and what their modules declare as sensitive.
fn sensitive_outputs<'v>(
    world: &World<'_>,
    folder: &str,
    config: &Config<'v>,
) -> Vec<(&'v str, Arc<Hidden>)> {
    let mocked = config.dependencies.iter().filter(|block| block.outputs().is_some());
    let folders = mocked.filter_map(|block| {
        let path = block.get("config_path")?.as_str()?;
        Some((block.name, world.disk.resolve(&resolved(folder, path))))
    });
    folders.map(|(name, folder)| (name, read::hidden_outputs(world, &folder))).collect()
}

/// A value by its name in some file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name<'n> {
    Input(&'n str),
    Local(&'n str),
    /// The attribute of a local value.
    Member(&'n str, &'n str),
    /// In the value of a local value that is a configuration: `locals` or `inputs`, and a name there.
    Part(&'n str, &'static str, &'n str),
    /// A value that a stack gives.
    Value(&'n str),
    Feature(&'n str),
    /// An output of a dependency; `None` for all.
    Output(&'n str, Option<&'n str>),
}

/// A file in which names are looked up.
struct File<'n, 'a> {
    path: &'n str,
    root: &'n Part<'a>,
    inputs: Option<Expression<'a>>,
    /// The inputs by name, if they are written as an object.
    input_of: HashMap<&'a str, Expression<'a>>,
    local_of: HashMap<&'a str, Expression<'a>>,
    hidden: Paths,
    has_any: bool,
}

impl<'n, 'a: 'n> File<'n, 'a> {
    fn of(path: &'n str, parsed: &'n Parsed<'a>) -> Self {
        let inputs = parsed.root.get("inputs");
        let entries = inputs.and_then(Expression::as_map).into_iter().flatten();
        Self {
            path,
            root: &parsed.root,
            inputs,
            input_of: entries.map(|(name, value)| (name.to_str(), value)).collect(),
            local_of: parsed.locals.entries.iter().copied().collect(),
            hidden: Paths::default(),
            has_any: false,
        }
    }

    fn hide(&mut self, path: &[&str]) {
        self.hidden.add(path);
        self.has_any = true;
    }
}

/// The search for what is passed on.
struct Trace<'t, 'n, 'a> {
    files: Vec<File<'n, 'a>>,
    is_input: &'t dyn Fn(&str) -> bool,
    seen: BTreeSet<Name<'n>>,
    open: Vec<Name<'n>>,
}

impl<'n, 'a: 'n> Trace<'_, 'n, 'a> {
    /// Finds all that is passed on. Cost: linear in the files for each name of an output or a value of
    /// a stack, and in the expressions that are passed on.
    fn run(&mut self) {
        while let Some(name) = self.open.pop() {
            if !self.seen.insert(name) {
                continue;
            }
            let mut next: Vec<Name<'n>> = Vec::new();
            for file in &mut self.files {
                match name {
                    Name::Input(input) => {
                        if let Some(&value) = file.input_of.get(input) {
                            file.hide(&["inputs", input]);
                            follow(value, None, &mut next);
                        } else if let Some(inputs) = file.inputs
                            && inputs.as_map().is_none()
                            && (self.is_input)(input)
                        {
                            file.hide(&["inputs"]);
                            follow(inputs, Some(input), &mut next);
                        }
                    }
                    Name::Local(local) => {
                        if let Some(&value) = file.local_of.get(local) {
                            file.hide(&["locals", local]);
                            follow(value, None, &mut next);
                        }
                    }
                    Name::Member(local, member) => {
                        let Some(&value) = file.local_of.get(local) else { continue };
                        if let Some(value) = value.member(member) {
                            file.hide(&["locals", local, member]);
                            follow(value, None, &mut next);
                        } else if value.as_map().is_none() {
                            file.hide(&["locals", local]);
                            follow(value, Some(member), &mut next);
                        }
                    }
                    Name::Part(local, part, name) => {
                        if file.local_of.contains_key(local) {
                            file.hide(&["locals", local, part, name]);
                        }
                    }
                    Name::Value(value) => values(file, value, &mut next),
                    Name::Feature(feature) => {
                        let mut blocks = file.root.blocks("feature");
                        if blocks.any(|block| block.label == feature) {
                            file.hide(&["feature", feature, "default"]);
                        }
                    }
                    Name::Output(dependency, output) => {
                        mocks(file, (dependency, output), &mut next);
                    }
                }
            }
            self.open.append(&mut next);
        }
    }
}

/// Hides a value that stacks give.
fn values<'n, 'a: 'n>(file: &mut File<'n, 'a>, name: &'n str, next: &mut Vec<Name<'n>>) {
    if base(file.path).ends_with(names::VALUES) {
        if let Some(value) = file.root.get(name) {
            file.hide(&[name]);
            follow(value, None, next);
        }
        return;
    }
    let root = file.root;
    for block in root.blocks("unit").chain(root.blocks("stack")) {
        let Some(given) = block.get("values") else { continue };
        if let Some(value) = given.member(name) {
            file.hide(&[block.kind.name, block.label, "values", name]);
            follow(value, None, next);
        } else if given.as_map().is_none() {
            file.hide(&[block.kind.name, block.label, "values"]);
            follow(given, Some(name), next);
        }
    }
}

/// Hides the mock of an output, or those of all outputs.
fn mocks<'n, 'a: 'n>(
    file: &mut File<'n, 'a>,
    (dependency, output): (&'n str, Option<&'n str>),
    next: &mut Vec<Name<'n>>,
) {
    let root = file.root;
    for block in root.blocks("dependency").filter(|block| block.label == dependency) {
        let Some(given) = block.get("mock_outputs") else { continue };
        let found = output.map(|output| (output, given.member(output)));
        match found {
            Some((output, Some(value))) => {
                file.hide(&["dependency", dependency, "mock_outputs", output]);
                follow(value, None, next);
            }
            Some((_, None)) if given.as_map().is_some() => {}
            _ => {
                file.hide(&["dependency", dependency, "mock_outputs"]);
                follow(given, output, next);
            }
        }
    }
}

/// Adds what a hidden expression refers to. Of one that is computed from objects, only an attribute
/// may be hidden.
fn follow<'n, 'a: 'n>(value: Expression<'a>, member: Option<&'n str>, next: &mut Vec<Name<'n>>) {
    for traversal in value.variables() {
        let [root, rest @ ..] = traversal.steps() else { continue };
        let StepKind::Root(root) = root.kind else { continue };
        let mut names = rest.iter().map(name_of);
        let (first, second, third) =
            (names.next().flatten(), names.next().flatten(), names.next().flatten());
        // A configuration that is read or included has local values and inputs of its own.
        let of_other =
            rest.windows(2).find_map(|pair| match (name_of(&pair[0])?, name_of(&pair[1])?) {
                ("locals", name) => Some((Name::Local(name), "locals", name)),
                ("inputs", name) => Some((Name::Input(name), "inputs", name)),
                _ => None,
            });
        let is_inputs = rest.iter().any(|step| name_of(step) == Some("inputs"));
        match (root, first) {
            ("local" | "include", _) if of_other.is_some() => {
                next.extend(of_other.map(|(of_other, _, _)| of_other));
                let part = of_other.zip(first);
                next.extend(part.map(|((_, part, name), local)| Name::Part(local, part, name)));
            }
            ("local" | "include", _) if is_inputs && member.is_some() => {
                next.extend(member.map(Name::Input));
                let part = first.zip(member);
                next.extend(part.map(|(local, member)| Name::Part(local, "inputs", member)));
            }
            ("local", Some(name)) => next.push(match (second, member) {
                (None, Some(member)) => Name::Member(name, member),
                (Some(member), _) => Name::Member(name, member),
                (None, None) => Name::Local(name),
            }),
            ("values", Some(name)) => next.push(Name::Value(name)),
            ("values", None) => next.extend(member.map(Name::Value)),
            ("feature", Some(name)) => next.push(Name::Feature(name)),
            ("dependency", Some(name)) if second == Some("outputs") => {
                next.push(Name::Output(name, third.or(member)));
            }
            _ => {}
        }
    }
}

/// The name that a step has, however it is written.
fn name_of<'a>(step: &Step<'a>) -> Option<&'a str> {
    match step.kind {
        StepKind::Attribute(name) | StepKind::Index(Key::String(name)) => Some(name),
        _ => None,
    }
}
