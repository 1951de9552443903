//! Checks module calls against the modules that they call: arguments against variables, references
//! against outputs.

use super::callee::{Callee, Spot};
use super::module::{Link, TreeModule};
use super::reach::Reach;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink, report_alike};
use crate::dialect::Dialect;
use crate::expression::Expression;
use crate::hash::{HashMap, HashSet};
use crate::module::computed::Computed;
use crate::module::{Accepted, ModuleCall, inconstant};
use crate::reference::{InstanceKey, Subject};
use crate::suggest::Suggestions;
use crate::value::Marks;

/// The links of a module's calls, in order.
pub(super) fn links<'a>(module: &TreeModule<'a>, reach: &Reach<'a>) -> Vec<Link> {
    module.module.calls.iter().map(|call| reach.link(module, call)).collect()
}

/// The diagnostics of a module's calls.
pub(super) fn check<'a>(
    module: &TreeModule<'a>,
    modules: &[TreeModule<'a>],
    links: &[Link],
    reach: &Reach<'a>,
    arena: &'a Arena,
) -> Vec<Diagnostic<'a>> {
    let mut diagnostics = Vec::new();
    let mut suggestions = Suggestions::new();
    for (call, link) in module.module.calls.iter().zip(links) {
        match *link {
            Link::Module(place) => {
                if let Some(called) = Callee::at(modules, place) {
                    arguments(module, call, called, arena, &mut suggestions, &mut diagnostics);
                }
            }
            Link::Missing => missing(call, &mut diagnostics),
            // The answer is incomplete, but the call is not wrong.
            Link::Remote | Link::Outside => {}
            Link::Unknown => {
                let mut report = |code, text: &str| {
                    if let Some(source) = call.source {
                        let label = source.expression().label();
                        let text = arena.str(text);
                        diagnostics.push(Diagnostic::new(code, label).with_arguments(&[text]));
                    }
                };
                if let Some(reason) = reach.unreadable(module, call) {
                    report(Code::UnreadableDirectory, reason);
                }
                if let Some(target) = reach.outside(module, call) {
                    report(Code::LinkOutside, &target.to_string_lossy());
                }
            }
        }
    }
    outputs(module, modules, links, &mut suggestions, &mut diagnostics);
    diagnostics
}

/// Reports references to outputs that the called module does not declare.
fn outputs<'a>(
    module: &TreeModule<'a>,
    modules: &[TreeModule<'a>],
    links: &[Link],
    suggestions: &mut Suggestions,
    sink: &mut dyn Sink<'a>,
) {
    let used = || module.uses.calls.iter().filter(|used| used.names_output);
    if used().next().is_none() {
        return;
    }
    let calls = module.module.calls.iter().map(|call| call.name);
    let called: HashMap<&str, Callee<'_, 'a>> = calls
        .zip(links)
        .filter_map(|(name, link)| match link {
            Link::Module(place) => Some((name, Callee::at(modules, *place)?)),
            _ => None,
        })
        .collect();
    for reference in used().map(|used| used.reference) {
        // If a module has one instance, `["name"]` is the output of that name.
        let is_repeated = |call: &ModuleCall<'_>| call.count.is_some() || call.for_each.is_some();
        let (call, output, at) = match reference.subject() {
            Subject::ModuleInstance(call, InstanceKey::String(name))
            | Subject::ModuleOutput { call, key: Some(InstanceKey::String(name)), .. }
                if !module.module.calls.get(call).is_some_and(is_repeated) =>
            {
                (call, name, 2)
            }
            Subject::ModuleOutput { call, key, output } => {
                (call, output, 2 + usize::from(key.is_some()))
            }
            _ => continue,
        };
        let Some(called) = called.get(call).map(|called| called.interface) else { continue };
        if called.withholds() {
            continue;
        }
        let declared = called.output(output);
        if let Some(message) = declared.and_then(|declared| declared.deprecated()) {
            sink.report(deprecated(reference.label(), "output", output, message));
        }
        if declared.is_none() {
            let traversal = reference.traversal();
            let known = called.outputs().iter().map(|output| output.name());
            let nearest = suggestions.nearest(output, known);
            let nearest = nearest.map(|name| traversal.source().arena().str(name));
            sink.report(
                Diagnostic::new(Code::UndeclaredOutput, traversal.step_label(at))
                    .with_arguments(&[call, output])
                    .with_suggestion(nearest),
            );
        }
    }
}

#[cold]
fn deprecated<'a>(
    label: Label<'a>,
    kind: &'static str,
    name: &'a str,
    message: &str,
) -> Diagnostic<'a> {
    let message = label.source.arena().str(message.trim());
    Diagnostic::new(Code::DeprecatedUse, label).with_arguments(&[kind, name, message])
}

fn missing<'a>(call: &ModuleCall<'a>, sink: &mut dyn Sink<'a>) {
    if let Some(source) = call.source {
        let value = source.expression();
        sink.report(
            Diagnostic::new(Code::MissingModule, value.label())
                .with_arguments(&[call.source_text().unwrap_or_default()]),
        );
    }
}

