//! The settings of terraform-docs: `.terraform-docs.yml`.
//!
//! They are read with their places, so that an error names its line. terraform-docs ignores a
//! member that it does not know; here it is an error, since it is most often a typing error.

use std::fmt;

use super::yaml::{self, Entry, Node, Place};
use crate::module::VersionConstraint;
use crate::suggest::nearest;

/// The version of terraform-docs whose pages these are. The setting `version` is compared with it.
pub const VERSION: [i64; 3] = [0, 24, 0];

/// A format of pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Formatter {
    /// Tables of Markdown.
    #[default]
    MarkdownTable,
    /// Sections of Markdown.
    MarkdownDocument,
    /// Tables of AsciiDoc.
    AsciidocTable,
    /// Sections of AsciiDoc.
    AsciidocDocument,
    /// JSON.
    Json,
}

impl Formatter {
    /// Its names in the settings.
    const NAMES: &[(&str, Self)] = &[
        ("asciidoc", Self::AsciidocTable),
        ("asciidoc table", Self::AsciidocTable),
        ("asciidoc tbl", Self::AsciidocTable),
        ("adoc", Self::AsciidocTable),
        ("adoc table", Self::AsciidocTable),
        ("adoc tbl", Self::AsciidocTable),
        ("asciidoc document", Self::AsciidocDocument),
        ("asciidoc doc", Self::AsciidocDocument),
        ("adoc document", Self::AsciidocDocument),
        ("adoc doc", Self::AsciidocDocument),
        ("json", Self::Json),
        ("markdown", Self::MarkdownTable),
        ("markdown table", Self::MarkdownTable),
        ("markdown tbl", Self::MarkdownTable),
        ("md", Self::MarkdownTable),
        ("md table", Self::MarkdownTable),
        ("md tbl", Self::MarkdownTable),
        ("markdown document", Self::MarkdownDocument),
        ("markdown doc", Self::MarkdownDocument),
        ("md document", Self::MarkdownDocument),
        ("md doc", Self::MarkdownDocument),
    ];

    /// The name in full.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::MarkdownTable => "markdown table",
            Self::MarkdownDocument => "markdown document",
            Self::AsciidocTable => "asciidoc table",
            Self::AsciidocDocument => "asciidoc document",
            Self::Json => "json",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, formatter)| *formatter)
    }
}

/// The order of inputs, and of module calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By name.
    #[default]
    Name,
    /// Required inputs first.
    Required,
    /// Inputs by their type, module calls by their source.
    Type,
    /// By file and line.
    Position,
}

/// How a page gets into a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Between the comments that the template has.
    #[default]
    Inject,
    /// It is the file.
    Replace,
}

/// The parts of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Section {
    /// Text of a file, at the start.
    Header,
    /// Text of a file, at the end.
    Footer,
    /// Versions of the tool and of providers.
    Requirements,
    /// The providers of resources.
    Providers,
    /// Module calls.
    Modules,
    /// Managed resources.
    Resources,
    /// Data sources.
    DataSources,
    /// Variables.
    Inputs,
    /// Outputs.
    Outputs,
}

impl Section {
    /// Their names in the settings.
    pub(super) const NAMES: &[(&str, Option<Self>)] = &[
        ("all", None),
        ("data-sources", Some(Self::DataSources)),
        ("footer", Some(Self::Footer)),
        ("header", Some(Self::Header)),
        ("inputs", Some(Self::Inputs)),
        ("modules", Some(Self::Modules)),
        ("outputs", Some(Self::Outputs)),
        ("providers", Some(Self::Providers)),
        ("requirements", Some(Self::Requirements)),
        ("resources", Some(Self::Resources)),
    ];
}

/// Sections that are shown or hidden; `None` is all of them.
pub(super) type Sections = Vec<Option<Section>>;

/// An error in settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The message.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Problem {}

pub(super) fn problem<T>(place: Place, message: impl Into<String>) -> Result<T, Problem> {
    Err(Problem { line: place.line + 1, column: place.column + 1, message: message.into() })
}

