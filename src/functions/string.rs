//! Functions of text without patterns and verbs. Characters are grapheme clusters, as in OpenTofu.

use unicode_segmentation::UnicodeSegmentation as _;

use super::builtin::{Builtin, function};
use super::call::{Call, MAX_ELEMENTS, Outcome, failed, wrong};
use super::in_part;
use crate::value::{Type, Value};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("chomp", |call| call.string(call.str(0)?.trim_end_matches(['\r', '\n']))),
    function("endswith", |call| Ok(Value::bool(call.str(0)?.ends_with(call.str(1)?)))),
    function("indent", indent),
    function("join", join).in_part(|call| in_part::result(call, &joined(call).ok()?, "")),
    function("lower", |call| call.string(&call.str(0)?.chars().map(to_lower).collect::<String>()))
        .in_part(|call| in_part::mapped(call, to_lower)),
    function("sort", sort).partial(),
    function("split", split),
    function("startswith", |call| Ok(Value::bool(call.str(0)?.starts_with(call.str(1)?))))
        .in_part(starts_in_part),
    function("strcontains", |call| Ok(Value::bool(call.str(0)?.contains(call.str(1)?)))),
    function("strrev", |call| call.string(&call.str(0)?.graphemes(true).rev().collect::<String>())),
    function("substr", substr),
    function("title", title),
    function("trim", trim),
    function("trimprefix", |call| {
        let text = call.str(0)?;
        call.string(text.strip_prefix(call.str(1)?).unwrap_or(text))
    }),
    function("trimspace", |call| call.string(call.str(0)?.trim())),
    function("trimsuffix", |call| {
        let text = call.str(0)?;
        call.string(text.strip_suffix(call.str(1)?).unwrap_or(text))
    }),
    function("upper", |call| call.string(&call.str(0)?.chars().map(to_upper).collect::<String>()))
        .in_part(|call| in_part::mapped(call, to_upper)),
];

/// Returns the simple lowercase mapping of UnicodeData.txt.
fn to_lower(c: char) -> char {
    let mut lower = c.to_lowercase();
    // Only U+0130 has a mapping of two characters; its first one is the simple mapping.
    lower.next().unwrap_or(c)
}

/// Returns the simple uppercase mapping of UnicodeData.txt.
fn to_upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next(), c) {
        (Some(upper), None, _) => upper,
        // Greek letters with an iota subscript map to the letter with a prosgegrammeni, eight or
        // nine code points later.
        (_, _, '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}') => {
            char::from_u32(u32::from(c) + 8).unwrap_or(c)
        }
        (_, _, '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}') => {
            char::from_u32(u32::from(c) + 9).unwrap_or(c)
        }
        _ => c,
    }
}

/// Like [`to_upper`], except for digraphs with one capital letter, and for Georgian, which has no
/// title case.
fn to_title(c: char) -> char {
    match c {
        '\u{1c4}'..='\u{1c6}' => '\u{1c5}',
        '\u{1c7}'..='\u{1c9}' => '\u{1c8}',
        '\u{1ca}'..='\u{1cc}' => '\u{1cb}',
        '\u{1f1}'..='\u{1f3}' => '\u{1f2}',
        '\u{10d0}'..='\u{10fa}' | '\u{10fd}'..='\u{10ff}' => c,
        _ => to_upper(c),
    }
}

fn title<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let is_separator = |c: char| {
        if c.is_ascii() { !c.is_ascii_alphanumeric() && c != '_' } else { c.is_whitespace() }
    };
    let mut before = ' ';
    let titled = |c| {
        let titled = if is_separator(before) { to_title(c) } else { c };
        before = c;
        titled
    };
    call.string(&call.str(0)?.chars().map(titled).collect::<String>())
}

fn indent<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let Ok(spaces) = usize::try_from(call.integer(0)?) else {
        return Err(wrong(0, "the number must not be negative"));
    };
    let text = call.str(1)?;
    let lines = text.bytes().filter(|&byte| byte == b'\n').count();
    call.room(lines.saturating_mul(spaces).saturating_add(text.len()))?;
    let spaces = if lines == 0 { 0 } else { spaces };
    call.string(&text.replace('\n', &format!("\n{:spaces$}", "")))
}

fn join<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    if call.arguments.len() < 2 {
        return Err(failed("at least one list is required"));
    }
    call.string(&joined(call)?)
}

/// The result of `join`. An unknown part is a hole.
fn joined<'a>(call: Call<'_, 'a>) -> Outcome<'a, String> {
    let separator = call.str(0)?;
    let mut joined = String::new();
    let mut is_first = true;
    for (index, list) in call.arguments.iter().enumerate().skip(1) {
        if !list.is_known() {
            return Err(wrong(index, "the list is not known yet"));
        }
        for element in list.elements() {
            let Some(text) = in_part::hole_or_text(*element) else {
                return Err(wrong(index, "an element is null"));
            };
            if !is_first {
                joined.push_str(separator);
            }
            is_first = false;
            joined.push_str(text);
            call.room(joined.len())?;
        }
    }
    Ok(joined)
}

/// Whether a text starts with another, as far as its known start tells. As in the tools, a longer text is not
/// compared with it.
fn starts_in_part<'a>(call: Call<'_, 'a>) -> Option<Value<'a>> {
    let (start, wanted) = (call.value(0).ok()?.known_start(), call.str(1).ok()?);
    (wanted.len() <= start.len()).then(|| Value::bool(start.starts_with(wanted)))
}

fn sort<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let mut elements = call.value(0)?.elements().to_vec();
    if elements.iter().any(|element| !element.is_known()) {
        // Their order is not known, but how many there are is.
        elements.fill(Value::unknown(Type::String));
        return Ok(call.list(Type::String, &elements));
    }
    if elements.iter().any(|element| element.as_str().is_none()) {
        return Err(failed("null cannot be sorted"));
    }
    elements.sort_by_key(|element| element.as_str());
    Ok(call.list(Type::String, &elements))
}

fn split<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let (separator, text) = (call.str(0)?, call.str(1)?);
    let mut parts = Vec::new();
    let mut push = |part: &str| {
        if parts.len() == MAX_ELEMENTS {
            return Err(call.too_many());
        }
        parts.push(call.string(part)?);
        Ok(())
    };
    if separator.is_empty() {
        let mut bytes = [0; 4];
        text.chars().try_for_each(|c| push(c.encode_utf8(&mut bytes)))?;
    } else {
        text.split(separator).try_for_each(&mut push)?;
    }
    Ok(call.list(Type::String, &parts))
}

/// Returns `length` characters from `offset` on. A negative offset is counted from the end. A
/// negative length selects the rest, and so does 0 after a negative offset.
fn substr<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let (text, offset, length) = (call.str(0)?, call.integer(1)?, call.integer(2)?);
    if offset >= 0 && length == 0 {
        return call.string("");
    }
    let skipped = usize::try_from(offset).unwrap_or_else(|_| {
        let before_end = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
        text.graphemes(true).count().saturating_sub(before_end)
    });
    let after = |text: &'a str, count| {
        text.grapheme_indices(true).nth(count).map_or(text.len(), |(start, _)| start)
    };
    let rest = &text[after(text, skipped)..];
    match usize::try_from(length) {
        Ok(length) if length > 0 => call.string(&rest[..after(rest, length)]),
        _ => call.string(rest),
    }
}

fn trim<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let mut cutset: Vec<char> = call.str(1)?.chars().collect();
    cutset.sort_unstable();
    call.string(call.str(0)?.trim_matches(|c| cutset.binary_search(&c).is_ok()))
}
