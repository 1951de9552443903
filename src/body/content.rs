//! Reads a body by a schema: its attributes and blocks.

use std::collections::hash_map::Entry;

use smallvec::SmallVec;

use super::found::Found;
use super::item::{Alike, Attribute, Block, Bodies, Shared};
use super::place::Syntax;
use super::properties::{BODY, COMMENT, Properties, wrong_type};
use super::reading::{Attributes, Collect, Reading};
use super::schema::{self, Schema};
use super::{Body, Hidden, file};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::hash::{HashMap, HashSet};
use crate::json::{JsonString, JsonValue, Member, Node};
use crate::span::Span;
use crate::suggest::Suggestions;

/// The attributes and blocks of a body that a schema describes.
///
/// ```
/// use simd_hcl::body::{AttributeSchema, BlockSchema, Schema};
/// use simd_hcl::{Arena, ParsedFile, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\nb \"x\" {\n}\n")?;
/// let file = ParsedFile::native(&arena, source);
/// static ROOT: Schema =
///     Schema::new(&[AttributeSchema::optional("a")], &[BlockSchema::new("b", &["name"])]);
/// let content = file.body().content(&ROOT, &mut ());
/// assert_eq!(content.attribute("a").unwrap().expression().text(), b"1");
/// assert_eq!(content.blocks("b").next().unwrap().label(0), Some("x"));
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Content<'a> {
    attributes: &'a [Attribute<'a>],
    blocks: &'a [Block<'a>],
    missing_item_span: Span,
}

impl<'a> Content<'a> {
    /// The attributes, in source order, without duplicates.
    #[must_use]
    pub fn attributes(&self) -> &'a [Attribute<'a>] {
        self.attributes
    }

    /// The attribute with that name. Cost: linear in the number of attributes.
    ///
    /// ```
    /// use simd_hcl::body::{AttributeSchema, BlockSchema, Schema};
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\nb \"x\" {\n}\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// static ROOT: Schema =
    ///     Schema::new(&[AttributeSchema::optional("a")], &[BlockSchema::new("b", &["name"])]);
    /// let content = file.body().content(&ROOT, &mut ());
    /// assert_eq!(content.attribute("a").unwrap().name(), "a");
    /// assert!(content.attribute("c").is_none());
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<Attribute<'a>> {
        self.attributes.iter().copied().find(|attribute| attribute.is_named(name))
    }

    /// The blocks of one type, in source order.
    ///
    /// ```
    /// use simd_hcl::body::{AttributeSchema, BlockSchema, Schema};
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"b \"x\" {\n}\nb \"y\" {\n}\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// static ROOT: Schema =
    ///     Schema::new(&[AttributeSchema::optional("a")], &[BlockSchema::new("b", &["name"])]);
    /// let content = file.body().content(&ROOT, &mut ());
    /// let labels: Vec<_> = content.blocks("b").map(|block| block.label(0).unwrap()).collect();
    /// assert_eq!(labels, ["x", "y"]);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn blocks<'n>(&self, block_type: &'n str) -> impl Iterator<Item = Block<'a>> + use<'a, 'n> {
        self.blocks.iter().copied().filter(move |block| block.is(block_type))
    }

    /// The blocks of all types, in source order.
    #[must_use]
    pub fn all_blocks(&self) -> &'a [Block<'a>] {
        self.blocks
    }

    /// Whether it has no attributes and no blocks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.blocks.is_empty()
    }

    /// The place to report for a missing item. See [`Body::missing_item_span`].
    #[must_use]
    pub fn missing_item_span(&self) -> Span {
        self.missing_item_span
    }
}

/// The attributes and blocks of a body that a reader does not keep: they are not in the arena.
pub(crate) struct BriefContent<'a> {
    attributes: Attributes<'a>,
    blocks: Blocks<'a>,
}