/// The settings of a page. The default is that of terraform-docs.
///
/// ```
/// use simd_hcl::docs::{Formatter, Settings};
///
/// let mut settings = Settings::default();
/// settings.read("formatter: markdown document\nsort:\n  by: required\n")?;
/// assert_eq!(settings.formatter(), Some(Formatter::MarkdownDocument));
/// let error = settings.read("sort:\n  bye: required\n").unwrap_err();
/// assert_eq!(error.to_string(), "2:3: unknown member \"bye\"; did you mean \"by\"?");
/// # Ok::<(), simd_hcl::docs::Problem>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    formatter: Option<(Result<Formatter, String>, Place)>,
    /// The name of the formatter, as it is written.
    pub(super) formatter_name: String,
    /// The constraint on versions of terraform-docs, as it is written.
    pub(super) version: String,
    /// The file, relative to the module, whose first comment or whole text is the header.
    pub header_from: String,
    pub(super) header_place: Place,
    /// The file, relative to the module, whose text is the footer; empty for none.
    pub footer_from: String,
    pub(super) footer_place: Place,
    /// Whether the modules of a directory get pages, too.
    pub recursive: bool,
    /// The directory of these modules, relative to the module.
    pub recursive_path: String,
    /// Whether the module itself gets a page, too.
    pub include_main: bool,
    /// Names of directories that are left out.
    pub exclude: Vec<String>,
    /// The template of the page; empty for all sections in their order.
    pub content: String,
    pub(super) content_place: Place,
    pub(super) show: Sections,
    pub(super) hide: Sections,
    /// The file, relative to the module, that the page is written to; empty for standard output.
    pub output_file: String,
    /// How the page gets into that file.
    pub mode: Mode,
    /// The text around the page.
    pub template: String,
    pub(super) template_place: Place,
    /// Whether values of outputs are shown.
    pub output_values: bool,
    /// The file with the values of outputs, as `output -json` prints it, relative to the current
    /// directory.
    pub output_values_from: String,
    pub(super) values_place: Place,
    pub(super) is_sorted: bool,
    pub(super) by: Order,
    /// Whether names link to themselves.
    pub anchor: bool,
    /// Whether headings are closed.
    pub atx_closed: bool,
    /// Whether defaults are shown.
    pub default: bool,
    /// Whether characters with a meaning in Markdown are escaped.
    pub escape: bool,
    /// Whether sections without entries are left out.
    pub hide_empty: bool,
    /// Whether HTML is used.
    pub html: bool,
    /// The level of headings.
    pub indent: i64,
    /// Whether versions of providers come from the lock file.
    pub lock_file: bool,
    /// Whether comments are descriptions.
    pub read_comments: bool,
    /// Whether it is shown which inputs are required.
    pub required: bool,
    /// Whether it is shown which outputs are sensitive.
    pub sensitive: bool,
    /// Whether types are shown.
    pub types: bool,
    /// Whether the formatter `pretty` has colors: templates can ask.
    pub(super) color: bool,
    /// Whether the formatter `tfvars hcl` has descriptions: templates can ask.
    pub(super) description: bool,
    /// Whether the attributes of objects are entries of their own. terraform-docs has no such setting.
    pub with_attributes: bool,
    /// Whether a default has the defaults of the optional attributes in it. terraform-docs has no such
    /// setting.
    pub with_optional_defaults: bool,
}

/// The file of the header. It may be missing, unlike one that the settings name.
pub(super) const DEFAULT_HEADER: &str = "main.tf";

/// The part of a template that the page replaces.
const CONTENT: &str = "{{ .Content }}";

impl Default for Settings {
    fn default() -> Self {
        Self {
            formatter: None,
            formatter_name: String::new(),
            version: String::new(),
            header_from: DEFAULT_HEADER.to_owned(),
            header_place: Place::default(),
            footer_from: String::new(),
            footer_place: Place::default(),
            recursive: false,
            recursive_path: "modules".to_owned(),
            include_main: true,
            exclude: Vec::new(),
            content: String::new(),
            content_place: Place::default(),
            show: Vec::new(),
            hide: Vec::new(),
            output_file: String::new(),
            mode: Mode::Inject,
            template: format!("<!-- BEGIN_TF_DOCS -->\n{CONTENT}\n<!-- END_TF_DOCS -->"),
            template_place: Place::default(),
            output_values: false,
            output_values_from: String::new(),
            values_place: Place::default(),
            is_sorted: true,
            by: Order::Name,
            anchor: true,
            atx_closed: false,
            default: true,
            escape: true,
            hide_empty: false,
            html: true,
            indent: 2,
            lock_file: true,
            read_comments: true,
            required: true,
            sensitive: true,
            types: true,
            color: true,
            description: false,
            with_attributes: false,
            with_optional_defaults: false,
        }
    }
}

impl Settings {
    /// The formatter that the settings name, if it is known.
    #[must_use]
    pub fn formatter(&self) -> Option<Formatter> {
        self.formatter.as_ref()?.0.as_ref().ok().copied()
    }

