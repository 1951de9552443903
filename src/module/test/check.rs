//! Checks a test file against the module that it tests.

use super::replacement::Replacement;
use super::{Run, TestFile};
use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic, Severity, Sink};
use crate::dialect::Dialect;
use crate::hash::{HashMap, HashSet};
use crate::module::assignment::report_undeclared;
use crate::module::{Assignments, Module};
use crate::native::{StepKind, Traversal};
use crate::reference::Subject;
use crate::suggest::Suggestions;

/// The values that variables have in all test files of a module.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TestValues<'v, 'a> {
    /// The values of variable files in the module's directory.
    pub of_module: &'v Assignments<'a>,
    /// The values of variable files in the directory of the tests.
    pub of_tests: &'v Assignments<'a>,
    /// Whether all of these files were read.
    pub is_complete: bool,
}

impl<'a> TestFile<'a> {
    /// Reports references of a test file to things that neither it nor the module has: overrides of
    /// undeclared objects, values of undeclared variables, references to undeclared objects, to
    /// runs that are not finished before, and to unknown provider configurations. With `withholds`,
    /// it does not report declarations that are missing in the module.
    ///
    /// References to variables in `values` are valid. A variable without a value there may get one
    /// on the command line, so a reference to it is only a warning. Runs of other modules are not
    /// compared with this one.
    ///
    /// Cost: linear in the references.
    pub fn check(
        &self,
        module: &Module<'a>,
        values: TestValues<'_, 'a>,
        withholds: bool,
        sink: &mut dyn Sink<'a>,
    ) {
        let is_terraform = module.dialect == Dialect::Terraform;
        if is_terraform {
            self.runs.iter().for_each(|run| self.check_providers(run, sink));
        }
        self.check_order(is_terraform, sink);
        if withholds {
            return;
        }
        let own = || self.runs.iter().filter(|run| run.module.is_none());
        if is_terraform {
            // A target of the file may be in any of the tested modules.
            if own().count() == self.runs.len() {
                let mocked = self.mock_providers.iter().flat_map(|mock| mock.replacements);
                check_targets(mocked.chain(&self.replacements), module, sink);
            }
            for run in own() {
                check_targets(run.replacements, module, sink);
            }
        }
        let names = |attributes: &'_ [Attribute<'a>]| {
            attributes.iter().map(|value| value.name()).collect::<HashSet<_>>()
        };
        let mut of_file = names(self.variables);
        of_file.extend(self.declared_variables.iter().map(|variable| variable.name));
        of_file.extend(names(values.of_module.all()));
        of_file.extend(names(values.of_tests.all()));
        let mut suggestions = Suggestions::new();
        for run in own() {
            check_values(run, module, &mut suggestions, sink);
            let of_run = names(run.variables);
            let has_value =
                |name: &str| of_run.contains(name) || of_file.contains(name) || !values.is_complete;
            for condition in run.assertions {
                for value in [condition.condition, condition.error_message].into_iter().flatten() {
                    for traversal in value.variables() {
                        check_reference(traversal, module, has_value, &mut suggestions, sink);
                    }
                }
            }
        }
    }

    /// Reports references of a run to runs that are not finished before it.
    fn check_order(&self, is_terraform: bool, sink: &mut dyn Sink<'a>) {
        let places: HashMap<&str, usize> =
            self.runs.iter().enumerate().map(|(place, run)| (run.name, place)).rev().collect();
        for (place, run) in self.runs.iter().enumerate() {
            run.visit_references(|traversal| {
                let Some(name) = name_after(traversal, "run") else { return };
                let is_before = places.get(name).is_some_and(|&other| {
                    other < place
                        || is_terraform && other > place && self.are_parallel(place, other)
                });
                if !is_before {
                    sink.report(
                        Diagnostic::new(Code::UnavailableRun, traversal.label())
                            .with_arguments(&[name]),
                    );
                }
            });
        }
    }

    /// Whether two runs may be in parallel: both allow it, and use different states.
    fn are_parallel(&self, one: usize, other: usize) -> bool {
        let default = self.settings.and_then(|settings| settings.parallel).unwrap_or(false);
        let [Some(one), Some(other)] = [one, other].map(|place| self.runs.get(place)) else {
            return false;
        };
        let state = |run: &Run<'a>| {
            run.state_key.or(run.module.and_then(|module| module.source)).unwrap_or_default()
        };
        one.parallel.unwrap_or(default)
            && other.parallel.unwrap_or(default)
            && state(one) != state(other)
    }

    /// Reports provider configurations that a run passes to the module, but the file does not have.
    fn check_providers(&self, run: &Run<'a>, sink: &mut dyn Sink<'a>) {
        for pass in run.providers {
            let key = pass.outer.name();
            if self.providers.get(key).is_none() && self.mock_providers.get(key).is_none() {
                let place = pass.outer.traversal();
                let shown = place.source().arena().format(format_args!("{place}"));
                sink.report(
                    Diagnostic::new(Code::MissingTestProvider, place.label())
                        .with_arguments(&[shown]),
                );
            }
        }
    }
}

