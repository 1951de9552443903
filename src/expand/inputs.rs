//! The inputs of an evaluation: values of variables, the workspace, schemas, a budget.

use super::observer::Observer;
use super::state::Recorded;
use crate::arena::Arena;
use crate::body::Attribute;
use crate::diagnostic::{Label, Sink};
use crate::evaluate::{Budget, Functions};
use crate::expression::Expression;
use crate::hash::{HashMap, HashSet};
use crate::module::Assignments;
use crate::parsed::ParsedFile;
use crate::show::{BodySchemas, RawState, State};
use crate::source::Source;
use crate::value::{Marks, Value};

/// The inputs of an evaluation.
///
/// The value of a variable of the root module is that of the last of these that has one: the
/// default, [`with_environment`](Self::with_environment), the files of variables of the module, in
/// the order of the tools, and those of [`with_variable`](Self::with_variable) and
/// [`with_file`](Self::with_file), in the order of the calls. A variable without a value is unknown.
pub struct Inputs<'i, 'a> {
    pub(super) arena: &'a Arena,
    /// The values of environment variables.
    environment: HashMap<&'a str, Given<'a>>,
    /// The values of flags; the last one counts.
    flags: HashMap<&'a str, Given<'a>>,
    /// The variables whose values are hidden, and the files.
    hidden: HashSet<&'a str>,
    hidden_files: HashSet<&'a str>,
    /// `None` if it is not known.
    pub(super) workspace: Option<&'a str>,
    pub(super) directory: Option<&'a str>,
    pub(super) schemas: Schemas<'i, 'a>,
    pub(super) state: Option<Recorded<'a>>,
    pub(super) functions: Option<&'i dyn Functions>,
    pub(super) budget: Option<Budget>,
    pub(super) roots: u64,
    pub(super) shows_sensitive: bool,
    /// Whether the module is called, so that its files of variables are not read.
    is_called: bool,
    pub(super) observer: Option<&'i dyn Observer<'a>>,
}

/// Schemas of providers.
#[derive(Debug)]
pub(super) enum Schemas<'i, 'a> {
    BuiltIn(Box<BodySchemas<'a>>),
    Given(&'i BodySchemas<'a>),
}

/// A value given to a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Given<'a> {
    /// A text whose meaning depends on the type of the variable, and what it comes from.
    Text(&'a str, &'static str),
    /// An attribute of a file of variables.
    Attribute(Attribute<'a>),
    /// A value that is passed on as text, and where it comes from.
    Value(Value<'a>, &'a str),
    /// The argument of a call, and where it is.
    Argument(Value<'a>, Label<'a>),
    /// A value that this file may give, which could not be decoded.
    Unknown(Source<'a>),
}

impl std::fmt::Debug for Inputs<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inputs").field("workspace", &self.workspace).finish_non_exhaustive()
    }
}

