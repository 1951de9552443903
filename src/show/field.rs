//! Members of objects as typed fields: absent, null, of the expected type, or of another type.
//!
//! A [`Field`] is built from an optional member of an object. Nothing fails: a value of another
//! type is still reachable as a [`Node`], and [`shape`](super::shape) reports it with path and
//! position.

use std::marker::PhantomData;

use super::shape::{Inside, Shape};
use crate::json::{Array, Elements, JsonNumber, Members, Node, Object};

/// A member of an object.
///
/// The tools write `null` for some members and leave others out, with different meanings, so the
/// two are distinct.
#[derive(Clone, Copy, Debug)]
pub enum Field<'a, T> {
    /// The object has no such member.
    Absent,
    /// The member is `null`.
    Null,
    /// The member has the expected type.
    Value(T),
    /// The member has another type.
    Other(Node<'a>),
}

impl<'a, T> Field<'a, T> {
    /// The value of the expected type.
    #[must_use]
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Whether the member is missing.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether the member is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

impl<'a, T: Read<'a>> Field<'a, T> {
    /// The field of an optional member.
    #[must_use]
    pub fn of(member: Option<Node<'a>>) -> Self {
        match member {
            None => Self::Absent,
            Some(node) if node.is_null() => Self::Null,
            Some(node) => T::read(node).map_or(Self::Other(node), Self::Value),
        }
    }
}

/// A type that JSON values can be read as.
pub trait Read<'a>: Sized {
    /// Reads the value, if the node has the expected type. Checks only the type, not the content.
    fn read(node: Node<'a>) -> Option<Self>;

    /// The expected shape, for the diagnostics of whole documents.
    fn shape() -> Shape;
}

impl<'a> Read<'a> for &'a str {
    fn read(node: Node<'a>) -> Option<Self> {
        node.to_str()
    }

    fn shape() -> Shape {
        Shape::new("a string", |node| node.is_string())
    }
}

impl<'a> Read<'a> for bool {
    fn read(node: Node<'a>) -> Option<Self> {
        node.as_bool()
    }

    fn shape() -> Shape {
        Shape::new("true or false", |node| node.as_bool().is_some())
    }
}

impl<'a> Read<'a> for u64 {
    fn read(node: Node<'a>) -> Option<Self> {
        node.as_number()?.as_u64()
    }

    fn shape() -> Shape {
        Shape::new("a whole number", |node| Self::read(node).is_some())
    }
}

/// Any value but `null`.
impl<'a> Read<'a> for Node<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        Some(node)
    }

    fn shape() -> Shape {
        Shape::new("a value", |_| true)
    }
}

/// An object whose members have no fixed names and types.
impl<'a> Read<'a> for Object<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        node.as_object()
    }

    fn shape() -> Shape {
        Shape::new("an object", |node| node.is_object())
    }
}

/// An array of `T`.
#[derive(Clone, Copy, Debug)]
pub struct List<'a, T> {
    array: Array<'a>,
    element: PhantomData<fn() -> T>,
}

impl<'a, T: Read<'a>> List<'a, T> {
    /// The array itself.
    #[must_use]
    pub fn array(self) -> Array<'a> {
        self.array
    }

    /// Its elements of the expected type, in order. Cost: linear in the elements.
    pub fn iter(self) -> impl Iterator<Item = T> + use<'a, T> {
        self.array.elements().filter_map(T::read)
    }

    /// All elements as fields, in order: an index here is the index in the document.
    pub fn fields(self) -> impl Iterator<Item = Field<'a, T>> + use<'a, T> {
        self.array.elements().map(|node| Field::of(Some(node)))
    }
}

impl<'a, T: Read<'a>> Read<'a> for List<'a, T> {
    fn read(node: Node<'a>) -> Option<Self> {
        node.as_array().map(|array| Self { array, element: PhantomData })
    }

    fn shape() -> Shape {
        Shape::new("an array", |node| node.is_array()).with(Inside::Each(T::shape))
    }
}

/// An object whose members are all `T`, by name.
#[derive(Clone, Copy, Debug)]
pub struct Map<'a, T> {
    object: Object<'a>,
    member: PhantomData<fn() -> T>,
}

impl<'a, T: Read<'a>> Map<'a, T> {
    /// The object itself.
    #[must_use]
    pub fn object(self) -> Object<'a> {
        self.object
    }

    /// Names and values of the members of the expected type, in source order.
    pub fn iter(self) -> impl Iterator<Item = (&'a str, T)> + use<'a, T> {
        let read = |node| T::read(node);
        self.object
            .members()
            .filter_map(move |member| Some((member.name().to_str(), read(member.value())?)))
    }

    /// The member of this name, the first if there are several. Cost: linear in the members before
    /// it.
    #[must_use]
    pub fn get(self, name: &str) -> Field<'a, T> {
        Field::of(self.object.get(name))
    }
}

impl<'a, T: Read<'a>> Read<'a> for Map<'a, T> {
    fn read(node: Node<'a>) -> Option<Self> {
        node.as_object().map(|object| Self { object, member: PhantomData })
    }

    fn shape() -> Shape {
        Shape::new("an object", |node| node.is_object()).with(Inside::Each(T::shape))
    }
}

