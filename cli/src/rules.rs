//! `rules`: the rules of `check`.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use simd_hcl::diagnostic::Safety;
use simd_hcl::rules::{RULES, Rule};

use crate::args::{self, Common};
use crate::incomplete::Incomplete;
use crate::output::{self, Csv, Row};
use crate::rule_cases;
use crate::status::{Failure, Status};

/// A rule.
#[derive(Serialize)]
struct Line {
    code: &'static str,
    group: &'static str,
    /// Whether it is selected unless settings say otherwise.
    default: bool,
    /// Whether it needs `--preview`.
    preview: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'static str>,
    #[serde(serialize_with = "one_or_more")]
    tflint: Vec<&'static str>,
    #[serde(serialize_with = "one_or_more")]
    opentofu: Vec<&'static str>,
    options: Vec<&'static str>,
    summary: &'static str,
}

/// Writes one name alone, several as an array, and none as null.
fn one_or_more<S: Serializer>(names: &[&'static str], serializer: S) -> Result<S::Ok, S::Error> {
    match names {
        [] => serializer.serialize_none(),
        [one] => serializer.serialize_str(one),
        names => names.serialize(serializer),
    }
}

impl Line {
    fn of(rule: &Rule) -> Self {
        Self {
            code: rule.name(),
            group: rule.group.as_str(),
            default: rule.is_default,
            preview: rule.is_preview,
            fix: rule.fix.map(Safety::as_str),
            tflint: rule.tflint.iter().map(|it| it.name).collect(),
            opentofu: rule.opentofu.iter().map(|it| it.id).collect(),
            options: rule.options.iter().map(|option| option.name).collect(),
            summary: rule.code.summary(),
        }
    }
}

impl Row for Line {
    const MEMBER: Option<&'static str> = Some("rules");
    const COLUMNS: &'static [&'static str] =
        &["code", "group", "default", "preview", "fix", "tflint", "opentofu", "summary"];

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let mark = if self.default { '*' } else { ' ' };
        let Self { code, group, summary, .. } = self;
        writeln!(out, "{mark} {group:<11} {code:<25} {summary}")
    }

    fn records(&self, out: &mut Csv<'_>) {
        let [default, preview] = [self.default, self.preview].map(|it| it.to_string());
        let [tflint, opentofu] = [&self.tflint, &self.opentofu].map(|names| names.join(" "));
        let fix = self.fix.unwrap_or_default();
        let Self { code, group, summary, .. } = self;
        out.record([*code, group, &default, &preview, fix, &tflint, &opentofu, summary]);
    }
}

pub(crate) fn run(rules: &args::Rules, common: &Common) -> Result<Status, Failure> {
    if let Some(args::RulesCommand::Test(test)) = &rules.command {
        return rule_cases::run(test, common);
    }
    let is_named = |rule: &&&Rule| {
        rules.names.is_empty() || rules.names.iter().any(|name| name.precision(rule, true) > 0)
    };
    let lines = RULES.iter().filter(is_named).map(|rule| Line::of(rule));
    output::list(rules.format, common.style(), lines, &Incomplete::default())?;
    Ok(Status::Clean)
}
