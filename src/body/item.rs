//! Attributes and blocks of bodies.

use super::Body;
use super::place::Place;
use crate::diagnostic::Label;
use crate::event::stream::Segment;
use crate::expression::{Expression, Written, of_item};
use crate::json::{Elements, JsonString, Member, Node};
use crate::source::Source;
use crate::span::Span;
use crate::structure::{FileBlock, Handle, Item, Table};

/// A property that is an attribute; in a body without a schema, any property.
///
/// ```
/// use simd_hcl::{Arena, ParsedFile, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"size = 3\n")?;
/// let file = ParsedFile::native(&arena, source);
/// let size = file.body().just_attributes(&mut ())[0];
/// assert_eq!((size.name(), size.expression().text()), ("size", &b"3"[..]));
/// assert_eq!((size.span().start, size.name_span().end), (0, 4));
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
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
            Place::Json { segment, index, .. } => {
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
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = upper(\"x\")\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let a = file.body().just_attributes(&mut ())[0].expression();
    /// assert_eq!(a.as_call().unwrap().name, "upper");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
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

/// A block: a type, labels and a body. A `Copy` handle of 24 bytes.
///
/// ```
/// use simd_hcl::body::{BlockSchema, Schema};
/// use simd_hcl::{Arena, ParsedFile, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"b \"x\" {\n  c = 1\n}\n")?;
/// let file = ParsedFile::native(&arena, source);
/// static ROOT: Schema = Schema::new(&[], &[BlockSchema::new("b", &["name"])]);
/// let content = file.body().content(&ROOT, &mut ());
/// let block = content.blocks("b").next().unwrap();
/// assert_eq!((block.block_type(), block.label(0)), ("b", Some("x")));
/// assert_eq!(block.body().just_attributes(&mut ())[0].name(), "c");
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Block<'a> {
    form: Form<'a>,
}

#[derive(Clone, Copy)]
enum Form<'a> {
    /// Without labels. The property and the body are events of one segment.
    Plain { segment: &'a Segment<'a>, property: u32, body: u32 },
    /// The body and the last label are events of the segment of `head`. If `last` is [`NONE`],
    /// `head` has all labels.
    Labelled { head: &'a Head<'a>, body: u32, last: u32 },
    /// The row of a block of a native file.
    Native { table: &'a Table<'a>, row: u32 },
}

/// No event has this index.
const NONE: u32 = u32::MAX;

/// The facts that blocks of one property share, if they have the same labels but for the last one.
struct Head<'a> {
    segment: &'a Segment<'a>,
    property: Member<'a>,
    labels: &'a [JsonString<'a>],
    /// All labels, decoded once, if one of them has an escape.
    decoded: &'a [&'a str],
}

/// The values below the last label, each of which is a body.
pub(super) type Bodies<'a> = std::iter::Chain<
    std::option::IntoIter<Node<'a>>,
    std::iter::Flatten<std::option::IntoIter<Elements<'a>>>,
>;

/// Blocks of one property that have the same labels, one for each body.
pub(super) struct Alike<'a, 's> {
    pub(super) property: Member<'a>,
    pub(super) labels: &'s [JsonString<'a>],
    pub(super) bodies: Bodies<'a>,
    pub(super) shared: &'s mut Shared<'a>,
}

/// The facts that blocks with the same labels but for the last one share, once there is such a block.
#[derive(Default)]
pub(super) struct Shared<'a>(Option<&'a Head<'a>>);

impl<'a> Alike<'a, '_> {
    pub(super) fn blocks(self) -> impl Iterator<Item = Block<'a>> {
        let Self { property, labels, bodies, shared } = self;
        let is_escaped = labels.iter().any(|label| label.is_escaped());
        let mut whole: Option<&'a Head<'a>> = None;
        bodies.map(move |body| {
            let (segment, body) = body.parts();
            let is_here = |node: Node<'a>| std::ptr::eq(node.parts().0, segment);
            let head = |labels: &[JsonString<'a>], decoded| {
                let bump = segment.stream.arena.bump();
                let labels = bump.alloc_slice_copy(labels);
                &*bump.alloc(Head { segment, property, labels, decoded })
            };
            let known = |head: Option<&'a Head<'a>>| {
                head.filter(|head| std::ptr::eq(head.segment, segment))
            };
            let form = match labels {
                [] if is_here(property.name().node()) => {
                    Form::Plain { segment, property: property.name().node().parts().1, body }
                }
                [others @ .., last] if !is_escaped && is_here(last.node()) => {
                    let head = known(shared.0).unwrap_or_else(|| head(others, &[]));
                    shared.0 = Some(head);
                    Form::Labelled { head, body, last: last.node().parts().1 }
                }
                _ => {
                    let all = || -> &'a [&'a str] {
                        let texts = labels.iter().map(|label| label.to_str());
                        segment.stream.arena.bump().alloc_slice_fill_iter(texts)
                    };
                    let new = || head(labels, if is_escaped { all() } else { &[] });
                    let head = known(whole).unwrap_or_else(new);
                    whole = Some(head);
                    Form::Labelled { head, body, last: NONE }
                }
            };
            Block { form }
        })
    }
}

/// A view of a block.
enum View<'a> {
    /// A property, and a body below it.
    Json(Member<'a>, Node<'a>),
    Native(FileBlock<'a>),
}

impl<'a> Block<'a> {
    /// Returns a block of a native file. It may have any number of labels.
    pub(crate) fn of_file(block: FileBlock<'a>) -> Self {
        let Handle { table, row } = block.handle;
        Self { form: Form::Native { table, row } }
    }

