//! Values of expressions: variables from a file, results as JSON.

use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;
use simd_hcl::value::{self, Value};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Document};

use crate::args::Common;
use crate::input;
use crate::status::Failure;

/// Reads the variables of a file: the members of a JSON object, sorted by name. Numbers stay exact.
pub(crate) fn variables<'a>(
    arena: &'a Arena,
    path: &Path,
    common: &Common,
) -> Result<Vec<(&'a str, Value<'a>)>, Failure> {
    let name = path.display();
    let source = input::text(arena, path, "stdin.json", common)
        .map_err(|error| Failure::Message(format!("{name}: {error}")))?;
    let document = Document::parse_with(arena, source, &input::parse_options(common)?)
        .map_err(|error| Failure::Message(error.to_string()))?;
    let value = value::from_node(arena, document.root())
        .map_err(|error| Failure::Message(format!("{name}: {error}")))?;
    match value.as_entries() {
        Some(entries) => Ok(entries.to_vec()),
        None => {
            Err(Failure::Message(format!("{name}: variables must be the members of one object")))
        }
    }
}

/// The value of an expression, in the shape of the conformance cases.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Outcome {
    Value {
        value: Box<RawValue>,
        #[serde(rename = "type")]
        ty: Box<RawValue>,
    },
    Unknown {
        unknown: bool,
    },
    /// The value, or a part of it, is sensitive or ephemeral.
    Sensitive {
        sensitive: bool,
    },
    /// The value cannot be written: it has a number that is infinite or too long.
    Unwritable {
        marshal_error: String,
    },
}

impl Outcome {
    pub(crate) fn of(of: Value<'_>) -> Self {
        if of.deep_marks().hides() {
            return Self::Sensitive { sensitive: true };
        }
        if !of.is_wholly_known() {
            return Self::Unknown { unknown: true };
        }
        let mut written = Ok(());
        let text = to_string(Layout::Compact, |slot| written = value::write(of, slot));
        if let Err(error) = written {
            return Self::Unwritable { marshal_error: error.to_string() };
        }
        let ty = to_string(Layout::Compact, |slot| value::write_type(of.ty(), slot));
        match (RawValue::from_string(text), RawValue::from_string(ty)) {
            (Ok(value), Ok(ty)) => Self::Value { value, ty },
            (Err(error), _) | (_, Err(error)) => {
                Self::Unwritable { marshal_error: error.to_string() }
            }
        }
    }
}
