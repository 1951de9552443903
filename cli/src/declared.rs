//! What modules and templates of Packer declare alike, in lists that own what they show.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;
use simd_hcl::body::Block;
use simd_hcl::directory::AskedFor;
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Expression, Source, Span};

use crate::excerpt::{Range, Ranged, ranged};

/// A list of what has a place in a file.
pub(crate) trait Limited {
    /// Leaves out what is in files that were not asked for.
    fn limit(&mut self, asked_for: &AskedFor);
}

impl<T: Ranged> Limited for Vec<T> {
    fn limit(&mut self, asked_for: &AskedFor) {
        self.retain(|item| asked_for.contains(&item.range().filename));
    }
}

impl<T: Ranged> Limited for Option<T> {
    fn limit(&mut self, asked_for: &AskedFor) {
        self.take_if(|item| !asked_for.contains(&item.range().filename));
    }
}

impl<T: Ranged> Limited for BTreeMap<String, Vec<T>> {
    /// A name without anything is left out, too.
    fn limit(&mut self, asked_for: &AskedFor) {
        self.values_mut().for_each(|items| items.limit(asked_for));
        self.retain(|_, items| !items.is_empty());
    }
}

/// Defines a struct of lists, each of which is [`Limited`], and so are all of them.
macro_rules! lists {
    ($(#[$meta:meta])* $name:ident { $($(#[$of_list:meta])* $list:ident: $of:ty,)* }) => {
        $(#[$meta])*
        pub(crate) struct $name {
            $($(#[$of_list])* $list: $of,)*
        }

        impl $crate::declared::Limited for $name {
            fn limit(&mut self, asked_for: &simd_hcl::directory::AskedFor) {
                $($crate::declared::Limited::limit(&mut self.$list, asked_for);)*
            }
        }
    };
}
pub(crate) use lists;

/// A variable. Packer has neither `ephemeral` nor `nullable` nor `deprecated`.
#[derive(Serialize)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// As it is written.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(crate) written_type: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) default: Option<Box<RawValue>>,
    pub(crate) required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sensitive: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ephemeral: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nullable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deprecated: Option<String>,
    pub(crate) validations: usize,
    pub(crate) range: Range,
}

/// A local value. Only Packer has sensitive ones.
#[derive(Serialize)]
pub(crate) struct Local {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sensitive: Option<bool>,
    pub(crate) range: Range,
}

/// An entry of `required_providers` or `required_plugins`.
#[derive(Serialize)]
pub(crate) struct Requirement {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) configuration_aliases: Vec<String>,
    pub(crate) range: Range,
}

ranged!(Variable, Local, Requirement);

/// The place of a block.
pub(crate) fn block_range(block: Block<'_>) -> Range {
    Range::of(block.source(), block.span())
}

/// The place of some bytes.
pub(crate) fn range(source: Source<'_>, span: Span) -> Range {
    Range::of(source, span)
}

/// A value as it is written, numbers and escapes included; a native one as JSON has it.
pub(crate) fn raw(value: Expression<'_>) -> Option<Box<RawValue>> {
    if !value.is_json() {
        return RawValue::from_string(json(value)).ok();
    }
    let text = std::str::from_utf8(value.text()).ok()?;
    RawValue::from_string(text.to_owned()).ok()
}

/// A type, an address or a list of addresses as it is written. In JSON these are strings.
pub(crate) fn raw_source(value: Expression<'_>) -> Option<Box<RawValue>> {
    if value.is_json() {
        return raw(value);
    }
    let text = |value: Expression<'_>| match value.to_str() {
        Some(text) => text.to_owned(),
        None => String::from_utf8_lossy(value.text()).into_owned(),
    };
    let json = to_string(Layout::Compact, |slot| match value.as_list() {
        Some(elements) => {
            let mut array = slot.array();
            elements.for_each(|element| array.element().string(&text(element)));
        }
        None => slot.string(&text(value)),
    });
    RawValue::from_string(json).ok()
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

/// An owned text.
pub(crate) fn own(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}
