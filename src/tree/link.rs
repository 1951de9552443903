//! Checks module calls against the modules that they call: arguments against variables, references
//! against outputs.

use super::module::{Link, TreeModule};
use super::reach::Reach;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::expression::Expression;
use crate::hash::{HashMap, HashSet};
use crate::module::ModuleCall;
use crate::module::computed::Computed;
use crate::reference::{InstanceKey, Subject};
use crate::suggest::Suggestions;
use crate::value::Marks;

/// The links of a module's calls in order, and the diagnostics of the calls.
pub(super) fn links<'a>(
    module: &TreeModule<'a>,
    modules: &[TreeModule<'a>],
    reach: &Reach<'a>,
    arena: &'a Arena,
) -> (Vec<Link>, Vec<Diagnostic<'a>>) {
    let mut diagnostics = Vec::new();
    let mut suggestions = Suggestions::new();
    let links = module.module.calls.iter().map(|call| {
        let link = reach.link(module, call);
        match link {
            Link::Module(place) => {
                let called = &modules[place];
                arguments(module, call, called, arena, &mut suggestions, &mut diagnostics);
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
        link
    });
    let links: Vec<Link> = links.collect();
    outputs(module, modules, &links, &mut suggestions, &mut diagnostics);
    (links, diagnostics)
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
    let called: HashMap<&str, &TreeModule<'a>> = calls
        .zip(links)
        .filter_map(|(name, link)| match link {
            Link::Module(place) => Some((name, &modules[*place])),
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
        let Some(called) = called.get(call).filter(|called| !called.withholds()) else { continue };
        let declared = called.module.outputs.get(output);
        if let Some(message) = declared.and_then(|declared| declared.deprecated) {
            sink.report(deprecated(reference.label(), "output", output, message));
        }
        if declared.is_none() {
            let traversal = reference.traversal();
            let known = called.module.outputs.iter().map(|output| output.name);
            let nearest = suggestions.nearest(output, known);
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
    message: &'a str,
) -> Diagnostic<'a> {
    Diagnostic::new(Code::DeprecatedUse, label).with_arguments(&[kind, name, message.trim()])
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
    called: &TreeModule<'a>,
    arena: &'a Arena,
    suggestions: &mut Suggestions,
    sink: &mut dyn Sink<'a>,
) {
    if called.withholds() {
        return;
    }
    let variables = &called.module.variables;
    let all = given(call);
    // If an override file changes a call, the tools do not report unknown arguments.
    let is_overridden = call.base_arguments.is_some();
    for &(name, label, _) in all.iter().filter(|_| !is_overridden) {
        if variables.get(name).is_none() {
            let directory = arena.format(format_args!("{}", called.files.path));
            let known = variables.iter().map(|variable| variable.name);
            let nearest = suggestions.nearest(name, known);
            sink.report(
                Diagnostic::new(Code::UndeclaredArgument, label)
                    .with_arguments(&[name, directory])
                    .with_suggestion(nearest),
            );
        }
    }
    values(module, call, called, &module.uses.computed, arena, sink);
    // This does not distinguish which of the blocks `_` of an overridden call is its own.
    if call.escape.is_some() && is_overridden {
        return;
    }
    let own: HashSet<&str> = match call.base_arguments {
        Some(own) => own.iter().map(|argument| argument.name()).collect(),
        None => all.iter().map(|&(name, ..)| name).collect(),
    };
    for variable in variables.iter().filter(|variable| variable.is_required()) {
        if !own.contains(variable.name) {
            sink.report(
                Diagnostic::new(
                    Code::MissingModuleArgument,
                    call.block.body().missing_item_label(),
                )
                .with_arguments(&[variable.name])
                .with_related(
                    variable.block.definition_label(),
                    "declared here, without a default",
                ),
            );
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
    called: &TreeModule<'a>,
    computed: &Computed<'a>,
    arena: &'a Arena,
    sink: &mut dyn Sink<'a>,
) {
    if called.withholds() {
        return;
    }
    for (name, _, expression) in given(call) {
        let Some(variable) = called.module.variables.get(name) else { continue };
        if let Some(message) = variable.deprecated.filter(|_| !expression.is_null()) {
            sink.report(deprecated(expression.start_label(), "variable", variable.name, message));
        }
        let has_type = variable.constraint.is_some() || variable.nullable == Some(false);
        if has_type || variable.ephemeral != Some(true) && module.uses.has_ephemeral {
            let value = computed.value(&module.module, expression, &[], &mut ());
            variable.check_value(expression, value, sink);
            if value.deep_marks().contains(Marks::EPHEMERAL) && variable.ephemeral != Some(true) {
                let what = arena.format(format_args!("The variable \"{}\"", variable.name));
                sink.report(
                    Diagnostic::new(Code::EphemeralValue, expression.start_label())
                        .with_arguments(&[what, "ephemeral"])
                        .with_related(variable.block.definition_label(), "declared here"),
                );
            }
        }
    }
}
