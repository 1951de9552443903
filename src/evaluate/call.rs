//! Function calls: finds the function, converts the arguments, and checks the result.

use smallvec::SmallVec;

use super::fault::{Fault, Report, Shown, union};
use super::function::{Function, FunctionError, Parameter, Signature, apply};
use super::machine::Machine;
use super::stack::Chain;
use crate::arena::Arena;
use crate::diagnostic::Code;
use crate::native::{Call, Node};
use crate::span::Span;
use crate::value::{Type, Value, convert};

/// An argument, and the operand of the call that it comes from.
#[derive(Clone, Copy)]
struct Argument<'a> {
    value: Value<'a>,
    operand: usize,
}

/// The current call: its node, and the index of its first argument on the stack.
struct Site<'a> {
    index: usize,
    node: Node,
    call: Call<'a>,
    base: usize,
}

impl<'s: 'a, 'a> Machine<'_, 's, 'a> {
    pub(super) fn call(&mut self, index: usize, node: Node) {
        let call = self.program.calls[node.payload as usize];
        let base = self.stack.len().saturating_sub(call.arguments as usize);
        let (value, chain) = match self.scope.function(call.name) {
            Some(function) => {
                let site = Site { index, node, call, base };
                self.call_function(&site, function)
            }
            None => {
                self.stack.forget_above(base);
                (Value::dynamic(), self.unknown_function(node, &call))
            }
        };
        self.stack.replace(base, value, chain);
    }

    #[cold]
    fn unknown_function(&mut self, node: Node, call: &Call<'a>) -> Chain {
        let mut chain = Chain::EMPTY;
        let Some(names) = self.scope.function_names() else {
            self.report(&mut chain, Code::CallsNotAllowed, node.span, &[Shown::written(call.name)]);
            return chain;
        };
        let within = |name: &str, namespace| {
            name.strip_prefix(namespace).is_some_and(|rest: &str| rest.starts_with("::"))
        };
        let fault = match call.name.rsplit_once("::") {
            Some((namespace, _)) if !names.iter().any(|name| within(name, namespace)) => {
                let reason = format_args!("The namespace \"{namespace}\" has no functions.");
                let reason = Shown::written(self.arena.format(reason));
                Fault::new(Code::UnknownFunction, &[Shown::written(call.name), reason])
            }
            _ => {
                let nearest = self.suggestions.nearest(call.name, names);
                let nearest = nearest.map(|name| self.arena.str(name));
                Fault::new(Code::UnknownFunction, &[Shown::written(call.name)])
                    .with_suggestion(nearest)
            }
        };
        self.fault(&mut chain, &fault, call.name_span);
        chain
    }

