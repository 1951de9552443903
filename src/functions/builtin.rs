//! The bodies of functions.

use super::call::{Call, Outcome};
use crate::arena::Arena;
use crate::evaluate::signatures::row_of;
use crate::evaluate::{Budget, Function, FunctionError, Meter, Signature};
use crate::value::{Type, Value};

/// The body of a function whose row is in the table of all functions.
pub(super) struct Builtin {
    pub(super) name: &'static str,
    signature: Signature<'static>,
    /// The type of every result, unless a rule computes it.
    result: Type<'static>,
    rule: Option<Rule>,
    is_nullable: bool,
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
    /// Computes what is known of the result if parts of the arguments are unknown.
    in_part: Option<InPart>,
}

pub(super) type Body = for<'a> fn(Call<'_, 'a>) -> Outcome<'a>;

pub(super) type Recovery = for<'a> fn(Call<'_, 'a>, &[Option<Value<'a>>]) -> Outcome<'a>;

pub(super) type InPart = for<'a> fn(Call<'_, 'a>) -> Option<Value<'a>>;

pub(super) type Written = for<'a> fn(Call<'_, 'a>, &'a str) -> Outcome<'a>;

/// Computes the type of a result from the arguments.
pub(super) type Rule = for<'a> fn(Call<'_, 'a>) -> Outcome<'a, Type<'a>>;

/// Returns the body of a function of the tools. Its row has everything else.
pub(super) const fn function(name: &'static str, body: Body) -> Builtin {
    let row = row_of(name);
    let own = own(name, row.parameters(), row.result(), body);
    Builtin { is_nullable: row.is_nullable(), ..own }
}

/// Returns a function that the tools do not have.
pub(super) const fn own(
    name: &'static str,
    signature: Signature<'static>,
    result: Type<'static>,
    body: Body,
) -> Builtin {
    Builtin {
        name,
        signature,
        result,
        rule: None,
        is_nullable: false,
        body,
        recovery: None,
        is_partial: false,
        is_shallow: false,
        written: None,
        in_part: None,
    }
}

impl Builtin {
    /// Sets how the type of the result is computed.
    pub(super) const fn typed(mut self, rule: Rule) -> Self {
        self.rule = Some(rule);
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

    /// Sets how what is known of the result is computed if parts of the arguments are unknown.
    pub(super) const fn in_part(mut self, in_part: InPart) -> Self {
        self.in_part = Some(in_part);
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

impl Function for Builtin {
    fn signature(&self) -> Signature<'_> {
        self.signature
    }

    fn result_type<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        match self.rule {
            Some(rule) => rule(Call { arena, arguments, meter: &Meter::new(Budget::DEFAULT) }),
            None => Ok(self.result),
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
            let ty = self.result_type(arena, arguments)?;
            let known = self.call_in_part(arena, arguments, meter);
            return Ok(known.unwrap_or_else(|| Value::unknown(ty)));
        }
        let value = (self.body)(Call { arena, arguments, meter })?;
        match meter.exhausted() {
            Some(exhausted) => Err(exhausted.into()),
            None => Ok(value),
        }
    }

    fn call_in_part<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
        meter: &Meter,
    ) -> Option<Value<'a>> {
        self.in_part?(Call { arena, arguments, meter })
    }

    fn reads_parts(&self) -> bool {
        !self.is_shallow
    }

    fn is_never_null(&self) -> bool {
        !self.is_nullable
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
