//! Values of templates.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::rc::Rc;

use super::number::{TOO_LARGE, fractional};
use crate::arena::Arena;
use crate::docs::json_text::{of_float, push_string};
use crate::document::Document;
use crate::value::{Content, Value as Known, from_node};

/// A value. Lists and dictionaries are shared.
#[derive(Clone)]
pub(crate) enum Value<'v> {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Cow<'v, str>),
    List(Rc<[Value<'v>]>, Extent),
    /// Entries by name. One that is missing is nil.
    Dictionary(Rc<BTreeMap<String, Value<'v>>>, Extent),
    /// Fields by name. One that is missing is an error.
    Record(Rc<BTreeMap<&'static str, Value<'v>>>),
}

/// How large a value is: it is printed, compared and dropped by recursion, and parts can be shared.
#[derive(Clone, Copy, Default)]
pub(crate) struct Extent {
    depth: usize,
    /// Bytes of values and of their texts.
    size: usize,
}

impl Extent {
    const MAX_DEPTH: usize = 64;
    const MAX_SIZE: usize = 16 << 20;
    /// The extent of a value that has no parts.
    const ONE: Self = Self { depth: 0, size: size_of::<Value<'static>>() };

    /// The extent of a collection.
    fn around<'n, 'v: 'n>(parts: impl Iterator<Item = &'n Value<'v>>) -> Self {
        parts.map(Value::extent).fold(Self { depth: 1, ..Self::ONE }, |all, part| Self {
            depth: all.depth.max(part.depth + 1),
            size: all.size.saturating_add(part.size),
        })
    }

    fn is_too_large(self) -> bool {
        self.depth > Self::MAX_DEPTH || self.size > Self::MAX_SIZE
    }
}

/// Returns a record of fields.
pub(crate) fn record<'v>(fields: impl IntoIterator<Item = (&'static str, Value<'v>)>) -> Value<'v> {
    Value::Record(Rc::new(fields.into_iter().collect()))
}

impl<'v> Value<'v> {
    pub(crate) fn text(text: impl Into<Cow<'v, str>>) -> Self {
        Self::Text(text.into())
    }

    /// Returns a list. One that is too large is an error of the template, so that what a module declares
    /// always fits ([`checked`](Self::checked)).
    pub(crate) fn list(elements: impl IntoIterator<Item = Self>) -> Self {
        let elements: Rc<[Self]> = elements.into_iter().collect();
        let extent = Extent::around(elements.iter());
        Self::List(elements, extent)
    }

    /// Returns a JSON value. Numbers are floats, as for Go.
    ///
    /// Cost: linear in the text.
    ///
    /// # Errors
    /// It is not JSON, has a number that is too large, or more levels than are printed by recursion.
    pub(crate) fn from_json(text: &str) -> Result<Self, String> {
        let arena = Arena::new();
        let document = Document::parse_bytes(&arena, "json", text.as_bytes());
        let document = document.map_err(|error| error.to_string())?;
        let value = from_node(&arena, document.root()).map_err(|error| error.to_string())?;
        Self::of_known(value, &arena, Extent::MAX_DEPTH)
    }

    fn of_known(value: Known<'_>, arena: &Arena, levels: usize) -> Result<Self, String> {
        let Some(below) = levels.checked_sub(1) else {
            return Err("it has too many levels".to_owned());
        };
        Ok(match value.content() {
            Content::Null | Content::Unknown { .. } => Self::Nil,
            Content::Bool(value) => Self::Bool(value),
            Content::Number(value) => {
                let text = value.to_literal(arena).map_err(|error| error.to_string())?;
                Self::Float(fractional(text)?.ok_or(TOO_LARGE)?)
            }
            Content::String(text) => Self::text(text.to_owned()),
            Content::Elements(elements) => {
                let elements = elements.iter().map(|it| Self::of_known(*it, arena, below));
                Self::list(elements.collect::<Result<Vec<_>, _>>()?)
            }
            Content::Entries(entries) => {
                let entries = entries.iter();
                let entries = entries
                    .map(|(name, it)| Ok(((*name).to_owned(), Self::of_known(*it, arena, below)?)));
                Self::dictionary(entries.collect::<Result<_, String>>()?)
            }
        })
    }

    pub(super) fn dictionary(entries: BTreeMap<String, Self>) -> Self {
        let mut extent = Extent::around(entries.values());
        let names: usize = entries.keys().map(String::len).sum();
        extent.size = extent.size.saturating_add(names);
        Self::Dictionary(Rc::new(entries), extent)
    }

    fn extent(&self) -> Extent {
        match self {
            Self::Text(text) => Extent { size: Extent::ONE.size + text.len(), ..Extent::ONE },
            Self::List(_, extent) | Self::Dictionary(_, extent) => *extent,
            _ => Extent::ONE,
        }
    }

    /// The bytes of its parts and their texts.
    pub(super) fn size(&self) -> usize {
        self.extent().size
    }

    /// Returns the value, or an error if it is too large or too deep.
    pub(super) fn checked(self) -> Result<Self, String> {
        match self.extent().is_too_large() {
            true => Err("the result is too large".to_owned()),
            false => Ok(self),
        }
    }

    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::Nil => false,
            Self::Bool(value) => *value,
            Self::Int(value) => *value != 0,
            Self::Float(value) => *value != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::List(elements, _) => !elements.is_empty(),
            Self::Dictionary(entries, _) => !entries.is_empty(),
            Self::Record(_) => true,
        }
    }

    /// Returns a field; `None` if it does not exist.
    pub(super) fn field(&self, name: &str) -> Option<Self> {
        match self {
            Self::Dictionary(entries, _) => Some(entries.get(name).cloned().unwrap_or(Self::Nil)),
            Self::Record(fields) => fields.get(name).cloned(),
            _ => None,
        }
    }

    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Nil => "nil",
            Self::Bool(_) => "a boolean",
            Self::Int(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(..) => "a list",
            Self::Dictionary(..) => "a dictionary",
            Self::Record(_) => "a record",
        }
    }

    /// Compares values of the same kind.
    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(one), Self::Int(other)) => Some(one.cmp(other)),
            (Self::Float(one), Self::Float(other)) => one.partial_cmp(other),
            (Self::Text(one), Self::Text(other)) => Some(one.cmp(other)),
            _ => None,
        }
    }

    pub(super) fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nil, Self::Nil) => true,
            (Self::Bool(one), Self::Bool(other)) => one == other,
            (Self::List(one, _), Self::List(other, _)) => {
                one.len() == other.len() && one.iter().zip(other.iter()).all(|(a, b)| a.equals(b))
            }
            (Self::Dictionary(one, _), Self::Dictionary(other, _)) => {
                let is_same = |((a, one), (b, other)): ((&String, &Self), (&String, &Self))| {
                    a == b && one.equals(other)
                };
                one.len() == other.len() && one.iter().zip(other.iter()).all(is_same)
            }
            _ => self.compare(other) == Some(Ordering::Equal),
        }
    }

    /// Writes the value as JSON in one line.
    ///
    /// # Errors
    /// It is or has a record, or a number that JSON does not have.
    pub(super) fn write_json(&self, out: &mut String) -> Result<(), String> {
        match self {
            Self::Nil => out.push_str("null"),
            Self::Float(value) if value.is_finite() => out.push_str(&of_float(*value)),
            Self::Record(_) | Self::Float(_) => {
                return Err(format!("{} has no JSON here", self.kind()));
            }
            Self::Text(text) => push_string(out, text),
            Self::List(elements, _) => {
                out.push('[');
                for (number, element) in elements.iter().enumerate() {
                    out.push_str(if number > 0 { "," } else { "" });
                    element.write_json(out)?;
                }
                out.push(']');
            }
            Self::Dictionary(entries, _) => {
                out.push('{');
                for (number, (name, value)) in entries.iter().enumerate() {
                    out.push_str(if number > 0 { "," } else { "" });
                    push_string(out, name);
                    out.push(':');
                    value.write_json(out)?;
                }
                out.push('}');
            }
            Self::Bool(_) | Self::Int(_) => {
                // Writing into a string does not fail.
                let _ = write!(out, "{self}");
            }
        }
        Ok(())
    }
}

