//! Outputs and variables of the root module.

use super::cell::{Value, rows};
use super::change::texts_of;
use crate::hash::HashSet;
use crate::json::Node;
use crate::show::field::{Field, Map};
use crate::show::names::{ActionKind, Actions};
use crate::show::plan::{Change as ChangeView, Plan, Variable as VariableView};
use crate::show::state::{Output as OutputView, RawState, State};

/// The change of an output of the root module.
#[derive(Clone, Copy, Debug)]
pub struct OutputChange<'a> {
    output: &'a str,
    change: ChangeView<'a>,
}

rows! { OutputChange {
    /// Name
    name "name" Text always = |it, shown| shown.name_of(it.of(), it.output.into());
    /// The kind of its actions together
    action "action" Text always = |it, _| Some(it.kind().name().into());
    /// Actions, in order
    actions "actions" Texts always = |it, shown| texts_of(it.all_actions(), it.of(), shown);
    /// Whether a part of the value, before or after, is sensitive or hidden
    is_sensitive "sensitive" Flag always = |it, shown| {
        let mut leaves = it.change.before_leaves().chain(it.change.after_leaves());
        leaves.any(|leaf| leaf.is_sensitive || shown.hides_leaf(&leaf))
    };
    /// Value before; absent if the document does not say it
    before "before" Value optional = |it, shown| Value::of(it.change.object().get("before"), shown);
    /// Value after; absent if it is not known
    after "after" Value optional = |it, shown| Value::of(it.change.object().get("after"), shown);
}}

impl<'a> OutputChange<'a> {
    /// The output of this name and its change.
    #[must_use]
    pub fn new(output: &'a str, change: ChangeView<'a>) -> Self {
        Self { output, change }
    }

    /// The change.
    #[must_use]
    pub fn change(self) -> ChangeView<'a> {
        self.change
    }

    fn of(self) -> Node<'a> {
        self.change.object().node()
    }

    fn all_actions(self) -> Actions<'a> {
        self.change.actions().value().unwrap_or(Actions::NONE)
    }

    /// Returns the action as a whole; [`ActionKind::Other`] without actions.
    #[must_use]
    pub fn kind(self) -> ActionKind {
        self.all_actions().kind()
    }
}

/// An output of the root module in a state.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    output: &'a str,
    view: OutputView<'a>,
}

rows! { Output {
    /// Name
    name "name" Text always = |it, shown| shown.name_of(it.of(), it.output.into());
    /// Type
    value_type "type" Value always = |it, _| match it.view.value_type().value() {
        Some(node) => Value::Known(node),
        None => Value::Absent,
    };
    /// Whether it is sensitive, or a part of its value is hidden
    is_sensitive "sensitive" Flag always = |it, shown| {
        it.view.sensitive().value() == Some(true)
            || it.view.value().is_some_and(|value| shown.hides_node(value))
    };
    /// Value; absent if it is not known
    value "value" Value optional = |it, shown| Value::of(it.view.value(), shown);
}}

impl<'a> Output<'a> {
    /// The output of this name.
    #[must_use]
    pub fn new(output: &'a str, view: OutputView<'a>) -> Self {
        Self { output, view }
    }

    fn of(self) -> Node<'a> {
        self.view.object().node()
    }
}

impl<'a> State<'a> {
    /// The outputs as rows, in the order of the document.
    pub fn output_rows(self) -> impl Iterator<Item = Output<'a>> {
        self.outputs().map(|(name, output)| Output::new(name, output))
    }
}

impl<'a> RawState<'a> {
    /// The outputs as rows, in the order of the file.
    pub fn output_rows(self) -> impl Iterator<Item = Output<'a>> {
        let outputs = self.outputs().value().into_iter().flat_map(Map::iter);
        outputs.map(|(name, output)| Output::new(name, output))
    }
}

/// The value of a variable of the root module.
#[derive(Clone, Copy, Debug)]
pub struct Variable<'a> {
    variable: &'a str,
    view: VariableView<'a>,
    is_declared_sensitive: bool,
}

rows! { Variable {
    /// Name
    name "name" Text always = |it, shown| shown.name_of(it.of(), it.variable.into());
    /// Whether it is declared as sensitive or ephemeral, or a part of its value is hidden
    is_sensitive "sensitive" Flag always = |it, shown| {
        it.is_declared_sensitive || it.view.value().is_some_and(|value| shown.hides_node(value))
    };
    /// Value; absent if the document does not say it
    value "value" Value optional = |it, shown| Value::of(it.view.value(), shown);
}}

impl<'a> Variable<'a> {
    fn of(self) -> Node<'a> {
        self.view.object().node()
    }
}

impl<'a> Plan<'a> {
    /// The changes of outputs as rows, in the order of the document.
    pub fn output_rows(self) -> impl Iterator<Item = OutputChange<'a>> {
        self.outputs().map(|(name, change)| OutputChange::new(name, change))
    }

    /// The variables of the root module as rows, in the order of the document. Cost: reads the
    /// declarations of the root module once.
    pub fn variable_rows(self) -> impl Iterator<Item = Variable<'a>> {
        let root = self.configuration().value().and_then(|all| all.root_module().value());
        let declared = root.and_then(|root| root.variables().value());
        let is_set = |field: Field<'_, bool>| field.value() == Some(true);
        let sensitive: HashSet<&'a str> = declared
            .into_iter()
            .flat_map(Map::iter)
            .filter(|(_, it)| is_set(it.sensitive()) || is_set(it.ephemeral()))
            .map(|(name, _)| name)
            .collect();
        let variables = self.variables().value().into_iter().flat_map(Map::iter);
        variables.map(move |(variable, view)| Variable {
            variable,
            view,
            is_declared_sensitive: sensitive.contains(variable),
        })
    }
}
