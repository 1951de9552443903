//! The known parts of a text whose value is unknown, with holes between them.
//!
//! `"${path.module}/env/${var.stage}.json"` is `./env/` + hole + `.json` if `var.stage` has no
//! value. A text that depends on an unknown condition or key has several shapes, one for each value
//! that it may have. A part that is not understood is a hole.
//!
//! Cost: bounded for each question, whatever the configuration is.

use std::cell::Cell;
use std::ops::Range;

use super::evaluation::Evaluation;
use super::instance::Child;
use super::node::Node as Known;
use super::observer::{Observed, SeenCall, TakeCall};
use crate::evaluate::{Budget, InScope, Meter, Objects, Scope, evaluate_for};
use crate::expression::{Expression, Seen, Syntax};
use crate::json::JsonValue;
use crate::module::Functions;
use crate::native::{Key, Step, StepKind};
use crate::program::LentProgram;
use crate::program::node::{Kind, Node};
use crate::value::{Type, Value, convert};

/// Stands for any text.
pub(crate) const HOLE: char = '\0';

/// The number of texts that a question may have as answers.
const MOST: usize = 64;

/// How deep expressions and definitions are followed.
const DEEPEST: u32 = 24;

/// The number of nodes and parts that one question looks at.
const NODES: u32 = 4_000;

/// The steps of evaluating a part of an expression.
const STEPS: u64 = 20_000;

/// The known parts of a value.
enum Shape {
    /// One of these texts.
    Texts(Vec<String>),
    /// These elements, in this order.
    Sequence(Vec<Shape>),
    /// Any number of any of these elements.
    Bag(Vec<Shape>),
}

impl Shape {
    fn hole() -> Self {
        Self::Texts(vec![HOLE.to_string()])
    }

    fn text(text: &str) -> Self {
        Self::Texts(vec![text.to_owned()])
    }

    /// Either of several values.
    fn either(shapes: Vec<Self>) -> Self {
        if shapes.iter().any(|shape| !matches!(shape, Self::Texts(_))) {
            return Self::Bag(shapes.into_iter().flat_map(Self::into_parts).collect());
        }
        let mut all = Vec::new();
        shapes.into_iter().for_each(|shape| shape.collect(&mut all));
        Self::Texts(all)
    }

    /// The elements, or the value itself.
    fn into_parts(self) -> Vec<Self> {
        match self {
            Self::Sequence(parts) | Self::Bag(parts) => parts,
            Self::Texts(_) => vec![self],
        }
    }

    /// Any element.
    fn element(self) -> Self {
        match self {
            Self::Sequence(parts) | Self::Bag(parts) => Self::either(parts),
            Self::Texts(_) => Self::hole(),
        }
    }

    /// Adds all texts, at any depth.
    fn collect(self, all: &mut Vec<String>) {
        let mut open = vec![self];
        while let Some(shape) = open.pop() {
            match shape {
                Self::Texts(texts) => {
                    for text in texts {
                        if !all.contains(&text) {
                            all.push(text);
                        }
                    }
                }
                Self::Sequence(parts) | Self::Bag(parts) => open.extend(parts.into_iter().rev()),
            }
            if all.len() > MOST {
                *all = vec![HOLE.to_string()];
                return;
            }
        }
    }

    fn into_texts(self) -> Vec<String> {
        let mut all = Vec::new();
        self.collect(&mut all);
        all
    }

    /// Joins texts to one.
    fn concatenated(parts: Vec<Self>) -> Self {
        let mut all = vec![String::new()];
        for part in parts {
            let texts = match part {
                Self::Texts(texts) => texts,
                _ => vec![HOLE.to_string()],
            };
            let texts = if all.len() * texts.len() > MOST { vec![HOLE.to_string()] } else { texts };
            let joined = |start: &String| {
                let start = start.clone();
                texts.iter().map(move |end| match start.ends_with(HOLE) && end.starts_with(HOLE) {
                    true => format!("{start}{}", &end[1..]),
                    false => format!("{start}{end}"),
                })
            };
            all = all.iter().flat_map(joined).collect();
        }
        Self::Texts(all)
    }
}

