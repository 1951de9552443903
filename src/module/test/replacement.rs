//! `override_resource`, `override_data`, `override_module`: values that replace those of an object.

use super::command::{Command, during};
use super::target::{Kind, Target};
use super::values::report_broken;
use crate::body::{Attribute, Block};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::arguments::test_files::{OVERRIDE, OVERRIDE_MODULE};
use crate::expression::{Expression, Literal};
use crate::hash::HashMap;
use crate::module::rules::Rules;

/// Values that replace those of an object.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Replacement<'a> {
    /// The block: `override_resource`, `override_data` or `override_module`.
    pub block: Block<'a>,
    /// The address of the object, a traversal. In OpenTofu a key of a resource may be `[*]`.
    pub target: Option<Target<'a>>,
    /// `values` of a resource or data source, `outputs` of a module: an object, read literally in
    /// OpenTofu, a template in Terraform.
    pub values: Option<Expression<'a>>,
    /// The first command for which they apply, a keyword (Terraform).
    pub override_during: Option<Command>,
}

impl<'a> Replacement<'a> {
    /// Reads a block; returns `None` if it is not an override.
    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let kind = Kind::of(block)?;
        let is_module = kind == Kind::Module;
        let table = if is_module { &OVERRIDE_MODULE } else { &OVERRIDE };
        let content = block.body().content(rules.schema(table), sink);
        let target = content.attribute("target");
        if rules.is_terraform() && target.is_none() && block.body().type_error().is_none() {
            sink.report(
                Diagnostic::new(Code::MissingArgument, block.definition_label())
                    .with_arguments(&["target"]),
            );
        }
        let values = content.attribute(if is_module { "outputs" } else { "values" });
        Some(Self {
            block,
            target: target.and_then(|target| Target::read(target, kind, rules, sink)),
            values: object(values, rules, sink),
            override_during: during(&content, sink),
        })
    }
}

/// Checks an argument that must be an object. The type of a template is known only after its
/// evaluation.
pub(super) fn object<'a>(
    attribute: Option<Attribute<'a>>,
    rules: Rules,
    sink: &mut dyn Sink<'a>,
) -> Option<Expression<'a>> {
    let attribute = attribute?;
    let value = attribute.expression();
    // Terraform does not check the type of a native expression.
    let may_be = match value.literal() {
        Literal::Map => true,
        Literal::Template(_) | Literal::Expression => rules.is_terraform(),
        _ => rules.is_terraform() && !value.is_json(),
    };
    if !may_be {
        sink.report(
            Diagnostic::new(Code::ObjectRequired, attribute.label())
                .with_arguments(&[attribute.name(), value.type_name()]),
        );
        return None;
    }
    match rules.is_terraform() {
        true => report_broken(value, sink),
        // Called for its diagnostics: duplicate names, numbers that are too large.
        false => drop(value.literal_value(sink)),
    }
    Some(value)
}

/// The targets of the overrides in one body, which must be different.
pub(super) struct Targets<'a> {
    rules: Rules,
    known: HashMap<(bool, String), Label<'a>>,
}

impl<'a> Targets<'a> {
    pub(super) fn new(rules: Rules) -> Self {
        Self { rules, known: HashMap::default() }
    }

    /// Reports an override whose target already has one.
    pub(super) fn add(&mut self, replacement: &Replacement<'a>, sink: &mut dyn Sink<'a>) {
        let Some(target) = replacement.target else { return };
        let is_module = target.address.resource.is_none();
        let label = match self.rules.is_terraform() {
            true => replacement.block.definition_label(),
            false => target.traversal.label(),
        };
        let address = target.to_string();
        if let Some(&earlier) = self.known.get(&(is_module, address.clone())) {
            sink.report(
                Diagnostic::new(Code::DuplicateOverride, label)
                    .with_arguments(&[label.source.arena().str(&address)])
                    .with_related(earlier, "first here"),
            );
        } else {
            self.known.insert((is_module, address), label);
        }
    }
}
