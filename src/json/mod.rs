//! Schema-free views of a document: values, objects with all their members in order, arrays,
//! strings, exact numbers.
//!
//! Every view is a `Copy` handle and knows its bytes. Reading the members of a sealed container
//! opens it (see [`crate::event`]). Nothing else allocates, except strings with escapes, which are
//! decoded into the arena.
//!
//! ```
//! use simd_hcl::json::JsonValue;
//! use simd_hcl::{Arena, Document};
//!
//! let arena = Arena::new();
//! let document = Document::parse_bytes(&arena, "a.json", br#"{"a": [1.50, "x"]}"#)?;
//! let object = document.root().as_object().unwrap();
//! for element in object.get("a").and_then(|node| node.as_array()).unwrap().elements() {
//!     match element.value() {
//!         JsonValue::Number(number) => assert_eq!(number.text(), "1.50"),
//!         JsonValue::String(string) => assert_eq!(string.to_str(), "x"),
//!         other => panic!("{other:?}"),
//!     }
//! }
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```

mod events;
mod number;
mod object;
mod pointer;
mod string;

pub use self::events::{Events, JsonEvent};
pub use self::number::JsonNumber;
pub use self::object::{Array, Elements, Member, Members, Object};
pub use self::string::JsonString;
pub(crate) use self::string::{
    Pieces, decode, is_escaped_introducer, lone_surrogates, lone_surrogates_in,
};

use crate::diagnostic::Label;
use crate::event::stream::{Parsed, Segment};
use crate::event::{Flags, Kind};
pub(crate) use crate::scan::str_of;
use crate::source::Source;
use crate::span::Span;

/// A JSON value.
///
/// ```
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": [1, null]}"#)?;
/// let a = document.root().as_object().unwrap().get("a").unwrap();
/// assert_eq!((a.type_name(), a.text()), ("an array", &b"[1, null]"[..]));
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Node<'a> {
    segment: &'a Segment<'a>,
    index: u32,
}

