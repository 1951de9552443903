//! Attributes and blocks of bodies.

use super::Body;
use super::place::Place;
use crate::diagnostic::Label;
use crate::expression::{Expression, Written, of_item};
use crate::json::{JsonString, Member, Node};
use crate::source::Source;
use crate::span::Span;
use crate::structure::{FileBlock, Handle, Item};

/// A property that is an attribute; in a body without a schema, any property.
#[derive(Clone, Copy)]
pub struct Attribute<'a> {
    place: Place<'a>,
}

/// A view of an attribute.
enum Property<'a> {
    Json(Member<'a>),
    Native(Handle<'a>),
}

impl<'a> Attribute<'a> {
    /// Returns a property as an attribute.
    pub(super) fn of(property: Member<'a>) -> Self {
        Self { place: Place::json(property.name().node()) }
    }

    /// Returns an attribute of a native file, or a block read as one.
    pub(crate) fn of_item(item: Item<'a>) -> Self {
        let Handle { table, row } = item.handle();
        Self { place: Place::Native { table, row } }
    }

    #[inline]
    fn property(self) -> Property<'a> {
        match self.place {
            Place::Json { segment, index } => {
                Property::Json(Member::of_name(Node::new(segment, index)))
            }
            Place::Native { table, row } => Property::Native(Handle { table, row }),
        }
    }

    /// The member of a JSON object.
    pub(crate) fn as_member(self) -> Option<Member<'a>> {
        match self.property() {
            Property::Json(member) => Some(member),
            Property::Native(_) => None,
        }
    }

    /// The block of a native file, if it is read as an attribute in a body without a schema.
    pub(crate) fn as_block(self) -> Option<Block<'a>> {
        match self.property() {
            Property::Json(_) => None,
            Property::Native(handle) => match handle.item()? {
                Item::Block(block) => Some(Block::of_file(block)),
                Item::Attribute(_) => None,
            },
        }
    }

    /// Whether it has that name. Does not allocate.
    #[must_use]
    pub fn is_named(self, name: &str) -> bool {
        match self.property() {
            Property::Json(member) => member.is_named(name),
            Property::Native(handle) => handle.name() == name,
        }
    }

    /// The name. If it has escapes, every call decodes it into the arena.
    #[must_use]
    pub fn name(self) -> &'a str {
        match self.property() {
            Property::Json(member) => member.name().to_str(),
            Property::Native(handle) => handle.name(),
        }
    }

    /// The name's bytes, quotes included.
    #[must_use]
    pub fn name_span(self) -> Span {
        match self.property() {
            Property::Json(member) => member.name_span(),
            Property::Native(handle) => handle.name_span(),
        }
    }

    /// From the start of the name to the end of the value.
    #[must_use]
    pub fn span(self) -> Span {
        match self.property() {
            Property::Json(member) => member.span(),
            Property::Native(handle) => handle.span(),
        }
    }

    /// The place of the name. See [`name_span`](Self::name_span).
    #[must_use]
    pub fn name_label(self) -> Label<'a> {
        Label::new(self.source(), self.name_span())
    }

    /// The place of the name and the value. See [`span`](Self::span).
    #[must_use]
    pub fn label(self) -> Label<'a> {
        Label::new(self.source(), self.span())
    }

    /// The value.
    #[must_use]
    pub fn expression(self) -> Expression<'a> {
        match self.property() {
            Property::Json(member) => Expression::from_json(member.value()),
            Property::Native(handle) => match handle.item() {
                Some(item) => Expression::new(of_item(item)),
                // No attribute has such a row.
                None => Expression::new(Written::block(handle.block())),
            },
        }
    }

    /// The source that contains it.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        match self.property() {
            Property::Json(member) => member.value().source(),
            Property::Native(handle) => handle.source(),
        }
    }
}

impl std::fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Attribute")
            .field("name", &self.name())
            .field("expression", &self.expression())
            .finish()
    }
}

/// A block: a type, labels and a body.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    header: Header<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Header<'a> {
    Json { property: Member<'a>, labels: &'a [JsonString<'a>], body: Node<'a> },
    Native(FileBlock<'a>),
}

/// One of two iterators.
#[derive(Clone)]
enum Either<J, N> {
    Json(J),
    Native(N),
}

impl<T, J: ExactSizeIterator<Item = T>, N: ExactSizeIterator<Item = T>> Iterator for Either<J, N> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self {
            Self::Json(items) => items.next(),
            Self::Native(items) => items.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Json(items) => items.size_hint(),
            Self::Native(items) => items.size_hint(),
        }
    }
}

