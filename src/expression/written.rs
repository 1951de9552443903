//! The source form of an expression: a JSON value, an expression of a native file, or a block of a
//! native file.

use crate::diagnostic::Label;
use crate::event::stream::Segment;
use crate::json::{self, JsonString, JsonValue, Node};
use crate::native::{Kind, Native, Program};
use crate::source::Source;
use crate::span::Span;
use crate::structure::{FileAttribute, FileBlock, FileBody, Handle, Item, LabelRow, Table};

/// The source form of an expression. As small as a JSON node: every handle has one.
#[derive(Clone, Copy)]
pub(crate) enum Written<'a> {
    /// A value of a JSON document.
    Json { segment: &'a Segment<'a>, index: u32 },
    /// An expression of a native file, or a part of one.
    Native { program: &'a Program<'a>, at: u32 },
    /// A block of a native file, read as a property of a body without a schema.
    Block { table: &'a Table<'a>, row: u32, labels: u16 },
}

/// A view of the source form.
#[derive(Clone, Copy)]
pub(crate) enum Syntax<'a> {
    Json(Node<'a>),
    Native(Native<'a>),
    Block(Level<'a>),
}

/// A block of a native file as the equivalent maps of JSON: one for each label, then its body.
#[derive(Clone, Copy)]
pub(crate) struct Level<'a> {
    pub(super) table: &'a Table<'a>,
    pub(super) row: u32,
    /// The number of its labels on outer levels.
    labels: u16,
}

impl<'a> Level<'a> {
    /// The next label: its name, and the level below it.
    fn label(self) -> Option<(Key<'a>, Self)> {
        let label = self.labels_left().first()?;
        Some((Key::Label(self.source(), label), self.below(1)))
    }

    /// The labels that are still keys of maps: the one of this level, and those below it.
    pub(crate) fn labels_left(self) -> &'a [LabelRow<'a>] {
        match self.row {
            FileBody::WHOLE => &[],
            row => {
                let labels = Handle { table: self.table, row }.block().label_rows();
                labels.get(usize::from(self.labels)..).unwrap_or_default()
            }
        }
    }

    /// Returns the level below this many of its labels.
    pub(crate) fn below(self, labels: usize) -> Self {
        let labels = u16::try_from(labels).unwrap_or(u16::MAX);
        Self { labels: self.labels.saturating_add(labels), ..self }
    }

    /// The body below all labels.
    pub(crate) fn body(self) -> FileBody<'a> {
        FileBody::of_row(self.table, self.row)
    }

    pub(crate) fn source(self) -> Source<'a> {
        self.table.source
    }

    pub(crate) fn span(self) -> Span {
        let body = self.body().span();
        self.labels_left().first().map_or(body, |label| label.span.to(body))
    }

    /// The block, unless it is the body of a whole file.
    pub(crate) fn block(self) -> Option<FileBlock<'a>> {
        (self.row != FileBody::WHOLE).then(|| Handle { table: self.table, row: self.row }.block())
    }
}

impl<'a> Written<'a> {
    pub(crate) fn json(node: Node<'a>) -> Self {
        let (segment, index) = node.parts();
        Self::Json { segment, index }
    }

    pub(crate) fn native(native: Native<'a>) -> Self {
        let (program, at) = native.parts();
        Self::Native { program, at: at as u32 }
    }

    /// Returns the expression of an attribute of a native file. If it has a syntax error, which is
    /// reported when the file is read, it has no value.
    pub(crate) fn attribute(attribute: FileAttribute<'a>) -> Self {
        Self::native(
            attribute
                .expression()
                .unwrap_or_else(|_| Native::invalid(attribute.source(), attribute.value_span())),
        )
    }

    /// A block of a native file with its labels.
    pub(crate) fn block(block: FileBlock<'a>) -> Self {
        let Handle { table, row } = block.handle;
        Self::Block { table, row, labels: 0 }
    }

    /// A body of a native file.
    pub(crate) fn body(body: FileBody<'a>) -> Self {
        let (table, row) = body.row();
        Self::Block { table, row, labels: u16::MAX }
    }

    pub(crate) fn level(Level { table, row, labels }: Level<'a>) -> Self {
        Self::Block { table, row, labels }
    }

