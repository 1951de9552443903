//! Rows of plans and states as JSON and CSV. Their columns are those of the library.

use std::borrow::Cow;
use std::fmt;

use simd_hcl::show::Shown;
use simd_hcl::show::rows::{Column, Row, Value};
use simd_hcl::write::ObjectWriter;

use crate::printed::readable;
use crate::visible::visible;

/// Writes the members of a row that have these names.
pub(crate) fn write<'a, R: Row<'a>>(
    object: &mut ObjectWriter<'_, '_>,
    row: R,
    names: &[&str],
    shown: &Shown,
) {
    for name in names {
        let cell = row.cell(name, shown);
        let is_optional = Column::named(R::COLUMNS, name).is_some_and(|it| it.is_optional);
        if !(is_optional && cell.is_left_out()) {
            cell.write(object.key(name));
        }
    }
}

/// Returns the texts of the cells in the columns with these names.
pub(crate) fn cells<'a, R: Row<'a>>(
    row: R,
    names: &'static [&'static str],
    shown: &Shown,
) -> impl Iterator<Item = String> {
    names.iter().map(move |name| row.cell(name, shown).to_text().into_owned())
}

/// Returns the value of a flag or a text for people, which is empty if there is none.
pub(crate) fn text(text: Option<Cow<'_, str>>) -> Cow<'_, str> {
    text.unwrap_or_default()
}

/// A value for people: its text in the document, or `(sensitive)`.
pub(crate) struct ValueText<'a> {
    pub(crate) value: Value<'a>,
    /// Whether a part of it is not known yet.
    pub(crate) is_partly_unknown: bool,
}

impl fmt::Display for ValueText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Unknown => f.write_str("(known after apply)"),
            Value::Absent => f.write_str("(absent)"),
            Value::Null => f.write_str("null"),
            Value::Known(node) => {
                f.write_str(&visible(&readable(&String::from_utf8_lossy(node.text()))))?;
                if self.is_partly_unknown {
                    f.write_str(" (partly known after apply)")?;
                }
                Ok(())
            }
            _ => f.write_str("(sensitive)"),
        }
    }
}
