//! Cases that both sides answer, as lines of JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// One case: a file, a schema and a scope.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Case {
    /// The file, unless an edit has broken it.
    pub input: String,
    /// Whether the file is in native syntax; otherwise it is JSON.
    #[serde(default)]
    pub native: bool,
    /// How its root body is read.
    pub schema: Rules,
    /// Whether strings are literal, not templates.
    pub literal: bool,
    /// Variables by name.
    pub scope: BTreeMap<String, Variable>,
}

/// A variable.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Variable {
    /// Its type, as type libraries write types in JSON.
    #[serde(rename = "type")]
    pub ty: Box<RawValue>,
    /// Its value as JSON; ignored if it is unknown.
    pub value: Box<RawValue>,
    /// Whether only its type is known.
    pub unknown: bool,
    /// Whether it is marked as sensitive.
    pub sensitive: bool,
}

/// A schema.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Rules {
    /// `content`, `partial` or `just_attributes`.
    pub mode: String,
    /// By name.
    pub attributes: BTreeMap<String, AttributeRule>,
    /// By block type.
    pub blocks: BTreeMap<String, BlockRule>,
}

/// An attribute of a schema.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct AttributeRule {
    /// Whether it is required.
    pub required: bool,
}

/// A block type of a schema.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct BlockRule {
    /// The names of the labels.
    pub labels: Vec<String>,
    /// The schema of the body; without one all properties are attributes.
    pub body: Option<Rules>,
}

impl Case {
    /// The case as one line of JSON.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}
