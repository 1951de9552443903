//! Bodies: JSON values and bodies of native files, read by a schema. Follows chapter "Structural
//! Elements" of the HCL JSON syntax specification and chapter "Bodies" of the native one.
//!
//! JSON does not distinguish attributes from blocks, so only a [`Schema`] makes a property a block:
//! [`Body::content`] and [`Body::partial_content`] separate attributes and blocks,
//! [`Body::just_attributes`] treats every property as an attribute. Each reads the body's own
//! members and the levels of its blocks' labels; the bodies of its blocks stay unopened until they
//! are read themselves.
//!
//! * A body is an object, or an array of objects that are read as one.
//! * A block type has as many levels of properties as labels, each level an object or an array of
//!   objects. Below them is the block's body, or an array of bodies, one per block. `null` declares
//!   no block.
//! * Properties named `"//"` are comments, unless the schema names them. Where a label is expected
//!   they are labels.
//! * In native files, the syntax distinguishes attributes from blocks, and a block must have
//!   exactly the labels of its schema.
//! * Duplicates and order are kept: blocks are in source order; of duplicate attributes, the first
//!   one counts, and the second is an error.
//!
//! ```
//! use simd_hcl::body::{AttributeSchema, BlockSchema, Schema};
//! static ROOT: Schema = Schema::new(&[], &[BlockSchema::new("variable", &["name"])]);
//! static VARIABLE: Schema = Schema::new(&[AttributeSchema::optional("default")], &[]);
//!
//! let arena = simd_hcl::Arena::new();
//! let json = br#"{"variable": {"size": {"default": 3}, "name": [{}]}}"#;
//! let document = simd_hcl::Document::parse_bytes(&arena, "main.tf.json", json)?;
//! let mut diagnostics = Vec::new();
//! let content = document.body().content(&ROOT, &mut diagnostics);
//! let names: Vec<_> = content.blocks("variable").map(|block| block.label(0)).collect();
//! assert_eq!(names, [Some("size"), Some("name")]);
//!
//! let size = content.blocks("variable").next().unwrap().body().content(&VARIABLE, &mut diagnostics);
//! assert_eq!(size.attribute("default").unwrap().expression().as_json().unwrap().as_number().unwrap().as_u64(), Some(3));
//! assert!(diagnostics.is_empty());
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```

mod content;
mod file;
mod found;
mod item;
mod place;
mod properties;
mod reading;
mod schema;

pub use self::content::Content;
pub(crate) use self::content::{BriefContent, Parts};
pub use self::item::{Attribute, Block};
pub use self::schema::{AttributeSchema, BlockSchema, Schema};

#[cfg(feature = "serde")]
pub(crate) use self::content::{blocks_of, labels_below};
use self::place::{Place, Syntax};
use self::properties::Properties;
use crate::arena::Arena;
#[cfg(feature = "serde")]
use crate::diagnostic::Sink;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::expression::{Expression, Written};
#[cfg(feature = "serde")]
use crate::expression::{MapKey, of_item};
use crate::json::{Member, Node};
use crate::source::Source;
use crate::span::Span;
use crate::structure::{File, FileBody};

/// A JSON value to be read as a body, or a body of a native file. A `Copy` handle; JSON is not
/// checked before it is read.
#[derive(Clone, Copy)]
pub struct Body<'a> {
    place: Place<'a>,
    hidden: Option<&'a Hidden<'a>>,
}

/// The names that earlier partial readings of a body have taken.
struct Hidden<'a> {
    names: &'a [&'a [u8]],
    earlier: Option<&'a Hidden<'a>>,
}

/// The names that most readings of whole bodies leave out. Bodies share them.
static WITHOUT_LIFECYCLE: Hidden<'static> = Hidden { names: &[b"lifecycle"], earlier: None };

impl<'a> Hidden<'a> {
    /// Keeps the names that a reading has taken.
    fn keep(names: &[&'a [u8]], earlier: Option<&'a Self>, arena: &'a Arena) -> &'a Self {
        if earlier.is_none() && names == WITHOUT_LIFECYCLE.names {
            return &WITHOUT_LIFECYCLE;
        }
        let bump = arena.bump();
        bump.alloc(Self { names: bump.alloc_slice_copy(names), earlier })
    }
}

impl<'a> Body<'a> {
    /// Returns a JSON value as a body.
    #[must_use]
    pub fn from_json(node: Node<'a>) -> Self {
        Self { place: Place::json(node), hidden: None }
    }

    /// Returns a body of a native file.
    #[must_use]
    pub fn from_native(body: FileBody<'a>) -> Self {
        let (table, row) = body.row();
        Self { place: Place::Native { table, row }, hidden: None }
    }

    pub(crate) fn root(node: Node<'a>) -> Self {
        let (segment, index) = node.parts();
        Self { place: Place::Json { segment, index, is_root: true }, hidden: None }
    }

    /// The value, if the body is written in JSON.
    #[must_use]
    pub fn as_json(self) -> Option<Node<'a>> {
        match self.syntax() {
            Syntax::Json(node) => Some(node),
            Syntax::Native(_) => None,
        }
    }

    /// The body, if it is one of a native file.
    #[must_use]
    pub fn as_native(self) -> Option<FileBody<'a>> {
        match self.syntax() {
            Syntax::Json(_) => None,
            Syntax::Native(body) => Some(body),
        }
    }

    #[inline]
    fn syntax(self) -> Syntax<'a> {
        match self.place {
            Place::Json { segment, index, .. } => Syntax::Json(Node::new(segment, index)),
            Place::Native { table, row } => Syntax::Native(FileBody::of_row(table, row)),
        }
    }

    /// Whether it is a single body, not an array of several that are read as one.
    pub(crate) fn is_single(self) -> bool {
        match self.syntax() {
            Syntax::Json(node) => node.is_object(),
            Syntax::Native(_) => true,
        }
    }

    /// The body as an expression: a map of its attributes and blocks.
    pub(crate) fn as_expression(self) -> Expression<'a> {
        match self.syntax() {
            Syntax::Json(node) => Expression::from_json(node),
            Syntax::Native(body) => Expression::new(Written::body(body)),
        }
    }

    /// The source that contains it.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        match self.syntax() {
            Syntax::Json(node) => node.source(),
            Syntax::Native(body) => body.source(),
        }
    }

    /// The place to report for a missing item: the closing brace of an object or a block, the
    /// opening bracket of an array, the end of a native file, the whole bytes of any other value.
    #[must_use]
    pub fn missing_item_span(self) -> Span {
        match self.syntax() {
            Syntax::Json(node) if node.is_object() => {
                let end = node.span().end;
                Span::new(end.saturating_sub(1), end)
            }
            Syntax::Json(node) => node.start_span(),
            Syntax::Native(body) => body.missing_item_span(),
        }
    }

    /// The place to report for a missing item. See [`missing_item_span`](Self::missing_item_span).
    #[must_use]
    pub fn missing_item_label(self) -> Label<'a> {
        Label::new(self.source(), self.missing_item_span())
    }

    /// Returns the diagnostic of a value that cannot be a body, or `None` if it can.
    #[must_use]
    pub fn type_error(self) -> Option<Diagnostic<'a>> {
        let node = self.as_json()?;
        let is_root = matches!(self.place, Place::Json { is_root: true, .. });
        let is_body = node.is_object() || node.is_array() || (node.is_null() && !is_root);
        (!is_body).then(|| {
            if is_root {
                Diagnostic::new(Code::RootNotObject, node.start_label())
                    .with_arguments(&[node.type_name()])
            } else {
                properties::wrong_type(node, properties::BODY)
            }
        })
    }

    /// The properties that no partial reading has taken yet, each as an attribute, without
    /// comments, in source order. Elements of an array that are not objects are skipped. Names may
    /// be duplicate. Blocks of a native file are properties, too. For bodies without a schema.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\nb {\n}\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let names: Vec<&str> = file.body().properties().map(|it| it.name()).collect();
    /// assert_eq!(names, ["a", "b"]);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn properties(self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        let (mut members, items) = match self.syntax() {
            Syntax::Json(node) => (Properties::of(node, properties::BODY, &mut ()), None),
            Syntax::Native(body) => (None, Some(body.items())),
        };
        let members = std::iter::from_fn(move || members.as_mut()?.next(&mut ()));
        let counts = move |property: &Member<'a>| {
            let name = property.name().to_bytes();
            name != properties::COMMENT && !self.is_hidden(name)
        };
        let items = items.into_iter().flatten();
        let items = items.filter(move |item| !self.is_hidden(item.name().as_bytes()));
        members.filter(counts).map(Attribute::of).chain(items.map(Attribute::of_item))
    }

    /// Like [`Body::properties`], but reports values that are not bodies, elements that are not
    /// objects, and the first error of a native file.
    #[cfg(feature = "serde")]
    pub(crate) fn checked_properties(
        self,
        sink: &mut dyn Sink<'a>,
    ) -> Vec<(MapKey<'a>, Expression<'a>)> {
        if let Some(error) = self.type_error() {
            sink.report(error);
            return Vec::new();
        }
        match self.syntax() {
            Syntax::Json(node) => {
                let mut found = labels_below(node, sink);
                found.retain(|property| {
                    let name = property.name().to_bytes();
                    name != properties::COMMENT && !self.is_hidden(name)
                });
                let pair = |it: Member<'a>| {
                    (MapKey::of_json(it.name()), Expression::from_json(it.value()))
                };
                found.into_iter().map(pair).collect()
            }
            Syntax::Native(body) => {
                let (table, _) = body.row();
                if let Some(error) = table.error {
                    sink.report(error.clone());
                    return Vec::new();
                }
                let items = body.items().filter(|item| !self.is_hidden(item.name().as_bytes()));
                items.map(|it| (MapKey::of_item(it), Expression::new(of_item(it)))).collect()
            }
        }
    }

    /// Whether no partial reading has taken any of its properties.
    pub(crate) fn is_whole(self) -> bool {
        self.hidden.is_none()
    }

    /// Whether the blocks `lifecycle` are what partial readings have taken.
    pub(crate) fn is_without_lifecycle(self) -> bool {
        self.hidden.is_some_and(|hidden| std::ptr::eq(hidden, &WITHOUT_LIFECYCLE))
    }

    /// Returns a whole body without its blocks `lifecycle`, as a partial reading does.
    pub(crate) fn without_lifecycle(self) -> Self {
        Self { hidden: Some(&WITHOUT_LIFECYCLE), ..self }
    }

    /// Whether an earlier partial reading has taken the name.
    fn is_hidden(self, name: &[u8]) -> bool {
        let mut next = self.hidden;
        while let Some(hidden) = next {
            if hidden.names.contains(&name) {
                return true;
            }
            next = hidden.earlier;
        }
        false
    }
}

impl<'a> From<File<'a>> for Body<'a> {
    fn from(file: File<'a>) -> Self {
        Self::from_native(file.body())
    }
}

impl std::fmt::Debug for Body<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.syntax() {
            Syntax::Json(node) => f.debug_tuple("Body").field(&node).finish(),
            Syntax::Native(body) => f.debug_tuple("Body").field(&body.span()).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every type of a module has fields with these handles.
    #[test]
    fn handles_are_as_small_as_those_of_json() {
        assert_eq!(size_of::<Expression<'_>>(), size_of::<Node<'_>>());
        assert_eq!(size_of::<Attribute<'_>>(), size_of::<Node<'_>>());
        assert_eq!(size_of::<Body<'_>>(), 24);
        assert_eq!(size_of::<Block<'_>>(), 24);
    }
}
