//! The interface of functions that expressions can call.

use smallvec::SmallVec;

use super::budget::{Exhausted, Meter};
use crate::arena::Arena;
use crate::value::{Clause, Content, Marks, Type, Value};

/// A function. The evaluator converts arguments to the types of the parameters. It handles null,
/// unknown and marked arguments unless a parameter accepts them, so that [`Function::call`] gets
/// plain values.
pub trait Function: Sync {
    /// Returns the parameters.
    fn signature(&self) -> Signature<'_>;

    /// Returns the type of the result for these arguments, some of which may be unknown.
    ///
    /// # Errors
    /// These arguments cannot be used together.
    fn result_type<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>>;

    /// Returns the result.
    ///
    /// # Errors
    /// An argument is invalid, or the call has no result.
    fn call<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Value<'a>, FunctionError<'a>>;

    /// Returns the result within a budget. A function whose result can be much larger than its
    /// arguments spends the cost from `meter` before it creates the result. By default, the parts
    /// of the result are spent afterwards.
    ///
    /// # Errors
    /// The errors of [`Function::call`]. If the budget is exhausted, the error is ignored, because
    /// the evaluation ends.
    fn call_within<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
        meter: &Meter,
    ) -> Result<Value<'a>, FunctionError<'a>> {
        let value = self.call(arena, arguments)?;
        let exhausted = match value.content() {
            Content::String(text) => meter.text(text.len()),
            Content::Elements(elements) => meter.parts(elements.len()),
            Content::Entries(entries) => meter.parts(entries.len()),
            _ => Ok(()),
        };
        exhausted.map(|()| value).map_err(FunctionError::from)
    }

    /// Whether it reads the parts of its arguments. The evaluator spends steps for them.
    fn reads_parts(&self) -> bool {
        true
    }

    /// Whether no result is null, not even for arguments that are not known yet.
    fn is_never_null(&self) -> bool {
        false
    }

    /// Returns what is known of the result if parts of the arguments are unknown, more than its type; by
    /// default `None`.
    fn call_in_part<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
        meter: &Meter,
    ) -> Option<Value<'a>> {
        let _ = (arena, arguments, meter);
        None
    }

    /// Learns that it is not called with these arguments, since one is not known yet.
    fn lacks_arguments<'a>(&self, arena: &'a Arena, arguments: &[Value<'a>]) {
        let _ = (arena, arguments);
    }

    /// Whether its last argument is not evaluated, such as the type in `convert(value, type)`. The
    /// evaluator then calls [`Function::call_written`].
    fn reads_syntax(&self) -> bool {
        false
    }

    /// Returns the result for the arguments before the last one, and for the text of the last one.
    ///
    /// # Errors
    /// The errors of [`Function::call`]. By default, the text is not an argument.
    fn call_written<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
        _text: &'a str,
    ) -> Result<Value<'a>, FunctionError<'a>> {
        self.call(arena, arguments)
    }

    /// Returns the result if the evaluation of some arguments failed (`None`), for functions such
    /// as `try` and `can`. If it returns `None`, which is the default, the diagnostics of those
    /// arguments are reported; otherwise they are dropped.
    fn recover<'a>(
        &self,
        _arena: &'a Arena,
        _arguments: &[Option<Value<'a>>],
    ) -> Option<Result<Value<'a>, FunctionError<'a>>> {
        None
    }
}

impl From<Exhausted> for FunctionError<'_> {
    fn from(_: Exhausted) -> Self {
        Self::new("the budget of the evaluation is used up")
    }
}

/// The parameters of a function.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Signature<'s> {
    /// The parameters that every call must provide.
    pub parameters: &'s [Parameter<'s>],
    /// A parameter for any number of further arguments.
    pub variadic: Option<Parameter<'s>>,
}

impl<'s> Signature<'s> {
    /// Returns a signature without a variadic parameter.
    #[must_use]
    pub const fn new(parameters: &'s [Parameter<'s>]) -> Self {
        Self { parameters, variadic: None }
    }

    /// Returns the signature with a parameter for all further arguments.
    #[must_use]
    pub const fn with_variadic(mut self, parameter: Parameter<'s>) -> Self {
        self.variadic = Some(parameter);
        self
    }

    /// Returns the parameter of the argument at `index`, counted from 0.
    #[must_use]
    pub fn parameter(&self, index: usize) -> Option<&Parameter<'s>> {
        self.parameters.get(index).or(self.variadic.as_ref())
    }

    /// The parameters of the arguments in order; the variadic one is repeated.
    pub(crate) fn each(&self) -> impl Iterator<Item = &Parameter<'s>> {
        self.parameters.iter().chain(std::iter::repeat_n(&self.variadic, usize::MAX).flatten())
    }
}