/// Reports overrides of objects that the module does not declare. Objects of called modules are not
/// checked.
fn check_targets<'r, 'a: 'r>(
    replacements: impl IntoIterator<Item = &'r Replacement<'a>>,
    module: &Module<'a>,
    sink: &mut dyn Sink<'a>,
) {
    let calls: HashSet<&str> = module.calls.iter().map(|call| call.name).collect();
    for target in replacements.into_iter().filter_map(|replacement| replacement.target) {
        let is_declared = match (target.address.modules, target.address.resource) {
            (0, Some(resource)) => {
                module.resources.get(resource).is_some() || module.scoped_by(resource).is_some()
            }
            _ => match target.traversal.steps().get(1).map(|step| step.kind) {
                Some(StepKind::Attribute(name)) => calls.contains(name),
                _ => true,
            },
        };
        if !is_declared {
            let attribute = target.attribute;
            let shown = attribute.source().arena().format(format_args!("{target}"));
            sink.report(
                Diagnostic::new(Code::MissingOverrideTarget, attribute.label())
                    .with_arguments(&[shown]),
            );
        }
    }
}

/// The name in `root.name`.
fn name_after<'a>(traversal: Traversal<'a>, root: &str) -> Option<&'a str> {
    match traversal.steps().get(1)?.kind {
        StepKind::Attribute(name) if traversal.root_name() == root => Some(name),
        _ => None,
    }
}

/// Reports values of a run for variables that the module does not declare.
fn check_values<'a>(
    run: &Run<'a>,
    module: &Module<'a>,
    suggestions: &mut Suggestions,
    sink: &mut dyn Sink<'a>,
) {
    let is_undeclared = |value: &&Attribute<'a>| module.variables.get(value.name()).is_none();
    let mut undeclared = run.variables.iter().filter(is_undeclared).peekable();
    if undeclared.peek().is_none() {
        return;
    }
    // Terraform accepts variables that only the run refers to.
    let mut used: HashSet<&str> = HashSet::default();
    if module.dialect == Dialect::Terraform {
        run.visit_references(|traversal| used.extend(name_after(traversal, "var")));
    }
    for value in undeclared.filter(|value| !used.contains(value.name())) {
        let label = value.expression().start_label();
        report_undeclared(*value, label, module, suggestions, sink);
    }
}

/// Reports references of an assertion to objects that the module does not declare. Variables of the
/// tests are valid, too: they only have values.
fn check_reference<'a>(
    traversal: Traversal<'a>,
    module: &Module<'a>,
    has_value: impl Fn(&str) -> bool,
    suggestions: &mut Suggestions,
    sink: &mut dyn Sink<'a>,
) {
    let name = match traversal.steps().get(1).map(|step| step.kind) {
        Some(StepKind::Attribute(name)) => name,
        _ => return,
    };
    match traversal.root_name() {
        "output" if module.outputs.get(name).is_none() => {
            let address = traversal.source().arena().format(format_args!("output.{name}"));
            let outputs = module.outputs.iter().map(|output| output.name);
            let nearest = suggestions.nearest(name, outputs);
            undeclared(traversal, address, nearest, Severity::Error, sink);
        }
        "output" | "check" | "run" => {}
        _ => {
            let Ok(reference) = module.reference(traversal) else { return };
            let subject = reference.subject();
            let is_declared = match subject {
                Subject::Variable(name) => module.variables.get(name).is_some() || has_value(name),
                Subject::Local(name) => module.locals.get(name).is_some(),
                Subject::Resource(resource) | Subject::ResourceInstance(resource, _) => {
                    module.resources.get(resource).is_some() || module.scoped_by(resource).is_some()
                }
                _ => subject.module_call().is_none_or(|name| module.calls.get(name).is_some()),
            };
            if !is_declared {
                let address = traversal.source().arena().format(format_args!("{subject}"));
                let severity = match subject {
                    Subject::Variable(_) => Severity::Warning,
                    _ => Severity::Error,
                };
                let nearest = module.nearest(subject, suggestions);
                undeclared(traversal, address, nearest, severity, sink);
            }
        }
    }
}

#[cold]
fn undeclared<'a>(
    traversal: Traversal<'a>,
    address: &'a str,
    nearest: Option<&'a str>,
    severity: Severity,
    sink: &mut dyn Sink<'a>,
) {
    sink.report(
        Diagnostic::new(Code::UndeclaredReference, traversal.label())
            .with_arguments(&[address])
            .with_severity(severity)
            .with_suggestion(nearest),
    );
}
