//! Evaluates local values as far as their parts are constant, and reports calls and operators that
//! fail whatever the variables are.
//!
//! Variables, data sources and everything that a build adds are unknown. A local value that fails
//! is unknown to the ones that refer to it, so each mistake is reported where it is. Functions that
//! Packer has in another form, and those that are not known here, have unknown results.

use super::Template;
use super::analysis::Uses;
use super::object::{LOCALS, Numbers};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Severity, Sink};
use crate::evaluate::{
    Budget, Function, FunctionError, Functions, Parameter, Scope, Signature, without_limits,
};
#[cfg(feature = "functions")]
use crate::evaluate::{InPacker, known_function};
use crate::hash::HashMap;
use crate::value::{Type, Value};

/// Local values of this length in bytes, or longer, are not evaluated.
const LONGEST: u32 = 4096;

impl<'a> Template<'a> {
    /// Reports the errors of local values. Returns the numbers of those that fail, and of those that
    /// refer to them. Cost: linear in the local values and the references between them.
    pub(super) fn check_locals(
        &self,
        uses: &Uses,
        numbers: &Numbers,
        arena: &'a Arena,
        sink: &mut dyn Sink<'a>,
    ) -> Vec<u32> {
        let own = numbers.kind(LOCALS);
        let place = |number: u32| own.contains(&number).then(|| (number - own.start) as usize);
        let count = self.locals.len();
        let mut needs: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); count];
        for &(from, to) in uses.edges() {
            if let (Some(from), Some(to)) = (place(from), place(to)) {
                needs[from].push(to);
            }
        }
        for (local, needed) in needs.iter_mut().enumerate() {
            needed.sort_unstable();
            needed.dedup();
            needed.iter().for_each(|&needed| users[needed].push(local));
        }
        let mut waiting: Vec<usize> = needs.iter().map(Vec::len).collect();
        let mut ready: Vec<usize> = (0..count).filter(|&local| waiting[local] == 0).collect();
        let mut values: HashMap<usize, Value<'a>> = HashMap::default();
        let mut found = Vec::new();
        while let Some(at) = ready.pop() {
            if let Some(value) = self.local_value(at, &needs[at], &values, arena, &mut found) {
                values.insert(at, value);
            }
            for &user in &users[at] {
                waiting[user] -= 1;
                if waiting[user] == 0 {
                    ready.push(user);
                }
            }
        }
        found.sort_by_key(|(at, _)| *at);
        let mut failed: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
        found.into_iter().for_each(|(_, diagnostic)| sink.report(diagnostic));
        failed.dedup();
        let mut has_failed = vec![false; count];
        failed.iter().for_each(|&at| has_failed[at] = true);
        let mut next = 0;
        while let Some(&at) = failed.get(next) {
            for &user in &users[at] {
                if !std::mem::replace(&mut has_failed[user], true) {
                    failed.push(user);
                }
            }
            next += 1;
        }
        failed.into_iter().map(|at| own.start + at as u32).collect()
    }

    /// The value of a local value; `None` if it is not evaluated, or has an error.
    fn local_value(
        &self,
        at: usize,
        needed: &[usize],
        values: &HashMap<usize, Value<'a>>,
        arena: &'a Arena,
        found: &mut Vec<(usize, Diagnostic<'a>)>,
    ) -> Option<Value<'a>> {
        let name_of = |at: usize| Some(self.locals.at(u32::try_from(at).ok()?)?.name);
        let expression = self.locals.at(u32::try_from(at).ok()?)?.value?;
        if expression.span().len() >= LONGEST {
            return None;
        }
        // The object as a whole has more than what is referred to by name.
        let is_whole = expression
            .variables()
            .any(|traversal| traversal.root_name() == "local" && traversal.steps().len() == 1);
        let known = |at: &usize| {
            Some((name_of(*at)?, values.get(at).copied().unwrap_or_else(Value::dynamic)))
        };
        let locals = match is_whole {
            true => Value::dynamic(),
            false => Value::object(arena, &needed.iter().filter_map(known).collect::<Vec<_>>()),
        };
        let unknown = Value::dynamic();
        let roots = [
            ("build", unknown),
            ("data", unknown),
            ("local", locals),
            ("packer", unknown),
            ("path", unknown),
            ("source", unknown),
            ("var", unknown),
        ];
        let scope = Scope::new()
            .with_variables(&roots)
            .with_functions(&OfPacker)
            .with_budget(Budget::of_length(expression.span().len()));
        let mut has_failed = false;
        let mut report = |diagnostic: Diagnostic<'a>| {
            has_failed |= diagnostic.severity() == Severity::Error;
            let is_certain = matches!(
                diagnostic.code(),
                Code::InvalidArgument
                    | Code::FunctionFailed
                    | Code::TooFewArguments
                    | Code::TooManyArguments
                    | Code::InvalidOperand
                    | Code::OperationFailed
            );
            if is_certain {
                found.push((at, diagnostic));
            }
        };
        let value = expression.value(&scope, &mut without_limits(&mut report));
        (!has_failed).then_some(value)
    }
}

/// The functions that Packer shares with the other tools; all others have unknown results.
struct OfPacker;

impl Functions for OfPacker {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        #[cfg(feature = "functions")]
        if known_function(name).is_some_and(|known| known.of_packer() != InPacker::Other)
            && let Some(function) = crate::functions::find(name)
        {
            return Some(function);
        }
        #[cfg(not(feature = "functions"))]
        let _ = name;
        Some(&Unknown)
    }

    fn names(&self) -> Vec<&str> {
        Vec::new()
    }
}

/// A function that takes anything, and whose result is not known.
struct Unknown;

impl Function for Unknown {
    fn signature(&self) -> Signature<'_> {
        const ANY: Parameter<'static> = Parameter::new("argument", Type::Dynamic)
            .with_null()
            .with_unknown()
            .with_dynamic()
            .with_marked();
        Signature::new(&[]).with_variadic(ANY)
    }

    fn result_type<'a>(
        &self,
        _: &'a Arena,
        _: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        Ok(Type::Dynamic)
    }

    fn call<'a>(&self, _: &'a Arena, _: &[Value<'a>]) -> Result<Value<'a>, FunctionError<'a>> {
        Ok(Value::dynamic())
    }

    fn recover<'a>(
        &self,
        _: &'a Arena,
        _: &[Option<Value<'a>>],
    ) -> Option<Result<Value<'a>, FunctionError<'a>>> {
        Some(Ok(Value::dynamic()))
    }
}