/// A parameter. By default it accepts neither null nor marked values, and an unknown argument makes
/// the result unknown without a call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Parameter<'s> {
    /// Its name in diagnostics.
    pub name: &'s str,
    /// The type that arguments are converted to. [`Type::Dynamic`] accepts them as they are.
    pub ty: Type<'s>,
    /// Whether null arguments are passed on.
    pub allows_null: bool,
    /// Whether unknown arguments are passed on.
    pub allows_unknown: bool,
    /// Whether arguments of unknown type are passed on; otherwise they make the type of the result
    /// unknown.
    pub allows_dynamic: bool,
    /// Whether marks are passed on; otherwise they are removed, and added to the result.
    pub allows_marked: bool,
}

/// The error of a function call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FunctionError<'a> {
    /// The index of the invalid argument, from 0; `None` for the call as a whole.
    pub argument: Option<usize>,
    /// A clause without a full stop, such as "length must not be negative". The evaluator shows what it
    /// quotes only if no argument of the call is sensitive or ephemeral, at any depth.
    pub message: Clause<'a>,
}

impl<'a> FunctionError<'a> {
    /// Returns an error of the call as a whole.
    #[must_use]
    pub fn new(message: impl Into<Clause<'a>>) -> Self {
        Self { argument: None, message: message.into() }
    }

    /// Returns an error of the argument at `index`, from 0.
    #[must_use]
    pub fn of_argument(index: usize, message: impl Into<Clause<'a>>) -> Self {
        Self { argument: Some(index), message: message.into() }
    }
}

impl<'s> Parameter<'s> {
    /// Returns a parameter for known values that are not null.
    #[must_use]
    pub const fn new(name: &'s str, ty: Type<'s>) -> Self {
        Self {
            name,
            ty,
            allows_null: false,
            allows_unknown: false,
            allows_dynamic: false,
            allows_marked: false,
        }
    }

    /// Accepts null.
    #[must_use]
    pub const fn with_null(mut self) -> Self {
        self.allows_null = true;
        self
    }

    /// Accepts unknown values.
    #[must_use]
    pub const fn with_unknown(mut self) -> Self {
        self.allows_unknown = true;
        self
    }

    /// Accepts values of unknown type.
    #[must_use]
    pub const fn with_dynamic(mut self) -> Self {
        self.allows_dynamic = true;
        self
    }

    /// Accepts marked values.
    #[must_use]
    pub const fn with_marked(mut self) -> Self {
        self.allows_marked = true;
        self
    }
}

/// Returns the result of `function` for arguments whose number and types match its parameters.
/// Handles null, unknown and marked arguments according to the parameters.
///
/// # Errors
/// The error of the function, or a null argument that must not be null.
pub(crate) fn apply<'a>(
    function: &dyn Function,
    arena: &'a Arena,
    arguments: &[Value<'a>],
    meter: &Meter,
) -> Result<Value<'a>, FunctionError<'a>> {
    let signature = function.signature();
    let mut plain: SmallVec<[Value<'a>; 4]> = SmallVec::with_capacity(arguments.len());
    let mut marks = Marks::NONE;
    let (mut unknown, mut dynamic) = (false, false);
    for (index, (&argument, parameter)) in arguments.iter().zip(signature.each()).enumerate() {
        if argument.is_null() && !parameter.allows_null && !dynamic {
            return Err(FunctionError::of_argument(index, "argument must not be null"));
        }
        if argument.ty().is_dynamic() && !parameter.allows_dynamic {
            dynamic = true;
        }
        unknown |= !argument.is_known() && !parameter.allows_unknown;
        if parameter.allows_marked {
            plain.push(argument);
        } else {
            let (bare, taken) = argument.unmark();
            if !bare.deep_marks().is_empty() {
                // Values with marked parts are copied.
                meter.parts(bare.size() as usize)?;
            }
            let (bare, inner) = bare.unmark_deep(arena);
            marks = marks.with(taken).with(inner);
            plain.push(bare);
        }
    }
    if dynamic || unknown {
        function.lacks_arguments(arena, &plain);
    }
    if dynamic {
        return Ok(Value::dynamic().with_marks(marks));
    }
    let ty = function.result_type(arena, &plain)?;
    let result = if unknown {
        // The result gets all marks, because a function does not report which ones apply.
        let all = plain.iter().fold(marks, |marks, argument| marks.with(argument.deep_marks()));
        let known = function.call_in_part(arena, &plain, meter);
        known.unwrap_or_else(|| Value::unknown(ty)).with_marks(all)
    } else {
        function.call_within(arena, &plain, meter)?.with_marks(marks)
    };
    let is_refined = !result.ty().is_dynamic() && function.is_never_null();
    Ok(if is_refined { result.not_null() } else { result })
}
