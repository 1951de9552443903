//! The arguments that Terraform must know before modules are installed: `source` and `version` of module
//! calls.
//!
//! They may refer to constant variables, to paths, and to local values made of these. The
//! [analysis](Module::analyse) checks their own references. This file checks the local values
//! behind them, and functions without a result at that time.

use super::{Module, ModuleCall};
use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::evaluate::{KnownFunction, known_function};
use crate::expression::{Expression, Seen};
use crate::hash::{HashMap, HashSet};
use crate::native::Traversal;
use crate::reference::Subject;

/// Reports local values and functions of which the value is not known yet.
///
/// Cost: linear in the expressions of the local values that sources and versions need.
pub(super) fn check<'a>(module: &Module<'a>, sink: &mut dyn Sink<'a>) {
    let mut written: Vec<(Traversal<'a>, &'a str)> = Vec::new();
    for value in module.calls.iter().flat_map(unknown) {
        written.extend(locals(module, value));
        impure(value, |label, name| {
            sink.report(Diagnostic::new(Code::SourceReference, label).with_arguments(&[name]));
        });
    }
    if written.is_empty() {
        return;
    }
    let tainted = tainted(module, written.iter().map(|&(_, name)| name).collect());
    for (traversal, name) in written.into_iter().filter(|(_, name)| tainted.contains(name)) {
        let name = traversal.source().arena().format(format_args!("local.{name}"));
        sink.report(
            Diagnostic::new(Code::SourceReference, traversal.label()).with_arguments(&[name]),
        );
    }
}

/// The first part of a value that is not known before modules are installed: a reference, or a
/// function without a result at that time.
///
/// Cost: linear in the value, and in the local values behind it.
pub(crate) fn inconstant<'a>(module: &Module<'a>, value: Expression<'a>) -> Option<Label<'a>> {
    let mut found = None;
    impure(value, |label, _| found = found.or(Some(label)));
    for traversal in value.variables() {
        let is_constant = match module.reference(traversal).ok()?.subject() {
            Subject::Local(name) => !tainted(module, vec![name]).contains(name),
            Subject::Variable(name) => {
                module.variables.get(name).is_none_or(|it| it.is_const == Some(true))
            }
            Subject::Path(_) => true,
            _ => false,
        };
        if !is_constant {
            found = found.or(Some(traversal.label()));
        }
    }
    found
}

/// The arguments of a call whose values are not known without variables.
fn unknown<'a>(call: &ModuleCall<'a>) -> impl Iterator<Item = Expression<'a>> + use<'a> {
    let all = [(call.source, call.evaluated.source), (call.version, call.evaluated.version)];
    let unknown = all.into_iter().filter(|(_, evaluated)| evaluated.is_none());
    unknown.filter_map(|(attribute, _)| attribute).map(Attribute::expression)
}

/// The local values that a value refers to.
fn locals<'a>(module: &Module<'a>, value: Expression<'a>) -> Vec<(Traversal<'a>, &'a str)> {
    let mut found = Vec::new();
    for traversal in value.variables() {
        if let Ok(reference) = module.reference(traversal)
            && let Subject::Local(name) = reference.subject()
        {
            found.push((traversal, name));
        }
    }
    found
}

/// Visits calls of functions without a result.
fn impure<'a>(value: Expression<'a>, mut visit: impl FnMut(Label<'a>, &'a str)) {
    let source = value.source();
    value.visit_variables(|seen| {
        let Seen::Template(program) = seen else { return };
        for call in program.own_calls() {
            let name = call.name.strip_prefix("core::").unwrap_or(call.name);
            let is_impure = known_function(name).is_some_and(KnownFunction::is_impure);
            if is_impure || name.starts_with("provider::") {
                visit(Label::new(source, call.name_span), source.arena().str(call.name));
            }
        }
    });
}

/// Returns those of some local values, and of the ones that they need, that depend on a value that
/// is not constant.
fn tainted<'a>(module: &Module<'a>, mut pending: Vec<&'a str>) -> HashSet<&'a str> {
    let mut seen: HashSet<&'a str> = pending.iter().copied().collect();
    let mut users: HashMap<&'a str, Vec<&'a str>> = HashMap::default();
    let mut spread = Vec::new();
    while let Some(name) = pending.pop() {
        let Some(local) = module.locals.get(name) else { continue };
        let mut is_constant = true;
        impure(local.value(), |_, _| is_constant = false);
        for traversal in local.value().variables() {
            let Ok(reference) = module.reference(traversal) else { continue };
            match reference.subject() {
                Subject::Local(needed) => {
                    users.entry(needed).or_default().push(name);
                    if seen.insert(needed) {
                        pending.push(needed);
                    }
                }
                Subject::Variable(name) => {
                    let variable = module.variables.get(name);
                    is_constant &= variable.is_none_or(|it| it.is_const == Some(true));
                }
                Subject::Path(_) => {}
                _ => is_constant = false,
            }
        }
        if !is_constant {
            spread.push(name);
        }
    }
    let mut tainted = HashSet::default();
    while let Some(name) = spread.pop() {
        if tainted.insert(name) {
            spread.extend(users.remove(name).into_iter().flatten());
        }
    }
    tainted
}
