//! Checks whether a reference is allowed at its place and fits the object: `count`, `each` and
//! `self`, which exist only in some arguments, their attributes, and keys of instances.

use super::{Available, Module, ModuleCall, Resource};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::native::{Step, StepKind};
use crate::reference::{InstanceKey, LentReference, ResourceName, Subject};
use crate::suggest;

impl<'a> Module<'a> {
    /// Reports a reference to `count`, `each`, `self`, `path` or `terraform` that is invalid at its
    /// place. Ignores other references.
    pub(super) fn check_scope(
        &self,
        reference: LentReference<'_, 'a>,
        available: Available,
        sink: &mut dyn Sink<'a>,
    ) {
        let (object, name, attributes, is_available): (_, _, &[&'static str], _) = match reference
            .subject()
        {
            Subject::Count(name) => ("count", name, &["index"][..], available.count),
            Subject::Each(name) => ("each", name, &["key", "value"][..], available.each),
            Subject::Path(name) => ("path", name, &["cwd", "module", "root"][..], true),
            Subject::Terraform(root, name) => (root, name, &["workspace", "applying"][..], true),
            Subject::Itself => ("self", "", &[""][..], available.itself),
            _ => return,
        };
        if !attributes.contains(&name) {
            sink.report(
                Diagnostic::new(Code::UnknownAttribute, reference.label())
                    .with_arguments(&[object, name])
                    .with_suggestion(suggest::nearest(name, attributes.iter().copied())),
            );
        } else if !is_available {
            let place = match object {
                "count" => "a block with \"count\"",
                "each" => "a block with \"for_each\"",
                _ => "provisioners, connections and postconditions of a resource",
            };
            report(Code::OutOfScope, reference, &[object, place], sink);
        }
    }

    /// Reports a reference to an attribute of a resource that has instances, to an instance of a
    /// resource without instances, and to the old form of the number of instances.
    pub(super) fn check_instance(
        &self,
        resource: &Resource<'a>,
        reference: LentReference<'_, 'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        let repeated = match (resource.count(), resource.for_each()) {
            (Some(_), _) => Some("count"),
            (None, Some(_)) => Some("for_each"),
            (None, None) => None,
        };
        let key = match reference.subject() {
            Subject::ResourceInstance(_, key) => key,
            _ => None,
        };
        let first = reference.remaining().first();
        match (repeated, key) {
            (Some(by), None) if first.is_some() => {
                report(Code::MissingInstanceKey, reference, &[by], sink);
            }
            (None, Some(_)) => report(Code::UnexpectedInstanceKey, reference, &[], sink),
            _ => {}
        }
        if first.is_some_and(is_count) {
            report(Code::CountAttribute, reference, &[], sink);
        }
    }

    /// Reports a reference to an output of a module that has instances, or to an instance of a
    /// module without instances. Returns whether the reference is valid and may name an output.
    pub(super) fn check_call_instance(
        &self,
        call: &ModuleCall<'a>,
        reference: LentReference<'_, 'a>,
        sink: &mut dyn Sink<'a>,
    ) -> bool {
        let is_repeated = call.count.is_some() || call.for_each.is_some();
        let (code, by) = match reference.subject() {
            Subject::ModuleInstance(_, key) | Subject::ModuleOutput { key: Some(key), .. }
                if !is_repeated =>
            {
                // If there is one instance, `["name"]` is the output of that name.
                if matches!(key, InstanceKey::String(_)) {
                    return true;
                }
                (Code::UnexpectedModuleKey, "")
            }
            // The instances of a call with `for_each` are a map, so any attribute may be a key.
            Subject::ModuleOutput { key: None, .. } if call.for_each.is_some() => return false,
            Subject::ModuleOutput { key: None, .. } if is_repeated => {
                (Code::MissingModuleKey, "count")
            }
            Subject::ModuleOutput { .. } => return true,
            _ => return false,
        };
        // The steps: `module`, the name, and then the invalid one.
        sink.report(
            Diagnostic::new(code, reference.traversal().step_label(2)).with_arguments(&[by]),
        );
        false
    }

    /// Reports a reference from outside of a check to its data source.
    pub(super) fn check_owner(
        &self,
        address: ResourceName<'a>,
        from: Option<&'a str>,
        reference: LentReference<'_, 'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        if let Some(check) = self.scoped_by(address)
            && from != Some(check.name)
        {
            report(Code::ScopedReference, reference, &[check.name], sink);
        }
    }
}

fn is_count(step: &Step<'_>) -> bool {
    step.kind == StepKind::Attribute("count")
}

#[cold]
fn report<'a>(
    code: Code,
    reference: LentReference<'_, 'a>,
    arguments: &[&'a str],
    sink: &mut dyn Sink<'a>,
) {
    sink.report(Diagnostic::new(code, reference.label()).with_arguments(arguments));
}
