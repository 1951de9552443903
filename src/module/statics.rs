//! Checks values that must be known before anything else: sources of modules, `for_each` of
//! provider configurations, backends and encryption (OpenTofu).
//!
//! These arguments may refer only to variables, to local values that follow the same rule, to paths
//! and to the workspace. The [analysis](Module::analyse) checks everything else about the
//! references.

use memchr::memmem;

use super::encryption::{is_key_provider, part_of, undeclared};
use super::{Config, Encryption, EncryptionPart, EncryptionTarget, Module};
use crate::body::{Attribute, Block};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::expression::{Expression, Seen};
use crate::hash::{HashMap, HashSet};
use crate::native::Traversal;
use crate::reference::Subject;

/// An expression that must be known early.
#[derive(Clone, Copy)]
struct Early<'a> {
    value: Expression<'a>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An expression whose references are visited with all others.
    Visited,
    /// A local value that is needed early; reported once. Its other references are reported
    /// elsewhere.
    Local,
    /// An argument of a backend, of a key provider or of a method.
    Setting,
}

/// Reports references that cannot be known early. The analysis reports undeclared ones. With
/// `withholds`, a file that was not read may declare key providers.
pub(super) fn check<'a>(module: &Module<'a>, withholds: bool, sink: &mut dyn Sink<'a>) {
    let mut statics =
        Statics { module, withholds, work: early(module), locals: HashSet::default() };
    statics.work.reverse();
    statics.follow(sink);
    if let Some(encryption) = module.encryption() {
        statics.encryption(&encryption, sink);
    }
}

struct Statics<'m, 'a> {
    module: &'m Module<'a>,
    withholds: bool,
    work: Vec<Early<'a>>,
    /// The local values that have been visited.
    locals: HashSet<&'a str>,
}

impl<'a> Statics<'_, 'a> {
    /// Checks all expressions, and the local values that they need.
    fn follow(&mut self, sink: &mut dyn Sink<'a>) {
        while let Some(Early { value, kind }) = self.work.pop() {
            provider_functions(value, sink);
            let mut variables = value.variables();
            for traversal in &mut variables {
                self.reference(traversal, value, kind, sink);
            }
            if kind == Kind::Setting {
                for &error in variables.broken() {
                    sink.report(error.clone());
                }
            }
        }
    }

    fn reference(
        &mut self,
        traversal: Traversal<'a>,
        value: Expression<'a>,
        kind: Kind,
        sink: &mut dyn Sink<'a>,
    ) {
        let reference = match self.module.reference(traversal) {
            Ok(reference) => reference,
            Err(diagnostic) => {
                if kind == Kind::Setting {
                    sink.report(diagnostic);
                }
                return;
            }
        };
        match reference.subject() {
            Subject::Variable(name) => {
                let variable = self.module.variables.get(name);
                if variable.is_some_and(|variable| variable.is_const == Some(false)) {
                    report(Code::NotConstant, traversal, name, sink);
                }
            }
            Subject::Local(name) => {
                if let Some(local) = self.module.locals.get(name)
                    && self.locals.insert(name)
                {
                    self.work.push(Early { value: local.value(), kind: Kind::Local });
                }
            }
            Subject::Path(_) => {}
            Subject::Terraform(_, name) if name != "applying" => {}
            subject => {
                let what = value.source().arena().format(format_args!("{subject}"));
                report(Code::StaticReference, traversal, what, sink);
            }
        }
    }

    /// Checks the methods that targets name, and the key providers that these methods need. Others
    /// are never evaluated.
    fn encryption(&mut self, encryption: &Encryption<'a>, sink: &mut dyn Sink<'a>) {
        let methods: HashMap<_, _> = encryption.methods.iter().map(by_key).collect();
        let providers: HashMap<_, _> = encryption.key_providers.iter().map(by_key).collect();
        let mut needed: Vec<&EncryptionPart<'a>> = Vec::new();
        for name in encryption.targets.iter().flat_map(EncryptionTarget::methods) {
            match part_of(name, "method").and_then(|key| methods.get(&key)) {
                Some(method) => needed.push(method),
                None if self.withholds => {}
                None => undeclared("method", name, sink),
            }
        }
        // Each part once, in the order of first use.
        let mut seen: HashSet<*const EncryptionPart<'a>> = HashSet::default();
        let mut place = 0;
        while let Some(&part) = needed.get(place) {
            place += 1;
            if !seen.insert(part) {
                continue;
            }
            for property in part.config.properties() {
                let value = property.expression();
                for name in self.part(value, sink) {
                    match part_of(name, "key_provider").and_then(|key| providers.get(&key)) {
                        Some(provider) => needed.push(provider),
                        None if self.withholds => {}
                        None => undeclared("key provider", name, sink),
                    }
                }
            }
        }
    }

    /// Checks an argument of a method or key provider. Returns the key providers that it names: by
    /// a reference, or by their address as a string.
    fn part(&mut self, value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Vec<Traversal<'a>> {
        if value.is_json() && value.is_string() && !value.is_template() {
            return value.as_traversal().into_iter().filter(is_key_provider).collect();
        }
        provider_functions(value, sink);
        let mut variables = value.variables();
        let mut named = Vec::new();
        for traversal in &mut variables {
            match is_key_provider(&traversal) {
                true => named.push(traversal),
                false => self.reference(traversal, value, Kind::Setting, sink),
            }
        }
        for &error in variables.broken() {
            sink.report(error.clone());
        }
        self.follow(sink);
        named
    }
}

fn by_key<'e, 'a>(part: &'e EncryptionPart<'a>) -> ((&'a str, &'a str), &'e EncryptionPart<'a>) {
    (part.key(), part)
}

/// The expressions to check, in order, except local values and encryption.
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
    if let Some(backend) = module.backend() {
        for property in Config::new(backend.body()).properties() {
            add(property.expression(), Kind::Setting);
        }
    }
    found
}

impl<'a> Module<'a> {
    /// The `backend` or `cloud` block that counts: the last one of override files, or the first one
    /// of primary files.
    #[must_use]
    pub fn backend(&self) -> Option<Block<'a>> {
        let is_backend = |block: &Block<'a>| matches!(block.block_type(), "backend" | "cloud");
        let overriding = || self.override_settings.iter().flat_map(|settings| settings.blocks);
        let base = self.settings.iter().flat_map(|settings| settings.blocks);
        let Some(last) = overriding().copied().rfind(is_backend) else {
            return base.copied().find(is_backend);
        };
        // Of one file, `cloud` counts.
        let is_beside =
            |block: &Block<'a>| block.is("cloud") && block.source().id() == last.source().id();
        Some(overriding().copied().rfind(is_beside).unwrap_or(last))
    }
}

/// Reports calls of provider functions.
fn provider_functions<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) {
    let source = value.source();
    if memmem::find(value.span().slice(source.bytes()), b"provider").is_none() {
        return;
    }
    value.visit_variables(|seen| {
        let Seen::Template(program) = seen else { return };
        for call in program.own_calls().filter(|call| call.name.starts_with("provider::")) {
            sink.report(
                Diagnostic::new(Code::StaticReference, Label::new(source, call.name_span))
                    .with_arguments(&[call.name]),
            );
        }
    });
}

#[cold]
fn report<'a>(code: Code, traversal: Traversal<'a>, name: &'a str, sink: &mut dyn Sink<'a>) {
    sink.report(Diagnostic::new(code, traversal.label()).with_arguments(&[name]));
}
