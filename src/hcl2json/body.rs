//! Bodies as objects of JSON.

use super::Version;
use super::value::Values;
use crate::diagnostic::{Code, Diagnostic, Severity, Sink};
use crate::hash::HashMap;
use crate::source::Source;
use crate::structure::{File, FileAttribute, FileBlock, FileBody, Item};
use crate::write::push_string;

/// Converts a file in native syntax to the JSON of hcl2json.
///
/// Returns `None`, and reports why, if the file has errors, or if hcl2json refuses it: a type of
/// blocks has different numbers of labels, or `-` and `!` stand before a literal of another type.
///
/// Cost: linear in the bytes, apart from sorting. Numbers in templates are written with all digits,
/// at most 16 MiB.
pub fn to_json<'a>(
    source: Source<'a>,
    version: Version,
    sink: &mut dyn Sink<'a>,
) -> Option<String> {
    let mut has_errors = false;
    let mut watched = |found: Diagnostic<'a>| {
        has_errors |= found.severity() == Severity::Error;
        sink.report(found);
    };
    let file = File::parse(source.arena(), source, &mut watched);
    for error in file.keep_expressions() {
        watched((*error).clone());
    }
    if has_errors {
        return None;
    }
    let mut objects = Objects::default();
    objects.read(file.body(), sink)?;
    let mut values = Values::new(source.arena(), version, sink);
    objects.write(&mut values);
    (!values.has_failed).then_some(values.out)
}

/// The objects that bodies and labels make. The first one is the file's.
#[derive(Default)]
struct Objects<'a> {
    members: Vec<Vec<(&'a str, Member<'a>)>>,
    /// The place of each member in its object.
    places: HashMap<(usize, &'a str), usize>,
}

enum Member<'a> {
    Value(FileAttribute<'a>),
    /// An object for a label.
    Labels(usize),
    /// A list of the objects of bodies.
    Blocks(Vec<usize>),
}

impl<'a> Objects<'a> {
    fn add(&mut self) -> usize {
        self.members.push(Vec::new());
        self.members.len() - 1
    }

    /// Returns the member of that name; a new one if there is none.
    fn member(
        &mut self,
        object: usize,
        name: &'a str,
        new: impl FnOnce(&mut Self) -> Member<'a>,
    ) -> &mut Member<'a> {
        let place = match self.places.get(&(object, name)) {
            Some(place) => *place,
            None => {
                let member = new(self);
                self.members[object].push((name, member));
                let place = self.members[object].len() - 1;
                self.places.insert((object, name), place);
                place
            }
        };
        &mut self.members[object][place].1
    }

    /// Reads a body and all bodies in it.
    fn read(&mut self, body: FileBody<'a>, sink: &mut dyn Sink<'a>) -> Option<()> {
        let mut work = vec![(body, self.add())];
        while let Some((body, object)) = work.pop() {
            for item in body.items() {
                if let Item::Block(block) = item {
                    work.push((block.body(), self.block(object, block, sink)?));
                }
            }
            // An attribute replaces blocks of its name.
            for item in body.items() {
                if let Item::Attribute(attribute) = item {
                    let value = || Member::Value(attribute);
                    *self.member(object, attribute.name(), |_| value()) = value();
                }
            }
        }
        Some(())
    }

    /// Adds the object of a block, and returns it.
    fn block(
        &mut self,
        mut object: usize,
        block: FileBlock<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Option<usize> {
        let names = std::iter::once(block.block_type()).chain(block.labels());
        let mut refused = || {
            let arguments = [block.block_type()];
            let found = Diagnostic::new(Code::MixedLabels, block.definition_label());
            sink.report(found.with_arguments(&arguments));
        };
        let last = block.labels().len();
        for (at, name) in names.enumerate() {
            if at < last {
                match self.member(object, name, |objects| Member::Labels(objects.add())) {
                    Member::Labels(inner) => object = *inner,
                    _ => {
                        refused();
                        return None;
                    }
                }
                continue;
            }
            let inner = self.add();
            match self.member(object, name, |_| Member::Blocks(Vec::new())) {
                Member::Blocks(bodies) => bodies.push(inner),
                _ => {
                    refused();
                    return None;
                }
            }
            return Some(inner);
        }
        None
    }

    /// Writes the object of the file.
    fn write(mut self, values: &mut Values<'_, 'a>) {
        enum Work<'a> {
            Punctuation(&'static str),
            Object(usize),
            Member(&'static str, &'a str, Member<'a>),
        }
        let mut work = vec![Work::Object(0)];
        while let Some(next) = work.pop() {
            match next {
                Work::Punctuation(text) => values.out.push_str(text),
                Work::Object(object) => {
                    let mut members = std::mem::take(&mut self.members[object]);
                    members.sort_by_key(|(name, _)| *name);
                    values.out.push('{');
                    work.push(Work::Punctuation("}"));
                    for (at, (name, member)) in members.into_iter().enumerate().rev() {
                        let separator = if at > 0 { "," } else { "" };
                        work.push(Work::Member(separator, name, member));
                    }
                }
                Work::Member(separator, name, member) => {
                    values.out.push_str(separator);
                    push_string(&mut values.out, name);
                    values.out.push(':');
                    match member {
                        Member::Value(attribute) => {
                            if let Ok(expression) = attribute.expression() {
                                values.write(expression);
                            }
                        }
                        Member::Labels(object) => work.push(Work::Object(object)),
                        Member::Blocks(bodies) => {
                            values.out.push('[');
                            work.push(Work::Punctuation("]"));
                            for (at, body) in bodies.into_iter().enumerate().rev() {
                                work.push(Work::Object(body));
                                if at > 0 {
                                    work.push(Work::Punctuation(","));
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