    /// Sets the formatter.
    #[must_use]
    pub fn with_formatter(mut self, formatter: Formatter) -> Self {
        self.formatter = Some((Ok(formatter), Place::default()));
        formatter.as_str().clone_into(&mut self.formatter_name);
        self
    }

    pub(super) fn without_escapes(mut self) -> Self {
        self.escape = false;
        self
    }

    /// Whether a section is shown. The footer is shown if it has a file.
    #[must_use]
    pub fn shows(&self, section: Section) -> bool {
        if section == Section::Footer && self.footer_from.is_empty() {
            return false;
        }
        let has = |list: &Sections| list.iter().any(|it| it.is_none_or(|it| it == section));
        match (self.show.is_empty(), self.hide.is_empty()) {
            (true, true) => true,
            (false, _) if has(&self.show) => true,
            (_, false) => !has(&self.hide),
            (false, true) => false,
        }
    }

    /// The order of inputs and module calls.
    #[must_use]
    pub fn order(&self) -> Order {
        if self.is_sorted { self.by } else { Order::Position }
    }

    /// The template that is put around the page. In the mode `inject`, `\n` in it is a line break.
    #[must_use]
    pub(super) fn whole_template(&self) -> String {
        match self.mode {
            Mode::Inject => self.template.replace("\\n", "\n"),
            Mode::Replace => self.template.clone(),
        }
    }

    /// Reads a file of settings. The settings in it take precedence over these. The lists of shown
    /// and of hidden sections are replaced together.
    ///
    /// Cost: linear in the text.
    ///
    /// # Errors
    /// The first error: of the syntax, an unknown member, a value of another type, or settings that do
    /// not fit together.
    pub fn read(&mut self, text: &str) -> Result<(), Problem> {
        let root = yaml::read(text).or_else(|(place, message)| problem(place, message))?;
        for entry in members(&root)? {
            match entry.name() {
                "formatter" => {
                    let name = entry.value.text()?;
                    let formatter = Formatter::named(name).ok_or_else(|| name.to_owned());
                    name.clone_into(&mut self.formatter_name);
                    self.formatter = Some((formatter, entry.value.place));
                }
                "version" => {
                    check_version(&entry.value)?;
                    entry.value.text()?.clone_into(&mut self.version);
                }
                "header-from" => {
                    self.header_from = entry.value.text()?.to_owned();
                    self.header_place = entry.value.place;
                }
                "footer-from" => {
                    self.footer_from = entry.value.text()?.to_owned();
                    self.footer_place = entry.value.place;
                }
                "content" => {
                    self.content = entry.value.text()?.to_owned();
                    self.content_place = entry.value.text_place();
                }
                "recursive" => self.read_recursive(&entry.value)?,
                "sections" => self.read_sections(&entry.value)?,
                "output" => self.read_output(&entry.value)?,
                "output-values" => self.read_output_values(&entry.value)?,
                "sort" => self.read_sort(&entry.value)?,
                "settings" => self.read_settings(&entry.value)?,
                _ => return unknown(entry, TOP),
            }
        }
        if self.header_from.is_empty() {
            return problem(Place::default(), "`header-from` is empty");
        }
        if self.footer_from == self.header_from {
            return problem(Place::default(), "`footer-from` and `header-from` are the same file");
        }
        Ok(())
    }

    fn read_recursive(&mut self, node: &Node<'_>) -> Result<(), Problem> {
        for entry in members(node)? {
            let value = &entry.value;
            match entry.name() {
                "enabled" => self.recursive = value.flag()?,
                "path" => self.recursive_path = value.text()?.to_owned(),
                "include-main" => self.include_main = value.flag()?,
                "exclude" => {
                    let names = value.texts()?;
                    self.exclude = names.into_iter().map(|(name, _)| name.to_owned()).collect();
                }
                _ => return unknown(entry, &["enabled", "exclude", "include-main", "path"]),
            }
        }
        match self.recursive && self.recursive_path.is_empty() {
            true => problem(node.place, "the path of recursive pages is empty"),
            false => Ok(()),
        }
    }

