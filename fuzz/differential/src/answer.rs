//! Answers of the reference to a case, and ours.

use serde::Deserialize;
use simd_hcl::body::{Attribute, AttributeSchema, BlockSchema};
use simd_hcl::evaluate::{Budget, Scope};
use simd_hcl::structure::File;
use simd_hcl::value::{self, Marks, Value};
use simd_hcl::{
    Arena, Body, Code, Diagnostic, Document, ParseOptions, ParsedFile, Schema, Severity, Source,
    Span,
};

use crate::case::{Case, Rules, Variable};
use crate::functions::TestFunctions;
use crate::render;

/// The reference's answer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// It took too long.
    pub timeout: bool,
    /// It panicked, and said so.
    pub panic: String,
    /// Summaries of the errors of parsing; with one there is nothing else.
    pub parse: Vec<String>,
    /// Where the first of them is, in native syntax.
    pub place: Option<u32>,
    /// Summaries of the errors of all bodies.
    pub diagnostics: Vec<String>,
    /// All attributes of all bodies.
    pub attributes: Vec<AttributeAnswer>,
}

/// The answer of the reference for one attribute.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct AttributeAnswer {
    /// Where it is.
    pub path: String,
    /// Its value as text, unless there are errors.
    pub value: Option<String>,
    /// Summaries.
    pub errors: Vec<String>,
    /// Traversals as text.
    pub variables: Vec<String>,
}

/// Our answer: the same with codes.
#[derive(Clone, Debug, Default)]
pub struct Ours {
    /// The errors of parsing.
    pub parse: Vec<Code>,
    /// Where the first of them is, in native syntax.
    pub place: Option<u32>,
    /// Errors of bodies.
    pub diagnostics: Vec<Code>,
    /// All attributes of all bodies: path, value, errors, variables.
    pub attributes: Vec<OurAttribute>,
}

/// Our answer for one attribute.
#[derive(Clone, Debug, Default)]
pub struct OurAttribute {
    /// Where it is.
    pub path: String,
    /// Its value as text, unless there are errors.
    pub value: Option<String>,
    /// Codes.
    pub errors: Vec<Code>,
    /// Traversals as text.
    pub variables: Vec<String>,
}

fn errors(diagnostics: &[Diagnostic<'_>]) -> Vec<Code> {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error);
    errors.map(Diagnostic::code).collect()
}

/// Our answer to a case.
#[must_use]
pub fn answer(case: &Case) -> Ours {
    answer_within(case, Budget::DEFAULT)
}

/// The same, with a budget for each expression.
#[must_use]
pub fn answer_within(case: &Case, budget: Budget) -> Ours {
    let arena = Arena::new();
    let mut ours = Ours::default();
    let Some(body) = parse(&arena, case, &mut ours) else { return ours };
    let variables: Vec<(&str, Value<'_>)> = case
        .scope
        .iter()
        .map(|(name, variable)| (arena.str(name), read(&arena, variable)))
        .collect();
    let functions = TestFunctions;
    let scope =
        Scope::new().with_variables(&variables).with_functions(&functions).with_budget(budget);
    let is_native = case.native;
    let scope = (!case.literal).then_some(scope);
    let mut walker = Walker { arena: &arena, scope, is_native, ours };
    walker.body("", body, Some(&case.schema));
    walker.ours
}

/// The body of a file, unless it has an error.
fn parse<'a>(arena: &'a Arena, case: &Case, ours: &mut Ours) -> Option<Body<'a>> {
    let text = arena.str(&case.input).as_bytes();
    if case.native {
        let source = Source::from_bytes(arena, "input", text).ok()?;
        let mut found: Vec<Diagnostic<'_>> = Vec::new();
        File::parse(arena, source, &mut found).check(&mut found);
        found.sort_by_key(Diagnostic::span);
        ours.parse = errors(&found);
        ours.place = found.first().map(|first| first.span().start);
        return ours.parse.is_empty().then(|| ParsedFile::native(arena, source).body());
    }
    let source = Source::from_bytes(arena, "input", text).ok()?;
    let document = match Document::read(arena, source, &ParseOptions::default()) {
        Ok(document) => document,
        Err(error) => {
            ours.parse.push(error.code());
            return None;
        }
    };
    ours.parse = errors(document.diagnostics());
    if let Some(error) = document.body().type_error() {
        ours.parse.push(error.code());
    }
    ours.parse.is_empty().then(|| document.body())
}

