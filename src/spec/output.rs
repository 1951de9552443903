//! Writes values as JSON in hcldec's format.

use crate::evaluate::follow;
use crate::functions::push_json_string;
use crate::native::{Key, StepKind, Traversal};
use crate::report::Range;
use crate::source::Source;
use crate::span::Span;
use crate::value::{Content, JsonError, Value, write_type};
use crate::write::{Layout, ObjectWriter, to_string};

/// Options of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// Whether the value is written as a member `value`, with its `type`.
    pub with_type: bool,
    /// Whether null members of objects are written, too.
    pub keep_nulls: bool,
}

impl Output {
    /// Sets whether the type of the value is written.
    #[must_use]
    pub const fn with_type(mut self, with_type: bool) -> Self {
        self.with_type = with_type;
        self
    }

    /// Sets whether null members are written.
    #[must_use]
    pub const fn with_nulls(mut self, keep_nulls: bool) -> Self {
        self.keep_nulls = keep_nulls;
        self
    }
}

/// The remaining parts of an array or an object.
enum Rest<'a> {
    Elements(std::slice::Iter<'a, Value<'a>>),
    Entries(std::slice::Iter<'a, (&'a str, Value<'a>)>),
}

/// Returns the value as JSON on one line, byte for byte as hcldec writes it: sorted names, exact
/// numbers without exponents up to 400, and the escapes of Go's encoder. Marks are ignored.
///
/// Cost: linear in the value.
///
/// # Errors
/// A part of the value is unknown or infinite, or a number that was computed has more than a million digits.
pub fn to_json(value: Value<'_>, output: Output) -> Result<String, JsonError> {
    // A null of unknown type is written without a type.
    if !output.with_type || value.ty().is_dynamic() {
        return write(value, output.keep_nulls);
    }
    let ty = to_string(Layout::Compact, |slot| write_type(value.ty(), slot));
    if value.is_null() && !output.keep_nulls {
        return Ok(format!("{{\"type\":{ty}}}"));
    }
    let value = write(value, output.keep_nulls)?;
    // hcldec sorts the names if it omits null members.
    Ok(match output.keep_nulls {
        true => format!("{{\"value\":{value},\"type\":{ty}}}"),
        false => format!("{{\"type\":{ty},\"value\":{value}}}"),
    })
}

fn write(root: Value<'_>, keep_nulls: bool) -> Result<String, JsonError> {
    let mut out = String::new();
    let mut open: Vec<(Rest<'_>, bool)> = Vec::new();
    let mut next = Some(root);
    loop {
        if let Some(value) = next.take() {
            match value.content() {
                Content::String(text) => push_json_string(&mut out, text),
                Content::Elements(elements) => {
                    out.push('[');
                    open.push((Rest::Elements(elements.iter()), true));
                }
                Content::Entries(entries) => {
                    out.push('{');
                    open.push((Rest::Entries(entries.iter()), true));
                }
                _ => {
                    let mut written = Ok(());
                    let scalar = to_string(Layout::Compact, |slot| {
                        written = crate::value::write(value, slot);
                    });
                    written?;
                    out.push_str(&scalar);
                }
            }
        }
        let Some((rest, is_first)) = open.last_mut() else { return Ok(out) };
        let found = match rest {
            Rest::Elements(elements) => elements.next().map(|element| (None, *element)),
            Rest::Entries(entries) => entries
                .find(|(_, value)| keep_nulls || !value.is_null())
                .map(|(name, value)| (Some(*name), *value)),
        };
        match found {
            Some((name, value)) => {
                if !std::mem::take(is_first) {
                    out.push(',');
                }
                if let Some(name) = name {
                    push_json_string(&mut out, name);
                    out.push(':');
                }
                next = Some(value);
            }
            None => {
                out.push(if let Rest::Elements(_) = rest { ']' } else { '}' });
                open.pop();
            }
        }
    }
}

/// Writes traversals in the format of hcldec's `--var-refs`: each with its steps, its place, and
/// its value, if it is a known value of one of the variables.
///
/// Cost: linear in the traversals and their values. A variable is found by binary search if the
/// variables are sorted by name, otherwise by a linear search.
#[must_use]
pub fn variables_to_json<'a>(
    traversals: &[Traversal<'a>],
    variables: &[(&'a str, Value<'a>)],
) -> String {
    let is_sorted = variables.is_sorted_by(|(one, _), (next, _)| one < next);
    let find = |name: &str| match is_sorted {
        true => variables.binary_search_by(|(known, _)| (*known).cmp(name)).ok(),
        false => variables.iter().position(|(known, _)| *known == name),
    };
    to_string(Layout::Pretty, |slot| {
        let mut all = slot.array();
        for traversal in traversals {
            let source = traversal.source();
            let mut object = all.element().object();
            object.key("root_name").string(traversal.root_name());
            let rest = traversal.steps().get(1..).unwrap_or_default();
            let value = find(traversal.root_name())
                .and_then(|at| follow(source, variables[at].1, rest).ok())
                .and_then(|value| to_json(value, Output::default().with_nulls(true)).ok());
            if let Some(value) = value {
                object.key("value").json(&value);
            }
            let mut steps = object.key("steps").array();
            for step in traversal.steps() {
                let mut object = steps.element().object();
                match step.kind {
                    StepKind::Root(name) => {
                        object.key("kind").string("root");
                        object.key("name").string(name);
                    }
                    StepKind::Attribute(name) => {
                        object.key("kind").string("attr");
                        object.key("name").string(name);
                    }
                    StepKind::Index(key) => {
                        object.key("kind").string("index");
                        match key {
                            Key::Number(text) => object.key("key").number(text),
                            Key::String(text) => object.key("key").string(text),
                            Key::Bool(value) => object.key("key").bool(value),
                            Key::Null => object.key("key").null(),
                        }
                    }
                    StepKind::Splat => object.key("kind").string("splat"),
                }
                write_range(&mut object, source, step.span);
            }
            steps.end();
            write_range(&mut object, source, traversal.span());
        }
    })
}

fn write_range(object: &mut ObjectWriter<'_, '_>, source: Source<'_>, span: Span) {
    object.key("range").range(&Range::of(source, span));
}
