//! Reads the files of a stack.

use super::table::{Kind, Reading};
use super::{Object, Stack};
use crate::body::{Attribute, Block};
use crate::diagnostic::Sink;
use crate::dialect::{BlockKind, Dialect, List, root_schema};
use crate::module::declarations::duplicate;
use crate::module::read;
use crate::parsed::ParsedFile;

impl<'a> Stack<'a> {
    /// Reads the files of a stack, each with the list that it belongs to. Reports unknown and missing
    /// arguments, invalid names and types, and duplicate declarations.
    ///
    /// Cost: opens the bodies of all blocks one level.
    #[must_use]
    pub fn read(
        files: impl IntoIterator<Item = (List, impl Into<ParsedFile<'a>>)>,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let mut stack = Self::default();
        for (list, file) in files {
            match list {
                List::Component => stack.has_components = true,
                List::Deployment => stack.has_deployments = true,
                _ => continue,
            }
            let file: ParsedFile<'a> = file.into();
            let Some(schema) = root_schema(Dialect::Terraform, list) else { continue };
            let content = file.body().content(schema, sink);
            for &block in content.all_blocks() {
                if let Some(kind) = BlockKind::of(block).and_then(Kind::of_block) {
                    stack.declare(kind, block, list == List::Deployment, sink);
                }
            }
        }
        stack
    }

    fn declare(
        &mut self,
        kind: Kind,
        block: Block<'a>,
        is_of_deployments: bool,
        sink: &mut dyn Sink<'a>,
    ) {
        let row = kind.row();
        let Some(schema) = row.schema() else {
            for &attribute in block.body().just_attributes(sink) {
                let names = [attribute.name(), ""];
                if kind == Kind::Local {
                    read::name(names[0], attribute.name_label(), sink);
                }
                let attribute = Some(attribute);
                self.add(Object { kind, names, block, attribute, is_of_deployments }, sink);
            }
            return;
        };
        let content = block.body().content(schema, sink);
        for (name, label) in block.labels().zip(block.label_places()) {
            read::name(name, label, sink);
        }
        for attribute in content.attributes() {
            check_argument(row.reading(attribute.name()), *attribute, sink);
        }
        let mut labels = block.labels();
        let names = [labels.next().unwrap_or_default(), labels.next().unwrap_or_default()];
        self.add(Object { kind, names, block, attribute: None, is_of_deployments }, sink);
    }

    fn add(&mut self, object: Object<'a>, sink: &mut dyn Sink<'a>) {
        let place = self.objects.len();
        if let Some(subject) = object.subject() {
            let subject = (subject, object.is_of_deployments && object.kind == Kind::Local);
            match self.places.get(&subject).and_then(|&earlier| self.objects.get(earlier)) {
                Some(earlier) => {
                    sink.report(duplicate(
                        object.kind.block_type(),
                        object.label(),
                        earlier.label(),
                    ));
                }
                None => drop(self.places.insert(subject, place)),
            }
        }
        self.objects.push(object);
    }
}

/// Reports an argument that cannot be read as it must be.
fn check_argument<'a>(reading: Reading, attribute: Attribute<'a>, sink: &mut dyn Sink<'a>) {
    let value = attribute.expression();
    match reading {
        Reading::Type => drop(value.type_constraint(sink)),
        Reading::Literal => drop(value.literal_value(sink)),
        Reading::References => drop(read::traversals(value, sink)),
        // Keys of instances are expressions.
        Reading::Providers | Reading::Reference | Reading::Value => {}
    }
}
