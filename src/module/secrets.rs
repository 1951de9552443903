//! Reports secrets in values that are stored or shown: sensitive and ephemeral variables in
//! `source` and `version` of a call, in `for_each` of a provider and in a backend, directly or
//! through local values (OpenTofu).

use memchr::memmem;

use super::Module;
use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::expression::Expression;
use crate::hash::{HashMap, HashSet};
use crate::reference::Subject;

/// Functions whose result can be public although an argument is secret. Expressions that call one
/// are not checked.
const DISCLOSING: [&[u8]; 3] = [b"nonsensitive", b"issensitive", b"ephemeralasnull"];

/// Reports secrets. Cost: linear in the references of the arguments.
pub(super) fn check<'a>(module: &Module<'a>, secrets: &Secrets<'a>, sink: &mut dyn Sink<'a>) {
    let mut check = |value: Expression<'a>, label: Label<'a>| {
        let kind = secrets.in_value(module, value);
        if let Some(kind) = kind {
            sink.report(Diagnostic::new(Code::EarlySecret, label).with_arguments(&[kind]));
        }
        kind.is_some()
    };
    let arguments = module.calls.iter().flat_map(|call| [call.source, call.version]);
    let arguments = arguments.flatten().map(Attribute::expression);
    let for_each = module.providers.iter().filter_map(|provider| provider.for_each);
    for value in arguments.chain(for_each) {
        check(value, value.start_label());
    }
    if let Some(backend) = module.backend() {
        let label = backend.definition_label();
        let mut properties = backend.body().properties();
        properties.any(|property| check(property.expression(), label));
    }
}

/// The names of secret variables and local values, each with the kind of secret.
#[derive(Default)]
pub(super) struct Secrets<'a> {
    variables: HashMap<&'a str, &'static str>,
    locals: HashMap<&'a str, &'static str>,
}

impl<'a> Secrets<'a> {
    /// Returns the secrets of a module; `None` if it has none. Cost: linear in the variables; if one is
    /// secret, also in the references of local values.
    pub(super) fn of(module: &Module<'a>) -> Option<Self> {
        let mut secrets = Self::default();
        for variable in &module.variables {
            if variable.sensitive == Some(true) {
                secrets.variables.insert(variable.name, "sensitive");
            } else if variable.ephemeral == Some(true) {
                secrets.variables.insert(variable.name, "ephemeral");
            }
        }
        if secrets.variables.is_empty() {
            return None;
        }
        secrets.follow(module);
        Some(secrets)
    }

    /// Finds the local values that depend on secrets, directly or through others.
    fn follow(&mut self, module: &Module<'a>) {
        let mut users: HashMap<&'a str, Vec<&'a str>> = HashMap::default();
        let mut work = Vec::new();
        for local in module.locals.iter().filter(|local| !discloses(local.value())) {
            for traversal in local.value().variables() {
                match module.reference(traversal).map(|reference| reference.subject()) {
                    Ok(Subject::Variable(name)) => {
                        if let Some(&kind) = self.variables.get(name) {
                            work.push((local.name, kind));
                        }
                    }
                    Ok(Subject::Local(name)) => users.entry(name).or_default().push(local.name),
                    _ => {}
                }
            }
        }
        let mut seen: HashSet<&'a str> = HashSet::default();
        while let Some((name, kind)) = work.pop() {
            if seen.insert(name) {
                self.locals.insert(name, kind);
                let users = users.get(name).map_or(&[][..], Vec::as_slice);
                work.extend(users.iter().map(|&user| (user, kind)));
            }
        }
    }

    /// The kind of secret that a value refers to.
    pub(super) fn in_value(
        &self,
        module: &Module<'a>,
        value: Expression<'a>,
    ) -> Option<&'static str> {
        let secret = |traversal| match module.reference(traversal).ok()?.subject() {
            Subject::Variable(name) => self.variables.get(name).copied(),
            Subject::Local(name) => self.locals.get(name).copied(),
            _ => None,
        };
        value.variables().find_map(secret).filter(|_| !discloses(value))
    }
}

/// Whether an expression may depend on secrets without being one.
fn discloses(value: Expression<'_>) -> bool {
    let text = value.span().slice(value.source().bytes());
    DISCLOSING.iter().any(|name| memmem::find(text, name).is_some())
}
