//! Of which providers the configurations of a test file are. Their blocks do not say it: what the
//! first run needs that uses one decides, and later runs may not take it for another provider.

use super::TestFile;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::hash::HashMap;
use crate::module::{Module, ProviderConfigName, ProviderNames};

/// Reports configurations that runs of the module itself use as those of different providers. Which
/// provider a run of another module needs is not known here, so of what such a run uses first
/// nothing is said.
///
/// Cost: linear in the file, and in the providers of the module.
pub(super) fn check<'a>(file: &TestFile<'a>, module: &Module<'a>, sink: &mut dyn Sink<'a>) {
    let mut blocks: HashMap<ProviderConfigName<'a>, Label<'a>> = HashMap::default();
    for provider in &file.providers {
        blocks.entry(provider.config_name()).or_insert(provider.block.definition_label());
    }
    for mock in &file.mock_providers {
        blocks.entry(mock.config_name()).or_insert(mock.block.definition_label());
    }
    if blocks.is_empty() {
        return;
    }
    let mut written: Vec<&str> = blocks.keys().map(|name| name.local_name).collect();
    written.sort_unstable();
    written.dedup();
    let is_written = |name: &str| written.binary_search(&name).is_ok();
    let names = ProviderNames::of(module);
    let aliases = module.required_providers().flat_map(|it| it.configuration_aliases);
    let needed: Vec<ProviderConfigName<'a>> = module
        .required_providers()
        .map(|it| ProviderConfigName::new(it.name, None))
        .chain(aliases.map(|alias| ProviderConfigName::of(*alias)))
        .chain(module.providers.iter().map(|it| it.config_name()))
        .collect();
    // By local name the full name of its provider, once something has decided on it; none if that
    // is not known.
    let mut kinds: HashMap<&str, Option<String>> = HashMap::default();
    // Of runs that name no providers the first decides, and finds what there is to find.
    let (mut had_own, mut had_other) = (false, false);
    for run in &file.runs {
        let is_own = run.module.is_none();
        for pass in run.providers {
            let (inner, outer) = (pass.inner.name().local_name, pass.outer.name().local_name);
            if !is_written(outer) {
                continue;
            }
            let expected = is_own.then(|| names.full_name(inner));
            let kind = kinds.entry(outer).or_insert_with(|| expected.clone());
            if let (Some(expected), Some(given)) = (expected, &*kind)
                && expected != *given
            {
                mismatch(pass.outer.traversal().label(), inner, &expected, given, sink);
            }
        }
        if !run.providers.is_empty() {
            continue;
        }
        let had_some = if is_own { &mut had_own } else { &mut had_other };
        if std::mem::replace(had_some, true) {
            continue;
        }
        if !is_own {
            for name in &written {
                kinds.entry(name).or_insert(None);
            }
            continue;
        }
        for name in needed.iter().filter(|name| is_written(name.local_name)) {
            let expected = names.full_name(name.local_name);
            let kind = kinds.entry(name.local_name).or_insert_with(|| Some(expected.clone()));
            if let Some(given) = &*kind
                && *given != expected
                && let Some(label) = blocks.remove(name)
            {
                mismatch(label, name.local_name, &expected, given, sink);
            }
        }
    }
}

#[cold]
fn mismatch<'a>(
    label: Label<'a>,
    inner: &'a str,
    expected: &str,
    given: &str,
    sink: &mut dyn Sink<'a>,
) {
    let arena = label.source.arena();
    sink.report(Diagnostic::new(Code::ProviderMismatch, label).with_arguments(&[
        inner,
        arena.str(expected),
        arena.str(given),
    ]));
}
