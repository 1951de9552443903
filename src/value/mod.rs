//! HCL values: the type system that expressions are evaluated in.
//!
//! After chapter "Types" of the HCL specification, as the reference's type library (cty) has it. A [`Value`] is
//! a `Copy` handle into the arena: a type, what is known of it, and marks. Strings, names of attributes and
//! keys of maps are in Unicode normal form C; maps and objects are sorted by name (bytes); sets are sorted and
//! hold no element twice. Values nest as deep as the input does, so nothing here recurses.

mod marks;
mod types;

pub use marks::Marks;
pub use types::{AttributeType, Type};

/// A number: exact text until arithmetic, then a binary float of up to 512 bits.
#[derive(Clone, Copy, Debug)]
pub struct Number<'a> {
    text: &'a str,
}

/// A value of the HCL type system.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    ty: Type<'a>,
    content: Content<'a>,
    marks: Marks,
}

/// What is known of a value. Its type says how to read it.
#[derive(Clone, Copy)]
pub enum Content<'a> {
    /// Not known yet: any value of the type.
    Unknown {
        /// But known not to be null.
        not_null: bool,
    },
    /// Absent.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(Number<'a>),
    /// A string, in normal form C.
    String(&'a str),
    /// Elements of a list, a set or a tuple.
    Elements(&'a [Value<'a>]),
    /// Entries of a map or an object, sorted by name.
    Entries(&'a [(&'a str, Value<'a>)]),
}

impl<'a> Value<'a> {
    /// Its type.
    #[must_use]
    pub fn ty(self) -> Type<'a> {
        self.ty
    }

    /// What is known of it, whatever its marks are.
    #[must_use]
    pub fn content(self) -> Content<'a> {
        self.content
    }

    /// The marks of the value itself, not of what it contains.
    #[must_use]
    pub fn marks(self) -> Marks {
        self.marks
    }
}
impl<'a> Number<'a> {
    pub fn from_literal(text: &'a str) -> Result<Self, ()> {
        Ok(Number { text })
    }
    pub fn as_i64(self) -> Option<i64> {
        self.text.parse().ok()
    }
}
