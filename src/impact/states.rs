//! The states that data sources read by the values of their arguments, in each root module.
//!
//! Literal arguments are compared without evaluation ([`Tree::module_graph`]). Root modules with a data source
//! that has others are evaluated, as far as these arguments need it.

use rayon::prelude::*;

use super::callers::StateReader;
use super::entries::{entries, reached};
use super::inputs::{Plan, Reads, State};
use super::stacks::StackCalls;
use crate::directory::Location;
use crate::expand::{Inputs, Instance, Selection};
use crate::expression::Expression;
use crate::hash::{HashMap, HashSet};
use crate::module::{Object, Resource};
use crate::tree::{
    ANY_WORKSPACE, STATE_READERS, StateArguments, StateIdentity, States, Tree, UnknownState,
    absolute_directory, states_read_with,
};
use crate::value::Value;

/// The data sources whose arguments are evaluated.
#[derive(Default)]
pub(super) struct StateReads<'a> {
    /// The root modules: only their instances matter.
    pub(super) roots: Vec<Reads<'a>>,
    pub(super) edges: Vec<Edge<'a>>,
    /// States that nothing has for certain: the number of the root module, and the state.
    pub(super) unknown: Vec<(u32, UnknownState<'a>)>,
    /// The data sources that are evaluated in all root modules: the module, and the object.
    evaluated: HashSet<(usize, Object<'a>)>,
}

/// A data source in an instance of a root module that reads the state of a module or run.
pub(super) struct Edge<'a> {
    /// The owner of the state.
    pub(super) to: usize,
    /// The numbers of the root module and the instance.
    pub(super) from: (u32, u32),
    pub(super) object: Object<'a>,
}

impl<'a> Edge<'a> {
    /// The reader, if the numbers of root modules start here.
    pub(super) fn reader(&self, first: u32) -> StateReader<'a> {
        StateReader::Instance((first + self.from.0, self.from.1), self.object)
    }
}

/// The evaluation of a root module: the states that each data source may read, with its instance.
struct Evaluated<'a> {
    reads: Reads<'a>,
    read: Vec<(u32, Object<'a>, Vec<StateIdentity>)>,
}

