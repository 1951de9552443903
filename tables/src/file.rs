//! Files of configuration without their module: the blocks and attributes that they write, in either
//! syntax.

use std::borrow::Cow;
use std::path::Path;

use simd_hcl::dialect::{List, Syntax, root_schema};
use simd_hcl::directory::{DecodeOptions, Location, ModuleFile, in_utf8};
use simd_hcl::show::DocumentKind;
use simd_hcl::source::SourceError;
use simd_hcl::structure::{File, FileBody, Item as NativeItem};
use simd_hcl::write::{Layout, Writer, to_string};
use simd_hcl::{
    Arena, Body, Dialect, Document, Expression, Node, ParseOptions, Source, Span, value,
};

/// How much of a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The types and labels of blocks; all bytes are validated.
    Heads,
    /// Bodies, too.
    Bodies,
}

/// A file that could be read whole.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parsed<'a> {
    Json(Document<'a>),
    Native(File<'a>),
}

/// The limit of decompressed files, in bytes, as that of the command line.
pub(crate) const MAX_DECOMPRESSED: u64 = 1 << 30;

/// Opens a file as the library does: no pipe that nobody has named, decompressed, in UTF-8.
pub(crate) fn open<'a>(arena: &'a Arena, file: &ModuleFile) -> Result<Source<'a>, SourceError> {
    let path = on_disk(&file.path);
    in_utf8(arena, Source::read_as(arena, path, file.access()?)?, MAX_DECOMPRESSED)
}

/// The path of a file or directory of the file system: discovery finds nothing else.
pub(crate) fn on_disk(location: &Location) -> &Path {
    location.disk().unwrap_or(Path::new(""))
}

/// Parses a file. `None` if it has an error; `diagnostics` says which, since it reads the file
/// together with its module.
pub(crate) fn parse<'a>(
    arena: &'a Arena,
    file: &ModuleFile,
    source: Source<'a>,
    depth: Depth,
) -> Option<Parsed<'a>> {
    match parse_in_part(arena, file, source, depth)? {
        Parsed::Native(file) if !file.is_sound() => None,
        parsed => Some(parsed),
    }
}

/// Parses a file. A native one with errors has what is outside of them, which the library reads as
/// declarations.
pub(crate) fn parse_in_part<'a>(
    arena: &'a Arena,
    file: &ModuleFile,
    source: Source<'a>,
    depth: Depth,
) -> Option<Parsed<'a>> {
    if file.kind.syntax == Syntax::Native {
        return Some(Parsed::Native(match depth {
            Depth::Heads => File::skeleton(arena, source, &mut ()),
            Depth::Bodies => File::parse(arena, source, &mut ()),
        }));
    }
    let options = ParseOptions::default();
    let depth = match depth {
        Depth::Heads => options.skeleton_depth,
        Depth::Bodies => options.skeleton_depth.max(simd_hcl::module::Module::DEPTH),
    };
    let options = options.with_skeleton_depth(depth);
    let document = Document::parse_with(arena, source, &options).ok()?;
    let is_other = DocumentKind::instead_of_configuration(document.root()).is_some();
    (!is_other).then_some(Parsed::Json(document))
}

/// The options with which the library reads files of modules.
pub(crate) fn decode_options() -> DecodeOptions {
    let options = DecodeOptions::default().with_max_decompressed(MAX_DECOMPRESSED);
    options.with_parse(ParseOptions::default())
}

/// A body without a schema.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content<'a> {
    Json(Node<'a>),
    Native(FileBody<'a>),
}

/// A block with its labels.
#[derive(Clone, Debug)]
pub(crate) struct Block<'a> {
    pub(crate) block_type: &'a str,
    pub(crate) labels: Vec<&'a str>,
    pub(crate) span: Span,
    pub(crate) body: Content<'a>,
}

/// An attribute: its expression is `None` if it has a syntax error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'a> {
    pub(crate) name: &'a str,
    pub(crate) span: Span,
    pub(crate) text: &'a str,
    pub(crate) expression: Option<Expression<'a>>,
}

