//! Values of expressions: variables from a file, results as JSON.

use std::borrow::Cow;
use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;
use simd_hcl::show::{Index, Key, Shown};
use simd_hcl::value::{self, Value};
use simd_hcl::write::{Layout, ObjectWriter, to_string};
use simd_hcl::{Arena, Document, Node};

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
    pub(crate) name: Cow<'a, str>,
    pub(crate) index: Option<Key<'a>>,
    pub(crate) deposed: Option<&'a str>,
}

/// The key of an instance, without its hidden parts.
pub(crate) fn key_of<'a>(index: Option<Index<'a>>, of: Node<'_>, shown: &Shown) -> Option<Key<'a>> {
    Some(match index? {
        Index::Number(number) => Key::Number(number.text()),
        // All of a key is searched, as that of an address is.
        Index::Text(text) => Key::Text(shown.text(of, text)),
    })
}

impl Instance<'_> {
    /// The columns of CSV.
    pub(crate) const COLUMNS: [&'static str; 5] = ["mode", "type", "name", "index", "deposed"];

    /// The cells of these columns.
    pub(crate) fn cells(&self) -> [String; 5] {
        [
            self.mode.to_owned(),
            self.resource_type.to_owned(),
            self.name.to_string(),
            index_text(self.index.as_ref()),
            self.deposed.unwrap_or_default().to_owned(),
        ]
    }

    /// Writes members with these names. Omits the index and the deposed key if there is none.
    pub(crate) fn write(&self, object: &mut ObjectWriter<'_, '_>) {
        object.key("mode").string(self.mode);
        object.key("type").string(self.resource_type);
        object.key("name").string(&self.name);
        match &self.index {
            Some(Key::Number(digits)) => object.key("index").number(digits),
            Some(Key::Text(text)) => object.key("index").string(text),
            Some(Key::Unknown) | None => {}
        }
        if let Some(deposed) = self.deposed {
            object.key("deposed").string(deposed);
        }
    }
}

/// Returns the key of an instance as text; empty if there is none.
fn index_text(index: Option<&Key<'_>>) -> String {
    match index {
        Some(Key::Number(digits)) => (*digits).to_owned(),
        Some(Key::Text(text)) => text.to_string(),
        Some(Key::Unknown) | None => String::new(),
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
