//! The identity of a state: the type of its backend, and some of its settings.

use std::path::Path;

use super::backend::{PATH, WORKSPACE_PREFIX, place, row};
use crate::evaluate::shape::fits;

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Known(String),
    /// One of these texts, which have holes for parts that are known only to those who run the tool.
    InPart(Vec<String>),
    /// It is known only to those who run the tool.
    Unknown,
    /// It does not matter.
    Any,
}

/// The state or states that settings name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    /// The type of the backend; `None` if it is not known.
    pub(super) backend: Option<String>,
    /// The values of the settings of its row.
    pub(super) values: Vec<Value>,
}

impl Identity {
    pub(super) fn unknown(backend: Option<&str>) -> Self {
        let row = backend.and_then(row);
        let values = row.map_or(0, <[_]>::len);
        Self { backend: backend.map(str::to_owned), values: vec![Value::Unknown; values] }
    }

    /// The settings of which this holds, a bit each.
    fn mask(&self, is_meant: impl Fn(&Value) -> bool) -> u8 {
        let bits = self.values.iter().enumerate();
        bits.filter(|(_, value)| is_meant(value)).fold(0, |mask, (at, _)| mask | 1 << at)
    }

    pub(super) fn known(&self) -> u8 {
        self.mask(|value| matches!(value, Value::Known(_)))
    }

    /// The known values among those of a mask.
    pub(super) fn project(&self, mask: u8) -> Vec<String> {
        let values = self.values.iter().enumerate().filter(|(at, _)| mask & 1 << at != 0);
        let texts = values.filter_map(|(_, value)| match value {
            Value::Known(text) => Some(text.clone()),
            Value::InPart(_) | Value::Unknown | Value::Any => None,
        });
        texts.collect()
    }

    /// The settings that are not known.
    pub(super) fn unknown_settings(&self) -> u8 {
        self.mask(|value| matches!(value, Value::InPart(_) | Value::Unknown))
    }

    /// Whether the settings that are known in part may be those of a state.
    pub(super) fn may_be(&self, state: &Self) -> bool {
        let row = self.backend.as_deref().and_then(row).unwrap_or_default();
        let has_prefix = row.iter().any(|(name, _)| *name == WORKSPACE_PREFIX);
        row.iter().zip(self.values.iter().zip(&state.values)).all(|(setting, values)| {
            let (Value::InPart(texts), Value::Known(known)) = values else { return true };
            // The state of a workspace is below its name: `env:/prod/net`.
            let has_workspace = has_prefix && setting.0 == "key";
            let is_below = |text: &str| {
                let starts = text.match_indices('/').map(|(at, _)| at + 1).skip(1);
                has_workspace && starts.into_iter().any(|start| fits(&text[start..], known))
            };
            texts.iter().any(|text| fits(text, known) || is_below(text))
        })
    }

    pub(super) fn value(&self, setting: &str) -> Option<&Value> {
        self.values.get(place(self.backend.as_deref()?, setting)?)
    }

    /// Whether it is a file that exists: one of the repository, and not one that a run writes.
    pub(super) fn is_local_file(&self) -> bool {
        let path = self.value(PATH).filter(|_| self.backend.as_deref() == Some("local"));
        matches!(path, Some(Value::Known(path)) if Path::new(path).is_file())
    }

    pub(super) fn with(&self, setting: &str, value: String) -> Self {
        let mut changed = self.clone();
        let at = self.backend.as_deref().and_then(|backend| place(backend, setting));
        if let Some(at) = at {
            changed.values[at] = Value::Known(value);
        }
        changed
    }
}
