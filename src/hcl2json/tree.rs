//! Syntax trees of expressions, as `@cdktf/hcl2json` returns them.
//!
//! The nodes are those of the parser of hashicorp/hcl, so a literal in a template, parentheses and
//! the key of an object have nodes of their own. A pass over the program, operands first, finds the
//! ranges of that parser; a second pass writes the nodes.

use super::MAX_REPEATED;
use super::number::general;
use crate::diagnostic::{Code, Diagnostic, Label, Severity, Sink};
use crate::native::lexer::Lexer;
use crate::native::{For, Key, Kind, Native, Node, Operator, Program, Step, StepKind};
use crate::source::Source;
use crate::span::Span;
use crate::write::push_string;

/// Returns the syntax tree of an expression: the whole text of a source.
///
/// Lines are counted from 0. Columns are counted from 0 in the first line and from 1 in others, in grapheme
/// clusters. Each node has its range, `children`, and `meta` with the text of the node and of its parts.
/// `range` is what hashicorp/hcl calls the start range: for a call up to its parenthesis, for an
/// operation that of its first operand.
///
/// Returns `None`, and reports why, if the source is not an expression, or if the texts are longer than 16 MiB
/// in total.
///
/// Cost: linear in the bytes and in the result, which repeats the text of a node in all that contain
/// it.
pub fn syntax_tree<'a>(source: Source<'a>, sink: &mut dyn Sink<'a>) -> Option<String> {
    let mut has_errors = false;
    let mut watched = |found: Diagnostic<'a>| {
        has_errors |= found.severity() == Severity::Error;
        sink.report(found);
    };
    let expression = Native::expression(source.arena(), source, &mut watched);
    let text = str::from_utf8(source.bytes()).ok().filter(|_| !has_errors)?;
    let program = expression.program();
    let mut tree = Tree {
        source,
        text,
        program: &program,
        places: Places::of(&program, text),
        out: String::new(),
        repeated: 0,
    };
    tree.write(program.nodes.len().checked_sub(1)?);
    if tree.repeated > MAX_REPEATED {
        let limit = source.arena().format(format_args!("{MAX_REPEATED}"));
        let whole = Label::new(source, Span::new(0, text.len() as u32));
        sink.report(Diagnostic::new(Code::JsonTooLarge, whole).with_arguments(&[limit]));
        return None;
    }
    Some(tree.out)
}

/// The ranges of each node of a program, by its index.
struct Places {
    /// All of it.
    ranges: Vec<Span>,
    /// The ranges that the parser calls start ranges.
    starts: Vec<Span>,
    /// The index after the last node of a literal: of several in a row, the first has the text of
    /// all.
    literals: Vec<usize>,
}

/// The operands of a node as indexes, in order. Unlike those of [`Native::operands`], they include the
/// element of a splat.
fn operands(nodes: &[Node], at: usize) -> Vec<usize> {
    let first = (at + 1).saturating_sub(nodes[at].size as usize);
    let mut found = Vec::new();
    let mut next = at;
    while next > first {
        let operand = next - 1;
        if !matches!(nodes[operand].kind, Kind::ForStart | Kind::SplatStart) {
            found.push(operand);
        }
        next = next.saturating_sub(nodes[operand].size as usize);
    }
    found.reverse();
    found
}

impl Places {
    fn of(program: &Program<'_>, text: &str) -> Self {
        let nodes = program.nodes;
        let ranges: Vec<Span> = nodes.iter().map(|node| node.span).collect();
        let mut places = Self { starts: ranges.clone(), ranges, literals: vec![0; nodes.len()] };
        // The first node of the heredoc around the node whose text is unindented.
        let mut unindented = None;
        for at in (0..nodes.len()).rev() {
            if unindented.is_some_and(|first| at < first) {
                unindented = None;
            }
            let is_heredoc = || span_text(text, nodes[at].span).starts_with("<<-");
            match nodes[at].kind {
                Kind::Template if unindented.is_none() && is_heredoc() => {
                    unindented = Some((at + 1).saturating_sub(nodes[at].size as usize));
                }
                Kind::Text if unindented.is_some() => {
                    places.ranges[at].start += removed_indentation(program, at, text);
                }
                _ => {}
            }
        }
        let lexer = Lexer::new(text);
        for at in 0..nodes.len() {
            places.place(program, at, &lexer, text);
        }
        places
    }

