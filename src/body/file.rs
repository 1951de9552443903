//! Reads bodies of native files by a schema.

use smallvec::SmallVec;

use super::Body;
use super::found::Found;
use super::item::{Attribute, Block};
use super::reading::{Collect, Reading};
use super::schema::{BlockSchema, Entry, Schema};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::structure::{FileBlock, FileBody, Item};
use crate::suggest::Suggestions;

impl<'a> Body<'a> {
    /// Takes the items of a native body that `schema` has, and passes the others to `unknown`. A
    /// block with too few or too many labels is reported and skipped.
    pub(super) fn read_file(
        self,
        body: FileBody<'a>,
        schema: &Schema<'_>,
        sink: &mut dyn Sink<'a>,
        blocks: &mut impl Collect<'a>,
        read: &mut Reading<'a>,
        mut unknown: impl FnMut(Item<'a>),
    ) {
        // For each attribute or block type of the schema: 1 if it occurred.
        let mut places = Found::of(schema);
        for item in body.items() {
            let name = item.name().as_bytes();
            let mut entry = schema.entry(name);
            // In native syntax, an attribute and a block type can have the same name.
            if let (Some(Entry::Attribute(_)), Item::Block(_)) = (entry, item) {
                entry = schema.hidden_block(name).or(entry);
            }
            if self.is_hidden(name) {
                continue;
            }
            let (place, block) = match (entry, item) {
                (Some(entry @ Entry::Attribute(_)), Item::Attribute(_)) => {
                    read.attributes.push(Attribute::of_item(item));
                    (entry.index(schema), None)
                }
                (Some(entry @ Entry::Block(index)), Item::Block(block)) => {
                    (entry.index(schema), Some((block, schema.blocks()[index as usize])))
                }
                _ => {
                    unknown(item);
                    continue;
                }
            };
            if std::mem::replace(places.at(place), 1) == 0 {
                read.taken.push(name);
            }
            if let Some((block, schema)) = block
                && has_labels(block, schema, sink)
            {
                blocks.take(Block::of_file(block), sink);
            }
        }
        self.report_missing(schema, &places, sink);
    }

    /// The attributes of a native body; its blocks are reported.
    pub(super) fn just_attributes_of_file(
        self,
        body: FileBody<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> &'a [Attribute<'a>] {
        let mut attributes: SmallVec<[Attribute<'a>; 16]> = SmallVec::new();
        for item in body.items().filter(|item| !self.is_hidden(item.name().as_bytes())) {
            match item {
                Item::Attribute(_) => attributes.push(Attribute::of_item(item)),
                Item::Block(block) => sink.report(
                    Diagnostic::new(Code::UnexpectedBlock, block.definition_label())
                        .with_arguments(&[block.block_type()]),
                ),
            }
        }
        self.source().arena().bump().alloc_slice_copy(&attributes)
    }
}

impl<'a> FileBody<'a> {
    /// Reports items that the schema does not have, blocks with too few or too many labels, and
    /// missing required arguments. The bodies of its blocks are not checked.
    ///
    /// Cost: linear in the body's own items.
    pub fn check(self, schema: &Schema<'_>, sink: &mut dyn Sink<'a>) {
        Body::from_native(self).check(schema, sink);
    }

    /// Reports the blocks of a body that may only have attributes, such as a file of variables.
    pub fn check_attributes(self, sink: &mut dyn Sink<'a>) {
        Body::from_native(self).just_attributes(sink);
    }
}

/// Reports names that a schema does not have, each with the nearest name of its kind that may have
/// been meant.
#[cold]
pub(super) fn report_unknown<'a>(
    body: FileBody<'a>,
    unknown: &[Item<'a>],
    schema: &Schema<'_>,
    sink: &mut dyn Sink<'a>,
) {
    let arena = body.source().arena();
    let mut suggestions = Suggestions::of_names(unknown.len());
    for item in unknown {
        let name = item.name();
        let (code, place, is_other) = match item {
            Item::Attribute(attribute) => {
                let is_other = schema.block(name).is_some();
                (Code::UnsupportedArgument, attribute.name_label(), is_other)
            }
            Item::Block(block) => {
                let place = Label::new(block.source(), block.type_span());
                (Code::UnsupportedBlock, place, schema.attribute(name).is_some())
            }
        };
        let code = match (code, is_other) {
            (Code::UnsupportedArgument, true) => Code::BlockAsArgument,
            (Code::UnsupportedBlock, true) => Code::ArgumentAsBlock,
            (code, _) => code,
        };
        let nearest = match item {
            _ if is_other => None,
            Item::Attribute(_) => {
                suggestions.nearest(name, schema.attributes().iter().map(|it| it.name))
            }
            Item::Block(_) => {
                suggestions.nearest(name, schema.blocks().iter().map(|it| it.block_type))
            }
        };
        sink.report(
            Diagnostic::new(code, place)
                .with_arguments(&[name])
                .with_suggestion(nearest.map(|name| arena.str(name))),
        );
    }
}

/// Whether a block has the labels that its schema requires. Missing and extra labels are reported.
fn has_labels<'a>(block: FileBlock<'a>, schema: BlockSchema<'_>, sink: &mut dyn Sink<'a>) -> bool {
    let arena = block.source().arena();
    let (wanted, found) = (schema.labels.len(), block.labels().len());
    if let Some(missing) = schema.labels.get(found) {
        sink.report(
            Diagnostic::new(Code::MissingBlockLabel, block.definition_label())
                .with_arguments(&[block.block_type(), arena.str(missing)]),
        );
    } else if found > wanted
        && let Some(span) = block.label_spans().nth(wanted)
    {
        let number = match wanted {
            0 => "no labels",
            1 => "one label",
            _ => arena.format(format_args!("{wanted} labels")),
        };
        sink.report(
            Diagnostic::new(Code::ExtraneousLabel, Label::new(block.source(), span))
                .with_arguments(&[block.block_type(), number]),
        );
    }
    found == wanted
}
