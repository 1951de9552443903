//! Reads rules from files, and from single expressions.
//!
//! Rules are checked before there is a plan or a configuration: blocks and arguments by schema, filters, the variables
//! and members that expressions use, functions and their arguments. For the latter each expression
//! is evaluated once with unknown variables.

use super::reads::{CHANGE, CONFIGURATION, EACH, LOCAL, OF_EACH, Root, name_of, reads};
use super::rule::{Condition, ForEach, Message, Rule, Test};
use crate::arena::Arena;
use crate::body::{Attribute, AttributeSchema, Block, BlockSchema, Content, Schema};
use crate::diagnostic::{Code, Diagnostic, Label, Severity, Sink};
use crate::evaluate::{Budget, Functions, Meter, Scope, evaluate};
use crate::expression::{Expression, Literal};
use crate::hash::HashMap;
use crate::native::{Kind, MAX_DEPTH, Native, Text, Traversal, parse_expression};
use crate::parsed::ParsedFile;
use crate::program::Program;
use crate::show::{ActionKind, Filter};
use crate::source::{Source, SourceError};
use crate::span::Span;
use crate::suggest::nearest;
use crate::value::{Type, Value, convert};

static ROOT: Schema<'static> =
    Schema::new(&[], &[BlockSchema::new("rule", &["name"]), BlockSchema::new("locals", &[])]);

static RULE: Schema<'static> = Schema::new(
    &[
        AttributeSchema::optional("for_each"),
        AttributeSchema::optional("type"),
        AttributeSchema::optional("action"),
        AttributeSchema::optional("module"),
        AttributeSchema::optional("address"),
        AttributeSchema::optional("deny"),
        AttributeSchema::optional("warn"),
        AttributeSchema::optional("message"),
        AttributeSchema::optional("help"),
        AttributeSchema::optional("url"),
    ],
    &[BlockSchema::new("case", &["name"])],
);

/// The arguments that select changes.
const FILTERS: [&str; 4] = ["type", "action", "module", "address"];

/// The maximal length of a pattern of a type, in bytes. Matching costs the product of the lengths
/// of pattern and type.
const LONGEST_PATTERN: usize = 256;

/// The objects that expressions of a file can refer to, besides the variables of changes.
#[derive(Clone, Copy)]
struct Context<'a> {
    functions: Option<&'a dyn Functions>,
    locals: Value<'a>,
    /// Whether rules are about blocks of configuration, not about changes.
    of_blocks: bool,
}

/// The valid rules of a file. Reports the errors of the others to `sink`.
pub(super) fn file<'a>(
    file: ParsedFile<'a>,
    functions: Option<&'a dyn Functions>,
    left: &mut Budget,
    sink: &mut dyn Sink<'a>,
) -> Vec<Rule<'a>> {
    let content = file.body().content(&ROOT, sink);
    let meter = Meter::new(*left);
    let locals = locals(file.source().arena(), &content, functions, (&meter, sink));
    *left = meter.rest();
    let context = Context { functions, locals, of_blocks: false };
    content.blocks("rule").filter_map(|block| rule(block, context, sink)).collect()
}

/// A rule that is one expression. If the text is not an expression, reports the error to `sink` and
/// returns `None`.
///
/// # Errors
/// The text is larger than a source can be.
pub(super) fn condition<'a>(
    arena: &'a Arena,
    name: &str,
    severity: Severity,
    text: &str,
    functions: Option<&'a dyn Functions>,
    sink: &mut dyn Sink<'a>,
) -> Result<Option<Rule<'a>>, SourceError> {
    let name = arena.str(name);
    let text = arena.str(text);
    let source = Source::from_bytes(arena, name, text.as_bytes())?;
    let label = Label::new(source, Span::new(0, text.len() as u32));
    let context = Context { functions, locals: Value::object(arena, &[]), of_blocks: false };
    let Some(program) = parse_expression(arena, &Text::of_source(source, text), MAX_DEPTH, sink)
    else {
        return Ok(None);
    };
    let reads = context.check(program, Some(label), sink);
    Ok(reads.map(|reads| Rule {
        name,
        for_each: None,
        severity,
        filter: Filter::default(),
        condition: Condition { test: Test::Program(program), text, reads },
        message: None,
        help: None,
        url: None,
        cases: Vec::new(),
        label,
        locals: context.locals,
    }))
}

