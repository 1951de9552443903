//! Typed views of expressions: one variant for each construct.

use super::{MAX_DEPTH, Text, parse_expression, parse_template};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::program::node::{Kind, Node, Operator, Program};
use crate::program::traversal::{Step, StepKind, Traversal};
use crate::source::Source;
use crate::span::Span;

/// An expression in native syntax, or a part of one. A `Copy` handle.
///
/// ```
/// use simd_hcl::native::Native;
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "expression", b"1 + var.a")?;
/// let expression = Native::expression(&arena, source, &mut ());
/// let operands = expression.operands();
/// assert_eq!(operands.len(), 2);
/// assert_eq!(operands[1].variables().next().unwrap().to_string(), "var.a");
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Native<'a> {
    program: &'a Program<'a>,
    at: usize,
}

/// A construct of native syntax.
///
/// ```
/// use simd_hcl::native::{Construct, Native};
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "expression", b"[for x in a : upper(x) if x != null]")?;
/// let expression = Native::expression(&arena, source, &mut ());
/// let Construct::For(each) = expression.construct() else { panic!() };
/// assert_eq!(each.value_name, "x");
/// assert!(matches!(each.value.construct(), Construct::Call(call) if call.name == "upper"));
/// assert!(each.condition.is_some());
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Construct<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it is written.
    Number(&'a str),
    /// Literal text of a template, or the name of an object's item.
    Text(&'a str),
    /// A variable, and steps from it.
    Traversal(Traversal<'a>),
    /// Steps from the value of another expression.
    Relative(Native<'a>, Traversal<'a>),
    /// A function call.
    Call(FunctionCall<'a>),
    /// `collection[key]`, where the key is an expression.
    Index {
        /// The collection.
        collection: Native<'a>,
        /// The index or key.
        key: Native<'a>,
    },
    /// `-a` or `!a`.
    Unary(UnaryOperator, Native<'a>),
    /// A binary operation, such as `a + b`.
    Binary(Operator, Native<'a>, Native<'a>),
    /// `condition ? a : b`, and `%{if}` in a template.
    Conditional {
        /// The condition.
        condition: Native<'a>,
        /// The value when it is true.
        when_true: Native<'a>,
        /// The value when it is false; an empty template for `%{if}` without `%{else}`.
        when_false: Native<'a>,
    },
    /// `[a, b]`
    Tuple(Vec<Native<'a>>),
    /// `{a = b}`: the key and the value of each item.
    Object(Vec<(Native<'a>, Native<'a>)>),
    /// A template of several parts, which are joined to a string.
    Template(Vec<Native<'a>>),
    /// `[for …]`, `{for …}`, and `%{for}` in a template.
    For(ForExpression<'a>),
    /// `source[*].a` or `source.*.a`.
    Splat {
        /// The collection.
        source: Native<'a>,
        /// The result for each element, which is [`Construct::Element`] in it; `None` for the
        /// element itself.
        each: Option<Native<'a>>,
    },
    /// The element of the innermost splat.
    Element,
    /// A part that did not parse. Its diagnostic has been reported.
    Invalid,
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `!`
    Not,
}

impl UnaryOperator {
    /// The operator as it is written.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Not => "!",
        }
    }
}

/// A `for` expression, or a `%{for}` directive.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ForExpression<'a> {
    /// `k` of `for k, v in …`.
    pub key_name: Option<&'a str>,
    /// `v` of `for k, v in …`.
    pub value_name: &'a str,
    /// The collection.
    pub collection: Native<'a>,
    /// The key of each result, if the results are an object.
    pub key: Option<Native<'a>>,
    /// The value of each result.
    pub value: Native<'a>,
    /// The condition that elements must meet to be included.
    pub condition: Option<Native<'a>>,
    /// Whether values with the same key are collected in a tuple (`...`).
    pub groups: bool,
    /// Whether the results are joined to a string: `%{for}` in a template.
    pub joins: bool,
}

/// A function call.
///
/// ```
/// use simd_hcl::native::{Construct, Native};
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "expression", b"max(1, var.a...)")?;
/// let expression = Native::expression(&arena, source, &mut ());
/// let Construct::Call(call) = expression.construct() else { panic!() };
/// assert_eq!((call.name, call.arguments.len(), call.expands), ("max", 2, true));
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FunctionCall<'a> {
    /// The function's name, with its namespaces: `provider::aws::arn_parse`.
    pub name: &'a str,
    /// The bytes of the name.
    pub name_span: Span,
    /// The arguments.
    pub arguments: Vec<Native<'a>>,
    /// Whether the last argument is a list whose elements are passed as arguments (`...`).
    pub expands: bool,
}

impl<'a> Native<'a> {
    /// Parses a whole source as an expression. If it is invalid, reports why to `sink` and returns
    /// an expression with an unknown value.
    ///
    /// ```
    /// use simd_hcl::native::{Construct, Native};
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "expression", b"max(var.a, 1)")?;
    /// let expression = Native::expression(&arena, source, &mut ());
    /// assert!(matches!(expression.construct(), Construct::Call(_)));
    /// assert_eq!(expression.variables().next().unwrap().to_string(), "var.a");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn expression(arena: &'a Arena, source: Source<'a>, sink: &mut dyn Sink<'a>) -> Self {
        Self::parse(arena, source, sink, false)
    }

    /// Parses a whole source as a template. If it is invalid, reports why to `sink` and returns an
    /// expression with an unknown value.
    ///
    /// ```
    /// use simd_hcl::native::Native;
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "template", b"Hello ${name}!")?;
    /// let template = Native::template(&arena, source, &mut ());
    /// assert_eq!(template.variables().next().unwrap().root_name(), "name");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn template(arena: &'a Arena, source: Source<'a>, sink: &mut dyn Sink<'a>) -> Self {
        Self::parse(arena, source, sink, true)
    }

    fn parse(
        arena: &'a Arena,
        source: Source<'a>,
        sink: &mut dyn Sink<'a>,
        is_template: bool,
    ) -> Self {
        let program = match str::from_utf8(source.bytes()) {
            Ok(text) => {
                let text = Text::of_source(source, text);
                match is_template {
                    true => parse_template(arena, &text, MAX_DEPTH, sink),
                    false => parse_expression(arena, &text, MAX_DEPTH, sink),
                }
            }
            Err(_) => {
                sink.report(not_utf8(source));
                None
            }
        };
        let whole = Span::new(0, source.bytes().len() as u32);
        program.and_then(Self::of).unwrap_or_else(|| Self::invalid(source, whole))
    }

    /// Returns an expression for a part of a file that is invalid and has been reported.
    pub(crate) fn invalid(source: Source<'a>, span: Span) -> Self {
        let bump = source.arena().bump();
        let node = Node { kind: Kind::Invalid, span, size: 1, payload: 0 };
        let nodes = bump.alloc_slice_copy(&[node]);
        Self { program: bump.alloc(Program { nodes, ..Program::empty(source) }), at: 0 }
    }

    /// Returns a name in a file as literal text.
    pub(crate) fn name(source: Source<'a>, name: &'a str, span: Span) -> Self {
        let bump = source.arena().bump();
        let node = Node { kind: Kind::Text, span, size: 1, payload: 0 };
        let (nodes, texts) = (bump.alloc_slice_copy(&[node]), bump.alloc_slice_copy(&[name]));
        Self { program: bump.alloc(Program { nodes, texts, ..Program::empty(source) }), at: 0 }
    }

    /// The program and the place of the node in it.
    pub(crate) fn parts(self) -> (&'a Program<'a>, usize) {
        (self.program, self.at)
    }

    /// The inverse of [`Native::parts`].
    pub(crate) fn at(program: &'a Program<'a>, at: usize) -> Self {
        Self { program, at }
    }

    /// The expression as it is written.
    pub(crate) fn text(self) -> &'a str {
        str::from_utf8(self.span().slice(self.source().bytes())).unwrap_or_default()
    }

    /// Its type with an article, by the names of JSON types.
    pub(crate) fn type_name(self) -> &'static str {
        match self.node().kind {
            Kind::Null => "null",
            Kind::True | Kind::False => "a bool",
            Kind::Number => "a number",
            Kind::Text | Kind::Template | Kind::Wrap => "a string",
            Kind::Tuple => "an array",
            Kind::Object => "an object",
            Kind::Traversal | Kind::Relative | Kind::Index => "a reference",
            Kind::Call => "a function call",
            _ => "an expression",
        }
    }

    /// Its literal text, if it is literal text of a template or the name of an item.
    pub(crate) fn as_text(self) -> Option<&'a str> {
        let node = self.node();
        match node.kind {
            Kind::Text => self.program.texts.get(node.payload as usize).copied(),
            _ => None,
        }
    }

    /// Its kind, without looking through parentheses.
    pub(crate) fn kind(self) -> Kind {
        self.node().kind
    }

    /// The number of its nodes, itself included.
    pub(crate) fn size(self) -> usize {
        self.node().size as usize
    }

    /// The payload of its node: see [`Kind`].
    pub(crate) fn payload(self) -> u32 {
        self.node().payload
    }

    fn node(self) -> &'a Node {
        &self.program.nodes[self.at]
    }

    /// The index of its first node.
    fn first(self) -> usize {
        self.at + 1 - self.node().size as usize
    }

    /// Returns a program with only the nodes of this expression.
    pub(crate) fn program(self) -> Program<'a> {
        Program { nodes: &self.program.nodes[self.first()..=self.at], ..*self.program }
    }

    /// Returns the expression of a whole program; `None` if the program has no nodes.
    pub(crate) fn of(program: &'a Program<'a>) -> Option<Self> {
        Some(Self { program, at: program.nodes.len().checked_sub(1)? })
    }

    /// Whether it has that kind, without looking through parentheses.
    pub(crate) fn is(self, kind: Kind) -> bool {
        self.node().kind == kind
    }

    /// Returns the traversal `a.b` if it is `a.b[key]` with a key that is an expression.
    pub(crate) fn indexed(self) -> Option<Traversal<'a>> {
        if !self.is(Kind::Index) {
            return None;
        }
        self.operands().first()?.as_traversal()
    }

    /// The expression as a traversal: itself, not in parentheses or a template.
    pub(crate) fn as_bare_traversal(self) -> Option<Traversal<'a>> {
        let root = |name| {
            let step = Step { kind: StepKind::Root(name), span: self.span() };
            let steps = self.source().arena().bump().alloc_slice_copy(&[step]);
            Some(Traversal::new(self.source(), steps))
        };
        match self.node().kind {
            Kind::Traversal | Kind::Relative => self.as_traversal(),
            Kind::Null => root("null"),
            Kind::True => root("true"),
            Kind::False => root("false"),
            Kind::Text => root(self.as_text()?),
            Kind::AmbiguousKey => self.operands().first()?.as_bare_traversal(),
            _ => None,
        }
    }

    /// Like [`Native::as_bare_traversal`], but `[*]` is also a step.
    pub(crate) fn as_pattern(self) -> Option<Traversal<'a>> {
        let text = Text::as_written(self.source(), self.text(), self.span().start);
        super::parse_pattern(&text)
    }

    /// Returns the expression as a traversal. Where one is expected, `null`, `true` and `false` are
    /// ordinary names.
    pub(crate) fn as_traversal(self) -> Option<Traversal<'a>> {
        match self.construct() {
            Construct::Traversal(traversal) => Some(traversal),
            Construct::Relative(from, relative) => {
                let name = match from.construct() {
                    Construct::Null => "null",
                    Construct::Bool(true) => "true",
                    Construct::Bool(false) => "false",
                    _ => return None,
                };
                // In parentheses it is a value.
                if from.is(Kind::Parentheses) {
                    return None;
                }
                let root = Step { kind: StepKind::Root(name), span: from.span() };
                let steps: Vec<_> =
                    std::iter::once(root).chain(relative.steps().iter().copied()).collect();
                let steps = self.source().arena().bump().alloc_slice_copy(&steps);
                Some(Traversal::new(self.source(), steps))
            }
            _ => None,
        }
    }

    /// Its bytes in the file.
    #[must_use]
    pub fn span(self) -> Span {
        self.node().span
    }

    /// The place of all of it. See [`span`](Self::span).
    #[must_use]
    pub fn label(self) -> Label<'a> {
        Label::new(self.source(), self.span())
    }

    /// The source it is in.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        self.program.source
    }

    /// Its construct. Parentheses are looked through, and so are templates that are one
    /// interpolation.
    #[must_use]
    pub fn construct(self) -> Construct<'a> {
        let inner = self.inner();
        let node = inner.node();
        let text = || self.program.texts.get(node.payload as usize).copied().unwrap_or_default();
        let traversal =
            || Traversal::new(self.program.source, self.program.traversal(node.payload));
        match node.kind {
            Kind::Null => Construct::Null,
            Kind::True => Construct::Bool(true),
            Kind::False => Construct::Bool(false),
            Kind::Number => Construct::Number(text()),
            Kind::Text => Construct::Text(text()),
            Kind::Traversal => Construct::Traversal(traversal()),
            Kind::Relative => Construct::Relative(Self { at: inner.at - 1, ..self }, traversal()),
            Kind::Call => Construct::Call(inner.function_call()),
            _ => inner.operation().unwrap_or(Construct::Invalid),
        }
    }

    /// The expression in parentheses, or in a template that is one interpolation; `None` if it is
    /// neither. [`construct`](Self::construct) looks through both.
    #[must_use]
    pub fn enclosed(self) -> Option<Self> {
        let encloses = matches!(self.node().kind, Kind::Parentheses | Kind::Wrap);
        encloses.then(|| Self { at: self.at - 1, ..self })
    }

    /// Returns the expression without parentheses and templates of one interpolation around it.
    pub(crate) fn inner(mut self) -> Self {
        while matches!(self.node().kind, Kind::Parentheses | Kind::Wrap) {
            self.at -= 1;
        }
        self
    }

    /// The kind of its construct. See [`Native::construct`].
    pub(crate) fn kind_of_construct(self) -> Kind {
        self.inner().node().kind
    }

    /// The digits of a number; see [`Native::construct`].
    pub(crate) fn digits(self) -> Option<&'a str> {
        let node = self.inner().node();
        match node.kind {
            Kind::Number => self.program.texts.get(node.payload as usize).copied(),
            _ => None,
        }
    }

    /// The parts of a template of which all are literal text.
    pub(crate) fn literal_parts(self) -> Option<impl ExactSizeIterator<Item = &'a str> + Clone> {
        let parts = &self.program.nodes[self.first()..self.at];
        let is_literal =
            self.is(Kind::Template) && parts.iter().all(|part| part.kind == Kind::Text);
        let text = move |part: &Node| self.program.texts[part.payload as usize];
        is_literal.then(|| parts.iter().map(text))
    }

    /// Returns a construct whose operands are expressions; `None` for a node whose operands do not
    /// fit its kind.
    fn operation(self) -> Option<Construct<'a>> {
        let operands = self.operands();
        let one = || operands.first().copied();
        Some(match (self.node().kind, operands.as_slice()) {
            (Kind::Index, &[collection, key]) => Construct::Index { collection, key },
            (Kind::Negate, &[operand]) => Construct::Unary(UnaryOperator::Negate, operand),
            (Kind::Not, &[operand]) => Construct::Unary(UnaryOperator::Not, operand),
            (Kind::Binary(operator), &[left, right]) => Construct::Binary(operator, left, right),
            (Kind::Conditional | Kind::If, &[condition, when_true, when_false]) => {
                Construct::Conditional { condition, when_true, when_false }
            }
            (Kind::Tuple, _) => Construct::Tuple(operands),
            (Kind::Object, items) => {
                let (items, _) = items.as_chunks();
                Construct::Object(items.iter().map(|&[key, value]| (key, value)).collect())
            }
            (Kind::Template, _) => Construct::Template(operands),
            (Kind::For, _) => Construct::For(self.for_expression(false)?),
            (Kind::Join, _) => Construct::For(one()?.for_expression(true)?),
            (Kind::AttributeSplat | Kind::FullSplat, _) => {
                Construct::Splat { source: one()?, each: operands.get(1).copied() }
            }
            (Kind::Item, _) => Construct::Element,
            _ => return None,
        })
    }

    fn for_expression(self, joins: bool) -> Option<ForExpression<'a>> {
        let head = self.program.loops.get(self.node().payload as usize)?;
        let mut operands = self.operands().into_iter();
        Some(ForExpression {
            key_name: head.key_name,
            value_name: head.value_name,
            collection: operands.next()?,
            key: if head.key_size > 0 { operands.next() } else { None },
            value: operands.next()?,
            condition: if head.condition_size > 0 { operands.next() } else { None },
            groups: head.groups,
            joins,
        })
    }

    /// Returns the `%{for}` if it is one itself.
    #[cfg(feature = "hcl2json")]
    pub(crate) fn joined(self) -> Option<ForExpression<'a>> {
        self.is(Kind::Join).then(|| self.operands().first()?.for_expression(true)).flatten()
    }

    /// Returns the call if it is one itself, not in parentheses or a template.
    pub(crate) fn call(self) -> Option<FunctionCall<'a>> {
        self.is(Kind::Call).then(|| self.function_call())
    }

    /// The name of the function that it calls, and where it is; `None` if it is not a call.
    pub(crate) fn called_name(self) -> Option<(&'a str, Span)> {
        let call = || &self.program.calls[self.node().payload as usize];
        self.is(Kind::Call).then(|| (call().name, call().name_span))
    }

    fn function_call(self) -> FunctionCall<'a> {
        let call = &self.program.calls[self.node().payload as usize];
        FunctionCall {
            name: call.name,
            name_span: call.name_span,
            arguments: self.operands(),
            expands: call.expands,
        }
    }

    /// Its operands, in order. Markers that only evaluation needs are omitted.
    #[must_use]
    pub fn operands(self) -> Vec<Self> {
        let first = self.first();
        let mut operands = Vec::new();
        let mut at = self.at;
        while at > first {
            at -= 1;
            let operand = &self.program.nodes[at];
            let below = (operand.size as usize).saturating_sub(1);
            if !matches!(operand.kind, Kind::ForStart | Kind::SplatStart | Kind::Item) {
                operands.push(Self { at, ..self });
            }
            at = at.saturating_sub(below);
        }
        operands.reverse();
        operands
    }

    /// The traversals in it that start with a variable of the scope, in order.
    ///
    /// ```
    /// use simd_hcl::native::Native;
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "expression", b"a.b + c[d]")?;
    /// let expression = Native::expression(&arena, source, &mut ());
    /// let found: Vec<_> = expression.variables().map(|it| it.to_string()).collect();
    /// assert!(found.contains(&"a.b".to_owned()) && found.contains(&"d".to_owned()));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn variables(self) -> impl Iterator<Item = Traversal<'a>> + use<'a> {
        let mut found = Vec::new();
        super::variables(&self.program(), |traversal| found.push(traversal));
        found.into_iter()
    }
}

/// The diagnostic that a source is not UTF-8.
#[cold]
pub(crate) fn not_utf8(source: Source<'_>) -> Diagnostic<'_> {
    let bytes = source.bytes();
    let at = str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    let byte = bytes.get(at).copied().unwrap_or_default();
    let byte = source.arena().format(format_args!("0x{byte:02X}"));
    let span = Span::new(at as u32, at as u32 + 1);
    Diagnostic::new(Code::InvalidUtf8, Label::new(source, span)).with_arguments(&[byte])
}

impl std::fmt::Debug for Native<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = self.span().slice(self.source().bytes());
        write!(f, "{}", String::from_utf8_lossy(text))
    }
}
