//! Values in configuration that must not be shown: the policy of everything that prints
//! configuration.
//!
//! | value | it is hidden if |
//! |---|---|
//! | the default of a variable, and defaults in its type | the variable is sensitive or ephemeral in any file of its module |
//! | the value that a file of variables, or `variables` of a test or of Packer, gives a variable |
//! so is the variable |
//! | the value that a call, a run of a test, or a component of a stack gives a variable of another
//! module | so is the variable there |
//! | the value that a deployment gives a variable of its stack | so is the variable |
//! | the default of a variable, or a local value, that a call passes on to such a variable | the call passes just that |
//! | the value of an output | the output is sensitive or ephemeral |
//! | the expression of a `local` block (Packer) | the block is sensitive |
//! | an argument of a block `provider` | it has a constant, and does not only say where something is, such as `region` |
//! | an argument of a block `backend`, `cloud`, `state_store` or `key_provider`, or in `remote_state` of a unit | it has a constant, and does not only say where the state is |
//! | the text that a unit of Terragrunt generates, and what is interpolated there | it has such a constant, or another value that is hidden in the file that it is written to |
//! | in the files of units of Terragrunt: an input, the mock of an output, and the local values, values of stacks, features and mocks that are passed on to it | the module of a unit that reads the file hides the variable, or declares the output as sensitive |
//! | any expression | it calls `sensitive` ([`Expression::marks_itself`]) |
//!
//! A flag whose value is not literally false counts as set. A value that nothing marks is shown,
//! such as that of a variable that no file of the module declares, or of a variable of a module
//! that is not installed. What is hidden is hidden as a whole, with the names in it. The policy does not
//! cover source text: commands that print it say so.
//!
//! [`Hidden`] has the values that the files of one module mark. `tree::Secrets` and `Tree::hidden`
//! add those that other modules mark, and `terragrunt::hidden` those in files of units.

mod constants;
mod extent;
mod messages;
mod paths;
mod types;

use std::sync::Arc;

use crate::arena::Arena;
use crate::body::{Block, Body};
use crate::dialect::{Dialect, List, root_schema};
use crate::expression::{Expression, JsonPath, PathStep, Template, has_introducer};
use crate::hash::{HashMap, HashSet};
use crate::native::Native;
use crate::source::Source;
use crate::stream;
use crate::value::{Type, convert_briefly};

#[cfg(feature = "terragrunt")]
pub(crate) use self::constants::hides_in_unit;
pub(crate) use self::constants::provides;
use self::extent::{Extent, outermost};
pub use self::messages::Places;
pub(crate) use self::paths::Paths;
pub(crate) use self::types::has_defaults;
pub use self::types::shown_type;
pub use crate::value::HIDDEN;

/// The block types whose values may be hidden because of declarations of the module, or of modules
/// that it calls.
const HEADS: [&str; 12] = [
    "variable",
    "variables",
    "output",
    "local",
    "locals",
    "provider",
    "terraform",
    "module",
    "run",
    "component",
    "stack",
    "deployment",
];

/// The argument of components, stacks and deployments that gives variables their values.
const INPUTS: &str = "inputs";

/// Arguments of a call that are not for the called module.
const OF_CALL: [&str; 7] =
    ["source", "version", "providers", "count", "for_each", "depends_on", "lifecycle"];

/// The block of a call whose arguments are all for the called module.
const ESCAPE: &str = "_";

/// Names of variables of a module, which the modules that call it share.
pub(crate) type Names = Arc<HashSet<Box<str>>>;

/// The objects that the files of a module declare and whose values must not be shown.
///
/// ```
/// use simd_hcl::dialect::{Dialect, List};
/// use simd_hcl::hidden::Hidden;
///
/// let arena = simd_hcl::Arena::new();
/// let json = br#"{"variable": {"key": {"default": "hunter2", "sensitive": true}, "size": {}}}"#;
/// let document = simd_hcl::Document::parse_bytes(&arena, "main.tf.json", json)?;
/// let mut hidden = Hidden::default();
/// hidden.add(Dialect::OpenTofu, List::Primary, document);
/// assert!(hidden.has_variable("key") && !hidden.has_variable("size"));
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Hidden {
    variables: Names,
    outputs: HashSet<Box<str>>,
    /// Blocks `local` of Packer.
    locals: HashSet<Box<str>>,
    /// Local values that calls pass on to hidden variables.
    local_values: HashSet<Box<str>>,
    /// Arguments with constants that say how a provider or a state is reached.
    constants: Paths,
    /// Variables of called modules, by the name of the call.
    calls: HashMap<Box<str>, Names>,
    /// Variables of modules that runs of tests name, by the name of the run.
    runs: HashMap<Box<str>, Names>,
    /// All of `runs`, without duplicates: a file of tests, or of variables for them, is for every run.
    tested: Vec<Names>,
    calls_others: bool,
    /// Values in files of units.
    of_units: Paths,
    /// Whether everything is hidden that some declaration could hide.
    hides_all: bool,
}

