//! Whether module calls fit the modules that they call: arguments and variables, references and outputs.

use super::module::{Link, TreeModule};
use super::reach::Reach;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::evaluate::Scope;
use crate::hash::{HashMap, HashSet};
use crate::module::ModuleCall;
use crate::reference::{InstanceKey, Subject};
use crate::suggest::Suggestions;

/// The links of a module's calls in their order, and what is wrong with the calls.
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
                arguments(call, &modules[place], arena, &mut suggestions, &mut diagnostics);
            }
            Link::Missing => missing(call, &mut diagnostics),
            Link::Remote => {}
            Link::Unknown => {
                if let Some(reason) = reach.unreadable(module, call) {
                    unreadable(call, arena.str(reason), &mut diagnostics);
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
        // Of a module with one instance, `["name"]` is the output of that name.
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
        if called.module.outputs.get(output).is_none() {
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

fn missing<'a>(call: &ModuleCall<'a>, sink: &mut dyn Sink<'a>) {
    if let Some(source) = call.source {
        let value = source.expression();
        sink.report(
            Diagnostic::new(Code::MissingModule, value.label())
                .with_arguments(&[value.node().to_str().unwrap_or_default()]),
        );
    }
}

fn unreadable<'a>(call: &ModuleCall<'a>, reason: &'a str, sink: &mut dyn Sink<'a>) {
    if let Some(source) = call.source {
        let label = source.expression().label();
        sink.report(Diagnostic::new(Code::UnreadableDirectory, label).with_arguments(&[reason]));
    }
}

/// Compares a call's arguments with the variables of the module that it calls.
fn arguments<'a>(
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
    // Of a call that an override file changes the tools do not say what the module does not know.
    let unknown = if call.base_arguments.is_some() { &[] } else { call.arguments };
    for argument in unknown {
        if variables.get(argument.name()).is_none() {
            let directory = arena.format(format_args!("{}", called.files.path.display()));
            let known = variables.iter().map(|variable| variable.name);
            let nearest = suggestions.nearest(argument.name(), known);
            sink.report(
                Diagnostic::new(Code::UndeclaredArgument, argument.name_label())
                    .with_arguments(&[argument.name(), directory])
                    .with_suggestion(nearest),
            );
        }
    }
    // Nothing of this module has a value here: what depends on anything fits.
    for argument in call.arguments {
        let Some(variable) = variables.get(argument.name()) else { continue };
        if variable.constraint.is_some() || variable.nullable == Some(false) {
            let expression = argument.expression();
            let value = expression.value(&Scope::new(), &mut ());
            variable.check_value(expression, value, sink);
        }
    }
    // Arguments in the escape block are not told apart here.
    if call.escape.is_some() {
        return;
    }
    let given = call.base_arguments.unwrap_or(call.arguments);
    let given: HashSet<&str> = given.iter().map(|argument| argument.name()).collect();
    for variable in variables.iter().filter(|variable| variable.is_required()) {
        if !given.contains(variable.name) {
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
