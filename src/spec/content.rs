//! Reads the content of a body by a specification: attributes by name, blocks by type.

use super::{Kind, Spec};
use crate::body::{Attribute, AttributeSchema, Block, BlockSchema, Body, Schema};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::hash::HashMap;

/// The attributes and blocks that a specification reads.
pub(super) struct Shape<'a> {
    attributes: Vec<AttributeSchema<'a>>,
    blocks: Vec<BlockSchema<'a>>,
}

/// The content of one body, or of several bodies that are read as one.
pub(super) struct Content<'a> {
    attributes: HashMap<&'a str, Attribute<'a>>,
    blocks: HashMap<&'a str, Vec<Block<'a>>>,
    /// The place to report for missing items.
    pub(super) missing: Label<'a>,
}

impl<'a> Shape<'a> {
    /// Returns the shape of the bodies that `spec` reads. An item that is read twice is required if
    /// one of its readers requires it.
    pub(super) fn of(spec: Spec<'a>) -> Self {
        let mut shape = Self { attributes: Vec::new(), blocks: Vec::new() };
        let mut known: HashMap<&str, usize> = HashMap::default();
        let mut known_blocks: HashMap<&str, usize> = HashMap::default();
        spec.visit_same_body(&mut |spec| {
            let (block_type, labels): (_, &'a [&'a str]) = match spec.kind {
                Kind::Attribute { name, required } => {
                    let next = shape.attributes.len();
                    match known.entry(name).or_insert(next) {
                        at if *at == next => {
                            shape.attributes.push(AttributeSchema { name, required });
                        }
                        at => shape.attributes[*at].required |= required,
                    }
                    return;
                }
                Kind::Block { block_type, .. } | Kind::BlockAttributes { block_type, .. } => {
                    (block_type, &[])
                }
                Kind::Blocks(blocks) => (blocks.block_type, &[]),
                Kind::BlockMap { block_type, labels, .. } => (block_type, labels),
                _ => return,
            };
            let block = BlockSchema { block_type, labels };
            match known_blocks.get(block_type) {
                // The last one counts, as in the reference.
                Some(&at) => shape.blocks[at] = block,
                None => {
                    known_blocks.insert(block_type, shape.blocks.len());
                    shape.blocks.push(block);
                }
            }
        });
        shape
    }

    fn schema(&self) -> Schema<'_> {
        Schema::new(&self.attributes, &self.blocks)
    }

    /// Reads a body.
    pub(super) fn read(&self, body: Body<'a>, sink: &mut dyn Sink<'a>) -> Content<'a> {
        let mut content = Content::empty(body);
        let read = body.content(&self.schema(), sink);
        content.attributes.extend(read.attributes().iter().map(|it| (it.name(), *it)));
        content.take_blocks(read.all_blocks());
        content
    }

    /// Reads the parts of a body that the specification describes, and ignores the rest.
    pub(super) fn read_partly(&self, body: Body<'a>) -> Content<'a> {
        let mut content = Content::empty(body);
        let (read, _) = body.partial_content(&self.schema(), &mut ());
        content.attributes.extend(read.attributes().iter().map(|it| (it.name(), *it)));
        content.take_blocks(read.all_blocks());
        content
    }

    /// Reads several bodies as one: each attribute may be in only one of them. `None` if there are
    /// no bodies.
    pub(super) fn read_all(
        &self,
        bodies: &[Body<'a>],
        sink: &mut dyn Sink<'a>,
    ) -> Option<Content<'a>> {
        let (first, rest) = bodies.split_first()?;
        if rest.is_empty() {
            return Some(self.read(*first, sink));
        }
        let optional: Vec<_> =
            self.attributes.iter().map(|it| AttributeSchema::optional(it.name)).collect();
        let schema = Schema::new(&optional, &self.blocks);
        let mut content = Content::empty(*first);
        for body in bodies {
            let read = body.content(&schema, sink);
            for attribute in read.attributes() {
                let earlier = content.attributes.get(attribute.name());
                let Some(earlier) = earlier else {
                    content.attributes.insert(attribute.name(), *attribute);
                    continue;
                };
                let duplicate = Diagnostic::new(Code::DuplicateAttribute, attribute.name_label())
                    .with_arguments(&[attribute.name()])
                    .with_related(earlier.name_label(), "first set here");
                sink.report(duplicate);
            }
            content.take_blocks(read.all_blocks());
        }
        for attribute in self.attributes.iter().filter(|it| it.required) {
            if !content.attributes.contains_key(attribute.name) {
                sink.report(
                    Diagnostic::new(Code::MissingArgument, content.missing)
                        .with_arguments(&[attribute.name]),
                );
            }
        }
        Some(content)
    }
}

impl<'a> Content<'a> {
    fn empty(body: Body<'a>) -> Self {
        Self {
            attributes: HashMap::default(),
            blocks: HashMap::default(),
            missing: body.missing_item_label(),
        }
    }

    fn take_blocks(&mut self, blocks: &[Block<'a>]) {
        for block in blocks {
            self.blocks.entry(block.block_type()).or_default().push(*block);
        }
    }

    pub(super) fn attribute(&self, name: &str) -> Option<Attribute<'a>> {
        self.attributes.get(name).copied()
    }

    /// The blocks of a type, in the order of the bodies.
    pub(super) fn blocks(&self, block_type: &str) -> &[Block<'a>] {
        self.blocks.get(block_type).map_or(&[], Vec::as_slice)
    }
}