impl<T, J, N> ExactSizeIterator for Either<J, N>
where
    J: ExactSizeIterator<Item = T>,
    N: ExactSizeIterator<Item = T>,
{
}

impl<'a> Block<'a> {
    pub(super) fn of_json(
        property: Member<'a>,
        labels: &'a [JsonString<'a>],
        body: Node<'a>,
    ) -> Self {
        Self { header: Header::Json { property, labels, body } }
    }

    /// Returns a block of a native file. It may have any number of labels.
    pub(crate) fn of_file(block: FileBlock<'a>) -> Self {
        Self { header: Header::Native(block) }
    }

    /// The block type.
    #[must_use]
    pub fn block_type(self) -> &'a str {
        match self.header {
            Header::Json { property, .. } => property.name().to_str(),
            Header::Native(block) => block.block_type(),
        }
    }

    /// The block type as bytes, for comparisons.
    pub(crate) fn type_bytes(self) -> &'a [u8] {
        match self.header {
            Header::Json { property, .. } => property.name().to_bytes(),
            Header::Native(block) => block.block_type().as_bytes(),
        }
    }

    /// Whether it has that type.
    #[must_use]
    pub fn is(self, block_type: &str) -> bool {
        match self.header {
            Header::Json { property, .. } => property.is_named(block_type),
            Header::Native(block) => block.block_type() == block_type,
        }
    }

    /// The bytes of the type. In JSON they are those of the property with that name, quotes
    /// included; several blocks may share them.
    #[must_use]
    pub fn type_span(self) -> Span {
        match self.header {
            Header::Json { property, .. } => property.name_span(),
            Header::Native(block) => block.type_span(),
        }
    }

    /// The labels, as many as the schema requires.
    pub fn labels(self) -> impl ExactSizeIterator<Item = &'a str> + Clone + use<'a> {
        match self.header {
            Header::Json { labels, .. } => Either::Json(labels.iter().map(|label| label.to_str())),
            Header::Native(block) => Either::Native(block.labels()),
        }
    }

    /// The label at `index`, counted from 0.
    #[must_use]
    pub fn label(self, index: usize) -> Option<&'a str> {
        match self.header {
            Header::Json { labels, .. } => labels.get(index).map(|label| label.to_str()),
            Header::Native(block) => block.labels().nth(index),
        }
    }

    /// The bytes of each label, quotes included.
    pub fn label_spans(self) -> impl ExactSizeIterator<Item = Span> + Clone + use<'a> {
        match self.header {
            Header::Json { labels, .. } => Either::Json(labels.iter().map(|label| label.span())),
            Header::Native(block) => Either::Native(block.label_spans()),
        }
    }

    /// The place of the label at `index`, counted from 0, quotes included, or of the type if there
    /// is no such label.
    #[must_use]
    pub fn label_place(self, index: usize) -> Label<'a> {
        self.label_places().nth(index).unwrap_or_else(|| self.type_label())
    }

    /// The place of each label, quotes included.
    pub fn label_places(self) -> impl ExactSizeIterator<Item = Label<'a>> + Clone + use<'a> {
        let source = self.source();
        self.label_spans().map(move |span| Label::new(source, span))
    }

    /// The bytes of the block's definition: in JSON the opening bracket of its own body, in a
    /// native file its type and labels.
    #[must_use]
    pub fn definition_span(self) -> Span {
        match self.header {
            Header::Json { body, .. } => body.start_span(),
            Header::Native(block) => block.definition_span(),
        }
    }

    /// The bytes of the whole block; in JSON, of its whole body.
    #[must_use]
    pub fn span(self) -> Span {
        match self.header {
            Header::Json { body, .. } => body.span(),
            Header::Native(block) => block.span(),
        }
    }

    /// The place of the block type. See [`type_span`](Self::type_span).
    #[must_use]
    pub fn type_label(self) -> Label<'a> {
        Label::new(self.source(), self.type_span())
    }

    /// The place of the block's definition. See [`definition_span`](Self::definition_span).
    #[must_use]
    pub fn definition_label(self) -> Label<'a> {
        Label::new(self.source(), self.definition_span())
    }

    /// The body. In JSON it has not been checked yet.
    #[must_use]
    pub fn body(self) -> Body<'a> {
        match self.header {
            Header::Json { body, .. } => Body::from_json(body),
            Header::Native(block) => Body::from_native(block.body()),
        }
    }

    /// The body as an expression: a map of its attributes and blocks.
    pub(crate) fn as_expression(self) -> Expression<'a> {
        self.body().as_expression()
    }

    /// The source that contains it.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        match self.header {
            Header::Json { body, .. } => body.source(),
            Header::Native(block) => block.source(),
        }
    }
}
