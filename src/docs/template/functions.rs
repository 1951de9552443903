//! Functions of templates: those of the language, and those of sprig that compute.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::number::{self, TOO_LARGE, whole_part};
use super::value::Value;
use crate::docs::json_text::with_html_escapes;

pub(crate) type Result<'v> = std::result::Result<Value<'v>, String>;

/// A function: it gets its arguments, the value before it last.
pub(crate) type Call<'f, 'v> = Box<dyn Fn(&[Value<'v>]) -> Result<'v> + 'f>;

/// Functions that are not part of the language, by their names; `None` if there is no such function.
pub(super) type Functions<'f, 'v> = &'f dyn Fn(&str) -> Option<Call<'f, 'v>>;

pub(super) type Function = for<'v> fn(&[Value<'v>]) -> Result<'v>;

/// The longest text that one function makes.
const MAX_TEXT: usize = 16 << 20;

/// Returns the function of a name.
pub(super) fn named(name: &str) -> Option<Function> {
    let function: Function = match name {
        // The language.
        "not" => |of| Ok(Value::Bool(!at(of, 0)?.is_true())),
        "len" => |of| match at(of, 0)? {
            Value::Text(text) => Ok(int(text.len())),
            Value::List(elements, _) => Ok(int(elements.len())),
            Value::Dictionary(entries, _) => Ok(int(entries.len())),
            other => wrong("a text or a list", other),
        },
        "index" => index,
        "slice" => slice,
        "print" => |of| {
            let mut out = String::new();
            for (number, value) in of.iter().enumerate() {
                let is_text = |at: usize| matches!(of.get(at), Some(Value::Text(_)));
                let has_space = number > 0 && !is_text(number) && !is_text(number - 1);
                let _ = write!(out, "{}{value}", if has_space { " " } else { "" });
                bounded(out.len())?;
            }
            Ok(Value::text(out))
        },
        "println" => |of| Ok(Value::text(joined(of, " ")? + "\n")),
        "printf" => printf,
        "html" => |of| Ok(Value::text(html(&joined(of, "")?))),
        "js" => |of| Ok(Value::text(script(&joined(of, "")?))),
        "urlquery" => |of| Ok(Value::text(query(&joined(of, "")?))),
        "eq" => |of| {
            let first = at(of, 0)?;
            at(of, 1)?;
            let mut is_equal = false;
            for other in &of[1..] {
                is_equal |= is_equal_to(first, other)?;
            }
            Ok(Value::Bool(is_equal))
        },
        "ne" => |of| Ok(Value::Bool(!is_equal_to(at(of, 0)?, at(of, 1)?)?)),
        "lt" => |of| Ok(Value::Bool(ordering(of)?.is_lt())),
        "le" => |of| Ok(Value::Bool(ordering(of)?.is_le())),
        "gt" => |of| Ok(Value::Bool(ordering(of)?.is_gt())),
        "ge" => |of| Ok(Value::Bool(ordering(of)?.is_ge())),
        // Texts.
        "upper" => |of| Ok(Value::text(text(of, 0)?.to_uppercase())),
        "lower" => |of| Ok(Value::text(text(of, 0)?.to_lowercase())),
        "title" => {
            |of| Ok(Value::text(with_first(&text(of, 0)?, |char| char.to_uppercase().to_string())))
        }
        "untitle" => {
            |of| Ok(Value::text(with_first(&text(of, 0)?, |char| char.to_lowercase().to_string())))
        }
        "trimAll" => |of| {
            let (cut, text) = (Letters::of(&text(of, 0)?), text(of, 1)?);
            Ok(Value::text(text.trim_matches(|char| cut.has(char)).to_owned()))
        },
        "contains" => |of| Ok(Value::Bool(text(of, 1)?.contains(&*text(of, 0)?))),
        "hasPrefix" => |of| Ok(Value::Bool(text(of, 1)?.starts_with(&*text(of, 0)?))),
        "hasSuffix" => |of| Ok(Value::Bool(text(of, 1)?.ends_with(&*text(of, 0)?))),
        "replace" => |of| {
            let (old, new, text) = (text(of, 0)?, text(of, 1)?, text(of, 2)?);
            let count = text.matches(&*old).count();
            bounded(text.len() + count.saturating_mul(new.len()))?;
            Ok(Value::text(text.replace(&*old, &new)))
        },
        "repeat" => |of| {
            let (count, text) = (count(of, 0)?, text(of, 1)?);
            bounded(count.saturating_mul(text.len()))?;
            Ok(Value::text(text.repeat(count)))
        },
        "quote" => |of| {
            let quoted = each(of, |text| {
                let mut out = String::new();
                push_quoted(&mut out, text);
                out
            });
            Ok(Value::text(quoted?))
        },
        "squote" => |of| Ok(Value::text(each(of, |text| format!("'{text}'"))?)),
        "cat" => |of| Ok(Value::text(joined(of, " ")?)),
        "nospace" => |of| Ok(Value::text(text(of, 0)?.split_whitespace().collect::<String>())),
        "nindent" => |of| Ok(Value::text(format!("\n{}", indented(of)?))),
        "trunc" => |of| {
            let (length, text) = (whole(of, 0)?, text(of, 1)?);
            let len = usize::try_from(length.unsigned_abs()).unwrap_or(usize::MAX);
            let cut = match length < 0 {
                true => text.len().checked_sub(len).map(|start| &text[boundary(&text, start)..]),
                false => (len < text.len()).then(|| &text[..boundary(&text, len)]),
            };
            Ok(Value::text(cut.unwrap_or(&text).to_owned()))
        },
        "substr" => |of| {
            let (start, end, text) = (whole(of, 0)?, whole(of, 1)?, text(of, 2)?);
            let place = |at: i64| {
                let at = usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
                boundary(&text, at)
            };
            let start = if start < 0 { 0 } else { place(start) };
            let end = if end < 0 { text.len() } else { place(end) };
            Ok(Value::text(text.get(start..end).unwrap_or_default().to_owned()))
        },
        "camelcase" => |of| {
            Ok(Value::text(
                words(&text(of, 0)?)
                    .iter()
                    .map(|word| with_first(word, |char| char.to_uppercase().to_string()))
                    .collect::<String>(),
            ))
        },
        "snakecase" => |of| Ok(Value::text(words(&text(of, 0)?).join("_"))),
        "kebabcase" => |of| Ok(Value::text(words(&text(of, 0)?).join("-"))),
        "join" => |of| {
            let parts = elements(of, 1)?;
            Ok(Value::text(joined(parts, &text(of, 0)?)?))
        },
        "splitList" => |of| {
            let (separator, text) = (text(of, 0)?, text(of, 1)?);
            let count = match separator.is_empty() {
                true => text.len(),
                false => text.matches(&*separator).count(),
            };
            bounded_list(count)?;
            let parts: Vec<String> = match separator.is_empty() {
                true => text.chars().map(String::from).collect(),
                false => text.split(&*separator).map(str::to_owned).collect(),
            };
            Ok(Value::list(parts.into_iter().map(Value::text)))
        },
        "sortAlpha" => |of| {
            let mut texts: Vec<String> = elements(of, 0)?.iter().map(Value::to_string).collect();
            texts.sort();
            Ok(Value::list(texts.into_iter().map(Value::text)))
        },
        "toString" => |of| Ok(Value::text(at(of, 0)?.to_string())),
        "toStrings" => |of| {
            let texts = elements(of, 0)?.iter().map(|value| Value::text(value.to_string()));
            Ok(Value::list(texts))
        },
        "toJson" => |of| Ok(Value::text(with_html_escapes(&json(of)?))),
        "toRawJson" => |of| Ok(Value::text(json(of)?)),
        // Lists and dictionaries.
        "list" | "tuple" => |of| Ok(Value::list(of.iter().cloned())),
        "first" => |of| Ok(elements(of, 0)?.first().cloned().unwrap_or(Value::Nil)),
        "last" => |of| Ok(elements(of, 0)?.last().cloned().unwrap_or(Value::Nil)),
        "rest" => |of| Ok(Value::list(elements(of, 0)?.iter().skip(1).cloned())),
        "initial" => |of| {
            let elements = elements(of, 0)?;
            let count = elements.len().saturating_sub(1);
            Ok(Value::list(elements.iter().take(count).cloned()))
        },
        "append" | "push" => {
            |of| Ok(Value::list(elements(of, 0)?.iter().chain([at(of, 1)?]).cloned()))
        }
        "prepend" => {
            |of| Ok(Value::list([at(of, 1)?].into_iter().chain(elements(of, 0)?).cloned()))
        }
        "concat" => |of| {
            let mut all = Vec::new();
            for number in 0..of.len() {
                all.extend_from_slice(elements(of, number)?);
                bounded_list(all.len())?;
            }
            Ok(Value::list(all))
        },
        "reverse" => |of| Ok(Value::list(elements(of, 0)?.iter().rev().cloned())),
        "uniq" => |of| {
            let mut seen = std::collections::BTreeSet::new();
            let is_new = |value: &&Value<'_>| seen.insert(value.to_string());
            Ok(Value::list(elements(of, 0)?.iter().filter(is_new).cloned()))
        },
        "without" => |of| {
            let rest = of.get(1..).unwrap_or_default();
            bounded(at(of, 0)?.size().saturating_mul(rest.len()))?;
            let all = elements(of, 0)?.iter();
            Ok(Value::list(all.filter(|it| !rest.iter().any(|other| other.equals(it))).cloned()))
        },
        "has" => |of| {
            let value = at(of, 0)?;
            Ok(Value::Bool(elements(of, 1)?.iter().any(|other| other.equals(value))))
        },
        "dict" => |of| {
            let mut entries = BTreeMap::new();
            for pair in of.chunks(2) {
                let value = pair.get(1).cloned().unwrap_or_else(|| Value::text(""));
                entries.insert(pair[0].to_string(), value);
            }
            Ok(Value::dictionary(entries))
        },
        "get" => |of| match at(of, 0)?.field(&text(of, 1)?) {
            None | Some(Value::Nil) => Ok(Value::text("")),
            Some(value) => Ok(value),
        },
        "hasKey" => |of| match at(of, 0)? {
            Value::Dictionary(entries, _) => Ok(Value::Bool(entries.contains_key(&*text(of, 1)?))),
            other => wrong("a dictionary", other),
        },
        "keys" => |of| match at(of, 0)? {
            Value::Dictionary(entries, _) => {
                Ok(Value::list(entries.keys().cloned().map(Value::text)))
            }
            other => wrong("a dictionary", other),
        },
        "until" => |of| {
            let end = whole(of, 0)?;
            steps(0, end, if end < 0 { -1 } else { 1 })
        },
        // Values.
        "empty" => |of| Ok(Value::Bool(!at(of, 0)?.is_true())),
        "coalesce" => {
            |of| Ok(of.iter().find(|value| value.is_true()).cloned().unwrap_or(Value::Nil))
        }
        "int" | "int64" => |of| {
            Ok(Value::Int(match at(of, 0)? {
                Value::Float(value) => whole_part(*value)?,
                // As in Go, what is behind the point does not count.
                Value::Text(text) => {
                    let is_fraction = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
                    let parts = text.split_once('.').filter(|(_, behind)| is_fraction(behind));
                    let text = parts.map_or(&**text, |(before, _)| before);
                    number::whole(text)?.unwrap_or_default()
                }
                Value::Bool(value) => i64::from(*value),
                Value::Int(value) => *value,
                _ => 0,
            }))
        },
        "add1" => |of| {
            let next = whole(of, 0)?.checked_add(1);
            Ok(Value::Int(next.ok_or(TOO_LARGE)?))
        },
        "add" => |of| fold(of, i64::checked_add),
        "sub" => |of| fold(of, i64::checked_sub),
        "mul" => |of| fold(of, i64::checked_mul),
        "max" | "biggest" => |of| fold(of, |one, other| Some(one.max(other))),
        "min" => |of| fold(of, |one, other| Some(one.min(other))),
        "div" => |of| divided(of, i64::checked_div),
        // As in Go, the smallest number by -1 leaves nothing.
        "mod" => |of| divided(of, |one, other| Some(one.wrapping_rem(other))),
        _ => return None,
    };
    Some(function)
}

