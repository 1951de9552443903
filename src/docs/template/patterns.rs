//! Functions of sprig with patterns of regular expressions.
//!
//! These functions spend steps of the budget: compiling a pattern takes longer than a call of any other
//! function, and a search for all matches may read the rest of the text for each of them.

use std::collections::BTreeMap;
use std::rc::Rc;

use regex::{Captures, Regex};

use super::budget::Budget;
use super::functions::{Result, bounded, bounded_list, text, whole};
use super::value::Value;
use crate::functions::pattern::Pattern;

/// A function with a pattern.
pub(super) type PatternFunction =
    for<'v> fn(&[Value<'v>], &mut Programs, &mut Budget) -> Result<'v>;

/// The steps of compiling a pattern, beside those for its bytes and for its program.
const COMPILE: usize = 4096;

/// The steps for each byte of a pattern that is compiled. `\pL` becomes a table of 600 ranges.
const COMPILE_BYTE: usize = 64;

/// The bytes of a program that is compiled in one step.
const COMPILED: usize = 64;

/// Sizes of programs in bytes, and how many times as long as with a program of the first size a search takes.
/// A pattern is compiled with each limit in turn until its program fits.
const SIZES: [(usize, usize); 3] = [(16 << 10, 1), (256 << 10, 4), (10 << 20, 64)];

/// The steps of a search, without those for its text.
const SEARCH: usize = 16;

/// The bytes that the first search of a text reads in one step, even if it follows all paths of the program.
const FIRST: usize = 64;

/// The bytes that a later search of the same text may read in one step. Most of these searches end early.
const NEXT: usize = 2048;

/// The bytes of a replacement that are read in one step, if the pattern has no groups.
const EXPANDED: usize = 256;

/// A compiled pattern.
struct Program {
    regex: Regex,
    /// The names of its groups.
    names: Vec<String>,
    /// How many times as long a search takes as in a small program.
    weight: usize,
}

/// The compiled patterns of a run.
#[derive(Default)]
pub(super) struct Programs(BTreeMap<String, Rc<Program>>);

impl Programs {
    fn of(
        &mut self,
        pattern: &str,
        budget: &mut Budget,
    ) -> std::result::Result<Rc<Program>, String> {
        if let Some(known) = self.0.get(pattern) {
            return Ok(Rc::clone(known));
        }
        budget.spend(COMPILE.saturating_add(pattern.len().saturating_mul(COMPILE_BYTE)), 0)?;
        let read = Pattern::read(pattern)?;
        for (limit, weight) in SIZES {
            budget.spend(limit / COMPILED, 0)?;
            if let Some(regex) = read.compile_within(limit)? {
                let names = read.names.iter().map(|name| (*name).to_owned()).collect();
                let program = Rc::new(Program { regex, names, weight });
                self.0.insert(pattern.to_owned(), Rc::clone(&program));
                return Ok(program);
            }
        }
        Err("the pattern is too large".to_owned())
    }
}

impl Program {
    /// Spends the steps of the first search of a text.
    fn first(&self, text: &str, budget: &mut Budget) -> std::result::Result<(), String> {
        budget.spend(SEARCH.saturating_add(text.len().saturating_mul(self.weight) / FIRST), 0)
    }

    /// Spends the steps of a search from a byte of the text.
    fn next(
        &self,
        text: &str,
        from: usize,
        budget: &mut Budget,
    ) -> std::result::Result<(), String> {
        let rest = text.len() - from;
        let of_groups = self.names.len() / 16;
        budget.spend(1 + of_groups + rest.saturating_mul(self.weight) / NEXT, 0)
    }
}

/// Returns the function of a name.
pub(super) fn named(name: &str) -> Option<PatternFunction> {
    let function: PatternFunction = match name {
        "regexMatch" => |of, programs, budget| {
            let (program, text) = (programs.of(&text(of, 0)?, budget)?, text(of, 1)?);
            program.first(&text, budget)?;
            Ok(Value::Bool(program.regex.is_match(&text)))
        },
        "regexFind" => |of, programs, budget| {
            let (program, text) = (programs.of(&text(of, 0)?, budget)?, text(of, 1)?);
            program.first(&text, budget)?;
            let found = program.regex.find(&text).map(|found| found.as_str().to_owned());
            Ok(Value::text(found.unwrap_or_default()))
        },
        "regexFindAll" => |of, programs, budget| {
            let (program, text) = (programs.of(&text(of, 0)?, budget)?, text(of, 1)?);
            let most = usize::try_from(whole(of, 2)?).unwrap_or(usize::MAX);
            program.first(&text, budget)?;
            let mut all = Vec::new();
            for found in program.regex.find_iter(&text).take(most) {
                all.push(Value::text(found.as_str().to_owned()));
                bounded_list(all.len())?;
                program.next(&text, found.end(), budget)?;
            }
            Ok(Value::list(all))
        },
        "regexReplaceAll" => |of, programs, budget| replaced(of, true, programs, budget),
        "regexReplaceAllLiteral" => |of, programs, budget| replaced(of, false, programs, budget),
        "regexSplit" => |of, programs, budget| {
            let program = programs.of(&text(of, 0)?, budget)?;
            program.first(&text(of, 1)?, budget)?;
            split(&program, (&text(of, 0)?, &text(of, 1)?), whole(of, 2)?, budget)
        },
        _ => return None,
    };
    Some(function)
}

