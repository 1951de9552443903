//! Bodies of native files by a schema.

use super::schema::{BlockSchema, Schema};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::structure::{FileBlock, FileBody, Item};
use crate::suggest::Suggestions;

impl<'a> FileBody<'a> {
    /// Reports what of the body the schema does not know, blocks with too few or too many labels,
    /// and arguments that are required and missing. The bodies of its blocks are not looked at.
    ///
    /// Cost: linear in the body's own items.
    pub fn check(self, schema: &Schema<'_>, sink: &mut dyn Sink<'a>) {
        let mut unknown = Vec::new();
        let mut required: Vec<&str> =
            schema.attributes().iter().filter(|it| it.required).map(|it| it.name).collect();
        for item in self.items() {
            let (attribute, block) = (schema.attribute(item.name()), schema.block(item.name()));
            match item {
                Item::Attribute(_) if attribute.is_some() => {
                    required.retain(|name| *name != item.name());
                }
                Item::Block(found) => match block {
                    Some(block) => check_labels(found, block, sink),
                    None => unknown.push(item),
                },
                Item::Attribute(_) => unknown.push(item),
            }
        }
        self.report_unknown(&unknown, schema, sink);
        for name in required {
            let end = Label::new(self.source(), self.missing_item_span());
            let name = self.source().arena().str(name);
            sink.report(Diagnostic::new(Code::MissingArgument, end).with_arguments(&[name]));
        }
    }

    /// Reports the blocks of a body that may have attributes only, such as a file of variables.
    pub fn check_attributes(self, sink: &mut dyn Sink<'a>) {
        for item in self.items() {
            if let Item::Block(block) = item {
                sink.report(
                    Diagnostic::new(Code::UnexpectedBlock, block.definition_label())
                        .with_arguments(&[block.block_type()]),
                );
            }
        }
    }

    /// Each name with the nearest one of its kind that it could stand for.
    #[cold]
    fn report_unknown(self, unknown: &[Item<'a>], schema: &Schema<'_>, sink: &mut dyn Sink<'a>) {
        let arena = self.source().arena();
        let attributes: Vec<&str> = schema.attributes().iter().map(|it| it.name).collect();
        let blocks: Vec<&str> = schema.blocks().iter().map(|it| it.block_type).collect();
        let mut suggestions = Suggestions::new();
        for item in unknown {
            let name = item.name();
            let (code, place, is_other, known) = match item {
                Item::Attribute(attribute) => (
                    Code::UnsupportedArgument,
                    attribute.name_label(),
                    schema.block(name).is_some(),
                    &attributes,
                ),
                Item::Block(block) => (
                    Code::UnsupportedBlock,
                    Label::new(block.source(), block.type_span()),
                    schema.attribute(name).is_some(),
                    &blocks,
                ),
            };
            let code = match (code, is_other) {
                (Code::UnsupportedArgument, true) => Code::BlockAsArgument,
                (Code::UnsupportedBlock, true) => Code::ArgumentAsBlock,
                (code, _) => code,
            };
            let nearest = match is_other {
                true => None,
                false => suggestions.nearest(name, known.iter().copied()),
            };
            sink.report(
                Diagnostic::new(code, place)
                    .with_arguments(&[name])
                    .with_suggestion(nearest.map(|name| arena.str(name))),
            );
        }
    }
}

fn check_labels<'a>(block: FileBlock<'a>, schema: BlockSchema<'_>, sink: &mut dyn Sink<'a>) {
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
        let number = arena.format(format_args!("{wanted}"));
        sink.report(
            Diagnostic::new(Code::ExtraneousLabel, Label::new(block.source(), span))
                .with_arguments(&[block.block_type(), number]),
        );
    }
}
