//! Merges the bodies of a block by the schema of a provider.

use crate::body::{self, Attribute, Block, Body};
use crate::diagnostic::{Code, Diagnostic, Label, Sink, report_alike};
use crate::hash::HashMap;
use crate::show::BodySchema;

/// The attributes and blocks that count. Errors in their values are not checked.
#[derive(Debug)]
pub(crate) struct Content<'a> {
    /// Without duplicate names.
    pub(crate) attributes: Vec<Attribute<'a>>,
    /// Blocks that are not `dynamic`, in order.
    pub(crate) blocks: Vec<Block<'a>>,
    /// `dynamic` blocks, with the block type as their label.
    pub(crate) dynamic: Vec<Block<'a>>,
    /// Where to report a missing item.
    pub(crate) missing_item: Option<Label<'a>>,
}

impl<'a> Content<'a> {
    /// Merges a block's own bodies and the bodies that override them. Of an attribute that is set
    /// twice, the first one of the block's own counts, or the last one of the overrides. Blocks of
    /// a type come from the last override that has some. Required arguments must be in the block's
    /// own bodies.
    ///
    /// Cost: linear in their members.
    pub(crate) fn of(
        own: &[Body<'a>],
        overrides: &[Body<'a>],
        schema: &BodySchema<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let mut all = match *own {
            [body] if overrides.is_empty() => Self::new(body.content(schema.schema(), sink)),
            // If an override file changes a block, the tools do not report its unknown arguments.
            [body] => Self::new(body.partial_content(schema.schema(), sink).0),
            _ => Self::joined(own, schema, sink),
        };
        all.missing_item = own.first().map(|body| body.missing_item_label());
        if !overrides.is_empty() {
            let content = |body: &Body<'a>| body.partial_content(schema.lenient(), sink).0;
            let new: Vec<Self> = overrides.iter().map(content).map(Self::new).collect();
            all.override_with(new);
        }
        all
    }

    /// Whether there are no attributes and blocks, apart from `dynamic` ones.
    pub(crate) fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.blocks.is_empty()
    }

    fn new(content: body::Content<'a>) -> Self {
        let (dynamic, blocks) = content.all_blocks().iter().partition(|block| block.is("dynamic"));
        let attributes = content.attributes().to_vec();
        Self { attributes, blocks, dynamic, missing_item: None }
    }

    fn empty() -> Self {
        Self { attributes: Vec::new(), blocks: Vec::new(), dynamic: Vec::new(), missing_item: None }
    }

    /// Joins several bodies to one.
    fn joined(bodies: &[Body<'a>], schema: &BodySchema<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let mut all = Self::empty();
        let mut names: HashMap<&str, Attribute<'a>> = HashMap::default();
        for body in bodies {
            let new = Self::new(body.content(schema.lenient(), sink));
            for attribute in new.attributes {
                let name = attribute.name();
                if let Some(first) = names.get(name) {
                    sink.report(
                        Diagnostic::new(Code::DuplicateArgument, attribute.name_label())
                            .with_arguments(&[name])
                            .with_related(first.name_label(), "first set here"),
                    );
                    continue;
                }
                names.insert(name, attribute);
                all.attributes.push(attribute);
            }
            all.blocks.extend(new.blocks);
            all.dynamic.extend(new.dynamic);
        }
        let Some(first) = bodies.first() else { return all };
        let required = schema.schema().attributes().iter().filter(|known| known.required);
        let missing = required.filter(|known| !names.contains_key(known.name)).map(|missing| {
            Diagnostic::new(Code::MissingArgument, first.missing_item_label())
                .with_arguments(&[missing.name])
        });
        report_alike(missing, sink);
        all
    }

    /// Adds overrides, in order. The last one of an attribute counts; blocks of a type come from
    /// the last override that has some.
    fn override_with(&mut self, overrides: Vec<Self>) {
        // The last override that has a name or block type, from 1.
        let mut last: HashMap<&str, usize> = HashMap::default();
        let mut last_type: HashMap<&str, usize> = HashMap::default();
        for (place, new) in (1..).zip(&overrides) {
            last.extend(new.attributes.iter().map(|each| (each.name(), place)));
            let written = new.blocks.iter().map(|block| block.block_type());
            let made = new.dynamic.iter().filter_map(|block| block.label(0));
            last_type.extend(written.chain(made).map(|block_type| (block_type, place)));
        }
        let counts = |last: &HashMap<&str, usize>, name: &str, place: usize| {
            last.get(name).is_none_or(|&last| last <= place)
        };
        let own =
            std::mem::replace(self, Self { missing_item: self.missing_item, ..Self::empty() });
        for (place, each) in std::iter::once(own).chain(overrides).enumerate() {
            let Self { attributes, blocks, dynamic, missing_item: _ } = each;
            let attributes = attributes.into_iter();
            self.attributes.extend(attributes.filter(|it| counts(&last, it.name(), place)));
            let blocks = blocks.into_iter();
            self.blocks.extend(blocks.filter(|it| counts(&last_type, it.block_type(), place)));
            let is_last = |block: &Block<'a>| {
                block.label(0).is_none_or(|made| counts(&last_type, made, place))
            };
            self.dynamic.extend(dynamic.into_iter().filter(is_last));
        }
    }
}
