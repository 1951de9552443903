//! `format` and `formatlist`: text with verbs, similar to `printf`.
//!
//! A verb is `%`, flags (space, `+`, `-`, `0`, `#`), width, `.` and precision, `[n]` for the n-th
//! argument, and a letter: `v`, `t`, `b`, `d`, `o`, `x`, `X`, `e`, `E`, `f`, `g`, `G`, `s` or `q`.
//! Width and precision are at most a million.

use num_bigint::BigUint;
use unicode_segmentation::UnicodeSegmentation as _;

use super::builtin::{Builtin, function};
use super::call::{Call, MAX_ELEMENTS, Outcome, wrong};
use super::in_part;
use super::json::{write_json, write_string};
use crate::value::{Decimal, ElementType, Number, Quotation, Type, Value, convert, safe_start};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("format", |call| {
        let text = write(call, call.str(0)?, &call.arguments[1..])?;
        call.string(&text)
    })
    .in_part(|call| {
        let format = call.str(0).ok()?;
        let start = format.find('%').map_or(format, |at| &format[..at]);
        in_part::result(call, &write(call, format, &call.arguments[1..]).ok()?, safe_start(start))
    }),
    function("formatlist", format_list).partial(),
];

/// The maximum width and precision.
const MAX_WIDTH: usize = 1_000_000;

/// A verb of a format.
#[derive(Clone, Copy, Default)]
struct Verb {
    letter: char,
    is_alternate: bool,
    is_left: bool,
    has_plus: bool,
    has_space: bool,
    has_zeros: bool,
    width: usize,
    precision: Option<usize>,
}

/// Returns one line for each element of the lists among the arguments. Other arguments are the same
/// in each line.
fn format_list<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let strings = Type::List(ElementType::STRING);
    let (format, arguments) = (call.value(0)?, &call.arguments[1..]);
    let is_list = |value: Value<'a>| {
        matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_)) && !value.is_null()
    };
    let Some(format) = format.as_str() else { return Ok(Value::unknown(strings)) };
    let mut lines = None;
    for (index, &argument) in arguments.iter().enumerate().filter(|(_, value)| is_list(**value)) {
        let length = match argument.ty() {
            Type::Tuple(types) => types.len(),
            _ if !argument.is_known() => continue,
            _ => argument.elements().len(),
        };
        if *lines.get_or_insert(length) != length {
            return Err(wrong(index + 1, "the lists must have the same length"));
        }
    }
    if arguments.iter().any(|&value| !value.is_known() && (is_list(value) || value.is_dynamic())) {
        return Ok(Value::unknown(strings));
    }
    let lines = lines.unwrap_or(1);
    if lines > MAX_ELEMENTS {
        return Err(call.too_many());
    }
    let mut results = Vec::with_capacity(lines);
    let mut bytes = 0;
    for line in 0..lines {
        let element =
            |&value: &Value<'a>| if is_list(value) { value.elements()[line] } else { value };
        let row: Vec<_> = arguments.iter().map(element).collect();
        if !row.iter().all(|value| value.is_wholly_known()) {
            let text = write(call, format, &row).ok();
            let known = text.and_then(|text| in_part::result(call, &text, ""));
            results.push(known.unwrap_or(Value::unknown(Type::String)));
            continue;
        }
        let text = write(call, format, &row)?;
        bytes += text.len();
        call.room(bytes)?;
        results.push(call.string(&text)?);
    }
    Ok(call.list(Type::String, &results))
}

/// Writes the format with its verbs replaced.
fn write<'a>(call: Call<'_, 'a>, format: &str, arguments: &[Value<'a>]) -> Outcome<'a, String> {
    let mut out = String::new();
    let mut rest = format;
    let mut next = 0;
    let mut used = 0;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let at = rest.len() - after.len() - 1 + (format.len() - rest.len());
        let (verb, index, length) = read_verb(after).ok_or_else(|| {
            call.wrong(0, "the verb at byte {} is invalid", &[Quotation::Plain(&at)])
        })?;
        let source = &after[..length];
        rest = &after[length..];
        let argument = index.unwrap_or(next);
        next = argument + 1;
        used = used.max(next);
        let Some(&value) = arguments.get(argument) else {
            return Err(call.wrong(
                0,
                "\"%{}\" needs more arguments",
                &[Quotation::Value(&source)],
            ));
        };
        call.room(out.len() + verb.width + verb.precision.unwrap_or(0))?;
        append(call, &mut out, verb, value, argument + 1)?;
        call.room(out.len())?;
    }
    out.push_str(rest);
    if used < arguments.len() {
        return Err(wrong(used + 1, "the format uses fewer arguments"));
    }
    Ok(out)
}

