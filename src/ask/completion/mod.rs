//! Completions: the names that can be written at a position.

mod item;
mod references;

pub use self::item::{Completion, CompletionKind, Completions};
pub(super) use self::references::functions as standard_functions;
use self::references::of_type;
use super::answers::{Answers, Entry, Owner};
use super::context::{self, Around, Header, Spot, Value};
use crate::dialect::{List, Reading, Syntax};
use crate::module::{Object, ProviderNames};
use crate::show::SchemaKind;
use crate::span::Span;
use CompletionKind as Kind;

/// The number of completions of an answer.
const MOST: usize = 1000;

/// The types of a type expression.
const TYPES: [&str; 10] =
    ["string", "number", "bool", "any", "list", "set", "map", "object", "tuple", "optional"];

impl<'t, 'a> Answers<'t, 'a> {
    /// Returns the names that can be written at an offset: block types and arguments by the grammar
    /// of the tools, the schemas of providers and the variables of called modules; references;
    /// attributes of values; functions; types. Names that do not match the letters before the
    /// offset are left out. At most a thousand.
    ///
    /// Only the text before the offset is read of the file itself, so that it may be half-written.
    ///
    /// Cost: linear in the offset, in what the module declares and in the schemas that apply; the value
    /// of a local value or an output whose attributes are asked for.
    #[must_use]
    pub fn completions(&self, file: &str, offset: u32) -> Completions {
        let Some(entry) = self.entry(file) else { return Completions::default() };
        let mut around = context::around(entry, offset);
        let bytes = entry.source.bytes();
        if is_source(&around) {
            around.word = quoted_around(bytes, offset, around.word);
        }
        let written =
            Span::new(around.word.start, offset.min(bytes.len() as u32).max(around.word.start));
        let written = String::from_utf8_lossy(written.slice(bytes)).to_lowercase();
        let mut found = self.at_spot(entry, offset, &around);
        found.retain(|it| matches(&it.label.to_lowercase(), &written));
        let starts = |it: &Completion| !it.label.to_lowercase().starts_with(&written);
        found.sort_by_cached_key(|it| {
            (starts(it), order(it.kind), it.label.clone(), it.detail.is_none())
        });
        found.dedup_by(|one, other| one.label == other.label && one.kind == other.kind);
        let has_more = found.len() > MOST;
        found.truncate(MOST);
        for item in &mut found {
            finish(item, entry, &around);
        }
        Completions { items: found, replaced: around.word, has_more }
    }

    fn at_spot(&self, entry: &Entry<'a>, offset: u32, around: &Around) -> Vec<Completion> {
        if let Some(unit) = self.unit_in(entry) {
            return self.unit_completions(unit, offset, around);
        }
        match &around.spot {
            Spot::Item => self.items(entry, &around.blocks),
            Spot::Label(header, at) => self.labels(entry, (&around.blocks, header), *at),
            Spot::Value(value) => self.of_value(entry, offset, (&around.blocks, value)),
            Spot::Nothing => Vec::new(),
        }
    }

    /// The arguments and block types of a body.
    fn items(&self, entry: &Entry<'a>, blocks: &[Header]) -> Vec<Completion> {
        if let Some(variables) = self.variables_to_set(entry, blocks) {
            return variables;
        }
        let body = self.body_in(entry, blocks);
        let members = self.members(entry, &body).into_iter();
        members
            .map(|member| {
                let kind = if member.labels.is_some() { Kind::Block } else { Kind::Argument };
                let required = if member.is_required { "required, " } else { "" };
                let detail = match &member.ty {
                    Some(ty) => format!("{required}{ty}"),
                    None => format!("{required}{}", member.from),
                };
                let completion = Completion::new(&member.name, kind)
                    .with_detail(detail)
                    .with_documentation(member.documentation.as_deref());
                let snippet = match &member.labels {
                    None => format!("{} = $0", member.name),
                    Some(labels) => {
                        let mut head = member.name.clone();
                        for (at, label) in (1..).zip(labels) {
                            head.push_str(&format!(" \"${{{at}:{label}}}\""));
                        }
                        format!("{head} {{\n  $0\n}}")
                    }
                };
                let is_deprecated = member.is_deprecated;
                Completion { snippet: Some(snippet.into()), is_deprecated, ..completion }
            })
            .collect()
    }

    /// The variables that a body sets: that of a file of variables, and `variables` of a test.
    fn variables_to_set(&self, entry: &Entry<'a>, blocks: &[Header]) -> Option<Vec<Completion>> {
        let is_values = entry.kind.list == List::Variables && blocks.is_empty();
        let is_test = entry.kind.list == List::Test
            && blocks.last().is_some_and(|block| block.block_type == "variables");
        if !is_values && !is_test {
            return None;
        }
        let completion = |name: &str, ty: String, description: Option<&str>| {
            let completion = Completion::new(name, Kind::Variable).with_detail(ty);
            let snippet = Some(format!("{name} = $0").into());
            Completion { snippet, ..completion.with_documentation(description) }
        };
        Some(match entry.owner {
            Owner::Module(module) => {
                let variables = self.module(module).module.variables.iter();
                variables
                    .map(|it| {
                        let is_hidden = self.hides_variable(module, it.name);
                        let ty = super::schema::type_text(it.written_type, is_hidden);
                        completion(it.name, ty, it.description)
                    })
                    .collect()
            }
            #[cfg(feature = "packer")]
            Owner::Template(template) => {
                let hidden = self.hidden_of_template(template);
                let variables = self.template(template).template.variables.iter();
                variables
                    .map(|it| {
                        let is_hidden = hidden.has_variable(it.name);
                        let ty = super::schema::type_text(it.written_type, is_hidden);
                        completion(it.name, ty, it.description)
                    })
                    .collect()
            }
            #[cfg(not(feature = "packer"))]
            Owner::Template(_) => Vec::new(),
            Owner::Unit => Vec::new(),
        })
    }

