//! The parts of a page.

use std::collections::BTreeMap;

use super::extras::Extras;
use super::inventory::{Input, Inventory, Resource};
use super::json_text;
use super::settings::{Section, Settings};
use super::text::{self, Style};

/// The value of an output, as `output -json` prints it.
#[derive(Clone, Debug, Default)]
pub(super) struct OutputValue {
    pub(super) is_sensitive: bool,
    /// The value in JSON.
    pub(super) json: String,
}

/// The content of a page, and its settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page<'p> {
    pub(super) inventory: &'p Inventory,
    pub(super) settings: &'p Settings,
    pub(super) header: &'p str,
    pub(super) footer: &'p str,
    pub(super) extras: &'p Extras,
    /// The values of outputs, if they are shown.
    pub(super) values: Option<&'p BTreeMap<String, OutputValue>>,
}

/// The sections in their order on a page. Data sources are in that of resources.
pub(super) const SECTIONS: [Section; 8] = [
    Section::Header,
    Section::Requirements,
    Section::Providers,
    Section::Modules,
    Section::Resources,
    Section::Inputs,
    Section::Outputs,
    Section::Footer,
];

/// The title of the section of resources.
pub(super) const RESOURCES: &str = "Resources";

impl<'p> Page<'p> {
    pub(super) const fn style(&self) -> Style {
        Style { escape: self.settings.escape, html: self.settings.html }
    }

    /// Whether a section of the page is shown.
    pub(super) fn shows(&self, section: Section) -> bool {
        self.settings.shows(section)
            || section == Section::Resources && self.settings.shows(Section::DataSources)
    }

    /// The resources that are shown.
    pub(super) fn resources(&self) -> Vec<&'p Resource> {
        let managed = self.settings.shows(Section::Resources);
        let data = self.settings.shows(Section::DataSources);
        let is_shown = |resource: &&Resource| if resource.is_data { data } else { managed };
        self.inventory.resources.iter().filter(is_shown).collect()
    }

    /// Whether a section has nothing below its heading: `shown` entries. That of resources has its table also if
    /// all of them are hidden, as in terraform-docs.
    pub(super) fn is_without(&self, title: &str, shown: usize) -> bool {
        let are_hidden = title == RESOURCES && !self.inventory.resources.is_empty();
        shown == 0 && !are_hidden
    }

    /// The entries of the section of inputs.
    pub(super) fn inputs(&self) -> impl Iterator<Item = InputEntry<'p>> {
        self.inventory.inputs.iter().flat_map(InputEntry::of)
    }

    /// The sign of a heading, repeated.
    pub(super) fn heading(&self, sign: &str, below: usize) -> String {
        let level =
            usize::try_from(self.settings.indent).ok().filter(|level| (1..=5).contains(level));
        sign.repeat(level.unwrap_or(2) + below)
    }

    /// Returns whether an output is sensitive, and the text of its value: nothing for null, and
    /// "null" for a missing value, as in terraform-docs.
    pub(super) fn value_of(&self, output: &str) -> Option<(bool, String)> {
        let value = match self.values?.get(output) {
            None => (false, "\"null\"".to_owned()),
            Some(value) if value.is_sensitive => (true, "<sensitive>".to_owned()),
            Some(value) if value.json == "null" => (false, String::new()),
            Some(value) => (false, json_text::with_html_escapes(&value.json)),
        };
        Some(value)
    }

    /// The text of a header or footer.
    pub(super) fn long_text(&self, section: Section, out: &mut String) {
        let written = if section == Section::Header { self.header } else { self.footer };
        if !written.is_empty() {
            out.push_str(&text::section(written, self.style()));
            out.push_str("\n\n");
        }
    }
}

/// An entry of the section of inputs: a variable, or an attribute of its objects.
#[derive(Clone, Copy)]
pub(super) struct InputEntry<'p> {
    pub(super) name: &'p str,
    pub(super) description: &'p str,
    pub(super) written_type: &'p str,
    pub(super) default: &'p str,
    pub(super) is_required: bool,
}

impl<'p> InputEntry<'p> {
    /// The entries of a variable: itself, and the attributes of its objects.
    pub(super) fn of(input: &'p Input) -> impl Iterator<Item = Self> {
        let attributes = input.attributes.iter().map(|it| Self {
            name: &it.path,
            description: &it.description,
            written_type: &it.written_type,
            default: it.default.as_deref().unwrap_or_default(),
            is_required: it.is_required(),
        });
        let own = Self {
            name: &input.name,
            description: &input.description,
            written_type: &input.written_type,
            default: shown_default(input),
            is_required: input.is_required(),
        };
        std::iter::once(own).chain(attributes)
    }
}

/// Returns the default of an input as it is shown: empty if it has none.
pub(super) fn shown_default(input: &Input) -> &str {
    input.default.as_deref().unwrap_or_default()
}

/// Returns `yes` or `no`.
pub(super) const fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}