impl<'a> StateReads<'a> {
    /// Evaluates the data sources that read unknown states. `owners` knows who has a state.
    ///
    /// Cost: that of evaluating their arguments in the root modules that reach them.
    pub(super) fn of(
        tree: &Tree<'a>,
        calls: &StackCalls,
        plan: &Plan<'_>,
        unknown: &[UnknownState<'a>],
        owners: &mut States,
    ) -> Self {
        let mut all = Self::default();
        if unknown.is_empty() {
            return all;
        }
        let mut by_module: HashMap<usize, Vec<&UnknownState<'a>>> = HashMap::default();
        unknown.iter().for_each(|it| by_module.entry(it.module).or_default().push(it));
        all.evaluated.extend(unknown.iter().map(|it| (it.module, it.object)));
        let is_root = tree.roots();
        let roots: Vec<(usize, Vec<&UnknownState<'a>>)> = entries(tree)
            .into_iter()
            .map(|root| {
                let reached = reached(tree, root).into_iter();
                (root, reached.filter_map(|it| by_module.get(&it)).flatten().copied().collect())
            })
            .filter(|(_, wanted): &(_, Vec<_>)| !wanted.is_empty())
            .collect();
        let evaluated: Vec<Option<Evaluated<'a>>> = roots
            .par_iter()
            .map(|&(root, _)| match is_root[root] || !calls.runs(root) {
                true => evaluate(tree, plan, root),
                // The module of a component gets its values from its stack.
                false => None,
            })
            .collect();
        for ((_, wanted), evaluated) in roots.iter().zip(evaluated) {
            let Some(Evaluated { reads, read }) = evaluated else {
                for state in wanted {
                    all.evaluated.remove(&(state.module, state.object));
                }
                continue;
            };
            let number = all.roots.len() as u32;
            let asked: HashSet<(usize, Object<'a>)> =
                wanted.iter().map(|it| (it.module, it.object)).collect();
            let mut seen = HashSet::default();
            for (instance, object, states) in read {
                let module = reads.instances[instance as usize].0;
                if !asked.contains(&(module, object)) {
                    continue;
                }
                seen.insert((module, object));
                let owners = owners.owners_of(states);
                let others = owners.certain.into_iter().filter(|owner| *owner != reads.root);
                let from = (number, instance);
                all.edges.extend(others.map(|to| Edge { to, from, object }));
                if !owners.possible.is_empty() {
                    let owners = owners.possible;
                    all.unknown.push((number, UnknownState { module, object, owners }));
                }
            }
            // Other inputs may give instances to what has none.
            let none = wanted.iter().filter(|it| !seen.contains(&(it.module, it.object)));
            all.unknown.extend(none.map(|&it| (number, it.clone())));
            all.roots.push(reads);
        }
        all
    }

    /// Whether a data source is evaluated wherever its module is called.
    pub(super) fn has(&self, state: &UnknownState<'a>) -> bool {
        self.evaluated.contains(&(state.module, state.object))
    }
}

/// Evaluates the data sources of a root module; `None` if it is not run by itself.
fn evaluate<'a>(tree: &Tree<'a>, plan: &Plan<'_>, root: usize) -> Option<Evaluated<'a>> {
    let mut reads = Reads::of(root, true);
    let mut read = Vec::new();
    let directory = absolute_directory(&tree.modules()[root].files.directory());
    let selection = STATE_READERS.iter().fold(Selection::default(), |it, name| it.with_type(name));
    for inputs in plan.all_ways(tree, root)? {
        let first = reads.instances.len() as u32;
        let mut instances = Vec::new();
        plan.watch(tree, root, Some(inputs), &mut |inputs| {
            let expansion = tree.expand(root, &inputs);
            expansion.visit(&selection, |instance| {
                let address = instance.resource();
                let arguments = Arguments { instance, directory: &directory };
                let states = states_read_with(address.resource_type, &arguments);
                read.push((first + instance.module_number(), Object::Resource(address), states));
            });
            instances = expansion.instances();
        })?;
        reads.take(State::default(), true, instances, None);
    }
    // Files that the arguments read are found when the root module is evaluated as a whole.
    reads.is_complete = true;
    Some(Evaluated { reads, read })
}

/// The text of an expression of a root module, if it is the same however the module is run.
pub(super) fn text_of<'a>(
    tree: &Tree<'a>,
    plan: &Plan<'_>,
    root: usize,
    expression: Expression<'a>,
) -> Option<String> {
    let mut known: Option<String> = None;
    for inputs in plan.all_ways(tree, root)? {
        let mut text = None;
        plan.watch(tree, root, Some(inputs), &mut |inputs: Inputs<'_, 'a>| {
            let value = tree.expand(root, &inputs).observe_other(expression, &[], true);
            text = value.unmark().0.as_str().map(str::to_owned);
        })?;
        let text = text?;
        if known.get_or_insert_with(|| text.clone()) != &text {
            return None;
        }
    }
    known
}

/// The arguments of an instance of a data source.
struct Arguments<'e, 'i, 't, 'a> {
    instance: &'e Instance<'i, 't, 'a>,
    /// The directory of the root module.
    directory: &'e Location,
}

impl<'i, 'a> Arguments<'_, 'i, '_, 'a> {
    fn expression(&self, name: &str) -> Option<Expression<'a>> {
        let declared: &Resource<'a> = self.instance.declared();
        let mut arguments = declared.config().properties();
        arguments.find(|argument| argument.is_named(name)).map(|it| it.expression())
    }

    fn value(&self, name: &str) -> Option<Value<'i>> {
        self.expression(name).map(|expression| self.instance.evaluate(expression))
    }

    fn member(&self, name: &str) -> Option<Value<'i>> {
        member(self.value("config")?, name)
    }
}

impl StateArguments for Arguments<'_, '_, '_, '_> {
    fn argument(&self, name: &str) -> Option<Option<String>> {
        text(self.value(name)?)
    }

    fn has_settings(&self) -> bool {
        self.value("config").is_none_or(|config| {
            let config = config.unmark().0;
            config.is_known() && (config.is_null() || config.as_entries().is_some())
        })
    }

    fn setting(&self, name: &str) -> Option<Option<String>> {
        let value = self.member(name)?;
        if name != "workspaces" || !value.unmark().0.is_known() {
            return text(value);
        }
        let first = value.unmark().0.as_elements().and_then(|all| all.first().copied());
        let value = first.unwrap_or(value);
        match (member(value, "name").and_then(text), member(value, "prefix").and_then(text)) {
            (Some(name), _) => Some(name),
            (None, Some(prefix)) => Some(prefix.map(|prefix| format!("{prefix}{ANY_WORKSPACE}"))),
            (None, None) => Some(None),
        }
    }

    fn texts(&self, name: &str) -> Vec<String> {
        let written = self.expression("config").and_then(|config| config.member(name));
        written.map(|written| self.instance.texts(written)).unwrap_or_default()
    }

    fn path(&self, name: &str) -> Option<Option<String>> {
        self.setting(name)
    }

    fn directory(&self) -> Location {
        self.directory.clone()
    }
}

fn member<'v>(value: Value<'v>, name: &str) -> Option<Value<'v>> {
    let entries = value.unmark().0.as_entries()?;
    entries.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

/// The text of a value: `None` if it is null, `Some(None)` if it is not known, or no text.
fn text(value: Value<'_>) -> Option<Option<String>> {
    let (value, _) = value.unmark();
    match value.is_known() && value.is_null() {
        true => None,
        false => Some(value.as_str().map(str::to_owned)),
    }
}
