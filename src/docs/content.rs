//! The setting `content`: a page by a template.

use super::config;
use super::inventory::{Call, Input, Inventory, Output, Position, Provider, Requirement, Resource};
use super::markup::Markup;
use super::page::{Page, shown_default};
use super::settings::Section;
use super::template::{self, Call as Function, Letters, TemplateError, Value, record};
use super::text;

/// Returns the text of a file of the module.
pub(super) type Include<'r> = &'r dyn Fn(&str) -> Result<String, String>;

/// The names that a template can use.
const FIELDS: [&str; 12] = [
    "Config",
    "Content",
    "Extras",
    "Footer",
    "Header",
    "Inputs",
    "Module",
    "Modules",
    "Outputs",
    "Providers",
    "Requirements",
    "Resources",
];

/// Returns what the template makes of a page. `section` returns the text of a section, `others` other
/// texts by their names.
pub(super) fn render(
    page: &Page<'_>,
    section: &dyn Fn(Section) -> String,
    others: &[(&'static str, &dyn Fn() -> String)],
    include: Include<'_>,
) -> Result<String, TemplateError> {
    let template = &page.settings.content;
    let of = |name| -> Value<'_> {
        Value::text(match name {
            "Header" => section(Section::Header),
            "Footer" => section(Section::Footer),
            "Inputs" => section(Section::Inputs),
            "Modules" => section(Section::Modules),
            "Outputs" => section(Section::Outputs),
            "Providers" => section(Section::Providers),
            "Requirements" => section(Section::Requirements),
            "Resources" => section(Section::Resources),
            "Module" => return module(page),
            "Config" => return config::record_of(page.settings, directory(page)),
            name => match others.iter().find(|(known, _)| *known == name) {
                Some((_, text)) => text(),
                None => String::new(),
            },
        })
    };
    // Only what the template can name.
    let fields = FIELDS.iter().filter(|name| template.contains(*name));
    let dot = record(fields.map(|name| (*name, of(name))));
    let functions = |name: &str| function(page, include, name);
    let text = template::render(template, &dot, &functions)?;
    Ok(text.strip_suffix('\n').map(str::to_owned).unwrap_or(text))
}

/// The functions of terraform-docs.
fn function<'f, 'v>(
    page: &'f Page<'v>,
    include: Include<'f>,
    name: &str,
) -> Option<Function<'f, 'v>> {
    use template::{text as text_of, whole};
    let style = page.style();
    Some(match name {
        "include" => Box::new(move |of| {
            let text = include(&text_of(of, 0)?)?;
            let text = text.strip_suffix('\n').map(str::to_owned).unwrap_or(text);
            Ok(Value::text(text))
        }),
        "default" => Box::new(|of| {
            let (otherwise, value) = (text_of(of, 0)?, text_of(of, 1)?);
            Ok(Value::text(if value.is_empty() { otherwise } else { value }.into_owned()))
        }),
        "indent" => Box::new(move |of| {
            let (below, sign) = (whole(of, 0)?, text_of(of, 1)?);
            // Beyond six levels there are no headings.
            let below = usize::try_from(below).unwrap_or_default().min(100);
            Ok(Value::text(if sign.is_empty() {
                String::new()
            } else {
                page.heading(&sign, below)
            }))
        }),
        "name" => {
            Box::new(move |of| Ok(Value::text(text::name(&text_of(of, 0)?, style).into_owned())))
        }
        "ternary" => Box::new(|of| {
            let is_true = match of.first() {
                Some(Value::Text(text)) => !text.is_empty(),
                Some(Value::Int(number)) => *number != 0,
                Some(Value::Bool(flag)) => *flag,
                _ => false,
            };
            Ok(Value::text(text_of(of, if is_true { 1 } else { 2 })?.into_owned()))
        }),
        "tostring" => Box::new(|of| Ok(Value::text(text_of(of, 0)?.into_owned()))),
        "visibleResources" => Box::new(|_| Ok(resources(page, page.resources()))),
        "trim" => trimmed(|it, cut| {
            let cut = Letters::of(cut);
            it.trim_matches(|char| cut.has(char)).to_owned()
        }),
        "trimLeft" => trimmed(|it, cut| {
            let cut = Letters::of(cut);
            it.trim_start_matches(|char| cut.has(char)).to_owned()
        }),
        "trimRight" => trimmed(|it, cut| {
            let cut = Letters::of(cut);
            it.trim_end_matches(|char| cut.has(char)).to_owned()
        }),
        "trimPrefix" => trimmed(|it, cut| it.strip_prefix(cut).unwrap_or(it).to_owned()),
        "trimSuffix" => trimmed(|it, cut| it.strip_suffix(cut).unwrap_or(it).to_owned()),
        "sanitizeSection" => shown(move |it| text::section(it, style)),
        "sanitizeDoc" => shown(move |it| text::document(it, style)),
        "sanitizeMarkdownTbl" => shown(move |it| text::markdown_cell(it, style)),
        "sanitizeAsciidocTbl" => shown(move |it| text::asciidoc_cell(it, style)),
        "anchorNameMarkdown" => Box::new(move |of| {
            Ok(Value::text(Markup::Markdown.anchor(page, &text_of(of, 0)?, &text_of(of, 1)?)))
        }),
        "anchorNameAsciidoc" => Box::new(move |of| {
            Ok(Value::text(Markup::Asciidoc.anchor(page, &text_of(of, 0)?, &text_of(of, 1)?)))
        }),
        _ => return None,
    })
}

fn trimmed<'f, 'v>(trim: fn(&'_ str, &'_ str) -> String) -> Function<'f, 'v> {
    use template::text as text_of;
    Box::new(move |of| Ok(Value::text(trim(&text_of(of, 1)?, &text_of(of, 0)?))))
}

fn shown<'f, 'v>(write: impl Fn(&str) -> String + 'f) -> Function<'f, 'v> {
    use template::text as text_of;
    Box::new(move |of| Ok(Value::text(write(&text_of(of, 0)?))))
}

/// The module as a record.
fn module<'p>(page: &Page<'p>) -> Value<'p> {
    let Inventory { inputs, outputs, calls, providers, requirements, .. } = page.inventory;
    let of = |required| inputs.iter().filter(move |input| input.is_required() == required);
    let resources_shown: Vec<&Resource> = page.inventory.resources.iter().collect();
    let has = |is: bool| Value::Bool(is);
    record([
        ("Header", Value::text(page.header)),
        ("Footer", Value::text(page.footer)),
        ("Inputs", Value::list(inputs.iter().map(|it| input(page, it)))),
        ("RequiredInputs", Value::list(of(true).map(|it| input(page, it)))),
        ("OptionalInputs", Value::list(of(false).map(|it| input(page, it)))),
        ("ModuleCalls", Value::list(calls.iter().map(|it| call(page, it)))),
        ("Outputs", Value::list(outputs.iter().map(|it| output(page, it)))),
        ("Providers", Value::list(providers.iter().map(|it| provider(page, it)))),
        ("Requirements", Value::list(requirements.iter().map(requirement))),
        ("Resources", resources(page, resources_shown)),
        ("HasHeader", has(!page.header.is_empty())),
        ("HasFooter", has(!page.footer.is_empty())),
        ("HasInputs", has(!inputs.is_empty())),
        ("HasModuleCalls", has(!calls.is_empty())),
        ("HasOutputs", has(!outputs.is_empty())),
        ("HasProviders", has(!providers.is_empty())),
        ("HasRequirements", has(!requirements.is_empty())),
        ("HasResources", has(!page.inventory.resources.is_empty())),
    ])
}

