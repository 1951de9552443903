//! `variable`: an input of the module.

use super::block::argument;
use super::condition::Condition;
use super::read;
use super::rules::Rules;
use super::site::{Visitor, Wanted};
use crate::arena::Arena;
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::arguments::modules::VARIABLE;
use crate::expression::{Expression, TypeConstraint};
use crate::value::{ConversionError, Marks, Value, convert};

/// Names that a module call could not set, since they have a meaning in `module` blocks.
const RESERVED: [&str; 10] = [
    "source",
    "version",
    "count",
    "for_each",
    "depends_on",
    "providers",
    "_",
    "lifecycle",
    "locals",
    "provider",
];

/// A declared variable.
#[derive(Clone, Copy, Debug)]
pub struct Variable<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its name.
    pub name: &'a str,
    /// The type that values are converted to; `None` means any type.
    pub constraint: Option<TypeConstraint<'a>>,
    /// The type as written.
    pub written_type: Option<Expression<'a>>,
    /// The type whose attributes have the defaults of `constraint`: that of the base, if an override
    /// file has another one.
    pub(crate) written_defaults: Option<Expression<'a>>,
    /// The default, read literally.
    pub default: Option<Expression<'a>>,
    /// The default after override files have changed it.
    pub(super) converted: Option<Value<'a>>,
    /// The purpose of the variable.
    pub description: Option<&'a str>,
    /// Why the variable should no longer be set (OpenTofu).
    pub deprecated: Option<&'a str>,
    /// Whether values are hidden.
    pub sensitive: Option<bool>,
    /// Whether values are not stored.
    pub ephemeral: Option<bool>,
    /// Whether null is a valid value; `None` means yes.
    pub nullable: Option<bool>,
    /// Whether it can be used in values that must be known early (OpenTofu).
    pub is_const: Option<bool>,
    /// Conditions on its value.
    pub validations: &'a [Condition<'a>],
}

/// Converts a value to a type.
type Apply<'a> = fn(
    TypeConstraint<'a>,
    &'a Arena,
    Value<'a>,
    &mut dyn Sink<'a>,
) -> Result<Value<'a>, ConversionError<'a>>;

