//! How references are written: subjects as addresses, the steps behind them as the tools print them.

use std::fmt::{self, Write};

use unicode_normalization::char::is_combining_mark;

use super::{InstanceKey, LentReference, Mode, ResourceName, Subject};
use crate::native::{Key, Step, StepKind};

/// How many significant digits a number has as an index behind a subject.
const DIGITS: usize = 10;

impl fmt::Display for ResourceName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.mode {
            Mode::Managed => "",
            Mode::Data => "data.",
            Mode::Ephemeral => "ephemeral.",
        })?;
        write!(f, "{}.{}", self.resource_type, self.name)
    }
}

impl fmt::Display for InstanceKey<'_> {
    /// With its brackets: `[0]`, `["key"]`. Quotes, backslashes, controls and the introducers of
    /// templates are escaped as in native syntax.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "[{number}]"),
            Self::String(text) => {
                f.write_str("[\"")?;
                let mut rest = text.chars().peekable();
                while let Some(character) = rest.next() {
                    match character {
                        '$' | '%' if rest.peek() == Some(&'{') => {
                            write!(f, "{character}{character}")?;
                        }
                        _ => write_escaped(f, character)?,
                    }
                }
                f.write_str("\"]")
            }
        }
    }
}

impl fmt::Debug for LentReference<'_, '_> {
    /// The whole of it, as it is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Subject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(name) => write!(f, "count.{name}"),
            Self::Each(name) => write!(f, "each.{name}"),
            Self::Path(name) => write!(f, "path.{name}"),
            Self::Terraform(root, name) => write!(f, "{root}.{name}"),
            Self::Variable(name) => write!(f, "var.{name}"),
            Self::Local(name) => write!(f, "local.{name}"),
            Self::Itself => f.write_str("self"),
            Self::Action(action, None) => action.fmt(f),
            Self::Action(action, Some(key)) => write!(f, "{action}{key}"),
            Self::ModuleCall(name) => write!(f, "module.{name}"),
            Self::ModuleInstance(name, key) => write!(f, "module.{name}{key}"),
            Self::ModuleOutput { call, key: Some(key), output } => {
                write!(f, "module.{call}{key}.{output}")
            }
            Self::ModuleOutput { call, key: None, output } => {
                write!(f, "module.{call}.{output}")
            }
            Self::Resource(resource) | Self::ResourceInstance(resource, None) => resource.fmt(f),
            Self::ResourceInstance(resource, Some(key)) => write!(f, "{resource}{key}"),
        }
    }
}

impl fmt::Display for LentReference<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.subject.fmt(f)?;
        self.remaining().iter().try_for_each(|step| step.fmt(f))
    }
}

impl fmt::Display for Step<'_> {
    /// As the tools print steps: strings with the escapes of Go, numbers with ten significant digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            StepKind::Root(name) => f.write_str(name),
            StepKind::Attribute(name) => write!(f, ".{name}"),
            StepKind::Index(Key::String(text)) => {
                f.write_str("[\"")?;
                text.chars().try_for_each(|character| write_escaped(f, character))?;
                f.write_str("\"]")
            }
            StepKind::Index(Key::Number(text)) => {
                f.write_char('[')?;
                write_general(f, text)?;
                f.write_char(']')
            }
            StepKind::Index(Key::Bool(_) | Key::Null) => f.write_str("[...]"),
            StepKind::Splat => f.write_str("[*]"),
        }
    }
}

/// A character of a quoted string.
fn write_escaped(f: &mut fmt::Formatter<'_>, character: char) -> fmt::Result {
    match character {
        '"' => f.write_str("\\\""),
        '\\' => f.write_str("\\\\"),
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        _ if is_printable(character) => f.write_char(character),
        _ if u32::from(character) > 0xFFFF => write!(f, "\\U{:08x}", u32::from(character)),
        _ => write!(f, "\\u{:04x}", u32::from(character)),
    }
}

