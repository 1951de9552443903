//! Types.

/// A type of the HCL type system.
#[derive(Clone, Copy)]
pub enum Type<'a> {
    /// Any type: of `null` without a type, and of values whose type is not known yet.
    Dynamic,
    /// `bool`.
    Bool,
    /// `number`.
    Number,
    /// `string`.
    String,
    /// `list(…)`: elements of one type, in order.
    List(&'a Type<'a>),
    /// `set(…)`: distinct elements of one type.
    Set(&'a Type<'a>),
    /// `map(…)`: values of one type, by name.
    Map(&'a Type<'a>),
    /// `object({…})`: a type for each name, sorted by name.
    Object(&'a [AttributeType<'a>]),
    /// `tuple([…])`: a type for each element.
    Tuple(&'a [Type<'a>]),
}

/// An attribute of an object type.
#[derive(Clone, Copy)]
pub struct AttributeType<'a> {
    /// Its name, in normal form C.
    pub name: &'a str,
    /// Its type.
    pub ty: Type<'a>,
    /// Whether a value may lack it when it is converted to the type. Only in type constraints.
    pub optional: bool,
}
