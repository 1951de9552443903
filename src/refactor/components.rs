//! Components of stacks: they run modules, as calls do.

use std::collections::BTreeMap;

use super::change::{Refusal, Why};
use super::readers::NameUse;
use super::text::Keys;
use crate::diagnostic::Label;
use crate::expression::Expression;
use crate::facts::name_of;

use crate::module::Object;
use crate::native::{Key, StepKind, Traversal};
use crate::parsed::ParsedFile;
use crate::stacks::{self, Kind};
use crate::tree::{Origin, PlaceByDirectory, Tree, TreeModule, local_path};

/// A component of a stack.
pub(super) struct Component<'t, 'a> {
    /// The place of the stack.
    pub(super) place: usize,
    of: &'t TreeModule<'a>,
    object: &'t stacks::Object<'a>,
}

/// The components that run each module, by its place.
///
/// Cost: linear in the modules and the components.
pub(super) fn components<'t, 'a>(tree: &'t Tree<'a>) -> BTreeMap<usize, Vec<Component<'t, 'a>>> {
    let mut all: BTreeMap<usize, Vec<Component<'t, 'a>>> = BTreeMap::new();
    let modules = tree.modules().iter().enumerate();
    let stacks = modules.filter(|(_, it)| it.stack.is_some() && it.origin != Origin::Installed);
    let mut directories = None;
    for (place, of) in stacks {
        for object in of.stack.iter().flat_map(|stack| stack.of_kind(Kind::Component)) {
            let source = object.argument("source").and_then(|it| it.expression().to_str());
            let directory = source.and_then(|source| local_path(&of.files.directory(), source));
            let directories = directories.get_or_insert_with(|| PlaceByDirectory::of(tree));
            if let Some(module) = directory.and_then(|directory| directories.at(&directory)) {
                all.entry(module).or_default().push(Component { place, of, object });
            }
        }
    }
    all
}

impl<'a> Component<'_, 'a> {
    /// The files of the stack.
    pub(super) fn files(&self) -> impl Iterator<Item = ParsedFile<'a>> {
        self.of.of_stack.iter().map(|(_, file)| *file)
    }

    fn inputs(&self) -> Option<Expression<'a>> {
        self.object.argument("inputs").map(|inputs| inputs.expression())
    }

    /// Whether it may set a variable of the module.
    pub(super) fn may_set(&self, variable: &str) -> bool {
        self.inputs().is_some_and(|inputs| match Keys::of(inputs) {
            Some(keys) => {
                keys.names.iter().map(|(key, _)| key).chain(&keys.others).any(|it| it == variable)
            }
            None => true,
        })
    }

    /// The uses of a variable or an output of the module.
    ///
    /// # Errors
    /// The component sets a variable with the new name.
    pub(super) fn uses(&self, object: Object<'a>, new: &str) -> Result<Vec<NameUse<'a>>, Refusal> {
        match object {
            Object::Variable(old) => self.input(old, new),
            Object::Output(old) => Ok(self.outputs(old)),
            _ => Ok(Vec::new()),
        }
    }

    fn named(&self, name: &str) -> Option<ParsedFile<'a>> {
        self.files().find(|file| file.source().name() == name)
    }

    fn input(&self, old: &str, new: &str) -> Result<Vec<NameUse<'a>>, Refusal> {
        let Some(inputs) = self.inputs() else { return Ok(Vec::new()) };
        let Some(file) = self.named(inputs.source().name()) else { return Ok(Vec::new()) };
        let Some(keys) = Keys::of(inputs) else { return Ok(Vec::new()) };
        if keys.names.iter().map(|(key, _)| key).chain(&keys.others).any(|key| key == new) {
            let name = file.source().name();
            return Err(Refusal::Name(format!("{name} sets the argument `{new}` already")));
        }
        let names = keys.names.iter().filter(|(key, _)| key == old);
        let mut uses: Vec<_> = names.map(|(_, span)| NameUse::Name(file, *span)).collect();
        if keys.others.iter().any(|key| key == old) {
            uses.push(NameUse::Left(Label::new(file.source(), inputs.span()), Why::Escaped));
        }
        Ok(uses)
    }

    fn outputs(&self, old: &str) -> Vec<NameUse<'a>> {
        let has_instances = self.object.argument("for_each").is_some();
        let mut uses = Vec::new();
        let Some(stack) = &self.of.stack else { return uses };
        stack.visit_references(|reference| {
            let traversal = reference.traversal;
            let subject = stacks::Subject::of(traversal);
            if subject.is_none() || subject != self.object.subject() {
                return;
            }
            let Some(file) = self.named(traversal.source().name()) else { return };
            uses.extend(output(traversal, has_instances, old).map(|found| match found {
                Some(span) => NameUse::Name(file, span),
                None => NameUse::Left(traversal.label(), Why::WholeModule),
            }));
        });
        uses
    }
}

/// The bytes of the name of an output in a reference to a component, if it uses the output; `None` in it for
/// a use of all outputs, or of one whose name is not written as it is.
fn output(
    traversal: Traversal<'_>,
    has_instances: bool,
    old: &str,
) -> Option<Option<crate::span::Span>> {
    let mut steps = traversal.steps().get(2..)?.iter().peekable();
    if has_instances {
        steps.next_if(|step| matches!(step.kind, StepKind::Index(_) | StepKind::Splat));
    }
    let Some(step) = steps.next() else { return Some(None) };
    match step.kind {
        StepKind::Attribute(name) | StepKind::Index(Key::String(name)) => {
            (name == old).then(|| name_of(traversal, step))
        }
        _ => Some(None),
    }
}