impl<'i, 'a> Inputs<'i, 'a> {
    /// Inputs without values. The workspace is `default`.
    #[must_use]
    pub fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            environment: HashMap::default(),
            flags: HashMap::default(),
            hidden: HashSet::default(),
            hidden_files: HashSet::default(),
            workspace: Some("default"),
            directory: None,
            schemas: Schemas::BuiltIn(Box::new(BodySchemas::built_in(arena))),
            state: None,
            functions: None,
            budget: None,
            roots: 1,
            shows_sensitive: false,
            is_called: false,
            observer: None,
        }
    }

    /// Adds a value from the environment: the text of `TF_VAR_name`.
    #[must_use]
    pub fn with_environment(mut self, name: &str, text: &str) -> Self {
        let given = Given::Text(self.arena.str(text), "environment");
        self.environment.insert(self.arena.str(name), given);
        self
    }

    /// Adds a value that is passed through the environment, unless it has one: an input of a unit of
    /// [Terragrunt](crate::terragrunt), parts of which may be unknown. A null is no value. Messages name
    /// `origin`, such as the file of the unit.
    ///
    /// Such a value becomes a text: a variable without a type that is given a list has its JSON.
    #[must_use]
    pub fn with_value(mut self, name: &str, value: Value<'a>, origin: &str) -> Self {
        if !value.is_null() {
            let given = Given::Value(value, self.arena.str(origin));
            self.environment.entry(self.arena.str(name)).or_insert(given);
        }
        self
    }

    /// Sets the values of variables as the arguments of a call, which are all that a called module
    /// gets: other values do not count.
    #[must_use]
    pub(crate) fn with_arguments(mut self, values: &[(&'a str, Value<'a>, Label<'a>)]) -> Self {
        self.is_called = true;
        self.flags =
            values.iter().map(|&(name, value, at)| (name, Given::Argument(value, at))).collect();
        self
    }

    /// Sets the values of some variables. Of those of one name, the last counts.
    #[must_use]
    pub(crate) fn with_values(mut self, values: &[(&'a str, Value<'a>, Label<'a>)]) -> Self {
        let given = values.iter().map(|&(name, value, at)| (name, Given::Argument(value, at)));
        self.flags.extend(given);
        self
    }

    /// Adds a value from the command line: a text if the variable has no type or a primitive one,
    /// otherwise an expression in native syntax.
    #[must_use]
    pub fn with_variable(mut self, name: &str, text: &str) -> Self {
        let given = Given::Text(self.arena.str(text), "--var");
        self.flags.insert(self.arena.str(name), given);
        self
    }

    /// Adds the values of a file of variables. Reports the errors of the file.
    #[must_use]
    pub fn with_file(mut self, file: ParsedFile<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let mut values = Assignments::default();
        values.read(file, sink);
        for value in values.effective() {
            self.flags.insert(value.name(), Given::Attribute(value));
        }
        self
    }

    /// Hides the value of a variable that nothing marks, and what is made of it. Unlike that of a sensitive
    /// variable, it may be used everywhere.
    #[must_use]
    pub fn with_hidden_variable(mut self, name: &str) -> Self {
        self.hidden.insert(self.arena.str(name));
        self
    }

    /// Hides the values of all expressions of a file, in the same way. It is the [name of the
    /// source](crate::Source::name).
    #[must_use]
    pub fn with_hidden_file(mut self, name: &str) -> Self {
        self.hidden_files.insert(self.arena.str(name));
        self
    }

    /// Sets `terraform.workspace`.
    #[must_use]
    pub fn with_workspace(mut self, name: &str) -> Self {
        self.workspace = Some(self.arena.str(name));
        self
    }

    /// Makes `terraform.workspace` unknown.
    #[must_use]
    pub(crate) fn with_any_workspace(self) -> Self {
        Self { workspace: None, ..self }
    }

    /// Whether `terraform.workspace` is unknown.
    pub(crate) fn has_any_workspace(&self) -> bool {
        self.workspace.is_none()
    }

    /// Sets `path.cwd`, which is otherwise unknown.
    #[must_use]
    pub fn with_directory(mut self, path: &str) -> Self {
        self.directory = Some(self.arena.str(path));
        self
    }

    /// Sets the schemas of providers, which should include [those that are built into the
    /// tools](BodySchemas::with_built_in).
    #[must_use]
    pub fn with_schemas(mut self, schemas: &'i BodySchemas<'a>) -> Self {
        self.schemas = Schemas::Given(schemas);
        self
    }

    /// Uses the recorded values of a state for those that only providers know, as long as the
    /// configuration of the instance is known and as recorded. Blocks `moved` are followed.
    #[must_use]
    pub fn with_state(mut self, state: State<'a>) -> Self {
        self.state = Some(Recorded::of(state));
        self
    }

    /// Like [`with_state`](Self::with_state), for a state file.
    #[must_use]
    pub fn with_state_file(mut self, state: RawState<'a>) -> Self {
        self.state = Some(Recorded::of_file(self.arena, state));
        self
    }

    /// Sets the functions that expressions can call. By default, those that read more than their
    /// arguments are unknown, and with the feature `functions` all others are computed.
    #[must_use]
    pub fn with_functions(mut self, functions: &'i dyn Functions) -> Self {
        self.functions = Some(functions);
        self
    }

    /// Sets the limits of steps and bytes of all evaluation together, instead of 100 million steps and
    /// 1 GiB, and 1,000 steps and 1 KiB for each byte of the configuration. Beside the
    /// [steps of expressions](Budget), an instance of a resource takes 10, one of a module 500, a
    /// block that `dynamic` makes 100, and a byte that is printed four.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = Some(budget);
        self
    }

    /// Divides the constant part of the budget by the number of root modules that are evaluated with the
    /// same memory. A hundredth of it remains.
    #[must_use]
    pub fn with_roots(mut self, count: usize) -> Self {
        self.roots = count as u64;
        self
    }

    /// Writes sensitive values instead of `(sensitive)`.
    #[must_use]
    pub fn with_sensitive(mut self, shows: bool) -> Self {
        self.shows_sensitive = shows;
        self
    }

    /// Sets the observer of each value that is computed.
    #[must_use]
    pub(crate) fn with_observer(mut self, observer: &'i dyn Observer<'a>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// The arena of the values.
    #[must_use]
    pub fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// The names of variables that flags have set, sorted.
    #[must_use]
    pub fn flags(&self) -> Vec<&'a str> {
        let mut names: Vec<_> = self.flags.keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// The functions that expressions can call, if they were set.
    pub(crate) fn functions(&self) -> Option<&'i dyn Functions> {
        self.functions
    }

    /// The mark of the value that is given to a variable of the root module.
    pub(super) fn marks_of_variable(&self, name: &str) -> Marks {
        if self.hidden.contains(name) { Marks::HIDDEN } else { Marks::NONE }
    }

    /// The mark of the value of an expression, by its place.
    pub(super) fn marks_of(&self, expression: Expression<'_>) -> Marks {
        let hides = || self.hidden_files.contains(expression.source().name());
        if !self.hidden_files.is_empty() && hides() { Marks::HIDDEN } else { Marks::NONE }
    }

    pub(super) fn schemas(&self) -> &BodySchemas<'a> {
        match &self.schemas {
            Schemas::BuiltIn(schemas) => schemas,
            Schemas::Given(schemas) => schemas,
        }
    }

    /// The value that is given to a variable of the root module.
    pub(super) fn given(&self, name: &str, files: &Assignments<'a>) -> Option<Given<'a>> {
        let of_flag = self.flags.get(name).copied();
        if self.is_called {
            return of_flag;
        }
        let of_file = || match files.lost(name) {
            Some(file) => Some(Given::Unknown(file)),
            None => files.get(name).map(Given::Attribute),
        };
        let of_environment = || self.environment.get(name).copied();
        of_flag.or_else(of_file).or_else(of_environment)
    }
}