/// The text that Go prints for a value that is null or missing.
const NULL: &str = "&{}";

/// Returns a value, as a template gets it. One that is nested too deeply, or has a number that is too
/// large for a float, is its JSON.
fn given<'p>(json: &'p str) -> Value<'p> {
    match json {
        "" | "null" => Value::text(NULL),
        json => Value::from_json(json).unwrap_or_else(|_| Value::text(json)),
    }
}

fn position<'p>(page: &Page<'p>, position: Position) -> (&'static str, Value<'p>) {
    let line = Value::Int(i64::try_from(position.1).unwrap_or(i64::MAX));
    let file = Value::text(page.inventory.file(position));
    ("Position", record([("Filename", file), ("Line", line)]))
}

/// The directory of the module, as it was named.
fn directory<'p>(page: &Page<'p>) -> &'p str {
    let first = page.inventory.files.first().map(String::as_str).unwrap_or_default();
    first.rsplit_once('/').map_or(".", |(directory, _)| directory)
}

fn input<'p>(page: &Page<'p>, input: &'p Input) -> Value<'p> {
    record([
        ("Name", Value::text(&input.name)),
        ("Type", Value::text(&input.written_type)),
        ("Description", Value::text(&input.description)),
        ("Default", given(shown_default(input))),
        ("GetValue", Value::text(shown_default(input))),
        ("HasDefault", Value::Bool(!input.is_required())),
        ("Required", Value::Bool(input.is_required())),
        position(page, input.position),
    ])
}

