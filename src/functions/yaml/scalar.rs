//! The value of a scalar, by its tag and its text.

use super::scanner::Style;
use crate::functions::call::{Call, Outcome};
use crate::functions::date::loose_timestamp;
use crate::functions::encoding::from_base64;
use crate::value::{Number, Quotation, Type, Value};

const STRING: &str = "tag:yaml.org,2002:str";
const BOOL: &str = "tag:yaml.org,2002:bool";
const INTEGER: &str = "tag:yaml.org,2002:int";
const FLOAT: &str = "tag:yaml.org,2002:float";
const NULL: &str = "tag:yaml.org,2002:null";
const TIMESTAMP: &str = "tag:yaml.org,2002:timestamp";
const BINARY: &str = "tag:yaml.org,2002:binary";
pub(super) const MERGE: &str = "tag:yaml.org,2002:merge";

/// A text that stands for a value, if it is not in quotes.
enum Word {
    Bool(bool),
    Null,
    Infinity { is_negative: bool },
}

fn word(text: &str) -> Option<Word> {
    Some(match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Word::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Word::Bool(false)
        }
        "" | "~" | "null" | "Null" | "NULL" => Word::Null,
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            Word::Infinity { is_negative: false }
        }
        "-.inf" | "-.Inf" | "-.INF" => Word::Infinity { is_negative: true },
        _ => return None,
    })
}

/// Returns the value of a scalar.
pub(super) fn resolve<'a>(call: Call<'_, 'a>, tag: &str, text: &str, style: Style) -> Outcome<'a> {
    if !matches!(tag, "" | STRING | BOOL | INTEGER | FLOAT | NULL | TIMESTAMP | BINARY) {
        return Err(call.wrong(0, "the tag {} is not supported", &[Quotation::Text(tag)]));
    }
    let quotations = [Quotation::Text(text), Quotation::Text(tag)];
    let cannot = || call.wrong(0, "{} is not a value of the tag {}", &quotations);
    let number = |text: &str| Number::parse(call.arena, text).ok().map(Value::number);
    let first = text.bytes().next();
    // A text that starts in another way is only a string.
    let may_be_special = first.is_none_or(|byte| {
        matches!(byte, b'+' | b'-' | b'.' | b'~' | b'0'..=b'9') || b"yYnNtTfFoO".contains(&byte)
    });
    let mut tag = tag;
    if may_be_special && tag != STRING && tag != BINARY {
        if style == Style::Quoted {
            return call.string(text);
        }
        match word(text) {
            Some(Word::Bool(value)) => return Ok(Value::bool(value)),
            Some(Word::Null) => return Ok(Value::null(Type::Dynamic)),
            Some(Word::Infinity { is_negative }) => {
                let text = if is_negative { "-Inf" } else { "Inf" };
                return number(text).ok_or_else(cannot);
            }
            None => {}
        }
        if tag.is_empty() && matches!(text, ".nan" | ".NaN" | ".NAN") {
            return Err(call.wrong(0, "{} is not a number here", &[Quotation::Text(text)]));
        }
        match first {
            Some(b'.') => {
                if let Some(value) = number(text) {
                    return Ok(value);
                }
            }
            Some(b'+' | b'-' | b'0'..=b'9') => {
                if matches!(tag, "" | TIMESTAMP)
                    && let Some(timestamp) = loose_timestamp(text)
                {
                    return call.string(&timestamp);
                }
                if is_number(text) {
                    tag = INTEGER;
                }
            }
            _ => {}
        }
    }
    match tag {
        "" | STRING => call.string(text),
        BINARY => {
            from_base64(text).ok_or_else(cannot)?;
            call.string(text)
        }
        BOOL => match word(text) {
            Some(Word::Bool(value)) => Ok(Value::bool(value)),
            _ => Err(cannot()),
        },
        NULL => Ok(Value::null(Type::Dynamic)),
        TIMESTAMP => match loose_timestamp(text) {
            Some(timestamp) => call.string(&timestamp),
            None => Err(cannot()),
        },
        _ => {
            let plain = text.replace('_', "");
            let parsed = number(&plain).or_else(|| integer(&plain).and_then(|text| number(&text)));
            parsed.ok_or_else(cannot)
        }
    }
}

/// Whether a text is a number of the core schema of YAML 1.2.
fn is_number(text: &str) -> bool {
    let all = |text: &str, is_digit: fn(&u8) -> bool| {
        !text.is_empty() && text.as_bytes().iter().all(is_digit)
    };
    if let Some(octal) = text.strip_prefix("0o") {
        return all(octal, |byte| matches!(byte, b'0'..=b'7'));
    }
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return all(hexadecimal, u8::is_ascii_hexdigit);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let is_exponent = exponent.is_none_or(|exponent| {
        all(exponent.strip_prefix(['+', '-']).unwrap_or(exponent), u8::is_ascii_digit)
    });
    let is_mantissa = match mantissa.split_once('.') {
        Some(("", fraction)) => all(fraction, u8::is_ascii_digit),
        Some((whole, fraction)) => {
            all(whole, u8::is_ascii_digit)
                && (fraction.is_empty() || all(fraction, u8::is_ascii_digit))
        }
        None => all(mantissa, u8::is_ascii_digit),
    };
    is_exponent && is_mantissa
}

/// Reads an integer with a prefix of its base, as Go does: at most 64 bits. Returns it in decimal
/// digits.
fn integer(text: &str) -> Option<String> {
    let (is_negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let lower = unsigned.to_ascii_lowercase();
    let (digits, base) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'o', ..] => (&lower[2..], 8),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', _, ..] => (&lower[1..], 8),
        _ => (&lower[..], 10),
    };
    if digits.starts_with('+') {
        return None;
    }
    let number = u64::from_str_radix(digits, base).ok()?;
    let has_sign = unsigned.len() < text.len();
    let most = match (has_sign, is_negative) {
        (false, _) => u64::MAX,
        (true, false) => i64::MAX as u64,
        (true, true) => 1 << 63,
    };
    (number <= most).then(|| format!("{}{number}", if is_negative { "-" } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for text in ["0", "+1", "-1", "1.", ".5", "1.5", "1e3", "1.5E-3", "0o17", "0xfF", "007"] {
            assert!(is_number(text), "{text}");
        }
        for text in ["", "+", ".", "1_0", "0o8", "0x", "-0x1", "1e", "e1", ".e1", "1.5.", "0b1"] {
            assert!(!is_number(text), "{text}");
        }
        for (text, number) in [
            ("0x10", Some("16")),
            ("-0x10", Some("-16")),
            ("0o17", Some("15")),
            ("017", Some("15")),
            ("0b101", Some("5")),
            ("0xffffffffffffffff", Some("18446744073709551615")),
            ("+0xffffffffffffffff", None),
            ("0x10000000000000000", None),
            ("0x+1", None),
            ("0x", None),
            ("", None),
        ] {
            assert_eq!(integer(text).as_deref(), number, "{text}");
        }
    }
}
