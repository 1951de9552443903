//! `unequal-types`: a comparison of values that are never equal.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::native::{Construct, Kind, Native, StepKind};
use crate::rules::found::Found;
use crate::rules::node::{NodeKinds, visit_native};
use crate::rules::rule::{Check, CoreRule, Group, Rule};
use crate::rules::view::View;
use crate::value::Type;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(&CustomCode::new(
        "unequal-types",
        Severity::Warning,
        "Comparison of different types",
        "var.{0} is a {1}, and is compared with a {2}: values of different types are never equal.",
    )),
    group: Group::Correctness,
    is_default: true,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[CoreRule::new("core:ineffeq", &["core:mistake"])],
    why: "Operators convert their operands, but `==` and `!=` do not: `1 == \"1\"` is false.",
    options: &[],
    examples: r#"
-- wrong main.tf
variable "size" {
  type = number
}
output "is_small" { value = var.size == "1" }
-- right main.tf
variable "size" {
  type = number
}
output "is_small" { value = var.size == 1 }
"#,
    check: Check::Module(check),
};

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    let variables = &view.module().variables;
    for file in view.files() {
        visit_native(file, NodeKinds::EQUALITY, |_, node| {
            let Construct::Binary(_, left, right) = node.native.construct() else { return };
            for (one, other) in [(left, right), (right, left)] {
                let (Some(name), Some(literal)) = (variable(one), literal_type(other)) else {
                    continue;
                };
                let declared = variables.get(name).and_then(|it| it.constraint);
                let Some(declared) = declared.and_then(|it| named(it.ty)) else { continue };
                if declared != literal {
                    found.report(node.label(), &[name, declared, literal]);
                }
            }
        });
    }
}

/// The name in `var.name`.
fn variable<'a>(native: Native<'a>) -> Option<&'a str> {
    // An interpolation that is alone has the type of what is inside.
    let Construct::Traversal(traversal) = native.construct() else { return None };
    match (traversal.root_name(), traversal.steps()) {
        ("var", [_, step]) => match step.kind {
            StepKind::Attribute(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// The type of a literal.
fn literal_type(native: Native<'_>) -> Option<&'static str> {
    match native.kind() {
        Kind::Number => Some("number"),
        Kind::True | Kind::False => Some("bool"),
        // A template with several parts is a string, too.
        Kind::Template => Some("string"),
        _ => None,
    }
}

/// The name of a primitive type.
fn named(ty: Type<'_>) -> Option<&'static str> {
    match ty {
        Type::String => Some("string"),
        Type::Number => Some("number"),
        Type::Bool => Some("bool"),
        _ => None,
    }
}
