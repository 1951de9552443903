//! `deprecated-index`: `.0` and `.*` instead of brackets.

use crate::diagnostic::{Code, CustomCode, Safety, Severity};
use crate::native::{Key, Kind, StepKind};
use crate::rules::found::Found;
use crate::rules::node::{NodeKinds, RuleNode};
use crate::rules::rule::{Check, Group, InJson, Rule, Tflint};
use crate::span::Span;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "deprecated-index",
            Severity::Warning,
            "Old form of an index",
            "This index is written with a dot.",
        )
        .with_help("Write {0}."),
    ),
    group: Group::Deprecated,
    is_default: true,
    is_preview: false,
    fix: Some(Safety::Safe),
    tflint: &[Tflint::recommended("terraform_deprecated_index")],
    opentofu: &[],
    why: "Before Terraform 0.12, an element of a list was `list.0`, and all elements were `list.*`. \
          Brackets say the same, and also take expressions. The tools keep the old form only for \
          old modules.",
    options: &[],
    examples: r#"
-- wrong main.tf
locals {
  zones = ["a", "b"]
}
output "zone" { value = local.zones.0 }
-- right main.tf
locals {
  zones = ["a", "b"]
}
output "zone" { value = local.zones[0] }
"#,
    check: Check::Nodes(
        NodeKinds::STEPS.and(NodeKinds::ATTRIBUTE_SPLAT),
        InJson::If(may_have_index),
        check,
    ),
};

/// Whether a text has a dot before a digit or a star.
fn may_have_index(text: &[u8]) -> bool {
    let after = memchr::memchr_iter(b'.', text).filter_map(|dot| text.get(dot + 1));
    let mut after = after;
    after.any(|byte| byte.is_ascii_digit() || *byte == b'*')
}

fn check<'a>(node: &RuleNode<'_, 'a>, found: &mut Found<'_, 'a>) {
    let (program, _) = node.native.parts();
    let bytes = program.source.bytes();
    if node.native.kind() == Kind::AttributeSplat {
        return check_splat(node, bytes, found);
    }
    for step in program.traversal(node.native.payload()) {
        let StepKind::Index(Key::Number(digits)) = step.kind else { continue };
        if bytes.get(step.span.start as usize) == Some(&b'.') {
            let brackets = found.arena.format(format_args!("[{digits}]"));
            let reported = found.report(node.label_of(step.span), &[brackets]);
            reported.fix(step.span, brackets, Safety::Safe);
        }
    }
}

fn check_splat<'a>(node: &RuleNode<'_, 'a>, bytes: &'a [u8], found: &mut Found<'_, 'a>) {
    let operands = node.native.operands();
    let Some(source) = operands.first() else { return };
    let Span { start, end } = Span::new(source.span().end, node.native.span().end);
    let text = bytes.get(start as usize..end as usize).unwrap_or_default();
    let (Some(dot), Some(star)) = (memchr::memchr(b'.', text), memchr::memchr(b'*', text)) else {
        return;
    };
    let span = Span::new(start + dot as u32, start + star as u32 + 1);
    let reported = found.report(node.label_of(span), &["[*]"]);
    // `a.*.b[0]` is the first of all `b`, `a[*].b[0]` has the first of each.
    let goes_on = |kind| matches!(kind, Kind::Index | Kind::Relative);
    if !node.parent().is_some_and(|parent| goes_on(parent.kind())) {
        reported.fix(span, "[*]", Safety::Safe);
    }
}
