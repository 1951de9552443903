//! Objects and arrays: their members in order, duplicates included.

use super::Node;
use super::string::JsonString;
use crate::diagnostic::Label;
use crate::event::Kind;
use crate::event::stream::Segment;
use crate::span::Span;

/// A JSON object: its members in source order, duplicates included.
///
/// ```
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": 1, "b": 2}"#)?;
/// let object = document.root().as_object().unwrap();
/// let names: Vec<&str> = object.members().map(|member| member.name().to_str()).collect();
/// assert_eq!(names, ["a", "b"]);
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    node: Node<'a>,
}

impl<'a> Object<'a> {
    pub(super) fn new(node: Node<'a>) -> Self {
        Self { node }
    }

    /// The object as a value.
    #[must_use]
    pub fn node(self) -> Node<'a> {
        self.node
    }

    /// Its members, in source order.
    ///
    /// Cost: constant, unless the object is sealed. Then its bytes are parsed once, on the calling
    /// thread, without holding a lock.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": 1, "a": 2}"#)?;
    /// let values = document.root().as_object().unwrap().members();
    /// assert_eq!(values.map(|member| member.value().text()).collect::<Vec<_>>(), [b"1", b"2"]);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn members(self) -> Members<'a> {
        let (segment, start) = self.node.segment.open(self.node.index);
        Members { segment, at: start + 1 }
    }

    /// The value of the first member with that name. Cost: linear in the members before it.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": 1}"#)?;
    /// let object = document.root().as_object().unwrap();
    /// assert_eq!(object.get("a").unwrap().text(), b"1");
    /// assert!(object.get("b").is_none());
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn get(self, name: &str) -> Option<Node<'a>> {
        self.get_all(name).next()
    }

    /// The values of all members with that name, in source order.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": 1, "b": 2, "a": 3}"#)?;
    /// assert_eq!(document.root().as_object().unwrap().get_all("a").count(), 2);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn get_all<'n>(self, name: &'n str) -> impl Iterator<Item = Node<'a>> + use<'a, 'n> {
        self.members().filter(move |member| member.is_named(name)).map(Member::value)
    }

    /// The number of members, duplicates included. Cost: linear in this number.
    #[must_use]
    pub fn len(self) -> usize {
        self.members().count()
    }

    /// Whether it has no members.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.members().next().is_none()
    }
}

impl<'a> IntoIterator for Object<'a> {
    type Item = Member<'a>;
    type IntoIter = Members<'a>;

    fn into_iter(self) -> Members<'a> {
        self.members()
    }
}

/// One member of an object: a name and a value.
///
/// ```
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": 1}"#)?;
/// let member = document.root().as_object().unwrap().members().next().unwrap();
/// assert!(member.is_named("a"));
/// assert_eq!((member.value().text(), member.span().end), (&b"1"[..], 7));
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    name: Node<'a>,
}

impl<'a> Member<'a> {
    /// Returns the member whose name is `name`.
    pub(crate) fn of_name(name: Node<'a>) -> Self {
        Self { name }
    }

    /// The name.
    #[must_use]
    pub fn name(self) -> JsonString<'a> {
        JsonString::new(self.name)
    }

    /// The value.
    #[must_use]
    pub fn value(self) -> Node<'a> {
        Node { segment: self.name.segment, index: self.name.index + 1 }
    }

    /// The name's bytes, quotes included.
    #[must_use]
    pub fn name_span(self) -> Span {
        self.name.span()
    }

    /// From the start of the name to the end of the value.
    #[must_use]
    pub fn span(self) -> Span {
        Span::new(self.name.offset(), self.value().span().end)
    }

    /// The place of the name. See [`name_span`](Self::name_span).
    #[must_use]
    pub fn name_label(self) -> Label<'a> {
        Label::new(self.value().source(), self.name_span())
    }

    /// The place of the name and the value. See [`span`](Self::span).
    #[must_use]
    pub fn label(self) -> Label<'a> {
        Label::new(self.value().source(), self.span())
    }

    /// Whether the decoded name is `name`. Does not allocate.
    #[must_use]
    pub fn is_named(self, name: &str) -> bool {
        self.name().is(name)
    }
}

/// The members of an object, in source order.
#[derive(Clone)]
pub struct Members<'a> {
    segment: &'a Segment<'a>,
    at: u32,
}

#[cfg(feature = "serde")]
impl Members<'_> {
    /// Asks the processor for the texts of the next member's value.
    #[inline]
    pub(crate) fn prefetch(&self) {
        self.segment.prefetch(self.at + 1);
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    #[inline]
    fn next(&mut self) -> Option<Member<'a>> {
        if self.segment.event(self.at).kind() != Kind::Key {
            return None;
        }
        let name = Node { segment: self.segment, index: self.at };
        self.at = self.segment.after(self.at + 1);
        Some(Member { name })
    }
}

/// A JSON array.
///
/// ```
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#"[1, 2]"#)?;
/// let array = document.root().as_array().unwrap();
/// assert_eq!(array.elements().filter_map(|it| it.as_number()?.as_u64()).sum::<u64>(), 3);
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    node: Node<'a>,
}

impl<'a> Array<'a> {
    pub(super) fn new(node: Node<'a>) -> Self {
        Self { node }
    }

    /// The array as a value.
    #[must_use]
    pub fn node(self) -> Node<'a> {
        self.node
    }

    /// Its elements, in order. Cost: like [`Object::members`].
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"["a", "b"]"#)?;
    /// let elements = document.root().as_array().unwrap().elements();
    /// assert_eq!(elements.filter_map(|it| it.to_str()).collect::<Vec<_>>(), ["a", "b"]);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn elements(self) -> Elements<'a> {
        let (segment, start) = self.node.segment.open(self.node.index);
        Elements { segment, at: start + 1, end: segment.end(start) }
    }

    /// The element at `index`, from 0. Cost: linear in the index.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"[1, 2]"#)?;
    /// let array = document.root().as_array().unwrap();
    /// assert_eq!(array.get(1).unwrap().text(), b"2");
    /// assert!(array.get(2).is_none());
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn get(self, index: usize) -> Option<Node<'a>> {
        self.elements().nth(index)
    }

    /// The number of elements. Cost: linear in this number.
    #[must_use]
    pub fn len(self) -> usize {
        self.elements().count()
    }

    /// Whether it has no elements.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.elements().next().is_none()
    }
}

impl<'a> IntoIterator for Array<'a> {
    type Item = Node<'a>;
    type IntoIter = Elements<'a>;

    fn into_iter(self) -> Elements<'a> {
        self.elements()
    }
}

/// The elements of an array, in order.
#[derive(Clone)]
pub struct Elements<'a> {
    segment: &'a Segment<'a>,
    at: u32,
    end: u32,
}

#[cfg(feature = "serde")]
impl Elements<'_> {
    /// Asks the processor for the texts of the next element.
    #[inline]
    pub(crate) fn prefetch(&self) {
        self.segment.prefetch(self.at);
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        if self.at >= self.end {
            return None;
        }
        let node = Node { segment: self.segment, index: self.at };
        self.at = self.segment.after(self.at);
        Some(node)
    }
}