    #[inline]
    pub(crate) fn syntax(self) -> Syntax<'a> {
        match self {
            Self::Json { segment, index } => Syntax::Json(Node::new(segment, index)),
            Self::Native { program, at } => Syntax::Native(Native::at(program, at as usize)),
            Self::Block { table, row, labels } => Syntax::Block(Level { table, row, labels }),
        }
    }
}

/// The literal form of a value, without evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Literal<'a> {
    Null,
    Bool(bool),
    /// A number, as it is written.
    Number(&'a str),
    /// A text without a template in it.
    Text(&'a str),
    /// A JSON string with a template: its text, for readers that do not evaluate it.
    Template(&'a str),
    /// A list: a JSON array, or `[…]`.
    List,
    /// A map: a JSON object, or `{…}`.
    Map,
    /// An expression that has to be evaluated.
    Expression,
}

impl<'a> Literal<'a> {
    pub(super) fn of(syntax: Syntax<'a>) -> Self {
        match syntax {
            Syntax::Json(node) => match node.value() {
                JsonValue::Null => Self::Null,
                JsonValue::Bool(truth) => Self::Bool(truth),
                JsonValue::Number(number) => Self::Number(number.text()),
                JsonValue::String(text) if text.may_be_template() => Self::Template(text.to_str()),
                JsonValue::String(text) => Self::Text(text.to_str()),
                JsonValue::Array(_) => Self::List,
                JsonValue::Object(_) => Self::Map,
            },
            Syntax::Native(native) => match native.kind_of_construct() {
                Kind::Null => Self::Null,
                Kind::True => Self::Bool(true),
                Kind::False => Self::Bool(false),
                Kind::Number => native.digits().map_or(Self::Expression, Self::Number),
                Kind::Tuple => Self::List,
                Kind::Object => Self::Map,
                _ => literal_text(native).map_or(Self::Expression, Self::Text),
            },
            Syntax::Block(_) => Self::Map,
        }
    }
}

/// Returns the text of a quoted string or heredoc without sequences, or of the name of an item.
pub(crate) fn literal_text(native: Native<'_>) -> Option<&str> {
    if native.is(Kind::Text) {
        return native.as_text();
    }
    let mut parts = native.literal_parts()?;
    Some(match parts.len() {
        0 | 1 => parts.next().unwrap_or_default(),
        _ => native.source().arena().str(&parts.collect::<String>()),
    })
}

/// The elements of a static list.
#[derive(Clone)]
pub(crate) enum Elements<'a> {
    Json(json::Elements<'a>),
    Native(std::vec::IntoIter<Native<'a>>),
}

impl<'a> Elements<'a> {
    pub(super) fn of(syntax: Syntax<'a>) -> Option<Self> {
        match syntax {
            Syntax::Json(node) => Some(Self::Json(node.as_array()?.elements())),
            Syntax::Native(native) if native.is(Kind::Tuple) => {
                Some(Self::Native(native.operands().into_iter()))
            }
            Syntax::Native(_) | Syntax::Block(_) => None,
        }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Written<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Json(elements) => elements.next().map(Written::json),
            Self::Native(elements) => elements.next().map(Written::native),
        }
    }
}

/// The pairs of a static map.
#[derive(Clone)]
pub(crate) enum Entries<'a> {
    Json(json::Members<'a>),
    /// Alternating keys and values.
    Native(std::vec::IntoIter<Native<'a>>),
    Block(std::vec::IntoIter<Item<'a>>),
    Label(Option<(Key<'a>, Level<'a>)>),
}

impl<'a> Entries<'a> {
    pub(super) fn of(syntax: Syntax<'a>) -> Option<Self> {
        Some(match syntax {
            Syntax::Json(node) => Self::Json(node.as_object()?.members()),
            Syntax::Native(native) => {
                Self::Native(native.is(Kind::Object).then(|| native.operands().into_iter())?)
            }
            Syntax::Block(level) => match level.label() {
                Some(label) => Self::Label(Some(label)),
                None => Self::Block(level.body().items().collect::<Vec<_>>().into_iter()),
            },
        })
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = (MapKey<'a>, Written<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Json(members) => {
                let member = members.next()?;
                Some((MapKey(Key::Json(member.name())), Written::json(member.value())))
            }
            Self::Native(operands) => {
                let (key, value) = (operands.next()?, operands.next()?);
                Some((MapKey(Key::Native(key)), Written::native(value)))
            }
            Self::Block(items) => {
                let item = items.next()?;
                Some((MapKey(Key::Row(item.handle())), of_item(item)))
            }
            Self::Label(label) => {
                let (key, level) = label.take()?;
                Some((MapKey(key), Written::level(level)))
            }
        }
    }
}

/// Returns the value of an attribute, or a block.
pub(crate) fn of_item(item: Item<'_>) -> Written<'_> {
    match item {
        Item::Attribute(attribute) => Written::attribute(attribute),
        Item::Block(block) => Written::block(block),
    }
}

/// The key of a static map. A `Copy` handle.
///
/// ```
/// use simd_hcl::{Arena, ParsedFile, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"a = { x = 1 }\n")?;
/// let file = ParsedFile::native(&arena, source);
/// let a = file.body().just_attributes(&mut ())[0].expression();
/// let (key, value) = a.as_map().unwrap().next().unwrap();
/// assert_eq!((key.to_str(), value.text()), ("x", &b"1"[..]));
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MapKey<'a>(pub(super) Key<'a>);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Key<'a> {
    Json(JsonString<'a>),
    Native(Native<'a>),
    /// The name of an attribute, or the type of a block.
    Row(Handle<'a>),
    /// A label of a block.
    Label(Source<'a>, &'a LabelRow<'a>),
}

impl<'a> MapKey<'a> {
    /// Its bytes, quotes included.
    #[must_use]
    pub fn span(self) -> Span {
        match self.0 {
            Key::Json(name) => name.span(),
            Key::Native(key) => key.span(),
            Key::Row(handle) => handle.name_span(),
            Key::Label(_, label) => label.span,
        }
    }

    /// Its place. See [`span`](Self::span).
    #[must_use]
    pub fn label(self) -> Label<'a> {
        Label::new(self.source(), self.span())
    }

    pub(super) fn source(self) -> Source<'a> {
        match self.0 {
            Key::Json(name) => name.node().source(),
            Key::Native(key) => key.source(),
            Key::Row(handle) => handle.source(),
            Key::Label(source, _) => source,
        }
    }

    /// The name of a member of a JSON object.
    pub(crate) fn of_json(name: JsonString<'a>) -> Self {
        Self(Key::Json(name))
    }

    /// The name of an attribute of a native file, or the type of a block.
    pub(crate) fn of_item(item: Item<'a>) -> Self {
        Self(Key::Row(item.handle()))
    }

    /// A label of a block of a native file.
    pub(crate) fn of_label(source: Source<'a>, label: &'a LabelRow<'a>) -> Self {
        Self(Key::Label(source, label))
    }

    /// The name of a member of a JSON object.
    pub(crate) fn as_json(self) -> Option<JsonString<'a>> {
        match self.0 {
            Key::Json(name) => Some(name),
            _ => None,
        }
    }

    /// The attribute of a native file with this name.
    pub(crate) fn attribute(self) -> Option<FileAttribute<'a>> {
        match self.0 {
            Key::Row(handle) => match handle.item()? {
                Item::Attribute(attribute) => Some(attribute),
                Item::Block(_) => None,
            },
            _ => None,
        }
    }

    /// The key of an object in native syntax.
    pub(crate) fn as_native(self) -> Option<Native<'a>> {
        match self.0 {
            Key::Native(key) => Some(key),
            _ => None,
        }
    }

    /// Whether the decoded text is `name`. Does not allocate.
    pub(crate) fn is(self, name: &str) -> bool {
        match self.0 {
            Key::Json(key) => key.is(name),
            _ => self.to_str() == name,
        }
    }
}

/// The expressions in the body of a block, at any depth.
pub(super) fn attributes_below<'a>(level: Level<'a>) -> impl Iterator<Item = Native<'a>> + use<'a> {
    let native = |attribute: FileAttribute<'a>| attribute.expression().ok();
    level.body().all_attributes().filter_map(native)
}
