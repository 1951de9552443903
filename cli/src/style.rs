//! Flags about the output of all commands.

use crate::compact::without_ranges;

/// The flags about it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// Whether cells of CSV that programs for tables would take for formulas start with an apostrophe.
    pub(crate) is_csv_safe: bool,
    /// Whether JSON has no ranges.
    pub(crate) is_compact: bool,
}

impl Style {
    /// Returns a JSON text as it is written.
    pub(crate) fn of_json(self, text: Vec<u8>) -> Vec<u8> {
        if self.is_compact { without_ranges(text) } else { text }
    }
}
