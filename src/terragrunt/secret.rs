//! The values of units that must not be shown: inputs for variables that the module of a unit hides,
//! what is passed on to these, outputs that the module of a dependency declares as sensitive, and constants
//! of backends and providers.
//!
//! Two questions are asked of the [graph](super::flow) of the files that the evaluation of a unit has
//! read. What is a hidden value made of? That must not be shown where it is written ([`Search`]). What
//! is made of that? Those values must not be shown where they are listed ([`Spread`]).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::call::resolved;
use super::config::Config;
use super::constant::Constants;
use super::evaluate::Outcome;
use super::flow::{Graph, Id};
use super::log::Reads;
use super::parse::Parsed;
use super::plain::plain;
use super::search::{Names, Search};
use super::source::module_of;
use super::spread::{Hide, Spread};
use super::world::World;
use super::{names, read};
use crate::arena::Arena;
use crate::expression::Expression;
use crate::functions::paths::join;
use crate::hidden::{Hidden, Paths};
use crate::native::{Construct, Native};
use crate::value::{Content, Value};

/// The prefix of environment variables that set variables.
const ENVIRONMENT: &str = "TF_VAR_";

/// The fewest characters of a hidden text that is looked for in paths.
const SHORTEST: usize = 8;

/// The values of a unit that must not be shown.
pub(super) struct Secret<'a> {
    spread: Option<Spread<'a>>,
    /// The node of the inputs, and that of the local values of the unit itself.
    inputs: Option<Id>,
    locals: Option<Id>,
    /// Paths in the files that its evaluation has read.
    pub(super) files: BTreeMap<String, Paths>,
    /// The variables that its module hides.
    pub(super) variables: Names,
    /// The names of hidden values in the files of variables that it reads; `None` if all are hidden.
    pub(super) given: Option<Vec<String>>,
}

impl<'a> Secret<'a> {
    /// Those of a unit that hides nothing.
    pub(super) fn empty() -> Self {
        Self {
            spread: None,
            inputs: None,
            locals: None,
            files: BTreeMap::new(),
            variables: Names::default(),
            given: Some(Vec::new()),
        }
    }

