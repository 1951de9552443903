//! Hovers: documentation, type and value of the name at a position.

use std::fmt::Write as _;

use super::answers::{Answers, Entry, FileSpan, Owner};
use super::context::{self, Around, Spot};
use super::expressions;
use super::markdown::{block, code};
use super::named::{Named, PlaceIn};
use super::schema::type_text;
use super::value::ShownValue;
use crate::evaluate::{KnownFunction, known_function};
use crate::expression::Expression;
use crate::facts::PlaceUse;
use crate::module::Object;
use crate::native::{Construct, StepKind};
use crate::rules::without_user;
use crate::show::SchemaKind;
use crate::span::Span;

/// The documentation, type and values of the name at a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hover {
    /// The bytes that it is about.
    pub span: Span,
    /// The name or signature: `var.size`, `aws_instance.web`, the signature of a function.
    pub title: Box<str>,
    /// The type, as it is written.
    pub ty: Option<Box<str>>,
    /// The documentation: a description, in Markdown.
    pub documentation: Option<Box<str>>,
    /// Further facts, each a line: `required`, `source: ../net`, `deprecated: use other`.
    pub notes: Vec<Box<str>>,
    /// The values in root modules.
    pub values: Vec<ShownValue>,
    /// Where it is declared.
    pub declared: Vec<FileSpan>,
}

impl Hover {
    /// The text as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = block(&self.title);
        if let Some(ty) = &self.ty {
            // Writing into memory does not fail.
            let ty = ty.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = write!(text, "\n\ntype: {}", code(&ty));
        }
        for note in &self.notes {
            let _ = write!(text, "\n\n{note}");
        }
        if let Some(documentation) = &self.documentation {
            let _ = write!(text, "\n\n{}", documentation.trim());
        }
        for value in &self.values {
            let (root, value) = (code(&value.root), block(&value.text));
            let _ = write!(text, "\n\nvalue in {root}:\n{value}");
        }
        text
    }
}

impl<'t, 'a> Answers<'t, 'a> {
    /// Describes the name at an offset; `None` if nothing is known about it. Secrets are not shown.
    ///
    /// Cost: the places of the module of the file, and the values of the object that is named there
    /// ([`Answers::values`]).
    #[must_use]
    pub fn hover(&self, file: &str, offset: u32) -> Option<Hover> {
        let entry = self.entry(file)?;
        if let Some(hover) = self.hover_function(entry, offset) {
            return Some(hover);
        }
        if let Some(unit) = self.unit_in(entry) {
            return self.unit_hover(unit, entry, offset);
        }
        if let Some(found) = self.place_at(entry, offset)
            && found.place.usage() != PlaceUse::Implied
            && let Some(hover) = self.hover_place(entry, found)
        {
            return Some(hover);
        }
        #[cfg(feature = "packer")]
        if let Owner::Template(template) = entry.owner
            && let Some(hover) = self.hover_template(template, file, offset)
        {
            return Some(hover);
        }
        self.hover_body(entry, offset)
    }

    fn hover_place(&self, entry: &Entry<'a>, found: PlaceIn) -> Option<Hover> {
        let named = self.named(found);
        let &first = named.first()?;
        let mut hover = self.hover_object(first);
        hover.span = found.place.span();
        if let Object::Local(_) | Object::Variable(_) | Object::Output(_) = first.object {
            let path = self.path_after(entry, found);
            hover.values = self.values(first, &path);
        }
        hover.declared = named.into_iter().flat_map(|it| self.declarations(it)).collect();
        Some(hover)
    }

    /// The rest of a reference after its object: `.tags.Name`, if it can be evaluated.
    fn path_after(&self, entry: &Entry<'a>, found: PlaceIn) -> String {
        let places = self.places(found.module);
        let Some(traversal) = places.traversal(&found.place, entry.source) else {
            return String::new();
        };
        let skipped = match traversal.root_name() {
            "var" | "local" => 2,
            "module" => {
                2 + traversal.steps()[2..]
                    .iter()
                    .position(|step| matches!(step.kind, StepKind::Attribute(_)))
                    .map_or(0, |at| at + 1)
            }
            _ => return String::new(),
        };
        let Some(rest) = traversal.steps().get(skipped..) else { return String::new() };
        let Some((first, last)) = rest.first().zip(rest.last()) else { return String::new() };
        let bytes = first.span.to(last.span).slice(entry.source.bytes());
        let text = String::from_utf8_lossy(bytes);
        // The escapes of JSON are not those of an address.
        if text.contains('\\') { String::new() } else { text.into_owned() }
    }