fn output<'p>(page: &Page<'p>, output: &'p Output) -> Value<'p> {
    let shown = page.value_of(&output.name);
    let (is_sensitive, text) = shown.clone().unwrap_or_default();
    let value = match &shown {
        None => Value::text("<nil>"),
        Some((true, text)) => Value::text(text.clone()),
        Some((false, _)) => match page.values.and_then(|values| values.get(&output.name)) {
            Some(value) => given(&value.json),
            None => Value::text("null"),
        },
    };
    let has_value = shown.is_some() && !text.is_empty();
    record([
        ("Name", Value::text(&output.name)),
        ("Description", Value::text(&output.description)),
        ("Value", value),
        ("GetValue", Value::text(text)),
        ("HasDefault", Value::Bool(has_value)),
        ("Sensitive", Value::Bool(is_sensitive)),
        ("ShowValue", Value::Bool(shown.is_some())),
        position(page, output.position),
    ])
}

fn call<'p>(page: &Page<'p>, call: &'p Call) -> Value<'p> {
    let full_name = match call.version.is_empty() {
        true => call.source.clone(),
        false => format!("{},{}", call.source, call.version),
    };
    record([
        ("Name", Value::text(&call.name)),
        ("Source", Value::text(&call.source)),
        ("Version", Value::text(&call.version)),
        ("Description", Value::text(&call.description)),
        ("FullName", Value::text(full_name)),
        position(page, call.position),
    ])
}

fn provider<'p>(page: &Page<'p>, provider: &'p Provider) -> Value<'p> {
    record([
        ("Name", Value::text(&provider.name)),
        ("Alias", Value::text(&provider.alias)),
        ("Version", Value::text(&provider.version)),
        ("FullName", Value::text(provider.full_name())),
        position(page, provider.position),
    ])
}

fn requirement(requirement: &Requirement) -> Value<'_> {
    let Requirement { name, version } = requirement;
    record([("Name", Value::text(name)), ("Version", Value::text(version))])
}

fn resources<'p>(page: &Page<'p>, resources: Vec<&'p Resource>) -> Value<'p> {
    Value::list(resources.into_iter().map(|it| {
        record([
            ("Type", Value::text(&it.short_type)),
            ("Name", Value::text(&it.name)),
            ("ProviderName", Value::text(&it.provider)),
            ("ProviderSource", Value::text(&it.source)),
            ("Mode", Value::text(if it.is_data { "data" } else { "managed" })),
            ("Version", Value::text(&it.version)),
            ("Description", Value::text(&it.description)),
            ("GetMode", Value::text(it.mode())),
            ("Spec", Value::text(it.spec())),
            ("URL", Value::text(it.url())),
            position(page, it.position),
        ])
    }))
}
