//! More functions of sprig: numbers with a fraction, encodings, paths, and parts of lists and
//! dictionaries.
//!
//! No function changes a value in place, so `set`, `unset`, `merge` and `mergeOverwrite` do not exist.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::functions::{
    Function, Letters, Result, at, boundary, bounded, bounded_list, count, elements, steps, text,
    whole, wrong,
};
use super::number::{TOO_LARGE, fractional};
use super::value::Value;
use crate::docs::json_text::{break_line, with_html_escapes};
use crate::functions::encoding::from_base64;
use crate::functions::hash;
use crate::functions::paths;

/// Returns the function of a name.
pub(super) fn named(name: &str) -> Option<Function> {
    let function: Function = match name {
        // Numbers.
        "float64" => |of| float(number(at(of, 0)?)?),
        "atoi" => |of| digits(&text(of, 0)?, 10),
        "toDecimal" => |of| digits(&at(of, 0)?.to_string(), 8),
        "addf" => |of| reduced(of, |one, other| one + other),
        "add1f" => |of| float(number(at(of, 0)?)? + 1.0),
        "subf" => |of| reduced(of, |one, other| one - other),
        "mulf" => |of| reduced(of, |one, other| one * other),
        "divf" => |of| reduced(of, |one, other| one / other),
        "maxf" => |of| reduced(of, f64::max),
        "minf" => |of| reduced(of, f64::min),
        "ceil" => |of| float(number(at(of, 0)?)?.ceil()),
        "floor" => |of| float(number(at(of, 0)?)?.floor()),
        "round" => |of| {
            let power = i32::try_from(whole(of, 1)?).map_err(|_| TOO_LARGE)?;
            let power = 10f64.powi(power);
            let from = if of.len() > 2 { number(at(of, 2)?)? } else { 0.5 };
            let scaled = number(at(of, 0)?)? * power;
            let rounded = if scaled.fract() >= from { scaled.ceil() } else { scaled.floor() };
            float(rounded / power)
        },
        "seq" => sequence,
        "untilStep" => |of| steps(whole(of, 0)?, whole(of, 1)?, whole(of, 2)?),
        // Texts.
        "trimall" => |of| {
            let (cut, text) = (Letters::of(&text(of, 0)?), text(of, 1)?);
            Ok(Value::text(text.trim_matches(|char| cut.has(char)).to_owned()))
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
        "splitn" => |of| match whole(of, 1)? {
            0 => Ok(Value::dictionary(BTreeMap::new())),
            // A negative number returns all parts.
            most => {
                let most = usize::try_from(most).unwrap_or(usize::MAX);
                split(&text(of, 2)?, &text(of, 0)?, most)
            }
        },
        "fail" => |of| Err(text(of, 0)?.into_owned()),
        "hello" => |_| Ok(Value::text("Hello!")),
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
        "fromJson" => |of| {
            let text = text(of, 0)?;
            // A text has at most one value more than commas.
            bounded_list(memchr::memchr_iter(b',', text.as_bytes()).count())?;
            Value::from_json(&text).and_then(Value::checked)
        },
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

/// Converts a value to a float. Returns 0 for a value that is not a number.
///
/// # Errors
/// It is too large for a float.
fn number(value: &Value<'_>) -> std::result::Result<f64, String> {
    Ok(match value {
        Value::Float(value) => *value,
        Value::Int(value) => *value as f64,
        Value::Bool(value) => f64::from(u8::from(*value)),
        Value::Text(text) => fractional(text)?.unwrap_or_default(),
        _ => 0.0,
    })
}

/// Parses a whole number without a prefix. Returns 0 for a text that is not a number.
///
/// # Errors
/// It is too large for 64 bits.
fn digits<'v>(text: &str, radix: u32) -> Result<'v> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    match i64::from_str_radix(text, radix) {
        Ok(value) => Ok(Value::Int(value)),
        Err(error) if matches!(error.kind(), PosOverflow | NegOverflow) => {
            Err(TOO_LARGE.to_owned())
        }
        Err(_) => Ok(Value::Int(0)),
    }
}

/// Returns a float as a value, or an error if it is infinite or not a number.
fn float<'v>(value: f64) -> Result<'v> {
    match value.is_finite() {
        true => Ok(Value::Float(value)),
        false => Err("the result is not a number".to_owned()),
    }
}

/// Combines all arguments. Rounds each result to 15 digits, so that `0.1` and `0.2` make `0.3` as in sprig,
/// which computes with decimal numbers.
fn reduced<'v>(of: &[Value<'_>], combine: fn(f64, f64) -> f64) -> Result<'v> {
    let mut all = number(at(of, 0)?)?;
    for value in &of[1..] {
        let exact = combine(all, number(value)?);
        let short: f64 = format!("{exact:.14e}").parse().unwrap_or(exact);
        all = if short.to_string().len() + 2 < exact.to_string().len() { short } else { exact };
    }
    float(all)
}

