//! The types of the values that Terragrunt's arguments take.

use crate::arena::Arena;
use crate::body::AttributeSchema;
use crate::value::{
    AttributeType, Content, ElementType, PartTypes, PathStep, Type, Value, convert_briefly,
};

/// An argument of a block or a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    pub(super) schema: AttributeSchema<'static>,
    shape: Shape,
    /// Whether null stands for no value.
    takes_null: bool,
}

/// A type of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Any,
    /// A text, or what converts to one.
    Text,
    /// A text alone.
    String,
    Flag,
    /// An integer.
    Whole,
    Texts,
    /// Texts by name.
    TextMap,
    /// Values of one type, by name.
    Map,
    /// Values of any types, by name.
    Object,
    /// The file that `remote_state` writes.
    Written,
}

/// A value that an argument does not take.
#[derive(Debug)]
pub(super) struct Misfit<'v> {
    /// The path to the part that does not fit.
    pub(super) path: Vec<PathStep<'v>>,
    /// The reason, as a clause.
    pub(super) why: String,
}

const WRITTEN: PartTypes<'static, AttributeType<'static>> = PartTypes::of_object(&[
    AttributeType { name: "if_exists", ty: Type::String, optional: false },
    AttributeType { name: "path", ty: Type::String, optional: false },
]);

impl Shape {
    /// The type that values are converted to.
    const fn ty(self) -> Type<'static> {
        match self {
            Self::Any | Self::String | Self::Object => Type::Dynamic,
            Self::Text => Type::String,
            Self::Flag => Type::Bool,
            Self::Whole => Type::Number,
            Self::Texts => Type::List(ElementType::STRING),
            Self::TextMap => Type::Map(ElementType::STRING),
            Self::Map => Type::Map(ElementType::DYNAMIC),
            Self::Written => Type::Object(&WRITTEN),
        }
    }
}

impl Argument {
    /// An argument that need not be set.
    pub(super) const fn optional(name: &'static str, shape: Shape) -> Self {
        Self { schema: AttributeSchema::optional(name), shape, takes_null: true }
    }

    /// An argument that must be set.
    pub(super) const fn required(name: &'static str, shape: Shape) -> Self {
        let takes_null = !matches!(shape, Shape::Text | Shape::Flag | Shape::Whole);
        Self { schema: AttributeSchema::required(name), shape, takes_null }
    }

    /// The same argument, which must not be null if it is set.
    pub(super) const fn never_null(self) -> Self {
        Self { takes_null: false, ..self }
    }

    /// Returns the value that the argument has with a written one.
    pub(super) fn fit<'v>(
        &self,
        arena: &'v Arena,
        value: Value<'v>,
    ) -> Result<Value<'v>, Misfit<'v>> {
        if value.is_null() {
            return match self.takes_null {
                true => Ok(value),
                false => Err(Misfit::null()),
            };
        }
        let value = self.converted(arena, value)?;
        let null = match self.shape {
            Shape::Texts => {
                value.elements().iter().position(|it| it.is_null()).map(PathStep::Place)
            }
            Shape::TextMap | Shape::Written => {
                let null = value.entries().iter().find(|(_, it)| it.is_null());
                null.map(|(name, _)| PathStep::Name(name))
            }
            _ => None,
        };
        match null {
            Some(step) => Err(Misfit::null().below(step)),
            None => Ok(value),
        }
    }

    /// Like [`Argument::fit`], in an object that stands for a block: null is no value, an empty list is an empty
    /// object, and numbers and the texts that Go reads as booleans are flags.
    pub(super) fn fit_loosely<'v>(
        &self,
        arena: &'v Arena,
        value: Value<'v>,
    ) -> Result<Value<'v>, Misfit<'v>> {
        match (self.shape, value.content()) {
            (_, Content::Null)
            | (Shape::Flag, Content::Number(_))
            | (Shape::Object, Content::Elements([])) => Ok(value),
            (Shape::Flag, Content::String(text)) if text.is_empty() || flag(text).is_some() => {
                Ok(value)
            }
            (Shape::Written, _) => {
                self.of_shape(Shape::Object).converted(arena, value)?;
                for name in ["path", "if_exists"] {
                    if let Some(part) = value.get(name).filter(|it| !it.is_null()) {
                        let text = self.of_shape(Shape::Text).converted(arena, part);
                        text.map_err(|misfit| misfit.below(PathStep::Name(name)))?;
                    }
                }
                Ok(value)
            }
            _ => self.converted(arena, value),
        }
    }

    const fn of_shape(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    fn converted<'v>(&self, arena: &'v Arena, value: Value<'v>) -> Result<Value<'v>, Misfit<'v>> {
        let value = convert_briefly(arena, value, self.shape.ty()).map_err(|error| {
            let error = error.for_marks(value.deep_marks());
            Misfit { path: error.path().to_vec(), why: error.to_string() }
        })?;
        let why = match (self.shape, value.content()) {
            (Shape::Object, Content::Entries(_) | Content::Unknown { .. }) => return Ok(value),
            (Shape::Object, _) => "an object is required",
            (Shape::String, Content::String(_) | Content::Unknown { .. }) => return Ok(value),
            (Shape::String, _) => "a string is required",
            (Shape::Whole, Content::Number(number)) if number.as_i64().is_none() => {
                "a whole number of at most 64 bits is required"
            }
            _ => return Ok(value),
        };
        Err(Misfit::of(why))
    }
}

impl<'v> Misfit<'v> {
    /// Returns that of a whole value.
    pub(super) fn of(why: &str) -> Self {
        Self { path: Vec::new(), why: why.to_owned() }
    }

    fn null() -> Self {
        Self::of("null is not allowed")
    }

    fn below(mut self, step: PathStep<'v>) -> Self {
        self.path.insert(0, step);
        self
    }
}

/// A text that Go reads as a boolean.
pub(super) fn flag(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}
