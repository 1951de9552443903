//! Reference pages of modules: requirements, providers, modules, resources, inputs and outputs, in
//! Markdown, AsciiDoc or JSON, byte for byte as terraform-docs 0.24 prints them.
//!
//! [`Settings`] are those of `.terraform-docs.yml`. An [`Inventory`] has the declarations of a
//! module, in the order of the settings. [`page()`] returns the text, and [`written`] the new
//! content of a file that has the page between two comments. Nothing is written here, and only the
//! closure of the caller reads the files that settings name.
//!
//! ```
//! use simd_hcl::directory::{DecodeOptions, MemoryFiles, ModuleFiles};
//! use simd_hcl::docs::{Extras, Inventory, Settings, page};
//! use simd_hcl::{Arena, Dialect};
//!
//! let mut files = MemoryFiles::new("module");
//! files.insert("main.tf", (*b"# The size.\nvariable \"size\" {\n  default = 3\n}\n").into())?;
//! let files = ModuleFiles::list_in_memory(&files.into_root(), Dialect::OpenTofu).unwrap();
//!
//! let arena = Arena::new();
//! let settings = Settings::default();
//! let inventory = Inventory::read(&arena, &files, &DecodeOptions::default(), &settings, &mut ());
//! let text = page(&inventory.unwrap(), &settings, &Extras::default(), &|_| Ok(None))?;
//! assert!(text.contains("| <a name=\"input_size\"></a> [size](#input\\_size) | The size. | `number` | `3` | no |"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod asciidoc;
mod attributes;
mod config;
mod content;
mod document;
mod extra_sections;
mod extras;
mod inject;
mod inventory;
mod json;
mod json_text;
mod lines;
mod markdown;
mod markup;
mod page;
mod settings;
mod template;
mod text;
mod urls;
mod values;
mod yaml;

use std::io;

pub use self::attributes::ObjectAttribute;
pub use self::extras::{Caller, Extras, PageFinding};
pub use self::inject::{Written, has_marker, written};
pub use self::inventory::{Call, Input, Inventory, Output, Provider, Requirement, Resource};
pub use self::settings::{Formatter, Mode, Order, Problem, Section, Settings, VERSION};

use self::markup::Markup;
use self::page::{Page, SECTIONS};
use self::settings::{DEFAULT_HEADER, problem};
use self::yaml::Place;

/// A file that settings name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named<'n> {
    /// Relative to the module.
    InModule(&'n str),
    /// Relative to the current directory.
    Here(&'n str),
}

/// Returns the text of a file; `None` if it does not exist.
pub type Read<'r> = &'r dyn Fn(Named<'_>) -> io::Result<Option<String>>;

/// Returns the page of a module. No line feed follows its last line.
///
/// Cost: linear in what the inventory lists, and in the files that settings name; templates have a budget.
///
/// # Errors
/// A setting names a formatter or a file that does not exist, or a template is invalid.
pub fn page(
    inventory: &Inventory,
    settings: &Settings,
    extras: &Extras,
    read: Read<'_>,
) -> Result<String, Problem> {
    let formatter = settings.known_formatter()?;
    let is_asciidoc = matches!(formatter, Formatter::AsciidocTable | Formatter::AsciidocDocument);
    // Nothing is escaped in AsciiDoc.
    let unescaped = is_asciidoc.then(|| settings.clone().without_escapes());
    let settings = unescaped.as_ref().unwrap_or(settings);
    let header = long_text(settings, Section::Header, read)?;
    let footer = long_text(settings, Section::Footer, read)?;
    let values = match settings.output_values {
        true => Some(output_values(settings, read)?),
        false => None,
    };
    let page = Page {
        inventory,
        settings,
        header: &header,
        footer: &footer,
        extras,
        values: values.as_ref(),
    };
    if formatter == Formatter::Json {
        return Ok(json::page(&page));
    }
    let write = |section, out: &mut String| match formatter {
        Formatter::MarkdownTable | Formatter::Json => markdown::table(&page, section, out),
        Formatter::MarkdownDocument => document::section(&page, Markup::Markdown, section, out),
        Formatter::AsciidocTable => asciidoc::table(&page, section, out),
        Formatter::AsciidocDocument => document::section(&page, Markup::Asciidoc, section, out),
    };
    let markup = if is_asciidoc { Markup::Asciidoc } else { Markup::Markdown };
    let one = |section| {
        let mut out = String::new();
        if page.shows(section) {
            write(section, &mut out);
        }
        text::tidied(&out)
    };
    let extra = || {
        let mut out = String::new();
        extra_sections::sections(&page, markup, &mut out);
        text::tidied(&out)
    };
    let whole = || {
        let mut out = String::new();
        for section in SECTIONS {
            if section == Section::Footer {
                extra_sections::sections(&page, markup, &mut out);
            }
            if page.shows(section) {
                write(section, &mut out);
            }
        }
        text::tidied(&out)
    };
    if settings.content.is_empty() {
        return Ok(whole());
    }
    let include = |name: &str| match read(Named::InModule(name)) {
        Ok(Some(text)) => Ok(text),
        Ok(None) => Err(format!("there is no file \"{name}\"")),
        Err(error) => Err(format!("cannot read \"{name}\": {error}")),
    };
    content::render(&page, &one, &[("Content", &whole), ("Extras", &extra)], &include)
        .or_else(|error| settings.in_template(settings.content_place, &error))
}

/// Returns the first line of the header, without the sign of a heading; an empty text without a header.
///
/// # Errors
/// The file of the header does not exist.
pub fn title(settings: &Settings, read: Read<'_>) -> Result<String, Problem> {
    let header = long_text(settings, Section::Header, read)?;
    let first = header.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    Ok(first.trim_start_matches(['#', '=']).trim().to_owned())
}

/// Returns the text of the header or the footer.
fn long_text(settings: &Settings, section: Section, read: Read<'_>) -> Result<String, Problem> {
    if !settings.shows(section) {
        return Ok(String::new());
    }
    let (name, place) = match section {
        Section::Footer => (&settings.footer_from, settings.footer_place),
        _ => (&settings.header_from, settings.header_place),
    };
    let is_commented = name.ends_with(".tf") || name.ends_with(".tofu");
    let is_plain = [".adoc", ".md", ".txt"].iter().any(|end| name.ends_with(end));
    if !is_commented && !is_plain {
        let what = "must end with .adoc, .md, .tf, .tofu or .txt";
        return problem(place, format!("the name of the file \"{name}\" {what}"));
    }
    match file(Named::InModule(name), name, place, read) {
        Ok(text) if is_commented => Ok(lines::first_comment(&text)),
        Err(_) if section == Section::Header && name == DEFAULT_HEADER => Ok(String::new()),
        text => text,
    }
}

fn file(named: Named<'_>, name: &str, place: Place, read: Read<'_>) -> Result<String, Problem> {
    match read(named) {
        Ok(Some(text)) => Ok(text),
        Ok(None) => problem(place, format!("there is no file \"{name}\"")),
        Err(error) => problem(place, format!("cannot read \"{name}\": {error}")),
    }
}

fn output_values(
    settings: &Settings,
    read: Read<'_>,
) -> Result<std::collections::BTreeMap<String, page::OutputValue>, Problem> {
    let name = &settings.output_values_from;
    let text = file(Named::Here(name), name, settings.values_place, read)?;
    values::read(name, &text)
        .or_else(|why| problem(settings.values_place, format!("\"{name}\": {why}")))
}
