//! Values of expressions: variables from a file, results as JSON.

use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;
use simd_hcl::show::Index;
use simd_hcl::value::{self, Value};
use simd_hcl::write::{Layout, ObjectWriter, to_string};
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

/// The names of an instance in addition to its address, in the order of tables and JSON.
pub(crate) struct Instance<'a> {
    pub(crate) mode: &'a str,
    pub(crate) resource_type: &'a str,
    pub(crate) name: &'a str,
    pub(crate) index: Option<Index<'a>>,
    pub(crate) deposed: Option<&'a str>,
}

impl Instance<'_> {
    /// The columns of CSV.
    pub(crate) const COLUMNS: [&'static str; 5] = ["mode", "type", "name", "index", "deposed"];

    /// The cells of these columns.
    pub(crate) fn cells(&self) -> [String; 5] {
        [
            self.mode.to_owned(),
            self.resource_type.to_owned(),
            self.name.to_owned(),
            index_text(self.index),
            self.deposed.unwrap_or_default().to_owned(),
        ]
    }

    /// Writes members with these names. Omits the index and the deposed key if there is none.
    pub(crate) fn write(&self, object: &mut ObjectWriter<'_, '_>) {
        object.key("mode").string(self.mode);
        object.key("type").string(self.resource_type);
        object.key("name").string(self.name);
        match self.index {
            Some(Index::Number(number)) => object.key("index").number(number.text()),
            Some(Index::Text(text)) => object.key("index").string(text),
            None => {}
        }
        if let Some(deposed) = self.deposed {
            object.key("deposed").string(deposed);
        }
    }
}

/// Returns the key of an instance as text; empty if there is none.
fn index_text(index: Option<Index<'_>>) -> String {
    match index {
        Some(Index::Number(number)) => number.text().to_owned(),
        Some(Index::Text(text)) => text.to_owned(),
        None => String::new(),
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