/// The value of a [`Node`], as a view of its type.
///
/// ```
/// use simd_hcl::json::JsonValue;
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#"[null, 1.5, "a"]"#)?;
/// let count = |is: fn(JsonValue<'_>) -> bool| {
///     document.root().as_array().unwrap().elements().filter(|it| is(it.value())).count()
/// };
/// assert_eq!(count(|value| matches!(value, JsonValue::Null)), 1);
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum JsonValue<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(JsonNumber<'a>),
    /// A string.
    String(JsonString<'a>),
    /// An array.
    Array(Array<'a>),
    /// An object.
    Object(Object<'a>),
}

impl<'a> Node<'a> {
    pub(crate) fn new(segment: &'a Segment<'a>, index: u32) -> Self {
        Self { segment, index }
    }

    /// The inverse of [`Node::new`].
    pub(crate) fn parts(self) -> (&'a Segment<'a>, u32) {
        (self.segment, self.index)
    }

    /// The value as a view of its type. Opens a sealed container.
    ///
    /// ```
    /// use simd_hcl::json::JsonValue;
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": 1}"#)?;
    /// let kind = match document.root().value() {
    ///     JsonValue::Object(object) => format!("an object of {}", object.len()),
    ///     _ => "something else".to_owned(),
    /// };
    /// assert_eq!(kind, "an object of 1");
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn value(self) -> JsonValue<'a> {
        match self.event_kind() {
            Kind::False => JsonValue::Bool(false),
            Kind::True => JsonValue::Bool(true),
            Kind::Number => JsonValue::Number(JsonNumber::new(self)),
            Kind::String | Kind::Key => JsonValue::String(JsonString::new(self)),
            Kind::StartObject => JsonValue::Object(Object::new(self)),
            Kind::StartArray => JsonValue::Array(Array::new(self)),
            _ => JsonValue::Null,
        }
    }

    /// The object, if it is one.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": 1}"#)?;
    /// let object = document.root().as_object().unwrap();
    /// assert_eq!(object.len(), 1);
    /// assert!(document.root().as_array().is_none());
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn as_object(self) -> Option<Object<'a>> {
        self.is_object().then(|| Object::new(self))
    }

    /// The array, if it is one.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"[1, 2]"#)?;
    /// let array = document.root().as_array().unwrap();
    /// assert_eq!(array.get(1).unwrap().text(), b"2");
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn as_array(self) -> Option<Array<'a>> {
        self.is_array().then(|| Array::new(self))
    }

    /// The string, if it is one. The name of a member is a string, too.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#""a\nb""#)?;
    /// let string = document.root().as_string().unwrap();
    /// assert_eq!((string.raw(), string.to_str()), (r"a\nb", "a\nb"));
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn as_string(self) -> Option<JsonString<'a>> {
        matches!(self.event_kind(), Kind::String | Kind::Key).then(|| JsonString::new(self))
    }

    /// The decoded text, if it is a string. See [`JsonString::to_str`] for the cost.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"["a", 1]"#)?;
    /// let elements: Vec<_> = document.root().as_array().unwrap().elements().collect();
    /// assert_eq!((elements[0].to_str(), elements[1].to_str()), (Some("a"), None));
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn to_str(self) -> Option<&'a str> {
        self.as_string().map(JsonString::to_str)
    }

    /// The number, if it is one.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"1.50"#)?;
    /// let number = document.root().as_number().unwrap();
    /// assert_eq!((number.text(), number.as_u64()), ("1.50", None));
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn as_number(self) -> Option<JsonNumber<'a>> {
        (self.event_kind() == Kind::Number).then(|| JsonNumber::new(self))
    }

    /// The boolean, if it is one.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"true"#)?;
    /// assert_eq!(document.root().as_bool(), Some(true));
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.event_kind() {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// The template in the string, parsed by `parse` on first use.
    pub(crate) fn program(self, parse: impl FnOnce(Source<'a>) -> Parsed<'a>) -> Parsed<'a> {
        let stream = self.segment.stream;
        stream.program(self.offset(), || parse(stream.source))
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.event_kind() == Kind::Null
    }

    /// Whether it is an object.
    #[must_use]
    pub fn is_object(self) -> bool {
        self.event_kind() == Kind::StartObject
    }

    /// Whether it is an array.
    #[must_use]
    pub fn is_array(self) -> bool {
        self.event_kind() == Kind::StartArray
    }

    /// Whether it is a string.
    #[must_use]
    pub fn is_string(self) -> bool {
        matches!(self.event_kind(), Kind::String | Kind::Key)
    }

    /// Its type, with an article: "an object", "a string", "null".
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"[null]"#)?;
    /// let element = document.root().as_array().unwrap().get(0).unwrap();
    /// assert_eq!((document.root().type_name(), element.type_name()), ("an array", "null"));
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn type_name(self) -> &'static str {
        match self.event_kind() {
            Kind::True | Kind::False => "a bool",
            Kind::Number => "a number",
            Kind::String | Kind::Key => "a string",
            Kind::StartObject => "an object",
            Kind::StartArray => "an array",
            _ => "null",
        }
    }

    /// Its bytes, quotes and brackets included.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"[1, 23]"#)?;
    /// let element = document.root().as_array().unwrap().get(1).unwrap();
    /// assert_eq!((element.span().start, element.span().end), (4, 6));
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn span(self) -> Span {
        self.segment.span(self.index)
    }

    /// The opening bracket of a container, the whole bytes of any other value.
    #[must_use]
    pub fn start_span(self) -> Span {
        if self.event_kind().is_start() {
            let start = self.offset();
            Span::new(start, start + 1)
        } else {
            self.span()
        }
    }

    /// The place of the whole value. See [`span`](Self::span).
    #[must_use]
    pub fn label(self) -> Label<'a> {
        Label::new(self.source(), self.span())
    }

    /// The place of its start. See [`start_span`](Self::start_span).
    #[must_use]
    pub fn start_label(self) -> Label<'a> {
        Label::new(self.source(), self.start_span())
    }

    /// The offset of its first byte.
    #[must_use]
    pub fn offset(self) -> u32 {
        self.segment.event(self.index).offset()
    }

    /// Its text in the source.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"[1, 2.0]"#)?;
    /// let element = document.root().as_array().unwrap().get(1).unwrap();
    /// assert_eq!(element.text(), b"2.0");
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn text(self) -> &'a [u8] {
        self.span().slice(self.source().bytes())
    }

    /// The source that contains it.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        self.segment.stream.source
    }

    /// Whether it is a container whose members have no events yet.
    #[must_use]
    pub fn is_sealed(self) -> bool {
        self.segment.is_sealed(self.index)
    }

    #[inline]
    pub(crate) fn event_kind(self) -> Kind {
        self.segment.event(self.index).kind()
    }

    fn flags(self) -> Flags {
        self.segment.event(self.index).flags()
    }

    /// Returns text that the parser has validated as UTF-8.
    fn utf8(self, span: Span) -> &'a str {
        str_of(span.slice(self.source().bytes()))
    }
}

/// Nodes are equal if they are the same value of the same document.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.source() == other.source() && self.offset() == other.offset()
    }
}

impl Eq for Node<'_> {}

/// Writes its JSON as it is in the file.
impl std::fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.text()))
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {:?}", self.type_name(), self.span())
    }
}
