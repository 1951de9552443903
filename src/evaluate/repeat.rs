//! `for`: a frame that evaluates key, value and condition once per element.
//!
//! [`Machine::begin_for`] runs between the collection and the parts. For each element the machine
//! runs the condition, then the key, then the value; at the end of each part,
//! [`Machine::continue_for`] takes the part's value and sets the node to continue with. The values
//! stay on the stack until the last element is done, with the keys in a separate list.
//!
//! Before the first element the condition runs once with unknown variables, as in the reference, so
//! that an error that does not depend on the element is reported once. Identical diagnostics of
//! several elements are also reported once.

use super::fault::{Fault, Shown};
use super::frame::{Elements, Frame, Loop, Part, Reported};
use super::machine::Machine;
use super::stack::Chain;
use crate::diagnostic::Code;
use crate::hash::HashSet;
use crate::native::Node;
use crate::value::{Number, Type, Value, convert, sort_by_name};

impl<'s: 'a, 'a> Machine<'_, 's, 'a> {
    /// Starts a loop. The collection is on top of the stack, and the parts follow.
    pub(super) fn begin_for(&mut self, index: usize, node: Node) {
        let (collection, mut chain) = self.stack.pop();
        let head = self.program.loops[node.payload as usize];
        let start = index + 1;
        let sizes = [head.key_size, head.value_size, head.condition_size];
        let end = start + sizes.iter().map(|&size| size as usize).sum::<usize>();
        let span = self.span_of(index.saturating_sub(1));
        let ty = collection.ty();
        let iterable = matches!(
            ty,
            Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Object(_) | Type::Tuple(_)
        );
        if collection.is_null() || !iterable {
            if collection.is_null() {
                self.report(&mut chain, Code::IterationOverNull, span, &[]);
            } else if !ty.is_dynamic() {
                let name =
                    Shown::written(self.arena.format(format_args!("A {}", ty.friendly_name())));
                self.report(&mut chain, Code::IterationOverScalar, span, &[name]);
            }
            self.position = end + 1;
            let value = Value::dynamic().with_marks(collection.marks());
            return self.stack.push_with(value, chain);
        }
        let known = collection.is_known();
        let elements = if known { Elements::of(collection) } else { None };
        let key_variable = head.key_name.map(|name| self.locals.enter(name));
        let state = Loop {
            head,
            start,
            end,
            outer_stop: self.stop,
            elements,
            next: 0,
            part: Part::Trial,
            key_variable,
            value_variable: self.locals.enter(head.value_name),
            marks: collection.marks(),
            known,
            base: self.stack.len(),
            names: self.names.len(),
            chain,
            of_element: Chain::EMPTY,
            key: "",
            keys: HashSet::default(),
            reported: Reported::default(),
        };
        if head.condition_size == 0 {
            self.next_element(state);
        } else {
            self.run_part(state, Part::Trial);
        }
    }

    /// Ends a part. Its value is on top of the stack.
    pub(super) fn continue_for(&mut self, mut state: Loop<'a>) {
        let (value, reports) = self.stack.pop();
        let failed = !reports.is_empty();
        self.stack.append(&mut state.of_element, reports);
        if state.part != Part::Value {
            state.marks = state.marks.with(value.marks());
        }
        match state.part {
            Part::Trial => match self.truth(value, false) {
                Ok(_) if !failed => self.next_element(state),
                Ok(_) => {
                    state.known = false;
                    self.finish_for(state);
                }
                Err(fault) => {
                    self.wrong_part(&mut state, &fault);
                    self.finish_for(state);
                }
            },
            Part::Condition => match self.truth(value, !state.head.makes_object) {
                Ok(Some(true)) if state.head.makes_object => self.run_part(state, Part::Key),
                Ok(Some(true)) => self.run_part(state, Part::Value),
                Ok(Some(false)) => self.next_element(state),
                Ok(None) => {
                    state.known = false;
                    self.next_element(state);
                }
                Err(fault) => {
                    self.wrong_part(&mut state, &fault);
                    self.next_element(state);
                }
            },
            Part::Key if !value.is_known() => {
                state.known = false;
                self.next_element(state);
            }
            Part::Key => match self.text_of(value) {
                Ok(key) => {
                    state.key = key.unwrap_or_default();
                    self.run_part(state, Part::Value);
                }
                Err(reason) => {
                    let fault = Fault::new(Code::InvalidObjectKey, &[reason]);
                    self.wrong_part(&mut state, &fault);
                    self.next_element(state);
                }
            },
            Part::Value => {
                if !state.head.makes_object {
                    self.stack.push(value);
                } else if state.head.groups || state.keys.insert(state.key) {
                    self.stack.push(value);
                    self.names.push(state.key);
                } else {
                    let (_, end) = state.range(Part::Key);
                    let span = self.span_of(end.saturating_sub(1));
                    let marks = self.surrounding_marks().with(state.marks);
                    self.report(
                        &mut state.of_element,
                        Code::DuplicateObjectKey,
                        span,
                        &[Shown::of(state.key, marks)],
                    );
                }
                self.next_element(state);
            }
        }
    }

