//! The shapes of the values of programs, and the calls in them.
//!
//! Cost: bounded for each question, whatever the program is.

use std::cell::Cell;
use std::ops::Range;

use super::shape::{HOLE, MOST, Shape};
use super::shape_of_call::{is_understood, of_call};
use super::shape_of_text::{changed, changes_texts};
use crate::arena::Arena;
use crate::native::{Step, StepKind};
use crate::program::LentProgram;
use crate::program::node::{For, Kind, Node};
use crate::value::{Type, Value, convert};

/// How deep expressions and definitions are followed.
pub(crate) const DEEPEST: u32 = 24;

/// The number of nodes and parts that one question looks at.
const NODES: u32 = 4_000;

/// The names that a program may use.
pub(crate) trait Parts<'v, 'a> {
    /// Where values are allocated.
    fn arena(&self) -> &'v Arena;

    /// Returns the value of a part of a program; unknown if it takes long.
    fn part(&self, program: &LentProgram<'_, 'a>, nodes: &[Node]) -> Value<'v>;

    /// Returns the shape of the object that a traversal refers to, by its definition.
    fn defined(&self, steps: &[Step<'a>], depth: u32, question: &Question) -> Shape;
}

/// A call of a function in a program.
pub(crate) struct SeenCall<'c> {
    /// The name of the function.
    pub(crate) name: &'c str,
    /// The possible texts of its first argument.
    pub(crate) first: Vec<String>,
    /// The possible texts of its second argument.
    pub(crate) second: Vec<String>,
    /// Whether it stands in a part of a `for` that is evaluated for each element.
    pub(crate) is_repeated: bool,
}

/// Receives calls.
pub(crate) type TakeCall<'t> = dyn FnMut(SeenCall<'_>) + 't;

/// A question about a value.
pub(crate) struct Question {
    left: Cell<u32>,
}

impl Question {
    pub(crate) fn new() -> Self {
        Self { left: Cell::new(NODES) }
    }

    /// Spends a node. Returns `false` if none is left.
    pub(crate) fn spend(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }
}

