//! More functions of sprig: numbers with a fraction, patterns, encodings, paths, and parts of lists and
//! dictionaries.
//!
//! Values are never changed in place, so `set`, `unset`, `merge` and `mergeOverwrite` do not exist.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::functions::{
    Function, Result, at, boundary, bounded, bounded_list, count, elements, text, whole, wrong,
};
use super::value::Value;
use crate::docs::json_text::with_html_escapes;
use crate::functions::encoding::from_base64;
use crate::functions::hash;
use crate::functions::paths;
use crate::functions::pattern::Pattern;

/// Returns the function of a name.
pub(super) fn named(name: &str) -> Option<Function> {
    let function: Function = match name {
        // Numbers.
        "float64" => |of| Ok(Value::Float(number(at(of, 0)?))),
        "atoi" => |of| Ok(Value::Int(text(of, 0)?.parse().unwrap_or_default())),
        "toDecimal" => |of| {
            let octal = at(of, 0)?.to_string();
            Ok(Value::Int(i64::from_str_radix(&octal, 8).unwrap_or_default()))
        },
        "addf" => |of| reduced(of, |one, other| one + other),
        "add1f" => |of| Ok(Value::Float(number(at(of, 0)?) + 1.0)),
        "subf" => |of| reduced(of, |one, other| one - other),
        "mulf" => |of| reduced(of, |one, other| one * other),
        "divf" => |of| reduced(of, |one, other| one / other),
        "maxf" => |of| reduced(of, f64::max),
        "minf" => |of| reduced(of, f64::min),
        "ceil" => |of| Ok(Value::Float(number(at(of, 0)?).ceil())),
        "floor" => |of| Ok(Value::Float(number(at(of, 0)?).floor())),
        "round" => |of| {
            let power = 10f64.powi(i32::try_from(whole(of, 1)?).unwrap_or_default());
            let from = if of.len() > 2 { number(at(of, 2)?) } else { 0.5 };
            let scaled = number(at(of, 0)?) * power;
            let rounded = if scaled.fract() >= from { scaled.ceil() } else { scaled.floor() };
            Ok(Value::Float(rounded / power))
        },
        "seq" => sequence,
        "untilStep" => |of| steps(whole(of, 0)?, whole(of, 1)?, whole(of, 2)?),
        // Texts.
        "trimall" => |of| {
            let (cut, text) = (text(of, 0)?, text(of, 1)?);
            Ok(Value::text(text.trim_matches(|char| cut.contains(char)).to_owned()))
        },
        "abbrev" => |of| Ok(Value::text(abbreviated(&text(of, 1)?, 0, whole(of, 0)?))),
        "abbrevboth" => {
            |of| Ok(Value::text(abbreviated(&text(of, 2)?, whole(of, 0)?, whole(of, 1)?)))
        }
        "initials" => |of| {
            let text = text(of, 0)?;
            let first = text.split_whitespace().filter_map(|word| word.chars().next());
            Ok(Value::text(first.collect::<String>()))
        },
        "plural" => |of| {
            let is_one = whole(of, 2)? == 1;
            Ok(Value::text(text(of, usize::from(!is_one))?.into_owned()))
        },
        "swapcase" => |of| Ok(Value::text(swapped(&text(of, 0)?))),
        "wrap" => |of| Ok(Value::text(wrapped(&text(of, 1)?, whole(of, 0)?, "\n", false)?)),
        "wrapWith" => {
            |of| Ok(Value::text(wrapped(&text(of, 2)?, whole(of, 0)?, &text(of, 1)?, true)?))
        }
        "split" => |of| split(&text(of, 1)?, &text(of, 0)?, usize::MAX),
        "splitn" => |of| match count(of, 1)? {
            0 => Ok(Value::dictionary(BTreeMap::new())),
            most => split(&text(of, 2)?, &text(of, 0)?, most),
        },
        "fail" => |of| Err(text(of, 0)?.into_owned()),
        "hello" => |_| Ok(Value::text("Hello!")),
        // Patterns.
        "regexMatch" => |of| {
            let pattern = text(of, 0)?;
            let compiled = Pattern::read(&pattern)?.compile()?;
            Ok(Value::Bool(compiled.is_match(&text(of, 1)?)))
        },
        "regexFind" => |of| {
            let (pattern, text) = (text(of, 0)?, text(of, 1)?);
            let compiled = Pattern::read(&pattern)?.compile()?;
            let found = compiled.find(&text).map(|found| found.as_str().to_owned());
            Ok(Value::text(found.unwrap_or_default()))
        },
        "regexFindAll" => |of| {
            let (pattern, text) = (text(of, 0)?, text(of, 1)?);
            let compiled = Pattern::read(&pattern)?.compile()?;
            let most = usize::try_from(whole(of, 2)?).unwrap_or(usize::MAX);
            bounded_list(text.len().min(most))?;
            let found = compiled.find_iter(&text).take(most);
            Ok(Value::list(found.map(|found| Value::text(found.as_str().to_owned()))))
        },
        "regexReplaceAll" => |of| replaced(&text(of, 0)?, &text(of, 1)?, &text(of, 2)?, true),
        "regexReplaceAllLiteral" => {
            |of| replaced(&text(of, 0)?, &text(of, 1)?, &text(of, 2)?, false)
        }
        "regexSplit" => |of| split_by_pattern(&text(of, 0)?, &text(of, 1)?, whole(of, 2)?),
        "regexQuoteMeta" => |of| {
            let mut out = String::new();
            for char in text(of, 0)?.chars() {
                out.extend(r"\.+*?()|[]{}^$".contains(char).then_some('\\'));
                out.push(char);
            }
            Ok(Value::text(out))
        },
        // Encodings.
        "b64enc" => |of| Ok(Value::text(STANDARD.encode(text(of, 0)?.as_bytes()))),
        "b64dec" => |of| {
            let decoded = from_base64(&text(of, 0)?).ok_or("the text is not valid Base64")?;
            Ok(Value::text(String::from_utf8_lossy(&decoded).into_owned()))
        },
        "sha1sum" => |of| Ok(Value::text(hash::sha1(text(of, 0)?.as_bytes()))),
        "sha256sum" => |of| Ok(Value::text(hash::sha256(text(of, 0)?.as_bytes()))),
        "sha512sum" => |of| Ok(Value::text(hash::sha512(text(of, 0)?.as_bytes()))),
        "fromJson" => |of| Value::from_json(&text(of, 0)?).and_then(Value::checked),
        "toPrettyJson" => |of| {
            let mut line = String::new();
            at(of, 0)?.write_json(&mut line)?;
            let pretty = in_lines(&line);
            bounded(pretty.len())?;
            Ok(Value::text(with_html_escapes(&pretty)))
        },
        // Paths.
        "base" | "osBase" => |of| Ok(Value::text(paths::base(&text(of, 0)?).to_owned())),
        "dir" | "osDir" => |of| Ok(Value::text(paths::directory(&text(of, 0)?))),
        "clean" | "osClean" => |of| Ok(Value::text(paths::clean(&text(of, 0)?))),
        "ext" | "osExt" => |of| {
            let path = text(of, 0)?;
            let name = path.rsplit('/').next().unwrap_or_default();
            Ok(Value::text(name.rfind('.').map(|at| name[at..].to_owned()).unwrap_or_default()))
        },
        "isAbs" | "osIsAbs" => |of| Ok(Value::Bool(text(of, 0)?.starts_with('/'))),
        // Lists and dictionaries.
        "chunk" => |of| {
            let (size, list) = (count(of, 0)?, elements(of, 1)?);
            if size == 0 {
                return Err("the size of a chunk is 0".to_owned());
            }
            Ok(Value::list(list.chunks(size).map(|part| Value::list(part.iter().cloned()))))
        },
        "compact" => {
            |of| Ok(Value::list(elements(of, 0)?.iter().filter(|it| it.is_true()).cloned()))
        }
        "all" => |of| Ok(Value::Bool(of.iter().all(Value::is_true))),
        "any" => |of| Ok(Value::Bool(of.iter().any(Value::is_true))),
        "values" => |of| Ok(Value::list(entries(of, 0)?.values().cloned())),
        "pick" => |of| chosen(of, true),
        "omit" => |of| chosen(of, false),
        "pluck" => |of| {
            let name = text(of, 0)?;
            let mut found = Vec::new();
            for number in 1..of.len() {
                found.extend(entries(of, number)?.get(&*name).cloned());
            }
            Ok(Value::list(found))
        },
        "dig" => |of| {
            let [names @ .., otherwise, first] = of else {
                return Err("an argument is missing".to_owned());
            };
            let mut value = first.clone();
            for name in names {
                let Value::Text(name) = name else { return wrong("a text", name) };
                value = match &value {
                    Value::Dictionary(entries, _) => match entries.get(&**name) {
                        Some(found) => found.clone(),
                        None => return Ok(otherwise.clone()),
                    },
                    other => return wrong("a dictionary", other),
                };
            }
            Ok(value)
        },
        "deepCopy" => |of| Ok(at(of, 0)?.clone()),
        "deepEqual" => |of| Ok(Value::Bool(at(of, 0)?.equals(at(of, 1)?))),
        // Kinds.
        "kindOf" => |of| Ok(Value::text(kind(at(of, 0)?))),
        "kindIs" => |of| Ok(Value::Bool(*text(of, 0)? == *kind(at(of, 1)?))),
        "typeOf" => |of| Ok(Value::text(type_name(at(of, 0)?))),
        "typeIs" | "typeIsLike" => |of| Ok(Value::Bool(*text(of, 0)? == *type_name(at(of, 1)?))),
        _ => return None,
    };
    Some(function)
}

