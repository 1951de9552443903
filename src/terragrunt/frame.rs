//! The state that all parts of the evaluation of one configuration share.

use std::cell::RefCell;
use std::sync::Arc;

use super::argument::Misfit;
use super::call::{Context, Include, SENSITIVE};
use super::config::Dependency;
use super::function::{FilesOf, Table};
use super::log::Log;
use super::names;
use super::parse::{Parsed, Part};
use super::world::{Bound, World};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic};
use crate::evaluate::{InScope, Meter, Objects, Scope};
use crate::expression::Expression;
use crate::functions::paths::join;
use crate::hash::HashMap;
use crate::value::{Content, Type, Value, convert};

/// Local values of files that are complete, by file.
pub(super) type Memo<'v> = RefCell<HashMap<String, Vec<Option<Value<'v>>>>>;

/// The evaluation of one configuration.
#[derive(Clone, Copy)]
pub(super) struct Frame<'e, 'a, 'v> {
    pub(super) world: &'e World<'a>,
    pub(super) arena: &'v Arena,
    pub(super) config: &'e str,
    pub(super) original: &'e str,
    pub(super) meter: &'e Meter,
    pub(super) log: &'e Log,
    pub(super) memo: &'e Memo<'v>,
    pub(super) extent: Extent,
}

/// How much of a configuration is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The parts that lists of units need.
    Listed,
    /// All. Values that only the rest reads are not tracked.
    Whole,
    /// All, as a configuration that another one reads.
    Full,
}

/// A file whose local values and dependencies are known.
pub(super) struct Base<'a, 'v> {
    pub(super) path: String,
    /// Whether it is an included file.
    pub(super) is_included: bool,
    pub(super) parsed: Arc<Parsed<'a>>,
    pub(super) bound: Option<Arc<Bound<'a>>>,
    pub(super) values: Option<Value<'v>>,
    pub(super) own_features: Vec<(&'v str, Value<'v>)>,
    pub(super) feature: Value<'v>,
    pub(super) local: Value<'v>,
    pub(super) dependencies: Vec<Dependency<'v>>,
    pub(super) paths: Vec<Value<'v>>,
    /// The `include` blocks that its functions know.
    pub(super) includes: Vec<Include>,
}

/// The variables of an expression.
pub(super) type Variables<'v> = Vec<(&'v str, Value<'v>)>;

/// Adds a variable, if it has a value.
pub(super) fn set<'v>(variables: &mut Variables<'v>, name: &'v str, value: Option<Value<'v>>) {
    if let Some(value) = value {
        variables.retain(|(known, _)| *known != name);
        variables.push((name, value));
    }
}

impl Extent {
    pub(super) fn max_whole(self) -> Self {
        if self == Self::Full { Self::Full } else { Self::Whole }
    }
}

