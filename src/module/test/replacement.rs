//! `override_resource`, `override_data`, `override_module`: values that take the place of what an
//! object would give.

use super::command::{Command, during};
use super::target::{Kind, Target};
use super::values::report_broken;
use crate::body::{Attribute, Block};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::expression::{Expression, Literal};
use crate::hash::HashMap;
use crate::module::rules::Rules;
use crate::module::table::{Row, Table};

/// Of resources and data sources, and of modules. Terraform reports a missing target in its own
/// words, at the block.
static REPLACEMENT: [Table; 2] = [
    Table::new(&[
        Row::required("target").opentofu(),
        Row::optional("target").terraform(),
        Row::optional("override_during").terraform(),
        Row::optional("values"),
    ]),
    Table::new(&[
        Row::required("target").opentofu(),
        Row::optional("target").terraform(),
        Row::optional("override_during").terraform(),
        Row::optional("outputs"),
    ]),
];

/// Values in place of what an object would give.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Replacement<'a> {
    /// The block: `override_resource`, `override_data` or `override_module`.
    pub block: Block<'a>,
    /// The address of the object, a traversal. In OpenTofu that of a resource may have `[*]` for a
    /// key.
    pub target: Option<Target<'a>>,
    /// `values` of a resource or data source, `outputs` of a module: an object, read literally in
    /// OpenTofu, a template in Terraform.
    pub values: Option<Expression<'a>>,
    /// From which command on they count, a keyword (Terraform).
    pub override_during: Option<Command>,
}

impl<'a> Replacement<'a> {
    /// Reads a block, if it is one of an override.
    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let kind = Kind::of(block)?;
        let is_module = kind == Kind::Module;
        let content = block.body().content(REPLACEMENT[usize::from(is_module)].schema(rules), sink);
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

/// The object that an argument must be. Of a template only its evaluation says what it is.
pub(super) fn object<'a>(
    attribute: Option<Attribute<'a>>,
    rules: Rules,
    sink: &mut dyn Sink<'a>,
) -> Option<Expression<'a>> {
    let attribute = attribute?;
    let value = attribute.expression();
    // Of a native expression Terraform does not look at the type.
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
        // For the diagnostics: names that stand twice, numbers that are too large.
        false => drop(value.literal_value(sink)),
    }
    Some(value)
}

/// The targets of the overrides in one body: each has one override.
pub(super) struct Targets<'a> {
    rules: Rules,
    known: HashMap<(bool, String), Label<'a>>,
}

impl<'a> Targets<'a> {
    pub(super) fn new(rules: Rules) -> Self {
        Self { rules, known: HashMap::default() }
    }

    /// Reports an override of a target that has one.
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