/// Returns a number as a float; 0 for what is none.
fn number(value: &Value<'_>) -> f64 {
    match value {
        Value::Float(value) => *value,
        Value::Int(value) => *value as f64,
        Value::Bool(value) => f64::from(u8::from(*value)),
        Value::Text(text) => text.parse().unwrap_or_default(),
        _ => 0.0,
    }
}

/// Sums and products have at most 15 digits, so that `0.1` and `0.2` make `0.3`, as decimal numbers do.
fn reduced<'v>(of: &[Value<'_>], combine: fn(f64, f64) -> f64) -> Result<'v> {
    let mut all = number(at(of, 0)?);
    for value in &of[1..] {
        let exact = combine(all, number(value));
        let short: f64 = format!("{exact:.14e}").parse().unwrap_or(exact);
        all = if short.to_string().len() + 2 < exact.to_string().len() { short } else { exact };
    }
    match all.is_finite() {
        true => Ok(Value::Float(all)),
        false => Err("the result is not a number".to_owned()),
    }
}

/// `seq` counts as the command of Unix does, and returns a text.
fn sequence<'v>(of: &[Value<'v>]) -> Result<'v> {
    let (first, step, last) = match of.len() {
        0 => return Ok(Value::text("")),
        1 => (1, if whole(of, 0)? < 1 { -1 } else { 1 }, whole(of, 0)?),
        2 => {
            let (first, last) = (whole(of, 0)?, whole(of, 1)?);
            (first, if last < first { -1 } else { 1 }, last)
        }
        3 => (whole(of, 0)?, whole(of, 1)?, whole(of, 2)?),
        _ => return Ok(Value::text("")),
    };
    let end = last.saturating_add(if step < 0 { -1 } else { 1 });
    let is_wrong_way = step == 0 || (step > 0) != (last >= first) && first != last;
    if of.len() == 3 && is_wrong_way {
        return Ok(Value::text(""));
    }
    let Value::List(elements, _) = steps(first, end, step)? else { return Ok(Value::text("")) };
    let texts: Vec<String> = elements.iter().map(Value::to_string).collect();
    Ok(Value::text(texts.join(" ")))
}

