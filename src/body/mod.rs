//! Bodies: JSON values read by a schema, as chapter "Structural Elements" of the HCL JSON syntax
//! specification says.
//!
//! JSON does not distinguish attributes from blocks, so nothing is a block until a [`Schema`] says
//! so: [`Body::content`] and [`Body::partial_content`] separate attributes and blocks,
//! [`Body::just_attributes`] treats every property as an attribute. Each reads the body's own
//! members and the levels of its blocks' labels; the bodies of its blocks stay unopened until they
//! are read in turn.
//!
//! * A body is an object, or an array of objects that are read as one.
//! * A block type has as many levels of properties as labels, each level an object or an array of
//!   objects. Below them is the block's body, or an array of bodies, one per block. `null` declares
//!   no block.
//! * Properties named `"//"` are comments, unless the schema names them. Where a label is expected
//!   they are labels.
//! * Duplicates and order are kept: blocks come in the order of the source; of an attribute that is
//!   set twice the first counts, and the second is an error.
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
//! # Ok::<(), Box<simd_hcl::OpenError>>(())
//! ```

mod content;
mod file;
mod properties;
mod schema;

pub use self::content::{Attribute, Block, Content};
pub use self::schema::{AttributeSchema, BlockSchema, Schema};

#[cfg(feature = "serde")]
pub(crate) use self::content::{blocks_of, labels_below};
use self::properties::Properties;
#[cfg(feature = "serde")]
use crate::diagnostic::Sink;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::json::{Member, Node};
use crate::source::Source;
use crate::span::Span;

/// A value that is to be read as a body. A `Copy` handle; nothing is checked before it is read.
#[derive(Clone, Copy)]
pub struct Body<'a> {
    node: Node<'a>,
    is_root: bool,
    hidden: Option<&'a Hidden<'a>>,
}

/// The names that earlier partial readings of a body have taken.
struct Hidden<'a> {
    names: &'a [&'a [u8]],
    earlier: Option<&'a Hidden<'a>>,
}

impl<'a> Body<'a> {
    /// A JSON value as a body.
    #[must_use]
    pub fn from_json(node: Node<'a>) -> Self {
        Self { node, is_root: false, hidden: None }
    }

    pub(crate) fn root(node: Node<'a>) -> Self {
        Self { is_root: true, ..Self::from_json(node) }
    }

    /// The value, of a body that is written in JSON.
    #[must_use]
    pub fn as_json(self) -> Option<Node<'a>> {
        Some(self.node)
    }

    pub(crate) fn node(self) -> Node<'a> {
        self.node
    }

    /// The source it is in.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        self.node.source()
    }

    /// Where to say that something is missing: the closing brace of an object, the opening bracket
    /// of an array, otherwise all of the value.
    #[must_use]
    pub fn missing_item_span(self) -> Span {
        if self.node.is_object() {
            let end = self.node.span().end;
            Span::new(end.saturating_sub(1), end)
        } else {
            self.node.start_span()
        }
    }

    /// The place to say that something is missing. See
    /// [`missing_item_span`](Self::missing_item_span).
    #[must_use]
    pub fn missing_item_label(self) -> Label<'a> {
        Label::new(self.source(), self.missing_item_span())
    }

    /// The diagnostic that the value cannot be a body, if so.
    #[must_use]
    pub fn type_error(self) -> Option<Diagnostic<'a>> {
        let node = self.node;
        let is_body = node.is_object() || node.is_array() || (node.is_null() && !self.is_root);
        (!is_body).then(|| {
            if self.is_root {
                Diagnostic::new(Code::RootNotObject, node.start_label())
                    .with_arguments(&[node.type_name()])
            } else {
                properties::wrong_type(node, properties::BODY)
            }
        })
    }

    /// The properties that no reading has taken yet, each as an attribute, without comments, in
    /// source order. Elements of an array that are not objects are skipped. Names may be duplicate.
    /// For bodies without a schema.
    pub fn properties(self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        let mut all = Properties::of(self.node, properties::BODY, &mut ());
        let members = std::iter::from_fn(move || all.as_mut()?.next(&mut ()));
        let counts = move |property: &Member<'a>| {
            let name = property.name().to_bytes();
            name != properties::COMMENT && !self.is_hidden(name)
        };
        members.filter(counts).map(Attribute::of)
    }

    /// The same, but values that are not bodies, and elements that are not objects, are reported.
    #[cfg(feature = "serde")]
    pub(crate) fn checked_properties(self, sink: &mut dyn Sink<'a>) -> Vec<Member<'a>> {
        if let Some(error) = self.type_error() {
            sink.report(error);
            return Vec::new();
        }
        let mut found = labels_below(self.node, sink);
        found.retain(|property| {
            let name = property.name().to_bytes();
            name != properties::COMMENT && !self.is_hidden(name)
        });
        found
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

impl std::fmt::Debug for Body<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Body").field(&self.node).finish()
    }
}