/// Passes each call of a program to `take`, if `is_meant` accepts the name of the function.
pub(crate) fn calls<'v, 'a>(
    names: &dyn Parts<'v, 'a>,
    program: &LentProgram<'_, 'a>,
    question: &Question,
    is_meant: &dyn Fn(&str) -> bool,
    take: &mut TakeCall<'_>,
) {
    let loops: Vec<(&For<'a>, Range<usize>)> = (0..)
        .zip(program.nodes)
        .filter(|(_, node)| node.kind == Kind::For)
        .filter_map(|(end, node)| {
            let head = program.loops.get(node.payload as usize)?;
            let sizes = [head.key_size, head.value_size, head.condition_size];
            let size: usize = sizes.iter().map(|size| *size as usize).sum();
            Some((head, end - size.min(end)..end))
        })
        .collect();
    for (place, node) in program.nodes.iter().enumerate() {
        if node.kind != Kind::Call {
            continue;
        }
        let Some(call) = program.calls.get(node.payload as usize) else { continue };
        let name = call.name.strip_prefix("core::").unwrap_or(call.name);
        if !is_meant(name) {
            continue;
        }
        let arguments = operands(program.nodes, place, call.arguments as usize);
        // Loops end inside out.
        let around: Vec<_> = loops.iter().filter(|(_, body)| body.contains(&place)).collect();
        let texts = |at: usize| {
            let nodes = arguments.get(at).copied().unwrap_or_default();
            let plain = of_nodes(names, program, nodes, DEEPEST, question).into_texts();
            if around.is_empty() || !has_hole(&plain) {
                return plain;
            }
            // If all elements are known, the loops are evaluated: their texts are not asked for.
            let of_elements = texts_in(names, program, (&around, nodes), question);
            if has_hole(&of_elements) { of_elements } else { plain }
        };
        let is_repeated = !around.is_empty();
        take(SeenCall { name, first: texts(0), second: texts(1), is_repeated });
    }
}

fn has_hole(texts: &[String]) -> bool {
    texts.iter().any(|text| text.contains(HOLE))
}

/// The most loops around a part whose elements are looked at.
const MOST_LOOPS: usize = 8;

/// The possible texts of a part of a program in the bodies of loops, the innermost first.
fn texts_in<'v, 'a>(
    names: &dyn Parts<'v, 'a>,
    program: &LentProgram<'_, 'a>,
    (around, nodes): (&[&(&For<'a>, Range<usize>)], &[Node]),
    question: &Question,
) -> Vec<String> {
    let Some(((head, body), inner)) = around.split_last().filter(|_| around.len() <= MOST_LOOPS)
    else {
        return of_nodes(names, program, nodes, DEEPEST, question).into_texts();
    };
    // A leaf is between the collection and the parts of the loop.
    let collection = operands(program.nodes, body.start.saturating_sub(1), 1);
    let collection = collection.first().copied().unwrap_or_default();
    let shape = of_nodes(names, program, collection, DEEPEST, question).element();
    let names = Element { names, head, shape };
    texts_in(&names, program, (inner, nodes), question)
}

/// The shape of a part of an expression.
pub(crate) fn of_nodes<'v, 'a>(
    names: &dyn Parts<'v, 'a>,
    program: &LentProgram<'_, 'a>,
    nodes: &[Node],
    depth: u32,
    question: &Question,
) -> Shape {
    let Some((last, inner)) = nodes.split_last() else { return Shape::hole() };
    if depth == 0 || !question.spend() {
        return Shape::hole();
    }
    let of = |nodes: &[Node]| of_nodes(names, program, nodes, depth - 1, question);
    let of_all = |count: usize| {
        let parts = operands(nodes, inner.len(), count);
        parts.into_iter().map(of).collect::<Vec<_>>()
    };
    let text = || program.texts.get(last.payload as usize).copied().unwrap_or_default();
    match last.kind {
        Kind::Text | Kind::Number => Shape::text(text()),
        Kind::Parentheses | Kind::Wrap => of(inner),
        Kind::Template => Shape::concatenated(of_all(last.payload as usize)),
        Kind::Tuple => Shape::Sequence(of_all(last.payload as usize)),
        Kind::Object => {
            let parts = of_all(2 * last.payload as usize).into_iter();
            Shape::Bag(parts.skip(1).step_by(2).collect())
        }
        Kind::Conditional | Kind::If => {
            let parts = operands(nodes, inner.len(), 3);
            let [condition, yes, no] = parts.as_slice() else { return Shape::hole() };
            match names.part(program, condition).as_bool() {
                Some(true) => of(yes),
                Some(false) => of(no),
                None => Shape::either(vec![of(yes), of(no)]),
            }
        }
        Kind::For => match program.loops.get(last.payload as usize) {
            Some(head) => of_loop(names, program, (head, inner), depth - 1, question),
            None => Shape::hole(),
        },
        Kind::Call => {
            let Some(call) = program.calls.get(last.payload as usize) else {
                return Shape::hole();
            };
            let name = call.name.strip_prefix("core::").unwrap_or(call.name);
            let count = call.arguments as usize;
            if is_understood(name)
                && let Some(shape) = of_call(name, of_all(count), call.expands)
            {
                return shape;
            }
            known_or(names, program, nodes, || match changes_texts(name) {
                true => changed(name, of_all(count)).unwrap_or_else(Shape::hole),
                false => Shape::hole(),
            })
        }
        Kind::Index => known_or(names, program, nodes, || {
            let parts = operands(nodes, inner.len(), 2);
            parts.first().map_or_else(Shape::hole, |collection| of(collection).element())
        }),
        Kind::Relative => known_or(names, program, nodes, || {
            let steps = program.traversal(last.payload).len();
            (0..steps).fold(of(inner), |shape, _| shape.element())
        }),
        Kind::Traversal => known_or(names, program, nodes, || {
            names.defined(program.traversal(last.payload), depth - 1, question)
        }),
        Kind::Invalid
        | Kind::Null
        | Kind::True
        | Kind::False
        | Kind::Negate
        | Kind::Not
        | Kind::Binary(_)
        | Kind::AmbiguousKey
        | Kind::Join
        | Kind::ForStart
        | Kind::SplatStart
        | Kind::Item
        | Kind::AttributeSplat
        | Kind::FullSplat => known_or(names, program, nodes, Shape::hole),
    }
}

/// The number of elements of a list whose order a loop keeps.
const MOST_ORDERED: usize = 16;

/// The shape of what a loop makes: what it makes of each element.
fn of_loop<'v, 'a>(
    names: &dyn Parts<'v, 'a>,
    program: &LentProgram<'_, 'a>,
    (head, nodes): (&For<'a>, &[Node]),
    depth: u32,
    question: &Question,
) -> Shape {
    let sizes = [head.key_size, head.value_size, head.condition_size].map(|size| size as usize);
    let [key, value, condition] = sizes;
    let end = nodes.len().saturating_sub(condition);
    let start = end.saturating_sub(value);
    let body = nodes.get(start..end).unwrap_or_default();
    // A leaf is between the collection and the parts of the loop.
    let collection = nodes.get(..start.saturating_sub(key + 1)).unwrap_or_default();
    let of_element = |element: Shape| {
        let names = Element { names, head, shape: element };
        of_nodes(&names, program, body, depth, question)
    };
    match of_nodes(names, program, collection, depth, question) {
        Shape::Sequence(parts)
            if !head.makes_object && (1..=MOST_ORDERED).contains(&parts.len()) =>
        {
            let made = parts.into_iter().map(|part| match part {
                Shape::Spread(parts) => Shape::Spread(vec![of_element(Shape::either(parts))]),
                part if condition > 0 => Shape::Spread(vec![of_element(part)]),
                part => of_element(part),
            });
            Shape::Sequence(made.collect())
        }
        // A body that is repeated for no element counts.
        Shape::Sequence(parts) | Shape::Bag(parts) if parts.is_empty() => {
            Shape::Bag(vec![of_element(Shape::hole())])
        }
        list => Shape::Bag(vec![of_element(list.element())]),
    }
}

/// The names in a loop: those around it, and its own.
struct Element<'n, 'v, 'a> {
    names: &'n dyn Parts<'v, 'a>,
    head: &'n For<'a>,
    /// The shape of the element.
    shape: Shape,
}

impl<'v, 'a> Parts<'v, 'a> for Element<'_, 'v, 'a> {
    fn arena(&self) -> &'v Arena {
        self.names.arena()
    }

    fn part(&self, program: &LentProgram<'_, 'a>, nodes: &[Node]) -> Value<'v> {
        self.names.part(program, nodes)
    }

    fn defined(&self, steps: &[Step<'a>], depth: u32, question: &Question) -> Shape {
        match steps.first().map(|step| step.kind) {
            Some(StepKind::Root(root)) if root == self.head.value_name => {
                steps.iter().skip(1).fold(self.shape.clone(), |shape, _| shape.element())
            }
            Some(StepKind::Root(root)) if Some(root) == self.head.key_name => Shape::hole(),
            _ => self.names.defined(steps, depth, question),
        }
    }
}

/// The shape of the value of a part, if it is known as a whole.
fn known_or<'v, 'a>(
    names: &dyn Parts<'v, 'a>,
    program: &LentProgram<'_, 'a>,
    nodes: &[Node],
    other: impl FnOnce() -> Shape,
) -> Shape {
    let value = names.part(program, nodes);
    if value.is_wholly_known() { of_value(names.arena(), value, DEEPEST) } else { other() }
}

fn of_value<'v>(arena: &'v Arena, value: Value<'v>, depth: u32) -> Shape {
    let (value, _) = value.unmark();
    if depth == 0 || !value.is_known() {
        return Shape::hole();
    }
    if value.is_null() {
        return Shape::Bag(Vec::new());
    }
    let parts = |parts: Vec<Value<'v>>| {
        let parts = parts.into_iter().take(MOST + 1);
        parts.map(|part| of_value(arena, part, depth - 1)).collect::<Vec<_>>()
    };
    if let Some(elements) = value.as_elements() {
        return Shape::Sequence(parts(elements.to_vec()));
    }
    if let Some(entries) = value.as_entries() {
        return Shape::Bag(parts(entries.iter().map(|(_, value)| *value).collect()));
    }
    let text = convert(arena, value, Type::String).ok().and_then(Value::as_str);
    text.map_or_else(Shape::hole, Shape::text)
}

/// The nodes of each operand of the node at `place`.
fn operands(nodes: &[Node], place: usize, count: usize) -> Vec<&[Node]> {
    let mut operands = Vec::new();
    let mut end = place;
    for _ in 0..count {
        let Some(last) = end.checked_sub(1).and_then(|at| nodes.get(at)) else { break };
        let start = end.saturating_sub(last.size as usize);
        operands.push(&nodes[start..end]);
        end = start;
    }
    operands.reverse();
    operands
}
