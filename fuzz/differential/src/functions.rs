//! The functions that cases may call; `reference/main.go` has the same.

use simd_hcl::Arena;
use simd_hcl::evaluate::{Function, FunctionError, Functions, Parameter, Signature};
use simd_hcl::value::{ElementType, Number, Type, Value};

/// All of them.
pub struct TestFunctions;

const NAMES: [&str; 4] = ["angle", "count", "last", "same"];

impl Functions for TestFunctions {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        match name {
            "angle" => Some(&Angle),
            "count" => Some(&Count),
            "last" => Some(&Last),
            "same" => Some(&Same),
            _ => None,
        }
    }

    fn names(&self) -> Vec<&str> {
        NAMES.to_vec()
    }
}

/// Its argument, whatever it is.
struct Same;

impl Function for Same {
    fn signature(&self) -> Signature<'_> {
        static VALUE: [Parameter<'static>; 1] =
            [Parameter::new("value", Type::Dynamic).with_null().with_marked()];
        Signature::new(&VALUE)
    }

    fn result_type<'a>(
        &self,
        _: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        Ok(arguments[0].ty())
    }

    fn call<'a>(
        &self,
        _: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Value<'a>, FunctionError<'a>> {
        Ok(arguments[0])
    }
}

/// The text in angle brackets.
struct Angle;

impl Function for Angle {
    fn signature(&self) -> Signature<'_> {
        static TEXT: [Parameter<'static>; 1] = [Parameter::new("text", Type::String)];
        Signature::new(&TEXT)
    }

    fn result_type<'a>(
        &self,
        _: &'a Arena,
        _: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        Ok(Type::String)
    }

    fn call<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Value<'a>, FunctionError<'a>> {
        let text = format!("<{}>", arguments[0].as_str().unwrap_or_default());
        Ok(Value::string(arena, arena.str(&text)))
    }
}

/// How many elements a list of numbers has; fewer than one is an error.
struct Count;

impl Function for Count {
    fn signature(&self) -> Signature<'_> {
        static NUMBERS: [Parameter<'static>; 1] =
            [Parameter::new("numbers", Type::List(ElementType::NUMBER))];
        Signature::new(&NUMBERS)
    }

    fn result_type<'a>(
        &self,
        _: &'a Arena,
        _: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        Ok(Type::Number)
    }

    fn call<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Value<'a>, FunctionError<'a>> {
        match arguments[0].as_elements().map_or(0, <[_]>::len) {
            0 => Err(FunctionError::of_argument(0, "is empty")),
            count => Ok(Value::number(Number::from_i64(arena, count as i64))),
        }
    }
}

/// The last of the arguments; no argument is an error of the call.
struct Last;

impl Function for Last {
    fn signature(&self) -> Signature<'_> {
        const SIGNATURE: Signature<'static> =
            Signature::new(&[]).with_variadic(Parameter::new("values", Type::String).with_null());
        SIGNATURE
    }

    fn result_type<'a>(
        &self,
        _: &'a Arena,
        _: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        Ok(Type::String)
    }

    fn call<'a>(
        &self,
        _: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Value<'a>, FunctionError<'a>> {
        let nothing = FunctionError::new("nothing is given");
        arguments.last().copied().ok_or(nothing)
    }
}
