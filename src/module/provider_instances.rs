//! Checks whether references to provider configurations need a key.

use super::{Module, ProviderReference};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;

/// Reports references with a key to configurations without instances, and references without a key
/// to configurations with instances (OpenTofu). With `withholds`, undeclared configurations are not
/// reported. Also reports a resource or module call with the `for_each` of its configuration: what
/// is removed from it has no configuration left to destroy it.
pub(super) fn check_instances<'a>(module: &Module<'a>, withholds: bool, sink: &mut dyn Sink<'a>) {
    let mut same = |reference: ProviderReference<'a>, for_each: Option<Expression<'a>>, what| {
        let provider = module.providers.get(reference.name()).filter(|_| reference.has_key());
        if let (Some(own), Some(of_provider)) = (for_each, provider.and_then(|it| it.for_each))
            && own.variables().next().is_some()
            && own.is_same_native(of_provider)
        {
            sink.report(
                Diagnostic::new(Code::ProviderForEach, own.label())
                    .with_arguments(&[what])
                    .with_related(of_provider.label(), "the same expression"),
            );
        }
    };
    for resource in &module.resources {
        if let Some(reference) = resource.provider() {
            same(reference, resource.for_each(), "resource");
        }
    }
    for call in &module.calls {
        for pass in call.providers {
            same(pass.outer, call.for_each, "module call");
        }
    }
    let mut check =
        |reference: ProviderReference<'a>| report_key(module, reference, withholds, sink);
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

fn report_key<'a>(
    module: &Module<'a>,
    reference: ProviderReference<'a>,
    withholds: bool,
    sink: &mut dyn Sink<'a>,
) {
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
}
