//! Extracts an expression: it becomes a local value or a variable, and a reference takes its place.
//!
//! ```
//! use simd_hcl::refactor::extract::{Kind, Request};
//!
//! let request = Request::new(0, "main.tf", 42, "size").with_kind(Kind::Variable);
//! assert_eq!(request.kind, Kind::Variable);
//! ```

use std::collections::BTreeSet;

use super::change::{Change, Refusal};
use super::files::{
    Files, TreeEdits, check_free, check_readable, innermost, locals_of, root_item_around,
};
use super::text::{in_json, indentation_at, literal_type, native_text};
use crate::arena::Arena;
use crate::dialect::{Dialect, List};
use crate::directory::DecodeOptions;
use crate::document::Document;
use crate::edit::{NewBlock, NewValue, ValueStep, reindented};
use crate::expression::Expression;
use crate::json::Node;
use crate::module::{Object, Reading, Site, Use, Variable};
use crate::native::{Construct, ForExpression, Native, Operator, Step, StepKind, Traversal};
use crate::program::node::Kind as NodeKind;
use crate::span::Span;
use crate::tree::{Origin, Tree};

/// The kind of declaration that an expression is extracted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A local value.
    Local,
    /// A variable with the expression as its default, which must be constant.
    Variable,
}

/// An expression to extract.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'r> {
    /// The index of the module in [`Tree::modules`].
    pub module: usize,
    /// The name of the file ([`Source::name`](crate::Source::name)).
    pub file: &'r str,
    /// A byte of the file: the innermost expression around it is extracted.
    pub offset: u32,
    /// The name of the new declaration.
    pub name: &'r str,
    /// The kind of the new declaration.
    pub kind: Kind,
}

impl<'r> Request<'r> {
    /// An expression that becomes a local value.
    #[must_use]
    pub fn new(module: usize, file: &'r str, offset: u32, name: &'r str) -> Self {
        Self { module, file, offset, name, kind: Kind::Local }
    }

    /// Sets what it becomes.
    #[must_use]
    pub fn with_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }
}

/// The expression that is extracted.
struct Found {
    /// The bytes that the reference replaces.
    span: Span,
    /// The expression in native syntax.
    text: String,
    /// Whether it is a whole value of JSON.
    is_json_value: bool,
    /// Whether it is in a string of JSON.
    is_in_json: bool,
    /// Whether it is known without any other value.
    is_constant: bool,
    /// Its type, if it is constant.
    type_name: &'static str,
}

/// The edits that extract an expression.
///
/// Cost: the places of the module, and the file, which is parsed again.
///
/// # Errors
/// There is no expression, it uses what exists only there, or the name is taken: see [`Refusal`].
pub fn plan<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    request: &Request<'_>,
) -> Result<Change<'a>, Refusal> {
    let unsupported = |why: &str| Refusal::Unsupported(why.to_owned());
    let owner = tree.modules().get(request.module).ok_or_else(|| unsupported("no such module"))?;
    if owner.origin == Origin::Installed {
        return Err(unsupported("the module is installed: change it where it comes from"));
    }
    if request.kind == Kind::Variable && Variable::is_reserved(request.name) {
        let name = request.name;
        return Err(Refusal::Name(format!("`{name}` is an argument of all calls")));
    }
    let (places, shadowed) = owner.written(options);
    check_readable(owner, &places)?;
    let object = match request.kind {
        Kind::Local => Object::Local(request.name),
        Kind::Variable => Object::Variable(request.name),
    };
    check_free(owner, &places, object, request.name, &|_| false)?;
    let files = Files::of(owner, &shadowed);
    let file = files.named(request.file).ok_or_else(|| unsupported("no such file"))?;
    let dialect = owner.files.dialect;

    let mut nearest: Option<(Span, Result<Found, Refusal>)> = None;
    owner.module.visit_expressions(|site| {
        let Some(value) = site.expression() else { return };
        let span = value.span();
        let is_around = value.source().id() == file.source().id()
            && span.start <= request.offset
            && request.offset < span.end;
        if is_around && nearest.as_ref().is_none_or(|(known, _)| span.len() < known.len()) {
            nearest = Some((span, find(site, value, request.offset, dialect)));
        }
    });
    let Some((_, found)) = nearest else {
        return Err(unsupported("there is no expression whose value is used"));
    };
    let found = found?;
    if request.kind == Kind::Variable && !found.is_constant {
        return Err(unsupported("the default of a variable must be constant"));
    }

    let reference = object.to_string();
    let mut edits = TreeEdits::new(tree, true);
    edits.reads(request.module);
    let kind = Some((dialect, List::Primary));
    let invalid = |error: crate::edit::InvalidText| Refusal::Unsupported(error.to_string());
    if found.is_json_value {
        let path = [ValueStep::Member("value")];
        let value = NewValue::at(kind, &path, 0, &reference).map_err(invalid)?;
        edits.of(file).set(found.span, value);
    } else {
        let text = if found.is_in_json { in_json(&reference) } else { reference };
        edits.replace(file, found.span, &text);
    }
    let after = root_item_around(file, found.span);
    let from = indentation_at(file.source(), found.span.start);
    match (request.kind, locals_of(file)) {
        (Kind::Local, Some(body)) => {
            let path = [ValueStep::Member("locals"), ValueStep::Member(request.name)];
            let text = reindented(&found.text, from, "");
            let value = NewValue::at(kind, &path, 1, &text).map_err(invalid)?;
            edits.of(file).add_attribute(body, request.name, value.indented());
        }
        (Kind::Local, None) => {
            let text = reindented(&found.text, from, "  ");
            let text = format!("locals {{\n  {} = {text}\n}}", request.name);
            let block = NewBlock::parse(kind, &text).map_err(invalid)?;
            edits.of(file).add_block(block, after);
        }
        (Kind::Variable, _) => {
            let (name, type_name) = (request.name, found.type_name);
            let text = reindented(&found.text, from, "  ");
            let text =
                format!("variable \"{name}\" {{\n  type    = {type_name}\n  default = {text}\n}}");
            let block = NewBlock::parse(kind, &text).map_err(invalid)?;
            edits.of(file).add_block(block, after);
        }
    }
    Ok(Change { files: edits.finish()?, ..Change::default() })
}