/// A question about a value.
struct Question {
    left: Cell<u32>,
}

impl Question {
    fn new() -> Self {
        Self { left: Cell::new(NODES) }
    }

    /// Spends a node. Returns `false` if none is left.
    fn spend(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }
}

impl<'v, 'a: 'v> Observed<'a> for Evaluation<'_, '_, 'v, 'a> {
    fn instance(&self) -> u32 {
        self.module
    }

    fn passes_on(&self) -> bool {
        self.passes_on.get()
    }

    fn is_supposed(&self) -> bool {
        self.is_supposed.get() || self.engine.supposed.borrow().contains(&self.module)
    }

    fn module_path(&self) -> Option<&'a str> {
        self.engine.module(self.module).path.get("module")?.as_str()
    }

    fn texts(&self, expression: Expression<'a>) -> Vec<String> {
        self.shape_of(expression, DEEPEST, &Question::new()).into_texts()
    }

    fn calls(
        &self,
        expression: Expression<'a>,
        is_meant: &dyn Fn(&str) -> bool,
        take: &mut TakeCall<'_>,
    ) {
        let question = Question::new();
        expression.visit_variables(|seen| {
            let Seen::Template(program) = seen else { return };
            let repeated: Vec<Range<usize>> = (0..)
                .zip(program.nodes)
                .filter(|(_, node)| node.kind == Kind::For)
                .filter_map(|(end, node)| {
                    let head = program.loops.get(node.payload as usize)?;
                    let sizes = [head.key_size, head.value_size, head.condition_size];
                    let size: usize = sizes.iter().map(|size| *size as usize).sum();
                    Some(end - size.min(end)..end)
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
                let texts = |at: usize| match arguments.get(at) {
                    Some(nodes) => self.of_nodes(program, nodes, DEEPEST, &question).into_texts(),
                    None => vec![HOLE.to_string()],
                };
                let is_repeated = repeated.iter().any(|range| range.contains(&place));
                take(SeenCall { name, first: texts(0), second: texts(1), is_repeated });
            }
        });
    }
}