    /// Finds the ranges of a node, whose operands have theirs.
    fn place(&mut self, program: &Program<'_>, at: usize, lexer: &Lexer<'_>, text: &str) {
        let nodes = program.nodes;
        let Node { kind, span, payload, .. } = nodes[at];
        let parts = operands(nodes, at);
        let first = parts.first().copied();
        let opening = Span::new(span.start, span.start + 1);
        let mut start = None;
        match kind {
            Kind::Call => {
                if let Some(call) = program.calls.get(payload as usize) {
                    let open = Span::new(call.parentheses.start, call.parentheses.start + 1);
                    start = Some(call.name_span.to(open));
                }
            }
            Kind::Tuple | Kind::Object | Kind::For | Kind::Negate | Kind::Not => {
                start = Some(opening);
            }
            Kind::Binary(_)
            | Kind::Conditional
            | Kind::If
            | Kind::Parentheses
            | Kind::AmbiguousKey => {
                start = first.map(|first| self.starts[first]);
            }
            Kind::Template => {
                self.join_literals(nodes, &parts, text);
                // Without parts, it has an empty literal at its end.
                start =
                    Some(first.map_or(Span::new(span.end, span.end), |first| self.starts[first]));
            }
            Kind::Index => {
                if let Some(first) = first {
                    let open = lexer.skip(self.ranges[first].end as usize, false) as u32;
                    self.ranges[at].start = self.ranges[first].start;
                    start = Some(Span::new(open, open + 1));
                }
            }
            Kind::Relative => {
                let steps = program.traversal(payload);
                if let Some(first) = first {
                    let is_item = nodes[first].kind == Kind::Item;
                    self.ranges[at].start = match steps.first() {
                        // `.*` takes names, which follow it.
                        Some(step) if is_item && is_attribute_splat(nodes, first) => {
                            step.span.start
                        }
                        _ => self.ranges[first].start,
                    };
                }
            }
            // Of `.*`, its place is the end; its start is after the source of the splat.
            Kind::Item if is_attribute_splat(nodes, at) => {
                let source = self.ranges[at.saturating_sub(2)];
                let dot = lexer.skip(source.end as usize, false) as u32;
                self.ranges[at].start = dot;
            }
            Kind::AttributeSplat | Kind::FullSplat => {
                if let [source, each] = parts[..] {
                    let item = (source + 2).min(at);
                    self.ranges[at] = self.ranges[source].to(self.ranges[each]);
                    start = Some(self.ranges[item]);
                }
            }
            Kind::Join => start = first.map(|first| self.starts[first]),
            _ => {}
        }
        self.starts[at] = start.unwrap_or(self.ranges[at]);
        match kind {
            Kind::If => {
                if let [_, when_true, when_false] = parts[..] {
                    let (yes, no) = (nodes[when_true].span, nodes[when_false].span);
                    self.branch(nodes, when_true, yes.start);
                    self.branch(nodes, when_false, no.end);
                }
            }
            Kind::Join => {
                if let Some(body) = first.and_then(|head| operands(nodes, head).last().copied()) {
                    let head = first.unwrap_or_default();
                    self.starts[head] = Span::new(span.start, nodes[body].span.start);
                    self.starts[at] = self.starts[head];
                    self.branch(nodes, body, nodes[body].span.start);
                }
            }
            _ => {}
        }
    }

    /// The template of a directive reaches from its first part to its last one. Without parts, it is
    /// empty, and has a place.
    fn branch(&mut self, nodes: &[Node], template: usize, empty: u32) {
        let parts = operands(nodes, template);
        self.ranges[template] = match (parts.first(), parts.last()) {
            (Some(&first), Some(&last)) => self.ranges[first].to(self.end_of(&parts, last)),
            _ => Span::new(empty, empty),
        };
        if parts.is_empty() {
            self.starts[template] = self.ranges[template];
        }
    }

    /// The range of the last part, which may be joined to an earlier literal.
    fn end_of(&self, parts: &[usize], last: usize) -> Span {
        let holder = parts.iter().rev().find(|part| self.literals[**part] > 0);
        match holder {
            Some(&holder) if self.literals[holder] > last => self.ranges[holder],
            _ => self.ranges[last],
        }
    }

