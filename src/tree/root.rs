//! Checks modules that nothing calls: secret and deprecated outputs, and provider configurations
//! that a caller would have to pass.

use super::TreeModule;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::dialect::Dialect;
use crate::hash::{HashMap, HashSet};
use crate::module::ProviderConfigName;

/// The diagnostics that apply only to root modules. Cost: linear in the result, in the aliases of
/// the module's required providers, and in the provider configurations that it inherits.
pub(super) fn check<'a>(module: &TreeModule<'a>) -> Vec<Diagnostic<'a>> {
    let mut found = module.uses.of_root.clone();
    let aliases = module.module.required_providers().flat_map(|it| it.configuration_aliases);
    let aliases: HashMap<ProviderConfigName<'a>, Label<'a>> =
        aliases.map(|alias| (ProviderConfigName::of(*alias), alias.label())).collect();
    let mut seen = HashSet::default();
    for name in module.uses.inherited().map(|(_, name)| name) {
        if name.alias.is_some()
            && let Some(&label) = aliases.get(&name)
            && seen.insert(name)
        {
            let shown = label.source.arena().format(format_args!("{name}"));
            found.push(
                Diagnostic::new(Code::UndeclaredProvider, label)
                    .with_arguments(&[shown, "this root module"]),
            );
        }
    }
    if module.files.dialect == Dialect::Terraform {
        implied(module, &mut found);
    }
    found
}

/// Whether a test file runs the module itself.
pub(super) fn is_tested(module: &TreeModule<'_>) -> bool {
    module.tests.iter().flat_map(|file| &file.runs).any(|run| run.module.is_none())
}

/// Reports configurations that calls pass although neither a block nor `required_providers`
/// declares the provider: the tools make one up only for resources.
fn implied<'a>(module: &TreeModule<'a>, found: &mut Vec<Diagnostic<'a>>) {
    let own = &module.module;
    let required: HashSet<&str> = own.required_providers().map(|each| each.name).collect();
    for pass in own.calls.iter().flat_map(|call| call.providers) {
        let name = pass.outer.name();
        if name.alias.is_none()
            && !required.contains(name.local_name)
            && own.providers.get(name).is_none()
        {
            let label = pass.outer.traversal().label();
            found.push(Diagnostic::new(Code::UndeclaredProvider, label).with_arguments(&[
                name.local_name,
                "this root module, except for its own resources",
            ]));
        }
    }
}
