//! Source text of values.

use serde_json::value::RawValue;
use simd_hcl::Expression;
use simd_hcl::hidden::HIDDEN;
use simd_hcl::write::{Layout, to_string};

/// Returns a JSON value with its exact source text, and a native value as JSON.
pub(crate) fn raw(value: Expression<'_>) -> Option<Box<RawValue>> {
    if !value.is_json() {
        return RawValue::from_string(value.to_json()).ok();
    }
    let text = std::str::from_utf8(value.text()).ok()?;
    RawValue::from_string(text.to_owned()).ok()
}

/// Returns the text that replaces a value that must not be shown.
pub(crate) fn hidden() -> Option<Box<RawValue>> {
    RawValue::from_string(to_string(Layout::Compact, |slot| slot.string(HIDDEN))).ok()
}
