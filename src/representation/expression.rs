//! Expressions: their constant values, and their references.

use super::options::Options;
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::document::Document;
use crate::evaluate::{Budget, Scope};
use crate::expression::{Expression, Seen};
use crate::module::Module;
use crate::native::Traversal;
use crate::reference::{Reference, Subject};
use crate::value::{self, HIDDEN};
use crate::write::{Layout, ObjectWriter, Slot, to_string};

/// The limit of steps: longer references are not repeated for each step.
const MOST_STEPS: usize = 100;

/// The parts of an expression that are shown.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// The constant value, as JSON.
    pub(super) constant: Option<String>,
    pub(super) references: Vec<String>,
}

impl Shown {
    /// The parts that are shown of an expression in a module.
    pub(super) fn of<'a>(value: Expression<'a>, module: &Module<'a>, how: How) -> Self {
        let mut shown = Self::default();
        value.variables().for_each(|traversal| shown.refer(traversal, module));
        shown.call(value, module);
        if how.compat || shown.references.is_empty() {
            shown.constant = how.constant(value);
        }
        shown
    }

    /// Adds the target of a traversal. A traversal without a target is skipped.
    pub(super) fn refer<'a>(&mut self, traversal: Traversal<'a>, module: &Module<'a>) {
        if let Ok(reference) = module.reference(traversal) {
            unwrap(reference, &mut self.references);
        }
    }

    /// Adds the functions of providers that an expression calls (OpenTofu).
    pub(super) fn call<'a>(&mut self, value: Expression<'a>, module: &Module<'a>) {
        const OF_PROVIDER: &str = "provider::";
        let is_possible = memchr::memmem::find(value.text(), OF_PROVIDER.as_bytes()).is_some();
        if module.dialect != Dialect::OpenTofu || !is_possible {
            return;
        }
        value.visit_variables(|seen| {
            let Seen::Template(program) = seen else { return };
            let names = program.own_calls().map(|call| call.name);
            let names = names.filter(|name| name.starts_with(OF_PROVIDER));
            self.references.extend(names.map(str::to_owned));
        });
    }

    fn is_empty(&self) -> bool {
        self.constant.is_none() && self.references.is_empty()
    }

    pub(super) fn write(&self, slot: Slot<'_, '_>) {
        let mut object = slot.object();
        if let Some(constant) = &self.constant {
            object.key("constant_value").json(constant);
        }
        strings(&mut object, "references", &self.references);
    }

    /// Writes a member, unless it is empty. Returns whether it wrote it.
    pub(super) fn write_member(&self, name: &str, object: &mut ObjectWriter<'_, '_>) -> bool {
        if self.is_empty() {
            return false;
        }
        self.write(object.key(name));
        true
    }
}

/// Writes a list, unless it is empty.
pub(super) fn strings(object: &mut ObjectWriter<'_, '_>, name: &str, texts: &[String]) {
    if !texts.is_empty() {
        let mut array = object.key(name).array();
        texts.iter().for_each(|text| array.element().string(text));
    }
}

/// How the values of expressions are shown.
#[derive(Clone, Copy)]
pub(super) struct How {
    pub(super) compat: bool,
    pub(super) shows_sensitive: bool,
    /// Whether the value must not be shown.
    pub(super) is_secret: bool,
}

impl How {
    pub(super) fn of(options: &Options<'_, '_>) -> Self {
        let Options { compat, shows_sensitive, .. } = *options;
        Self { compat, shows_sensitive, is_secret: false }
    }

    pub(super) fn with_secret(self, is_secret: bool) -> Self {
        Self { is_secret, ..self }
    }

    /// The value of a constant expression as JSON.
    pub(super) fn constant(self, value: Expression<'_>) -> Option<String> {
        let constant = constant(value, self.compat)?;
        Some(match self.hides(value) {
            true => to_string(Layout::Compact, |slot| slot.string(HIDDEN)),
            false => constant,
        })
    }

    /// Whether a value is not shown.
    pub(super) fn hides(self, value: Expression<'_>) -> bool {
        !self.shows_sensitive && (self.is_secret || value.marks_itself())
    }
}

/// A value as JSON: read literally, or evaluated without variables and functions. A block of a native
/// file has the value of the object that it is in JSON.
fn constant(mut value: Expression<'_>, compat: bool) -> Option<String> {
    if value.as_block().is_some() {
        let arena = value.source().arena();
        let text = arena.str(&value.to_json());
        let document = Document::parse_bytes(arena, value.source().name(), text.as_bytes()).ok()?;
        value = Expression::from_json(document.root());
    }
    let mut error: Option<Diagnostic<'_>> = None;
    let value = match compat {
        true => value.literal_value(&mut error),
        false => {
            let budget = Budget::of_length(value.span().len());
            value.value(&Scope::new().with_budget(budget), &mut error)
        }
    };
    if error.is_some() { None } else { json(value) }
}

/// A value as JSON, if it is known.
pub(super) fn json(value: value::Value<'_>) -> Option<String> {
    let mut is_written = false;
    let text = to_string(Layout::Compact, |slot| {
        is_written = value::write(value, slot).is_ok();
    });
    is_written.then_some(text)
}

/// Adds a reference, then the reference without its last step, and so on down to its subject, then
/// the container of the subject.
fn unwrap(reference: Reference<'_>, all: &mut Vec<String>) {
    let subject = reference.subject();
    let mut text = subject.to_string();
    let mut ends = vec![text.len()];
    for step in reference.remaining() {
        text.push_str(&step.to_string());
        ends.push(text.len());
    }
    let whole = ends.len() - 1;
    let shorter = ends[..whole].iter().rev().skip(whole.saturating_sub(MOST_STEPS));
    all.extend(ends[whole..].iter().chain(shorter).map(|&end| text[..end].to_owned()));
    match subject {
        // A resource without a key is its own container.
        Subject::ResourceInstance(_, None) => {}
        _ => all.extend(subject.container().map(|container| container.to_string())),
    }
}