/// Returns the numbers that the command `seq` of Unix prints, separated by spaces.
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

/// Shortens a text to a width in bytes. Writes dots for the end that is cut off, and for the start if `offset` is
/// behind the fourth byte.
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

/// Breaks a text at spaces into lines of at most `width` bytes. Breaks longer words only if `breaks_words`.
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
    let mut break_at = |start: usize, end: usize| out.extend([&text[start..end], line_break]);
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
                break_at(offset, end);
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
        break_at(offset, end);
        offset = end + 1;
    }
    out.push_str(&text[offset..]);
    Ok(out)
}

/// Returns the first start of a character at or behind a byte.
fn next_boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// Splits a text into at most `most` parts. Returns them as a dictionary with the names `_0`, `_1`, …
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

/// Breaks JSON of one line into lines that are indented by two spaces for each level.
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
                out.push(char);
                break_line(&mut out, level);
            }
            '}' | ']' => {
                level -= 1;
                break_line(&mut out, level);
                out.push(char);
            }
            ',' => {
                out.push(char);
                break_line(&mut out, level);
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

/// Returns the entries of a dictionary with the given names, or all others.
fn chosen<'v>(of: &[Value<'v>], are_named: bool) -> Result<'v> {
    let names: std::collections::BTreeSet<String> =
        of.iter().skip(1).map(Value::to_string).collect();
    let kept = entries(of, 0)?.iter().filter(|(name, _)| names.contains(*name) == are_named);
    Ok(Value::dictionary(kept.map(|(name, value)| (name.clone(), value.clone())).collect()))
}

/// Returns the kind of a value, as Go names it.
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

/// Returns the type of a value, as Go names it.
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
            ("splitn \"$\" -1 \"foo$bar$baz\"", "map[_0:foo _1:bar _2:baz]"),
            ("splitn \"\" -1 \"aé\"", "map[_0:a _1:é]"),
            ("splitn \"$\" 0 \"foo$bar\"", "map[]"),
            ("until -2", "[0 -1]"),
            ("int -9.9", "-9"),
            ("int \"x\"", "0"),
            ("int \"16.9\"", "16"),
            ("mod -9223372036854775808 -1", "0"),
            ("printf \"%x %05d\" -255 -5", "-ff -0005"),
            ("add 0xff 010 0b11 1_000", "1266"),
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
            ("untilStep 0 100000000 1", "untilStep: the result is too large"),
            ("seq 1 9223372036854775807", "seq: the result is too large"),
            ("fromJson \"{\"", "fromJson"),
            ("set (dict) \"a\" 1", "there is no function \"set\""),
            ("9223372036854775808", "the number is too large"),
            ("-9223372036854775809", "the number is too large"),
            ("0x8000000000000000", "the number is too large"),
            ("1e400", "the number is too large"),
            ("08", "\"08\" is not a number"),
            ("add 9223372036854775807 1", "add: the number is too large"),
            ("add1 9223372036854775807", "add1: the number is too large"),
            ("sub -9223372036854775808 1", "sub: the number is too large"),
            ("mul 4611686018427387904 2", "mul: the number is too large"),
            ("div -9223372036854775808 -1", "div: the number is too large"),
            ("div 1 0", "div: division by zero"),
            ("int 1e19", "int: the number is too large"),
            ("int \"9223372036854775808\"", "int: the number is too large"),
            ("atoi \"-9223372036854775809\"", "atoi: the number is too large"),
            ("toDecimal \"1000000000000000000000\"", "toDecimal: the number is too large"),
            ("float64 \"1e400\"", "float64: the number is too large"),
            ("ceil \"inf\"", "ceil: the number is too large"),
            ("mulf 1e308 10.0", "mulf: the result is not a number"),
            ("round 1.5 400", "round: the result is not a number"),
            ("round 1.5 9999999999", "round: the number is too large"),
            ("fromJson \"[1e400]\"", "fromJson: the number is too large"),
            ("repeat -1 \"a\"", "repeat: a count is negative"),
            ("chunk -1 (list)", "chunk: a count is negative"),
        ] {
            let text = format!("{{{{ {template} }}}}");
            let answer = render(&text, &record([]), &|_| None).unwrap_err();
            assert!(answer.message.starts_with(error), "{template}: {}", answer.message);
        }
    }
}
