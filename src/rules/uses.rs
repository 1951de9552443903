//! Constructs that no table of blocks, arguments and functions has: arguments that later releases accept
//! with other values than earlier ones, and what actions added.

use super::construct::{Construct, ConstructKind};
use super::view::View;
use crate::diagnostic::Label;
use crate::dialect::Dialect;
use crate::evaluate::Release;
use crate::evaluate::release::{ALWAYS, NEVER, in_};
use crate::expression::Expression;
use crate::module::{Module, Reading, RegistryAddress};
use crate::native::{StepKind, Traversal};
use crate::reference::Subject;

/// A use of an argument: its name, and the first releases of OpenTofu and Terraform that accept it.
type Use = (&'static str, (Release, Release));

const BETWEEN_TYPES: Use = ("move between resource types", (in_(10), in_(8)));
const COMPUTED_ID: Use = ("expression as the `id` of an import", (ALWAYS, in_(6)));
const COMPUTED_KEY: Use = ("expression as a key in `to` of an import", (in_(7), in_(7)));
const COMPUTED_SOURCE: Use = ("expression as the `source` of a module call", (in_(8), in_(15)));
const COMPUTED_VERSION: Use = ("expression as the `version` of a module call", (in_(8), in_(15)));
const NULL_VERSION: Use = ("`version` beside a source that is no registry", (in_(10), in_(15)));
const COMPUTED_BACKEND: Use = ("expression in the settings of a backend", (in_(8), NEVER));
const GUARD: Use = ("expression as `prevent_destroy`", (in_(12), NEVER));
const OPTIONAL: Use = ("optional attribute of an object type", (ALWAYS, in_(3)));
const OTHERS_IN_CONDITION: Use =
    ("validation of a variable that refers to other objects", (in_(9), in_(9)));
const PREFIXED_MOVE: Use = ("`resource.` before the address in `moved`", (ALWAYS, in_(9)));
const APPLYING: Use = ("`terraform.applying`", (in_(11), in_(10)));
const TOFU: Use = ("the name `tofu`", (in_(9), NEVER));
const CALLED_IMPORT: Use = ("import in a called module", (NEVER, in_(16)));
/// The releases that run actions when an instance is destroyed.
const OF_ACTIONS: (Release, Release) = (NEVER, in_(16));

/// Visits such constructs of a module.
///
/// Cost: linear in the declarations that may have them.
pub(super) fn visit<'a>(view: &View<'_, 'a>, add: &mut dyn FnMut(Construct<'a>)) {
    let module = view.module();
    let mut add = |kind, name, label, (opentofu, terraform)| {
        add(Construct { kind, name, label, opentofu, terraform });
    };
    let mut add_use = |(name, releases): Use, label| {
        add(ConstructKind::Use, name, label, releases);
    };
    of_values(module, &mut add_use);
    of_tool(view, &mut add_use);
    // As OpenTofu reads it, such an import is an error of the module.
    if view.is_called()
        && module.dialect != Dialect::OpenTofu
        && let Some(import) = module.imports.first()
    {
        add_use(CALLED_IMPORT, import.block.definition_label());
    }
    of_actions(module, &mut |name, label| add(ConstructKind::Argument, name, label, OF_ACTIONS));
}

