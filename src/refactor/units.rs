//! Names in the configuration of Terragrunt: inputs of a module, and outputs of dependencies.

use super::text::Keys;
use crate::diagnostic::Label;
use crate::expression::Expression;
use crate::facts::name_of;
use crate::module::Object;
use crate::native::{Native, StepKind, Traversal};
use crate::parsed::ParsedFile;
use crate::span::Span;

/// Files beside the modules of a tree that may name an object.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Beside<'a> {
    /// Files of values of the module's variables.
    pub values: Vec<ParsedFile<'a>>,
    /// Files of Terragrunt.
    pub units: Vec<UnitFile<'a>>,
    /// The gaps of the answer: the path, and why.
    pub gaps: Vec<(Box<str>, String)>,
}

/// A file of Terragrunt, and what it says about the module whose object is renamed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnitFile<'a> {
    /// The file, in native syntax.
    pub file: ParsedFile<'a>,
    /// Whether its inputs are the variables of the module.
    pub is_of_module: bool,
    /// The names of its `dependency` blocks that lead to the module.
    pub dependencies: Vec<String>,
}

impl<'a> UnitFile<'a> {
    /// A file that says nothing about the module.
    #[must_use]
    pub fn new(file: ParsedFile<'a>) -> Self {
        Self { file, is_of_module: false, dependencies: Vec::new() }
    }

    /// Sets whether its inputs are the variables of the module.
    #[must_use]
    pub fn with_inputs(self, is_of_module: bool) -> Self {
        Self { is_of_module, ..self }
    }

    /// Sets the names of its dependencies that lead to the module.
    #[must_use]
    pub fn with_dependencies(self, dependencies: Vec<String>) -> Self {
        Self { dependencies, ..self }
    }

    /// The bytes of the name of an object of the module, and the places that name it in another way.
    pub(crate) fn names(&self, object: Object<'_>) -> (Vec<Span>, Vec<Label<'a>>) {
        let (mut names, mut others) = (Vec::new(), Vec::new());
        let Some(native) = self.file.as_native() else { return (names, others) };
        match object {
            Object::Variable(old) if self.is_of_module => {
                for attribute in native.attributes().filter(|it| it.name() == "inputs") {
                    if let Ok(value) = attribute.expression() {
                        keys(value, old, &mut names);
                    }
                }
            }
            Object::Output(old) => {
                for attribute in native.body().all_attributes() {
                    let Ok(value) = attribute.expression() else { continue };
                    for traversal in value.variables() {
                        match self.output_step(traversal, old) {
                            Some(Some(name)) => names.push(name),
                            Some(None) => others.push(traversal.label()),
                            None => {}
                        }
                    }
                }
                for block in self.file.body().properties().filter_map(|it| it.as_block()) {
                    let is_meant = block.is("dependency")
                        && block.label(0).is_some_and(|label| self.leads_to_module(label));
                    let properties = block.body().properties().filter(|_| is_meant);
                    let mocks = properties.filter(|it| it.name() == "mock_outputs");
                    for value in mocks.map(|it| it.expression()).filter_map(Expression::as_native) {
                        keys(value, old, &mut names);
                    }
                }
            }
            _ => {}
        }
        (names, others)
    }

    fn leads_to_module(&self, dependency: &str) -> bool {
        self.dependencies.iter().any(|name| name == dependency)
    }

    /// The name of the output in `dependency.NAME.outputs.OLD`; `Some(None)` if it is not written as
    /// it is, or if all outputs are used.
    fn output_step(&self, traversal: Traversal<'a>, old: &str) -> Option<Option<Span>> {
        let steps = traversal.steps();
        let name = |at: usize| match steps.get(at)?.kind {
            StepKind::Root(name) | StepKind::Attribute(name) => Some(name),
            StepKind::Index(crate::native::Key::String(name)) => Some(name),
            StepKind::Index(_) | StepKind::Splat => None,
        };
        let is_meant = name(0) == Some("dependency")
            && name(1).is_some_and(|name| self.leads_to_module(name))
            && name(2) == Some("outputs");
        match (is_meant, steps.get(3)) {
            (false, _) => None,
            (true, None) => Some(None),
            (true, Some(step)) if name(3) == Some(old) => Some(name_of(traversal, step)),
            (true, Some(_)) => name(3).is_none().then_some(None),
        }
    }
}

/// Adds the bytes of the keys with a name in an object, or in the objects that are merged.
fn keys(value: Native<'_>, old: &str, names: &mut Vec<Span>) {
    let mut keys = Keys::default();
    keys.add_objects(value);
    names.extend(keys.names.into_iter().filter(|(key, _)| key == old).map(|(_, span)| span));
}