    #[inline]
    fn view(self) -> View<'a> {
        match self.form {
            Form::Plain { segment, property, body } => {
                let property = Member::of_name(Node::new(segment, property));
                View::Json(property, Node::new(segment, body))
            }
            Form::Labelled { head, body, .. } => {
                View::Json(head.property, Node::new(head.segment, body))
            }
            Form::Native { table, row } => View::Native(Handle { table, row }.block()),
        }
    }

    /// The number of labels.
    fn label_count(self) -> usize {
        match self.form {
            Form::Plain { .. } => 0,
            Form::Labelled { head, last, .. } => head.labels.len() + usize::from(last != NONE),
            Form::Native { table, row } => Handle { table, row }.block().label_rows().len(),
        }
    }

    /// The block type.
    #[must_use]
    pub fn block_type(self) -> &'a str {
        match self.view() {
            View::Json(property, _) => property.name().to_str(),
            View::Native(block) => block.block_type(),
        }
    }

    /// The block type as bytes, for comparisons.
    pub(crate) fn type_bytes(self) -> &'a [u8] {
        match self.view() {
            View::Json(property, _) => property.name().to_bytes(),
            View::Native(block) => block.block_type().as_bytes(),
        }
    }

    /// Whether it has that type.
    #[must_use]
    pub fn is(self, block_type: &str) -> bool {
        match self.view() {
            View::Json(property, _) => property.is_named(block_type),
            View::Native(block) => block.block_type() == block_type,
        }
    }

    /// The bytes of the type. In JSON they are those of the property with that name, quotes
    /// included; several blocks may share them.
    #[must_use]
    pub fn type_span(self) -> Span {
        match self.view() {
            View::Json(property, _) => property.name_span(),
            View::Native(block) => block.type_span(),
        }
    }

    /// The labels, as many as the schema requires. Cost: constant for each; labels with escapes are
    /// decoded once, when the block is read.
    ///
    /// ```
    /// use simd_hcl::body::{BlockSchema, Schema};
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"r \"t\" \"n\" {\n}\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// static ROOT: Schema = Schema::new(&[], &[BlockSchema::new("r", &["type", "name"])]);
    /// let content = file.body().content(&ROOT, &mut ());
    /// let block = content.blocks("r").next().unwrap();
    /// assert_eq!(block.labels().collect::<Vec<_>>(), ["t", "n"]);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn labels(self) -> impl ExactSizeIterator<Item = &'a str> + Clone + use<'a> {
        (0..self.label_count()).map(move |index| self.label(index).unwrap_or_default())
    }

    /// The label at `index`, counted from 0.
    #[must_use]
    #[inline]
    pub fn label(self, index: usize) -> Option<&'a str> {
        match self.form {
            Form::Plain { .. } => None,
            Form::Labelled { head, last, .. } if last != NONE && index == head.labels.len() => {
                Some(JsonString::new(Node::new(head.segment, last)).to_str())
            }
            Form::Labelled { head, .. } => match head.decoded.get(index) {
                Some(text) => Some(text),
                None => head.labels.get(index).map(|label| label.to_str()),
            },
            Form::Native { table, row } => {
                Handle { table, row }.block().label_rows().get(index).map(|label| label.text)
            }
        }
    }

    /// The label at `index` of a block in JSON.
    #[inline]
    fn json_label(self, index: usize) -> Option<JsonString<'a>> {
        let Form::Labelled { head, last, .. } = self.form else { return None };
        if index == head.labels.len() && last != NONE {
            return Some(JsonString::new(Node::new(head.segment, last)));
        }
        head.labels.get(index).copied()
    }

    /// The bytes of each label, quotes included.
    pub fn label_spans(self) -> impl ExactSizeIterator<Item = Span> + Clone + use<'a> {
        (0..self.label_count()).map(move |index| self.label_span(index).unwrap_or_default())
    }

    fn label_span(self, index: usize) -> Option<Span> {
        match self.form {
            Form::Native { table, row } => {
                Handle { table, row }.block().label_rows().get(index).map(|label| label.span)
            }
            _ => self.json_label(index).map(JsonString::span),
        }
    }

    /// The place of the label at `index`, counted from 0, quotes included, or of the type if there
    /// is no such label.
    #[must_use]
    pub fn label_place(self, index: usize) -> Label<'a> {
        let span = self.label_span(index).unwrap_or_else(|| self.type_span());
        Label::new(self.source(), span)
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
        match self.view() {
            View::Json(_, body) => body.start_span(),
            View::Native(block) => block.definition_span(),
        }
    }

    /// The bytes of the whole block; in JSON, of its whole body.
    #[must_use]
    pub fn span(self) -> Span {
        match self.view() {
            View::Json(_, body) => body.span(),
            View::Native(block) => block.span(),
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
        match self.view() {
            View::Json(_, body) => Body::from_json(body),
            View::Native(block) => Body::from_native(block.body()),
        }
    }

    /// The body as an expression: a map of its attributes and blocks.
    pub(crate) fn as_expression(self) -> Expression<'a> {
        self.body().as_expression()
    }

    /// The source that contains it.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        match self.view() {
            View::Json(_, body) => body.source(),
            View::Native(block) => block.source(),
        }
    }
}

impl std::fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.block_type())?;
        self.labels().try_for_each(|label| write!(f, " {label:?}"))?;
        write!(f, " at {:?}", self.span())
    }
}