/// Objects in an array, as the tools write them, or as members of an object, as in an early
/// description of the format.
#[derive(Clone, Copy, Debug)]
pub struct Children<'a, T> {
    node: Node<'a>,
    child: PhantomData<fn() -> T>,
}

/// The nodes of a [`Children`], in source order.
#[derive(Clone)]
pub(crate) enum ChildNodes<'a> {
    Elements(Elements<'a>),
    Members(Members<'a>),
    None,
}

impl<'a> Iterator for ChildNodes<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Node<'a>> {
        match self {
            Self::Elements(elements) => elements.next(),
            Self::Members(members) => members.next().map(|member| member.value()),
            Self::None => None,
        }
    }
}

impl<'a, T: Read<'a>> Children<'a, T> {
    /// The array or object itself.
    #[must_use]
    pub fn node(self) -> Node<'a> {
        self.node
    }

    /// The children, in source order.
    pub fn iter(self) -> impl Iterator<Item = T> + use<'a, T> {
        self.nodes().filter_map(T::read)
    }

    pub(crate) fn nodes(self) -> ChildNodes<'a> {
        match (self.node.as_array(), self.node.as_object()) {
            (Some(array), _) => ChildNodes::Elements(array.elements()),
            (_, Some(object)) => ChildNodes::Members(object.members()),
            _ => ChildNodes::None,
        }
    }
}

impl<'a, T: Read<'a>> Read<'a> for Children<'a, T> {
    fn read(node: Node<'a>) -> Option<Self> {
        (node.is_array() || node.is_object()).then_some(Self { node, child: PhantomData })
    }

    fn shape() -> Shape {
        Shape::new("an array", |node| node.is_array() || node.is_object())
            .with(Inside::Each(T::shape))
    }
}

/// The steps of a path: an array, as the tools write them, or one text, as in the documentation of
/// the format.
#[derive(Clone, Copy, Debug)]
pub struct Steps<'a> {
    node: Node<'a>,
}

impl<'a> Steps<'a> {
    /// The steps as values of the document, in order.
    pub fn iter(self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let text = self.node.is_string().then_some(self.node);
        text.into_iter().chain(self.node.as_array().into_iter().flat_map(Array::elements))
    }
}

impl<'a> Read<'a> for Steps<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        (node.is_array() || node.is_string()).then_some(Self { node })
    }

    fn shape() -> Shape {
        Shape::new("an array or a string", |node| node.is_array() || node.is_string())
    }
}

/// The key of an instance in an `index` member: a number for `count`, a string for `for_each`.
#[derive(Clone, Copy, Debug)]
pub enum Index<'a> {
    /// A key of `count`.
    Number(JsonNumber<'a>),
    /// A key of `for_each`.
    Text(&'a str),
}

impl<'a> Read<'a> for Index<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        match node.as_number() {
            Some(number) => Some(Self::Number(number)),
            None => node.to_str().map(Self::Text),
        }
    }

    fn shape() -> Shape {
        Shape::new("a number or a string", |node| node.is_string() || node.as_number().is_some())
    }
}

/// Defines views: a `Copy` handle on an object, a typed accessor for each member of the format, and
/// the shape that checks the types of a whole document. `VIEW with BASE` also has the members of
/// another view, without accessors.
macro_rules! views {
    ($($(#[$doc:meta])* $view:ident $(with $base:ident)? {
        $($(#[$field_doc:meta])* $field:ident $name:literal $type:ty;)*
    })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $view<'a> {
            object: $crate::json::Object<'a>,
        }

        impl<'a> $view<'a> {
            /// The members of the format.
            pub(crate) const MEMBERS: &'static [$crate::show::shape::Known] =
                &[$(($name, <$type as $crate::show::Read<'a>>::shape),)*];

            /// All members, including those without an accessor.
            #[must_use]
            pub fn object(self) -> $crate::json::Object<'a> {
                self.object
            }

            $(
                $(#[$field_doc])*
                #[must_use]
                pub fn $field(self) -> $crate::show::Field<'a, $type> {
                    $crate::show::Field::of(self.object.get($name))
                }
            )*
        }

        /// Serializes as the JSON that it is a view of.
        #[cfg(feature = "serde")]
        impl serde_core::Serialize for $view<'_> {
            fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.object.serialize(serializer)
            }
        }

        impl<'a> $crate::show::Read<'a> for $view<'a> {
            fn read(node: $crate::json::Node<'a>) -> Option<Self> {
                node.as_object().map(|object| Self { object })
            }

            fn shape() -> $crate::show::Shape {
                let members = $crate::show::field::members!($view $($base)?);
                $crate::show::Shape::new("an object", |node| node.is_object())
                    .with($crate::show::shape::Inside::Members(members))
            }
        }
    )* };
}
pub(crate) use views;

/// The members of a view, and those of the view that it extends.
macro_rules! members {
    ($view:ident) => {{
        const { assert!($view::MEMBERS.len() <= $crate::show::shape::MAX_KNOWN) };
        $view::MEMBERS
    }};
    ($view:ident $base:ident) => {{
        const LEN: usize = $base::MEMBERS.len() + $view::MEMBERS.len();
        const { assert!(LEN <= $crate::show::shape::MAX_KNOWN) };
        static ALL: [$crate::show::shape::Known; LEN] =
            $crate::show::shape::joined($base::MEMBERS, $view::MEMBERS);
        &ALL
    }};
}
pub(crate) use members;