/// The values of all `locals` blocks, as one object. They depend only on functions.
fn locals<'a>(
    arena: &'a Arena,
    content: &Content<'a>,
    functions: Option<&'a dyn Functions>,
    (meter, sink): (&Meter, &mut dyn Sink<'a>),
) -> Value<'a> {
    let mut scope = Scope::new();
    if let Some(functions) = functions {
        scope = scope.with_functions(functions);
    }
    let mut places: HashMap<&str, Label<'a>> = HashMap::default();
    let mut entries = Vec::new();
    for block in content.blocks("locals") {
        for attribute in block.body().just_attributes(sink) {
            if let Some(earlier) = places.insert(attribute.name(), attribute.name_label()) {
                sink.report(
                    Diagnostic::new(Code::DuplicateDeclaration, attribute.name_label())
                        .with_arguments(&["local value"])
                        .with_related(earlier, "declared first here"),
                );
            }
            entries
                .push((attribute.name(), attribute.expression().value_within(&scope, meter, sink)));
        }
    }
    Value::object(arena, &entries)
}

/// Reads a rule; `None` if it is invalid.
fn rule<'a>(block: Block<'a>, context: Context<'a>, sink: &mut dyn Sink<'a>) -> Option<Rule<'a>> {
    let mut is_right = true;
    let sink = &mut |diagnostic: Diagnostic<'a>| {
        is_right &= diagnostic.severity() != Severity::Error;
        sink.report(diagnostic);
    };
    let content = block.body().content(&RULE, sink);
    let name = block.label(0).unwrap_or_default();
    if name.trim().is_empty() {
        sink.report(invalid(block.label_place(0), "the name is empty"));
    }
    let for_each = content.attribute("for_each");
    if for_each.is_some() {
        for attribute in FILTERS.iter().filter_map(|name| content.attribute(name)) {
            let why = "it selects changes of a plan, and a rule with \"for_each\" is about blocks";
            sink.report(invalid(attribute.name_label(), why));
        }
    }
    let context = Context { of_blocks: for_each.is_some(), ..context };
    let for_each = for_each.and_then(|attribute| blocks(attribute, sink));
    let filter = filter(&content, sink);
    let (severity, attribute) = match (content.attribute("deny"), content.attribute("warn")) {
        (Some(deny), None) => (Severity::Error, Some(deny)),
        (None, Some(warn)) => (Severity::Warning, Some(warn)),
        (Some(_), Some(warn)) => {
            let why = "it has both \"deny\" and \"warn\"; write two rules";
            sink.report(invalid(warn.name_label(), why));
            (Severity::Error, None)
        }
        (None, None) => {
            let place = Label::new(block.source(), content.missing_item_span());
            sink.report(invalid(place, "it has neither \"deny\" nor \"warn\""));
            (Severity::Error, None)
        }
    };
    let condition = attribute.and_then(|attribute| context.condition(attribute, sink));
    let message =
        content.attribute("message").and_then(|attribute| context.message(attribute, sink));
    let mut text = |name| content.attribute(name).and_then(|attribute| literal(attribute, sink));
    let (help, url) = (text("help"), text("url"));
    let rule = Rule {
        name,
        for_each,
        severity,
        filter,
        condition: condition?,
        message,
        help,
        url,
        cases: content.blocks("case").collect(),
        label: block.label_place(0),
        locals: context.locals,
    };
    is_right.then_some(rule)
}

fn filter<'a>(content: &Content<'a>, sink: &mut dyn Sink<'a>) -> Filter<'a> {
    let mut filter = Filter::default();
    for (text, label) in texts(content, "type", sink) {
        if text.len() > LONGEST_PATTERN {
            sink.report(invalid(label, "the pattern of a type has at most 256 bytes"));
        }
        filter = filter.with_type(text);
    }
    for (text, label) in texts(content, "action", sink) {
        match ActionKind::of(text) {
            Some(kind) => filter = filter.with_action(kind),
            None => {
                let why = "there is no such kind of change; the kinds are create, read, update, delete, replace, no-op, \
                           forget, replace-forget and other";
                let kinds = ActionKind::ALL.map(ActionKind::name);
                sink.report(invalid(label, why).with_suggestion(nearest(text, kinds)));
            }
        }
    }
    let fail = |error: &dyn std::fmt::Display, label: Label<'a>| {
        invalid(label, label.source.arena().format(format_args!("{error}")))
    };
    for (text, label) in texts(content, "module", sink) {
        match filter.clone().with_module(text) {
            Ok(with) => filter = with,
            Err(error) => sink.report(fail(&error, label)),
        }
    }
    for (text, label) in texts(content, "address", sink) {
        match filter.clone().with_address(text) {
            Ok(with) => filter = with,
            Err(error) => sink.report(fail(&error, label)),
        }
    }
    filter
}