/// The parts that readers of [`Content`] and [`BriefContent`] look for.
pub(crate) trait Parts<'a> {
    /// The attributes, in source order, without duplicates.
    fn attributes(&self) -> &[Attribute<'a>];

    /// The blocks of all types, in source order.
    fn all_blocks(&self) -> &[Block<'a>];

    /// The attribute with that name.
    fn attribute(&self, name: &str) -> Option<Attribute<'a>> {
        self.attributes().iter().copied().find(|attribute| attribute.is_named(name))
    }

    /// The blocks of one type, in source order.
    fn blocks<'s>(&'s self, block_type: &'s str) -> impl Iterator<Item = Block<'a>> + 's
    where
        'a: 's,
    {
        self.all_blocks().iter().copied().filter(move |block| block.is(block_type))
    }

    /// Whether it has no attributes and no blocks.
    fn is_empty(&self) -> bool {
        self.attributes().is_empty() && self.all_blocks().is_empty()
    }
}

impl<'a> Parts<'a> for Content<'a> {
    fn attributes(&self) -> &[Attribute<'a>] {
        self.attributes
    }

    fn all_blocks(&self) -> &[Block<'a>] {
        self.blocks
    }
}

impl<'a> Parts<'a> for BriefContent<'a> {
    fn attributes(&self) -> &[Attribute<'a>] {
        &self.attributes
    }

    fn all_blocks(&self) -> &[Block<'a>] {
        &self.blocks.0
    }
}

