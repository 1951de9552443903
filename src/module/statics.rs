//! What must be known before anything else: where modules come from, for which elements there are provider
//! configurations, where the state is kept and how it is encrypted (OpenTofu).
//!
//! These arguments may refer to variables, to local values that need nothing else, to paths and to the workspace.
//! Sources, versions and `for_each` of providers are visited with all other references; backends and encryption
//! only here.

use memchr::memmem;
use rustc_hash::FxHashSet;

use super::{Config, Module};
use crate::body::{Attribute, Block};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;
use crate::json::Value;
use crate::native::{MAX_DEPTH, Text, Traversal, parse_template};
use crate::reference::{Reference, Subject};

/// An expression that must be known early.
#[derive(Clone, Copy)]
struct Early<'a> {
    value: Expression<'a>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Its references are visited with all others.
    Visited,
    /// A local value that is needed early: that is told once, and other references are told elsewhere.
    Local,
    /// An argument of a backend.
    Backend,
    /// An argument of a key provider or a method, which may also refer to key providers.
    Encryption,
}

/// Reports references that cannot be known early. What comes back are the references of backends and encryption that
/// can, with what is wrong with none of them told: whether they are declared.
pub(super) fn check<'a>(module: &Module<'a>, sink: &mut impl Sink<'a>) -> Vec<Reference<'a>> {
    let mut work = early(module);
    work.reverse();
    let mut settings = Vec::new();
    let mut followed: FxHashSet<&'a str> = FxHashSet::default();
    while let Some(Early { value, kind }) = work.pop() {
        provider_functions(value, sink);
        let mut variables = value.variables();
        for traversal in &mut variables {
            if kind == Kind::Encryption && traversal.root_name() == "key_provider" {
                continue;
            }
            let reference = match module.reference(traversal) {
                Ok(reference) => reference,
                Err(diagnostic) => {
                    if matches!(kind, Kind::Backend | Kind::Encryption) {
                        sink.report(diagnostic);
                    }
                    continue;
                }
            };
            match reference.subject() {
                Subject::Variable(name) => {
                    let variable = module.variables.get(name);
                    if variable.is_some_and(|variable| variable.is_const == Some(false)) {
                        report(Code::NotConstant, traversal, name, sink);
                    }
                }
                Subject::Local(name) => {
                    if let Some(local) = module.locals.get(name)
                        && followed.insert(name)
                    {
                        work.push(Early { value: local.value(), kind: Kind::Local });
                    }
                }
                Subject::Path(_) => {}
                Subject::Terraform(_, name) if name != "applying" => {}
                _ => {
                    let what = value.source().arena().format(format_args!("{}", reference.subject()));
                    report(Code::StaticReference, traversal, what, sink);
                    continue;
                }
            }
            if matches!(kind, Kind::Backend | Kind::Encryption) {
                settings.push(reference);
            }
        }
        if matches!(kind, Kind::Backend | Kind::Encryption) {
            for &error in variables.broken() {
                sink.report(error.clone());
            }
        }
    }
    settings
}

/// The expressions, in order, without local values.
fn early<'a>(module: &Module<'a>) -> Vec<Early<'a>> {
    let mut found = Vec::new();
    let mut add = |value, kind| found.push(Early { value, kind });
    for call in &module.calls {
        let arguments = [call.source, call.version];
        for value in arguments.into_iter().flatten().map(Attribute::expression) {
            add(value, Kind::Visited);
        }
    }
    for value in module.providers.iter().filter_map(|provider| provider.for_each) {
        add(value, Kind::Visited);
    }
    let mut add_all = |config: Config<'a>, kind| {
        for property in config.properties() {
            add(Expression::new(property.value()), kind);
        }
    };
    if let Some(backend) = backend(module) {
        add_all(Config::new(backend.body()), Kind::Backend);
    }
    let settings = module.settings.iter().chain(&module.override_settings);
    for encryption in settings.flat_map(|settings| settings.encryption) {
        for part in encryption.key_providers.iter().chain(encryption.methods) {
            add_all(part.config, Kind::Encryption);
        }
    }
    found
}

/// The backend or cloud that counts: of override files the last, of primary files the first.
fn backend<'a>(module: &Module<'a>) -> Option<Block<'a>> {
    let is_backend = |block: &Block<'a>| matches!(block.block_type(), "backend" | "cloud");
    let overriding = module.override_settings.iter().flat_map(|settings| settings.blocks);
    let base = module.settings.iter().flat_map(|settings| settings.blocks);
    overriding.copied().filter(is_backend).last().or_else(|| base.copied().find(is_backend))
}

/// Reports calls of functions that providers bring.
fn provider_functions<'a>(value: Expression<'a>, sink: &mut impl Sink<'a>) {
    let source = value.source();
    if memmem::find(value.span().slice(source.bytes()), b"provider").is_none() {
        return;
    }
    let mut work = vec![value.node()];
    while let Some(node) = work.pop() {
        match node.value() {
            Value::Array(array) => work.extend(array.elements()),
            Value::Object(object) => work.extend(object.members().map(|member| member.value())),
            Value::String(string) if string.may_be_template() => {
                let text = Text::of_string(source, string);
                let program = parse_template(source.arena(), &text, MAX_DEPTH, &mut ());
                let calls = program.map_or(&[][..], |program| program.calls);
                for call in calls.iter().filter(|call| call.name.starts_with("provider::")) {
                    let there = Diagnostic::new(Code::StaticReference, source, call.name_span);
                    sink.report(there.with_arguments(&[call.name]));
                }
            }
            _ => {}
        }
    }
}

#[cold]
fn report<'a>(code: Code, traversal: Traversal<'a>, name: &'a str, sink: &mut impl Sink<'a>) {
    let there = Diagnostic::new(code, traversal.source(), traversal.span());
    sink.report(there.with_arguments(&[name]));
}
