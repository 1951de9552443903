//! Differences between the answers of both sides, by class.

use std::collections::BTreeMap;

use simd_hcl::Code;

use crate::answer::{Answer, AttributeAnswer, OurAttribute, Ours};
use crate::case::Case;

/// The number of examples of a class, which are the shortest cases.
const EXAMPLES: usize = 3;

/// All differences so far.
#[derive(Debug, Default)]
pub struct Differences {
    /// By class.
    pub classes: BTreeMap<String, Class>,
    /// How many attributes were compared, and of how many both sides gave a value.
    pub attributes: usize,
    /// Of how many attributes both sides gave a value.
    pub values: usize,
    /// How many native files both sides reject.
    pub rejected: usize,
    /// How many cases could not be compared: the reference panicked or took too long.
    pub unanswered: usize,
}

/// Differences of one kind.
#[derive(Debug, Default)]
pub struct Class {
    /// How many.
    pub count: usize,
    /// The shortest.
    pub examples: Vec<Example>,
}

/// One difference.
#[derive(Clone, Debug)]
pub struct Example {
    /// The case.
    pub line: String,
    /// The answer of the reference.
    pub reference: String,
    /// Our answer.
    pub ours: String,
}

impl Differences {
    /// Compares two answers.
    pub fn compare(&mut self, case: &Case, reference: &Answer, ours: &Ours) {
        if reference.timeout || !reference.panic.is_empty() {
            self.unanswered += 1;
            if !reference.panic.is_empty() {
                let reason: String = reference.panic.chars().take(60).collect();
                self.add(case, format!("reference panics: {reason}"), &reference.panic, ours);
            }
            return;
        }
        if reference.parse.is_empty() != ours.parse.is_empty() {
            let class = format!("file {}", verdicts(&reference.parse, &ours.parse));
            return self.add(case, class, &reference.parse, &ours.parse);
        }
        if case.native && !ours.parse.is_empty() {
            self.rejected += 1;
            return self.first_error(case, reference, ours);
        }
        if !ours.parse.is_empty() {
            // After a syntax error, the reference reports several errors, and we report one.
            return;
        }
        let how = errors(&reference.diagnostics, &ours.diagnostics);
        // The order of attributes is random in the reference.
        if let Some(how) = how.filter(|how| !case.native || how != "another order") {
            let class = format!("body: {how}");
            self.add(case, class, &reference.diagnostics, &ours.diagnostics);
        }
        let mut others = reference.attributes.iter();
        if reference.attributes.len() != ours.attributes.len() {
            let paths: Vec<&str> = ours.attributes.iter().map(|one| one.path.as_str()).collect();
            let others: Vec<&str> = others.map(|other| other.path.as_str()).collect();
            return self.add(case, "body: other attributes".to_owned(), &others, &paths);
        }
        for one in &ours.attributes {
            let Some(other) = others.next() else { break };
            self.attributes += 1;
            self.attribute(case, other, one);
        }
    }

    /// Compares the first errors of a native file: their kinds and their places.
    fn first_error(&mut self, case: &Case, reference: &Answer, ours: &Ours) {
        let (Some(summary), Some(code)) = (reference.parse.first(), ours.parse.first()) else {
            return;
        };
        let (theirs, places) = ((summary, reference.place), (code, ours.place));
        if !stands(code, summary) {
            let is_later = ours.parse.iter().any(|code| stands(code, summary))
                || reference.parse.iter().any(|summary| stands(code, summary));
            let class = match is_later {
                true => "first error: of several, another one is first",
                false => "first error: another kind",
            };
            self.add(case, class.to_owned(), &theirs, &places);
        } else if reference.place != ours.place {
            self.add(case, "first error: another place".to_owned(), &theirs, &places);
        }
    }

    fn attribute(&mut self, case: &Case, reference: &AttributeAnswer, ours: &OurAttribute) {
        if reference.path != ours.path {
            return self.add(
                case,
                "body: other attributes".to_owned(),
                &reference.path,
                &ours.path,
            );
        }
        let sorted = |variables: &[String]| {
            let mut variables = variables.to_vec();
            variables.sort_unstable();
            variables
        };
        if reference.variables != ours.variables {
            let same = sorted(&reference.variables) == sorted(&ours.variables);
            let class = if same { "variables in another order" } else { "variables" };
            self.add(case, class.to_owned(), &reference.variables, &ours.variables);
        }
        match (&reference.value, &ours.value) {
            (Some(other), Some(one)) => {
                self.values += 1;
                if one != other {
                    self.add(case, format!("value: {}", kind(other, one)), other, one);
                }
            }
            (None, None) => {
                if let Some(how) = errors(&reference.errors, &ours.errors) {
                    self.add(case, format!("errors: {how}"), &reference.errors, &ours.errors);
                }
            }
            _ => {
                let class = format!("value {}", verdicts(&reference.errors, &ours.errors));
                self.add(case, class, reference, ours);
            }
        }
    }