/// The whole numbers from one to before another.
fn steps<'v>(start: i64, end: i64, step: i64) -> Result<'v> {
    if step == 0 || (step > 0) != (end > start) {
        return Ok(Value::list([]));
    }
    let count = end.abs_diff(start).div_ceil(step.unsigned_abs());
    bounded_list(usize::try_from(count).unwrap_or(usize::MAX))?;
    let mut all = Vec::new();
    let mut next = Some(start);
    while let Some(value) = next.filter(|it| if step > 0 { *it < end } else { *it > end }) {
        all.push(Value::Int(value));
        next = value.checked_add(step);
    }
    Ok(Value::list(all))
}

/// Shortens a text to a width in bytes, with dots at its end, and at its start if it begins behind the
/// fourth byte.
fn abbreviated(text: &str, offset: i64, width: i64) -> String {
    let (Ok(mut offset), Ok(width)) = (usize::try_from(offset), usize::try_from(width)) else {
        return text.to_owned();
    };
    if width < 4 || offset > 0 && width < 7 || text.len() <= width {
        return text.to_owned();
    }
    offset = offset.min(text.len());
    if text.len() - offset < width - 3 {
        offset = text.len() - (width - 3);
    }
    let part = |start: usize, end: usize| &text[boundary(text, start)..boundary(text, end)];
    if offset <= 4 {
        return format!("{}...", part(0, width - 3));
    }
    if offset + width - 3 < text.len() {
        let rest = abbreviated(part(offset, text.len()), 0, width as i64 - 3);
        return format!("...{rest}");
    }
    format!("...{}", part(text.len() - (width - 3), text.len()))
}