    /// Joins literals in a row. Only the sequences beside them remove whitespace.
    fn join_literals(&mut self, nodes: &[Node], parts: &[usize], text: &str) {
        let is_literal = |part: &usize| nodes[*part].kind == Kind::Text;
        for literals in parts.chunk_by(|one, two| is_literal(one) && is_literal(two)) {
            let (Some(&first), Some(&last)) = (literals.first(), literals.last()) else { continue };
            if is_literal(&first) {
                let start = with_space_before(self.ranges[first], text);
                self.ranges[first] = start.to(with_space_after(self.ranges[last], text));
                self.starts[first] = self.ranges[first];
                self.literals[first] = last + 1;
            }
        }
    }
}

/// Whether the element belongs to a `.*`.
fn is_attribute_splat(nodes: &[Node], item: usize) -> bool {
    nodes[item].span.start == nodes[item].span.end
}

/// The bytes of indentation that are not part of a literal in an unindented heredoc.
fn removed_indentation(program: &Program<'_>, at: usize, text: &str) -> u32 {
    let Node { span, payload, .. } = program.nodes[at];
    let indentation = |text: &str| (text.len() - text.trim_start_matches([' ', '\t']).len()) as u32;
    let value = program.texts.get(payload as usize).copied().unwrap_or_default();
    let is_line = text.get(..span.start as usize).is_some_and(|before| before.ends_with('\n'));
    let written = span_text(text, span);
    let is_blank = written.trim().is_empty() && written.ends_with('\n');
    if !is_line || is_blank {
        return 0;
    }
    indentation(written).saturating_sub(indentation(value))
}

/// Extends a literal over the whitespace before it that a `~` removes.
fn with_space_before(span: Span, text: &str) -> Span {
    let mut before = text.get(..span.start as usize).unwrap_or_default().trim_end();
    // Between quotes, line breaks are written as escapes.
    while let Some(rest) = [r"\n", r"\r", r"\t"].iter().find_map(|it| before.strip_suffix(it)) {
        before = rest.trim_end();
    }
    let start = if before.ends_with("~}") { before.len() as u32 } else { span.start };
    Span::new(start, span.end)
}

/// Extends a literal over the whitespace after it that a `~` removes.
fn with_space_after(span: Span, text: &str) -> Span {
    let after = text.get(span.end as usize..).unwrap_or_default().trim_start();
    let is_removed = after.starts_with("${~") || after.starts_with("%{~");
    let end = if is_removed { (text.len() - after.len()) as u32 } else { span.end };
    Span::new(span.start, end)
}

fn span_text(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or_default()
}

struct Tree<'t, 'a> {
    source: Source<'a>,
    text: &'a str,
    program: &'t Program<'a>,
    places: Places,
    out: String,
    /// The bytes of texts in `meta`.
    repeated: usize,
}

/// A part of the tree that is still to be written.
enum Work {
    Node(usize),
    /// The name of an object's item: a node around the expression.
    Key(usize),
    /// A literal without text.
    Empty(Span),
    Separator,
    /// The members after the children of a node.
    End(usize),
    EndKey(usize),
}