    /// The labels of a block.
    fn labels(
        &self,
        entry: &Entry<'a>,
        (blocks, header): (&[Header], &Header),
        at: usize,
    ) -> Vec<Completion> {
        let Owner::Module(place) = entry.owner else { return Vec::new() };
        let module = &self.module(place).module;
        let names = ProviderNames::of(module);
        let label = |name: &str| Completion::new(name, Kind::Label);
        let kind = match (header.block_type.as_str(), at) {
            ("resource", 0) => SchemaKind::Resource,
            ("data", 0) => SchemaKind::DataSource,
            ("ephemeral", 0) => SchemaKind::Ephemeral,
            ("action", 0) => SchemaKind::Action,
            ("list", 0) => SchemaKind::List,
            ("provider", 0) => {
                return self.providers(place).into_iter().map(|it| label(&it)).collect();
            }
            ("provisioner", 0) => {
                return self.schemas.provisioner_names().map(label).collect();
            }
            ("dynamic", 0) => {
                let body = self.body_in(entry, blocks);
                let types = body.schema.iter().flat_map(|schema| schema.block_types());
                return types.map(|(name, _)| label(name)).collect();
            }
            _ => return Vec::new(),
        };
        let mut found = Vec::new();
        for local in self.providers(place) {
            let full_name = names.full_name(&local);
            for name in self.schemas.type_names(&full_name, kind) {
                found.push(label(name).with_detail(full_name.clone()));
            }
        }
        // Types without a schema that the module uses already.
        let used = module.resources.iter().map(|it| it.address());
        let used = used.filter(|it| SchemaKind::of_mode(it.mode) == kind);
        // Of equal labels, the first one is kept.
        found.extend(used.map(|it| label(it.resource_type)));
        found
    }