fn swapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char.is_uppercase() {
            true => out.extend(char.to_lowercase()),
            false => out.extend(char.to_uppercase()),
        }
    }
    out
}

/// Breaks a text into lines of a width, in bytes, at spaces; long words only if `breaks_words`.
fn wrapped(
    text: &str,
    width: i64,
    line_break: &str,
    breaks_words: bool,
) -> std::result::Result<String, String> {
    let width = usize::try_from(width).unwrap_or_default().max(1);
    let line_break = if line_break.is_empty() { "\n" } else { line_break };
    bounded(text.len().saturating_add((text.len() / width).saturating_mul(line_break.len())))?;
    let mut out = String::with_capacity(text.len());
    let mut offset = 0;
    while text.len() - offset > width {
        if text[offset..].starts_with(' ') {
            offset += 1;
            continue;
        }
        let end = boundary(text, offset + width + 1);
        let space = text[offset..end.max(offset)].rfind(' ').map(|at| offset + at);
        let end = match space {
            Some(space) => space,
            None if breaks_words => {
                let end = boundary(text, offset + width);
                let end = if end > offset { end } else { next_boundary(text, offset + width) };
                out.extend([&text[offset..end], line_break]);
                offset = end;
                continue;
            }
            None => {
                let from = next_boundary(text, offset + width);
                match text[from..].find(' ') {
                    Some(at) => from + at,
                    None => break,
                }
            }
        };
        out.extend([&text[offset..end], line_break]);
        offset = end + 1;
    }
    out.push_str(&text[offset..]);
    Ok(out)
}

/// The first place at or behind a byte at which a character starts.
fn next_boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// Splits a text into a dictionary: `_0`, `_1`, …
fn split<'v>(text: &str, separator: &str, most: usize) -> Result<'v> {
    let parts: Vec<&str> = match separator.is_empty() {
        true => {
            bounded_list(text.len())?;
            let starts = text.char_indices().map(|(at, char)| at..at + char.len_utf8());
            let mut parts: Vec<&str> = starts.map(|range| &text[range]).collect();
            if parts.len() > most {
                let rest = parts[..most - 1].iter().map(|part| part.len()).sum::<usize>();
                parts.truncate(most - 1);
                parts.push(&text[rest..]);
            }
            parts
        }
        false => {
            bounded_list(text.matches(separator).count().min(most))?;
            text.splitn(most, separator).collect()
        }
    };
    let parts = parts.into_iter().enumerate();
    let named = parts.map(|(number, part)| (format!("_{number}"), Value::text(part.to_owned())));
    Ok(Value::dictionary(named.collect()))
}

/// Replaces all matches of a pattern. `$1`, `${1}` and `${name}` are groups if `expands`.
fn replaced<'v>(pattern: &str, text: &str, by: &str, expands: bool) -> Result<'v> {
    let pattern = Pattern::read(pattern)?;
    let compiled = pattern.compile()?;
    let mut out = String::new();
    let mut written = 0;
    for captures in compiled.captures_iter(text) {
        let Some(whole) = captures.get(0) else { continue };
        out.push_str(&text[written..whole.start()]);
        written = whole.end();
        match expands {
            true => expand(by, &pattern.names, &captures, &mut out),
            false => out.push_str(by),
        }
        bounded(out.len())?;
    }
    out.push_str(&text[written..]);
    Ok(Value::text(out))
}