impl<'e, 'a: 'v, 'v> Frame<'e, 'a, 'v> {
    /// Adds the errors of a file.
    pub(super) fn report(&self, parsed: &Parsed<'a>) {
        for error in &parsed.errors {
            self.log.finding("configuration", error);
        }
        if self.extent != Extent::Listed {
            for error in &parsed.late_errors {
                self.log.finding("configuration", error);
            }
        }
    }

    pub(super) fn context<'c>(
        &self,
        file: &'c str,
        includes: &'c [Include],
        included: Option<&'c str>,
    ) -> Context<'c, 'a>
    where
        'e: 'c,
    {
        Context {
            world: self.world,
            config: self.config,
            original: self.original,
            file,
            includes,
            included,
            log: self.log,
        }
    }

    /// Evaluates an expression. Its errors are problems, except those that `allows` lets pass.
    pub(super) fn value(
        &self,
        context: &Context<'_, 'a>,
        (variables, objects): (&[(&'v str, Value<'v>)], Option<&dyn Objects<'v>>),
        expression: Expression<'a>,
        allows: impl Fn(&Diagnostic<'a>) -> bool,
    ) -> Value<'v> {
        let files = FilesOf(context);
        let table = Table::new(context, &files);
        let scope =
            Scope::new().with_variables(variables).with_functions(&table).with_short_circuits();
        let mut errors: Vec<Diagnostic<'a>> = Vec::new();
        let names = InScope { scope: &scope, objects };
        let value = expression.value_in(self.arena, false, names, self.meter, &mut errors);
        if !value.is_wholly_known() && marks_files(expression.text()) {
            let why = "which files mark_as_read or mark_glob_as_read marks is not known";
            self.log.problem("reading", why);
        }
        for error in errors.iter().filter(|error| !allows(error)) {
            self.invalid(error);
        }
        value
    }

    /// Evaluates an expression whose value is shown as it is, or decides what is: a path, a name. One
    /// that must not be shown is unknown.
    pub(super) fn shown(
        &self,
        context: &Context<'_, 'a>,
        variables: &[(&'v str, Value<'v>)],
        expression: Expression<'a>,
    ) -> Value<'v> {
        let value = self.value(context, (variables, None), expression, |_| false);
        if self.world.shows(value.deep_marks()) {
            return value;
        }
        self.log.problem("expression", SENSITIVE);
        Value::dynamic()
    }

    /// Evaluates an argument of a block, if it is set.
    pub(super) fn argument(
        &self,
        context: &Context<'_, 'a>,
        variables: &[(&'v str, Value<'v>)],
        part: &Part<'a>,
        name: &str,
    ) -> Option<Value<'v>> {
        let expression = part.get(name)?;
        let value = self.value(context, (variables, None), expression, |_| false);
        Some(self.fit(part, name, expression, value))
    }

    /// Like [`Frame::argument`], for one as [`Frame::shown`] evaluates it.
    pub(super) fn shown_argument(
        &self,
        context: &Context<'_, 'a>,
        variables: &[(&'v str, Value<'v>)],
        part: &Part<'a>,
        name: &str,
    ) -> Option<Value<'v>> {
        let expression = part.get(name)?;
        let value = self.shown(context, variables, expression);
        Some(self.fit(part, name, expression, value))
    }

    /// The value that an argument has with a written one; unknown if it does not take that.
    fn fit(
        &self,
        part: &Part<'a>,
        name: &str,
        expression: Expression<'a>,
        value: Value<'v>,
    ) -> Value<'v> {
        let Some(argument) = part.kind.argument(name) else { return value };
        argument.fit(self.arena, value).unwrap_or_else(|misfit| {
            self.misfit(argument.schema.name, expression.part(&misfit.path), &misfit);
            Value::dynamic()
        })
    }

    /// Reports a value that an argument does not take.
    pub(super) fn misfit(&self, name: &'static str, at: Expression<'a>, misfit: &Misfit<'_>) {
        let why = self.world.arena.str(&misfit.why);
        self.invalid(
            &Diagnostic::new(Code::ArgumentType, at.start_label()).with_arguments(&[name, why]),
        );
    }

    /// Reports an error of an expression.
    pub(super) fn invalid(&self, error: &Diagnostic<'a>) {
        self.world.error(error);
        self.log.error("expression", error);
    }

    /// Evaluates the file of values in a folder, if it has one.
    pub(super) fn values(
        &self,
        folder: &str,
        includes: &[Include],
        included: Option<&str>,
    ) -> Option<Value<'v>> {
        if let Some(written) = self.world.written(folder)
            && let Some(values) = written.values
        {
            return Some(values.copy_to(self.arena));
        }
        let path = join(folder, names::VALUES);
        if !self.world.disk.is_file(&path) {
            return None;
        }
        self.log.also(path.clone());
        match self.world.parsed(&path) {
            Ok(parsed) => {
                self.report(&parsed);
                let context = self.context(&path, includes, included);
                let entries: Vec<_> = parsed
                    .root
                    .attributes
                    .iter()
                    .map(|it| {
                        let value = self.value(&context, (&[], None), it.expression(), |_| false);
                        (it.name(), value)
                    })
                    .collect();
                Some(Value::object(self.arena, &entries))
            }
            Err(why) => {
                self.log.problem("file", &*why);
                Some(Value::dynamic())
            }
        }
    }

    pub(super) fn text(&self, value: Value<'v>) -> Option<&'v str> {
        match value.content() {
            Content::String(text) => Some(text),
            Content::Number(_) | Content::Bool(_) => {
                convert(self.arena, value, Type::String).ok()?.as_str()
            }
            _ => None,
        }
    }
}

/// Whether an expression may mark files as read.
fn marks_files(text: &[u8]) -> bool {
    [&b"mark_as_read("[..], b"mark_glob_as_read("]
        .iter()
        .any(|name| text.windows(name.len()).any(|window| window == *name))
}