fn json(of: &[Value<'_>]) -> std::result::Result<String, String> {
    let mut out = String::new();
    at(of, 0)?.write_json(&mut out)?;
    Ok(out)
}

pub(super) fn at<'n, 'v>(
    of: &'n [Value<'v>],
    number: usize,
) -> std::result::Result<&'n Value<'v>, String> {
    of.get(number).ok_or_else(|| "an argument is missing".to_owned())
}

pub(super) fn wrong<T>(expected: &str, found: &Value<'_>) -> std::result::Result<T, String> {
    Err(format!("expected {expected}, found {}", found.kind()))
}

/// Returns an argument that is a text.
pub(crate) fn text<'n>(
    of: &'n [Value<'_>],
    number: usize,
) -> std::result::Result<Cow<'n, str>, String> {
    match at(of, number)? {
        Value::Text(text) => Ok(Cow::Borrowed(text)),
        other => wrong("a text", other),
    }
}

/// Returns an argument that is a whole number.
pub(crate) fn whole(of: &[Value<'_>], number: usize) -> std::result::Result<i64, String> {
    match at(of, number)? {
        Value::Int(value) => Ok(*value),
        other => wrong("a whole number", other),
    }
}

pub(super) fn count(of: &[Value<'_>], number: usize) -> std::result::Result<usize, String> {
    usize::try_from(whole(of, number)?).map_err(|_| "a count is negative".to_owned())
}

/// A set of characters. A lookup does not depend on the length of the text that they come from.
pub(crate) struct Letters(std::collections::BTreeSet<char>);

impl Letters {
    pub(crate) fn of(text: &str) -> Self {
        Self(text.chars().collect())
    }

    pub(crate) fn has(&self, letter: char) -> bool {
        self.0.contains(&letter)
    }
}

/// The whole numbers from one to before another.
pub(super) fn steps<'v>(start: i64, end: i64, step: i64) -> Result<'v> {
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

pub(super) fn elements<'n, 'v>(
    of: &'n [Value<'v>],
    number: usize,
) -> std::result::Result<&'n [Value<'v>], String> {
    match at(of, number)? {
        Value::List(elements, _) => Ok(elements),
        other => wrong("a list", other),
    }
}

fn int<'v>(value: usize) -> Value<'v> {
    Value::Int(i64::try_from(value).unwrap_or(i64::MAX))
}

pub(super) fn bounded(bytes: usize) -> std::result::Result<(), String> {
    if bytes > MAX_TEXT { Err("the result is too large".to_owned()) } else { Ok(()) }
}

/// Checks the length of a list before it is made.
pub(super) fn bounded_list(length: usize) -> std::result::Result<(), String> {
    bounded(length.saturating_mul(size_of::<Value<'_>>()))
}

/// The first place at or before a byte at which a character starts.
pub(super) fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

fn joined(values: &[Value<'_>], separator: &str) -> std::result::Result<String, String> {
    let mut out = String::new();
    for (number, value) in values.iter().enumerate() {
        let _ = write!(out, "{}{value}", if number > 0 { separator } else { "" });
        bounded(out.len())?;
    }
    Ok(out)
}

fn each(of: &[Value<'_>], write: impl Fn(&str) -> String) -> std::result::Result<String, String> {
    let mut out = String::new();
    for value in of.iter().filter(|value| !matches!(value, Value::Nil)) {
        out.push_str(if out.is_empty() { "" } else { " " });
        out.push_str(&write(&value.to_string()));
        bounded(out.len())?;
    }
    Ok(out)
}

fn indented(of: &[Value<'_>]) -> std::result::Result<String, String> {
    let (width, text) = (count(of, 0)?, text(of, 1)?);
    let lines = text.matches('\n').count() + 1;
    bounded(text.len() + lines.saturating_mul(width))?;
    let padding = " ".repeat(width);
    Ok(format!("{padding}{}", text.replace('\n', &format!("\n{padding}"))))
}

/// Changes the first letter of each word.
fn with_first(text: &str, change: impl Fn(char) -> String) -> String {
    let mut is_first = true;
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match is_first && char.is_alphanumeric() {
            true => out.push_str(&change(char)),
            false => out.push(char),
        }
        is_first = !char.is_alphanumeric() && char != '_' && char != '\'';
    }
    out
}

/// Splits a name into words in lower case: at underscores, dashes and spaces, and before upper case.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for char in text.chars() {
        let starts = char.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit());
        if matches!(char, '_' | '-' | ' ' | '.') || starts {
            words.push(String::new());
        }
        if !matches!(char, '_' | '-' | ' ' | '.')
            && let Some(word) = words.last_mut()
        {
            word.extend(char.to_lowercase());
        }
        before = char;
    }
    words.retain(|word| !word.is_empty());
    words
}

fn is_equal_to(one: &Value<'_>, other: &Value<'_>) -> std::result::Result<bool, String> {
    let is_same_kind = std::mem::discriminant(one) == std::mem::discriminant(other);
    match is_same_kind || matches!(one, Value::Nil) || matches!(other, Value::Nil) {
        true => Ok(one.equals(other)),
        false => Err(format!("{} and {} are not comparable", one.kind(), other.kind())),
    }
}

fn ordering(of: &[Value<'_>]) -> std::result::Result<std::cmp::Ordering, String> {
    let (one, other) = (at(of, 0)?, at(of, 1)?);
    one.compare(other)
        .ok_or_else(|| format!("{} and {} are not comparable", one.kind(), other.kind()))
}

fn fold<'v>(of: &[Value<'_>], combine: fn(i64, i64) -> Option<i64>) -> Result<'v> {
    let mut all = whole(of, 0)?;
    for number in 1..of.len() {
        all = combine(all, whole(of, number)?).ok_or(TOO_LARGE)?;
    }
    Ok(Value::Int(all))
}

