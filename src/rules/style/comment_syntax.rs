//! `comment-syntax`: a comment does not start with `#`.

use crate::diagnostic::{Code, CustomCode, Safety, Severity};
use crate::rules::found::Found;
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::FileComment;
use crate::span::Span;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "comment-syntax",
            Severity::Warning,
            "Comment that does not start with #",
            "This comment starts with \"{0}\".",
        )
        .with_help("Start it with #."),
    ),
    group: Group::Style,
    is_default: false,
    is_preview: false,
    fix: Some(Safety::Safe),
    tflint: &[Tflint::other("terraform_comment_syntax")],
    opentofu: &[],
    why: "The style guides of OpenTofu and Terraform name # as the one form of comments. A comment \
          between `/*` and `*/` on one line, which may stand inside an expression, is no finding.",
    options: &[],
    examples: r#"
-- wrong main.tf
// For the pipeline.
output "size" {
  value = 1
}
-- right main.tf
# For the pipeline.
output "size" {
  value = 1
}
"#,
    check: Check::Comments(check),
};

fn check<'a>(comment: &FileComment<'a>, found: &mut Found<'_, 'a>) {
    let &FileComment { source, text, span } = comment;
    let label = crate::diagnostic::Label::new(source, span);
    if text.starts_with("//") {
        let slashes = Span::new(span.start, span.start + 2);
        found.report(label, &["//"]).fix(slashes, "#", Safety::Safe);
        return;
    }
    let Some(inner) = text.strip_prefix("/*").filter(|text| text.contains('\n')) else { return };
    let reported = found.report(label, &["/*"]);
    // The rest of the last line would become a part of the comment.
    let after = source.bytes().get(span.end as usize..).unwrap_or_default();
    let rest = after.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if rest.iter().all(u8::is_ascii_whitespace) {
        let inner = inner.strip_suffix("*/").unwrap_or(inner);
        let lines: Vec<String> = inner.split('\n').map(|line| format!("#{line}")).collect();
        reported.fix(span, &lines.join("\n"), Safety::Safe);
    }
}