/// An item of a body, in source order.
#[derive(Clone, Debug)]
pub(crate) enum Item<'a> {
    Attribute(Attribute<'a>),
    Block(Block<'a>),
}

/// A value as JSON on one line; `None` for values that JSON cannot write.
#[must_use]
pub fn json_of(value: value::Value<'_>) -> Option<String> {
    let mut text = Vec::new();
    let mut writer = Writer::new(&mut text, Layout::Compact);
    value::write(value, writer.value()).ok()?;
    writer.finish().ok()?;
    String::from_utf8(text).ok()
}

/// Whether an expression of native syntax is the JSON of its value: a constant, an integer, or a string
/// without escapes and templates.
fn is_plain(text: &str) -> bool {
    let is_integer = |text: &[u8]| {
        // Longer ones may be written with an exponent.
        text.len() < 16 && text.iter().all(u8::is_ascii_digit) && (text[0] != b'0' || text == b"0")
    };
    match text.as_bytes() {
        b"true" | b"false" | b"null" => true,
        [b'"', inner @ .., b'"'] => {
            // JSON may write these as escapes, too.
            let is_special =
                |byte: &u8| *byte < b' ' || *byte == 0x7F || b"\"\\$%<>&".contains(byte);
            inner.is_ascii() && !inner.iter().any(is_special)
        }
        [] => false,
        digits => is_integer(digits),
    }
}

fn text_of(source: Source<'_>, span: Span) -> &str {
    let bytes = source.bytes().get(span.start as usize..span.end as usize).unwrap_or_default();
    // Both parsers refuse files that are not UTF-8.
    std::str::from_utf8(bytes).unwrap_or_default()
}

impl<'a> Attribute<'a> {
    fn of_json(source: Source<'a>, attribute: simd_hcl::body::Attribute<'a>) -> Self {
        let expression = attribute.expression();
        Self {
            name: attribute.name(),
            span: attribute.span(),
            text: text_of(source, expression.span()),
            expression: Some(expression),
        }
    }
}

impl<'a> Content<'a> {
    /// The items of a body. In JSON they are attributes, since nothing says which are blocks.
    pub(crate) fn items(self) -> Vec<Item<'a>> {
        match self {
            Self::Json(node) => {
                let properties = Body::from_json(node).properties();
                let source = node.source();
                properties.map(|it| Item::Attribute(Attribute::of_json(source, it))).collect()
            }
            Self::Native(body) => body.items().map(Item::of_native).collect(),
        }
    }

    /// The first attribute with a name.
    pub(crate) fn attribute(self, name: &str) -> Option<Attribute<'a>> {
        match self {
            Self::Json(node) => {
                let mut properties = Body::from_json(node).properties();
                let found = properties.find(|it| it.is_named(name))?;
                Some(Attribute::of_json(node.source(), found))
            }
            Self::Native(body) => body.items().find_map(|item| match item {
                NativeItem::Attribute(it) if it.name() == name => Some(Attribute::of_native(it)),
                _ => None,
            }),
        }
    }

    /// The first attribute with each name, in one pass over the body.
    pub(crate) fn attributes<const N: usize>(self, names: [&str; N]) -> [Option<Attribute<'a>>; N] {
        let mut found = [None; N];
        match self {
            Self::Json(node) => {
                let source = node.source();
                for property in Body::from_json(node).properties() {
                    let place = names.iter().position(|name| property.is_named(name));
                    if let Some(place) = place.and_then(|place| found.get_mut(place)) {
                        place.get_or_insert_with(|| Attribute::of_json(source, property));
                    }
                }
            }
            Self::Native(body) => {
                for item in body.items() {
                    let NativeItem::Attribute(attribute) = item else { continue };
                    let place = names.iter().position(|name| attribute.name() == *name);
                    if let Some(place) = place.and_then(|place| found.get_mut(place)) {
                        place.get_or_insert_with(|| Attribute::of_native(attribute));
                    }
                }
            }
        }
        found
    }

    /// The bodies of the blocks with a type: in JSON an object, or a list of objects.
    pub(crate) fn bodies(self, block_type: &str) -> Vec<Self> {
        match self {
            Self::Json(_) => {
                let value = self.attribute(block_type).and_then(|it| it.expression?.as_json());
                let bodies = value.into_iter().flat_map(|value| match value.as_array() {
                    Some(array) => array.elements().collect(),
                    None => vec![value],
                });
                bodies.filter(|it| it.is_object()).map(Self::Json).collect()
            }
            Self::Native(body) => body
                .items()
                .filter_map(|item| match item {
                    NativeItem::Block(it) if it.block_type() == block_type => {
                        Some(Self::Native(it.body()))
                    }
                    _ => None,
                })
                .collect(),
        }
    }
}

impl<'a> Attribute<'a> {
    fn of_native(attribute: simd_hcl::structure::FileAttribute<'a>) -> Self {
        Self {
            name: attribute.name(),
            span: attribute.span(),
            text: attribute.text(),
            expression: attribute.expression().ok().map(Expression::from_native),
        }
    }