/// The pattern of blocks in `for_each`: a text, or a reference as it is written.
fn blocks<'a>(attribute: Attribute<'a>, sink: &mut dyn Sink<'a>) -> Option<ForEach<'a>> {
    let value = attribute.expression();
    let reference = || {
        let native = value.as_native().or_else(|| Native::of(value.template()?.ok()?))?;
        let inner = native.inner();
        matches!(inner.kind(), Kind::Traversal | Kind::Relative).then(|| inner.text())
    };
    let pattern = match value.literal() {
        Literal::Text(text) => Some(text),
        _ => reference(),
    };
    if pattern.is_none() {
        sink.report(unsuitable(value, "a pattern of blocks, such as resource.aws_s3_bucket"));
    }
    Some(ForEach { pattern: pattern?, label: value.label() })
}

/// The texts of an argument that is a string or a list of strings, read literally, each with its
/// position.
fn texts<'a>(
    content: &Content<'a>,
    name: &str,
    sink: &mut dyn Sink<'a>,
) -> Vec<(&'a str, Label<'a>)> {
    let Some(attribute) = content.attribute(name) else { return Vec::new() };
    let value = attribute.expression();
    let elements: Vec<Expression<'a>> = match value.as_list() {
        Some(list) => list.collect(),
        None => vec![value],
    };
    if elements.is_empty() {
        sink.report(invalid(value.label(), "the list is empty, so no change is selected"));
    }
    let mut found = Vec::with_capacity(elements.len());
    for element in elements {
        match element.literal() {
            Literal::Text(text) => found.push((text, element.label())),
            _ if element.is_template() => {
                let why = "filters are not evaluated, so they cannot contain templates";
                sink.report(invalid(element.label(), why));
            }
            _ => sink.report(unsuitable(element, "a string or a list of strings")),
        }
    }
    found
}

/// A text that is read literally.
fn literal<'a>(attribute: Attribute<'a>, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
    let value = attribute.expression();
    let text = value.to_str();
    if text.is_none() {
        sink.report(unsuitable(value, "a string"));
    }
    text
}

