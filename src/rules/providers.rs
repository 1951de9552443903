//! The providers that a module uses, by their local names.

use std::collections::BTreeMap;

use super::view::View;
use crate::diagnostic::Label;

/// The local names of providers that the module uses itself, each with the last place: resources and
/// data sources, provider configurations, those that calls pass on, and calls of functions.
///
/// Cost: linear in the declarations; templates are parsed if a file has the name of such a function.
pub(super) fn references<'a>(view: &View<'_, 'a>) -> BTreeMap<&'a str, Label<'a>> {
    let module = view.module();
    let mut all: Vec<(&'a str, Label<'a>)> = Vec::new();
    let of_checks = module.checks.iter().filter_map(|check| check.data);
    for resource in module.resources.iter().chain(of_checks) {
        all.push((resource.provider_name(), resource.block.definition_label()));
    }
    for action in &module.actions {
        all.push((action.provider_name(), action.block.definition_label()));
    }
    for provider in &module.providers {
        all.push((provider.name, provider.block.definition_label()));
    }
    for call in &module.calls {
        let passes = call.providers.iter();
        all.extend(passes.map(|it| (it.outer.name().local_name, call.block.definition_label())));
    }
    let order = view.order();
    all.sort_by_key(|(_, label)| (order.get(&label.source.id()).copied(), label.span.start));
    let mut last: BTreeMap<&'a str, Label<'a>> = all.into_iter().collect();
    const PREFIX: &str = "provider::";
    let has_functions = |bytes: &[u8]| memchr::memmem::find(bytes, PREFIX.as_bytes()).is_some();
    if view.files().any(|file| has_functions(file.source().bytes())) {
        module.visit_expressions(|site| {
            site.visit_functions(|name, label| {
                let provider = name.strip_prefix(PREFIX).and_then(|rest| rest.split("::").next());
                if let Some(provider) = provider.filter(|provider| !provider.is_empty()) {
                    last.insert(provider, label);
                }
            });
        });
    }
    last
}
