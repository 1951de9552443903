//! `rules test`: runs the cases of rules in files.

use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::Arena;
use simd_hcl::evaluate::Budget;
use simd_hcl::rules::{Case, CaseResult};

use crate::args::{self, Common};
use crate::excerpt::Range;
use crate::incomplete::Incomplete;
use crate::output::{self, Csv, Row};
use crate::rule_files;
use crate::settings::Settings;
use crate::stats::count;
use crate::status::{Failure, Status};
use crate::visible::visible;

/// A case.
#[derive(Serialize)]
struct Line {
    rule: String,
    case: String,
    passed: bool,
    expected: Found,
    found: Found,
    /// Errors in the files of the case, and in the evaluation of the rule.
    errors: Vec<String>,
    range: Range,
}

/// Addresses.
#[derive(PartialEq, Serialize)]
struct Found {
    finds: Vec<String>,
    undecided: Vec<String>,
}

impl Line {
    fn new(case: &Case<'_>, result: CaseResult) -> Self {
        let of = |result: CaseResult| Found { finds: result.finds, undecided: result.undecided };
        let errors = result.errors.clone();
        let (expected, found) = (of(case.expected.clone()), of(result));
        Self {
            rule: case.rule.to_owned(),
            case: case.name.to_owned(),
            passed: errors.is_empty() && expected == found,
            expected,
            found,
            errors,
            range: Range::of(case.label.source, case.label.span),
        }
    }
}

/// Addresses as a text.
fn listed(addresses: &[String]) -> String {
    match addresses.is_empty() {
        true => "nothing".to_owned(),
        false => addresses.iter().map(|it| visible(it).into_owned()).collect::<Vec<_>>().join(", "),
    }
}

impl Row for Line {
    const MEMBER: Option<&'static str> = Some("cases");
    const COLUMNS: &'static [&'static str] = &["rule", "case", "passed", "expected", "found"];

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let mark = if self.passed { "ok" } else { "FAILED" };
        writeln!(out, "{mark:<6} {}: {}", visible(&self.rule), visible(&self.case))?;
        if self.passed {
            return Ok(());
        }
        let Range { filename, start, .. } = &self.range;
        writeln!(out, "  {}:{}", visible(filename), start.line)?;
        let pairs = [
            ("finds", &self.expected.finds, &self.found.finds),
            ("undecided", &self.expected.undecided, &self.found.undecided),
        ];
        for (what, expected, found) in pairs.into_iter().filter(|(_, one, two)| one != two) {
            writeln!(out, "  {what}: expected {}, found {}", listed(expected), listed(found))?;
        }
        for error in &self.errors {
            writeln!(out, "  {}", visible(error))?;
        }
        Ok(())
    }

    fn records(&self, out: &mut Csv<'_>) {
        let [expected, found] = [&self.expected, &self.found].map(|it| it.finds.join(" "));
        out.record([&self.rule, &self.case, &self.passed.to_string(), &expected, &found]);
    }
}

pub(crate) fn run(test: &args::RulesTest, common: &Common) -> Result<Status, Failure> {
    let files = match test.files.is_empty() {
        true => Settings::of(&[], common)?.rule_files().to_vec(),
        false => test.files.clone(),
    };
    if files.is_empty() {
        let why = "no files of rules: name them, or set \"rule-files\" in simd-hcl.toml";
        return Err(Failure::Message(why.to_owned()));
    }
    let arena = Arena::new();
    let own = rule_files::own(&arena, &files, common)?;
    let mut wrong = Vec::new();
    let cases = own.cases(&mut wrong);
    rule_files::tell(&wrong, wrong.is_empty())?;
    if cases.is_empty() {
        return Err(Failure::Message("no rule has a case".to_owned()));
    }
    let results = own.run(&cases, Budget::DEFAULT);
    let lines: Vec<Line> =
        cases.iter().zip(results).map(|(case, result)| Line::new(case, result)).collect();
    let failed = lines.iter().filter(|line| !line.passed).count();
    let all = lines.len();
    output::list(test.format, common.style(), lines, &Incomplete::default())?;
    if !common.quiet {
        anstream::eprintln!("{}, {failed} failed", count(all, "case"));
    }
    Ok(if failed == 0 { Status::Clean } else { Status::Found })
}