impl Hidden {
    /// Hides every value that some declaration could hide: for a file that is read before it is known
    /// what it declares, and what its calls pass on.
    #[must_use]
    pub fn unread() -> Self {
        Self { hides_all: true, ..Self::default() }
    }

    /// Adds the declarations of a file. Files of variables declare nothing, and those of tests only
    /// that they test other modules.
    ///
    /// Cost: linear in the top level of the file, and in its variables and outputs.
    pub fn add<'a>(&mut self, dialect: Dialect, list: List, file: impl Into<Body<'a>>) {
        if !declares(list) {
            return;
        }
        if let Some(schema) = root_schema(dialect, list) {
            file.into().visit_blocks(schema, &mut (), |block, _| {
                match (list, block.block_type()) {
                    (List::Test, "run") => {
                        let names_other = || block.as_expression().member("module").is_some();
                        self.calls_others |= names_other();
                    }
                    (List::Test, "provider") => self.add_block(block),
                    (List::Test, _) => {}
                    _ => self.add_block(block),
                }
            });
        }
    }

    /// Whether the files call other modules, or test them: then the hidden values depend on these.
    #[must_use]
    pub fn calls_others(&self) -> bool {
        self.calls_others
    }

    /// The hidden variables.
    pub(crate) fn variables(&self) -> &Names {
        &self.variables
    }

    /// Hides the values of a variable.
    pub(crate) fn add_variable(&mut self, name: &str) {
        if !self.has_variable(name) {
            Arc::make_mut(&mut self.variables).insert(name.into());
        }
    }

    /// Hides a local value.
    pub(crate) fn add_local_value(&mut self, name: &str) {
        self.local_values.insert(name.into());
    }

    /// Hides the values that a call passes to the variables that the called module hides. Cost:
    /// constant, if the module has one call with that name.
    pub fn add_call(&mut self, name: &str, called: &Self) {
        self.pass(name, &called.variables);
    }

    /// Hides the values that a call passes to these variables of the called module.
    pub(crate) fn pass(&mut self, call: &str, to: &Names) {
        add(&mut self.calls, call, to);
    }

    /// Hides the values that a run of a test gives these variables of the module that it names.
    pub(crate) fn give(&mut self, run: &str, to: &Names) {
        add(&mut self.runs, run, to);
        if !to.is_empty() && !self.tested.iter().any(|names| Arc::ptr_eq(names, to)) {
            self.tested.push(Arc::clone(to));
        }
    }

    /// Hides all that another part of the same module hides, too.
    pub(crate) fn extend(&mut self, other: &Self) {
        // A new field cannot be forgotten.
        let Self {
            variables,
            outputs,
            locals,
            local_values,
            constants,
            calls,
            runs,
            tested,
            calls_others,
            of_units,
            hides_all,
        } = other;
        self.local_values.extend(local_values.iter().cloned());
        self.constants.extend(constants);
        variables.iter().for_each(|name| self.add_variable(name));
        self.outputs.extend(outputs.iter().cloned());
        self.locals.extend(locals.iter().cloned());
        calls.iter().for_each(|(name, names)| add(&mut self.calls, name, names));
        runs.iter().for_each(|(name, names)| add(&mut self.runs, name, names));
        self.tested.extend(tested.iter().cloned());
        self.of_units.extend(of_units);
        self.calls_others |= calls_others;
        self.hides_all |= hides_all;
    }

    /// Hides values in the files of units in the directory of the module.
    #[cfg(feature = "terragrunt")]
    pub(crate) fn add_of_units(&mut self, paths: &Paths) {
        self.of_units.extend(paths);
    }

    /// Adds the declaration of a block.
    pub(crate) fn add_block(&mut self, block: Block<'_>) {
        let names: Vec<&str> = [block.block_type()].into_iter().chain(block.labels()).collect();
        self.declare(&names, block.as_expression());
    }

    /// Adds the declaration of a block with a type and labels.
    fn declare(&mut self, names: &[&str], body: Expression<'_>) {
        if let ["provider" | "terraform", ..] = names {
            constants::add(&mut self.constants, names, body);
        }
        let [block_type, name, ..] = *names else { return };
        self.calls_others |= block_type == "module";
        let names = match block_type {
            "variable" => Arc::make_mut(&mut self.variables),
            "output" => &mut self.outputs,
            "local" => &mut self.locals,
            _ => return,
        };
        if ["sensitive", "ephemeral"].iter().any(|flag| body.member(flag).is_some_and(may_be_true))
        {
            names.insert(name.into());
        }
    }

    /// Adds the declaration of a block of JSON whose type and labels are `names`: a record of a
    /// stream.
    pub fn add_record<'a>(&mut self, names: &[String], body: impl Into<Body<'a>>) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.declare(&names, body.into().as_expression());
    }

    /// Whether no declaration hides a value.
    fn is_empty(&self) -> bool {
        // A new field cannot be forgotten.
        let Self {
            variables,
            outputs,
            locals,
            local_values,
            constants,
            calls,
            runs,
            tested,
            calls_others: _,
            of_units,
            hides_all,
        } = self;
        let is_empty = |names: &Names| names.is_empty();
        !hides_all
            && variables.is_empty()
            && [outputs, locals, local_values].iter().all(|names| names.is_empty())
            && [constants, of_units].iter().all(|paths| paths.is_empty())
            && calls.values().chain(runs.values()).chain(tested).all(is_empty)
    }

    /// Whether the values of a variable must not be shown.
    #[must_use]
    pub fn has_variable(&self, name: &str) -> bool {
        self.hides_all || self.variables.contains(name)
    }

    /// Whether the value of an output must not be shown.
    #[must_use]
    pub fn has_output(&self, name: &str) -> bool {
        self.hides_all || self.outputs.contains(name)
    }

    /// The hidden outputs.
    #[cfg(feature = "terragrunt")]
    pub(crate) fn outputs(&self) -> impl Iterator<Item = &str> {
        self.outputs.iter().map(|name| &**name)
    }

    /// Whether the value of a `local` block must not be shown.
    fn has_local(&self, name: &str) -> bool {
        self.hides_all || self.locals.contains(name)
    }

    /// Whether a local value must not be shown.
    #[must_use]
    pub fn has_local_value(&self, name: &str) -> bool {
        self.hides_all || self.local_values.contains(name)
    }

    /// Whether the value that a call passes to a variable must not be shown.
    fn passes(&self, call: &str, variable: &str) -> bool {
        let is_hidden = |names: &Names| names.contains(variable);
        self.hides_all || self.calls.get(call).is_some_and(is_hidden)
    }

    /// Whether what the module declares, or modules that it calls, decides if the value at a path must
    /// not be shown. The path starts at the root of a file.
    #[must_use]
    pub fn decides(list: List, path: JsonPath<'_>) -> bool {
        let steps = path.steps();
        let mut names = steps.iter().filter_map(PathStep::name);
        let first = names.next().unwrap_or_default();
        let third = names.nth(1);
        match first {
            _ if !Self::decides_in(list, first) => false,
            _ if matches!(list, List::Variables | List::Other) => true,
            "variable" => third.is_none_or(|name| ["default", "type"].contains(&name)),
            "output" => third.is_none_or(|name| name == "value"),
            "module" => third.is_none_or(|name| !OF_CALL.contains(&name)),
            _ => true,
        }
    }

    /// Whether what the module declares, or modules that it calls, may decide if values in a block or
    /// attribute at the root of a file must not be shown.
    pub(crate) fn decides_in(list: List, name: &str) -> bool {
        matches!(list, List::Variables | List::Other) || HEADS.contains(&name)
    }

    /// Whether a variable that a file of variables or a test sets is hidden in the module, or in a
    /// module that a test names.
    fn has_given(&self, name: &str) -> bool {
        self.has_variable(name) || self.tested.iter().any(|names| names.contains(name))
    }

    /// Whether the value at a path must not be shown: the type and labels of a block, and names in it,
    /// without places in lists.
    #[must_use]
    pub fn hides(&self, list: List, names: &[&str], value: Option<Expression<'_>>) -> bool {
        self.extent(list, names, value).is_some()
    }

    /// If the value at a path must not be shown: the path of the outermost value that is hidden as
    /// a whole. Names below it must not be shown either. For a block with such a value, the path
    /// itself. `head` are the names above the path, which starts at the root of a file without
    /// them.
    pub(crate) fn path<'a>(
        &self,
        list: List,
        (head, path): (&[&str], JsonPath<'a>),
        value: Option<Expression<'_>>,
        arena: &'a Arena,
    ) -> Option<JsonPath<'a>> {
        let steps = path.steps();
        // Lists are no objects of their own.
        let members = steps.iter().filter_map(|step| -> Option<&str> { step.name() });
        let names: Vec<&str> = head.iter().copied().chain(members).collect();
        let extent = self.extent(list, &names, value);
        let keys = steps.iter().filter_map(|step| match step {
            PathStep::Member(key) => Some(key.marks_itself()),
            PathStep::Element(_) => None,
        });
        let marked = { keys }.position(|is_marked| is_marked);
        let depth = outermost(extent, marked.map(|at| head.len() + at), names.len())?;
        if depth >= names.len() {
            return Some(path);
        }
        let mut left = depth.saturating_sub(head.len());
        let outer = steps.iter().take_while(|step| {
            let is_outer = left > 0;
            left -= usize::from(is_outer && matches!(step, PathStep::Member(_)));
            is_outer
        });
        Some(outer.fold(JsonPath::default(), |path, step| path.with(arena, *step)))
    }

    /// Like [`Selected::hidden`](crate::query::Selected::hidden), for a template: the path of the
    /// outermost value with it that must not be shown.
    #[must_use]
    pub fn path_of_template<'a>(
        &self,
        list: List,
        template: &Template<'a>,
    ) -> Option<JsonPath<'a>> {
        let (path, arena) = (template.path(), template.label().source.arena());
        let hidden = self.path(list, (&[], path), template.value(), arena);
        hidden.or_else(|| template.marks_itself().then_some(path))
    }

    /// Like [`path_of_template`](Self::path_of_template), for a template of a stream.
    #[must_use]
    pub fn path_of_streamed(&self, list: List, template: &stream::Template<'_>) -> Option<String> {
        let names: Vec<&str> = template.names().collect();
        let of_value = self.extent(list, &names, template.value());
        let extent = of_value.or_else(|| template.marks_itself().then_some(Extent::Part));
        let marked = names.iter().position(|name| marks_itself(name));
        let depth = outermost(extent, marked, names.len())?;
        Some(match depth < names.len() {
            true => template.outer_path(depth),
            false => template.path().to_owned(),
        })
    }

    fn extent(&self, list: List, names: &[&str], value: Option<Expression<'_>>) -> Option<Extent> {
        let member = |name: &str| value.and_then(|value| value.member(name));
        let has_any = |value: Option<Expression<'_>>, is_hidden: &dyn Fn(&str) -> bool| {
            let mut entries = value.and_then(Expression::as_map).into_iter().flatten();
            entries.any(|(name, _)| is_hidden(name.to_str()))
        };
        let part = |is_in: bool| is_in.then_some(Extent::Part);
        let whole = |is_hidden: bool, depth: usize| is_hidden.then_some(Extent::Whole(depth));
        let of_block = |is_hidden: bool, wanted: &str| match names {
            [_, _] => part(is_hidden && member(wanted).is_some()),
            [_, _, name, ..] => whole(is_hidden && *name == wanted, 3),
            _ => None,
        };
        // After the name of a component, a stack or a deployment.
        let of_inputs = |rest: &[&str], is_hidden: &dyn Fn(&str) -> bool| match rest {
            [] => part(has_any(member(INPUTS), is_hidden)),
            [INPUTS] => part(has_any(value, is_hidden)),
            [INPUTS, variable, ..] => whole(is_hidden(variable), 4),
            _ => None,
        };
        let given = |name: &str| self.has_given(name);
        let of_run = |run: &str, name: &str| {
            self.has_variable(name) || self.runs.get(run).is_some_and(|names| names.contains(name))
        };
        let by_name = match (list, names) {
            (List::Variables, [name, ..]) => whole(given(name), 1),
            (List::Other, ["remote_state", rest @ ..]) => {
                let of_units = self.of_units.extent(names, value);
                of_units.or_else(|| constants::of_unit(rest, value))
            }
            (List::Other, _) => self.of_units.extent(names, value),
            (_, ["variable", name, rest @ ..]) => {
                let is_hidden = self.has_variable(name);
                of_block(is_hidden, "default").or_else(|| match rest {
                    [] => part(is_hidden && member("type").is_some_and(has_defaults)),
                    ["type"] => whole(is_hidden && value.is_some_and(has_defaults), 3),
                    _ => None,
                })
            }
            (_, ["output", name, ..]) => of_block(self.has_output(name), "value"),
            (_, ["local", name, ..]) => of_block(self.has_local(name), "expression"),
            (_, ["locals"]) => part(has_any(value, &|name| self.has_local_value(name))),
            (_, ["locals", name, ..]) => whole(self.has_local_value(name), 2),
            (_, ["module", name, rest @ ..]) => {
                let is_passed = |variable: &str| self.passes(name, variable);
                match rest {
                    [] => {
                        let is_argument = |name: &str| !OF_CALL.contains(&name) && is_passed(name);
                        part(has_any(value, &is_argument) || has_any(member(ESCAPE), &is_passed))
                    }
                    [ESCAPE] => part(has_any(value, &is_passed)),
                    [ESCAPE, argument, ..] => whole(is_passed(argument), 4),
                    [argument, ..] => whole(!OF_CALL.contains(argument) && is_passed(argument), 3),
                }
            }
            (_, ["variables"]) => part(has_any(value, &given)),
            (_, ["variables", name, ..]) => whole(given(name), 2),
            (List::Test, ["run", run]) => {
                part(has_any(member("variables"), &|name| of_run(run, name)))
            }
            (List::Test, ["run", run, "variables"]) => {
                part(has_any(value, &|name| of_run(run, name)))
            }
            (List::Test, ["run", run, "variables", name, ..]) => whole(of_run(run, name), 4),
            (List::Component, ["component" | "stack", name, rest @ ..]) => {
                of_inputs(rest, &|variable| self.passes(name, variable))
            }
            (List::Deployment, ["deployment", _, rest @ ..]) => {
                of_inputs(rest, &|variable| self.has_variable(variable))
            }
            (_, ["terraform" | "provider", ..]) => {
                let known = self.constants.extent(names, value);
                let is_stack = list == List::Component;
                known.or_else(|| constants::extent((names, is_stack), value, self.hides_all))
            }
            _ => None,
        };
        by_name.or_else(|| {
            let value = value.filter(|value| value.marks_itself())?;
            Some(if value.is_container() { Extent::Part } else { Extent::Whole(names.len()) })
        })
    }
}