/// Whether a character shows as itself, so that the tools print it as it is. `Debug` knows, but for combining
/// marks.
pub(crate) fn is_printable(character: char) -> bool {
    match character {
        ' '..='~' => true,
        '\0'..='\u{9F}' => false,
        _ => is_combining_mark(character) || character.escape_debug().len() == 1,
    }
}

/// A decimal number rounded to [`DIGITS`] significant digits; with an exponent where it is large or small.
fn write_general(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().unwrap_or(i64::MAX / 2)),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = || whole.bytes().chain(fraction.bytes());
    let leading = digits().take_while(|&digit| digit == b'0').count();
    let mut kept: Vec<u8> =
        digits().skip(leading).take(DIGITS + 1).map(|digit| digit - b'0').collect();
    // The place of the first digit: 0 for units.
    let mut place = (whole.len() as i64 - leading as i64 - 1).saturating_add(exponent);
    if kept.len() > DIGITS {
        let behind_are_zero = digits().skip(leading + DIGITS + 1).all(|digit| digit == b'0');
        let next = kept.pop().unwrap_or_default();
        let is_odd = kept.last().is_some_and(|last| last % 2 == 1);
        if next > 5 || (next == 5 && (!behind_are_zero || is_odd)) {
            let carry = kept.iter().rposition(|&digit| digit < 9);
            match carry {
                Some(at) => {
                    kept[at] += 1;
                    kept.truncate(at + 1);
                }
                None => {
                    kept = vec![1];
                    place = place.saturating_add(1);
                }
            }
        }
    }
    while kept.last() == Some(&0) {
        kept.pop();
    }
    if kept.is_empty() {
        return f.write_char('0');
    }
    let digit = |at: usize| char::from(b'0' + kept.get(at).copied().unwrap_or_default());
    if !(-4..DIGITS as i64).contains(&place) {
        f.write_char(digit(0))?;
        if kept.len() > 1 {
            f.write_char('.')?;
            (1..kept.len()).try_for_each(|at| f.write_char(digit(at)))?;
        }
        let sign = if place < 0 { '-' } else { '+' };
        return write!(f, "e{sign}{:02}", place.unsigned_abs());
    }
    if place < 0 {
        f.write_str("0.")?;
        (1..-place).try_for_each(|_| f.write_char('0'))?;
        return (0..kept.len()).try_for_each(|at| f.write_char(digit(at)));
    }
    let units = place as usize + 1;
    (0..units).try_for_each(|at| f.write_char(digit(at)))?;
    if kept.len() > units {
        f.write_char('.')?;
        (units..kept.len()).try_for_each(|at| f.write_char(digit(at)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    fn step(kind: StepKind<'_>) -> String {
        Step { kind, span: Span::default() }.to_string()
    }

    #[test]
    fn numbers_have_ten_digits() {
        for (text, expected) in [
            ("0", "0"),
            ("0.00", "0"),
            ("7", "7"),
            ("007", "7"),
            ("100", "100"),
            ("1e2", "100"),
            ("1.5", "1.5"),
            ("12345678901", "1.23456789e+10"),
            ("12345678951", "1.234567895e+10"),
            ("9999999999", "9999999999"),
            ("99999999999", "1e+11"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("1.00000000005", "1"),
            ("1.0000000015", "1.000000002"),
            ("1.0000000025", "1.000000002"),
            ("1e400", "1e+400"),
        ] {
            assert_eq!(step(StepKind::Index(Key::Number(text))), format!("[{expected}]"), "{text}");
        }
    }

    #[test]
    fn keys_are_quoted() {
        let key = |text| InstanceKey::String(text).to_string();
        assert_eq!(key("a\"b\\c\td"), r#"["a\"b\\c\td"]"#);
        assert_eq!(key("${q}%{r}$$x"), r#"["$${q}%%{r}$$x"]"#);
        assert_eq!(key("é e\u{301}\u{7f}\u{1}"), "[\"é e\u{301}\\u007f\\u0001\"]");
        assert_eq!(step(StepKind::Index(Key::String("${q}"))), r#"["${q}"]"#);
        assert_eq!(InstanceKey::Number(-1).to_string(), "[-1]");
    }
}