fn expand(by: &str, names: &[&str], captures: &regex::Captures<'_>, out: &mut String) {
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
        let (name, after) = match behind.strip_prefix('{') {
            Some(inner) => match inner.split_once('}') {
                Some((name, after)) if !name.is_empty() && name.chars().all(is_name) => {
                    (name, after)
                }
                _ => ("", behind),
            },
            None => behind.split_at(behind.find(|char| !is_name(char)).unwrap_or(behind.len())),
        };
        if name.is_empty() {
            out.push('$');
            rest = behind;
            continue;
        }
        let number = match name.bytes().all(|byte| byte.is_ascii_digit()) {
            true => name.parse().ok(),
            false => names.iter().position(|known| *known == name).map(|at| at + 1),
        };
        let group = number.and_then(|number: usize| captures.get(number));
        out.push_str(group.map(|group| group.as_str()).unwrap_or_default());
        rest = after;
    }
    out.push_str(rest);
}

/// Splits a text at the matches of a pattern into at most `most` parts; a negative number is all of them.
fn split_by_pattern<'v>(pattern: &str, text: &str, most: i64) -> Result<'v> {
    let compiled = Pattern::read(pattern)?.compile()?;
    if most == 0 {
        return Ok(Value::list([]));
    }
    if text.is_empty() && !pattern.is_empty() {
        return Ok(Value::list([Value::text("")]));
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    bounded_list(text.len().min(most))?;
    let (mut start, mut end) = (0, 0);
    let mut parts = Vec::new();
    for found in compiled.find_iter(text) {
        if parts.len() == most - 1 {
            break;
        }
        end = found.start();
        if found.end() != 0 {
            parts.push(Value::text(text[start..end].to_owned()));
        }
        start = found.end();
    }
    if end != text.len() {
        parts.push(Value::text(text[start..].to_owned()));
    }
    Ok(Value::list(parts))
}

/// Writes JSON of one line in lines, indented by two spaces.
fn in_lines(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut level, mut in_text, mut is_escaped) = (0, false, false);
    let mut chars = json.chars().peekable();
    while let Some(char) = chars.next() {
        if in_text {
            out.push(char);
            (in_text, is_escaped) = (is_escaped || char != '"', !is_escaped && char == '\\');
            continue;
        }
        match char {
            '{' | '[' if matches!(chars.peek(), Some('}' | ']')) => {
                out.push(char);
                out.extend(chars.next());
            }
            '{' | '[' => {
                level += 1;
                let _ = write!(out, "{char}\n{}", "  ".repeat(level));
            }
            '}' | ']' => {
                level -= 1;
                let _ = write!(out, "\n{}{char}", "  ".repeat(level));
            }
            ',' => {
                let _ = write!(out, ",\n{}", "  ".repeat(level));
            }
            ':' => out.push_str(": "),
            char => {
                in_text = char == '"';
                out.push(char);
            }
        }
    }
    out
}

fn entries<'n, 'v>(
    of: &'n [Value<'v>],
    number: usize,
) -> std::result::Result<&'n BTreeMap<String, Value<'v>>, String> {
    match at(of, number)? {
        Value::Dictionary(entries, _) => Ok(entries),
        other => wrong("a dictionary", other),
    }
}

/// The entries of a dictionary with the given names, or all others.
fn chosen<'v>(of: &[Value<'v>], are_named: bool) -> Result<'v> {
    let names: std::collections::BTreeSet<String> =
        of.iter().skip(1).map(Value::to_string).collect();
    let kept = entries(of, 0)?.iter().filter(|(name, _)| names.contains(*name) == are_named);
    Ok(Value::dictionary(kept.map(|(name, value)| (name.clone(), value.clone())).collect()))
}

/// The kind of a value, as Go names it.
const fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::Nil => "invalid",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int",
        Value::Float(_) => "float64",
        Value::Text(_) => "string",
        Value::List(..) => "slice",
        Value::Dictionary(..) => "map",
        Value::Record(_) => "struct",
    }
}

