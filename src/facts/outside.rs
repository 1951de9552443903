//! Places in the files beside the configuration: tests, and values of variables.
//!
//! A run of a test that runs another module names objects of that module. Those are not places of
//! the module that the test belongs to: [`Places::of_runs`](super::Places::of_runs) finds them.

use super::collect::{By, Collector};
use super::place::{NONE, PlaceUse};
use super::step::name_of;
use super::target::Target;
use crate::body::Attribute;
use crate::dialect::BlockKind;
use crate::expression::Expression;
use crate::hash::HashSet;
use crate::module::dynamic::{Nested, visit_templates};
use crate::module::test::{Replacement, TestFile};
use crate::module::{Assignments, Object, declared_config};
use crate::native::{Key, StepKind, Traversal};

/// Adds the places of a file of variables.
pub(super) fn values<'a>(collector: &mut Collector<'_, 'a>, values: &Assignments<'a>) {
    values.all().iter().for_each(|value| set(collector, *value));
}

/// Adds the places of a test file of the module.
pub(super) fn test<'a>(collector: &mut Collector<'_, 'a>, file: &TestFile<'a>) {
    let is_own = |at: usize| file.runs.get(at).is_some_and(|run| run.module.is_none());
    runs(collector, file, &is_own);
}

/// Adds the places of the module in a test file: those in the runs that `is_run` accepts, and those that
/// all runs share.
pub(super) fn runs<'a>(
    collector: &mut Collector<'_, 'a>,
    file: &TestFile<'a>,
    is_run: &dyn Fn(usize) -> bool,
) {
    let of_module = || file.runs.iter().enumerate().filter(|(at, _)| is_run(*at));
    let of_module = || of_module().map(|(_, run)| run);
    let names: HashSet<&str> = of_module().map(|run| run.name).collect();
    let outputs = |collector: &mut Collector<'_, 'a>, traversal: Traversal<'a>| {
        output(collector, &names, traversal);
    };
    for value in file.variables {
        set(collector, *value);
        expression(collector, value.expression());
        value.expression().variables().for_each(|it| outputs(collector, it));
    }
    for provider in &file.providers {
        for property in provider.config.properties() {
            visit_templates(property, Nested::Unknown, |value, iterators| {
                for traversal in value.variables() {
                    if !iterators.contains(&traversal.root_name()) {
                        reference(collector, PlaceUse::Value, traversal);
                        outputs(collector, traversal);
                    }
                }
            });
        }
    }
    let mocks = file.mock_providers.iter().flat_map(|mock| mock.replacements);
    mocks.chain(&file.replacements).for_each(|replacement| replaced(collector, replacement));
    for (at, run) in file.runs.iter().enumerate() {
        run.visit_references(|it| outputs(collector, it));
        // Values of variables refer to those of the file, whatever the run runs.
        let values = run.variables.iter().map(|value| value.expression());
        for traversal in values.filter(|_| !is_run(at)).flat_map(Expression::variables) {
            if traversal.root_name() == "var" {
                reference(collector, PlaceUse::Value, traversal);
            }
        }
    }
    // A run without `providers` takes the configurations of the file that have the names of its module's.
    if of_module().any(|run| run.providers.is_empty()) {
        configurations(collector, file);
    }
    for run in of_module() {
        for value in run.variables {
            set(collector, *value);
            expression(collector, value.expression());
        }
        for condition in run.assertions {
            let both = [condition.condition, condition.error_message];
            both.into_iter().flatten().for_each(|value| expression(collector, value));
        }
        for &expected in run.expect_failures {
            reference(collector, PlaceUse::Expectation, expected);
        }
        run.replacements.iter().for_each(|replacement| replaced(collector, replacement));
        let options = run.plan_options.iter();
        for &address in options.flat_map(|options| options.target.iter().chain(options.replace)) {
            collector.address(by(PlaceUse::Address), address);
        }
        for pass in run.providers {
            collector.provider_reference(by(PlaceUse::Key), pass.inner);
        }
    }
}

const fn by(usage: PlaceUse) -> By {
    By { user: NONE, usage }
}

/// Adds the place of a name that sets a variable.
fn set<'a>(collector: &mut Collector<'_, 'a>, value: Attribute<'a>) {
    let label = value.name_label();
    match collector.number(Object::Variable(value.name())) {
        Some(number) => collector.add_name(by(PlaceUse::Key), Target::Object(number), label),
        None => collector.add_undeclared_name(by(PlaceUse::Key), value.name(), label),
    }
}

/// Adds the places of the names of the file's provider configurations: where they are declared, and where
/// runs pass them.
fn configurations<'a>(collector: &mut Collector<'_, 'a>, file: &TestFile<'a>) {
    let mut names = HashSet::default();
    for &block in file.blocks {
        if let Some(BlockKind::Provider | BlockKind::MockProvider) = BlockKind::of(block) {
            let (name, label) = declared_config(block);
            names.insert(name);
            let target = collector.provider(name);
            collector.add_name(by(PlaceUse::Key), target, label);
        }
    }
    for pass in file.runs.iter().flat_map(|run| run.providers) {
        if names.contains(&pass.outer.name()) {
            collector.provider_reference(by(PlaceUse::Pass), pass.outer);
        }
    }
}

fn replaced<'a>(collector: &mut Collector<'_, 'a>, replacement: &Replacement<'a>) {
    if let Some(target) = replacement.target {
        collector.address(by(PlaceUse::Address), target.traversal);
    }
}

fn expression<'a>(collector: &mut Collector<'_, 'a>, value: Expression<'a>) {
    for traversal in value.variables() {
        reference(collector, PlaceUse::Value, traversal);
    }
}

/// Adds the place of an output of the module, where an earlier run has it: `run.NAME.OUTPUT`. `runs` are
/// those of the module.
fn output<'a>(collector: &mut Collector<'_, 'a>, runs: &HashSet<&str>, traversal: Traversal<'a>) {
    let [root, run, step, ..] = traversal.steps() else { return };
    let (StepKind::Root("run"), StepKind::Attribute(run)) = (root.kind, run.kind) else { return };
    let name = match step.kind {
        StepKind::Attribute(name) | StepKind::Index(Key::String(name)) => name,
        _ => return,
    };
    if let Some(number) = collector.number(Object::Output(name)).filter(|_| runs.contains(run)) {
        let span = name_of(traversal, step);
        collector.add(by(PlaceUse::Value), Target::Object(number), traversal.label(), span, false);
    }
}

/// Adds the place of a reference in a test, which also knows outputs, checks and earlier runs.
fn reference<'a>(collector: &mut Collector<'_, 'a>, usage: PlaceUse, traversal: Traversal<'a>) {
    let step = traversal.steps().get(1);
    let name = match step.map(|step| step.kind) {
        Some(StepKind::Attribute(name)) => name,
        _ => return collector.reference(by(usage), traversal),
    };
    let object = match traversal.root_name() {
        "output" => Object::Output(name),
        "check" => Object::Check(name),
        "run" => return collector.add_run(by(usage), name, traversal),
        _ => return collector.reference(by(usage), traversal),
    };
    let span = step.and_then(|step| name_of(traversal, step));
    match collector.number(object) {
        Some(number) => {
            collector.add(by(usage), Target::Object(number), traversal.label(), span, false);
        }
        // A resource may have a type of that name.
        None => collector.reference(by(usage), traversal),
    }
}