impl<'a> Tree<'_, 'a> {
    fn write(&mut self, root: usize) {
        let mut work = vec![Work::Node(root)];
        while let Some(next) = work.pop() {
            if self.repeated > MAX_REPEATED {
                return;
            }
            match next {
                Work::Separator => self.out.push(','),
                Work::Node(at) => {
                    self.out.push_str("{\"children\":[");
                    let children = self.children(at);
                    work.push(Work::End(at));
                    push_list(&mut work, children);
                }
                Work::Key(at) => {
                    self.out.push_str("{\"children\":[");
                    work.push(Work::EndKey(at));
                    match self.node(at).kind {
                        Kind::Text => {}
                        Kind::AmbiguousKey => work.push(Work::Node(at - 1)),
                        _ => work.push(Work::Node(at)),
                    }
                }
                Work::Empty(span) => {
                    self.out.push_str("{\"children\":[],\"type\":\"literalValue\",\"meta\":{");
                    self.out.push_str("\"type\":\"string\",\"value\":\"\"},\"range\":");
                    self.range(span);
                    self.out.push('}');
                }
                Work::End(at) => self.end(at),
                Work::EndKey(at) => {
                    self.out.push_str("],\"type\":\"\",\"range\":");
                    self.range(self.places.starts[at]);
                    self.out.push('}');
                }
            }
        }
    }

    fn node(&self, at: usize) -> Node {
        self.program.nodes[at]
    }

    fn children(&self, at: usize) -> Vec<Work> {
        let parts = operands(self.program.nodes, at);
        let Node { kind, .. } = self.node(at);
        match kind {
            Kind::Object => {
                let node = |(place, part): (usize, usize)| match place % 2 {
                    0 => Work::Key(part),
                    _ => Work::Node(part),
                };
                parts.into_iter().enumerate().map(node).collect()
            }
            Kind::Template => {
                if parts.is_empty() {
                    return vec![Work::Empty(self.places.starts[at])];
                }
                // Of literals in a row, the first stands for all.
                let is_joined = |part: &usize| {
                    self.node(*part).kind == Kind::Text && self.places.literals[*part] == 0
                };
                parts.into_iter().filter(|part| !is_joined(part)).map(Work::Node).collect()
            }
            _ => parts.into_iter().map(Work::Node).collect(),
        }
    }

    /// Writes the members after the children of a node.
    fn end(&mut self, at: usize) {
        let Node { kind, payload, span, .. } = self.node(at);
        let program = self.program;
        let parts = operands(program.nodes, at);
        let range = self.places.ranges[at];
        let part = |tree: &Self, place: usize| {
            parts.get(place).map_or(Span::new(0, 0), |part| tree.places.ranges[*part])
        };
        self.out.push_str("],\"type\":\"");
        self.out.push_str(type_of(kind));
        self.out.push('"');
        if matches!(kind, Kind::Parentheses | Kind::Item | Kind::AmbiguousKey | Kind::Invalid) {
            return self.finish(at);
        }
        self.out.push_str(",\"meta\":{");
        match kind {
            Kind::Call => {
                let Some(call) = program.calls.get(payload as usize) else { return };
                let Span { start, end } = call.parentheses;
                self.out.push_str("\"argsRanges\":[");
                for place in 0..parts.len() {
                    if place > 0 {
                        self.out.push(',');
                    }
                    self.range(part(self, place));
                }
                self.out.push_str("],");
                self.place("closeParenRange", Span::new(end.saturating_sub(1), end));
                self.flag("expandedFinalArgument", call.expands);
                self.text("name", call.name);
                self.place("nameRange", call.name_span);
                self.place("openParenRange", Span::new(start, start + 1));
            }
            Kind::Object => self.items(&parts),
            Kind::Traversal => self.steps(payload),
            Kind::Relative => {
                let source = part(self, 0);
                self.relative(payload, source);
            }
            Kind::Null => self.text("type", "dynamic"),
            Kind::True | Kind::False => self.text("type", "bool"),
            Kind::Number => self.text("type", "number"),
            Kind::Text => self.text("type", "string"),
            Kind::Index => {
                self.part("collectionExpression", part(self, 0));
                self.part("keyExpression", part(self, 1));
            }
            Kind::AttributeSplat | Kind::FullSplat => {
                let marker = self.places.starts[at];
                self.part("anonSymbolExpression", marker);
                self.part("eachExpression", part(self, 1));
                self.place("markerRange", marker);
                self.part("sourceExpression", part(self, 0));
            }
            Kind::For => self.loop_head(at, &parts),
            Kind::Conditional | Kind::If => {
                self.part("conditionExpression", part(self, 0));
                self.part("falseExpression", part(self, 2));
                self.part("trueExpression", part(self, 1));
            }
            Kind::Negate | Kind::Not => {
                let is_negation = kind == Kind::Negate;
                self.text("operator", if is_negation { "negate" } else { "logicalNot" });
                self.text("returnType", if is_negation { "number" } else { "bool" });
                self.place("symbolRange", Span::new(span.start, span.start + 1));
            }
            Kind::Binary(operator) => {
                let (name, result) = operator_names(operator);
                self.part("lhsExpression", part(self, 0));
                self.text("operator", name);
                self.text("returnType", result);
                self.part("rhsExpression", part(self, 1));
            }
            _ => {}
        }
        self.part("value", range);
        match kind {
            Kind::Negate | Kind::Not => self.part("valueExpression", part(self, 0)),
            Kind::For => {
                let has_key = self.loop_of(payload).is_some_and(|head| head.key_size > 0);
                self.part("valueExpression", part(self, 1 + usize::from(has_key)));
            }
            _ => {}
        }
        self.out.pop();
        self.out.push('}');
        self.finish(at);
    }

    fn finish(&mut self, at: usize) {
        self.out.push_str(",\"range\":");
        self.range(self.places.starts[at]);
        self.out.push('}');
    }

    fn loop_of(&self, payload: u32) -> Option<For<'a>> {
        self.program.loops.get(payload as usize).copied()
    }

    fn loop_head(&mut self, at: usize, parts: &[usize]) {
        let Node { payload, span, .. } = self.node(at);
        let Some(head) = self.loop_of(payload) else { return };
        let part = |tree: &Self, place: usize| {
            parts.get(place).map_or(Span::new(0, 0), |part| tree.places.ranges[*part])
        };
        let open = self.places.starts[at];
        // A directive ends with another one, after its template.
        let is_directive = open.end > span.start + 1;
        let close = match parts.last() {
            Some(&body) if is_directive => Span::new(self.node(body).span.end, span.end),
            _ => Span::new(span.end.saturating_sub(1), span.end),
        };
        self.place("closeRange", close);
        self.part("closeRangeValue", close);
        self.part("collectionExpression", part(self, 0));
        let has_key = head.key_size > 0;
        if head.condition_size > 0 {
            self.part("conditionalExpression", part(self, 2 + usize::from(has_key)));
        }
        self.flag("groupedValue", head.groups);
        if has_key {
            self.part("keyExpression", part(self, 1));
        }
        self.text("keyVar", head.key_name.unwrap_or_default());
        self.place("openRange", open);
        self.part("openRangeValue", open);
        self.text("valVar", head.value_name);
    }

    /// Writes the items of an object, by the text of their keys. Of equal keys, the last one counts.
    fn items(&mut self, parts: &[usize]) {
        let text = |part: &usize| span_text(self.text, self.places.ranges[*part]);
        let (items, _) = parts.as_chunks();
        let mut items: Vec<(&str, &str)> =
            items.iter().map(|[key, value]| (text(key), text(value))).collect();
        items.reverse();
        items.sort_by_key(|(key, _)| *key);
        items.dedup_by_key(|(key, _)| *key);
        self.out.push_str("\"items\":{");
        for (place, (key, value)) in items.into_iter().enumerate() {
            if place > 0 {
                self.out.push(',');
            }
            self.repeated += key.len() + value.len();
            push_string(&mut self.out, key);
            self.out.push(':');
            push_string(&mut self.out, value);
        }
        self.out.push_str("},");
    }

    fn relative(&mut self, payload: u32, source: Span) {
        let steps = self.program.traversal(payload);
        self.text("fullAccessor", &full_accessor(steps));
        self.part("sourceExpression", source);
        self.traversal(steps);
    }

    fn steps(&mut self, payload: u32) {
        let steps = self.program.traversal(payload);
        self.text("fullAccessor", &full_accessor(steps));
        self.traversal(steps);
    }

    fn traversal(&mut self, steps: &[Step<'a>]) {
        self.out.push_str("\"traversal\":[");
        for (place, step) in steps.iter().enumerate() {
            self.out.push_str(if place > 0 { ",{" } else { "{" });
            let kind = match step.kind {
                StepKind::Index(_) => "indexTraversal",
                _ => "nameTraversal",
            };
            self.text("type", kind);
            let segment = segment_of(step.kind);
            if !segment.is_empty() {
                self.text("segment", &segment);
            }
            self.out.push_str("\"range\":");
            self.range(step.span);
            self.out.push('}');
        }
        self.out.push_str("],");
    }

    /// Writes a member, and a comma.
    fn text(&mut self, name: &str, text: &str) {
        push_string(&mut self.out, name);
        self.out.push(':');
        push_string(&mut self.out, text);
        self.out.push(',');
    }

    /// Writes a member whose value is a part of the source.
    fn part(&mut self, name: &str, span: Span) {
        let text = span_text(self.text, span);
        self.repeated += text.len();
        self.text(name, text);
    }

    fn flag(&mut self, name: &str, value: bool) {
        push_string(&mut self.out, name);
        self.out.push_str(if value { ":true," } else { ":false," });
    }

    fn place(&mut self, name: &str, span: Span) {
        push_string(&mut self.out, name);
        self.out.push(':');
        self.range(span);
        self.out.push(',');
    }

    fn range(&mut self, span: Span) {
        let [start, end] = [span.start, span.end].map(|byte| {
            let at = self.source.position(byte);
            let column = if at.line == 1 { at.column - 1 } else { at.column };
            format!("{{\"line\":{},\"column\":{column},\"byte\":{byte}}}", at.line - 1)
        });
        self.out.push_str(&format!("{{\"start\":{start},\"end\":{end}}}"));
    }
}

