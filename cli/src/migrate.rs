//! `migrate`: settings of tflint as settings of ours.
//!
//! Rules that tflint has on are selected, rules that it has off are ignored, and rules that tflint
//! does not have keep their defaults. A setting without a counterpart becomes a comment.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use simd_hcl::body::{AttributeSchema, Block, BlockSchema, Content, Schema};
use simd_hcl::rules::{Group, RULES, Rule, Tflint, rules_of_tflint};
use simd_hcl::{Arena, Diagnostic, Expression, ParsedFile, Sink};

use crate::args::{self, Common};
use crate::status::{Failure, Status};
use crate::{output, visible};

static ROOT: Schema<'static> = Schema::new(
    &[],
    &[
        BlockSchema::new("tflint", &[]),
        BlockSchema::new("config", &[]),
        BlockSchema::new("plugin", &["name"]),
        BlockSchema::new("rule", &["name"]),
    ],
);

static CONFIG: Schema<'static> =
    Schema::new(&[AttributeSchema::optional("disabled_by_default")], &[]);

static PLUGIN: Schema<'static> =
    Schema::new(&[AttributeSchema::optional("enabled"), AttributeSchema::optional("preset")], &[]);

/// The blocks of rules: the conventions of names for each kind of object.
static RULE: Schema<'static> = Schema::new(
    &[],
    &[
        BlockSchema::new("check", &[]),
        BlockSchema::new("data", &[]),
        BlockSchema::new("locals", &[]),
        BlockSchema::new("module", &[]),
        BlockSchema::new("output", &[]),
        BlockSchema::new("resource", &[]),
        BlockSchema::new("variable", &[]),
    ],
);

/// The rules of the ruleset that are on where nothing else is said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Preset {
    /// The preset `all`, and a ruleset without a preset.
    All,
    Recommended,
    Nothing,
}

impl Preset {
    fn has(self, rule: Tflint) -> bool {
        match self {
            Self::All => rule.is_enabled,
            Self::Recommended => rule.is_recommended,
            Self::Nothing => false,
        }
    }
}

/// The settings of tflint.
struct Settings {
    preset: Preset,
    /// Whether the ruleset is off, whatever is said about its rules.
    is_off: bool,
    /// Rules of tflint that are named, and whether they are on.
    named: BTreeMap<String, bool>,
    /// For rules of ours, their options as TOML.
    options: BTreeMap<&'static str, BTreeMap<String, String>>,
    /// The settings that have no counterpart.
    lost: Vec<String>,
}

pub(crate) fn run(migrate: &args::Migrate, _: &Common) -> Result<Status, Failure> {
    let arena = Arena::new();
    let refuse = |error: &dyn std::fmt::Display| Err(Failure::Message(error.to_string()));
    let file = match ParsedFile::open(&arena, &migrate.file) {
        Ok(file) => file,
        Err(error) => return refuse(&error),
    };
    let mut errors: Vec<Diagnostic<'_>> = file.diagnostics().to_vec();
    let settings = Settings::read(file.body().content(&ROOT, &mut errors), &mut errors);
    if let Some(error) = errors.first() {
        return refuse(error);
    }
    let text = settings.written(&visible::path(&migrate.file));
    output::source(&text)?;
    Ok(Status::Clean)
}

/// A flag; a text counts by its content.
fn flag(value: Expression<'_>) -> Option<bool> {
    match value.to_str() {
        Some(text) => text.parse().ok(),
        None => value.as_keyword()?.parse().ok(),
    }
}