    fn call_function(&mut self, site: &Site<'a>, function: &dyn Function) -> (Value<'a>, Chain) {
        let given = self.stack.above(site.base).iter().enumerate();
        let mut arguments: SmallVec<[Argument<'a>; 4]> =
            given.map(|(operand, &value)| Argument { value, operand }).collect();
        if let Some(last) = site.call.expands.then(|| arguments.pop()).flatten() {
            match self.expand(site, last) {
                Ok(more) => arguments.extend(more),
                Err(instead) => return instead,
            }
        }
        let signature = function.signature();
        if let Some(fault) = self.wrong_count(site, &signature, &arguments) {
            self.stack.forget_above(site.base);
            let mut chain = Chain::EMPTY;
            self.stack.report(&mut chain, fault);
            return (Value::dynamic(), chain);
        }
        if function.reads_syntax() && !site.call.expands {
            return self.call_written(site, function, &arguments);
        }
        let operands = site.base..self.stack.len();
        if operands.clone().any(|operand| self.stack.failed(operand))
            && let Some(recovered) = self.recover(site, function, &arguments)
        {
            return recovered;
        }
        let mut chain = Chain::EMPTY;
        let mut converted: SmallVec<[Value<'a>; 4]> = SmallVec::with_capacity(arguments.len());
        let mut refused = None;
        for (argument, parameter) in arguments.iter().zip(signature.each()) {
            let operand = Some(argument.operand);
            // The first element of an expanded operand takes all its diagnostics.
            let inner = self.stack.take(site.base + argument.operand);
            self.stack.append(&mut chain, inner);
            if !self.pay_for(argument.value, parameter, function) {
                return (Value::dynamic(), chain);
            }
            match self.convert_argument(argument.value, parameter) {
                Ok(value) => converted.push(value),
                // Only the first invalid element of an expanded argument is reported.
                Err(fault) if refused != operand => {
                    refused = operand;
                    let span = self.operand_span(site, argument.operand);
                    self.fault(&mut chain, &fault, span);
                }
                Err(_) => {}
            }
        }
        if !chain.is_empty() || !self.spend(arguments.len() as u64) {
            return (Value::dynamic(), chain);
        }
        let result = apply(function, self.arena, &converted, &self.meter);
        let value = match result {
            Ok(value) => self.made(value),
            // The evaluation ends, and reports the limit.
            Err(_) if self.meter.exhausted().is_some() => Value::dynamic(),
            Err(error) => {
                let fault = self.function_error(site, &signature, &arguments, error);
                self.stack.report(&mut chain, fault);
                Value::dynamic()
            }
        };
        (value, chain)
    }

    /// Calls a function whose last argument is read as it is written.
    fn call_written(
        &mut self,
        site: &Site<'a>,
        function: &dyn Function,
        arguments: &[Argument<'a>],
    ) -> (Value<'a>, Chain) {
        let Some((last, before)) = arguments.split_last() else {
            return (Value::dynamic(), Chain::EMPTY);
        };
        // Its text is not a value, so its errors as a value do not matter.
        let of_syntax = self.stack.take(site.base + last.operand);
        self.stack.forget(of_syntax);
        let mut chain = self.stack.join_above(site.base);
        let values: SmallVec<[Value<'a>; 4]> = before.iter().map(|it| it.value).collect();
        if !chain.is_empty() || !values.iter().all(|&value| self.convert(value)) {
            return (Value::dynamic(), chain);
        }
        let span = self.operand_span(site, last.operand);
        let text = str::from_utf8(span.slice(self.program.bytes)).unwrap_or_default();
        if self.meter.text(text.len()).is_err() {
            return (Value::dynamic(), chain);
        }
        let text = self.arena.str(text);
        let value = match function.call_written(self.arena, &values, text) {
            Ok(value) => self.made(value),
            Err(error) => {
                let fault = self.function_error(site, &function.signature(), arguments, error);
                self.stack.report(&mut chain, fault);
                Value::dynamic()
            }
        };
        (value, chain)
    }

    /// Spends the cost of converting and reading an argument.
    fn pay_for(
        &self,
        value: Value<'a>,
        parameter: &Parameter<'_>,
        function: &dyn Function,
    ) -> bool {
        let has_type = match parameter.ty {
            Type::Dynamic => true,
            ty if ty.is_primitive() => ty == value.ty(),
            _ => false,
        };
        let is_read = !has_type || parameter.ty.is_primitive() || function.reads_parts();
        (has_type || self.convert(value)) && (!is_read || self.read(value))
    }

    /// Returns the elements of the last argument, or the result of the call if it cannot be
    /// expanded.
    fn expand(
        &mut self,
        site: &Site<'a>,
        last: Argument<'a>,
    ) -> Result<Vec<Argument<'a>>, (Value<'a>, Chain)> {
        let (value, marks) = (last.value, last.value.marks());
        let unknown = Value::dynamic().with_marks(marks);
        if self.stack.failed(site.base + last.operand) {
            // If this argument failed, the errors of the others do not matter yet.
            let (_, reports) = self.stack.pop();
            self.stack.forget_above(site.base);
            return Err((unknown, reports));
        }
        let expandable =
            matches!(value.ty(), Type::Dynamic | Type::List(_) | Type::Set(_) | Type::Tuple(_));
        if expandable && !value.is_null() && value.is_known() {
            self.meter.parts(value.elements().len()).ok();
            let elements = value.elements().iter().map(|element| element.with_marks(marks));
            return Ok(elements.map(|value| Argument { value, operand: last.operand }).collect());
        }
        self.stack.forget_above(site.base);
        let mut chain = Chain::EMPTY;
        if value.is_null() || !expandable {
            let reason = if expandable { "null".into() } else { Shown::ty(self.arena, value.ty()) };
            let span = self.span_of(site.index.saturating_sub(1));
            self.report(&mut chain, Code::InvalidExpansion, span, &[reason]);
        }
        Err((unknown, chain))
    }

    fn wrong_count(
        &self,
        site: &Site<'a>,
        signature: &Signature<'_>,
        arguments: &[Argument<'a>],
    ) -> Option<Report<'a>> {
        let wanted = signature.parameters.len();
        let (code, span, name) = if let Some(missing) = signature.parameters.get(arguments.len()) {
            let end = site.call.parentheses.end;
            (
                Code::TooFewArguments,
                Span::new(end.saturating_sub(1), end),
                self.arena.str(missing.name),
            )
        } else if signature.variadic.is_none() && arguments.len() > wanted {
            (Code::TooManyArguments, self.operand_span(site, arguments[wanted].operand), "")
        } else {
            return None;
        };
        let least = if signature.variadic.is_some() { "at least " } else { "" };
        let plural = if wanted == 1 { "" } else { "s" };
        let wants = self.arena.format(format_args!("{least}{wanted} argument{plural}"));
        let fault = Fault::new(code, &[site.call.name, wants, name].map(Shown::written));
        Some(fault.at(span))
    }

    /// Returns the result of a function that accepts failed arguments, such as `try`.
    fn recover(
        &mut self,
        site: &Site<'a>,
        function: &dyn Function,
        arguments: &[Argument<'a>],
    ) -> Option<(Value<'a>, Chain)> {
        let attempts: SmallVec<[Option<Value<'a>>; 4]> = arguments
            .iter()
            .map(|argument| {
                let failed = self.stack.failed(site.base + argument.operand);
                (!failed).then_some(argument.value)
            })
            .collect();
        let result = function.recover(self.arena, &attempts)?;
        self.stack.forget_above(site.base);
        let mut chain = Chain::EMPTY;
        let value = result.unwrap_or_else(|error| {
            let fault = self.function_error(site, &function.signature(), arguments, error);
            self.stack.report(&mut chain, fault);
            Value::dynamic()
        });
        Some((value, chain))
    }

    #[cold]
    fn function_error(
        &self,
        site: &Site<'a>,
        signature: &Signature<'_>,
        arguments: &[Argument<'a>],
        error: FunctionError<'a>,
    ) -> Report<'a> {
        // Which arguments a message quotes is not known, so it is about all of them.
        let marks = union(arguments.iter().map(|argument| argument.value.deep_marks()))
            .with(self.surrounding_marks());
        let message = Shown::clause(error.message, marks);
        let at = error.argument.filter(|&at| signature.parameter(at).is_some());
        let (fault, span) = match at.and_then(|at| signature.parameter(at)) {
            Some(parameter) => {
                let argument = at.and_then(|at| arguments.get(at));
                let span = argument
                    .map_or(site.node.span, |argument| self.operand_span(site, argument.operand));
                (invalid_argument(self.arena, parameter, message), span)
            }
            None => {
                let names = [Shown::written(site.call.name), message];
                (Fault::new(Code::FunctionFailed, &names), head(&site.call))
            }
        };
        fault.at(span)
    }

    fn convert_argument(
        &self,
        value: Value<'a>,
        parameter: &Parameter<'_>,
    ) -> Result<Value<'a>, Fault<'a>> {
        if let Type::Dynamic = parameter.ty {
            return Ok(value);
        }
        let arena = self.arena;
        convert(arena, value, parameter.ty.copy_to(arena)).map_err(|error| {
            let reason = Shown::unconverted(arena, error, self.surrounding_marks());
            invalid_argument(arena, parameter, reason)
        })
    }

    #[cold]
    fn operand_span(&self, site: &Site<'a>, operand: usize) -> Span {
        let spans = self.operand_spans(site.index, site.call.arguments as usize);
        spans.get(operand).copied().unwrap_or_default()
    }
}

/// Returns the span from the name to the opening parenthesis.
fn head(call: &Call<'_>) -> Span {
    Span::new(call.name_span.start, call.parentheses.start + 1)
}

fn invalid_argument<'a>(
    arena: &'a Arena,
    parameter: &Parameter<'_>,
    reason: Shown<'a>,
) -> Fault<'a> {
    Fault::new(Code::InvalidArgument, &[Shown::written(arena.str(parameter.name)), reason])
}
