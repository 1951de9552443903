//! The functions of OpenTofu that need nothing from outside.
//!
//! What goes in are known values of the parameters' types; what comes out is what OpenTofu gives, value and
//! type, and an error where it gives one. Functions that read files, the clock or a source of randomness are the
//! caller's to supply; `docs/functions.md` lists every function, in or out, with the reason.
//!
//! No argument makes a function panic, and none makes it use more than 64 MiB for a text or a million elements
//! for a collection: such a call is an error. Within an evaluation all that functions make is taken from its
//! budget first.
//!
//! Each function is a row in the table of its group: name, parameters, type of the result, body.
//!
//! ```
//! use simd_hcl::evaluate::{Functions, Scope};
//! use simd_hcl::functions;
//!
//! let standard = functions::standard();
//! assert!(standard.get("cidrsubnet").is_some());
//! assert!(standard.get("core::cidrsubnet").is_some());
//! assert!(standard.get("file").is_none());
//! let _scope = Scope::new().with_functions(&standard);
//! ```

mod call;
mod collection;
mod conversion;
mod csv;
mod date;
mod encoding;
mod format;
mod hash;
mod json;
mod map;
mod network;
mod numeric;
mod pattern;
mod regex;
mod sets;
mod string;

use std::sync::LazyLock;

use self::call::{Call, Outcome};
use crate::arena::Arena;
use crate::evaluate::{Budget, Function, FunctionError, Functions, Meter, Parameter, Signature};
use crate::value::{Type, Value};

/// All functions of this module, by their names in OpenTofu, also with the namespace `core::`.
#[must_use]
pub fn standard() -> impl Functions + Copy {
    Standard
}

/// The function that is called so in OpenTofu, without the namespace `core::`.
pub(crate) fn find(name: &str) -> Option<&'static dyn Function> {
    let found = INDEX.binary_search_by_key(&name, |function| function.name).ok()?;
    Some(INDEX[found])
}

#[derive(Clone, Copy)]
struct Standard;

/// The tables of the groups.
const GROUPS: &[&[Builtin]] = &[
    numeric::FUNCTIONS,
    string::FUNCTIONS,
    regex::FUNCTIONS,
    format::FUNCTIONS,
    collection::FUNCTIONS,
    map::FUNCTIONS,
    sets::FUNCTIONS,
    encoding::FUNCTIONS,
    csv::FUNCTIONS,
    json::FUNCTIONS,
    hash::FUNCTIONS,
    network::FUNCTIONS,
    date::FUNCTIONS,
    conversion::FUNCTIONS,
];

/// All rows, sorted by name.
static INDEX: LazyLock<Vec<&'static Builtin>> = LazyLock::new(|| {
    let mut index: Vec<_> = GROUPS.iter().copied().flatten().collect();
    index.sort_unstable_by_key(|function| function.name);
    index
});

impl Functions for Standard {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        find(name.strip_prefix("core::").unwrap_or(name))
    }

    fn names(&self) -> Vec<&str> {
        INDEX.iter().map(|function| function.name).collect()
    }
}

/// One function: a row of a table.
struct Builtin {
    name: &'static str,
    signature: Signature,
    result: Returns,
    body: Body,
    /// The result where arguments have failed, if that is no failure of the call.
    recovery: Option<Recovery>,
    /// Whether the body deals with unknown values inside of its arguments; otherwise they make the
    /// result unknown.
    is_partial: bool,
    /// Whether the body does not look into the parts of its arguments.
    is_shallow: bool,
}

type Body = for<'a> fn(Call<'_, 'a>) -> Outcome<'a>;

type Recovery = for<'a> fn(Call<'_, 'a>, &[Option<Value<'a>>]) -> Outcome<'a>;

/// The type of a function's result.
enum Returns {
    /// Always this one.
    Always(Type<'static>),
    /// That of the arguments, as the rule says.
    Rule(for<'a> fn(Call<'_, 'a>) -> Outcome<'a, Type<'a>>),
    /// Known with the value only: a text says what it is.
    Value,
}

const BOOL: Returns = Returns::Always(Type::Bool);
const NUMBER: Returns = Returns::Always(Type::Number);
const STRING: Returns = Returns::Always(Type::String);
const STRINGS: Returns = Returns::Always(Type::List(&Type::String));

/// A row.
const fn function(
    name: &'static str,
    parameters: &'static [Parameter],
    result: Returns,
    body: Body,
) -> Builtin {
    let signature = Signature { parameters, variadic: None };
    Builtin { name, signature, result, body, recovery: None, is_partial: false, is_shallow: false }
}

impl Builtin {
    /// With a parameter that takes all further arguments.
    const fn rest(mut self, parameter: Parameter) -> Self {
        self.signature.variadic = Some(parameter);
        self
    }

    /// With a result where arguments have failed.
    const fn recovering(mut self, recovery: Recovery) -> Self {
        self.recovery = Some(recovery);
        self
    }

    /// With a body that does not look into the parts of its arguments.
    const fn shallow(mut self) -> Self {
        self.is_shallow = true;
        self
    }

    /// With a body that deals with unknown values inside of its arguments.
    const fn partial(mut self) -> Self {
        self.is_partial = true;
        self
    }
}

const fn any(name: &'static str) -> Parameter {
    Parameter::new(name, Type::Dynamic)
}

const fn bool_list(name: &'static str) -> Parameter {
    Parameter::new(name, Type::List(&Type::Bool))
}

const fn number(name: &'static str) -> Parameter {
    Parameter::new(name, Type::Number)
}

const fn text(name: &'static str) -> Parameter {
    Parameter::new(name, Type::String)
}

const fn text_list(name: &'static str) -> Parameter {
    Parameter::new(name, Type::List(&Type::String))
}

impl Function for Builtin {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn result_type<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        match self.result {
            Returns::Always(ty) => Ok(ty),
            Returns::Rule(rule) => {
                rule(Call { arena, arguments, meter: &Meter::new(Budget::DEFAULT) })
            }
            Returns::Value => Ok(Type::Dynamic),
        }
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
        if !self.is_partial && !arguments.iter().all(|argument| argument.is_wholly_known()) {
            return Ok(Value::unknown(self.result_type(arena, arguments)?));
        }
        let value = (self.body)(Call { arena, arguments, meter })?;
        match meter.exhausted() {
            Some(exhausted) => Err(exhausted.into()),
            None => Ok(value),
        }
    }

    fn reads_parts(&self) -> bool {
        !self.is_shallow
    }

    fn recover<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Option<Value<'a>>],
    ) -> Option<Result<Value<'a>, FunctionError<'a>>> {
        let recovery = self.recovery?;
        Some(recovery(
            Call { arena, arguments: &[], meter: &Meter::new(Budget::DEFAULT) },
            arguments,
        ))
    }
}
