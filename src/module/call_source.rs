//! Where called modules come from: source and version, as far as they are known before variables
//! have values.

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
use crate::native::{StepKind, Traversal};
use crate::value::{Marks, Type, Value, convert_briefly};

impl<'a> ModuleCall<'a> {
    /// The source as a text: evaluated, in a root module, or as a template if that takes values of
    /// variables.
    #[must_use]
    pub fn source_text(&self) -> Option<&'a str> {
        written_text(self.source?, self.evaluated.source, Expression::as_template_text)
    }

    /// The version constraint as a text, in the same way.
    #[must_use]
    pub fn version_text(&self) -> Option<&'a str> {
        written_text(self.version?, self.evaluated.version, Expression::as_template_text)
    }

    /// The source as terraform-config-inspect prints it: as it is written, if it takes functions or
    /// refers to anything.
    #[must_use]
    pub fn written_source(&self) -> Option<&'a str> {
        written_text(self.source?, None, Expression::to_str)
    }

    /// The version constraint, in the same way.
    #[must_use]
    pub fn written_version(&self) -> Option<&'a str> {
        written_text(self.version?, None, Expression::to_str)
    }

    /// Where the module comes from, if its source is known without values of variables, and is
    /// right.
    #[must_use]
    pub fn source_address(&self) -> Option<SourceAddress<'a>> {
        let text = match fixed_text(self.source?.expression()) {
            Some(text) => text.ok()?,
            None => self.evaluated.source?,
        };
        // A version that takes values may turn out to be null, which asks for none.
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

    /// Whether the source takes the path of the module that calls, which leads from the root
    /// module's directory: so such a source is right in a root module, and in others only by
    /// chance.
    pub(crate) fn takes_own_path(&self) -> bool {
        let is_own = |traversal: Traversal<'a>| {
            let second = traversal.steps().get(1).map(|step| step.kind);
            traversal.root_name() == "path" && second == Some(StepKind::Attribute("module"))
        };
        self.source.is_some_and(|source| source.expression().variables().any(is_own))
    }

    /// Reports a source that is not an address, or not one of a registry although the call has a
    /// version, and a version that is not a constraint. Parts that depend on variables are not
    /// checked. Call it after overrides are merged. Returns the source and the version as far as
    /// local values, paths and functions determine them.
    pub(super) fn check_source(
        &self,
        module: &Module<'a>,
        computed: &Computed<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Evaluated<'a> {
        let mut evaluated = Evaluated::default();
        // Null asks for no version, and a version that is not known may be null.
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

    /// The text that an argument gives without any variable.
    fn text(&self, value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
        match fixed_text(value)? {
            Ok(text) => Some(text),
            Err(_) => read::unsuitable(value, "a string", sink),
        }
    }
}

/// The text that an argument gives, or what `written` makes of it if it takes variables.
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

/// The text that a value gives in a root module, if it takes local values, paths and functions
/// only.
fn computed_text<'a>(
    module: &Module<'a>,
    value: Expression<'a>,
    computed: &Computed<'a>,
    sink: &mut dyn Sink<'a>,
) -> Option<&'a str> {
    let mut error: Option<Diagnostic<'a>> = None;
    let known = computed.value_of_root(module, value, &mut error);
    // References to secrets are reported with all that must be known early.
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

/// A value as a text, if it is one.
fn text_of<'a>(at: Expression<'a>, value: Value<'a>) -> Option<&'a str> {
    let arena = at.source().arena();
    let text = convert_briefly(arena, value, Type::String).ok()?;
    Some(arena.str(text.as_str()?))
}

/// The text that a value gives when it is evaluated without variables and functions: none if it
/// needs some. The error is the type of a value that gives no text.
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
