//! `needless-interpolation`: a string of JSON is an interpolation of a literal.

use crate::diagnostic::{Code, CustomCode, Severity};
use crate::native::Kind;
use crate::rules::found::Found;
use crate::rules::node::{NodeKinds, RuleNode};
use crate::rules::rule::{Check, Group, InJson, Rule};

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "needless-interpolation",
            Severity::Warning,
            "Interpolation of a literal",
            "The string is an interpolation of a literal, which JSON can say itself.",
        )
        .with_help("Write the value without \"${\"."),
    ),
    group: Group::Style,
    is_default: false,
    is_preview: false,
    fix: None,
    tflint: &[],
    opentofu: &[],
    why: "Programs that write JSON may put everything into `${…}`. Readers then parse a template for \
          each value, and people read more than there is.",
    options: &[],
    examples: r#"
-- wrong main.tf.json
{"output": {"size": {"value": "${1}"}}}
-- right main.tf.json
{"output": {"size": {"value": 1}}}
"#,
    check: Check::Nodes(NodeKinds::WRAP, InJson::If(may_be_literal), check),
};

/// Whether an interpolation may start with a literal.
fn may_be_literal(text: &[u8]) -> bool {
    let inner = text.strip_prefix(b"${").unwrap_or_default().trim_ascii_start();
    inner.first().is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'\\' | b't' | b'f'))
}

fn check<'a>(node: &RuleNode<'_, 'a>, found: &mut Found<'_, 'a>) {
    // In a native file, the text starts with a quote, and is another finding.
    let is_whole = node.parent().is_none() && !node.native.text().starts_with('"');
    let operands = node.native.operands();
    let is_literal = |kind| matches!(kind, Kind::Number | Kind::True | Kind::False | Kind::Null);
    let Some(inner) = operands.first().filter(|_| is_whole) else { return };
    if is_literal(inner.kind()) || inner.kind() == Kind::Template && inner.literal_parts().is_some()
    {
        found.report(node.label(), &[]);
    }
}
