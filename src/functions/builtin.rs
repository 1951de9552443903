//! The rows of the tables of functions.

use super::call::{Call, Outcome};
use crate::arena::Arena;
use crate::evaluate::{Budget, Function, FunctionError, Meter, Parameter, Signature};
use crate::value::{ElementType, Type, Value};

/// A function: a row of a table.
pub(super) struct Builtin {
    pub(super) name: &'static str,
    signature: Signature<'static>,
    result: Returns,
    body: Body,
    /// Computes the result if arguments failed, for functions that accept this.
    recovery: Option<Recovery>,
    /// Whether the body handles unknown values inside its arguments; otherwise they make the result
    /// unknown.
    is_partial: bool,
    /// Whether the body does not read the parts of its arguments.
    is_shallow: bool,
    /// Computes the result if the last argument is not a value, but a text.
    written: Option<Written>,
}

pub(super) type Body = for<'a> fn(Call<'_, 'a>) -> Outcome<'a>;

pub(super) type Recovery = for<'a> fn(Call<'_, 'a>, &[Option<Value<'a>>]) -> Outcome<'a>;

pub(super) type Written = for<'a> fn(Call<'_, 'a>, &'a str) -> Outcome<'a>;

/// The type of a function's result.
pub(super) enum Returns {
    /// Always this one.
    Always(Type<'static>),
    /// Computed from the arguments.
    Rule(for<'a> fn(Call<'_, 'a>) -> Outcome<'a, Type<'a>>),
    /// Only known with the value: the content of a text determines it.
    Value,
}

pub(super) const BOOL: Returns = Returns::Always(Type::Bool);
pub(super) const NUMBER: Returns = Returns::Always(Type::Number);
pub(super) const STRING: Returns = Returns::Always(Type::String);
pub(super) const STRINGS: Returns = Returns::Always(Type::List(ElementType::STRING));

/// Returns a row.
pub(super) const fn function(
    name: &'static str,
    parameters: &'static [Parameter<'static>],
    result: Returns,
    body: Body,
) -> Builtin {
    let signature = Signature::new(parameters);
    Builtin {
        name,
        signature,
        result,
        body,
        recovery: None,
        is_partial: false,
        is_shallow: false,
        written: None,
    }
}

impl Builtin {
    /// Adds a parameter for all further arguments.
    pub(super) const fn rest(mut self, parameter: Parameter<'static>) -> Self {
        self.signature.variadic = Some(parameter);
        self
    }

    /// Sets how the result is computed if arguments failed.
    pub(super) const fn recovering(mut self, recovery: Recovery) -> Self {
        self.recovery = Some(recovery);
        self
    }

    /// Sets how the result is computed from the text of the last argument.
    pub(super) const fn reading_syntax(mut self, written: Written) -> Self {
        self.written = Some(written);
        self
    }

    /// Declares that the body does not read the parts of its arguments.
    pub(super) const fn shallow(mut self) -> Self {
        self.is_shallow = true;
        self
    }

    /// Declares that the body handles unknown values inside its arguments.
    pub(super) const fn partial(mut self) -> Self {
        self.is_partial = true;
        self
    }
}

/// Functions of which the tools do not say that no result is null. Sorted.
const NULLABLE: [&str; 31] = [
    "assumeequal",
    "assumelistlength",
    "assumelistlengthmax",
    "assumelistlengthmin",
    "assumemaplength",
    "assumemaplengthmax",
    "assumemaplengthmin",
    "assumesetlength",
    "assumesetlengthmax",
    "assumesetlengthmin",
    "assumestringprefix",
    "can",
    "cidrcontains",
    "convert",
    "element",
    "ephemeralasnull",
    "jsondecode",
    "lookup",
    "nonsensitive",
    "one",
    "sensitive",
    "strcontains",
    "timeadd",
    "tobool",
    "tolist",
    "tomap",
    "tonumber",
    "toset",
    "tostring",
    "try",
    "yamldecode",
];

pub(super) const fn any(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, Type::Dynamic)
}

pub(super) const fn bool_list(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, Type::List(ElementType::BOOL))
}

pub(super) const fn number(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, Type::Number)
}

pub(super) const fn text(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, Type::String)
}

pub(super) const fn text_list(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, Type::List(ElementType::STRING))
}

impl Function for Builtin {
    fn signature(&self) -> Signature<'_> {
        self.signature
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

    fn is_never_null(&self) -> bool {
        NULLABLE.binary_search(&self.name).is_err()
    }

    fn reads_syntax(&self) -> bool {
        self.written.is_some()
    }

    fn call_written<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
        text: &'a str,
    ) -> Result<Value<'a>, FunctionError<'a>> {
        let call = Call { arena, arguments, meter: &Meter::new(Budget::DEFAULT) };
        match self.written {
            Some(written) => written(call, text),
            None => self.call(arena, arguments),
        }
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