    /// Returns those of a unit. Cost: linear in the files.
    pub(super) fn of(
        world: &World<'a>,
        folder: &str,
        outcome: &Outcome<'_>,
        reads: &Reads,
    ) -> Self {
        let mut secret = Self::empty();
        let hidden = hidden_of(world, folder, &outcome.config);
        let outputs = sensitive_outputs(world, folder, &outcome.config);
        let config = &outcome.config;
        let has_constants = config.remote_state.is_some() || !config.generate.is_empty();
        if hidden.variables().is_empty() && outputs.is_empty() && !has_constants {
            return secret;
        }
        let own = world.config_of(folder);
        let beside = [names::VALUES, names::AUTOINCLUDE].map(|name| join(folder, name));
        let written = world.written(folder);
        let paths = [own.clone()].into_iter().chain(beside);
        let paths = paths.chain(reads.tracked.iter().chain(&reads.also).cloned());
        let paths = paths.chain(written.iter().flat_map(|it| it.files.iter().cloned()));
        let mut files: BTreeMap<String, Vec<Arc<Parsed<'a>>>> = BTreeMap::new();
        for path in paths {
            let known = world.known(&path);
            files.entry(path).or_insert(known);
        }
        let files: Vec<(String, Arc<Parsed<'a>>)> = files
            .into_iter()
            .flat_map(|(path, all)| all.into_iter().map(move |file| (path.clone(), file)))
            .collect();
        let mut graph = Graph::of(files.iter().map(|(path, file)| (path.as_str(), &**file)));
        let variables: Names = hidden.variables().iter().cloned().collect();
        let elements = elements(&mut graph, &files, config, &variables);
        let all: Vec<&Parsed<'a>> = files.iter().map(|(_, file)| &**file).collect();
        let constants = Constants::of(&mut graph, &all, config, &hidden);
        let has_none = constants.whole.is_empty() && constants.written.is_empty();
        if hidden.variables().is_empty() && outputs.is_empty() && has_none {
            return secret;
        }
        let locals = files.iter().position(|(path, _)| *path == own);
        secret.locals = locals.and_then(|at| graph.locals.get(at).copied());
        secret.inputs = graph.get(graph.config, "inputs");

        let mut search = Search::of(&graph);
        elements.into_iter().chain(constants.whole).for_each(|node| search.ask(node));
        constants.written.into_iter().for_each(|node| search.hide(node));
        let environment = variables.iter().map(|name| format!("{ENVIRONMENT}{name}").into());
        search.ask_some(&["terraform", "extra_arguments"], &[None, Some("env_vars")], {
            environment.collect()
        });
        search.ask_some(&["inputs"], &[], variables.clone());
        secret.variables = variables;
        for (dependency, outputs) in &outputs {
            let outputs = outputs.outputs().map(Box::from).collect();
            search.ask_some(&["dependency", dependency, "mock_outputs"], &[], outputs);
        }
        let found = search.run();
        for text in found.texts() {
            let (file, path) = graph.path(text);
            if let Some((name, _)) = files.get(file) {
                secret.files.entry(name.clone()).or_default().add(&path);
            }
        }
        let given = found.names(graph.given);
        secret.given = given.map(|names| names.into_iter().map(str::to_owned).collect());
        secret.spread = Some(Spread::of(graph, found));
        secret
    }

    /// Returns the inputs with `hide` applied to what must not be shown.
    pub(super) fn inputs<'v>(
        &self,
        arena: &'v Arena,
        value: Value<'v>,
        hide: Hide<'_, 'v>,
    ) -> Value<'v> {
        self.shown(self.inputs, arena, value, hide)
    }

    /// Returns the local values of the unit with `hide` applied to what must not be shown.
    pub(super) fn locals<'v>(
        &self,
        arena: &'v Arena,
        value: Value<'v>,
        hide: Hide<'_, 'v>,
    ) -> Value<'v> {
        self.shown(self.locals, arena, value, hide)
    }

    /// Whether nothing is hidden.
    pub(super) fn is_empty(&self) -> bool {
        self.spread.is_none()
    }

    /// Whether the value at a path in the configuration must not be shown, or has such a part.
    pub(super) fn hides(&self, path: &[&'a str]) -> bool {
        self.spread.as_ref().is_some_and(|spread| spread.hides(path))
    }

    /// Whether the expression at a place in a file is hidden, or made of what is. One that is not known
    /// counts as such.
    pub(super) fn touches(&self, file: &str, at: u32) -> bool {
        self.spread.as_ref().is_some_and(|spread| spread.touches(file, at).unwrap_or(true))
    }

    /// Whether the expression at a place in a file is one of the unit, and hidden, or made of what is.
    pub(super) fn knows(&self, file: &str, at: u32) -> bool {
        self.spread.as_ref().is_some_and(|spread| spread.touches(file, at).unwrap_or_default())
    }

    /// Returns the texts of hidden inputs and local values, which paths may repeat.
    pub(super) fn texts<'v>(&self, arena: &'v Arena, config: &Config<'v>) -> Vec<String> {
        let found = RefCell::new(Vec::new());
        let hide = |value: Value<'v>| {
            let mut open = vec![value];
            while let Some(value) = open.pop() {
                match value.content() {
                    Content::String(text) => found.borrow_mut().push(text.to_owned()),
                    Content::Elements(elements) => open.extend(elements),
                    Content::Entries(entries) => {
                        let names = entries.iter().map(|(name, _)| (*name).to_owned());
                        found.borrow_mut().extend(names);
                        open.extend(entries.iter().map(|(_, value)| *value));
                    }
                    _ => {}
                }
            }
            value
        };
        config.inputs.map(|value| self.inputs(arena, plain(arena, value), &hide));
        config.locals.map(|value| self.locals(arena, plain(arena, value), &hide));
        let mut found = found.into_inner();
        found.retain(|text| text.chars().nth(SHORTEST - 1).is_some());
        found
    }

    fn shown<'v>(
        &self,
        node: Option<Id>,
        arena: &'v Arena,
        value: Value<'v>,
        hide: Hide<'_, 'v>,
    ) -> Value<'v> {
        match (&self.spread, node) {
            (Some(spread), Some(node)) => spread.shown(arena, node, value, hide),
            _ => value,
        }
    }
}

