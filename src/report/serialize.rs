//! The JSON of diagnostics, as `simd-hcl check --format json` prints it.

use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use super::{FoundBy, OwnedDiagnostic, Range, Related, Snippet};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::position::Position;

/// Implements `Serialize` for a struct, field by field. Fields after `?` are left out if they are
/// `None`.
macro_rules! serialize {
    ($name:ident: $($field:ident = $value:expr),* $(; ? $($optional:ident),*)?; $this:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $this = self;
                let count = [$(stringify!($field)),*].len();
                $(let count = count $(+ usize::from($this.$optional.is_some()))*;)?
                let mut fields = serializer.serialize_struct(stringify!($name), count)?;
                $(fields.serialize_field(stringify!($field), $value)?;)*
                $($(match &$this.$optional {
                    Some(value) => fields.serialize_field(stringify!($optional), value)?,
                    None => fields.skip_field(stringify!($optional))?,
                })*)?
                fields.end()
            }
        }
    };
}

serialize!(Position: line = &it.line, column = &it.column, byte = &it.byte; it);
serialize!(Range: filename = &it.filename, start = &it.start, end = &it.end; it);
serialize!(Related: message = &it.message, range = &it.range; it);
serialize!(FoundBy: name = &it.name; ? help, url; it);
serialize!(
    Snippet:
    context = &None::<&str>,
    code = &it.code,
    start_line = &it.start_line,
    highlight_start_offset = &it.highlight_start_offset,
    highlight_end_offset = &it.highlight_end_offset,
    values = &[(); 0];
    it
);
serialize!(
    OwnedDiagnostic:
    severity = &it.severity,
    code = &it.code,
    summary = &it.summary,
    detail = &it.detail,
    range = &it.range,
    related = &it.related,
    snippet = &it.snippet;
    ? help, rule;
    it
);

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Serializes like [`OwnedDiagnostic`].
impl Serialize for Diagnostic<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        OwnedDiagnostic::of(self).serialize(serializer)
    }
}
