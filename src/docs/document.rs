//! The formatters `markdown document` and `asciidoc document`.
//!
//! Superfluous blank lines are removed afterwards ([`text::tidied`]).

use std::fmt::Write as _;

use super::inventory::Input;
use super::markup::Markup;
use super::page::{InputEntry, Page, RESOURCES, yes};
use super::settings::Section;
use super::text;

/// The head of a list of entries.
struct List<'l> {
    page: &'l Page<'l>,
    markup: Markup,
    title: &'l str,
    introduction: &'l str,
}

/// Writes a section as headings and paragraphs.
pub(super) fn section(page: &Page<'_>, markup: Markup, section: Section, out: &mut String) {
    let Page { inventory, settings, .. } = page;
    match section {
        Section::Header | Section::Footer => page.long_text(section, out),
        Section::Requirements => {
            let items = inventory.requirements.iter();
            let items = items.map(|it| ("requirement", it.name.clone(), it.version.as_str()));
            let introduction = "The following requirements are needed by this module:";
            List { page, markup, title: "Requirements", introduction }.versions(items, out);
        }
        Section::Providers => {
            let items = inventory.providers.iter();
            let items = items.map(|it| ("provider", it.full_name(), it.version.as_str()));
            let introduction = "The following providers are used by this module:";
            List { page, markup, title: "Providers", introduction }.versions(items, out);
        }
        Section::Modules => {
            let introduction = "The following Modules are called:";
            let list = List { page, markup, title: "Modules", introduction };
            list.write(inventory.calls.iter(), out, |call, out| {
                out.push_str("\n\n");
                item(page, markup, "module", &call.name, out);
                let _ = write!(out, "\n\nSource: {}\n\nVersion: {}\n\n", call.source, call.version);
            });
        }
        Section::Resources | Section::DataSources => {
            let introduction = "The following resources are used by this module:\n";
            let list = List { page, markup, title: RESOURCES, introduction };
            list.write(page.resources().into_iter(), out, |it, out| {
                let link = markup.linked(&it.spec(), &it.url());
                let _ = write!(out, "\n- {link} ({})", it.mode());
            });
        }
        Section::Inputs if settings.required => {
            let (required, optional): (Vec<&Input>, Vec<&Input>) =
                inventory.inputs.iter().partition(|input| input.is_required());
            let introduction = "The following input variables are required:";
            let list = List { page, markup, title: "Required Inputs", introduction };
            if page.is_without(list.title, required.len()) {
                markup.nothing(page, list.title, out);
                // AsciiDoc has no blank line here.
                out.extend((markup == Markup::Markdown).then_some('\n'));
            } else {
                list.inputs(&required, out);
            }
            let introduction = "The following input variables are optional (have default values):";
            let list = List { page, markup, title: "Optional Inputs", introduction };
            list.inputs(&optional, out);
            out.push_str("\n\n\n");
        }
        Section::Inputs => {
            let introduction = "The following input variables are supported:";
            let list = List { page, markup, title: "Inputs", introduction };
            list.inputs(&inventory.inputs.iter().collect::<Vec<_>>(), out);
            out.push_str("\n\n");
        }
        Section::Outputs => {
            let introduction = "The following outputs are exported:";
            let list = List { page, markup, title: "Outputs", introduction };
            list.write(inventory.outputs.iter(), out, |output, out| {
                out.push_str("\n\n");
                item(page, markup, "output", &output.name, out);
                let description = text::document(&output.description, page.style());
                let _ = write!(out, "\n\nDescription: {description}\n\n");
                if let Some((is_sensitive, value)) = page.value_of(&output.name) {
                    let value =
                        text::document(&markup.code_paragraph(&value, "json"), page.style());
                    let _ = write!(out, "Value: {value}\n\n");
                    if settings.sensitive {
                        let _ = write!(out, "Sensitive: {}", yes(is_sensitive));
                    }
                    out.push('\n');
                }
                out.push('\n');
            });
        }
    }
}

fn item(page: &Page<'_>, markup: Markup, kind: &str, name: &str, out: &mut String) {
    markup.heading(page, 1, &markup.anchor(page, kind, name), out);
}

impl List<'_> {
    /// Writes the list, each entry by `write`.
    fn write<T>(
        &self,
        items: impl ExactSizeIterator<Item = T>,
        out: &mut String,
        mut write: impl FnMut(T, &mut String),
    ) {
        let &Self { page, markup, title, introduction } = self;
        let has_one_break = markup == Markup::Asciidoc && title == "Modules";
        if page.is_without(title, items.len()) {
            markup.nothing(page, title, out);
            out.push_str(if has_one_break { "\n" } else { "\n\n" });
            return;
        }
        markup.heading(page, 0, title, out);
        out.extend(["\n\n", introduction]);
        items.for_each(|item| write(item, out));
        out.push_str("\n\n");
    }

    fn versions<'p>(
        &self,
        items: impl ExactSizeIterator<Item = (&'static str, String, &'p str)>,
        out: &mut String,
    ) {
        self.write(items, out, |(kind, name, version), out| {
            let _ = write!(out, "\n\n- {}", self.markup.anchor(self.page, kind, &name));
            if !version.is_empty() {
                let _ = write!(out, " ({version})");
            }
        });
    }

    fn inputs(&self, inputs: &[&Input], out: &mut String) {
        let &Self { page, markup, title, introduction } = self;
        let settings = page.settings;
        if page.is_without(title, inputs.len()) {
            markup.nothing(page, title, out);
            return;
        }
        markup.heading(page, 0, title, out);
        out.extend(["\n\n", introduction]);
        for entry in inputs.iter().flat_map(|input| InputEntry::of(input)) {
            out.push_str("\n\n\n");
            item(page, markup, "input", entry.name, out);
            let description = text::document(entry.description, page.style());
            let _ = write!(out, "\n\nDescription: {description}\n\n");
            if settings.types {
                let _ = write!(out, "Type: {}", markup.code_paragraph(entry.written_type, "hcl"));
            }
            out.push_str("\n\n");
            if settings.default {
                out.push('\n');
                if !entry.is_required || !settings.required {
                    let default = match entry.default {
                        "" => text::NOTHING.to_owned(),
                        default => markup.code_paragraph(default, "json"),
                    };
                    let _ = write!(out, "\nDefault: {default}");
                }
            }
        }
    }
}
