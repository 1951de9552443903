//! Checks whether references to provider configurations need a key.

use super::{Module, ProviderReference};
use crate::diagnostic::{Code, Diagnostic, Sink};

/// Reports references with a key to configurations without instances, and references without a key
/// to configurations with instances (OpenTofu). With `withholds`, undeclared configurations are not
/// reported.
pub(super) fn check_instances<'a>(module: &Module<'a>, withholds: bool, sink: &mut dyn Sink<'a>) {
    let mut check = |reference: ProviderReference<'a>| {
        let provider = module.providers.get(reference.name());
        let is_instanced = provider.is_some_and(|provider| provider.for_each.is_some());
        let why = match (reference.has_key(), is_instanced, provider) {
            (true, true, _) | (false, false, _) => return,
            (true, false, None) if withholds => return,
            (true, false, None) => "The module has no such configuration with \"for_each\".",
            (true, false, Some(_)) => {
                "The configuration has no \"for_each\", so it has no keys. Remove the brackets."
            }
            (false, true, _) => {
                "The configuration has \"for_each\". Write the key of an instance in brackets."
            }
        };
        sink.report(
            Diagnostic::new(Code::ProviderInstance, reference.traversal().label())
                .with_arguments(&[why]),
        );
    };
    let of_checks = module.checks.iter().filter_map(|check| check.data);
    for resource in module.resources.iter().chain(of_checks) {
        if let Some(reference) = resource.provider() {
            check(reference);
        }
    }
    for pass in module.calls.iter().flat_map(|call| call.providers) {
        check(pass.outer);
    }
}
