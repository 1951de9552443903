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
        let before = source.bytes().get(..span.start as usize).unwrap_or_default();
        let indent = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let indent = std::str::from_utf8(indent).ok().filter(|it| it.trim().is_empty());
        let text = in_lines(inner.strip_suffix("*/").unwrap_or(inner), indent.unwrap_or_default());
        reported.fix(span, &text, Safety::Safe);
    }
}

/// The text of a comment of several lines, with `#` before each. A frame of `*` is left out.
fn in_lines(inner: &str, indent: &str) -> String {
    let mut lines: Vec<&str> = inner.lines().map(str::trim_end).collect();
    let is_framed = |line: &&str| line.is_empty() || line.trim_start().starts_with('*');
    if lines.len() > 1 && lines.iter().skip(1).all(is_framed) {
        lines[0] = lines[0].trim_start_matches('*');
        lines.iter_mut().skip(1).for_each(|line| {
            let line_in_frame = line.trim_start();
            *line = line_in_frame.strip_prefix('*').unwrap_or(line_in_frame);
        });
    }
    // The lines of `/*` and `*/` are often empty.
    let is_empty = |line: &&&str| line.trim().is_empty();
    let last = lines.len() - lines.iter().rev().take_while(is_empty).count();
    let first = lines.iter().take_while(is_empty).count().min(last);
    let text = lines[first..last].iter().map(|line| match line.chars().next() {
        None => "#".to_owned(),
        Some(' ') => format!("#{line}"),
        Some(_) => format!("# {line}"),
    });
    match text.collect::<Vec<_>>() {
        text if text.is_empty() => "#".to_owned(),
        text => {
            let end = if inner.contains("\r\n") { "\r\n" } else { "\n" };
            text.join(&format!("{end}{indent}"))
        }
    }
}
