//! The machine: evaluates the nodes of a program with a stack of values.
//!
//! This file has the main loop, leaves, variables and operators. The other files of the module add
//! more methods to [`Machine`].

use super::budget::{Budget, Exhausted, Meter};
use super::fault::{Fault, Report, Shown, union};
use super::frame::Frame;
use super::locals::Locals;
use super::objects::Objects;
use super::scope::Scope;
use super::stack::{Chain, Stack};
use super::{access, operators};
use crate::arena::Arena;
use crate::diagnostic::Code;
use crate::native::{Kind, Node, Operator, Step, StepKind};
use crate::program::node::Instructions;
use crate::span::Span;
use crate::suggest::Suggestions;
use crate::value::{Content, Marks, Number, TEXT_UNIT, Type, Value, convert};

/// The number of parts of a value, as [`Value::size`] counts them, that are read in one step.
const READ_PER_STEP: u64 = 8;

/// The approximate size in bytes of a number computed by arithmetic.
const NUMBER_BYTES: usize = 128;

/// The state of one evaluation.
pub(super) struct Machine<'e, 's, 'a> {
    pub(super) arena: &'a Arena,
    pub(super) program: Instructions<'e, 'a>,
    pub(super) scope: &'e Scope<'e, 'a>,
    objects: Option<&'e dyn Objects<'s>>,
    pub(super) stack: Stack<'a>,
    /// The next node.
    pub(super) position: usize,
    /// The node before which the innermost frame continues, or the end of the program.
    pub(super) stop: usize,
    pub(super) frames: Vec<Frame<'a>>,
    pub(super) locals: Locals<'a>,
    /// The keys of objects that `for` expressions are creating. Their values are on the stack.
    pub(super) names: Vec<&'a str>,
    pub(super) meter: Meter,
    budget: Budget,
    pub(super) suggestions: Suggestions,
}

/// The result of an evaluation.
pub(super) struct Outcome<'a> {
    pub(super) value: Value<'a>,
    pub(super) reports: Vec<Report<'a>>,
    /// The limit that was exceeded.
    pub(super) exhausted: Option<Exhausted>,
    /// The steps and bytes that were spent.
    pub(super) steps: u64,
    pub(super) allocated: u64,
}

