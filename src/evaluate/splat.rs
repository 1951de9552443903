//! Splats: a frame that evaluates the part after `.*` or `[*]` once per element.
//!
//! A list, set or tuple has its elements; any other value counts as a tuple with one element, and
//! null as an empty one. If the elements are unknown, or there are none, the part is evaluated with
//! unknown elements, so that the type of the result is known.

use super::frame::{Frame, Pass, Reported, Source, Splat};
use super::machine::Machine;
use crate::diagnostic::Code;
use crate::native::Node;
use crate::value::{Content, Type, Value, convert};

impl<'s: 'a, 'a> Machine<'_, 's, 'a> {
    /// Starts a splat. The source is on top of the stack, and the part per element follows.
    pub(super) fn begin_splat(&mut self, index: usize, node: Node) {
        let end = index + node.payload as usize;
        let (value, mut chain) = self.stack.pop();
        let (marks, ty) = (value.marks(), value.ty());
        let sequence = matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
        let at_once = if !chain.is_empty() {
            Some(Value::dynamic())
        } else if value.is_null() && sequence {
            self.report(&mut chain, Code::SplatOfNull, self.span_of(index.saturating_sub(1)), &[]);
            Some(Value::dynamic())
        } else if value.is_null() {
            Some(Value::tuple(self.arena, &[]))
        } else if ty.is_dynamic() {
            Some(Value::dynamic())
        } else {
            None
        };
        if let Some(value) = at_once {
            self.position = end + 1;
            return self.stack.push_with(value.with_marks(marks), chain);
        }
        let known = value.is_known().then(|| value.elements());
        let (source, elements) = match ty {
            Type::List(element) | Type::Set(element) => (Source::Collection(element.ty()), known),
            Type::Tuple(types) => (Source::Tuple(types), known),
            _ => {
                let one = Value::tuple(self.arena, &[value]);
                let uncertain = matches!(value.content(), Content::Unknown { not_null: false, .. });
                let source = match one.ty() {
                    Type::Tuple(types) if !uncertain => Source::Tuple(types),
                    _ => Source::Uncertain,
                };
                (source, Some(one.elements()))
            }
        };
        self.next_item(Splat {
            start: index + 1,
            end,
            outer_stop: self.stop,
            source,
            elements,
            next: 0,
            item: Value::dynamic(),
            pass: if elements.is_some() { Pass::Values } else { Pass::Types },
            failed: false,
            marks,
            base: self.stack.len(),
            chain,
            reported: Reported::default(),
        });
    }

    /// Ends the part. Its value is on top of the stack.
    pub(super) fn continue_splat(&mut self, mut state: Splat<'a>) {
        let (value, mut reports) = self.stack.pop();
        self.stack.push(value);
        if state.pass == Pass::Types && state.failed {
            // The pass over the elements has reported the same diagnostics.
            self.stack.forget(reports);
        } else {
            state.failed |= state.pass == Pass::Values && !reports.is_empty();
            self.report_element(&mut state.chain, &mut reports, &mut state.reported);
        }
        self.next_item(state);
    }

    fn next_item(&mut self, mut state: Splat<'a>) {
        if let Some(item) = state.element() {
            state.item = item;
            state.next += 1;
            self.position = state.start;
            self.stop = state.end;
            return self.frames.push(Frame::Splat(state));
        }
        let values = self.stack.above(state.base);
        self.meter.parts(values.len()).ok();
        let value = match (state.pass, state.source) {
            (_, Source::Uncertain) => Value::dynamic(),
            (Pass::Values, Source::Tuple(_)) if !state.failed => Value::tuple(self.arena, values),
            (Pass::Values, Source::Collection(_)) if !state.failed && !values.is_empty() => {
                match self.homogeneous(values) {
                    Some(list) => list,
                    None => {
                        let span = self.span_of(state.end.saturating_sub(1));
                        self.report(&mut state.chain, Code::InconsistentSplat, span, &[]);
                        Value::dynamic()
                    }
                }
            }
            (Pass::Values, _) => {
                self.stack.truncate(state.base);
                state.pass = Pass::Types;
                state.next = 0;
                return self.next_item(state);
            }
            (Pass::Types, Source::Collection(_)) => {
                let ty = values.first().map_or(Type::Dynamic, |value| value.ty());
                match state.elements {
                    Some(_) if !state.failed => Value::list(self.arena, ty, &[]),
                    _ => {
                        let ty = Type::list_of(self.arena, ty);
                        unknown(ty, state.failed)
                    }
                }
            }
            (Pass::Types, Source::Tuple(_)) => {
                let types = values.iter().map(|value| value.ty());
                let types: Vec<_> = types.collect();
                unknown(Type::tuple_of(self.arena, &types), state.failed)
            }
        };
        self.made(value);
        self.stack.truncate(state.base);
        self.stack.push_with(value.with_marks(state.marks), state.chain);
        self.position = state.end + 1;
        self.stop = state.outer_stop;
    }

    /// Returns a list, if all values have one type; values of unknown type get that type.
    fn homogeneous(&self, values: &[Value<'a>]) -> Option<Value<'a>> {
        let ty = values.iter().map(|value| value.ty()).find(|ty| !ty.is_dynamic());
        let Some(ty) = ty else { return Some(Value::list(self.arena, Type::Dynamic, values)) };
        let elements: Option<Vec<_>> = values
            .iter()
            .map(|&value| match value.ty() {
                Type::Dynamic => convert(self.arena, value, ty).ok(),
                other => (other == ty).then_some(value),
            })
            .collect();
        Some(Value::list(self.arena, ty, &elements?))
    }
}

fn unknown(ty: Type<'_>, failed: bool) -> Value<'_> {
    if failed { Value::unknown(ty) } else { Value::unknown(ty).not_null() }
}