/// Finds the innermost expression around a byte of a value.
fn find<'a>(
    site: &Site<'_, 'a>,
    value: Expression<'a>,
    offset: u32,
    dialect: Dialect,
) -> Result<Found, Refusal> {
    let refused = |why: &str| Err(Refusal::Unsupported(why.to_owned()));
    if !matches!(site.usage, Use::Value | Use::Argument(_))
        || matches!(site.object, Object::Variable(_))
    {
        return refused("local values and variables do not exist yet where it is evaluated");
    }
    let mut bound: BTreeSet<&str> = site.iterators.iter().copied().collect();
    let (native, json) = match (value.as_json(), site.reading) {
        (None, _) => (value.as_native(), None),
        (Some(node), Reading::Template(_)) => {
            let node = innermost(node, offset);
            let program = Expression::from_json(node).template();
            (program.and_then(Result::ok).and_then(Native::of), Some(node))
        }
        (Some(_), _) => return refused("it is not written as an expression"),
    };
    let found = native.and_then(|native| descend(native, offset, json.is_some(), &mut bound));
    let is_repeated = site.available.count || site.available.each || !site.iterators.is_empty();
    let conditional = "it may fail, and is evaluated there only under a condition";
    match (found, json) {
        (Some((found, guard)), _) => {
            let text = match json {
                None => found.text().to_owned(),
                Some(node) => decoded(found, node),
            };
            if text.starts_with("<<") {
                return refused("it is a heredoc");
            }
            if let Some(name) = local_name(found, &bound) {
                return refused(&format!("it uses `{name}`, which exists only there"));
            }
            let program = found.program();
            let is_constant = program.nodes.iter().all(|node| is_literal(node.kind));
            if guard.is_caught && !is_constant {
                return refused("`try` or `can` catches its errors there, and nowhere else");
            }
            let fails =
                |kind| matches!(kind, NodeKind::Index | NodeKind::Call | NodeKind::Relative);
            let may_fail = program.nodes.iter().any(|node| fails(node.kind))
                || found.variables().any(may_be_absent);
            if may_fail && (guard.is_conditional || is_repeated) {
                return refused(conditional);
            }
            Ok(Found {
                span: found.span(),
                text,
                is_json_value: false,
                is_in_json: json.is_some(),
                is_constant,
                type_name: literal_type(found).unwrap_or("any"),
            })
        }
        (None, Some(node)) => {
            let value = Expression::from_json(node);
            let mut names = BTreeSet::new();
            for traversal in value.variables() {
                names.insert(traversal.root_name());
            }
            let only_here = ["each", "count", "self"];
            if let Some(name) =
                names.iter().find(|it| bound.contains(*it) || only_here.contains(*it))
            {
                return refused(&format!("it uses `{name}`, which exists only there"));
            }
            let Some(text) = native_text(value, dialect) else {
                return refused("it cannot be an expression elsewhere");
            };
            let may_fail = value.variables().any(may_be_absent) || text.contains('(');
            if may_fail && is_repeated {
                return refused(conditional);
            }
            let type_name = match node.type_name() {
                "a string" => "string",
                "a number" => "number",
                "a bool" | "a boolean" => "bool",
                _ => "any",
            };
            Ok(Found {
                span: node.span(),
                text,
                is_json_value: true,
                is_in_json: true,
                is_constant: names.is_empty() && value.constant_value(&mut ()).is_wholly_known(),
                type_name,
            })
        }
        (None, None) => refused("there is no expression that can stand elsewhere"),
    }
}

/// The parts of a value around an expression that decide whether it is evaluated.
#[derive(Clone, Copy, Default)]
struct Guard {
    /// Whether a function catches its errors.
    is_caught: bool,
    /// Whether something else decides whether it is evaluated.
    is_conditional: bool,
}