impl<'e, 's: 'a, 'a> Machine<'e, 's, 'a> {
    pub(super) fn new(
        arena: &'a Arena,
        program: Instructions<'e, 'a>,
        (scope, objects): (&'e Scope<'e, 'a>, Option<&'e dyn Objects<'s>>),
        budget: Budget,
    ) -> Self {
        Self {
            arena,
            program,
            scope,
            objects,
            stack: Stack::new(),
            position: 0,
            stop: program.nodes.len(),
            frames: Vec::new(),
            locals: Locals::default(),
            names: Vec::new(),
            meter: Meter::new(budget),
            budget,
            suggestions: Suggestions::of_expression(),
        }
    }

    /// The marks of the collections whose elements are being visited. Elements do not have them,
    /// but the values made from the elements get them in the end.
    #[cold]
    pub(super) fn surrounding_marks(&self) -> Marks {
        union(self.frames.iter().map(|frame| match frame {
            Frame::For(state) => state.marks,
            Frame::Splat(state) => state.marks,
        }))
    }

    /// Runs the program, and returns the value of the last node.
    pub(super) fn run(mut self) -> Outcome<'a> {
        loop {
            if self.position == self.stop {
                match self.frames.pop() {
                    Some(Frame::For(state)) => self.continue_for(state),
                    Some(Frame::Splat(state)) => self.continue_splat(state),
                    None => break,
                }
                continue;
            }
            let index = self.position;
            let node = self.program.nodes[index];
            if !self.spend(1) {
                break;
            }
            self.position += 1;
            self.step(index, node);
        }
        let (mut value, mut chain) = self.stack.pop();
        if !value.ty().is_primitive() {
            self.meter.limit_size(value.ty().size());
        }
        let exhausted = self.meter.exhausted();
        if let Some(exhausted) = exhausted {
            (value, chain) = (Value::dynamic(), Chain::EMPTY);
            let span = self.span_of(self.program.nodes.len().saturating_sub(1));
            self.report(&mut chain, exhausted.code(), span, &[]);
        }
        let reports = self.stack.reports(chain);
        let rest = self.meter.rest();
        let steps = self.budget.steps() - rest.steps();
        let allocated = self.budget.bytes() - rest.bytes();
        Outcome { value, reports, exhausted, steps, allocated }
    }

    /// Spends `cost` steps. Returns false if the budget is exhausted, which ends the evaluation.
    pub(super) fn spend(&self, cost: u64) -> bool {
        self.meter.spend(cost).is_ok()
    }

    /// Spends the cost of reading all of a value.
    pub(super) fn read(&self, value: Value<'_>) -> bool {
        self.spend(u64::from(value.size()) / READ_PER_STEP)
    }

    /// Spends the cost of converting a value to another type.
    pub(super) fn convert(&self, value: Value<'_>) -> bool {
        let size = value.size() as usize;
        if size == 1 { self.spend(1) } else { self.meter.parts(size).is_ok() }
    }

    /// Ends the evaluation if a new value is larger than the budget.
    pub(super) fn made(&self, value: Value<'a>) -> Value<'a> {
        self.meter.limit_size(u64::from(value.size()));
        value
    }

    fn step(&mut self, index: usize, node: Node) {
        crate::steps::step();
        match node.kind {
            Kind::Invalid => self.stack.push(Value::dynamic()),
            Kind::Null => self.stack.push(Value::null(Type::Dynamic)),
            Kind::True => self.stack.push(Value::bool(true)),
            Kind::False => self.stack.push(Value::bool(false)),
            Kind::Number => {
                self.spend((self.text(node).len() / TEXT_UNIT) as u64);
                // The parser reports digits that are not a valid number.
                let number = Number::from_literal(self.text(node));
                self.stack.push(number.map_or_else(|_| Value::dynamic(), Value::number));
            }
            Kind::Text => self.stack.push(Value::string(self.arena, self.text(node))),
            Kind::Traversal => self.traversal(node),
            Kind::Relative => {
                let (value, chain) = self.stack.pop();
                let steps = self.steps(node);
                self.follow(value, steps, chain);
            }
            Kind::Index => self.index(index, node),
            Kind::Negate => self.unary(index, node, Type::Number),
            Kind::Not => self.unary(index, node, Type::Bool),
            Kind::Binary(operator) => self.binary(index, node, operator),
            Kind::Conditional | Kind::If => self.conditional(index),
            Kind::Call => self.call(index, node),
            Kind::Tuple => self.tuple(node),
            Kind::Object => self.object(index, node),
            Kind::AmbiguousKey => {
                let (_, reports) = self.stack.pop();
                self.stack.forget(reports);
                let mut chain = Chain::EMPTY;
                self.report(&mut chain, Code::AmbiguousKey, node.span, &[]);
                self.stack.push_with(Value::dynamic(), chain);
            }
            // The value of these nodes is their operand's, or the one that a loop left on the
            // stack.
            Kind::Parentheses | Kind::Wrap | Kind::For | Kind::AttributeSplat | Kind::FullSplat => {
            }
            Kind::Template => self.template(index, node),
            Kind::Join => self.join(node),
            Kind::ForStart => self.begin_for(index, node),
            Kind::SplatStart => self.begin_splat(index, node),
            Kind::Item => {
                let item = match self.frames.last() {
                    Some(Frame::Splat(state)) => state.item(),
                    _ => Value::dynamic(),
                };
                self.stack.push(item);
            }
        }
    }

    // Variables.

    fn traversal(&mut self, node: Node) {
        let steps = self.steps(node);
        let Some(&Step { kind: StepKind::Root(name), span }) = steps.first() else {
            return self.stack.push(Value::dynamic());
        };
        let found = match self.locals.get(name) {
            Some(value) => Some((value, 1)),
            None => self.scope.variable(name).map(|value| (value, 1)),
        };
        match found.or_else(|| self.objects?.find(steps)) {
            Some((value, taken)) => {
                self.follow(value, steps.get(taken..).unwrap_or_default(), Chain::EMPTY);
            }
            None => {
                let mut chain = Chain::EMPTY;
                self.unknown_variable(&mut chain, name, span);
                self.stack.push_with(Value::dynamic(), chain);
            }
        }
    }

    /// Follows the steps from `value`, up to the first one that fails, and pushes the result.
    fn follow(&mut self, mut value: Value<'a>, steps: &[Step<'a>], mut chain: Chain) {
        for step in steps {
            match access::step(self.arena, value, step) {
                Ok(next) => value = next,
                Err(fault) => {
                    self.fault(&mut chain, &fault, step.span);
                    value = Value::dynamic();
                    break;
                }
            }
        }
        self.stack.push_with(value, chain);
    }

    #[cold]
    fn unknown_variable(&mut self, chain: &mut Chain, name: &'a str, span: Span) {
        if self.locals.is_empty() && !self.scope.has_variables() {
            return self.report(chain, Code::VariablesNotAllowed, span, &[Shown::written(name)]);
        }
        let names = self.locals.names().chain(self.scope.variable_names());
        let nearest = self.suggestions.nearest(name, names);
        let fault =
            Fault::new(Code::UnknownVariable, &[Shown::written(name)]).with_suggestion(nearest);
        self.fault(chain, &fault, span);
    }

    // Operators.

    fn index(&mut self, index: usize, node: Node) {
        let base = self.stack.len().saturating_sub(2);
        let [collection, key] = self.stack.top();
        let mut chain = self.stack.join_above(base);
        let value = match access::index(self.arena, collection, key) {
            Ok(value) => value,
            Err(fault) => {
                let [collection, _] = self.operands(index);
                let span = self.bracket(node.span, self.span_of(collection));
                self.fault(&mut chain, &fault, span);
                Value::dynamic()
            }
        };
        self.stack.replace(base, value, chain);
    }

    /// The bytes of an index expression after the collection: from `[` to the end.
    fn bracket(&self, whole: Span, collection: Span) -> Span {
        let rest = Span::new(collection.end, whole.end);
        let bytes = rest.slice(self.program.bytes);
        let start = bytes.iter().position(|&byte| byte == b'[').unwrap_or(0);
        Span::new(collection.end + start as u32, whole.end)
    }

    fn unary(&mut self, index: usize, node: Node, ty: Type<'static>) {
        let (given, mut chain) = self.stack.pop();
        let mut value = Value::unknown(ty).with_marks(given.marks());
        match operators::operand(self.arena, given, ty, "operand") {
            Err(fault) => self.fault(&mut chain, &fault, self.span_of(index.saturating_sub(1))),
            Ok(_) if !chain.is_empty() => {}
            Ok(operand) => {
                let result = match node.kind {
                    Kind::Negate => operators::negate(self.arena, operand),
                    _ => operators::not(operand),
                };
                match result {
                    Ok(result) => value = result,
                    Err(fault) => self.fault(&mut chain, &fault, node.span),
                }
            }
        }
        self.stack.push_with(value, chain);
    }

    fn binary(&mut self, index: usize, node: Node, operator: Operator) {
        let base = self.stack.len().saturating_sub(2);
        let [left, right] = self.stack.top();
        let marks = left.marks().with(right.marks());
        // An operation reads both operands, and creates a number at most.
        self.read(left);
        self.read(right);
        self.meter.text(NUMBER_BYTES).ok();
        let operands = (left.unmark().0, right.unmark().0);
        let (value, chain) = self.operate(index, node, operator, base, operands);
        self.stack.replace(base, value.with_marks(marks), chain);
    }

    /// Returns the result for operands without marks, and its diagnostics.
    fn operate(
        &mut self,
        index: usize,
        node: Node,
        operator: Operator,
        base: usize,
        (mut left, mut right): (Value<'a>, Value<'a>),
    ) -> (Value<'a>, Chain) {
        let failed = Value::unknown(operators::result_type(operator));
        if let Some(ty) = operators::operand_type(operator) {
            let as_left = operators::operand(self.arena, left, ty, "left operand");
            let as_right = operators::operand(self.arena, right, ty, "right operand");
            match (as_left, as_right) {
                (Ok(as_left), Ok(as_right)) => (left, right) = (as_left, as_right),
                (left, right) => {
                    let mut chain = self.stack.join_above(base);
                    let nodes: [usize; 2] = self.operands(index);
                    for (fault, node) in [left.err(), right.err()].iter().zip(nodes) {
                        if let Some(fault) = fault {
                            self.fault(&mut chain, fault, self.span_of(node));
                        }
                    }
                    return (failed, chain);
                }
            }
        }
        if self.scope.has_short_circuits()
            && let Some((value, side)) =
                operators::decide(operator, left, right, self.stack.failed(base))
        {
            let (kept, dropped) = match side {
                operators::Side::Left => (base, base + 1),
                operators::Side::Right => (base + 1, base),
            };
            let dropped = self.stack.take(dropped);
            self.stack.forget(dropped);
            return (value, self.stack.take(kept));
        }
        let mut chain = self.stack.join_above(base);
        if !chain.is_empty() {
            return (failed, chain);
        }
        match operators::binary(self.arena, operator, left, right) {
            Ok(value) => (value, chain),
            Err(fault) => {
                self.fault(&mut chain, &fault, node.span);
                (failed, chain)
            }
        }
    }

    // The program.

    pub(super) fn text(&self, node: Node) -> &'a str {
        self.program.texts.get(node.payload as usize).copied().unwrap_or_default()
    }

    fn steps(&self, node: Node) -> &'e [Step<'a>] {
        self.program.traversal(node.payload)
    }

    pub(super) fn span_of(&self, index: usize) -> Span {
        self.program.nodes.get(index).map(|node| node.span).unwrap_or_default()
    }

    /// Returns the nodes of the last `N` operands of the node at `index`, in order.
    pub(super) fn operands<const N: usize>(&self, index: usize) -> [usize; N] {
        let mut operands = [0; N];
        let mut end = index;
        for operand in operands.iter_mut().rev() {
            *operand = end.saturating_sub(1);
            let size = self.program.nodes.get(*operand).map_or(1, |node| node.size);
            end = end.saturating_sub(size as usize);
        }
        operands
    }

    /// Returns the spans of the last `count` operands of the node at `index`, in order, for
    /// diagnostics.
    #[cold]
    pub(super) fn operand_spans(&self, index: usize, count: usize) -> Vec<Span> {
        let mut spans = Vec::with_capacity(count);
        let mut end = index;
        for _ in 0..count {
            let node = self.program.nodes[end - 1];
            spans.push(node.span);
            end -= node.size as usize;
        }
        spans.reverse();
        spans
    }

    // Diagnostics.

    #[cold]
    pub(super) fn fault(&mut self, chain: &mut Chain, fault: &Fault<'a>, span: Span) {
        self.stack.report(chain, fault.at(span));
    }

    #[cold]
    pub(super) fn report(
        &mut self,
        chain: &mut Chain,
        code: Code,
        span: Span,
        arguments: &[Shown<'a>],
    ) {
        self.fault(chain, &Fault::new(code, arguments), span);
    }

    /// Returns `value` as text, for keys and templates; `None` if it is unknown, or the reason why
    /// it has no text.
    pub(super) fn text_of(&mut self, value: Value<'a>) -> Result<Option<&'a str>, Shown<'a>> {
        let arena = self.arena;
        let text = match value.content() {
            Content::String(text) => return Ok(Some(text)),
            Content::Bool(truth) => return Ok(Some(if truth { "true" } else { "false" })),
            Content::Null => return Err("it is null".into()),
            Content::Number(number) => {
                // A number of ten bytes may have a million digits.
                if self.meter.text(value.size() as usize * TEXT_UNIT).is_err() {
                    return Ok(None);
                }
                number.to_text(arena).map_err(|_| Shown::from("the number has too many digits"))?
            }
            _ => {
                let converted = convert(arena, value, Type::String);
                return match converted {
                    Ok(text) => Ok(text.as_str()),
                    Err(error) => Err(Shown::unconverted(arena, error, self.surrounding_marks())),
                };
            }
        };
        Ok(Some(text))
    }
}