    fn read_sections(&mut self, node: &Node<'_>) -> Result<(), Problem> {
        let mut lists = None;
        for entry in members(node)? {
            let (show, hide) = lists.get_or_insert_default();
            let list: &mut Sections = match entry.name() {
                "show" => show,
                "hide" => hide,
                _ => return unknown(entry, &["hide", "show"]),
            };
            for (name, place) in entry.value.texts()? {
                match Section::NAMES.iter().find(|(known, _)| *known == name) {
                    Some((_, section)) => list.push(*section),
                    None => {
                        let names = Section::NAMES.iter().map(|(name, _)| *name);
                        let message = expected("section", name, names);
                        return problem(place, message);
                    }
                }
            }
        }
        if let Some((show, hide)) = lists {
            if !show.is_empty() && !hide.is_empty() {
                return problem(node.place, "sections cannot be both shown and hidden");
            }
            (self.show, self.hide) = (show, hide);
        }
        Ok(())
    }

    fn read_output(&mut self, node: &Node<'_>) -> Result<(), Problem> {
        let mut mode = Some((
            match self.mode {
                Mode::Inject => "inject",
                Mode::Replace => "replace",
            },
            node.place,
        ));
        for entry in members(node)? {
            let value = &entry.value;
            match entry.name() {
                "file" => self.output_file = value.text()?.to_owned(),
                "mode" => mode = Some((value.text()?, value.place)),
                "template" => {
                    self.template = value.text()?.to_owned();
                    self.template_place = value.text_place();
                }
                _ => return unknown(entry, &["file", "mode", "template"]),
            }
        }
        if self.output_file.is_empty() {
            return Ok(());
        }
        if let Some((name, place)) = mode {
            self.mode = match name {
                "replace" => Mode::Replace,
                "inject" => Mode::Inject,
                _ => return problem(place, expected("mode", name, ["inject", "replace"])),
            };
        }
        let place = self.template_place;
        let template = self.whole_template();
        if template.is_empty() && self.mode == Mode::Replace {
            return Ok(());
        }
        if !template.contains(CONTENT) {
            return problem(place, format!("the template does not have `{CONTENT}`"));
        }
        if self.mode == Mode::Replace {
            return Ok(());
        }
        let lines: Vec<&str> = template.split('\n').collect();
        match lines.as_slice() {
            [first, _, .., last] => match (is_comment(first), is_comment(last)) {
                (true, true) => Ok(()),
                (false, _) => problem(place, "the first line of the template is not a comment"),
                _ => problem(place, "the last line of the template is not a comment"),
            },
            _ => problem(place, "the template must have three lines: comment, content, comment"),
        }
    }

    fn read_output_values(&mut self, node: &Node<'_>) -> Result<(), Problem> {
        for entry in members(node)? {
            match entry.name() {
                "enabled" => self.output_values = entry.value.flag()?,
                "from" => {
                    self.output_values_from = entry.value.text()?.to_owned();
                    self.values_place = entry.value.place;
                }
                _ => return unknown(entry, &["enabled", "from"]),
            }
        }
        match self.output_values && self.output_values_from.is_empty() {
            true => problem(node.place, "the file with the values of outputs (`from`) is missing"),
            false => Ok(()),
        }
    }

    fn read_sort(&mut self, node: &Node<'_>) -> Result<(), Problem> {
        for entry in members(node)? {
            let value = &entry.value;
            match entry.name() {
                "enabled" => self.is_sorted = value.flag()?,
                "by" => {
                    self.by = match value.text()? {
                        "name" => Order::Name,
                        "required" => Order::Required,
                        "type" => Order::Type,
                        name => {
                            let message = expected("order", name, ["name", "required", "type"]);
                            return problem(value.place, message);
                        }
                    };
                }
                _ => return unknown(entry, &["by", "enabled"]),
            }
        }
        Ok(())
    }

    fn read_settings(&mut self, node: &Node<'_>) -> Result<(), Problem> {
        for entry in members(node)? {
            let value = &entry.value;
            let flag = match entry.name() {
                "indent" => {
                    self.indent = value.integer()?;
                    continue;
                }
                "anchor" => &mut self.anchor,
                "atx-closed" => &mut self.atx_closed,
                "color" => &mut self.color,
                "description" => &mut self.description,
                "default" => &mut self.default,
                "escape" => &mut self.escape,
                "hide-empty" => &mut self.hide_empty,
                "html" => &mut self.html,
                "lockfile" => &mut self.lock_file,
                "read-comments" => &mut self.read_comments,
                "required" => &mut self.required,
                "sensitive" => &mut self.sensitive,
                "type" => &mut self.types,
                _ => return unknown(entry, SETTINGS),
            };
            *flag = value.flag()?;
        }
        Ok(())
    }

