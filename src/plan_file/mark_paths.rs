//! Paths to sensitive parts: reads them from plans and states, and writes them.

use super::error::Malformed;
use super::marks::{Key, Marks};
use super::message::{DynamicValue, Path, Step};
use super::shape::Cursor;
use super::text::{List, push_string};
use super::value::{Content, Types, Value, scalar_of};
use crate::arena::Arena;
use crate::json::{JsonValue, Node};

const EMPTY_STEP: Malformed = Malformed("a step of a path is empty");

impl Marks {
    /// Reads paths of a plan.
    pub(super) fn of_paths(paths: &[&[u8]]) -> Result<Self, Malformed> {
        let mut marks = Self::new();
        for path in paths {
            let mut node = marks.root();
            for step in Path::read(path)?.steps {
                node = marks.child(node, key_of(step)?);
            }
            marks.mark(node);
        }
        Ok(marks)
    }

    /// Reads `sensitive_attributes` of a state file. An invalid step marks the value before it.
    pub(super) fn of_state(paths: Option<Node<'_>>) -> Self {
        let mut marks = Self::new();
        let paths = paths.and_then(Node::as_array).into_iter().flat_map(|paths| paths.elements());
        for path in paths {
            let mut node = marks.root();
            for step in path.as_array().into_iter().flat_map(|steps| steps.elements()) {
                let Some(mut value) = step.as_object().and_then(|step| step.get("value")) else {
                    break;
                };
                if let Some(inner) = value.as_object().and_then(|value| value.get("value")) {
                    value = inner;
                }
                let key = match value.value() {
                    JsonValue::String(text) => Key::Name(text.to_str().into()),
                    JsonValue::Number(number) => {
                        number.text().parse().map_or(Key::Other, Key::Place)
                    }
                    _ => Key::Other,
                };
                node = marks.child(node, key);
            }
            marks.mark(node);
        }
        marks
    }
}

/// The name or number of a step.
fn key_of(step: &[u8]) -> Result<Key, Malformed> {
    let step = Step::read(step)?;
    if let Some(name) = step.attribute_name {
        return Ok(Key::Name(name.into()));
    }
    let key = step.element_key.ok_or(EMPTY_STEP)?;
    Ok(match scalar_of(DynamicValue::content(key)?)? {
        Some(Content::Text(text)) => Key::Name(text.into()),
        Some(Content::Integer(place)) => u64::try_from(place).map_or(Key::Other, Key::Place),
        Some(Content::Unsigned(place)) => Key::Place(place),
        _ => Key::Other,
    })
}

/// Writes a path: names, numbers, and values of elements of sets.
pub(super) fn write_path<'a>(
    arena: &'a Arena,
    types: &mut Types<'a>,
    path: &'a [u8],
    out: &mut Vec<u8>,
) -> Result<(), Malformed> {
    let mut steps = List::array(out);
    for step in Path::read(path)?.steps {
        let step = Step::read(step)?;
        match (step.attribute_name, step.element_key) {
            (Some(name), _) => push_string(steps.element(), name),
            (None, Some(key)) => {
                let mut value = Value::default();
                value.read(arena, types, DynamicValue::content(key)?, Cursor::UNKNOWN)?;
                value.write(steps.element());
            }
            (None, None) => return Err(EMPTY_STEP),
        }
    }
    steps.end();
    Ok(())
}
