//! Functions with regular expressions: `regex`, `regexall`, `replace`.

use std::rc::Rc;

use regex::Captures;

use super::builtin::{Builtin, function};
use super::call::{Call, MAX_ELEMENTS, Outcome, failed};
use super::compiled::Program;
use super::pattern::{Pattern, is_word};
use crate::evaluate::Exhausted;
use crate::value::{Quotation, Type, Value};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("regex", first_match).typed(match_type),
    function("regexall", all_matches).typed(matches_type),
    function("replace", replace),
];

/// The steps of compiling a pattern, beside those for its bytes.
const COMPILE: u64 = 400;

/// The steps of a match, without those of its results.
const MATCH: u64 = 16;

/// The bytes that a search reads in one step.
const SEARCHED: usize = 128;

/// The part of the bytes that a search may read beyond a match which counts.
const RARELY: usize = 8;

/// Compiles the pattern at an index of the arguments, to search a text of `length` bytes.
fn compile<'a>(
    call: Call<'_, 'a>,
    index: usize,
    pattern: &Pattern<'a>,
    length: usize,
) -> Outcome<'a, Rc<Program>> {
    call.meter.spend(COMPILE + 8 * call.str(index)?.len() as u64)?;
    let program = pattern.compile(|steps| call.meter.spend(steps))?;
    let program = program.map_err(|reason| refused(call, index, reason))?;
    call.meter.spend((program.weight() - 1).saturating_mul((length / SEARCHED) as u64))?;
    call.meter.spend(pattern.steps(length))?;
    Ok(program)
}

/// Spends the cost of a match that starts with the last `rest` bytes of a text. To find the longest
/// match, or that there is none, a search may read all of them.
fn spend_match(
    call: Call<'_, '_>,
    pattern: &Pattern<'_>,
    program: &Program,
    rest: usize,
) -> Result<(), Exhausted> {
    call.meter.spend(MATCH + program.weight().saturating_mul((rest / SEARCHED) as u64))?;
    // Few texts have it read all of that for each match.
    call.meter.spend(pattern.steps(pattern.reach(rest) / RARELY))
}

fn pattern<'a>(call: Call<'_, 'a>, index: usize) -> Outcome<'a, Pattern<'a>> {
    Pattern::read(call.str(index)?).map_err(|reason| refused(call, index, reason))
}

fn refused<'a>(
    call: Call<'_, 'a>,
    index: usize,
    reason: &'static str,
) -> crate::evaluate::FunctionError<'a> {
    call.wrong(index, "the regular expression is invalid: {}", &[Quotation::Plain(&reason)])
}

/// Returns the type of one match: a string, a tuple of groups, or an object of named groups.
fn captured_type<'a>(call: Call<'_, 'a>, pattern: &Pattern<'a>) -> Outcome<'a, Type<'a>> {
    let null = Value::null(Type::String);
    let names = &pattern.names;
    let named = names.iter().filter(|name| !name.is_empty()).count();
    match named {
        0 if names.is_empty() => Ok(Type::String),
        0 => Ok(call.tuple(&vec![null; names.len()]).ty()),
        _ if named < names.len() => Err(refused(call, 0, "either all groups have names or none")),
        _ => {
            let entries: Vec<_> = names.iter().map(|&name| (name, null)).collect();
            Ok(call.object(&entries).ty())
        }
    }
}

fn match_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    if !call.value(0)?.is_known() {
        return Ok(Type::Dynamic);
    }
    captured_type(call, &pattern(call, 0)?)
}

fn matches_type<'a>(call: Call<'_, 'a>) -> Outcome<'a, Type<'a>> {
    Ok(Type::list_of(call.arena, match_type(call)?))
}

/// Returns one match as a value of the type of [`captured_type`].
fn captured<'a>(call: Call<'_, 'a>, names: &[&'a str], captures: &Captures<'_>) -> Outcome<'a> {
    let group = |index| match captures.get(index) {
        Some(group) => call.string(group.as_str()),
        None => Ok(Value::null(Type::String)),
    };
    let mut groups = Vec::with_capacity(names.len());
    for (index, &name) in names.iter().enumerate() {
        groups.push((name, group(index + 1)?));
    }
    match names.first() {
        None => group(0),
        Some(&"") => {
            let elements: Vec<_> = groups.iter().map(|&(_, value)| value).collect();
            Ok(call.tuple(&elements))
        }
        Some(_) => Ok(call.object(&groups)),
    }
}