impl<'a> Variable<'a> {
    /// Whether a module call must set it.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.default.is_none()
    }

    /// The marks of its values: [`Marks::hides`] says whether these, and its default, must not be
    /// shown.
    #[must_use]
    pub const fn marks(&self) -> Marks {
        Marks::declared(self.sensitive, self.ephemeral)
    }

    /// Whether no variable may have this name, since calls have an argument of that name.
    pub(crate) fn is_reserved(name: &str) -> bool {
        RESERVED.contains(&name)
    }

    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(VARIABLE.common(), sink);
        let name = block.label(0).unwrap_or_default();
        let label = block.label_place(0);
        if read::name(name, label, sink).is_some() && RESERVED.contains(&name) {
            sink.report(Diagnostic::new(Code::ReservedName, label).with_arguments(&[name]));
        }
        let written_type = argument(&content, "type");
        let deprecated = argument(&content, "deprecated");
        let mut text = |name| argument(&content, name).and_then(|value| read::string(value, sink));
        let description = text("description");
        let deprecated = deprecated.and_then(|value| read::deprecation(value, rules, sink));
        let mut flag = |name| argument(&content, name).and_then(|value| read::boolean(value, sink));
        let (sensitive, ephemeral) = (flag("sensitive"), flag("ephemeral"));
        let (nullable, is_const) = (flag("nullable"), flag("const"));
        let constraint = written_type.and_then(|written| written.type_constraint(sink));
        let validations: Vec<_> = content
            .blocks("validation")
            .map(|block| match rules.is_override {
                // The block is rejected as a whole.
                true => Condition::read_validation(block, name, &mut ()),
                false => Condition::read_validation(block, name, sink),
            })
            .collect();
        for (conflicts, what) in [(sensitive, "sensitive"), (ephemeral, "ephemeral")] {
            if rules.is_terraform() && is_const == Some(true) && conflicts == Some(true) {
                sink.report(
                    Diagnostic::new(Code::ConstVariable, block.definition_label())
                        .with_arguments(&[what]),
                );
            }
        }
        let read = Self {
            block,
            name,
            constraint,
            written_type,
            written_defaults: written_type,
            default: argument(&content, "default"),
            converted: None,
            description,
            deprecated,
            sensitive,
            ephemeral,
            nullable,
            is_const,
            validations: block.source().arena().bump().alloc_slice_copy(&validations),
        };
        // An override file may have only one of type and default.
        if !rules.is_override
            && let Some(default) = read.default
        {
            let value = read.default_by(TypeConstraint::apply_briefly, sink);
            read.report_default(&value, default.start_label(), sink);
        }
        read
    }

    /// Visits its expressions.
    pub(super) fn visit(&self, visitor: &mut Visitor<'_, 'a>) {
        visitor.literal(self.written_type);
        visitor.literal(self.default);
        visitor.conditions(self.validations, Wanted::ValidationMessage);
    }

    /// The default as a value of the variable: converted to the type in its own block, with the
    /// defaults of that type's attributes, then to the types that override files set. `None` if
    /// there is no default.
    ///
    /// # Errors
    /// The default cannot be converted to the type.
    pub fn default_value(
        &self,
        sink: &mut dyn Sink<'a>,
    ) -> Option<Result<Value<'a>, ConversionError<'a>>> {
        self.default_by(TypeConstraint::apply, sink)
    }

    /// Like [`default_value`](Self::default_value), to be printed: numbers whose texts would be long are
    /// unknown.
    pub(crate) fn default_briefly(&self) -> Option<Result<Value<'a>, ConversionError<'a>>> {
        self.default_by(TypeConstraint::apply_briefly, &mut ())
    }

    /// The default, converted by `apply`.
    fn default_by(
        &self,
        apply: Apply<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Option<Result<Value<'a>, ConversionError<'a>>> {
        if let Some(converted) = self.converted {
            return Some(Ok(converted));
        }
        let default = self.default?;
        let literal = default.literal_value(sink);
        Some(match self.constraint {
            Some(constraint) if !literal.is_null() => {
                apply(constraint, default.source().arena(), literal, sink)
            }
            _ => Ok(literal),
        })
    }

    /// Applies the type, the default and `nullable` of an override, and reports, at the override's
    /// position, a default that no longer fits.
    pub(super) fn override_default(&mut self, new: &Self, sink: &mut dyn Sink<'a>) {
        if new.constraint.is_none() && new.default.is_none() && new.nullable.is_none() {
            return;
        }
        let earlier = new.default_value(sink).or_else(|| self.default_value(&mut ()));
        self.default = new.default.or(self.default);
        self.nullable = new.nullable.or(self.nullable);
        // When an override changes the type, the defaults of attributes stay.
        if let Some(TypeConstraint { ty, .. }) = new.constraint {
            let defaults = self.constraint.map(|base| base.defaults).unwrap_or_default();
            self.constraint = Some(TypeConstraint { ty, defaults });
        }
        let arena = new.block.source().arena();
        let converted = earlier.map(|value| match self.constraint {
            Some(constraint) => convert(arena, value?, constraint.ty),
            None => value,
        });
        self.report_default(&converted, new.block.definition_label(), sink);
        self.converted = converted.and_then(Result::ok);
    }

    /// Reports, at `place`, a default that is not a valid value of the variable.
    fn report_default(
        &self,
        value: &Option<Result<Value<'a>, ConversionError<'a>>>,
        label: Label<'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        let reason = match value {
            Some(Ok(value)) if value.is_null() => {
                (self.nullable == Some(false)).then_some([IS_NULL; 2])
            }
            Some(Err(error)) => Some(reasons(label.source.arena(), error, self.marks())),
            _ => None,
        };
        if let Some([reason, bare]) = reason {
            let diagnostic = Diagnostic::new(Code::InvalidDefault, label);
            sink.report(diagnostic.with_arguments(&[reason]).with_hiding([bare, "", ""]));
        }
    }

    /// Reports a value that the variable does not accept.
    pub(crate) fn check_value(
        &self,
        expression: Expression<'a>,
        value: Value<'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        let accepted = Accepted {
            name: self.name,
            constraint: self.constraint,
            nullable: self.nullable,
            is_required: self.is_required(),
            marks: self.marks(),
        };
        let declared = || Some(self.block.definition_label());
        accepted.check(expression, value, &declared, sink);
    }
}

/// Why null is refused.
const IS_NULL: &str = "it is null, but the variable is not nullable";

/// Why a value with these marks cannot be converted, and the same for one that must not be shown.
fn reasons<'a>(arena: &'a Arena, error: &ConversionError<'_>, marks: Marks) -> [&'a str; 2] {
    [marks, Marks::HIDDEN]
        .map(|marks| arena.format(format_args!("{}", error.clone().for_marks(marks))))
}

/// The values that a variable accepts.
#[derive(Clone, Copy)]
pub(crate) struct Accepted<'n, 'a> {
    pub(crate) name: &'n str,
    pub(crate) constraint: Option<TypeConstraint<'a>>,
    pub(crate) nullable: Option<bool>,
    pub(crate) is_required: bool,
    pub(crate) marks: Marks,
}

impl<'a> Accepted<'_, 'a> {
    /// Reports a value that is not accepted. `declared` is where the variable is declared.
    pub(crate) fn check(
        &self,
        expression: Expression<'a>,
        value: Value<'a>,
        declared: &dyn Fn() -> Option<Label<'a>>,
        sink: &mut dyn Sink<'a>,
    ) {
        let arena = expression.source().arena();
        let reason = if value.is_null() {
            // The default replaces null.
            (self.nullable == Some(false) && self.is_required).then_some([IS_NULL; 2])
        } else {
            self.constraint
                .and_then(|constraint| constraint.apply_briefly(arena, value, &mut ()).err())
                .map(|error| reasons(arena, &error, self.marks))
        };
        if let Some([reason, bare]) = reason {
            let name = arena.str(self.name);
            let diagnostic = Diagnostic::new(Code::VariableValue, expression.start_label())
                .with_arguments(&[name, reason])
                .with_hiding([name, bare, ""]);
            sink.report(match declared() {
                Some(declared) => diagnostic.with_related(declared, "declared here"),
                None => diagnostic,
            });
        }
    }
}
