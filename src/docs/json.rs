//! The formatter `json`.

use super::attributes::ObjectAttribute;
use super::extra_sections;
use super::json_text::{break_line, push_string, with_html_escapes};
use super::page::Page;
use super::settings::Section;

/// Returns the page as JSON. Sections that are hidden are empty.
pub(super) fn page(page: &Page<'_>) -> String {
    let inventory = page.inventory;
    let mut out = String::from("{");
    let shows = |section| page.settings.shows(section);
    let header = if shows(Section::Header) { page.header } else { "" };
    let footer = if shows(Section::Footer) { page.footer } else { "" };
    member(&mut out, 1, "header", &string(header), true);
    member(&mut out, 1, "footer", &string(footer), false);
    let inputs = inventory.inputs.iter().map(|it| {
        let default = it.default.as_deref().unwrap_or("null").replace('\n', "\n      ");
        let mut members = vec![
            ("name", string(&it.name)),
            ("type", or_null(&it.written_type)),
            ("description", or_null(&it.description)),
            ("default", default),
            ("required", it.is_required().to_string()),
        ];
        if page.settings.with_attributes {
            members.push(("attributes", attributes(&it.attributes)));
        }
        members
    });
    list(&mut out, "inputs", shows(Section::Inputs), inputs);
    let calls = inventory.calls.iter().map(|it| {
        vec![
            ("name", string(&it.name)),
            ("source", string(&it.source)),
            ("version", string(&it.version)),
            ("description", or_null(&it.description)),
        ]
    });
    list(&mut out, "modules", shows(Section::Modules), calls);
    let outputs = inventory.outputs.iter().map(|it| {
        let mut members =
            vec![("name", string(&it.name)), ("description", or_null(&it.description))];
        if let Some(values) = page.values {
            let (value, is_sensitive) = match values.get(&it.name) {
                None => ("\"null\"".to_owned(), false),
                Some(value) if value.is_sensitive => (string("<sensitive>"), true),
                Some(value) => (value.json.replace('\n', "\n      "), false),
            };
            members.extend([("value", value), ("sensitive", is_sensitive.to_string())]);
        }
        members
    });
    list(&mut out, "outputs", shows(Section::Outputs), outputs);
    let providers = inventory.providers.iter().map(|it| {
        vec![
            ("name", string(&it.name)),
            ("alias", or_null(&it.alias)),
            ("version", or_null(&it.version)),
        ]
    });
    list(&mut out, "providers", shows(Section::Providers), providers);
    let requirements = inventory.requirements.iter();
    let requirements =
        requirements.map(|it| vec![("name", string(&it.name)), ("version", or_null(&it.version))]);
    list(&mut out, "requirements", shows(Section::Requirements), requirements);
    let resources = page.resources().into_iter().map(|it| {
        vec![
            ("type", string(&it.short_type)),
            ("name", string(&it.name)),
            ("provider", string(&it.provider)),
            ("source", string(&it.source)),
            ("mode", string(if it.is_data { "data" } else { "managed" })),
            ("version", or_null(&it.version)),
            ("description", or_null(&it.description)),
        ]
    });
    list(&mut out, "resources", true, resources);
    extra_sections::members(page.extras, &mut out);
    break_line(&mut out, 0);
    out.push('}');
    if page.settings.escape { with_html_escapes(&out) } else { out }
}

fn string(text: &str) -> String {
    let mut out = String::new();
    push_string(&mut out, text);
    out
}

fn or_null(text: &str) -> String {
    if text.is_empty() { "null".to_owned() } else { string(text) }
}

fn member(out: &mut String, level: usize, name: &str, value: &str, is_first: bool) {
    out.push_str(if is_first { "" } else { "," });
    break_line(out, level);
    push_string(out, name);
    out.extend([": ", value]);
}

fn list<'n>(
    out: &mut String,
    name: &str,
    is_shown: bool,
    objects: impl Iterator<Item = Vec<(&'n str, String)>>,
) {
    let mut objects = objects.filter(|_| is_shown).peekable();
    if objects.peek().is_none() {
        member(out, 1, name, "[]", false);
        return;
    }
    member(out, 1, name, "[", false);
    for (number, members) in objects.enumerate() {
        out.push_str(if number == 0 { "" } else { "," });
        break_line(out, 2);
        out.push('{');
        for (place, (name, value)) in members.iter().enumerate() {
            member(out, 3, name, value, place == 0);
        }
        break_line(out, 2);
        out.push('}');
    }
    break_line(out, 1);
    out.push(']');
}

/// The attributes of objects, as a list in an input.
fn attributes(attributes: &[ObjectAttribute]) -> String {
    let mut out = String::from("[");
    for (number, it) in attributes.iter().enumerate() {
        out.push_str(if number == 0 { "" } else { "," });
        break_line(&mut out, 4);
        out.push('{');
        let default = it.default.as_deref().unwrap_or("null").replace('\n', "\n          ");
        let members = [
            ("path", string(&it.path)),
            ("type", string(&it.written_type)),
            ("description", or_null(&it.description)),
            ("default", default),
            ("required", it.is_required().to_string()),
        ];
        for (place, (name, value)) in members.iter().enumerate() {
            member(&mut out, 5, name, value, place == 0);
        }
        break_line(&mut out, 4);
        out.push('}');
    }
    if !attributes.is_empty() {
        break_line(&mut out, 3);
    }
    out.push(']');
    out
}
