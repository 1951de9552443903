//! Conditionals: finds a common type of both arms, and selects a value.
//!
//! Both arms have been evaluated; the diagnostics of the arm that is not selected are dropped. As
//! in the reference, the result has the marks of the condition and of both arms, because the
//! selection reveals something about each.

use super::fault::{Shown, union};
use super::machine::Machine;
use super::stack::Chain;
use crate::arena::Arena;
use crate::diagnostic::Code;
use crate::value::{AttributeType, Content, Marks, Type, Value, convert, raw_equals, unify};

impl<'s: 'a, 'a> Machine<'_, 's, 'a> {
    /// Evaluates `condition ? one : other`, and `%{if}`.
    pub(super) fn conditional(&mut self, index: usize) {
        let base = self.stack.len().saturating_sub(3);
        let [condition, one, other] = self.stack.top();
        let (value, chain) = self.choose(index, base, condition, (one, other));
        self.stack.replace(base, value, chain);
    }

    fn choose(
        &mut self,
        index: usize,
        base: usize,
        condition: Value<'a>,
        (one, other): (Value<'a>, Value<'a>),
    ) -> (Value<'a>, Chain) {
        let [condition_node, one_node, other_node] = self.operands(index);
        let Some(ty) = self.common_type(one, other) else {
            self.stack.forget_above(base);
            let mut chain = Chain::EMPTY;
            let around = self.surrounding_marks();
            let reason = match union([around, one.deep_marks(), other.deep_marks()]).hides() {
                // The types have the names of attributes.
                true => "their types have nothing in common".into(),
                false => Shown::of(self.arena.str(&mismatch(one.ty(), other.ty())), Marks::NONE),
            };
            let span = self.span_of(one_node).to(self.span_of(other_node));
            self.report(&mut chain, Code::InconsistentConditional, span, &[reason]);
            return (Value::dynamic(), chain);
        };
        let mut chain = self.stack.take(base);
        let (of_one, of_other) = (self.stack.take(base + 1), self.stack.take(base + 2));
        let marks = union([condition.marks(), one.marks(), other.marks()]);
        let span = self.span_of(condition_node);
        let (one, other) = (one.unmark().0, other.unmark().0);
        let truth = if condition.is_null() {
            self.report(&mut chain, Code::NullCondition, span, &[]);
            Err(Value::unknown(ty))
        } else if !condition.is_known() {
            Err(undecided(self.arena, ty, one, other))
        } else {
            convert(self.arena, condition, Type::Bool).map_err(|error| {
                let reason = Shown::unconverted(self.arena, error, condition.marks());
                self.report(&mut chain, Code::IncorrectConditionType, span, &[reason]);
                Value::unknown(ty)
            })
        };
        let truth = match truth {
            Ok(truth) => truth.as_bool().unwrap_or(false),
            Err(value) => {
                self.stack.forget(of_one);
                self.stack.forget(of_other);
                return (value.with_marks(marks), chain);
            }
        };
        let (chosen, node, kept, dropped) = if truth {
            (one, one_node, of_one, of_other)
        } else {
            (other, other_node, of_other, of_one)
        };
        self.stack.forget(dropped);
        self.stack.append(&mut chain, kept);
        if ty.is_dynamic() {
            return (chosen.with_marks(marks), chain);
        }
        if chosen.ty() != ty && !self.convert(chosen) {
            return (Value::unknown(ty).with_marks(marks), chain);
        }
        let value = convert(self.arena, chosen, ty).unwrap_or_else(|error| {
            let reason =
                Shown::unconverted(self.arena, error, self.surrounding_marks().with(marks));
            self.report(&mut chain, Code::InconsistentConditional, self.span_of(node), &[reason]);
            Value::unknown(ty)
        });
        (value.with_marks(marks), chain)
    }

    /// Returns the type that both arms are converted to. A literal null takes the type of the other
    /// arm; if the type of an arm is unknown, the result is not converted.
    fn common_type(&self, one: Value<'a>, other: Value<'a>) -> Option<Type<'a>> {
        let null = Value::null(Type::Dynamic);
        if raw_equals(one, null) {
            Some(other.ty())
        } else if raw_equals(other, null) {
            Some(one.ty())
        } else if one.ty().is_dynamic() || other.ty().is_dynamic() {
            Some(Type::Dynamic)
        } else {
            unify(self.arena, &[one.ty(), other.ty()])
        }
    }
}