    fn add(
        &mut self,
        case: &Case,
        class: String,
        reference: &dyn std::fmt::Debug,
        ours: &dyn std::fmt::Debug,
    ) {
        let class = format!("{}{class}", listed(case));
        let class = self.classes.entry(class).or_default();
        class.count += 1;
        let line = case.to_line();
        let is_short = |longest: &Example| line.len() < longest.line.len();
        if class.examples.len() < EXAMPLES || class.examples.last().is_some_and(is_short) {
            class.examples.push(Example {
                line,
                reference: format!("{reference:?}"),
                ours: format!("{ours:?}"),
            });
            class.examples.sort_by_key(|example| example.line.len());
            class.examples.truncate(EXAMPLES);
        }
    }
}

/// A name for the exceptions of `docs/compatibility.md` that the case's text can come under.
fn listed(case: &Case) -> &'static str {
    let input = case.input.replace("\\r\\n", "").replace("\\u000d\\n", "");
    let is_lone = case.native && case.input.replace("\r\n", "").contains('\r');
    if is_lone || input.contains("\\r") || input.contains("\\u000d") {
        "(lone carriage return) "
    } else if case.input.contains('\u{FEFF}') || input.contains("\\ufeff") {
        "(byte order mark) "
    } else if case.scope.values().any(|variable| variable.sensitive) {
        "(marks in scope) "
    } else if case.scope.values().any(|variable| variable.unknown) {
        "(unknown values in scope) "
    } else {
        ""
    }
}

/// Whether the reference has this summary for a code.
fn stands(code: &Code, summary: &str) -> bool {
    // Some summaries have names in them.
    let summary = match *code {
        Code::UnexpectedBlock if summary.starts_with("Unexpected \"") => return true,
        Code::ExtraneousLabel if summary.starts_with("Extraneous label for") => return true,
        Code::MissingBlockLabel if summary.starts_with("Missing ") => return true,
        _ => summary,
    };
    code.reference_summaries().contains(&summary)
}

/// Which side refuses, and why.
fn verdicts(reference: &[String], ours: &[Code]) -> String {
    match (reference.first(), ours.first()) {
        (Some(summary), None) => format!("refused by the reference only: {summary}"),
        (None, Some(code)) => format!("refused by us only: {code}"),
        _ => "differs".to_owned(),
    }
}

/// Returns how lists of errors differ; `None` if each of our codes corresponds to the reference's
/// error at the same index.
fn errors(reference: &[String], ours: &[Code]) -> Option<String> {
    if reference.len() == ours.len()
        && ours.iter().zip(reference).all(|(code, summary)| stands(code, summary))
    {
        return None;
    }
    let known = |summary: &&String| ours.iter().any(|code| stands(code, summary));
    let unknown: Vec<&String> = reference.iter().filter(|summary| !known(summary)).collect();
    let surplus: Vec<&Code> =
        ours.iter().filter(|code| !reference.iter().any(|summary| stands(code, summary))).collect();
    Some(match (unknown.first(), surplus.first()) {
        (None, None) if reference.len() > ours.len() => "the reference repeats".to_owned(),
        (None, None) if reference.len() < ours.len() => "we repeat".to_owned(),
        (None, None) => "another order".to_owned(),
        (Some(summary), None) => format!("only the reference says {summary:?}"),
        (None, Some(code)) => format!("only we say {code}"),
        (Some(summary), Some(code)) => format!("{summary:?} is {code} with us"),
    })
}

/// Returns the kind of difference between two values.
fn kind(reference: &str, ours: &str) -> &'static str {
    let without = |text: &str| text.replace("sensitive(", "").replace(')', "");
    if without(reference) == without(ours) {
        "marks"
    } else if reference.contains("unknown:") || ours.contains("unknown:") {
        "what is unknown"
    } else if reference.starts_with(['-', '+'])
        || reference.starts_with(|c: char| c.is_ascii_digit())
    {
        "numbers"
    } else if reference.starts_with('"') && ours.starts_with('"') {
        "strings"
    } else {
        "others"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_agree_by_what_codes_stand_for() {
        let code = Code::MissingArgument;
        let summary = code.reference_summaries()[0].to_owned();
        let other = "Something else".to_owned();
        assert_eq!(errors(&[], &[]), None);
        assert_eq!(errors(std::slice::from_ref(&summary), &[code]), None);
        let how = |reference: &[String], ours: &[Code]| errors(reference, ours).unwrap_or_default();
        assert_eq!(how(&[summary.clone(), summary.clone()], &[code]), "the reference repeats");
        assert_eq!(how(std::slice::from_ref(&summary), &[code, code]), "we repeat");
        assert_eq!(how(&[other, summary], &[code]), "only the reference says \"Something else\"");
        assert_eq!(how(&[], &[code]), format!("only we say {code}"));
    }

    #[test]
    fn values_that_differ_in_marks_only_are_told_apart() {
        assert_eq!(kind("[sensitive(1),2]", "[1,2]"), "marks");
        assert_eq!(kind("[unknown:string]", "[\"a\"]"), "what is unknown");
        assert_eq!(kind("1.5", "1.25"), "numbers");
        assert_eq!(kind("\"a\"", "\"b\""), "strings");
    }
}