fn first_match<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let pattern = pattern(call, 0)?;
    captured_type(call, &pattern)?;
    let text = call.str(1)?;
    let program = compile(call, 0, &pattern, text.len())?;
    match program.regex.captures(text) {
        Some(captures) => captured(call, &pattern.names, &captures),
        None => Err(failed("the regular expression does not match")),
    }
}

fn all_matches<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let pattern = pattern(call, 0)?;
    let element = captured_type(call, &pattern)?;
    let text = call.str(1)?;
    let program = compile(call, 0, &pattern, text.len())?;
    let mut matches = Vec::new();
    for captures in program.regex.captures_iter(text) {
        spend_match(call, &pattern, &program, text.len() - captures.get_match().start())?;
        if (matches.len() + 1).saturating_mul(pattern.names.len().max(1)) > MAX_ELEMENTS {
            return Err(call.too_many());
        }
        matches.push(captured(call, &pattern.names, &captures)?);
    }
    Ok(call.list(element, &matches))
}

/// Replaces every occurrence of a text, or of a pattern between two slashes.
fn replace<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let (text, search, replacement) = (call.str(0)?, call.str(1)?, call.str(2)?);
    let source = search.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
    let mut out = String::new();
    let mut end = 0;
    let mut replaced =
        |start: usize, next: usize, write: &dyn Fn(&mut String) -> Outcome<'a, ()>| {
            out.push_str(&text[end..start]);
            write(&mut out)?;
            end = next;
            call.room(out.len())
        };
    if let Some(source) = source {
        let pattern = Pattern::read(source).map_err(|reason| refused(call, 1, reason))?;
        let program = compile(call, 1, &pattern, text.len())?;
        for captures in program.regex.captures_iter(text) {
            let whole = captures.get_match();
            spend_match(call, &pattern, &program, text.len() - whole.start())?;
            replaced(whole.start(), whole.end(), &|out| {
                expand(call, out, replacement, &pattern.names, &captures)
            })?;
        }
    } else {
        for (start, found) in text.match_indices(search) {
            replaced(start, start + found.len(), &|out| {
                out.push_str(replacement);
                Ok(())
            })?;
        }
    }
    out.push_str(&text[end..]);
    call.string(&out)
}

/// Writes a replacement. `$1`, `$name` and `${name}` are groups (names are as long as possible),
/// `$$` is a dollar sign, and so is a `$` that is not followed by one of these. Groups that do not
/// exist are empty.
fn expand<'a>(
    call: Call<'_, 'a>,
    out: &mut String,
    replacement: &str,
    names: &[&str],
    captures: &Captures<'_>,
) -> Outcome<'a, ()> {
    let mut rest = replacement;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        if let Some(after) = after.strip_prefix('$') {
            out.push('$');
            rest = after;
            continue;
        }
        let inner = after.strip_prefix('{');
        let text = inner.unwrap_or(after);
        let length = text.bytes().take_while(|&byte| is_word(byte)).count();
        let (name, after_name) = text.split_at(length);
        let closed = if inner.is_some() { after_name.strip_prefix('}') } else { Some(after_name) };
        let Some(after) = closed.filter(|_| length > 0) else {
            out.push('$');
            rest = after;
            continue;
        };
        let group = if name.bytes().all(|byte| byte.is_ascii_digit()) {
            let has_sign = length > 1 && name.starts_with('0');
            name.parse().ok().filter(|_| !has_sign).and_then(|index: usize| captures.get(index))
        } else {
            call.meter.spend(names.len() as u64 / 8)?;
            let mut named = names.iter().enumerate().filter(|&(_, known)| *known == name);
            named.find_map(|(index, _)| captures.get(index + 1))
        };
        out.push_str(group.map_or("", |group| group.as_str()));
        call.room(out.len())?;
        rest = after;
    }
    out.push_str(rest);
    Ok(())
}
