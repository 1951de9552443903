//! Source text of values.

use serde_json::value::RawValue;
use simd_hcl::Expression;
use simd_hcl::hidden::HIDDEN;
use simd_hcl::write::{Layout, to_string};

/// Returns a JSON value with its exact source text, and a native value as JSON.
pub(crate) fn raw(value: Expression<'_>) -> Option<Box<RawValue>> {
    if !value.is_json() {
        return RawValue::from_string(json(value)).ok();
    }
    let text = std::str::from_utf8(value.text()).ok()?;
    RawValue::from_string(text.to_owned()).ok()
}

/// What is written for a value that must not be shown.
pub(crate) fn hidden() -> Option<Box<RawValue>> {
    RawValue::from_string(to_string(Layout::Compact, |slot| slot.string(HIDDEN))).ok()
}

/// Returns a value on one line: its exact JSON source, or the value of a native expression; if that
/// is not constant, the equivalent JSON template.
pub(crate) fn json(value: Expression<'_>) -> String {
    if let Some(node) = value.as_json() {
        return to_string(Layout::Compact, |slot| slot.node(node));
    }
    let mut error = None;
    let known = value.constant_value(&mut error);
    if error.is_none() && known.is_wholly_known() {
        let mut written = Ok(());
        let text = to_string(Layout::Compact, |slot| {
            written = simd_hcl::value::write(known, slot);
        });
        if written.is_ok() {
            return text;
        }
    }
    let text = String::from_utf8_lossy(value.text());
    let template = match value.template_text() {
        Some(template) => template.to_owned(),
        None => format!("${{{text}}}"),
    };
    to_string(Layout::Compact, |slot| slot.string(&template))
}