    /// Reports an invalid value of a part, unless the part already failed.
    fn wrong_part(&mut self, state: &mut Loop<'a>, fault: &Fault<'a>) {
        if state.known || state.part == Part::Trial {
            let (_, end) = state.range(state.part);
            let span = self.span_of(end.saturating_sub(1));
            self.fault(&mut state.of_element, fault, span);
        }
        state.known = false;
    }

    /// Sets the variables to the next element and starts its first part, or finishes the loop.
    fn next_element(&mut self, mut state: Loop<'a>) {
        self.report_element(&mut state.chain, &mut state.of_element, &mut state.reported);
        let Some((elements, value)) =
            state.elements.and_then(|elements| Some((elements, elements.value(state.next)?)))
        else {
            return self.finish_for(state);
        };
        if let Some(variable) = state.key_variable {
            let key = match elements {
                Elements::Sequence(_) => {
                    Value::number(Number::from_u64(self.arena, state.next as u64))
                }
                Elements::Set(_) => value,
                Elements::Named(entries) => Value::string(self.arena, entries[state.next].0),
            };
            self.locals.set(variable, key);
        }
        self.locals.set(state.value_variable, value);
        state.next += 1;
        let first = if state.head.condition_size > 0 {
            Part::Condition
        } else if state.head.makes_object {
            Part::Key
        } else {
            Part::Value
        };
        self.run_part(state, first);
    }

    fn run_part(&mut self, mut state: Loop<'a>, part: Part) {
        state.part = part;
        (self.position, self.stop) = state.range(part);
        self.frames.push(Frame::For(state));
    }

    fn finish_for(&mut self, mut state: Loop<'a>) {
        self.report_element(&mut state.chain, &mut state.of_element, &mut state.reported);
        self.locals.leave();
        if state.key_variable.is_some() {
            self.locals.leave();
        }
        let values = self.stack.above(state.base);
        self.meter.parts(values.len()).ok();
        let value = if !state.known {
            Value::dynamic()
        } else if !state.head.makes_object {
            Value::tuple(self.arena, values)
        } else {
            let names = self.names.get(state.names..).unwrap_or_default();
            let entries: Vec<_> = names.iter().copied().zip(values.iter().copied()).collect();
            if state.head.groups {
                self.grouped(entries)
            } else {
                Value::object(self.arena, &entries)
            }
        };
        self.made(value);
        self.stack.truncate(state.base);
        self.names.truncate(state.names);
        self.stack.push_with(value.with_marks(state.marks), state.chain);
        self.position = state.end + 1;
        self.stop = state.outer_stop;
    }

    /// Returns an object of tuples: the values of each key, in order.
    fn grouped(&self, mut entries: Vec<(&'a str, Value<'a>)>) -> Value<'a> {
        sort_by_name(&mut entries);
        let groups: Vec<_> = entries
            .chunk_by(|one, other| one.0 == other.0)
            .map(|group| {
                let values: Vec<_> = group.iter().map(|&(_, value)| value).collect();
                (group[0].0, Value::tuple(self.arena, &values))
            })
            .collect();
        Value::object(self.arena, &groups)
    }

    /// Returns the truth value of a condition; `None` if it is unknown.
    fn truth(
        &self,
        condition: Value<'a>,
        unknown_of_any_type: bool,
    ) -> Result<Option<bool>, Fault<'a>> {
        if condition.is_null() {
            return Err(Fault::new(Code::NullForCondition, &[]));
        }
        if unknown_of_any_type && !condition.is_known() {
            return Ok(None);
        }
        convert(self.arena, condition, Type::Bool).map(|truth| truth.as_bool()).map_err(|error| {
            let reason = Shown::unconverted(self.arena, error, condition.marks());
            Fault::new(Code::InvalidForCondition, &[reason])
        })
    }

    /// Adds the diagnostics of one element to those of the loop, except duplicates of an earlier
    /// element's.
    pub(super) fn report_element(
        &mut self,
        whole: &mut Chain,
        of_element: &mut Chain,
        reported: &mut Reported<'a>,
    ) {
        let chain = of_element.take();
        if !chain.is_empty() {
            let new = self.stack.filter(chain, |report| reported.insert(report));
            self.stack.append(whole, new);
        }
    }
}