    /// The string, if the expression is one without parts that have to be evaluated.
    pub(crate) fn to_str(self) -> Option<&'a str> {
        self.expression?.to_str()
    }

    /// Whether the expression is a literal value, so that it has no variables.
    pub(crate) fn is_literal(self) -> bool {
        match self.expression.map(|it| it.as_json()) {
            None => false,
            Some(None) => is_plain(self.text),
            Some(Some(node)) => {
                let text = node.text();
                // An escape may stand for a character of `${`.
                let is_template = |at: usize| match text[at] {
                    b'\\' => text.get(at + 1) == Some(&b'u'),
                    _ => text.get(at + 1) == Some(&b'{'),
                };
                !memchr::memchr3_iter(b'$', b'%', b'\\', text).any(is_template)
            }
        }
    }

    /// The value as JSON, if it is constant.
    pub(crate) fn constant(self) -> Option<Cow<'a, str>> {
        let is_literal = self.is_literal();
        let has_variables = !is_literal && self.expression?.variables().next().is_some();
        if has_variables { None } else { self.evaluated(is_literal) }
    }

    /// The value as JSON of an expression without variables; `None` if it is not known.
    pub(crate) fn evaluated(self, is_literal: bool) -> Option<Cow<'a, str>> {
        let expression = self.expression?;
        if is_literal {
            return Some(match expression.as_json() {
                Some(node) if self.text.starts_with(['{', '[']) => {
                    to_string(Layout::Compact, |slot| slot.node(node)).into()
                }
                _ => self.text.into(),
            });
        }
        let value = expression.constant_value(&mut ());
        if value.is_wholly_known() { json_of(value).map(Cow::Owned) } else { None }
    }

    /// Returns the names that the expression refers to; none if it is a literal value.
    pub(crate) fn references(self, is_literal: bool) -> Vec<String> {
        let expression = self.expression.filter(|_| !is_literal);
        let traversals = expression.into_iter().flat_map(|it| it.variables());
        traversals.map(|traversal| traversal.to_string()).collect()
    }

    /// Whether a flag may be set: everything but a literal `false` counts.
    pub(crate) fn may_be_true(self) -> bool {
        self.expression.is_none_or(simd_hcl::hidden::may_be_true)
    }

    /// Returns the kind of the expression, if its value is not constant.
    pub(crate) fn kind(self) -> &'static str {
        let Some(expression) = self.expression else { return "expression" };
        if expression.is_json() {
            if expression.is_string() {
                let text = self.text.trim_matches('"');
                let inner = text.strip_prefix("${").and_then(|text| text.strip_suffix('}'));
                let Some(inner) = inner.filter(|text| !text.contains(['{', '}'])) else {
                    return "template";
                };
                let is_part = |it: char| it.is_alphanumeric() || "_-.[]*".contains(it);
                let function = inner.split_once('(').map(|(name, _)| name);
                let is_name = |name: &str| simd_hcl::expression::is_identifier(name);
                return match function {
                    _ if inner.chars().all(is_part) => "reference",
                    Some(name) if is_name(name) && inner.ends_with(')') => "call",
                    _ => "expression",
                };
            }
            return if self.text.starts_with('[') { "list" } else { "object" };
        }
        if expression.as_traversal().is_some() {
            "reference"
        } else if expression.as_call().is_some() {
            "call"
        } else if expression.as_list().is_some() {
            "list"
        } else if expression.as_map().is_some() {
            "object"
        } else if expression.template_text().is_some() || self.text.starts_with(['"', '<']) {
            "template"
        } else {
            "expression"
        }
    }
}

impl<'a> Item<'a> {
    fn of_native(item: NativeItem<'a>) -> Self {
        match item {
            NativeItem::Attribute(attribute) => Self::Attribute(Attribute::of_native(attribute)),
            NativeItem::Block(block) => Self::Block(Block::of_native(block)),
        }
    }
}

impl<'a> Block<'a> {
    /// The blocks of a body of JSON whose schema is known.
    pub(crate) fn of_json(content: &simd_hcl::body::Content<'a>) -> Vec<Self> {
        let blocks = content.all_blocks().iter().filter_map(|block| {
            Some(Self {
                block_type: block.block_type(),
                labels: block.labels().collect(),
                span: block.span(),
                body: Content::Json(block.body().as_json()?),
            })
        });
        blocks.collect()
    }

    fn of_native(block: simd_hcl::structure::FileBlock<'a>) -> Self {
        Self {
            block_type: block.block_type(),
            labels: block.labels().collect(),
            span: block.span(),
            body: Content::Native(block.body()),
        }
    }
}

impl<'a> Parsed<'a> {
    /// The blocks of the top level, in source order.
    pub(crate) fn blocks(self, dialect: Dialect, list: List) -> Vec<Block<'a>> {
        match self {
            Self::Json(document) => {
                let Some(schema) = root_schema(dialect, list) else { return Vec::new() };
                let content = document.body().content(schema, &mut ());
                Block::of_json(&content)
            }
            Self::Native(file) => {
                let blocks = file.body().items().filter_map(|item| match item {
                    NativeItem::Block(block) => Some(Block::of_native(block)),
                    NativeItem::Attribute(_) => None,
                });
                blocks.collect()
            }
        }
    }

    /// The attributes of the top level: those of a file of variables.
    pub(crate) fn attributes(self) -> Vec<Attribute<'a>> {
        let content = match self {
            Self::Json(document) => Content::Json(document.root()),
            Self::Native(file) => Content::Native(file.body()),
        };
        let attributes = content.items().into_iter().filter_map(|item| match item {
            Item::Attribute(attribute) => Some(attribute),
            Item::Block(_) => None,
        });
        attributes.collect()
    }
}