/// Whether a name is computed by an expression that marks itself.
fn marks_itself(name: &str) -> bool {
    if !has_introducer(name.as_bytes()) {
        return false;
    }
    let arena = Arena::new();
    Source::copy_from(&arena, "name", name.as_bytes()).is_ok_and(|source| {
        let name = Native::template(&arena, source, &mut ());
        Expression::from_native(name).marks_itself()
    })
}

/// Whether files of a list declare variables and outputs, or call other modules.
pub(crate) fn declares(list: List) -> bool {
    match list {
        List::Primary | List::Override | List::Query | List::Test | List::Component => true,
        List::Variables
        | List::Mock
        | List::Deployment
        | List::Migration
        | List::Policy
        | List::PolicyTest
        | List::Lock
        | List::Other => false,
    }
}

/// Adds the names of a module that a call or a run leads to.
fn add(all: &mut HashMap<Box<str>, Names>, name: &str, names: &Names) {
    if names.is_empty() {
        return;
    }
    let known = all.entry(name.into()).or_default();
    if known.is_empty() {
        *known = Arc::clone(names);
    } else if !Arc::ptr_eq(known, names) {
        Arc::make_mut(known).extend(names.iter().cloned());
    }
}

/// Whether a flag may be set: everything but a literal `false` or `null` counts.
#[must_use]
pub fn may_be_true(flag: Expression<'_>) -> bool {
    let value = flag.constant_value(&mut ());
    match convert_briefly(flag.source().arena(), value, Type::Bool) {
        Ok(flag) if flag.is_known() => flag.as_bool() == Some(true),
        _ => true,
    }
}
