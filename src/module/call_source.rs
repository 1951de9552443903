//! The source and version of module calls, if they are known before variables have values.

use super::assignment::Assignments;
use super::call::Evaluated;
use super::computed::Computed;
use super::source_address::SourceAddress;
use super::version::VersionConstraint;
use super::{Module, ModuleCall, read};
use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::Dialect;
use crate::evaluate::{Budget, Scope};
use crate::expression::{Expression, Literal};
use crate::hash::HashMap;
use crate::native::{StepKind, Traversal};
use crate::value::{Marks, Type, Value, convert_briefly};

impl<'a> ModuleCall<'a> {
    /// The source as a text. A source that uses values of variables is returned as a template;
    /// other sources are evaluated as in a root module.
    #[must_use]
    pub fn source_text(&self) -> Option<&'a str> {
        written_text(self.source?, self.evaluated.source, Expression::as_template_text)
    }

    /// The source as a text, evaluated where it is known, also by the defaults of variables and the
    /// module's own files of variables.
    #[must_use]
    pub fn resolved_source(&self) -> Option<&'a str> {
        let known = self.evaluated.source.or(self.evaluated.by_defaults);
        written_text(self.source?, known, Expression::as_template_text)
    }

    /// The version constraint as a text, by the rules of [`Self::source_text`].
    #[must_use]
    pub fn version_text(&self) -> Option<&'a str> {
        written_text(self.version?, self.evaluated.version, Expression::as_template_text)
    }

    /// The source as terraform-config-inspect prints it: as written, if it calls functions or
    /// refers to anything.
    #[must_use]
    pub fn written_source(&self) -> Option<&'a str> {
        written_text(self.source?, None, Expression::to_str)
    }

    /// The version constraint, by the same rules.
    #[must_use]
    pub fn written_version(&self) -> Option<&'a str> {
        written_text(self.version?, None, Expression::to_str)
    }

    /// The source, if it is known without values of variables, or by their defaults and the module's
    /// own files of variables.
    #[must_use]
    pub fn source_by_defaults(&self) -> Option<&'a str> {
        match fixed_text(self.source?.expression()) {
            Some(text) => text.ok(),
            None => self.evaluated.source.or(self.evaluated.by_defaults),
        }
    }

    /// The address of the module, if its source is valid and known as for
    /// [`Self::source_by_defaults`].
    #[must_use]
    pub fn source_address(&self) -> Option<SourceAddress<'a>> {
        let text = self.source_by_defaults()?;
        // A version that uses values may turn out to be null, which means any version.
        let has_version = self.version.is_some_and(|version| {
            let value = version.expression();
            !value.is_null() && fixed_text(value).is_some()
        });
        match has_version {
            true => SourceAddress::parse_versioned(text),
            false => SourceAddress::parse(text),
        }
        .ok()
    }

    /// The source, if it depends on the values of variables: another caller, or another file of
    /// variables, may give another one.
    pub(crate) fn variable_source(&self) -> Option<Expression<'a>> {
        let source = self.source?.expression();
        (self.evaluated.source.is_none() && fixed_text(source).is_none()).then_some(source)
    }

    /// Whether the source uses the path of the calling module. Such a path starts at the root
    /// module's directory, so it is right in a root module, and elsewhere only by chance.
    pub(crate) fn takes_own_path(&self) -> bool {
        let is_own = |traversal: Traversal<'a>| {
            let second = traversal.steps().get(1).map(|step| step.kind);
            traversal.root_name() == "path" && second == Some(StepKind::Attribute("module"))
        };
        self.source.is_some_and(|source| source.expression().variables().any(is_own))
    }

    /// Reports an invalid source, a source outside of a registry in a call with a version, and an
    /// invalid version constraint. Parts that depend on variables are not checked. Call it after
    /// overrides are merged. Returns the source and the version if local values, paths and
    /// functions determine them.
    pub(super) fn check_source(
        &self,
        module: &Module<'a>,
        (computed, of_defaults): (&Computed<'a>, &Computed<'a>),
        sink: &mut dyn Sink<'a>,
    ) -> Evaluated<'a> {
        let mut evaluated = Evaluated::default();
        // Null means any version, and an unknown version may be null.
        let mut has_version = false;
        if let Some(value) = self.version.map(Attribute::expression)
            && !value.is_null()
        {
            let text = match fixed_text(value) {
                Some(_) => self.text(value, sink),
                None => {
                    evaluated.version = computed_text(module, value, computed, sink);
                    evaluated.version
                }
            };
            has_version = text.is_some() || fixed_text(value).is_some();
            if text.is_some_and(|text| VersionConstraint::parse_all(text).is_none()) {
                sink.report(Diagnostic::new(Code::VersionConstraint, value.start_label()));
            }
        }
        let Some(source) = self.source.map(Attribute::expression) else { return evaluated };
        if fixed_text(source).is_none() {
            evaluated.source = computed_text(module, source, computed, sink);
            if evaluated.source.is_none() {
                evaluated.by_defaults = computed_text(module, source, of_defaults, &mut ());
            }
        }
        let Some(text) = evaluated.source.or_else(|| self.text(source, sink)) else {
            return evaluated;
        };
        let parse = match has_version {
            true => SourceAddress::parse_versioned,
            false => SourceAddress::parse,
        };
        if let Err(error) = parse(text) {
            sink.report(
                Diagnostic::new(Code::ModuleSource, source.label())
                    .with_arguments(&[error.as_str()]),
            );
        }
        evaluated
    }

    /// The text of a value of the source; `None` if it is not a known text without marks.
    pub(crate) fn source_of(at: Expression<'a>, value: Value<'a>) -> Option<&'a str> {
        text_of(at, value).filter(|_| value.deep_marks().is_empty())
    }

    /// The text of an argument that uses no variables.
    fn text(&self, value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
        match fixed_text(value)? {
            Ok(text) => Some(text),
            Err(_) => read::unsuitable(value, "a string", sink),
        }
    }
}