/// Replaces all matches of a pattern. `$1`, `${1}` and `${name}` are groups if `expands`.
fn replaced<'v>(
    of: &[Value<'_>],
    expands: bool,
    programs: &mut Programs,
    budget: &mut Budget,
) -> Result<'v> {
    let program = programs.of(&text(of, 0)?, budget)?;
    let (text, by) = (text(of, 1)?, text(of, 2)?);
    program.first(&text, budget)?;
    let mut out = String::new();
    let mut written = 0;
    for captures in program.regex.captures_iter(&text) {
        let whole = captures.get_match();
        out.push_str(&text[written..whole.start()]);
        written = whole.end();
        match expands {
            true => {
                let groups = program.names.len() + 1;
                budget.spend(by.len().saturating_mul(groups) / EXPANDED, 0)?;
                expand(&by, &program.names, &captures, &mut out)?;
            }
            false => out.push_str(&by),
        }
        bounded(out.len())?;
        program.next(&text, written, budget)?;
    }
    out.push_str(&text[written..]);
    Ok(Value::text(out))
}

/// Writes a replacement.
///
/// # Errors
/// It becomes too large.
fn expand(
    by: &str,
    names: &[String],
    captures: &Captures<'_>,
    out: &mut String,
) -> std::result::Result<(), String> {
    let is_name = |char: char| char.is_alphanumeric() || char == '_';
    let mut rest = by;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        if let Some(behind) = behind.strip_prefix('$') {
            out.push('$');
            rest = behind;
            continue;
        }
        // `${` without a closing brace is text.
        let (inner, close) = match behind.strip_prefix('{') {
            Some(inner) => (inner, "}"),
            None => (behind, ""),
        };
        let (name, after) =
            inner.split_at(inner.find(|char| !is_name(char)).unwrap_or(inner.len()));
        let Some(after) = after.strip_prefix(close).filter(|_| !name.is_empty()) else {
            out.push('$');
            rest = behind;
            continue;
        };
        let group = match name.bytes().all(|byte| byte.is_ascii_digit()) {
            true => {
                let is_padded = name.len() > 1 && name.starts_with('0');
                let number = name.parse().ok().filter(|_| !is_padded);
                number.and_then(|number: usize| captures.get(number))
            }
            // Several groups may have the name.
            false => {
                let mut named = names.iter().zip(1..).filter(|(known, _)| *known == name);
                named.find_map(|(_, number)| captures.get(number))
            }
        };
        out.push_str(group.map(|group| group.as_str()).unwrap_or_default());
        bounded(out.len())?;
        rest = after;
    }
    out.push_str(rest);
    Ok(())
}

