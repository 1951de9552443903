//! What bodies that are read as one hold together, by the schema of a provider.

use crate::body::{self, Attribute, Block, Body};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::hash::{HashMap, HashSet};
use crate::show::BodySchema;

/// Attributes and blocks that count. What is wrong with their values is not looked at.
#[derive(Debug)]
pub(crate) struct Content<'a> {
    /// Each name once.
    pub(crate) attributes: Vec<Attribute<'a>>,
    /// Those that are written out, in order.
    pub(crate) blocks: Vec<Block<'a>>,
    /// Those that make others, with the block type as their label.
    pub(crate) dynamic: Vec<Block<'a>>,
    /// Where to say that something is missing.
    pub(crate) missing_item: Option<Label<'a>>,
}

impl<'a> Content<'a> {
    /// What a block's own bodies have together, overridden by others: of an attribute that is set twice the first
    /// counts in the former, the last in the latter; blocks of a type come from the last override that has some. What is
    /// required must be in the former.
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
            // Of what an override file changes, the tools do not say which arguments they do not know.
            [body] => Self::new(body.partial_content(schema.schema(), sink).0),
            _ => Self::joined(own, schema, sink),
        };
        all.missing_item = own.first().map(|body| body.missing_item_label());
        for body in overrides {
            all.override_with(Self::new(body.partial_content(schema.lenient(), sink).0));
        }
        all
    }

    /// Whether nothing is set.
    pub(crate) fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.blocks.is_empty() && self.dynamic.is_empty()
    }

    fn new(content: body::Content<'a>) -> Self {
        let (dynamic, blocks) = content.all_blocks().iter().partition(|block| block.is("dynamic"));
        let attributes = content.attributes().to_vec();
        Self { attributes, blocks, dynamic, missing_item: None }
    }

    /// Several bodies that make one.
    fn joined(bodies: &[Body<'a>], schema: &BodySchema<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let mut all = Self {
            attributes: Vec::new(),
            blocks: Vec::new(),
            dynamic: Vec::new(),
            missing_item: None,
        };
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
        for missing in required.filter(|known| !names.contains_key(known.name)) {
            sink.report(
                Diagnostic::new(Code::MissingArgument, first.missing_item_label())
                    .with_arguments(&[missing.name]),
            );
        }
        all
    }

    fn override_with(&mut self, new: Self) {
        let names: HashSet<&str> = new.attributes.iter().map(|each| each.name()).collect();
        self.attributes.retain(|own| !names.contains(own.name()));
        self.attributes.extend(new.attributes);
        let written = new.blocks.iter().map(|block| block.block_type());
        let made = new.dynamic.iter().filter_map(|block| block.label(0));
        let types: HashSet<&str> = written.chain(made).collect();
        self.blocks.retain(|own| !types.contains(own.block_type()));
        self.dynamic.retain(|own| own.label(0).is_none_or(|made| !types.contains(made)));
        self.blocks.extend(new.blocks);
        self.dynamic.extend(new.dynamic);
    }
}
