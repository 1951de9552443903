//! Functions that a specification file defines as expressions of their parameters.

use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::evaluate::{
    Budget, Function, FunctionError, Functions, Meter, Parameter, Scope, Signature, evaluate_within,
};
use crate::functions::SPECIFICATION;
use crate::native::Native;
use crate::value::{Clause, Type, Value};

/// A defined function.
pub(super) struct Defined<'a> {
    pub(super) name: &'a str,
    pub(super) parameters: Vec<Parameter<'a>>,
    pub(super) variadic: Option<Parameter<'a>>,
    pub(super) result: Native<'a>,
}

/// The functions of a file, sorted by name.
pub(super) struct Definitions<'a>(pub(super) Vec<Defined<'a>>);

impl Functions for Definitions<'_> {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        let found = self.0.binary_search_by(|function| function.name.cmp(name)).ok()?;
        self.0.get(found).map(|function| function as &dyn Function)
    }

    fn names(&self) -> Vec<&str> {
        self.0.iter().map(|function| function.name).collect()
    }
}

impl Function for Defined<'_> {
    fn signature(&self) -> Signature<'_> {
        let signature = Signature::new(&self.parameters);
        match self.variadic {
            Some(parameter) => signature.with_variadic(parameter),
            None => signature,
        }
    }

    fn result_type<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        self.call(arena, arguments).map(Value::ty)
    }

    fn call<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Value<'a>, FunctionError<'a>> {
        self.call_within(arena, arguments, &Meter::new(Budget::DEFAULT))
    }

    fn call_within<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
        meter: &Meter,
    ) -> Result<Value<'a>, FunctionError<'a>> {
        // The call's arena and the expression's arena have different lifetimes. The lifetime of
        // this third arena is shorter than both.
        let temporary = Arena::new();
        let (fixed, rest) = arguments.split_at(self.parameters.len().min(arguments.len()));
        let mut variables: Vec<_> = self
            .parameters
            .iter()
            .zip(fixed)
            .map(|(parameter, value)| (parameter.name, value.copy_to(&temporary)))
            .collect();
        if let Some(parameter) = self.variadic {
            let rest: Vec<_> = rest.iter().map(|value| value.copy_to(&temporary)).collect();
            variables.push((parameter.name, Value::tuple(&temporary, &rest)));
        }
        // Of several parameters with the same name, the last one counts.
        variables.reverse();
        let scope = Scope::new().with_variables(&variables).with_functions(SPECIFICATION);
        let mut found: Option<Diagnostic<'_>> = None;
        let program = self.result.program();
        let value = evaluate_within(&temporary, &program, &scope, meter, &mut found);
        match found {
            None => Ok(value.copy_to(arena)),
            Some(error) => {
                let message = error.message();
                // The caller adds the full stop.
                let message = message.trim_end_matches('.');
                Err(FunctionError::new(Clause::or(arena, message, "its result is invalid")))
            }
        }
    }
}