    /// The local names of the providers of a module, and the built-in one.
    fn providers(&self, module: usize) -> Vec<String> {
        let module = &self.module(module).module;
        let mut names: Vec<&str> = vec!["terraform"];
        names.extend(module.objects().filter_map(|object| match object {
            Object::Setting(crate::module::Setting::RequiredProvider(name)) => Some(name),
            Object::Provider(config) => Some(config.local_name),
            _ => None,
        }));
        names.extend(module.resources.iter().map(|it| it.provider_name()));
        let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The value of an argument.
    fn of_value(
        &self,
        entry: &Entry<'a>,
        offset: u32,
        (blocks, value): (&[Header], &Value),
    ) -> Vec<Completion> {
        let block_type = blocks.last().map_or("", |block| block.block_type.as_str());
        let argument = value.argument.as_str();
        let is_json = entry.kind.syntax == Syntax::Json;
        if argument == "source" && block_type == "module" && (value.is_text || is_json) {
            return self.sources(entry);
        }
        // Only a template of JSON can become a reference here.
        if value.is_number || value.is_text && !is_json {
            return Vec::new();
        }
        if value.steps.is_empty() {
            let mut keys = Vec::new();
            if value.is_key {
                self.keys(entry, (blocks, value), &mut keys);
            }
            if !keys.is_empty() {
                return keys;
            }
        }
        let grammar = context::grammar_in(entry, blocks);
        let reading = grammar.map_or(Reading::Template, |it| it.reading(argument));
        match (block_type, argument) {
            ("variable" | "output", "type") => {
                return TYPES.iter().map(|name| Completion::new(name, Kind::Keyword)).collect();
            }
            (_, "provider") if reading == Reading::Bare => {
                return self.configurations(entry, &value.steps);
            }
            ("module", "providers") => return self.configurations(entry, &value.steps),
            _ if reading == Reading::Literal => return Vec::new(),
            _ => {}
        }
        let mut found = self.in_expression(entry, offset, (blocks, value));
        if reading == Reading::Bare {
            found.retain(|it| it.kind != Kind::Function);
        }
        found
    }

    /// The keys of an object whose type is known.
    fn keys(
        &self,
        entry: &Entry<'a>,
        (blocks, value): (&[Header], &Value),
        found: &mut Vec<Completion>,
    ) {
        let Owner::Module(place) = entry.owner else { return };
        let path: Vec<&str> = value.path.iter().map(String::as_str).collect();
        let variable = |module: usize| {
            let variables = &self.module(module).module.variables;
            let variable = variables.iter().find(|it| it.name == value.argument)?;
            variable.constraint.map(|it| it.ty)
        };
        let sets_variables = self.variables_to_set(entry, blocks).is_some();
        let body = self.body_in(entry, blocks);
        let ty = match (sets_variables, body.called) {
            (true, _) => variable(place),
            (false, Some(called)) => variable(called),
            (false, None) => {
                let attribute = body.schema.as_ref().and_then(|it| it.attribute(&value.argument));
                let arena = entry.source.arena();
                attribute.and_then(|it| crate::typed::type_of_attribute(arena, it))
            }
        };
        of_type(ty, &path, found);
    }

    /// The provider configurations of a module, by their first or second name.
    fn configurations(&self, entry: &Entry<'a>, steps: &[String]) -> Vec<Completion> {
        let Owner::Module(place) = entry.owner else { return Vec::new() };
        let configurations =
            self.module(place).module.objects().filter_map(|object| match object {
                Object::Provider(name) => Some(name),
                _ => None,
            });
        let mut found = Vec::new();
        for name in configurations {
            match steps {
                [] => {
                    found.push(Completion::new(name.local_name, Kind::Provider));
                    found.extend(
                        name.alias.map(|_| Completion::new(&name.to_string(), Kind::Provider)),
                    );
                }
                [local] if *local == *name.local_name => {
                    found.extend(name.alias.map(|alias| Completion::new(alias, Kind::Provider)));
                }
                _ => {}
            }
        }
        found
    }

    /// The paths from the directory of a file to the modules of the tree.
    fn sources(&self, entry: &Entry<'a>) -> Vec<Completion> {
        let Owner::Module(own) = entry.owner else { return Vec::new() };
        let Some(from) = self.module(own).files.path.disk() else { return Vec::new() };
        let mut found = Vec::new();
        for (place, module) in self.own_modules().filter(|(place, _)| *place != own) {
            // A root module is seldom called.
            if self.callers(place).is_empty() && module.module.variables.is_empty() {
                continue;
            }
            if let Some(path) = module.files.path.disk().and_then(|to| relative(from, to)) {
                found.push(Completion::new(&path, Kind::Path));
            }
        }
        found
    }
}

/// Whether the source of a call is written.
fn is_source(around: &Around) -> bool {
    let is_call = around.blocks.last().is_some_and(|block| block.block_type == "module");
    let is_argument = matches!(&around.spot, Spot::Value(value) if value.argument == "source");
    is_call && is_argument && around.is_quoted
}

/// The text between the quotes around a word.
fn quoted_around(bytes: &[u8], offset: u32, word: Span) -> Span {
    let is_end = |byte: &u8| matches!(byte, b'"' | b'\n');
    let at = (offset as usize).min(bytes.len());
    let before = bytes[..at].iter().rev().take_while(|byte| !is_end(byte)).count();
    let after = bytes[at..].iter().take_while(|byte| !is_end(byte)).count();
    let start = (at - before) as u32;
    // A quote that is not closed: the rest of the line is not a part of the text.
    match bytes.get(at + after) {
        Some(b'"') => Span::new(start, (at + after) as u32),
        _ => Span::new(start, word.end),
    }
}

/// The relative path from a directory to another one, as the source of a call.
fn relative(from: &std::path::Path, to: &std::path::Path) -> Option<String> {
    if from.is_absolute() != to.is_absolute() {
        return None;
    }
    let (mut from, mut to) = (from.components().peekable(), to.components().peekable());
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    // How many directories are up from there is not written.
    if from.clone().any(|it| it == std::path::Component::ParentDir) {
        return None;
    }
    let up = from.count();
    let mut path = if up == 0 { ".".to_owned() } else { vec![".."; up].join("/") };
    for part in to {
        path.push('/');
        path.push_str(part.as_os_str().to_str()?);
    }
    Some(path)
}

/// The place of a kind among completions.
fn order(kind: CompletionKind) -> u8 {
    match kind {
        Kind::Function => 2,
        Kind::Keyword => 1,
        _ => 0,
    }
}

/// Whether the letters of a word are in a label, in their order.
fn matches(label: &str, word: &str) -> bool {
    let mut rest = label.chars();
    word.chars().all(|wanted| rest.any(|letter| letter == wanted))
}

/// Makes the text of a completion one of the syntax of its file.
fn finish(item: &mut Completion, entry: &Entry<'_>, around: &Around) {
    if entry.kind.syntax == Syntax::Native {
        if matches!(around.spot, Spot::Label(..)) && !around.is_quoted {
            item.text = format!("\"{}\"", item.text).into();
        }
        return;
    }
    item.snippet = None;
    let is_name = match &around.spot {
        Spot::Item | Spot::Label(..) => true,
        Spot::Value(value) => value.is_key,
        Spot::Nothing => false,
    };
    if let Spot::Value(value) = &around.spot
        && value.is_text
        && item.kind != Kind::Path
    {
        item.text = format!("${{{}}}", item.text).into();
    }
    if !around.is_quoted {
        let colon = if is_name { ": " } else { "" };
        item.text = format!("\"{}\"{colon}", item.text).into();
    }
}