impl<'a> Context<'a> {
    /// The condition of a rule.
    fn condition(self, attribute: Attribute<'a>, sink: &mut dyn Sink<'a>) -> Option<Condition<'a>> {
        let value = attribute.expression();
        if let Literal::Bool(truth) = value.literal() {
            let text = if truth { "true" } else { "false" };
            return Some(Condition { test: Test::Always(truth), text, reads: Vec::new() });
        }
        if value.is_json() && !value.is_string() {
            sink.report(unsuitable(value, "true, false or a string with an expression in \"${}\""));
            return None;
        }
        let Some(program) = evaluated(value, sink)? else {
            let why = match value.is_json() {
                true => "the condition is plain text; write the expression in \"${}\"",
                false => "the condition is plain text; write the expression without quotes",
            };
            sink.report(invalid(value.label(), why));
            return None;
        };
        let reads = self.check(program, Some(value.label()), sink)?;
        let (text, [start, end]) = match value.is_json() {
            true => (value.to_str().unwrap_or_default(), ["${", "}"]),
            false => (str::from_utf8(value.text()).unwrap_or_default(), ["\"${", "}\""]),
        };
        let text = text.strip_prefix(start).and_then(|it| it.strip_suffix(end)).unwrap_or(text);
        Some(Condition { test: Test::Program(program), text: text.trim(), reads })
    }

    /// The message of a rule.
    fn message(self, attribute: Attribute<'a>, sink: &mut dyn Sink<'a>) -> Option<Message<'a>> {
        let value = attribute.expression();
        let is_text = match value.literal() {
            Literal::Text(_) | Literal::Template(_) | Literal::Expression => true,
            Literal::Null
            | Literal::Bool(_)
            | Literal::Number(_)
            | Literal::List
            | Literal::Map => false,
        };
        if !is_text {
            sink.report(unsuitable(value, "a string"));
            return None;
        }
        let Some(program) = evaluated(value, sink)? else {
            return value.to_str().map(Message::Text);
        };
        let reads = self.check(program, None, sink)?;
        Some(Message::Template { program, reads })
    }

    /// Checks an expression for all possible changes, and returns the traversals that it reads.
    /// `condition` is its position if it must be true or false.
    fn check(
        self,
        program: &Program<'a>,
        condition: Option<Label<'a>>,
        sink: &mut dyn Sink<'a>,
    ) -> Option<Vec<Traversal<'a>>> {
        let reads = reads(program);
        let unknown: Vec<_> = reads.iter().filter_map(|read| self.unknown_member(read)).collect();
        if !unknown.is_empty() {
            unknown.into_iter().for_each(|error| sink.report(error));
            return None;
        }
        let scratch = Arena::new();
        let variables = [
            (Root::Change.name(), Value::dynamic()),
            (Root::Configuration.name(), Value::dynamic()),
            (LOCAL, self.locals),
            (Root::Resource.name(), Value::dynamic()),
        ];
        let of_blocks = [(EACH, Value::dynamic()), (LOCAL, self.locals)];
        let variables = if self.of_blocks { &of_blocks[..] } else { &variables[..] };
        let mut scope = Scope::new().with_variables(variables).with_short_circuits();
        if let Some(functions) = self.functions {
            scope = scope.with_functions(functions);
        }
        let mut error = None;
        let value = evaluate(&scratch, program, &scope, &mut error);
        let error = error.or_else(|| {
            let label = condition?;
            let is_truth = !value.is_null() && convert(&scratch, value, Type::Bool).is_ok();
            let what = if value.is_null() { "null".to_owned() } else { value.ty().with_article() };
            let why = format_args!("the condition must be true or false, not {what}");
            (!is_truth).then(|| invalid(label, label.source.arena().format(why)))
        });
        match error {
            Some(error) => {
                sink.report(error);
                None
            }
            None => Some(reads),
        }
    }

    /// The diagnostic for a member that a variable never has.
    fn unknown_member(self, read: &Traversal<'a>) -> Option<Diagnostic<'a>> {
        let name = name_of(read.steps().get(1)?.kind)?;
        let report = |why: &'static str, nearest: Option<&'a str>| {
            Diagnostic::new(Code::UnsupportedAttribute, read.step_label(1))
                .with_arguments(&[name, why])
                .with_suggestion(nearest)
        };
        let unknown = |known: &'static [&'static str], why| {
            (!known.contains(&name)).then(|| report(why, nearest(name, known.iter().copied())))
        };
        if self.of_blocks && read.root_name() == EACH {
            return unknown(&OF_EACH, "a block does not have it");
        }
        match Root::of(read) {
            Some(Root::Change) => unknown(&CHANGE, "a change does not have it"),
            Some(Root::Configuration) => {
                unknown(&CONFIGURATION, "the configuration of a resource does not have it")
            }
            Some(Root::Resource) => None,
            None if read.root_name() == LOCAL && self.locals.get(name).is_none() => {
                let names = self.locals.entries().iter().map(|(name, _)| *name);
                Some(report("the file has no local value of this name", nearest(name, names)))
            }
            None => None,
        }
    }
}

/// The program of an expression; `Some(None)` for plain text. `None` if it has a syntax error,
/// which is reported to `sink`, or with the other syntax errors of a native file.
fn evaluated<'a>(
    value: Expression<'a>,
    sink: &mut dyn Sink<'a>,
) -> Option<Option<&'a Program<'a>>> {
    match value.template() {
        Some(Ok(program)) => Some(Some(program)),
        Some(Err(error)) => {
            sink.report(error.clone());
            None
        }
        None if value.is_invalid() => None,
        None if value.to_str().is_some() => Some(None),
        None => {
            let program = value.as_native()?.program();
            Some(Some(value.source().arena().bump().alloc(program)))
        }
    }
}

fn invalid<'a>(label: Label<'a>, why: &'a str) -> Diagnostic<'a> {
    Diagnostic::new(Code::InvalidRule, label).with_arguments(&[why])
}

fn unsuitable<'a>(value: Expression<'a>, required: &'static str) -> Diagnostic<'a> {
    Diagnostic::new(Code::UnsuitableValue, value.start_label())
        .with_arguments(&[required, value.type_name()])
}