    /// Returns the formatter, or the error of one that is not known.
    ///
    /// # Errors
    /// The settings name a formatter that does not exist here.
    pub fn known_formatter(&self) -> Result<Formatter, Problem> {
        match &self.formatter {
            None => Ok(Formatter::default()),
            Some((Ok(formatter), _)) => Ok(*formatter),
            Some((Err(name), place)) => {
                let names = Formatter::NAMES.iter().map(|(name, _)| *name);
                problem(*place, expected("formatter", name, names))
            }
        }
    }
}

const TOP: &[&str] = &[
    "content",
    "footer-from",
    "formatter",
    "header-from",
    "output",
    "output-values",
    "recursive",
    "sections",
    "settings",
    "sort",
    "version",
];

const SETTINGS: &[&str] = &[
    "anchor",
    "atx-closed",
    "color",
    "default",
    "description",
    "escape",
    "hide-empty",
    "html",
    "indent",
    "lockfile",
    "read-comments",
    "required",
    "sensitive",
    "type",
];

fn expected<'n>(
    what: &str,
    name: &str,
    names: impl IntoIterator<Item = &'n str> + Clone,
) -> String {
    match nearest(name, names.clone()) {
        Some(near) => format!("unknown {what} \"{name}\"; did you mean \"{near}\"?"),
        None => {
            let names: Vec<&str> = names.into_iter().collect();
            format!("unknown {what} \"{name}\"; expected one of {}", names.join(", "))
        }
    }
}

fn unknown<T>(entry: &Entry<'_>, names: &[&str]) -> Result<T, Problem> {
    problem(entry.place, expected("member", entry.name(), names.iter().copied()))
}

/// The members of a mapping that have a value. Null has none.
fn members<'n, 't>(node: &'n Node<'t>) -> Result<impl Iterator<Item = &'n Entry<'t>>, Problem> {
    let entries = match &node.content {
        yaml::Content::Mapping(entries) => entries.as_slice(),
        _ if node.is_null() => &[],
        _ => return problem(node.place, "expected a mapping"),
    };
    Ok(entries.iter().filter(|entry| !entry.value.is_null()))
}

impl Node<'_> {
    fn text(&self) -> Result<&str, Problem> {
        match &self.content {
            yaml::Content::Scalar(text, _) => Ok(text),
            _ => problem(self.place, "expected a text"),
        }
    }

    fn flag(&self) -> Result<bool, Problem> {
        match self.text()? {
            "true" | "True" | "TRUE" | "t" | "T" | "1" => Ok(true),
            "false" | "False" | "FALSE" | "f" | "F" | "0" | "" => Ok(false),
            _ => problem(self.place, "expected `true` or `false`"),
        }
    }

    fn integer(&self) -> Result<i64, Problem> {
        let text = self.text()?;
        let number = text.parse().ok();
        number.map_or_else(|| problem(self.place, "expected a whole number"), Ok)
    }

    /// A list of texts, or one text with commas.
    fn texts(&self) -> Result<Vec<(&str, Place)>, Problem> {
        match &self.content {
            yaml::Content::Sequence(nodes) => {
                nodes.iter().map(|node| Ok((node.text()?, node.place))).collect()
            }
            yaml::Content::Scalar(text, _) if text.is_empty() => Ok(Vec::new()),
            yaml::Content::Scalar(text, _) => {
                Ok(text.split(',').map(|text| (text, self.place)).collect())
            }
            yaml::Content::Mapping(_) => problem(self.place, "expected a list of texts"),
        }
    }
}

/// Whether a line of a template is a comment in Markdown or AsciiDoc.
fn is_comment(line: &str) -> bool {
    const FORMS: [(&str, &str); 6] = [
        ("<!--", "-->"),
        ("[]: # (", ")"),
        ("[]: # \"", "\""),
        ("[]: # '", "'"),
        ("[//]: # (", ")"),
        ("[comment]: # (", ")"),
    ];
    line.starts_with("//")
        || FORMS.iter().any(|(start, end)| line.starts_with(start) && line.ends_with(end))
}

fn check_version(node: &Node<'_>) -> Result<(), Problem> {
    let text = node.text()?;
    if text.is_empty() {
        return Ok(());
    }
    let Some(constraints) = VersionConstraint::parse_all(text) else {
        return problem(node.place, format!("\"{text}\" is not a version constraint"));
    };
    match constraints.iter().all(|constraint| constraint.admits(VERSION)) {
        true => Ok(()),
        false => {
            let [major, minor, patch] = VERSION;
            let message = format!(
                "the settings ask for version {text} of terraform-docs; pages are those of \
                 {major}.{minor}.{patch}"
            );
            problem(node.place, message)
        }
    }
}