/// Returns the result for an unknown condition: the common properties of both arms.
fn undecided<'a>(arena: &'a Arena, ty: Type<'a>, one: Value<'a>, other: Value<'a>) -> Value<'a> {
    if one.is_null() && other.is_null() {
        return Value::null(ty);
    }
    if maybe_null(one) || maybe_null(other) {
        return Value::unknown(ty);
    }
    if let (Some(number), Some(same)) = (one.as_number(), other.as_number())
        && number.compare(same).is_eq()
    {
        return one;
    }
    if one.is_known() && other.is_known() && one.ty() == other.ty() {
        let len = one.elements().len().max(one.entries().len());
        let same = len == other.elements().len().max(other.entries().len());
        match one.ty() {
            Type::List(element) if same => {
                let elements = vec![Value::unknown(element.ty()); len];
                return Value::list(arena, element.ty(), &elements);
            }
            Type::Set(_) | Type::Map(_) if same && len == 0 => return one,
            Type::Set(element) if same && len == 1 => {
                return Value::set(arena, element.ty(), &[Value::unknown(element.ty())]);
            }
            _ => {}
        }
    }
    Value::unknown(ty).not_null()
}

fn maybe_null(value: Value<'_>) -> bool {
    value.is_null() || matches!(value.content(), Content::Unknown { not_null: false, .. })
}

/// Describes how two types that cannot be unified differ: the path to the first difference, and
/// both types there.
fn mismatch(one: Type<'_>, other: Type<'_>) -> String {
    /// More deeply nested differences are not located.
    const STEPS: usize = 8;
    let mut path = String::new();
    let (mut one, mut other) = (one, other);
    for _ in 0..STEPS {
        match difference(one, other) {
            Difference::Here(what) => return path + &what,
            Difference::Inside(step, ours, theirs) => {
                path.push_str(&step);
                (one, other) = (ours, theirs);
            }
        }
    }
    format!("{path}a nested attribute or element differs")
}

enum Difference<'a> {
    Here(String),
    /// The step to the first parts that differ, and the types of both.
    Inside(String, Type<'a>, Type<'a>),
}

fn difference<'a>(one: Type<'a>, other: Type<'a>) -> Difference<'a> {
    use Difference::{Here, Inside};
    let kinds = || {
        let names = (one.with_article(), other.with_article());
        Here(format!("the true result is {}, the false result {}", names.0, names.1))
    };
    match (one, other) {
        (Type::Object(ours), Type::Object(theirs)) => {
            let absent = |from: &[AttributeType<'_>], name: &str| {
                from.binary_search_by(|attribute| attribute.name.cmp(name)).is_err()
            };
            if let Some(attribute) = ours.iter().find(|it| absent(theirs, it.name)) {
                return Here(format!("the false result has no attribute \"{}\"", attribute.name));
            }
            if let Some(attribute) = theirs.iter().find(|it| absent(ours, it.name)) {
                return Here(format!("the true result has no attribute \"{}\"", attribute.name));
            }
            let mut pairs = ours.iter().zip(theirs);
            let differing = pairs.find(|(ours, theirs)| ours.ty != theirs.ty);
            differing.map_or_else(kinds, |(ours, theirs)| {
                Inside(format!("in attribute \"{}\": ", ours.name), ours.ty, theirs.ty)
            })
        }
        (Type::Tuple(ours), Type::Tuple(theirs)) if ours.len() != theirs.len() => Here(format!(
            "the true result has {} elements, the false result {}",
            ours.len(),
            theirs.len()
        )),
        (Type::Tuple(ours), Type::Tuple(theirs)) => {
            let mut pairs = ours.iter().zip(theirs).enumerate();
            let differing = pairs.find(|(_, (ours, theirs))| ours != theirs);
            differing.map_or_else(kinds, |(at, (ours, theirs))| {
                Inside(format!("in element {at}: "), *ours, *theirs)
            })
        }
        (Type::List(ours), Type::List(theirs))
        | (Type::Set(ours), Type::Set(theirs))
        | (Type::Map(ours), Type::Map(theirs)) => {
            Inside("in the elements: ".to_owned(), ours.ty(), theirs.ty())
        }
        _ => kinds(),
    }
}