/// The value of a variable.
fn read<'a>(arena: &'a Arena, variable: &Variable) -> Value<'a> {
    let node = |name, text: &str| {
        let text = arena.str(text).as_bytes();
        Document::parse_bytes(arena, name, text).map(Document::root).ok()
    };
    let ty =
        node("type", variable.ty.get()).and_then(|node| value::type_from_node(arena, node).ok());
    let Some(ty) = ty else { return Value::dynamic() };
    let value = match variable.unknown {
        true => None,
        false => node("value", variable.value.get())
            .and_then(|node| value::from_node_as(arena, node, ty).ok()),
    };
    let value = value.unwrap_or(Value::unknown(ty));
    if variable.sensitive { value.with_marks(Marks::SENSITIVE) } else { value }
}

fn place(span: Span) -> String {
    format!(" {}-{}", span.start, span.end)
}

struct Walker<'w, 'a> {
    arena: &'a Arena,
    scope: Option<Scope<'w, 'a>>,
    is_native: bool,
    ours: Ours,
}

impl<'a> Walker<'_, 'a> {
    /// Recurses as deep as the schema.
    fn body(&mut self, path: &str, body: Body<'a>, rules: Option<&Rules>) {
        let mut diagnostics = Vec::new();
        let Some(rules) = rules.filter(|rules| rules.mode != "just_attributes") else {
            let attributes = body.just_attributes(&mut diagnostics);
            self.ours.diagnostics.extend(errors(&diagnostics));
            return self.attributes(path, attributes);
        };
        let attributes: Vec<AttributeSchema<'_>> = rules
            .attributes
            .iter()
            .map(|(name, rule)| AttributeSchema { name, required: rule.required })
            .collect();
        let labels: Vec<Vec<&str>> = rules
            .blocks
            .values()
            .map(|rule| rule.labels.iter().map(String::as_str).collect())
            .collect();
        let blocks: Vec<BlockSchema<'_>> = rules
            .blocks
            .keys()
            .zip(&labels)
            .map(|(name, labels)| BlockSchema::new(name, labels))
            .collect();
        let schema = Schema::new(&attributes, &blocks);
        let content = match rules.mode.as_str() {
            "partial" => body.partial_content(&schema, &mut diagnostics).0,
            _ => body.content(&schema, &mut diagnostics),
        };
        self.ours.diagnostics.extend(errors(&diagnostics));
        self.attributes(path, content.attributes());
        for (index, block) in content.all_blocks().iter().enumerate() {
            let mut labels: String = block.labels().map(render::quoted).collect();
            if self.is_native {
                labels.push_str(&place(block.definition_span()));
                block.label_spans().for_each(|span| labels.push_str(&place(span)));
            }
            let path = format!("{path}{}[{index}]{labels}.", block.block_type());
            let rule = rules.blocks.get(block.block_type());
            self.body(&path, block.body(), rule.and_then(|rule| rule.body.as_ref()));
        }
    }

    fn attributes(&mut self, path: &str, attributes: &[Attribute<'a>]) {
        let mut attributes = attributes.to_vec();
        attributes.sort_by_key(|attribute| attribute.name());
        for attribute in attributes {
            let expression = attribute.expression();
            let mut diagnostics = Vec::new();
            let value = match &self.scope {
                Some(scope) => expression.value(scope, &mut diagnostics),
                None => expression.literal_value(&mut diagnostics),
            };
            let errors = errors(&diagnostics);
            let variables =
                expression.variables().map(|traversal| render::traversal(self.arena, traversal));
            let mut path = format!("{path}{}", attribute.name());
            if self.is_native {
                path.push_str(&place(attribute.name_span()));
                path.push_str(&place(expression.span()));
            }
            self.ours.attributes.push(OurAttribute {
                path,
                value: errors.is_empty().then(|| render::value(self.arena, value)),
                errors,
                variables: variables.collect(),
            });
        }
    }
}