impl<'v, 'a: 'v> Evaluation<'_, '_, 'v, 'a> {
    fn shape_of(&self, expression: Expression<'a>, depth: u32, question: &Question) -> Shape {
        if depth == 0 || !question.spend() {
            return Shape::hole();
        }
        match expression.syntax() {
            Syntax::Native(native) => {
                let program = native.program();
                self.of_nodes(&program, program.nodes, depth - 1, question)
            }
            Syntax::Json(node) => match node.value() {
                JsonValue::String(string) if !string.may_be_template() => {
                    Shape::text(string.to_str())
                }
                JsonValue::String(_) => match expression.template() {
                    Some(Ok(program)) => self.of_nodes(program, program.nodes, depth - 1, question),
                    _ => Shape::hole(),
                },
                JsonValue::Array(array) => {
                    let parts = array.elements().map(Expression::from_json);
                    Shape::Sequence(
                        parts.map(|part| self.shape_of(part, depth - 1, question)).collect(),
                    )
                }
                JsonValue::Object(object) => {
                    let parts = object.members().map(|it| Expression::from_json(it.value()));
                    Shape::Bag(parts.map(|it| self.shape_of(it, depth - 1, question)).collect())
                }
                JsonValue::Number(number) => Shape::text(number.text()),
                JsonValue::Null | JsonValue::Bool(_) => Shape::Bag(Vec::new()),
            },
            Syntax::Block(_) => Shape::hole(),
        }
    }

    /// The shape of a part of an expression.
    fn of_nodes(
        &self,
        program: &LentProgram<'_, 'a>,
        nodes: &[Node],
        depth: u32,
        question: &Question,
    ) -> Shape {
        let Some((last, inner)) = nodes.split_last() else { return Shape::hole() };
        if depth == 0 || !question.spend() {
            return Shape::hole();
        }
        let of = |nodes: &[Node]| self.of_nodes(program, nodes, depth - 1, question);
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
                match self.part(program, condition).as_bool() {
                    Some(true) => of(yes),
                    Some(false) => of(no),
                    None => Shape::either(vec![of(yes), of(no)]),
                }
            }
            Kind::For => match program.loops.get(last.payload as usize) {
                Some(head) => {
                    let end = inner.len().saturating_sub(head.condition_size as usize);
                    let start = end.saturating_sub(head.value_size as usize);
                    Shape::Bag(vec![of(inner.get(start..end).unwrap_or_default())])
                }
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
                self.known_or(program, nodes, Shape::hole)
            }
            Kind::Index => self.known_or(program, nodes, || {
                let parts = operands(nodes, inner.len(), 2);
                parts.first().map_or_else(Shape::hole, |collection| of(collection).element())
            }),
            Kind::Relative => self.known_or(program, nodes, || {
                let steps = program.traversal(last.payload).len();
                (0..steps).fold(of(inner), |shape, _| shape.element())
            }),
            Kind::Traversal => self.known_or(program, nodes, || {
                self.defined(program.traversal(last.payload), depth - 1, question)
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
            | Kind::FullSplat => self.known_or(program, nodes, Shape::hole),
        }
    }

    /// The shape of the value of a part, if it is known as a whole.
    fn known_or(
        &self,
        program: &LentProgram<'_, 'a>,
        nodes: &[Node],
        other: impl FnOnce() -> Shape,
    ) -> Shape {
        let value = self.part(program, nodes);
        if value.is_wholly_known() { self.of_value(value, DEEPEST) } else { other() }
    }

    fn of_value(&self, value: Value<'v>, depth: u32) -> Shape {
        let (value, _) = value.unmark();
        if depth == 0 || !value.is_known() {
            return Shape::hole();
        }
        if value.is_null() {
            return Shape::Bag(Vec::new());
        }
        let parts = |parts: Vec<Value<'v>>| {
            let parts = parts.into_iter().take(MOST + 1);
            parts.map(|part| self.of_value(part, depth - 1)).collect::<Vec<_>>()
        };
        if let Some(elements) = value.as_elements() {
            return Shape::Sequence(parts(elements.to_vec()));
        }
        if let Some(entries) = value.as_entries() {
            return Shape::Bag(parts(entries.iter().map(|(_, value)| *value).collect()));
        }
        let text = convert(self.arena, value, Type::String).ok().and_then(Value::as_str);
        text.map_or_else(Shape::hole, Shape::text)
    }

    /// The shape of the object that a traversal refers to, by its definition.
    fn defined(&self, steps: &[Step<'a>], depth: u32, question: &Question) -> Shape {
        if depth == 0 {
            return Shape::hole();
        }
        let attribute = |at: usize| match steps.get(at).map(|step| step.kind) {
            Some(StepKind::Attribute(name) | StepKind::Index(Key::String(name))) => Some(name),
            _ => None,
        };
        let Some(StepKind::Root(root)) = steps.first().map(|step| step.kind) else {
            return Shape::hole();
        };
        if self.own.borrow().iter().any(|(name, _)| *name == root) {
            return Shape::hole();
        }
        let module = self.engine.module(self.module);
        let declared = &module.declared.module;
        let known = match root {
            "var" => attribute(1)
                .and_then(|name| declared.variables.place(name))
                .map(|place| (Known::Variable(self.module, place), 2)),
            "local" => attribute(1)
                .and_then(|name| declared.locals.place(name))
                .map(|place| (Known::Local(self.module, place), 2)),
            "module" => self.output(attribute(1), steps),
            _ => None,
        };
        let Some((known, taken)) = known else { return Shape::hole() };
        let shape = self.of_known(known, depth, question);
        steps.iter().skip(taken).fold(shape, |shape, _| shape.element())
    }

    /// The output of a call without keys that a traversal names.
    fn output(&self, call: Option<&str>, steps: &[Step<'a>]) -> Option<(Known<'a>, usize)> {
        let module = self.engine.module(self.module);
        let place = module.declared.module.calls.place(call?)?;
        let keys = self.engine.kept_keys(Known::CallKeys(self.module, place), &self.missing)?;
        let Child::Modules(first) = self.engine.children(self.module, place, keys) else {
            return None;
        };
        if keys.len() == 0 {
            return None;
        }
        let at =
            steps.iter().skip(2).position(|step| matches!(step.kind, StepKind::Attribute(_)))?;
        let StepKind::Attribute(name) = steps.get(at + 2)?.kind else { return None };
        let outputs = &self.engine.module(first).declared.module.outputs;
        Some((Known::Output(first, outputs.place(name)?), at + 3))
    }

    /// The shape of the definition of a node.
    fn of_known(&self, known: Known<'a>, depth: u32, question: &Question) -> Shape {
        let engine = self.engine;
        let (at, key, expression) = match known {
            Known::Local(number, place) => {
                let module = engine.module(number);
                (number, None, module.declared.module.locals.at(place).map(|it| it.value()))
            }
            Known::Output(number, place) => {
                let module = engine.module(number);
                (number, None, module.declared.module.outputs.at(place).and_then(|it| it.value))
            }
            Known::Variable(number, place) => {
                let module = engine.module(number);
                let name = module.declared.module.variables.at(place).map(|it| it.name);
                match (&module.call, name) {
                    (Some(call), Some(name)) => {
                        (call.module, Some(call.key), call.arguments.get(name).copied())
                    }
                    _ => return Shape::hole(),
                }
            }
            Known::ResourceKeys(..)
            | Known::CallKeys(..)
            | Known::ProviderKeys(..)
            | Known::Resource(..)
            | Known::Attribute(..)
            | Known::Call(..) => return Shape::hole(),
        };
        let Some(expression) = expression else { return Shape::hole() };
        let mut other = Evaluation::new(engine, at, (self.arena, self.is_transient));
        if let Some(key) = key {
            other = other.with_key(key);
        }
        let shape = other.shape_of(expression, depth, question);
        self.missing.borrow_mut().append(&mut other.missing.borrow_mut());
        shape
    }

    /// The value of a part of an expression; unknown if it takes long.
    fn part(&self, program: &LentProgram<'_, 'a>, nodes: &[Node]) -> Value<'v> {
        if self.engine.meter.exhausted().is_some() || nodes.is_empty() {
            return Value::dynamic();
        }
        // A name of a loop around the part is nothing that the module declares.
        if let [Node { kind: Kind::Traversal, payload, .. }] = nodes
            && self.find(program.traversal(*payload)).is_none()
        {
            return Value::dynamic();
        }
        let half = self.engine.half();
        let budget = Budget::new(half.steps().min(STEPS), half.bytes().min(STEPS * 8));
        let meter = Meter::new(budget);
        let known =
            Functions { dialect: self.engine.dialect(), has_provider: &|_| true, described: None };
        let functions = self.engine.inputs.functions.unwrap_or(&known);
        let scope = Scope::new().with_functions(functions).with_short_circuits();
        let program = LentProgram { nodes, ..*program };
        let names = InScope { scope: &scope, objects: Some(self) };
        let value = evaluate_for(self.arena, &program, names, &meter, &mut ());
        let spent = budget.steps() - meter.rest().steps();
        let kept = if self.is_transient { 0 } else { meter.allocated() };
        let _ = self.engine.meter.spend(spent).and_then(|()| self.engine.meter.allocate(kept));
        value
    }
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

/// Whether the shape of a call follows from those of its arguments.
fn is_understood(name: &str) -> bool {
    matches!(
        name,
        "abspath"
            | "chomp"
            | "coalesce"
            | "coalescelist"
            | "compact"
            | "concat"
            | "distinct"
            | "element"
            | "flatten"
            | "format"
            | "join"
            | "lookup"
            | "merge"
            | "nonsensitive"
            | "one"
            | "pathexpand"
            | "reverse"
            | "sensitive"
            | "setunion"
            | "slice"
            | "sort"
            | "tolist"
            | "tomap"
            | "toset"
            | "tostring"
            | "trimspace"
            | "try"
            | "values"
    )
}

/// The shape of a call of such a function.
fn of_call(name: &str, mut arguments: Vec<Shape>, expands: bool) -> Option<Shape> {
    if expands {
        let last = arguments.pop()?;
        arguments.extend(last.into_parts());
    }
    let mut arguments = arguments.into_iter();
    Some(match name {
        "abspath" | "chomp" | "nonsensitive" | "pathexpand" | "sensitive" | "tolist"
        | "tostring" | "trimspace" => arguments.next()?,
        "compact" | "distinct" | "reverse" | "slice" | "sort" | "tomap" | "toset" | "values" => {
            Shape::Bag(arguments.next()?.into_parts())
        }
        "element" | "one" => arguments.next()?.element(),
        "lookup" => {
            let all = [Some(arguments.next()?.element()), arguments.nth(1)];
            Shape::either(all.into_iter().flatten().collect())
        }
        "coalesce" | "try" => Shape::either(arguments.collect()),
        "coalescelist" | "merge" | "setunion" => {
            Shape::Bag(arguments.flat_map(Shape::into_parts).collect())
        }
        "concat" | "flatten" => {
            let mut is_bag = false;
            let mut all = Vec::new();
            for argument in arguments {
                is_bag |= matches!(argument, Shape::Bag(_));
                for part in argument.into_parts() {
                    is_bag |= name == "flatten" && matches!(part, Shape::Bag(_));
                    match name {
                        "flatten" => all.extend(part.into_parts()),
                        _ => all.push(part),
                    }
                }
            }
            if is_bag { Shape::Bag(all) } else { Shape::Sequence(all) }
        }
        "join" => {
            let Shape::Texts(separator) = arguments.next()? else { return None };
            let mut parts = Vec::new();
            for argument in arguments {
                let Shape::Sequence(elements) = argument else { return Some(Shape::hole()) };
                for element in elements {
                    if !parts.is_empty() {
                        parts.push(Shape::Texts(separator.clone()));
                    }
                    parts.push(element);
                }
            }
            Shape::concatenated(parts)
        }
        "format" => {
            let Shape::Texts(formats) = arguments.next()? else { return None };
            let [format] = formats.as_slice() else { return Some(Shape::hole()) };
            formatted(format, &mut arguments)
        }
        _ => return None,
    })
}

/// The shape of a formatted text.
fn formatted(format: &str, arguments: &mut dyn Iterator<Item = Shape>) -> Shape {
    let mut parts = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        parts.push(Shape::text(&rest[..at]));
        let verb = &rest[at + 1..];
        let end = verb.find(|c: char| c == '%' || c.is_ascii_alphabetic());
        let Some(end) = end else { return Shape::hole() };
        match &verb[..=end] {
            "%" => parts.push(Shape::text("%")),
            "s" | "v" | "d" => parts.push(arguments.next().unwrap_or_else(Shape::hole)),
            // An index chooses another argument.
            verb if verb.contains('[') => return Shape::hole(),
            _ => {
                arguments.next();
                parts.push(Shape::hole());
            }
        }
        rest = &verb[end + 1..];
    }
    parts.push(Shape::text(rest));
    Shape::concatenated(parts)
}