/// Compares a call's arguments with the variables of the module that it calls.
fn arguments<'a>(
    module: &TreeModule<'a>,
    call: &ModuleCall<'a>,
    called: Callee<'_, 'a>,
    arena: &'a Arena,
    suggestions: &mut Suggestions,
    sink: &mut dyn Sink<'a>,
) {
    if called.interface.withholds() {
        return;
    }
    let variables = called.interface.variables();
    let all = given(call);
    // If an override file changes a call, the tools do not report unknown arguments.
    let is_overridden = call.base_arguments.is_some();
    for &(name, label, _) in all.iter().filter(|_| !is_overridden) {
        if called.variable(name).is_none() {
            let directory = arena.format(format_args!("{}", called.directory()));
            let known = variables.iter().map(|variable| variable.name());
            let nearest = suggestions.nearest(name, known).map(|name| arena.str(name));
            sink.report(
                Diagnostic::new(Code::UndeclaredArgument, label)
                    .with_arguments(&[name, directory])
                    .with_suggestion(nearest),
            );
        }
    }
    values(module, call, called, &module.uses.computed, arena, sink);
    if module.module.dialect == Dialect::Terraform {
        constants(module, call, called, sink);
    }
    // This does not distinguish which of the blocks `_` of an overridden call is its own.
    if call.escape.is_some() && is_overridden {
        return;
    }
    let own: HashSet<&str> = match call.base_arguments {
        Some(own) => own.iter().map(|argument| argument.name()).collect(),
        None => all.iter().map(|&(name, ..)| name).collect(),
    };
    let required = variables.iter().filter(|variable| variable.is_required());
    let missing = required.filter(|variable| !own.contains(variable.name())).map(|variable| {
        let diagnostic =
            Diagnostic::new(Code::MissingModuleArgument, call.block.definition_label())
                .with_arguments(&[arena.str(variable.name())]);
        match called.label(Spot::Variable(variable.name())) {
            Some(label) => diagnostic.with_related(label, "declared here, without a default"),
            None => diagnostic,
        }
    });
    report_alike(missing, sink);
}

/// Reports arguments of constant variables whose values are not known before modules are installed
/// (Terraform).
fn constants<'a>(
    module: &TreeModule<'a>,
    call: &ModuleCall<'a>,
    called: Callee<'_, 'a>,
    sink: &mut dyn Sink<'a>,
) {
    for (name, _, expression) in given(call) {
        let Some((_, variable)) = called.variable(name).filter(|(_, it)| it.is_const()) else {
            continue;
        };
        if let Some(label) = inconstant(&module.module, expression) {
            let diagnostic = Diagnostic::new(Code::ConstArgument, label).with_arguments(&[name]);
            sink.report(match called.label(Spot::Variable(variable.name())) {
                Some(declared) => diagnostic.with_related(declared, "declared here"),
                None => diagnostic,
            });
        }
    }
}

/// The arguments of a call: names, positions and values.
pub(super) fn given<'a>(call: &ModuleCall<'a>) -> Vec<(&'a str, Label<'a>, Expression<'a>)> {
    let written = call
        .arguments
        .iter()
        .map(|argument| (argument.name(), argument.name_label(), argument.expression()));
    // Each property of the block `_` is an argument.
    let escaped = call.escape.into_iter().flat_map(|block| block.body().properties());
    let escaped =
        escaped.map(|property| (property.name(), property.name_label(), property.expression()));
    written.chain(escaped).collect()
}

/// Reports arguments of a call that do not fit their variables. `computed` evaluates the arguments.
pub(super) fn values<'a>(
    module: &TreeModule<'a>,
    call: &ModuleCall<'a>,
    called: Callee<'_, 'a>,
    computed: &Computed<'a>,
    arena: &'a Arena,
    sink: &mut dyn Sink<'a>,
) {
    if called.interface.withholds() {
        return;
    }
    for (name, _, expression) in given(call) {
        let Some((place, variable)) = called.variable(name) else { continue };
        if let Some(message) = variable.deprecated().filter(|_| !expression.is_null()) {
            sink.report(deprecated(expression.start_label(), "variable", name, message));
        }
        let has_type = variable.has_type() || variable.nullable() == Some(false);
        if has_type || !variable.is_ephemeral() && module.uses.has_ephemeral {
            let value = computed.value(&module.module, expression, &[], &mut ());
            let declared = || called.label(Spot::Variable(name));
            let accepted = Accepted {
                name,
                constraint: called.opened.constraint(called.interface, place),
                nullable: variable.nullable(),
                is_required: variable.is_required(),
                marks: variable.marks(),
            };
            accepted.check(expression, value, &declared, sink);
            if value.deep_marks().contains(Marks::EPHEMERAL) && !variable.is_ephemeral() {
                let what = arena.format(format_args!("The variable \"{name}\""));
                let diagnostic = Diagnostic::new(Code::EphemeralValue, expression.start_label())
                    .with_arguments(&[what, "ephemeral"]);
                sink.report(match declared() {
                    Some(declared) => diagnostic.with_related(declared, "declared here"),
                    None => diagnostic,
                });
            }
        }
    }
}