impl<'a> Module<'a> {
    /// Evaluates the sources of calls that depend on variables with the values of files of variables.
    pub(crate) fn evaluate_sources(&mut self, files: &Assignments<'a>, withholds: bool) {
        if files.is_empty() || !self.calls.iter().any(|call| call.variable_source().is_some()) {
            return;
        }
        let value = |name: &'a str| match (files.lost(name), files.get(name)) {
            (Some(_), _) => Some(Value::dynamic()),
            (None, value) => Some(value?.expression().literal_value(&mut ())),
        };
        let names = self.variables.iter().map(|variable| variable.name);
        let given: HashMap<_, _> = names.filter_map(|name| Some((name, value(name)?))).collect();
        let computed = Computed::of_values(withholds, given);
        let sources = self.calls.iter().map(|call| {
            let source = call.variable_source()?;
            Some(computed_text(self, source, &computed, &mut ()))
        });
        for (place, source) in (0..).zip(sources.collect::<Vec<_>>()) {
            if let (Some(source), Some(call)) = (source, self.calls.at_mut(place)) {
                call.evaluated.by_defaults = source;
            }
        }
    }
}

/// The text of an argument, or the result of `written` if it uses variables.
fn written_text<'a>(
    attribute: Attribute<'a>,
    evaluated: Option<&'a str>,
    written: impl FnOnce(Expression<'a>) -> Option<&'a str>,
) -> Option<&'a str> {
    let value = attribute.expression();
    match fixed_text(value) {
        Some(text) => text.ok(),
        None => evaluated.or_else(|| written(value)),
    }
}

/// The text of an expression in a root module, if it uses only local values, paths and functions.
fn computed_text<'a>(
    module: &Module<'a>,
    value: Expression<'a>,
    computed: &Computed<'a>,
    sink: &mut dyn Sink<'a>,
) -> Option<&'a str> {
    let mut error: Option<Diagnostic<'a>> = None;
    let known = computed.value_of_root(module, value, &mut error);
    // References to secrets are reported with all others that must be known early.
    if known.deep_marks().contains(Marks::SENSITIVE)
        && module.dialect == Dialect::OpenTofu
        && value.variables().next().is_none()
    {
        sink.report(
            Diagnostic::new(Code::EarlySecret, value.start_label()).with_arguments(&["sensitive"]),
        );
    }
    text_of(value, known).filter(|_| error.is_none() && known.deep_marks().is_empty())
}

/// The text of a value; `None` if it is not a text.
fn text_of<'a>(at: Expression<'a>, value: Value<'a>) -> Option<&'a str> {
    let arena = at.source().arena();
    let text = convert_briefly(arena, value, Type::String).ok()?;
    Some(arena.str(text.as_str()?))
}

/// The text of an expression, evaluated without variables and functions; `None` if it needs some.
/// The error is the type of a value that is not a text.
fn fixed_text<'a>(value: Expression<'a>) -> Option<Result<&'a str, &'static str>> {
    match value.literal() {
        Literal::Text(text) => Some(Ok(text)),
        Literal::Template(_) | Literal::Expression => {
            if value.variables().next().is_some() {
                return None;
            }
            let mut error: Option<Diagnostic<'a>> = None;
            let budget = Budget::of_length(value.span().len());
            let evaluated = value.value(&Scope::new().with_budget(budget), &mut error);
            Some(Ok(text_of(value, evaluated).filter(|_| error.is_none())?))
        }
        Literal::Number(digits) => Some(Ok(digits)),
        Literal::Bool(true) => Some(Ok("true")),
        Literal::Bool(false) => Some(Ok("false")),
        _ => Some(Err(value.type_name())),
    }
}