/// The type of a value, as Go names it.
const fn type_name(value: &Value<'_>) -> &'static str {
    match value {
        Value::Nil => "<nil>",
        Value::List(..) => "[]interface {}",
        Value::Dictionary(..) => "map[string]interface {}",
        value => kind(value),
    }
}

#[cfg(test)]
mod tests {
    use crate::docs::template::{record, render};

    /// The results are those of terraform-docs.
    #[test]
    fn results_are_those_of_sprig() {
        for (template, expected) in [
            ("addf 0.1 0.2", "0.3"),
            ("mulf 1000.0 1000.0", "1e+06"),
            ("divf 10 3", "3.3333333333333335"),
            ("round -1.5 0", "-2"),
            ("round 3.14159 2", "3.14"),
            ("toDecimal \"777\"", "511"),
            ("seq 0 2 10", "0 2 4 6 8 10"),
            ("seq 3 1", "3 2 1"),
            ("untilStep 1 6 2", "[1 3 5]"),
            ("abbrevboth 5 10 \"1234 5678 9123\"", "...5678..."),
            ("wrap 5 \"hello world foo\"", "hello\nworld\nfoo"),
            ("wrapWith 5 \"|\" \"Hello Worldwide\"", "Hello|World|wide"),
            ("splitn \"$\" 2 \"foo$bar$baz\"", "map[_0:foo _1:bar$baz]"),
            ("regexReplaceAll \"a(x*)b\" \"-ab-axxb-\" \"${1}W\"", "-W-xxW-"),
            ("regexReplaceAll \"a(x*)b\" \"-ab-axxb-\" \"$1W\"", "---"),
            ("regexReplaceAll \"(?P<x>a)\" \"banana\" \"<$x>\"", "b<a>n<a>n<a>"),
            ("regexSplit \"a*\" \"baac\" -1", "[b c]"),
            ("regexSplit \",\" \"a,b,c\" 2", "[a b,c]"),
            ("regexFindAll \"[0-9]\" \"a1b2c3\" 2", "[1 2]"),
            ("mustRegexFind \"a\" \"ba\"", "a"),
            ("b64enc \"x\" | b64dec", "x"),
            ("ext \"a/b.c\"", ".c"),
            ("fromJson \"{\\\"a\\\":[1,2.5,null]}\"", "map[a:[1 2.5 <nil>]]"),
            (
                "toPrettyJson (dict \"a\" (list 1 \"x\\\"[\"))",
                "{\n  \"a\": [\n    1,\n    \"x\\\"[\"\n  ]\n}",
            ),
            ("chunk 2 (list 1 2 3)", "[[1 2] [3]]"),
            ("pluck \"a\" (dict \"a\" 1) (dict \"b\" 2) (dict \"a\" 3)", "[1 3]"),
            ("dig \"a\" \"c\" \"x\" (dict \"a\" (dict \"b\" 1))", "x"),
            ("deepEqual (dict \"a\" 1) (dict \"a\" 1)", "true"),
            ("typeOf (list)", "[]interface {}"),
        ] {
            let text = format!("{{{{ {template} }}}}");
            let answer = render(&text, &record([]), &|_| None);
            assert_eq!(answer.as_deref(), Ok(expected), "{template}");
        }
        for (template, error) in [
            ("fail \"no\"", "fail: no"),
            ("chunk 0 (list)", "chunk: the size of a chunk is 0"),
            (
                "regexMatch \"(\" \"\"",
                "regexMatch: a bracket or an operand is missing, or groups nest too deep",
            ),
            ("untilStep 0 100000000 1", "untilStep: the result is too large"),
            ("seq 1 9223372036854775807", "seq: the result is too large"),
            ("fromJson \"{\"", "fromJson"),
            ("set (dict) \"a\" 1", "there is no function \"set\""),
        ] {
            let text = format!("{{{{ {template} }}}}");
            let answer = render(&text, &record([]), &|_| None).unwrap_err();
            assert!(answer.message.starts_with(error), "{template}: {}", answer.message);
        }
    }
}