/// Splits a text at the matches of a pattern into at most `most` parts, or into all if it is negative.
fn split<'v>(
    program: &Program,
    (pattern, text): (&str, &str),
    most: i64,
    budget: &mut Budget,
) -> Result<'v> {
    if most == 0 {
        return Ok(Value::list([]));
    }
    if text.is_empty() && !pattern.is_empty() {
        return Ok(Value::list([Value::text("")]));
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let (mut start, mut end) = (0, 0);
    let mut parts = Vec::new();
    for found in program.regex.find_iter(text) {
        if parts.len() == most - 1 {
            break;
        }
        end = found.start();
        if found.end() != 0 {
            parts.push(Value::text(text[start..end].to_owned()));
            bounded_list(parts.len())?;
        }
        start = found.end();
        program.next(text, start, budget)?;
    }
    if end != text.len() {
        parts.push(Value::text(text[start..].to_owned()));
    }
    Ok(Value::list(parts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::docs::template::{record, render};

    const EXHAUSTED: &str = "the template takes too much time or memory";

    fn of(template: &str) -> std::result::Result<String, String> {
        render(template, &record([]), &|_| None).map_err(|error| error.message)
    }

    /// The results are those of terraform-docs.
    #[test]
    fn results_are_those_of_sprig() {
        for (template, expected) in [
            ("regexReplaceAll \"a(x*)b\" \"-ab-axxb-\" \"${1}W\"", "-W-xxW-"),
            ("regexReplaceAll \"a(x*)b\" \"-ab-axxb-\" \"$1W\"", "---"),
            ("regexReplaceAll \"(?P<x>a)\" \"banana\" \"<$x>\"", "b<a>n<a>n<a>"),
            ("regexReplaceAll \"a\" \"a\" \"${ $} ${0 $0\"", "${ $} ${0 a"),
            ("regexReplaceAll \"(a)\" \"a\" \"$01,$1\"", ",a"),
            ("regexReplaceAll \"(?P<x>z)?(?P<x>a)\" \"a\" \"<$x>\"", "<a>"),
            ("regexReplaceAllLiteral \"a\" \"banana\" \"$0\"", "b$0n$0n$0"),
            ("regexSplit \"a*\" \"baac\" -1", "[b c]"),
            ("regexSplit \",\" \"a,b,c\" 2", "[a b,c]"),
            ("regexFindAll \"[0-9]\" \"a1b2c3\" 2", "[1 2]"),
            ("mustRegexFind \"a\" \"ba\"", "a"),
        ] {
            let text = format!("{{{{ {template} }}}}");
            assert_eq!(of(&text).as_deref(), Ok(expected), "{template}");
        }
        assert_eq!(
            of("{{ regexMatch \"(\" \"\" }}"),
            Err("regexMatch: a bracket or an operand is missing, or groups nest too deep"
                .to_owned())
        );
    }

    #[test]
    fn a_loop_over_many_elements_ends_by_the_budget() {
        let with = |count: usize, call: &str| {
            of(&format!("{{{{ range until {count} }}}}{call}{{{{ end }}}}"))
        };
        let same = "{{ regexReplaceAll \"a+\" \"ab\" \"c\" }}";
        let other = "{{ regexMatch (printf \"a%d\" .) \"ab\" }}";
        assert_eq!(with(10_000, same).map(|text| text.len()), Ok(20_000));
        assert!(with(100_000, same).unwrap_err().ends_with(EXHAUSTED));
        assert!(with(100, other).is_ok());
        assert!(with(1_000, other).unwrap_err().ends_with(EXHAUSTED));
    }

    #[test]
    fn searches_spend_what_they_may_read() {
        let run = |name: &str, of: &[&str], steps: usize| {
            let of: Vec<Value<'_>> = of.iter().map(|it| Value::text(*it)).collect();
            let of = match name {
                "regexFindAll" | "regexSplit" => [&of[..], &[Value::Int(-1)]].concat(),
                _ => of,
            };
            let mut budget = Budget::with_steps_left(steps);
            named(name).unwrap()(&of, &mut Programs::default(), &mut budget).map(|_| ())
        };
        let exhausted = Err(EXHAUSTED.to_owned());
        // Each search reads all of the rest.
        let (pattern, text) = (".*[^A-Z]|[A-Z]", "A".repeat(8_000));
        for (name, arguments) in [
            ("regexFindAll", &[pattern, &text][..]),
            ("regexSplit", &[pattern, &text]),
            ("regexReplaceAll", &[pattern, &text, "x"]),
        ] {
            assert_eq!(run(name, arguments, 10_000), exhausted, "{name}");
            assert_eq!(
                run(name, &[&[pattern, "AAA"][..], &arguments[2..]].concat(), 10_000),
                Ok(())
            );
        }
        // Reading a long pattern and compiling a large program take steps.
        let long = "\\pL".repeat(10_000);
        assert_eq!(run("regexMatch", &[&long, "a"], 1_000_000), exhausted);
        assert_eq!(run("regexMatch", &["\\pL{200}", "a"], 20_000), exhausted);
        assert_eq!(run("regexMatch", &["\\pL", "a"], 20_000), Ok(()));
        // So does looking up the groups that a replacement names.
        let by = "$nothing".repeat(5_000);
        assert_eq!(
            run("regexReplaceAll", &["(a)(b)?", &"a".repeat(1_000), &by], 100_000),
            exhausted
        );
        assert_eq!(run("regexReplaceAll", &["(a)(b)?", "a", &by], 100_000), Ok(()));
    }
}