impl<'a> Body<'a> {
    /// Reads the body by a schema. Names that the schema does not have are errors, except for
    /// comments.
    ///
    /// Errors are reported to `sink`, and the valid rest is returned. Cost: linear in the body's
    /// own members and the properties of its blocks' label levels.
    ///
    /// ```
    /// use simd_hcl::body::{AttributeSchema, BlockSchema, Schema};
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\nc = 2\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// static ROOT: Schema =
    ///     Schema::new(&[AttributeSchema::optional("a")], &[BlockSchema::new("b", &["name"])]);
    /// let mut found = Vec::new();
    /// let content = file.body().content(&ROOT, &mut found);
    /// assert_eq!((content.attributes().len(), found.len()), (1, 1));
    /// assert_eq!(found[0].code().as_str(), "unsupported-argument");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn content(self, schema: &Schema<'_>, sink: &mut dyn Sink<'a>) -> Content<'a> {
        let (mut blocks, mut read) = (Blocks::default(), Reading::default());
        self.read_all(schema, sink, &mut blocks, &mut read);
        self.to_content(&read.attributes, &blocks)
    }

    /// Like [`content`](Self::content), without memory in the arena.
    pub(crate) fn brief_content(
        self,
        schema: &Schema<'_>,
        sink: &mut dyn Sink<'a>,
    ) -> BriefContent<'a> {
        let (mut blocks, mut read) = (Blocks::default(), Reading::default());
        self.read_all(schema, sink, &mut blocks, &mut read);
        BriefContent { attributes: read.attributes, blocks }
    }

    /// Reads the body like [`content`](Self::content), and passes each block to `take` as soon as
    /// it is found. Attributes are only checked. Cost: the same time, but blocks take no memory
    /// except for their labels.
    pub(crate) fn visit_blocks(
        self,
        schema: &Schema<'_>,
        sink: &mut dyn Sink<'a>,
        take: impl FnMut(Block<'a>, &mut dyn Sink<'a>),
    ) {
        self.read_all(schema, sink, &mut Visited(take), &mut Reading::default());
    }

    /// Reports the errors that [`content`](Self::content) reports, and returns nothing. Cost: the
    /// same time, and no memory for blocks.
    ///
    /// ```
    /// use simd_hcl::body::Schema;
    /// use simd_hcl::{Arena, Document};
    ///
    /// static EMPTY: Schema = Schema::new(&[], &[]);
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": 1}"#)?;
    /// let mut found = Vec::new();
    /// document.body().check(&EMPTY, &mut found);
    /// assert_eq!(found.len(), 1);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn check(self, schema: &Schema<'_>, sink: &mut dyn Sink<'a>) {
        self.read_all(schema, sink, &mut (), &mut Reading::default());
    }

    /// Reads the part of the body that a schema describes. The second result is the same body
    /// without the properties that were read; another schema can read it.
    ///
    /// ```
    /// use simd_hcl::body::{AttributeSchema, BlockSchema, Schema};
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\nc = 2\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// static ROOT: Schema =
    ///     Schema::new(&[AttributeSchema::optional("a")], &[BlockSchema::new("b", &["name"])]);
    /// let (content, rest) = file.body().partial_content(&ROOT, &mut ());
    /// assert_eq!(content.attributes()[0].name(), "a");
    /// assert_eq!(rest.just_attributes(&mut ())[0].name(), "c");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn partial_content(
        self,
        schema: &Schema<'_>,
        sink: &mut dyn Sink<'a>,
    ) -> (Content<'a>, Self) {
        let (BriefContent { attributes, blocks }, rest) = self.partial_brief_content(schema, sink);
        (self.to_content(&attributes, &blocks), rest)
    }

    /// Like [`partial_content`](Self::partial_content), without memory in the arena for what was
    /// read.
    pub(crate) fn partial_brief_content(
        self,
        schema: &Schema<'_>,
        sink: &mut dyn Sink<'a>,
    ) -> (BriefContent<'a>, Self) {
        let (mut blocks, mut read) = (Blocks::default(), Reading::default());
        match self.syntax() {
            Syntax::Json(node) => self.read(node, schema, sink, &mut blocks, &mut read, |_| ()),
            Syntax::Native(body) => {
                self.read_file(body, schema, sink, &mut blocks, &mut read, |_| ());
            }
        }
        let Reading { attributes, taken } = read;
        let mut rest = self;
        if !taken.is_empty() {
            rest.hidden = Some(Hidden::keep(&taken, self.hidden, self.source().arena()));
        }
        (BriefContent { attributes, blocks }, rest)
    }

    /// Reads every property as an attribute. The body must be an object. Comments are skipped;
    /// blocks of a native file are reported.
    ///
    /// Cost: linear in the body's own members.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\nb = 2\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let attributes = file.body().just_attributes(&mut ());
    /// let names: Vec<&str> = attributes.iter().map(|attribute| attribute.name()).collect();
    /// assert_eq!(names, ["a", "b"]);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn just_attributes(self, sink: &mut dyn Sink<'a>) -> &'a [Attribute<'a>] {
        let node = match self.syntax() {
            Syntax::Json(node) => node,
            Syntax::Native(body) => return self.just_attributes_of_file(body, sink),
        };
        let Some(object) = node.as_object() else {
            sink.report(match self.type_error() {
                Some(error) => error,
                None => wrong_type(node, "an object"),
            });
            return &[];
        };
        let mut attributes: SmallVec<[Attribute<'a>; 16]> = SmallVec::new();
        let mut names = Names::default();
        for property in object.members() {
            let name = property.name().to_bytes();
            if name == COMMENT || self.is_hidden(name) {
                continue;
            }
            match names.first(name, property) {
                None => attributes.push(Attribute::of(property)),
                Some(earlier) => {
                    let earlier = Attribute::of(earlier);
                    sink.report(duplicate(Code::DuplicateAttribute, property, earlier));
                }
            }
        }
        self.source().arena().bump().alloc_slice_copy(&attributes)
    }

    /// Takes the properties that `schema` has, and reports unknown ones.
    fn read_all(
        self,
        schema: &Schema<'_>,
        sink: &mut dyn Sink<'a>,
        blocks: &mut impl Collect<'a>,
        read: &mut Reading<'a>,
    ) {
        match self.syntax() {
            Syntax::Json(node) => {
                let mut unknown = Vec::new();
                self.read(node, schema, sink, blocks, read, |property| unknown.push(property));
                unknown.retain(|property| {
                    let name = property.name().to_bytes();
                    name != COMMENT && !self.is_hidden(name)
                });
                self.report_unknown(&unknown, schema, &read.attributes, sink);
            }
            Syntax::Native(body) => {
                let mut unknown = Vec::new();
                self.read_file(body, schema, sink, blocks, read, |item| unknown.push(item));
                if !unknown.is_empty() {
                    file::report_unknown(body, &unknown, schema, sink);
                }
            }
        }
    }

    fn to_content(self, attributes: &[Attribute<'a>], blocks: &Blocks<'a>) -> Content<'a> {
        fn kept<'a, T: Copy>(arena: &'a Arena, items: &[T]) -> &'a [T] {
            if items.is_empty() { &[] } else { arena.bump().alloc_slice_copy(items) }
        }
        let arena = self.source().arena();
        Content {
            attributes: kept(arena, attributes),
            blocks: kept(arena, &blocks.0),
            missing_item_span: self.missing_item_span(),
        }
    }

    /// Takes the properties that `schema` has, and passes the others to `unknown`.
    fn read(
        self,
        node: Node<'a>,
        schema: &Schema<'_>,
        sink: &mut dyn Sink<'a>,
        blocks: &mut impl Collect<'a>,
        read: &mut Reading<'a>,
        mut unknown: impl FnMut(Member<'a>),
    ) {
        let Reading { attributes, taken } = read;
        // For each attribute of the schema: 1 + its index in `attributes`; for each block type: 1
        // if it occurred.
        let mut places = Found::of(schema);
        let error = self.type_error();
        let is_body = error.is_none();
        let mut properties = match error {
            None => Properties::of(node, BODY, sink),
            Some(error) => {
                sink.report(error);
                None
            }
        };
        while let Some(property) = properties.as_mut().and_then(|all| all.next(sink)) {
            let name = property.name().to_bytes();
            let Some(entry) = schema.entry(name) else {
                unknown(property);
                continue;
            };
            if self.is_hidden(name) {
                continue;
            }
            let place = places.at(entry.index(schema));
            if *place == 0 {
                taken.push(name);
            }
            match entry {
                schema::Entry::Block(index) => {
                    *place = 1;
                    let labels = schema.blocks()[index as usize].labels;
                    unpack(property.value(), labels, sink, |labels, bodies, shared, sink| {
                        blocks.collect(Alike { property, labels, bodies, shared }, sink);
                    });
                }
                schema::Entry::Attribute(_) if *place == 0 => {
                    attributes.push(Attribute::of(property));
                    *place = attributes.len() as u32;
                }
                schema::Entry::Attribute(_) => {
                    let earlier = attributes[*place as usize - 1];
                    sink.report(duplicate(Code::DuplicateArgument, property, earlier));
                }
            }
        }
        if is_body {
            self.report_missing(schema, &places, sink);
        }
    }

    /// Reports required attributes that the body does not have.
    pub(super) fn report_missing(
        self,
        schema: &Schema<'_>,
        places: &Found,
        sink: &mut dyn Sink<'a>,
    ) {
        for index in schema.required().filter(|index| places.is_empty_at(*index)) {
            let name = self.source().arena().str(schema.attributes()[index].name);
            sink.report(
                Diagnostic::new(Code::MissingArgument, self.missing_item_label())
                    .with_arguments(&[name]),
            );
        }
    }

    /// Reports names that the schema does not have, each with the nearest name that may have been
    /// meant: an attribute that is not set, or a block type.
    #[cold]
    fn report_unknown(
        self,
        unknown: &[Member<'a>],
        schema: &Schema<'_>,
        attributes: &[Attribute<'a>],
        sink: &mut dyn Sink<'a>,
    ) {
        if unknown.is_empty() {
            return;
        }
        let set: HashSet<&str> = attributes.iter().map(|attribute| attribute.name()).collect();
        // An attribute that is set is no suggestion. Its place is empty, so that it costs as much of
        // the search's budget as any other.
        let unset = |name| if set.contains(name) { "" } else { name };
        let known = || {
            let attributes = schema.attributes().iter().map(|known| unset(known.name));
            attributes.chain(schema.blocks().iter().map(|known| known.block_type))
        };
        let mut suggestions = Suggestions::of_names(unknown.len());
        for property in unknown {
            let name = property.name().to_str();
            let nearest = suggestions.nearest(name, known());
            sink.report(
                Diagnostic::new(Code::ExtraneousProperty, property.name_label())
                    .with_arguments(&[name])
                    .with_suggestion(nearest.map(|name| self.source().arena().str(name))),
            );
        }
    }
}

/// Keeps the blocks.
#[derive(Default)]
struct Blocks<'a>(SmallVec<[Block<'a>; 4]>);

