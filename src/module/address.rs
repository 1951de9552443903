//! Addresses of objects in `moved`, `removed` and `import` blocks:
//! `module.a[0].aws_instance.web["x"]`.
//!
//! Unlike a reference, an address goes through modules, and ends with a resource or one of its
//! instances.

use super::rules::Rules;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::native::{Key, Step, StepKind, Traversal};
use crate::reference::{Mode, ResourceName};
use crate::span::Span;

/// An address of a module, a resource or an instance of one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address<'a> {
    /// The resource; `None` if the address names a module.
    pub resource: Option<ResourceName<'a>>,
    /// The number of modules in the address.
    pub modules: usize,
    /// Whether one of the modules has a key.
    pub has_module_key: bool,
    /// Whether the resource has a key.
    pub has_key: bool,
}

/// Names that cannot be resource types in Terraform.
const RESERVED: [&str; 10] =
    ["var", "local", "each", "count", "path", "self", "terraform", "template", "lazy", "arg"];

/// The words before the type of a resource, with the mode that each stands for. The last one is
/// Terraform's only.
const MODES: [(&str, Mode); 3] =
    [("data", Mode::Data), ("ephemeral", Mode::Ephemeral), ("resource", Mode::Managed)];

impl<'a> Address<'a> {
    /// Reads an address.
    pub(super) fn of(traversal: Traversal<'a>, rules: Rules) -> Result<Self, Diagnostic<'a>> {
        match rules.is_terraform() {
            true => Self::read(traversal, &MODES, &RESERVED),
            false => Self::read(traversal, &MODES[..2], &[]),
        }
    }

    /// Reads the address of an object that is no longer declared. For Terraform any word but `data`
    /// can be a resource type there.
    pub(super) fn of_removed(
        traversal: Traversal<'a>,
        rules: Rules,
    ) -> Result<Self, Diagnostic<'a>> {
        match rules.is_terraform() {
            true => Self::read(traversal, &MODES[..1], &[]),
            false => Self::of(traversal, rules),
        }
    }

    fn read(
        traversal: Traversal<'a>,
        modes: &[(&str, Mode)],
        reserved: &[&str],
    ) -> Result<Self, Diagnostic<'a>> {
        let steps = traversal.steps();
        let name = |at: usize| match steps.get(at).map(|step| step.kind) {
            Some(StepKind::Root(name) | StepKind::Attribute(name)) => Some(name),
            _ => None,
        };
        let (mut at, mut modules, mut has_module_key) = (0, 0, false);
        while name(at) == Some("module") {
            if name(at + 1).is_none() {
                return Err(wrong(traversal, None, "a module, with its name"));
            }
            at += 2;
            modules += 1;
            if takes_key(traversal, at)? {
                has_module_key = true;
                at += 1;
            }
            if at == steps.len() {
                return Ok(Self { resource: None, modules, has_module_key, has_key: false });
            }
        }
        let prefix = modes.iter().find(|(prefix, _)| name(at) == Some(prefix));
        if prefix.is_none() && name(at).is_some_and(|name| reserved.contains(&name)) {
            return Err(wrong(traversal, steps.get(at).filter(|_| at > 0), "a resource"));
        }
        let mode = prefix.map_or(Mode::Managed, |&(_, mode)| mode);
        at += usize::from(prefix.is_some());
        let (Some(resource_type), Some(resource)) = (name(at), name(at + 1)) else {
            return Err(wrong(traversal, None, "a resource, with its type and name"));
        };
        let has_key = takes_key(traversal, at + 2)?;
        let end = at + 2 + usize::from(has_key);
        if let Some(step) = steps.get(end) {
            return Err(wrong(traversal, Some(step), "a resource, without further steps"));
        }
        let resource = ResourceName { mode, resource_type, name: resource };
        Ok(Self { resource: Some(resource), modules, has_module_key, has_key })
    }
}

/// Whether a step is a key of an instance.
fn takes_key<'a>(traversal: Traversal<'a>, at: usize) -> Result<bool, Diagnostic<'a>> {
    let Some(step) = traversal.steps().get(at) else { return Ok(false) };
    match step.kind {
        StepKind::Index(Key::String(_)) => Ok(true),
        StepKind::Index(Key::Number(text)) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(true)
        }
        StepKind::Index(_) | StepKind::Splat => Err(wrong(
            traversal,
            Some(step),
            "an instance, whose key is a string or a whole number",
        )),
        _ => Ok(false),
    }
}

#[cold]
pub(super) fn wrong<'a>(
    traversal: Traversal<'a>,
    step: Option<&Step<'a>>,
    what: &'static str,
) -> Diagnostic<'a> {
    let span: Span = step.map_or_else(|| traversal.span(), |step| step.span);
    Diagnostic::new(Code::InvalidAddress, Label::new(traversal.source(), span))
        .with_arguments(&[what])
}