/// Pushes nodes with separators, so that the first one is on top.
fn push_list(work: &mut Vec<Work>, nodes: Vec<Work>) {
    for (place, node) in nodes.into_iter().enumerate().rev() {
        work.push(node);
        if place > 0 {
            work.push(Work::Separator);
        }
    }
}

fn type_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Null | Kind::True | Kind::False | Kind::Number | Kind::Text => "literalValue",
        Kind::Traversal => "scopeTraversal",
        Kind::Relative => "relativeTraversal",
        Kind::Index => "index",
        Kind::Negate | Kind::Not => "unaryOp",
        Kind::Binary(_) => "binaryOp",
        Kind::Conditional | Kind::If => "conditional",
        Kind::Call => "function",
        Kind::Tuple => "tuple",
        Kind::Object => "object",
        Kind::Template => "template",
        Kind::Wrap => "templateWrap",
        Kind::Join => "templateJoin",
        Kind::For => "for",
        Kind::AttributeSplat | Kind::FullSplat => "splat",
        Kind::Parentheses
        | Kind::Item
        | Kind::AmbiguousKey
        | Kind::Invalid
        | Kind::ForStart
        | Kind::SplatStart => "",
    }
}

/// The name of an operator, and the type of its result.
fn operator_names(operator: Operator) -> (&'static str, &'static str) {
    match operator {
        Operator::Or => ("logicalOr", "bool"),
        Operator::And => ("logicalAnd", "bool"),
        Operator::Equal => ("equal", "bool"),
        Operator::NotEqual => ("notEqual", "bool"),
        Operator::Greater => ("greaterThan", "bool"),
        Operator::GreaterOrEqual => ("greaterThanOrEqual", "bool"),
        Operator::Less => ("lessThan", "bool"),
        Operator::LessOrEqual => ("lessThanOrEqual", "bool"),
        Operator::Add => ("add", "number"),
        Operator::Subtract => ("subtract", "number"),
        Operator::Multiply => ("multiply", "number"),
        Operator::Divide => ("divide", "number"),
        Operator::Remainder => ("modulo", "number"),
    }
}

/// The text of a step: a name, a number, or a string in quotes; empty for other keys.
fn segment_of(kind: StepKind<'_>) -> String {
    match kind {
        StepKind::Root(name) | StepKind::Attribute(name) => name.to_owned(),
        StepKind::Index(Key::String(key)) => format!("\"{key}\""),
        StepKind::Index(Key::Number(literal)) => general(literal),
        StepKind::Index(Key::Bool(_) | Key::Null) | StepKind::Splat => String::new(),
    }
}

/// The steps in one text: `a.b[0]`. Without a name before it, an index has no brackets.
fn full_accessor(steps: &[Step<'_>]) -> String {
    let mut full = String::new();
    for step in steps {
        let segment = segment_of(step.kind);
        let is_first = full.is_empty();
        match step.kind {
            _ if is_first => full = segment,
            StepKind::Index(_) => {
                full.push('[');
                full.push_str(&segment);
                full.push(']');
            }
            _ => {
                full.push('.');
                full.push_str(&segment);
            }
        }
    }
    full
}