    /// Describes an object, without its value.
    pub(super) fn hover_object(&self, named: Named<'a>) -> Hover {
        let tree_module = self.module(named.module);
        let module = &tree_module.module;
        let mut hover = Hover { title: named.object.to_string().into(), ..Hover::default() };
        let mut note = |text: String| hover.notes.push(text.into());
        match named.object {
            Object::Variable(name) => {
                let Some(variable) = module.variables.get(name) else { return hover };
                if variable.is_required() {
                    note("required".to_owned());
                }
                if let Some(default) = variable.default {
                    let is_hidden = self.hides_variable(named.module, name);
                    let text =
                        if is_hidden { crate::hidden::HIDDEN.into() } else { one_line(default) };
                    note(format!("default: {}", code(&text)));
                }
                if variable.sensitive == Some(true) {
                    note("sensitive".to_owned());
                }
                if variable.ephemeral == Some(true) {
                    note("ephemeral".to_owned());
                }
                if let Some(message) = variable.deprecated {
                    note(format!("deprecated: {message}"));
                }
                let is_hidden = self.hides_variable(named.module, name);
                hover.ty = Some(type_text(variable.written_type, is_hidden).into());
                hover.documentation = variable.description.map(Into::into);
            }
            Object::Output(name) => {
                let Some(output) = module.outputs.get(name) else { return hover };
                if output.sensitive == Some(true) {
                    note("sensitive".to_owned());
                }
                if let Some(message) = output.deprecated {
                    note(format!("deprecated: {message}"));
                }
                hover.ty = output.constraint.map(|it| it.ty.to_string().into());
                hover.documentation = output.description.map(Into::into);
            }
            Object::ModuleCall(name) => {
                let Some(call) = module.calls.get(name) else { return hover };
                if let Some(source) = call.source_text() {
                    note(format!("source: {}", code(&without_user(source))));
                }
                if let Some(version) = call.version_text() {
                    note(format!("version: {}", code(version)));
                }
                match tree_module.called_by(named.object) {
                    Some(called) => {
                        let called = self.module(called);
                        note(format!("directory: {}", code(&called.files.path.to_string_lossy())));
                        let (inputs, outputs) = (&called.module.variables, &called.module.outputs);
                        note(format!("{} variables, {} outputs", inputs.len(), outputs.len()));
                    }
                    None => note("the module is not read".to_owned()),
                }
            }
            Object::Resource(name) => {
                let Some(resource) = module.resources.get(name) else { return hover };
                let kind = SchemaKind::of_mode(name.mode);
                let names = crate::module::ProviderNames::of(module);
                note(format!("provider: {}", code(&names.full_name(resource.provider_name()))));
                let schema = self.type_schema(named.module, kind, name.resource_type);
                let description = schema.and_then(|schema| schema.description().value());
                hover.documentation = description.map(Into::into);
            }
            Object::Provider(name) => {
                let names = crate::module::ProviderNames::of(module);
                note(format!("provider: {}", code(&names.full_name(name.local_name))));
            }
            _ => {}
        }
        hover
    }

    /// The function whose name is at an offset.
    fn hover_function(&self, entry: &Entry<'a>, offset: u32) -> Option<Hover> {
        let mut native = expressions::at(self.parsed(entry)?, offset)?;
        loop {
            if let Construct::Call(call) = native.construct()
                && expressions::contains(call.name_span, offset)
            {
                let name = call.name.strip_prefix("core::").unwrap_or(call.name);
                let function = known_function(name)?;
                let mut hover = Hover { span: call.name_span, ..Hover::default() };
                hover.title = signature(function).into();
                hover.notes.extend(function.why_gone().map(|why| format!("removed: {why}").into()));
                return Some(hover);
            }
            let parts = expressions::parts(native);
            native = *parts.iter().find(|part| expressions::contains(part.span(), offset))?;
        }
    }

