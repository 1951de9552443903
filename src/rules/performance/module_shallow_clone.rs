//! `module-shallow-clone`: the source of a module gets the whole history of a repository.

use crate::diagnostic::{Code, CustomCode, Safety, Severity};
use crate::rules::found::Found;
use crate::rules::repository::Repository;
use crate::rules::rule::{Check, Group, Rule, Tflint};
use crate::rules::view::View;
use crate::span::Span;

pub(in crate::rules) static RULE: Rule = Rule {
    code: Code::Custom(
        &CustomCode::new(
            "module-shallow-clone",
            Severity::Warning,
            "Module with its whole history",
            "The tools get all revisions of the repository, though the source names one of them.",
        )
        .with_help("Add `depth=1` before `ref`."),
    ),
    group: Group::Performance,
    is_default: false,
    is_preview: true,
    fix: Some(Safety::Safe),
    tflint: &[Tflint::disabled("terraform_module_shallow_clone")],
    opentofu: &[],
    why: "`init` of a large repository is faster with `depth=1`. It works for branches and tags, and \
          not for commits, about which nothing is reported.",
    options: &[],
    examples: r#"
-- wrong main.tf
module "net" {
  source = "git::https://example.com/net.git?ref=v1.2.0"
}
-- right main.tf
module "net" {
  source = "git::https://example.com/net.git?depth=1&ref=v1.2.0"
}
"#,
    check: Check::Module(check),
};

/// Whether a revision may be the abbreviation of a commit.
fn is_commit(revision: &str) -> bool {
    (4..=64).contains(&revision.len())
        && revision.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn check<'a>(view: &View<'_, 'a>, found: &mut Found<'_, 'a>) {
    for call in &view.module().calls {
        let (Some(source), Some(text)) = (call.source, call.source_by_defaults()) else { continue };
        let Some(repository) = Repository::parse(text) else { continue };
        let Some(revision) = repository.parameter("ref") else { continue };
        if !repository.is_git
            || repository.host.is_empty()
            || is_commit(&revision)
            || repository.parameter("depth").as_deref() == Some("1")
        {
            continue;
        }
        let value = source.expression();
        let reported = found.report(value.label(), &[]);
        // Written as it is read: without templates and escapes.
        let is_plain = value.text().get(1..).is_some_and(|it| it.starts_with(text.as_bytes()));
        if let Some(at) = text.find("ref=").filter(|_| is_plain) {
            let at = value.span().start + 1 + at as u32;
            reported.fix(Span::at(at), "depth=1&", Safety::Safe);
        }
    }
}
