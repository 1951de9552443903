//! Names in the configuration of Terragrunt: inputs of a module, and outputs of dependencies.

use super::text::Keys;
use crate::diagnostic::Label;
use crate::expression::Expression;
use crate::facts::name_of;
use crate::module::Object;
use crate::native::{Key, Native, StepKind, Traversal};
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
    /// Why the object cannot be renamed, if a file beside its module hinders it.
    pub refused: Option<String>,
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
    /// The names of its local values that are configurations with such blocks (`read_terragrunt_config`),
    /// and the names of these.
    pub configurations: Vec<(String, Vec<String>)>,
    /// The labels of its `include` blocks whose files have an input with the old name.
    pub includes: Vec<String>,
}

impl<'a> UnitFile<'a> {
    /// A file that says nothing about the module.
    #[must_use]
    pub fn new(file: ParsedFile<'a>) -> Self {
        let (dependencies, configurations, includes) = Default::default();
        Self { file, is_of_module: false, dependencies, configurations, includes }
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

    /// Sets the local values that are configurations with dependencies that lead to the module, and the
    /// names of these.
    #[must_use]
    pub fn with_configurations(self, configurations: Vec<(String, Vec<String>)>) -> Self {
        Self { configurations, ..self }
    }

    /// Sets the labels of the `include` blocks whose files have an input with the old name.
    #[must_use]
    pub fn with_includes(self, includes: Vec<String>) -> Self {
        Self { includes, ..self }
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
                if !self.includes.is_empty() {
                    let all = native.body().all_attributes();
                    let values = all.filter_map(|attribute| attribute.expression().ok());
                    let traversals = values.flat_map(Native::variables);
                    names.extend(traversals.filter_map(|it| self.included_input(it, old)));
                }
            }
            Object::Output(old) => {
                let all = native.body().all_attributes();
                let values = all.filter_map(|attribute| attribute.expression().ok());
                for traversal in values.flat_map(Native::variables) {
                    match self.output_step(traversal, old) {
                        Some(Some(name)) => names.push(name),
                        Some(None) => others.push(traversal.label()),
                        None => {}
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

    /// The name of the input in `include.LABEL.inputs.OLD`, or without the label of a block that has none.
    fn included_input(&self, traversal: Traversal<'a>, old: &str) -> Option<Span> {
        let name = |at: usize| name_at(traversal, at);
        let has = |label: &str| self.includes.iter().any(|known| known == label);
        let at = match name(1).filter(|_| name(0) == Some("include"))? {
            "inputs" if has("") => 1,
            label if has(label) => 2,
            _ => return None,
        };
        let step = traversal.steps().get(at + 1)?;
        let is_meant = name(at) == Some("inputs") && name(at + 1) == Some(old);
        is_meant.then(|| name_of(traversal, step)).flatten()
    }

    /// The name of the output in `dependency.NAME.outputs.OLD`, also of a configuration that is a local
    /// value; `Some(None)` if it is not written as it is, or if all outputs are used.
    fn output_step(&self, traversal: Traversal<'a>, old: &str) -> Option<Option<Span>> {
        let steps = traversal.steps();
        let name = |at: usize| name_at(traversal, at);
        let (at, names) = match name(0)? {
            "local" => {
                let of_local = |(local, _): &&(String, _)| name(1) == Some(local);
                (2, &self.configurations.iter().find(of_local)?.1)
            }
            _ => (0, &self.dependencies),
        };
        let is_meant = name(at) == Some("dependency")
            && name(at + 1).is_some_and(|name| names.iter().any(|known| known == name))
            && name(at + 2) == Some("outputs");
        match (is_meant, steps.get(at + 3)) {
            (false, _) => None,
            (true, None) => Some(None),
            (true, Some(step)) if name(at + 3) == Some(old) => Some(name_of(traversal, step)),
            (true, Some(_)) => name(at + 3).is_none().then_some(None),
        }
    }
}

/// The name that a step has, however it is written.
fn name_at<'a>(traversal: Traversal<'a>, at: usize) -> Option<&'a str> {
    match traversal.steps().get(at)?.kind {
        StepKind::Root(name) | StepKind::Attribute(name) => Some(name),
        StepKind::Index(Key::String(name)) => Some(name),
        StepKind::Index(_) | StepKind::Splat => None,
    }
}

/// Adds the bytes of the keys with a name in an object, or in the objects that are merged.
fn keys(value: Native<'_>, old: &str, names: &mut Vec<Span>) {
    let mut keys = Keys::default();
    keys.add_objects(value);
    names.extend(keys.names.into_iter().filter(|(key, _)| key == old).map(|(_, span)| span));
}