    /// An argument or a block type, by the schema of its body; a resource type.
    fn hover_body(&self, entry: &Entry<'a>, offset: u32) -> Option<Hover> {
        let around = context::around(entry, offset);
        // The text before the end of the word says what it is.
        let Around { blocks, spot, word, .. } = context::around(entry, around.word.end);
        let bytes = entry.source.bytes();
        let name = str::from_utf8(word.slice(bytes)).ok().filter(|name| !name.is_empty())?;
        match spot {
            Spot::Item => {
                let body = self.body_in(entry, &blocks);
                let member = self.member(entry, &body, name)?;
                let mut hover = Hover { span: word, ..Hover::default() };
                let kind = if member.labels.is_some() { "block" } else { "argument" };
                hover.title = format!("{name} # {kind}").into();
                hover.ty = member.ty.map(Into::into);
                hover.documentation = member.documentation.map(Into::into);
                if member.is_required {
                    hover.notes.push("required".into());
                }
                if member.is_deprecated {
                    hover.notes.push("deprecated".into());
                }
                if let Some(called) = body.called
                    && let Some(variable) = self.module(called).module.variables.get(name)
                {
                    let object = Object::Variable(variable.name);
                    hover.declared = self.declarations(Named { module: called, object });
                }
                Some(hover)
            }
            Spot::Label(header, 0) => {
                let Owner::Module(module) = entry.owner else { return None };
                let kind = match header.block_type.as_str() {
                    "resource" => SchemaKind::Resource,
                    "data" => SchemaKind::DataSource,
                    "ephemeral" => SchemaKind::Ephemeral,
                    _ => return None,
                };
                let schema = self.type_schema(module, kind, entry.source.arena().str(name))?;
                let documentation = schema.description().value().map(Into::into);
                let title = format!("{} \"{name}\"", header.block_type).into();
                Some(Hover { span: word, title, documentation, ..Hover::default() })
            }
            _ => None,
        }
    }

    /// Whether the values of a variable are hidden.
    pub(super) fn hides_variable(&self, module: usize, name: &str) -> bool {
        self.hidden().get(module).is_none_or(|hidden| hidden.has_variable(name))
    }

    #[cfg(feature = "packer")]
    fn hover_template(&self, template: usize, file: &str, offset: u32) -> Option<Hover> {
        use crate::dialect::List;
        use crate::packer::Object;
        let places = self.template_places(template);
        let object = super::definition::template_object(&places, file, offset)?;
        let hidden = self.hidden_of_template(template);
        let template = &self.template(template).template;
        let mut hover = Hover { title: object.to_string().into(), ..Hover::default() };
        let here = places.iter().find(|it| {
            it.object == object
                && it.source.name() == file
                && expressions::contains(it.span, offset)
        });
        hover.span = here.map_or(Span::at(offset), |it| it.span);
        let declared = places.iter().filter(|it| it.is_declaration && it.object == object);
        hover.declared = declared.map(|it| FileSpan::new(it.source, it.span)).collect();
        match object {
            Object::Variable(name) => {
                let variable = template.variables.get(name)?;
                let is_hidden = hidden.has_variable(name);
                hover.ty = Some(type_text(variable.written_type, is_hidden).into());
                hover.documentation = variable.description.map(Into::into);
                if let Some(default) = variable.default {
                    let names = ["variable", name, "default"];
                    let is_shown = !hidden.hides(List::Primary, &names, Some(default));
                    let text =
                        if is_shown { one_line(default) } else { crate::hidden::HIDDEN.into() };
                    hover.notes.push(format!("default: {}", code(&text)).into());
                }
            }
            Object::Local(name) => {
                let local = template.locals.get(name)?;
                let names = ["local", name, "expression"];
                let is_shown = |value: &_| !hidden.hides(List::Primary, &names, Some(*value));
                if let Some(value) = local.value.filter(is_shown) {
                    hover.notes.push(format!("value: {}", code(&one_line(value))).into());
                }
            }
            _ => {}
        }
        Some(hover)
    }
}

/// The text of an expression in one line, cut after 200 bytes.
fn one_line(value: Expression<'_>) -> String {
    let text = String::from_utf8_lossy(value.text());
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() + word.len() > 200 {
            line.push_str(" …");
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// The signature of a function: `cidrsubnet(prefix string, newbits number, netnum number) string`.
pub(super) fn signature(function: &KnownFunction) -> String {
    let parameters = parameters(function).join(", ");
    format!("{}({parameters}) {}", function.name(), function.result())
}

/// The parameters of a function, each with its type.
pub(super) fn parameters(function: &KnownFunction) -> Vec<String> {
    let all = function.parameters();
    let plain = all.parameters.iter().map(|it| format!("{} {}", it.name, it.ty));
    plain.chain(all.variadic.map(|it| format!("{}… {}", it.name, it.ty))).collect()
}
