//! What is wrong between a test file and the module that it tests.

use rustc_hash::FxHashSet;

use super::replacement::Replacement;
use super::{Run, TestFile};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::Dialect;
use crate::module::Module;
use crate::native::StepKind;

impl<'a> TestFile<'a> {
    /// Reports what a test file says of things that neither it nor the module has: overrides of objects and values of
    /// variables that are not declared, provider configurations that the file does not have. With `withholds`, what
    /// rests on the absence of a declaration in the module is not reported.
    ///
    /// Runs of other modules are not compared with this one.
    pub fn check(&self, module: &Module<'a>, withholds: bool, sink: &mut impl Sink<'a>) {
        let is_terraform = module.dialect == Dialect::Terraform;
        if is_terraform {
            self.runs.iter().for_each(|run| self.check_providers(run, sink));
        }
        if withholds {
            return;
        }
        let own = || self.runs.iter().filter(|run| run.module.is_none());
        if is_terraform {
            // A target of the file may be in any module that is tested.
            if own().count() == self.runs.len() {
                let mocked = self.mock_providers.iter().flat_map(|mock| mock.replacements);
                check_targets(mocked.chain(&self.replacements), module, sink);
            }
            for run in own() {
                check_targets(run.replacements, module, sink);
            }
        }
        for run in own() {
            for value in run.variables {
                let name = value.name();
                if module.variables.get(name).is_none() {
                    let place = value.expression().start_span();
                    sink.report(
                        Diagnostic::new(Code::UndeclaredVariableValue, value.source(), place)
                            .with_arguments(&[name]),
                    );
                }
            }
        }
    }

    /// Reports provider configurations that a run hands on, but the file does not have.
    fn check_providers(&self, run: &Run<'a>, sink: &mut impl Sink<'a>) {
        for pass in run.providers {
            let name = pass.outer.root_name();
            let alias = match pass.outer.steps().get(1).map(|step| step.kind) {
                Some(StepKind::Attribute(alias)) => Some(alias),
                _ => None,
            };
            let key = (name, alias);
            if self.providers.get(key).is_none() && self.mock_providers.get(key).is_none() {
                let place = pass.outer;
                let shown = place.source().arena().format(format_args!("{place}"));
                sink.report(
                    Diagnostic::new(Code::MissingTestProvider, place.source(), place.span())
                        .with_arguments(&[shown]),
                );
            }
        }
    }
}

/// Reports overrides of what the module does not declare. What called modules declare is not looked at.
fn check_targets<'r, 'a: 'r>(
    replacements: impl IntoIterator<Item = &'r Replacement<'a>>,
    module: &Module<'a>,
    sink: &mut impl Sink<'a>,
) {
    let calls: FxHashSet<&str> = module.calls.iter().map(|call| call.name).collect();
    for target in replacements.into_iter().filter_map(|replacement| replacement.target) {
        let is_there = match (target.address.modules, target.address.resource) {
            (0, Some(resource)) => {
                module.resources.get(resource).is_some() || module.scoped_by(resource).is_some()
            }
            _ => match target.traversal.steps().get(1).map(|step| step.kind) {
                Some(StepKind::Attribute(name)) => calls.contains(name),
                _ => true,
            },
        };
        if !is_there {
            let attribute = target.attribute;
            let shown = attribute.source().arena().format(format_args!("{target}"));
            let there =
                Diagnostic::new(Code::MissingOverrideTarget, attribute.source(), attribute.span());
            sink.report(there.with_arguments(&[shown]));
        }
    }
}
