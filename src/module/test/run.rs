//! `run`: one plan or apply, and the conditions to check after it.

use super::command::Command;
use super::plan_options::PlanOptions;
use super::replacement::{Replacement, Targets};
use super::run_module::RunModule;
use super::values::{report_broken, values};
use crate::body::{Attribute, Block};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::test_files::RUN;
use crate::hash::HashMap;
use crate::module::block::{argument, single};
use crate::module::call::{ProviderPass, passes};
use crate::module::condition::Condition;
use crate::module::declarations::duplicate;
use crate::module::meta::dependencies;
use crate::module::provisioner::keyword;
use crate::module::read;
use crate::module::rules::Rules;
use crate::native::{StepKind, Traversal};
use crate::reference::{Reference, Subject};

/// A run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Run<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its name.
    pub name: &'a str,
    /// The command, a keyword.
    pub command: Command,
    /// The options of the plan.
    pub plan_options: Option<PlanOptions<'a>>,
    /// Values of variables, as templates. They override those of the file.
    pub variables: &'a [Attribute<'a>],
    /// The module to run, if it is not the one that the file belongs to.
    pub module: Option<RunModule<'a>>,
    /// The conditions to check after the run.
    pub assertions: &'a [Condition<'a>],
    /// Objects whose conditions must fail.
    pub expect_failures: &'a [Traversal<'a>],
    /// Provider configurations of the file that the run passes to the module.
    pub providers: &'a [ProviderPass<'a>],
    /// Overrides of resources, data sources and modules, in order.
    pub replacements: &'a [Replacement<'a>],
    /// The name of the state to use, read literally (Terraform).
    pub state_key: Option<&'a str>,
    /// Whether the run may be in parallel with others, read literally (Terraform).
    pub parallel: Option<bool>,
    /// Whether to keep the objects that the run creates, read literally; an experiment (Terraform).
    pub skip_cleanup: Option<bool>,
    /// Where the state is stored; an experiment (Terraform).
    pub backend: Option<Block<'a>>,
}

impl<'a> Run<'a> {
    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(rules.schema(&RUN), sink);
        let name = block.label(0).unwrap_or_default();
        read::name(name, block.label_place(0), sink);
        let assertions: Vec<_> =
            content.blocks("assert").map(|block| Condition::read(block, sink)).collect();
        for condition in &assertions {
            for value in [condition.condition, condition.error_message].into_iter().flatten() {
                report_broken(value, sink);
            }
        }
        let mut targets = Targets::new(rules);
        let mut replacements = Vec::new();
        for &block in content.all_blocks() {
            if let Some(replacement) = Replacement::read(block, rules, sink) {
                targets.add(&replacement, sink);
                replacements.push(replacement);
            }
        }
        for backend in content.blocks("backend") {
            sink.report(
                Diagnostic::new(Code::Experimental, backend.definition_label())
                    .with_arguments(&["backend"]),
            );
        }
        experimental(content.attribute("skip_cleanup"), sink);
        let expected = argument(&content, "expect_failures");
        let expect_failures = expected.map_or(&[][..], |list| dependencies(list, rules, sink));
        for &traversal in expect_failures {
            check_expected(traversal, rules, sink);
        }
        let providers = argument(&content, "providers");
        let bump = block.source().arena().bump();
        let mut flag = |name| argument(&content, name).and_then(|value| read::boolean(value, sink));
        let (parallel, skip_cleanup) = (flag("parallel"), flag("skip_cleanup"));
        Self {
            block,
            name,
            command: match keyword(argument(&content, "command"), ["apply", "plan"], sink) {
                Some("plan") => Command::Plan,
                _ => Command::Apply,
            },
            plan_options: single(&content, "plan_options", sink)
                .map(|block| PlanOptions::read(block, rules, sink)),
            variables: values(&content, sink),
            module: single(&content, "module", sink)
                .map(|block| RunModule::read(block, rules, sink)),
            assertions: bump.alloc_slice_copy(&assertions),
            expect_failures,
            providers: providers.map_or(&[], |map| passes(map, rules, sink)),
            replacements: bump.alloc_slice_copy(&replacements),
            state_key: argument(&content, "state_key").and_then(|value| read::string(value, sink)),
            parallel,
            skip_cleanup,
            backend: single(&content, "backend", sink),
        }
    }

    /// Visits the references of assertions, then those of values of variables, in order.
    pub fn visit_references(&self, mut visit: impl FnMut(Traversal<'a>)) {
        let conditions = self.assertions.iter();
        let conditions = conditions.flat_map(|it| [it.condition, it.error_message]).flatten();
        let values = self.variables.iter().map(|value| value.expression());
        for value in conditions.chain(values) {
            value.variables().for_each(&mut visit);
        }
    }

    /// Reports an earlier run of the same name.
    pub(super) fn check_name(
        &self,
        names: &mut HashMap<&'a str, Block<'a>>,
        sink: &mut dyn Sink<'a>,
    ) {
        let earlier = *names.entry(self.name).or_insert(self.block);
        if earlier.span() != self.block.span() {
            let label = self.block.label_place(0);
            sink.report(duplicate("run", label, earlier.definition_label()));
        }
    }
}

/// Reports an argument that only experimental builds know.
pub(super) fn experimental<'a>(attribute: Option<Attribute<'a>>, sink: &mut dyn Sink<'a>) {
    if let Some(attribute) = attribute {
        sink.report(
            Diagnostic::new(Code::Experimental, attribute.name_label())
                .with_arguments(&[attribute.name()]),
        );
    }
}

/// Reports an object that has no conditions. Variables, outputs, checks, resources and data sources
/// can have some.
fn check_expected<'a>(traversal: Traversal<'a>, rules: Rules, sink: &mut dyn Sink<'a>) {
    // Besides the references that modules have, tests can refer to outputs and checks, and in
    // Terraform to earlier runs.
    let root = traversal.root_name();
    let is_run = root == "run" && rules.is_terraform();
    if is_run || matches!(root, "output" | "check") {
        let step = traversal.steps().get(1);
        let (code, label, why) = match step.map(|step| step.kind) {
            Some(StepKind::Attribute(_)) if is_run => {
                (Code::ExpectedFailure, traversal.label(), "")
            }
            Some(StepKind::Attribute(_)) => return,
            _ => {
                let why = "an attribute of this object must follow";
                (Code::InvalidReference, traversal.step_label(1), why)
            }
        };
        return sink.report(Diagnostic::new(code, label).with_arguments(&[root, why]));
    }
    let reference = match rules.is_terraform() {
        true => Reference::of_terraform(traversal),
        false => Reference::of(traversal),
    };
    match reference.map(Reference::subject) {
        Ok(Subject::Variable(_) | Subject::Resource(_) | Subject::ResourceInstance(..)) => {}
        Ok(_) => {
            sink.report(Diagnostic::new(Code::ExpectedFailure, traversal.label()));
        }
        Err(diagnostic) => sink.report(diagnostic),
    }
}