/// Whether the module of a unit hides variables.
pub(super) fn hides_variables(world: &World<'_>, folder: &str, config: &Config<'_>) -> bool {
    !hidden_of(world, folder, config).variables().is_empty()
}

/// Returns what the module of a unit hides as the unit runs it: with the files of the folder of the unit,
/// and those that it generates.
fn hidden_of(world: &World<'_>, folder: &str, config: &Config<'_>) -> Hidden {
    let module = module_of(folder, config);
    let mut hidden = Hidden::clone(&world.hidden_variables(module.as_deref()));
    if module.as_deref() != Some(folder) {
        hidden.extend(&world.hidden_variables(Some(folder)));
    }
    read::add_generated(config, &mut hidden);
    hidden
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
    let all = folders.map(|(name, folder)| (name, read::hidden_outputs(world, &folder)));
    all.filter(|(_, hidden)| hidden.outputs().next().is_some()).collect()
}

/// Returns the nodes of the arguments that give hidden variables their values: `-var NAME=VALUE` in
/// `extra_arguments`.
fn elements<'a>(
    graph: &mut Graph<'a>,
    files: &[(String, Arc<Parsed<'a>>)],
    config: &Config<'_>,
    variables: &Names,
) -> Vec<Id> {
    let mut found = Vec::new();
    for (place, (_, file)) in files.iter().enumerate() {
        let blocks = file.root.blocks("terraform").flat_map(|it| it.blocks("extra_arguments"));
        for block in blocks {
            let Some(written) = block.get("arguments") else { continue };
            let path = ["terraform", "extra_arguments", block.label, "arguments"];
            let Some(node) = graph.find(&path) else { continue };
            let Some(text) = graph.text_in(node, place) else { continue };
            let evaluated = config.terraform.iter().flat_map(|it| &it.blocks);
            let evaluated = evaluated
                .filter(|((kind, label), _)| *kind == "extra_arguments" && *label == block.label)
                .find_map(|(_, value)| value.get("arguments"));
            let written: Option<Vec<Expression<'a>>> = written.as_list().map(Iterator::collect);
            // Of several blocks with this label, another one may have been evaluated.
            let values = evaluated.map(|it| it.elements()).unwrap_or_default();
            match written.filter(|written| written.len() == values.len()) {
                Some(written) => {
                    let hits = hits(values, |at| written.get(at).copied(), variables);
                    for element in hits.into_iter().filter_map(|at| written.get(at)) {
                        found.push(graph.add_element(*element, text));
                    }
                }
                None if hits(values, |_| None, variables).is_empty() && !values.is_empty() => {}
                None => found.push(node),
            }
        }
    }
    found
}

/// The places of the arguments that give hidden variables their values, or may do so.
fn hits<'a>(
    values: &[Value<'_>],
    written: impl Fn(usize) -> Option<Expression<'a>>,
    variables: &Names,
) -> Vec<usize> {
    let mut hits = Vec::new();
    let mut is_next = false;
    for (at, value) in values.iter().enumerate() {
        let start = value.as_str().or_else(|| start_of(written(at)?));
        let is_pair = std::mem::take(&mut is_next);
        let is_hit = match start {
            None => !value.is_known(),
            Some(text) => {
                let text = text.strip_prefix("--").map_or(text, |_| &text[1..]);
                is_next = !is_pair && text == "-var";
                let pair = if is_pair { Some(text) } else { text.strip_prefix("-var=") };
                let name = pair.map(|pair| pair.split_once('='));
                name.is_some_and(|it| it.is_none_or(|(name, _)| variables.contains(name.trim())))
            }
        };
        if is_hit {
            hits.push(at);
        }
    }
    hits
}

/// The literal text that a template starts with.
fn start_of(value: Expression<'_>) -> Option<&str> {
    let native = match value.is_json() {
        true => value.template().and_then(Result::ok).and_then(Native::of),
        false => value.as_native(),
    };
    match native?.construct() {
        Construct::Template(parts) => parts.first()?.as_text(),
        _ => None,
    }
}
