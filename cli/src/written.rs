//! Values as they are written.

use serde_json::value::RawValue;
use simd_hcl::Expression;
use simd_hcl::write::{Layout, to_string};

/// A value as it is written, numbers and escapes included; a native one as JSON has it.
pub(crate) fn raw(value: Expression<'_>) -> Option<Box<RawValue>> {
    if !value.is_json() {
        return RawValue::from_string(json(value)).ok();
    }
    let text = std::str::from_utf8(value.text()).ok()?;
    RawValue::from_string(text.to_owned()).ok()
}

/// A value on one line: its JSON, as it is written. Of a native expression its value; if it depends
/// on anything, the template that JSON has in its place.
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
