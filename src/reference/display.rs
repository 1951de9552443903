//! Formats references: subjects as addresses, further steps in the format of the tools.

use std::fmt::{self, Write};

use super::quoted::{Quoted, QuotedTemplate};
use super::{InstanceKey, LentReference, Mode, ResourceName, Subject};
use crate::native::{Key, Step, StepKind};
use crate::value::Decimal;

/// The maximum number of significant digits of a number as an index after a subject.
const DIGITS: usize = 10;

impl fmt::Display for ResourceName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.mode {
            Mode::Managed => "",
            Mode::Data => "data.",
            Mode::Ephemeral => "ephemeral.",
            Mode::List => "list.",
        })?;
        write!(f, "{}.{}", self.resource_type, self.name)
    }
}

impl fmt::Display for InstanceKey<'_> {
    /// Writes the key with its brackets: `[0]`, `["key"]`. Quotes, backslashes, controls and the
    /// introducers of templates are escaped as in native syntax.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "[{number}]"),
            Self::String(text) => write!(f, "[{}]", Quoted(text)),
        }
    }
}

impl fmt::Debug for LentReference<'_, '_> {
    /// Writes the whole reference like `Display`.
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
    /// Writes a step in the format of the tools: strings with the escapes of Go, numbers with ten
    /// significant digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            StepKind::Root(name) => f.write_str(name),
            StepKind::Attribute(name) => write!(f, ".{name}"),
            StepKind::Index(Key::String(text)) => write!(f, "[{}]", QuotedTemplate(text)),
            StepKind::Index(Key::Number(text)) => {
                f.write_char('[')?;
                f.write_str(&Decimal::of(text).general(Some(DIGITS), 'e'))?;
                f.write_char(']')
            }
            StepKind::Index(Key::Bool(_) | Key::Null) => f.write_str("[...]"),
            StepKind::Splat => f.write_str("[*]"),
        }
    }
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