fn divided<'v>(of: &[Value<'_>], divide: fn(i64, i64) -> Option<i64>) -> Result<'v> {
    let (one, other) = (whole(of, 0)?, whole(of, 1)?);
    if other == 0 {
        return Err("division by zero".to_owned());
    }
    Ok(Value::Int(divide(one, other).ok_or(TOO_LARGE)?))
}

fn index<'v>(of: &[Value<'v>]) -> Result<'v> {
    let mut value = at(of, 0)?.clone();
    for key in &of[1..] {
        value = match (&value, key) {
            (Value::List(elements, _), Value::Int(at)) => usize::try_from(*at)
                .ok()
                .and_then(|at| elements.get(at))
                .cloned()
                .ok_or_else(|| format!("{at} is out of range"))?,
            (Value::Dictionary(..), Value::Text(name)) => value.field(name).unwrap_or(Value::Nil),
            (other, _) => return wrong("a list or a dictionary", other),
        };
    }
    Ok(value)
}

fn slice<'v>(of: &[Value<'v>]) -> Result<'v> {
    let len = match at(of, 0)? {
        Value::Text(text) => text.len(),
        Value::List(elements, _) => elements.len(),
        other => return wrong("a text or a list", other),
    };
    let place = |number: usize, otherwise: usize| match of.len() > number {
        true => usize::try_from(whole(of, number)?).map_err(|_| "a place is negative".to_owned()),
        false => Ok(otherwise),
    };
    let range = place(1, 0)?..place(2, len)?;
    let outside = || format!("{}:{} is out of range", range.start, range.end);
    match at(of, 0)? {
        Value::Text(text) => {
            text.get(range.clone()).map(|part| Value::text(part.to_owned())).ok_or_else(outside)
        }
        Value::List(elements, _) => elements
            .get(range.clone())
            .map(|part| Value::list(part.iter().cloned()))
            .ok_or_else(outside),
        other => wrong("a text or a list", other),
    }
}