/// Arguments with values that not all releases accept.
fn of_values<'a>(module: &Module<'a>, add: &mut dyn FnMut(Use, Label<'a>)) {
    let mut if_refers = |construct: Use, expression: Option<Expression<'a>>| {
        if let Some(first) = expression.and_then(|it| it.variables().next()) {
            add(construct, first.label());
        }
    };
    for call in &module.calls {
        if_refers(COMPUTED_SOURCE, call.source.map(|it| it.expression()));
        if_refers(COMPUTED_VERSION, call.version.map(|it| it.expression()));
    }
    for resource in &module.resources {
        if_refers(GUARD, resource.lifecycle().and_then(|it| it.prevent_destroy()));
    }
    if let Some(backend) = module.backend().filter(|it| it.is("backend")) {
        let settings = backend.body().properties();
        settings.for_each(|it| if_refers(COMPUTED_BACKEND, Some(it.expression())));
    }
    module.imports.iter().for_each(|it| if_refers(COMPUTED_ID, it.id));
    for call in &module.calls {
        let is_registry = |text| RegistryAddress::parse(text).is_some();
        let null = call.version.map(|it| it.expression()).filter(|it| it.is_null());
        if let Some(version) = null
            && call.source_by_defaults().is_some_and(|it| !is_registry(it))
        {
            add(NULL_VERSION, version.label());
        }
    }
    for import in &module.imports {
        // The first reference is the address itself.
        let to = import.to.and_then(Expression::as_native);
        if let Some(key) = to.and_then(|to| to.variables().nth(1)) {
            add(COMPUTED_KEY, key.label());
        }
    }
    for moved in &module.moved {
        if moved.changes_type() {
            add(BETWEEN_TYPES, moved.block.definition_label());
        }
        let mut ends = [moved.from, moved.to].into_iter().flatten();
        if let Some(prefixed) = ends.find(|it| it.root_name() == "resource") {
            add(PREFIXED_MOVE, prefixed.label());
        }
    }
    for variable in &module.variables {
        let has_optional = variable.constraint.is_some_and(|it| {
            it.ty != it.ty.without_optional_attributes(variable.block.source().arena())
        });
        if let Some(written) = variable.written_type.filter(|_| has_optional) {
            add(OPTIONAL, written.label());
        }
        for validation in variable.validations {
            let used = [validation.condition, validation.error_message].into_iter().flatten();
            let mut used = used.flat_map(Expression::variables);
            if let Some(other) = used.find(|it| !is_of_variable(it, variable.name)) {
                add(OTHERS_IN_CONDITION, other.label());
            }
        }
    }
}

/// Whether a reference is to a variable.
fn is_of_variable(traversal: &Traversal<'_>, name: &str) -> bool {
    traversal.root_name() == "var"
        && matches!(traversal.steps().get(1).map(|it| it.kind), Some(StepKind::Attribute(it)) if it == name)
}

/// References to the tool, which few files have: `terraform.applying`, `tofu.workspace`.
fn of_tool<'a>(view: &View<'_, 'a>, add: &mut dyn FnMut(Use, Label<'a>)) {
    let is_in = |bytes: &[u8], text: &[u8]| memchr::memmem::find(bytes, text).is_some();
    let may_have = |bytes: &[u8]| is_in(bytes, b".applying") || is_in(bytes, b"tofu.");
    if !view.files().any(|file| may_have(file.source().bytes())) {
        return;
    }
    view.module().visit_expressions(|site| {
        site.visit_references(|it| {
            let subject = view.module().reference(it).map(|it| it.subject());
            let Ok(Subject::Terraform(root, name)) = subject else { return };
            if root == "tofu" {
                add(TOFU, it.label());
            }
            if name == "applying" {
                add(APPLYING, it.label());
            }
        });
    });
}

/// Additions for actions that run when an instance is destroyed: events, the name `caller`, and values that
/// `terraform_data` keeps for them.
fn of_actions<'a>(module: &Module<'a>, add: &mut dyn FnMut(&'a str, Label<'a>)) {
    for resource in &module.resources {
        if resource.address().resource_type == "terraform_data"
            && let Some(store) = resource.config().properties().find(|it| it.is_named("store"))
        {
            add(store.name(), store.name_label());
        }
        let triggers = resource.lifecycle().map_or(&[][..], |it| it.action_triggers());
        for trigger in triggers {
            let new = trigger.events.iter().find(|it| it.is_of_destroy());
            let events = trigger.block.body().properties().find(|it| it.is_named("events"));
            if let (Some(event), Some(events)) = (new, events) {
                add(event.as_str(), events.name_label());
            }
        }
    }
    if module.actions.is_empty() {
        return;
    }
    module.visit_expressions(|site| {
        if site.iterators.contains(&"caller")
            && let Reading::Template(expression) = site.reading
            && let Some(caller) = expression.variables().find(|it| it.root_name() == "caller")
        {
            add("caller", caller.label());
        }
    });
}