impl<'a> Collect<'a> for Blocks<'a> {
    fn take(&mut self, block: Block<'a>, _: &mut dyn Sink<'a>) {
        self.0.push(block);
    }

    fn collect(&mut self, blocks: Alike<'a, '_>, _: &mut dyn Sink<'a>) {
        self.0.extend(blocks.blocks());
    }
}

/// Passes the blocks on.
struct Visited<F>(F);

impl<'a, F: FnMut(Block<'a>, &mut dyn Sink<'a>)> Collect<'a> for Visited<F> {
    fn take(&mut self, block: Block<'a>, sink: &mut dyn Sink<'a>) {
        (self.0)(block, sink);
    }

    fn collect(&mut self, blocks: Alike<'a, '_>, sink: &mut dyn Sink<'a>) {
        blocks.blocks().for_each(|block| (self.0)(block, sink));
    }
}

/// Drops the blocks.
impl<'a> Collect<'a> for () {
    fn take(&mut self, _: Block<'a>, _: &mut dyn Sink<'a>) {}

    fn collect(&mut self, _: Alike<'a, '_>, _: &mut dyn Sink<'a>) {}
}

#[cfg(feature = "serde")]
fn kept<'a>(value: Node<'a>, labels: &[JsonString<'a>]) -> &'a [JsonString<'a>] {
    match labels {
        [] => &[],
        _ => value.source().arena().bump().alloc_slice_copy(labels),
    }
}

/// Passes the blocks below a value to `collect`: blocks with the same labels together, one for each
/// body.
fn unpack<'a>(
    value: Node<'a>,
    names: &[&str],
    sink: &mut dyn Sink<'a>,
    mut collect: impl FnMut(&[JsonString<'a>], Bodies<'a>, &mut Shared<'a>, &mut dyn Sink<'a>),
) {
    let mut shared = Shared::default();
    let mut labels: SmallVec<[JsonString<'a>; 4]> = SmallVec::new();
    // The label levels of the walk, outermost first: level `i` has label `i`.
    let mut levels: SmallVec<[LabelLevel<'a, '_>; 4]> = SmallVec::new();
    let mut node = value;
    loop {
        match names.get(labels.len()) {
            Some(&label) => levels.extend(LabelLevel::of(node, label, sink)),
            None => {
                let bodies = bodies(node, sink);
                collect(&labels, bodies, &mut shared, sink);
            }
        }
        // Continue with the next label of the innermost level that has one.
        loop {
            let Some(level) = levels.last_mut() else {
                return;
            };
            let next = level.next(sink);
            labels.truncate(levels.len() - 1);
            match next {
                Some(label) => {
                    labels.push(label.name());
                    if labels.len() < names.len() {
                        shared = Shared::default();
                    }
                    node = label.value();
                    break;
                }
                None => drop(levels.pop()),
            }
        }
    }
}

/// One level of properties whose names are labels.
struct LabelLevel<'a, 's> {
    node: Node<'a>,
    /// The schema's name of the label.
    label: &'s str,
    properties: Properties<'a>,
    /// Whether a property was found, or an error was reported instead.
    settled: bool,
}

impl<'a, 's> LabelLevel<'a, 's> {
    fn of(node: Node<'a>, label: &'s str, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let properties = Properties::of_labels(node, label, sink)?;
        Some(Self { node, label, properties, settled: false })
    }

    fn next(&mut self, sink: &mut dyn Sink<'a>) -> Option<Member<'a>> {
        let settled = &mut self.settled;
        let property = self.properties.next(&mut |diagnostic| {
            *settled = true;
            sink.report(diagnostic);
        });
        if property.is_none() && !self.settled {
            let label = self.node.source().arena().str(self.label);
            sink.report(
                Diagnostic::new(Code::MissingLabel, self.node.start_label())
                    .with_arguments(&[label]),
            );
        }
        self.settled = true;
        property
    }
}

fn bodies<'a>(node: Node<'a>, sink: &mut dyn Sink<'a>) -> Bodies<'a> {
    let (one, many) = match node.value() {
        JsonValue::Object(_) => (Some(node), None),
        JsonValue::Array(array) => (None, Some(array.elements())),
        JsonValue::Null => (None, None),
        _ => {
            sink.report(wrong_type(node, BODY));
            (None, None)
        }
    };
    one.into_iter().chain(many.into_iter().flatten())
}

/// Returns the properties of an object, or of an array of objects, that may be labels. Comments are
/// included.
#[cfg(feature = "serde")]
pub(crate) fn labels_below<'a>(value: Node<'a>, sink: &mut dyn Sink<'a>) -> Vec<Member<'a>> {
    let mut properties = Properties::of(value, BODY, sink);
    std::iter::from_fn(|| properties.as_mut()?.next(sink)).collect()
}

/// Returns the blocks below a value, with labels of these names: the labels and the body of each
/// block.
#[cfg(feature = "serde")]
pub(crate) fn blocks_of<'a>(
    value: Node<'a>,
    labels: &[&str],
    sink: &mut dyn Sink<'a>,
) -> Vec<(&'a [JsonString<'a>], Node<'a>)> {
    let mut blocks = Vec::new();
    unpack(value, labels, sink, |labels, bodies, _, _| {
        let labels = kept(value, labels);
        blocks.extend(bodies.map(|body| (labels, body)));
    });
    blocks
}

#[cold]
fn duplicate<'a>(code: Code, property: Member<'a>, earlier: Attribute<'a>) -> Diagnostic<'a> {
    Diagnostic::new(code, property.name_label())
        .with_arguments(&[property.name().to_str()])
        .with_related(earlier.name_label(), "first set here")
}

/// Finds earlier properties with the same name.
#[derive(Default)]
struct Names<'a> {
    few: SmallVec<[(&'a [u8], Member<'a>); 16]>,
    /// Uses the standard library's keyed hashes, so that a file cannot be crafted with colliding
    /// names.
    many: HashMap<&'a [u8], Member<'a>>,
}

impl<'a> Names<'a> {
    /// Returns the first property with that name. If there was none, `property` becomes it.
    fn first(&mut self, name: &'a [u8], property: Member<'a>) -> Option<Member<'a>> {
        if self.few.len() < self.few.inline_size() {
            // Most names differ in these values, which need no call to compare.
            let ends = |name: &[u8]| (name.len(), name.first().copied(), name.last().copied());
            let is_same = |known: &[u8]| ends(known) == ends(name) && known == name;
            let found = self.few.iter().find(|(known, _)| is_same(known));
            if let Some(&(_, earlier)) = found {
                return Some(earlier);
            }
            self.few.push((name, property));
            return None;
        }
        if self.many.is_empty() {
            self.many.extend(self.few.iter().copied());
        }
        match self.many.entry(name) {
            Entry::Occupied(earlier) => Some(*earlier.get()),
            Entry::Vacant(place) => {
                place.insert(property);
                None
            }
        }
    }
}
