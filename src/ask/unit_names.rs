//! The names in a native file of Terragrunt.

use super::quotes::unquoted;
use crate::body::{Attribute, Block};
use crate::expression::Expression;
use crate::facts::name_of;
use crate::native::{Key, StepKind, Traversal};
use crate::parsed::ParsedFile;
use crate::refactor::Keys;
use crate::span::Span;

/// A name in a file, by the object that it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// `local.x`.
    Local(String),
    /// A block with a label: its type and the label, as in `dependency.x`.
    Block(&'static str, String),
    /// An input, which is a variable of the module.
    Input(String),
    /// `values.x`.
    Value(String),
    /// `dependency.x.outputs.y`: the dependency and the output.
    Output(String, String),
    /// `include.x.locals.y`: the label and the local value.
    IncludedLocal(String, String),
    /// `include.x.inputs.y`: the label and the input.
    IncludedInput(String, String),
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Local(name) => write!(f, "local.{name}"),
            Self::Block(kind, name) => write!(f, "{kind}.{name}"),
            Self::Input(name) => write!(f, "inputs.{name}"),
            Self::Value(name) => write!(f, "values.{name}"),
            Self::Output(block, name) => write!(f, "dependency.{block}.outputs.{name}"),
            Self::IncludedLocal(label, name) => write!(f, "include.{label}.locals.{name}"),
            Self::IncludedInput(label, name) => write!(f, "include.{label}.inputs.{name}"),
        }
    }
}

/// A part of a file that names something.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) name: Name,
    /// The bytes of the name alone.
    pub(super) span: Span,
    pub(super) is_declaration: bool,
}

/// The blocks whose labels are names.
const BLOCKS: [&str; 5] = ["dependency", "feature", "include", "stack", "unit"];

/// The type of a block whose label is a name.
fn kind(block_type: &str) -> Option<&'static str> {
    BLOCKS.into_iter().find(|kind| *kind == block_type)
}

/// The names in a file, in the order of the text. A JSON document has none.
///
/// Cost: linear in the file.
pub(super) fn places(file: ParsedFile<'_>) -> Vec<Place> {
    let mut found = Found { places: Vec::new() };
    let Some(native) = file.as_native() else { return found.places };
    for property in file.body().properties() {
        match property.as_block() {
            Some(block) => found.block(block),
            None if property.is_named("inputs") => {
                found.keys(property.expression(), Name::Input);
            }
            None => {}
        }
    }
    for attribute in native.attributes() {
        let Ok(value) = attribute.expression() else { continue };
        value.variables().for_each(|traversal| found.traversal(traversal));
    }
    found.places.sort_by_key(|place| place.span.start);
    found.places
}

/// The local values that a file declares.
pub(super) fn locals(file: ParsedFile<'_>) -> impl Iterator<Item = Attribute<'_>> {
    let blocks = file.body().properties().filter_map(|it| it.as_block());
    let locals = blocks.filter(|block| block.is("locals"));
    locals.flat_map(|block| block.body().properties()).filter(|it| it.as_block().is_none())
}

struct Found {
    places: Vec<Place>,
}

impl Found {
    fn add(&mut self, name: Name, span: Span, is_declaration: bool) {
        self.places.push(Place { name, span, is_declaration });
    }

    fn block(&mut self, block: Block<'_>) {
        let inner = || block.body().properties().filter(|it| it.as_block().is_none());
        if block.is("locals") {
            for local in inner() {
                self.add(Name::Local(local.name().to_owned()), local.name_span(), true);
            }
            return;
        }
        let Some(kind) = kind(block.block_type()) else { return };
        let Some((label, span)) = block.label(0).zip(block.label_spans().next()) else { return };
        let span = unquoted(span, block.source().bytes());
        self.add(Name::Block(kind, label.to_owned()), span, true);
        if kind == "dependency" {
            for mocks in inner().filter(|it| it.is_named("mock_outputs")) {
                self.keys(mocks.expression(), |name| Name::Output(label.to_owned(), name));
            }
        }
    }

    /// Adds the keys of objects.
    fn keys(&mut self, value: Expression<'_>, name: impl Fn(String) -> Name) {
        let Some(native) = value.as_native() else { return };
        let mut keys = Keys::default();
        keys.add_objects(native);
        for (key, span) in keys.names {
            self.add(name(key), span, false);
        }
    }

    fn traversal(&mut self, traversal: Traversal<'_>) {
        let steps = traversal.steps();
        let text = |at: usize| match steps.get(at)?.kind {
            StepKind::Root(name)
            | StepKind::Attribute(name)
            | StepKind::Index(Key::String(name)) => Some(name.to_owned()),
            _ => None,
        };
        let mut add = |at: usize, name: Name| {
            let span = steps.get(at).and_then(|step| name_of(traversal, step));
            if let Some(span) = span {
                self.add(name, span, false);
            }
        };
        let (Some(root), Some(first)) = (text(0), text(1)) else { return };
        match root.as_str() {
            "local" => add(1, Name::Local(first)),
            "values" => add(1, Name::Value(first)),
            root => {
                let Some(kind) = kind(root) else { return };
                add(1, Name::Block(kind, first.clone()));
                let (Some(member), Some(name)) = (text(2), text(3)) else { return };
                match (kind, member.as_str()) {
                    ("dependency", "outputs") => add(3, Name::Output(first, name)),
                    ("include", "locals") => add(3, Name::IncludedLocal(first, name)),
                    ("include", "inputs") => add(3, Name::IncludedInput(first, name)),
                    _ => {}
                }
            }
        }
    }
}