/// Returns the verb after a percent sign, the argument that it formats, and its length in bytes.
fn read_verb(text: &str) -> Option<(Verb, Option<usize>, usize)> {
    let mut verb = Verb::default();
    let mut rest = text;
    loop {
        match rest.bytes().next()? {
            b' ' => verb.has_space = true,
            b'+' => verb.has_plus = true,
            b'-' => verb.is_left = true,
            b'0' => verb.has_zeros = true,
            b'#' => verb.is_alternate = true,
            _ => break,
        }
        rest = &rest[1..];
    }
    let number = |rest: &mut &str| -> Option<usize> {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = rest.split_at(digits);
        *rest = after;
        if digits == 0 {
            Some(0)
        } else {
            number.parse().ok().filter(|&number| number <= MAX_WIDTH)
        }
    };
    verb.width = number(&mut rest)?;
    if let Some(after) = rest.strip_prefix('.') {
        rest = after;
        verb.precision = Some(number(&mut rest)?);
    }
    let mut index = None;
    if let Some(after) = rest.strip_prefix('[') {
        rest = after;
        index = Some(number(&mut rest)?.checked_sub(1)?);
        rest = rest.strip_prefix(']')?;
    }
    verb.letter = rest.chars().next().filter(char::is_ascii_alphabetic)?;
    Some((verb, index, text.len() - rest.len() + 1))
}

/// Writes a value with a verb. `index` is the index of the argument in the call.
fn append<'a>(
    call: Call<'_, 'a>,
    out: &mut String,
    verb: Verb,
    value: Value<'a>,
    index: usize,
) -> Outcome<'a, ()> {
    if !value.is_wholly_known() {
        let is_plain =
            matches!(verb.letter, 's' | 'v') && verb.width == 0 && verb.precision.is_none();
        let known = in_part::hole_or_text(value).filter(|_| is_plain && !verb.is_alternate);
        out.push_str(known.unwrap_or("\0"));
        return Ok(());
    }
    if verb.letter != 'v' && value.is_null() {
        return Err(wrong(index, "null can only be formatted with \"%v\""));
    }
    let converted =
        |ty| convert(call.arena, value, ty).map_err(|error| call.unconverted(index, &error));
    let number =
        || converted(Type::Number)?.as_number().ok_or(wrong(index, "a number is required"));
    match verb.letter {
        'v' => {
            let json = |out: &mut String| write_json(call, out, value);
            let mut text = String::new();
            match (value.as_str(), value.as_number()) {
                (Some(string), _) if !verb.is_alternate => text.push_str(string),
                (_, Some(number)) if !verb.is_alternate => {
                    text = decimal(call, number, index)?.general(None, 'e');
                }
                _ => json(&mut text)?,
            }
            pad_text(out, verb, &text);
        }
        't' => {
            let bool =
                converted(Type::Bool)?.as_bool().ok_or(wrong(index, "a bool is required"))?;
            out.push_str(if bool { "true" } else { "false" });
        }
        's' | 'q' => {
            let string = converted(Type::String)?;
            let mut text = string.as_str().ok_or(wrong(index, "a string is required"))?;
            if let Some(precision) = verb.precision.filter(|&precision| precision > 0)
                && let Some((end, _)) = text.grapheme_indices(true).nth(precision)
            {
                text = &text[..end];
            }
            let mut quoted = String::new();
            if verb.letter == 'q' {
                write_string(&mut quoted, text);
                text = &quoted;
            }
            pad_text(out, verb, text);
        }
        'b' | 'd' | 'o' | 'x' | 'X' => integer(call, out, verb, number()?, index)?,
        'e' | 'E' | 'f' | 'g' | 'G' => float(call, out, verb, number()?, index)?,
        _ => return Err(call.wrong(0, "unknown verb \"%{}\"", &[Quotation::Value(&verb.letter)])),
    }
    Ok(())
}

