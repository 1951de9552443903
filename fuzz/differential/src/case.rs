//! Cases that both sides answer, as lines of JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::entropy::Entropy;
use crate::{file, native, scope};

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
    /// A random case.
    pub fn generate(entropy: &mut impl Entropy) -> Self {
        let scope = scope::generate(entropy);
        let (input, schema) = file::generate(entropy);
        Self { input, native: false, schema, literal: entropy.chance(1, 50), scope }
    }

    /// A random case in native syntax.
    pub fn generate_native(entropy: &mut impl Entropy) -> Self {
        let scope = scope::generate(entropy);
        let (input, schema) = native::generate(entropy);
        Self { input, native: true, schema, literal: false, scope }
    }

    /// The case as one line of JSON.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::entropy::{Bytes, Seed};

    #[test]
    fn a_seed_gives_the_same_case() {
        let line = |seed, index| Case::generate(&mut Seed::new(seed, index)).to_line();
        for index in 0..200 {
            assert_eq!(line(1, index), line(1, index));
        }
        assert_ne!(line(1, 7), line(2, 7));
    }

    #[test]
    fn half_of_the_native_files_are_valid() {
        let valid = (0..1000).filter(|&index| {
            let case = Case::generate_native(&mut Seed::new(3, index));
            crate::answer(&case).parse.is_empty()
        });
        assert!((400..700).contains(&valid.count()));
    }

    #[test]
    fn no_bytes_give_a_case_too() {
        let case = Case::generate(&mut Bytes(&[]));
        assert!(serde_json::from_str::<Value>(&case.input).is_ok(), "{}", case.input);
    }

    #[test]
    fn most_files_are_json_and_some_are_not() {
        let valid = (0..1000)
            .filter(|&index| {
                let case = Case::generate(&mut Seed::new(3, index));
                serde_json::from_str::<Value>(&case.input).is_ok()
            })
            .count();
        assert!((900..1000).contains(&valid), "{valid}");
    }
}
