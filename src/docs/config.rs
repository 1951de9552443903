//! The settings, as a template of a page names them: `.Config`.

use super::settings::{Mode, Order, Section, Sections, Settings};
use super::template::{Value, record};

/// Returns the settings as a record. `directory` is that of the module, as it was named.
pub(super) fn record_of<'p>(settings: &'p Settings, directory: &'p str) -> Value<'p> {
    let flag = Value::Bool;
    let shows = |section| Value::Bool(settings.shows(section));
    let by = match settings.by {
        Order::Name | Order::Position => "name",
        Order::Required => "required",
        Order::Type => "type",
    };
    let template = settings.whole_template();
    let mode = match settings.mode {
        Mode::Inject => "inject",
        Mode::Replace => "replace",
    };
    let recursive = record([
        ("Enabled", flag(settings.recursive)),
        ("Path", Value::text(&settings.recursive_path)),
        ("IncludeMain", flag(settings.include_main)),
        ("Exclude", Value::list(settings.exclude.iter().map(|name| Value::text(name.as_str())))),
    ]);
    let sections = record([
        ("Show", names(&settings.show)),
        ("Hide", names(&settings.hide)),
        ("DataSources", shows(Section::DataSources)),
        ("Header", shows(Section::Header)),
        ("Footer", shows(Section::Footer)),
        ("Inputs", shows(Section::Inputs)),
        ("ModuleCalls", shows(Section::Modules)),
        ("Outputs", shows(Section::Outputs)),
        ("Providers", shows(Section::Providers)),
        ("Requirements", shows(Section::Requirements)),
        ("Resources", shows(Section::Resources)),
    ]);
    let output = record([
        ("File", Value::text(&settings.output_file)),
        ("Mode", Value::text(mode)),
        ("Template", Value::text(template)),
    ]);
    let values = record([
        ("Enabled", flag(settings.output_values)),
        ("From", Value::text(&settings.output_values_from)),
    ]);
    let own = record([
        ("Anchor", flag(settings.anchor)),
        ("AtxClosed", flag(settings.atx_closed)),
        ("Color", flag(settings.color)),
        ("Default", flag(settings.default)),
        ("Description", flag(settings.description)),
        ("Escape", flag(settings.escape)),
        ("HideEmpty", flag(settings.hide_empty)),
        ("HTML", flag(settings.html)),
        ("Indent", Value::Int(settings.indent)),
        ("LockFile", flag(settings.lock_file)),
        ("ReadComments", flag(settings.read_comments)),
        ("Required", flag(settings.required)),
        ("Sensitive", flag(settings.sensitive)),
        ("Type", flag(settings.types)),
    ]);
    record([
        ("Formatter", Value::text(&settings.formatter_name)),
        ("Version", Value::text(&settings.version)),
        ("HeaderFrom", Value::text(&settings.header_from)),
        ("FooterFrom", Value::text(&settings.footer_from)),
        ("Recursive", recursive),
        ("Content", Value::text(&settings.content)),
        ("Sections", sections),
        ("Output", output),
        ("OutputValues", values),
        ("Sort", record([("Enabled", flag(settings.is_sorted)), ("By", Value::text(by))])),
        ("Settings", own),
        ("ModuleRoot", Value::text(directory)),
    ])
}

/// The names of sections.
fn names(sections: &Sections) -> Value<'static> {
    let name = |section: &Option<Section>| {
        Section::NAMES.iter().find(|(_, known)| known == section).map(|(name, _)| *name)
    };
    Value::list(sections.iter().filter_map(name).map(Value::text))
}