/// Writes text, padded with spaces or zeros to the width.
fn pad_text(out: &mut String, verb: Verb, text: &str) {
    let missing =
        if verb.width > 0 { verb.width.saturating_sub(text.graphemes(true).count()) } else { 0 };
    let fill = std::iter::repeat_n(if verb.has_zeros { '0' } else { ' ' }, missing);
    if verb.is_left {
        out.push_str(text);
        out.extend(fill);
    } else {
        out.extend(fill);
        out.push_str(text);
    }
}

fn integer<'a>(
    call: Call<'_, 'a>,
    out: &mut String,
    verb: Verb,
    number: Number<'a>,
    index: usize,
) -> Outcome<'a, ()> {
    if !number.is_integer() {
        return Err(wrong(index, "an integer is required"));
    }
    let text = call.digits(number).map_err(|_| wrong(index, TOO_LONG))?;
    let decimal = text.trim_start_matches('-');
    // The binary digits of a number take more than three times the memory of its decimal digits.
    if decimal.len() > MAX_INTEGER && verb.letter != 'd' {
        return Err(wrong(index, TOO_LONG));
    }
    let (digits, prefix) = match verb.letter {
        'b' => (in_base(decimal, 2), "0b"),
        'o' => (in_base(decimal, 8), "0"),
        'x' => (in_base(decimal, 16), "0x"),
        'X' => (in_base(decimal, 16).to_ascii_uppercase(), "0X"),
        _ => (decimal.to_owned(), ""),
    };
    if digits == "0" && verb.precision == Some(0) {
        return Ok(());
    }
    let prefix = if verb.is_alternate { prefix } else { "" };
    let is_negative = text.starts_with('-') && digits != "0";
    let sign = sign(verb, is_negative);
    let mut zeros = verb.precision.unwrap_or(0).saturating_sub(digits.len());
    let mut spaces = verb.width.saturating_sub(sign.len() + prefix.len() + zeros + digits.len());
    if verb.has_zeros && !verb.is_left && verb.precision.is_none() {
        zeros += std::mem::take(&mut spaces);
    }
    let spaces = std::iter::repeat_n(' ', spaces);
    if !verb.is_left {
        out.extend(spaces.clone());
    }
    out.push_str(sign);
    out.push_str(prefix);
    out.extend(std::iter::repeat_n('0', zeros));
    out.push_str(&digits);
    if verb.is_left {
        out.extend(spaces);
    }
    Ok(())
}

const TOO_LONG: &str = "the number has too many digits";

/// The maximum number of decimal digits that are converted to another base.
const MAX_INTEGER: usize = 4096;

fn sign(verb: Verb, is_negative: bool) -> &'static str {
    match verb {
        _ if is_negative => "-",
        Verb { has_plus: true, .. } => "+",
        Verb { has_space: true, .. } => " ",
        _ => "",
    }
}

/// Converts decimal digits to another base.
fn in_base(decimal: &str, base: u32) -> String {
    BigUint::parse_bytes(decimal.as_bytes(), 10).unwrap_or_default().to_str_radix(base)
}

/// Returns a number by all its digits.
fn decimal<'a>(call: Call<'_, 'a>, number: Number<'a>, index: usize) -> Outcome<'a, Decimal> {
    call.digits(number).map(Decimal::of).map_err(|_| wrong(index, TOO_LONG))
}

fn float<'a>(
    call: Call<'_, 'a>,
    out: &mut String,
    verb: Verb,
    number: Number<'a>,
    index: usize,
) -> Outcome<'a, ()> {
    let decimal = self::decimal(call, number, index)?;
    let exponent = if verb.letter.is_ascii_uppercase() { 'E' } else { 'e' };
    let text = match verb.letter.to_ascii_lowercase() {
        'f' => decimal.fixed(verb.precision.unwrap_or(6)),
        'e' => decimal.scientific(verb.precision.unwrap_or(6), exponent),
        _ => decimal.general(verb.precision, exponent),
    };
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.as_str()),
    };
    let sign = if digits == "Inf" && !is_negative && !verb.has_space {
        "+"
    } else {
        sign(verb, is_negative)
    };
    let missing = verb.width.saturating_sub(sign.len() + digits.len());
    if verb.has_zeros && digits != "Inf" {
        out.push_str(sign);
        out.extend(std::iter::repeat_n('0', missing));
        out.push_str(digits);
    } else {
        let fill = std::iter::repeat_n(' ', missing);
        if !verb.is_left {
            out.extend(fill.clone());
        }
        out.push_str(sign);
        out.push_str(digits);
        if verb.is_left {
            out.extend(fill);
        }
    }
    Ok(())
}