impl Guard {
    /// The parts around the operand of an expression with a byte.
    fn inside(self, construct: &Construct<'_>, offset: u32) -> Self {
        match construct {
            Construct::Call(call) => {
                let name = call.name.strip_prefix("core::").unwrap_or(call.name);
                Self { is_caught: self.is_caught || matches!(name, "try" | "can"), ..self }
            }
            Construct::Conditional { condition: first, .. }
            | Construct::For(ForExpression { collection: first, .. })
            | Construct::Binary(Operator::And | Operator::Or, first, _) => {
                Self { is_conditional: self.is_conditional || !contains(*first, offset), ..self }
            }
            _ => self,
        }
    }
}

/// Whether what a reference names may be absent: an instance, or a part of a value.
fn may_be_absent(traversal: Traversal<'_>) -> bool {
    let is_key = |step: &Step<'_>| matches!(step.kind, StepKind::Index(_));
    let is_value = matches!(traversal.root_name(), "var" | "local");
    traversal.steps().iter().any(is_key) || is_value && traversal.steps().len() > 2
}

fn contains(part: Native<'_>, offset: u32) -> bool {
    let span = part.span();
    span.start <= offset && offset < span.end
}

/// The innermost expression around a byte that can stand elsewhere, and what is around it. Adds the names
/// that `for` expressions around it bind.
fn descend<'a>(
    root: Native<'a>,
    offset: u32,
    is_in_json: bool,
    bound: &mut BTreeSet<&'a str>,
) -> Option<(Native<'a>, Guard)> {
    let contains = |part: &Native<'a>| contains(*part, offset);
    let mut names_at = Vec::new();
    let mut found = None;
    let mut guard = Guard::default();
    let mut open = Some(root).filter(contains);
    let mut is_root = is_in_json;
    while let Some(part) = open {
        // The template of a string of JSON is the whole string.
        let is_template = std::mem::take(&mut is_root) || !has_quotes(part);
        let is_text = matches!(part.kind(), NodeKind::Template | NodeKind::Wrap) && is_template;
        if can_stand_elsewhere(part.kind()) && !is_text {
            found = Some((part, guard));
            bound.extend(names_at.drain(..));
        }
        let construct = part.inner().construct();
        guard = guard.inside(&construct, offset);
        open = match construct {
            // Keys are names, and what a splat does with each element has no meaning elsewhere.
            Construct::Object(items) => items.into_iter().map(|(_, value)| value).find(contains),
            Construct::Splat { source, .. } => Some(source).filter(contains),
            Construct::For(ref each) => {
                let is_collection = contains(&each.collection);
                if !is_collection {
                    names_at.extend(each.key_name.into_iter().chain([each.value_name]));
                }
                part.inner().operands().into_iter().find(contains)
            }
            _ => part.inner().operands().into_iter().find(contains),
        };
    }
    found
}

/// Whether an expression starts with a quote, which may be escaped in JSON. A part of a template does
/// not.
fn has_quotes(part: Native<'_>) -> bool {
    let bytes = part.span().slice(part.source().bytes());
    bytes.starts_with(b"\"") || bytes.starts_with(b"\\\"")
}

/// Whether an expression of this kind is one in all places: not a part of a template or a name.
fn can_stand_elsewhere(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Null
            | NodeKind::True
            | NodeKind::False
            | NodeKind::Number
            | NodeKind::Traversal
            | NodeKind::Relative
            | NodeKind::Index
            | NodeKind::Call
            | NodeKind::Negate
            | NodeKind::Not
            | NodeKind::Binary(_)
            | NodeKind::Conditional
            | NodeKind::Tuple
            | NodeKind::Object
            | NodeKind::For
            | NodeKind::AttributeSplat
            | NodeKind::FullSplat
            | NodeKind::Parentheses
            | NodeKind::Template
            | NodeKind::Wrap
    )
}

/// Whether a node is a part of a constant.
fn is_literal(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Null
            | NodeKind::True
            | NodeKind::False
            | NodeKind::Number
            | NodeKind::Text
            | NodeKind::Template
            | NodeKind::Wrap
            | NodeKind::Tuple
            | NodeKind::Object
            | NodeKind::Negate
            | NodeKind::Parentheses
    )
}

/// A name in an expression that exists only where it is.
fn local_name(found: Native<'_>, bound: &BTreeSet<&str>) -> Option<String> {
    let is_local = |name: &str| bound.contains(name) || matches!(name, "each" | "count" | "self");
    found.variables().map(|it| it.root_name().to_owned()).find(|name| is_local(name))
}

/// The text of an expression in a string of JSON, without escapes.
fn decoded(found: Native<'_>, node: Node<'_>) -> String {
    let raw = str::from_utf8(found.span().slice(node.source().bytes())).unwrap_or_default();
    let arena = Arena::new();
    let json = format!("\"{raw}\"");
    let document = Document::parse_bytes(&arena, "value.json", json.as_bytes());
    document.ok().and_then(|it| it.root().to_str().map(str::to_owned)).unwrap_or_default()
}