impl Value<'_> {
    /// Writes a part of a collection.
    fn write_inside(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nil => f.write_str("<nil>"),
            other => write!(f, "{other}"),
        }
    }
}

/// As Go prints values.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nil => f.write_str("<no value>"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => {
                let text = format!("{value:e}");
                let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                let power: i32 = exponent.parse().unwrap_or_default();
                if !value.is_finite() || (-4..6).contains(&power) {
                    return write!(f, "{value}");
                }
                let sign = if power < 0 { '-' } else { '+' };
                write!(f, "{digits}e{sign}{:02}", power.abs())
            }
            Self::Text(text) => f.write_str(text),
            Self::List(elements, _) => {
                f.write_str("[")?;
                for (number, element) in elements.iter().enumerate() {
                    f.write_str(if number > 0 { " " } else { "" })?;
                    element.write_inside(f)?;
                }
                f.write_str("]")
            }
            Self::Dictionary(entries, _) => {
                f.write_str("map[")?;
                for (number, (name, value)) in entries.iter().enumerate() {
                    write!(f, "{}{name}:", if number > 0 { " " } else { "" })?;
                    value.write_inside(f)?;
                }
                f.write_str("]")
            }
            Self::Record(fields) => {
                f.write_str("{")?;
                for (number, value) in fields.values().enumerate() {
                    write!(f, "{}{value}", if number > 0 { " " } else { "" })?;
                }
                f.write_str("}")
            }
        }
    }
}