impl Settings {
    fn read<'a>(content: Content<'a>, errors: &mut dyn Sink<'a>) -> Self {
        let mut settings = Self {
            preset: Preset::Recommended,
            is_off: false,
            named: BTreeMap::new(),
            options: BTreeMap::new(),
            lost: Vec::new(),
        };
        let mut is_disabled = false;
        let mut has_preset = false;
        for block in content.blocks("config") {
            let (known, rest) = block.body().partial_content(&CONFIG, errors);
            let disabled = known.attribute("disabled_by_default");
            is_disabled |= disabled.and_then(|it| flag(it.expression())) == Some(true);
            for other in rest.properties() {
                settings.lost.push(format!("config {}", other.name()));
            }
        }
        for block in content.blocks("plugin") {
            let name = block.label(0).unwrap_or_default();
            if name != "terraform" {
                settings.lost.push(format!("plugin {name}"));
                continue;
            }
            let (known, _) = block.body().partial_content(&PLUGIN, errors);
            let enabled = known.attribute("enabled").and_then(|it| flag(it.expression()));
            settings.is_off = enabled == Some(false);
            let preset = known.attribute("preset").and_then(|it| it.expression().to_str());
            has_preset = preset.is_some();
            settings.preset = match preset {
                Some("all") | None => Preset::All,
                Some(_) => Preset::Recommended,
            };
        }
        if is_disabled && !has_preset {
            settings.preset = Preset::Nothing;
        }
        // Of two blocks about one rule, the last one counts.
        let rules = content.blocks("rule").map(|it| (it.label(0).unwrap_or_default(), it));
        for (name, block) in rules.collect::<BTreeMap<_, _>>() {
            settings.read_rule(name, block, errors);
        }
        settings
    }

    fn read_rule<'a>(&mut self, name: &str, block: Block<'a>, errors: &mut dyn Sink<'a>) {
        let mut rules = rules_of_tflint(name).peekable();
        if rules.peek().is_none() {
            self.lost.push(format!("rule {name}"));
            return;
        }
        let (blocks, rest) = block.body().partial_content(&RULE, errors);
        let mut enabled = true;
        let mut options: BTreeMap<String, String> = BTreeMap::new();
        let mut formats: BTreeMap<&'a str, &'a str> = BTreeMap::new();
        let attributes = rest.just_attributes(errors);
        for attribute in attributes {
            let value = attribute.expression();
            match attribute.name() {
                "enabled" => enabled = flag(value) != Some(false),
                "custom_formats" => {
                    for (key, format) in value.as_map().into_iter().flatten() {
                        let mut members = format.as_map().into_iter().flatten();
                        let regex = members.find(|(name, _)| name.to_str() == "regex");
                        if let Some(regex) = regex.and_then(|(_, regex)| regex.to_str()) {
                            formats.insert(key.to_str(), regex);
                        }
                    }
                }
                _ => {}
            }
        }
        let named = |value: &'a str| formats.get(value).copied().unwrap_or(value);
        let format = |format: Option<&'a str>, custom: Option<&'a str>| {
            custom.filter(|custom| !custom.is_empty()).or(format.map(named))
        };
        let text = |name: &str| {
            let attribute = attributes.iter().find(|it| it.name() == name)?;
            attribute.expression().to_str()
        };
        if let Some(format) = format(text("format"), text("custom")) {
            options.insert("format".to_owned(), quoted(format));
        }
        for block in blocks.all_blocks() {
            let all = block.body().just_attributes(errors);
            let text = |name: &str| {
                all.iter().find(|it| it.name() == name).and_then(|it| it.expression().to_str())
            };
            if let Some(format) = format(text("format"), text("custom")) {
                options.insert(block.block_type().to_owned(), quoted(format));
            }
        }
        for attribute in attributes {
            let name = attribute.name();
            if matches!(name, "enabled" | "custom_formats" | "format" | "custom") {
                continue;
            }
            options.insert(name.replace('_', "-"), toml_value(attribute.expression()));
        }
        self.named.insert(name.to_owned(), enabled);
        for rule in rules {
            for (option, value) in &options {
                let is_known =
                    option == "ignorable" || rule.options.iter().any(|known| known.name == option);
                match is_known {
                    true => {
                        let known = self.options.entry(rule.name()).or_default();
                        known.insert(option.clone(), value.clone());
                    }
                    false => self.lost.push(format!("rule {name}: {option}")),
                }
            }
        }
    }

    /// Whether tflint has a rule on.
    fn has(&self, rule: &Rule) -> bool {
        let is_on = |it: &Tflint| {
            let named = self.named.get(it.name).copied();
            !self.is_off && named.unwrap_or_else(|| self.preset.has(*it))
        };
        rule.tflint.iter().any(is_on)
    }

    /// The settings as TOML.
    fn written(&self, name: &str) -> String {
        let mut text = format!("# From {name}.\n");
        for lost in &self.lost {
            let _ = writeln!(text, "# Without a counterpart: {}", lost.replace('\n', " "));
        }
        let (mut select, mut ignore, mut allow) = (Vec::new(), Vec::new(), Vec::new());
        for rule in RULES.iter().filter(|rule| !rule.tflint.is_empty()) {
            match (self.has(rule), rule.group) {
                (true, Group::Correctness) => {}
                (true, _) => select.push(rule.name()),
                (false, Group::Correctness) => allow.push(rule.name()),
                (false, _) => ignore.push(rule.name()),
            }
        }
        for (key, names) in [("select", select), ("ignore", ignore), ("allow", allow)] {
            if !names.is_empty() {
                let names: Vec<String> =
                    names.iter().map(|name| format!("    {name:?},\n")).collect();
                let _ = write!(text, "{key} = [\n{}]\n", names.concat());
            }
        }
        for (rule, options) in &self.options {
            let _ = writeln!(text, "\n[rules.{rule}]");
            for (option, value) in options {
                let _ = writeln!(text, "{option} = {value}");
            }
        }
        text
    }
}

/// A value as TOML: a text, texts, or the source text, such as `true`.
fn toml_value(value: Expression<'_>) -> String {
    if let Some(list) = value.as_list() {
        let texts: Vec<String> = list.filter_map(|it| it.to_str()).map(quoted).collect();
        return format!("[{}]", texts.join(", "));
    }
    match (flag(value), value.to_str()) {
        (Some(flag), _) => flag.to_string(),
        (None, Some(text)) => quoted(text),
        (None, None) => quoted(&String::from_utf8_lossy(value.text())),
    }
}

/// A text as a string of TOML.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