/// Formats as Go does: `%s`, `%v`, `%d`, `%q`, `%t`, `%f`, `%x`, with flags, width and precision.
fn printf<'v>(of: &[Value<'v>]) -> Result<'v> {
    let format = text(of, 0)?;
    let mut arguments = of[1..].iter();
    let mut out = String::new();
    let mut rest = &*format;
    while let Some(found) = rest.find('%') {
        out.push_str(&rest[..found]);
        rest = &rest[found + 1..];
        let flags = rest.len() - rest.trim_start_matches(['-', '+', '#', '0', ' ']).len();
        let (flags, tail) = rest.split_at(flags);
        let digits = tail.len() - tail.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let (width, tail) = tail.split_at(digits);
        let (precision, tail) = match tail.strip_prefix('.') {
            None => (None, tail),
            Some(tail) => {
                let len =
                    tail.len() - tail.trim_start_matches(|it: char| it.is_ascii_digit()).len();
                (Some(tail[..len].parse::<usize>().unwrap_or_default()), &tail[len..])
            }
        };
        let verb = tail.chars().next().ok_or("a verb is missing behind `%`")?;
        rest = &tail[verb.len_utf8()..];
        if verb == '%' {
            out.push('%');
            continue;
        }
        let value =
            arguments.next().ok_or_else(|| format!("the argument of %{verb} is missing"))?;
        let mut shown = match (verb, value) {
            ('s' | 'v', value) => value.to_string(),
            ('d', Value::Int(value)) => value.to_string(),
            ('t', Value::Bool(value)) => value.to_string(),
            ('x', Value::Int(value)) => {
                let sign = if *value < 0 { "-" } else { "" };
                format!("{sign}{:x}", value.unsigned_abs())
            }
            ('x', Value::Text(text)) => text.bytes().map(|byte| format!("{byte:02x}")).collect(),
            ('c', Value::Int(value)) => u32::try_from(*value)
                .ok()
                .and_then(char::from_u32)
                .unwrap_or('\u{fffd}')
                .to_string(),
            ('q', Value::Text(text)) => {
                let mut out = String::new();
                push_quoted(&mut out, text);
                out
            }
            ('f' | 'F', Value::Float(value)) => {
                format!("{value:.*}", precision.unwrap_or(6).min(100))
            }
            (verb, value) => return Err(format!("%{verb} of {}", value.kind())),
        };
        if flags.contains('+') && matches!(value, Value::Int(0..)) {
            shown.insert(0, '+');
        }
        if let ('s' | 'v', Value::Text(_), Some(precision)) = (verb, value, precision) {
            shown = shown.chars().take(precision).collect();
        }
        let width: usize = width.parse().unwrap_or_default();
        bounded(width)?;
        let missing = width.saturating_sub(shown.chars().count());
        let is_number = matches!(value, Value::Int(_) | Value::Float(_));
        match (flags.contains('-'), flags.contains('0') && is_number) {
            (true, _) => out.extend([shown.as_str(), &" ".repeat(missing)]),
            (false, true) => {
                let (sign, digits) = shown.split_at(usize::from(shown.starts_with(['-', '+'])));
                out.extend([sign, &"0".repeat(missing), digits]);
            }
            (false, false) => out.extend([&" ".repeat(missing), shown.as_str()]),
        }
        bounded(out.len())?;
    }
    out.push_str(rest);
    if arguments.next().is_some() {
        return Err("there are more arguments than verbs".to_owned());
    }
    Ok(Value::text(out))
}

/// Writes a string as Go quotes it.
fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            char if char < ' ' || char == '\u{7f}' => {
                let _ = write!(out, "\\x{:02x}", u32::from(char));
            }
            char if char.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(char));
            }
            char => out.push(char),
        }
    }
    out.push('"');
}

fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\0' => out.push('\u{fffd}'),
            '"' => out.push_str("&#34;"),
            '\'' => out.push_str("&#39;"),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            char => out.push(char),
        }
    }
    out
}

fn script(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\\' => out.push_str("\\\\"),
            '\'' => out.push_str("\\'"),
            '"' => out.push_str("\\\""),
            '<' | '>' | '&' | '=' => {
                let _ = write!(out, "\\u{:04X}", u32::from(char));
            }
            char if char < ' ' => {
                let _ = write!(out, "\\u{:04X}", u32::from(char));
            }
            char => out.push(char),
        }
    }
    out
}

fn query(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
