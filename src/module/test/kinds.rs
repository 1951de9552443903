//! Finds the providers of the configurations of a test file. Their blocks do not name the provider:
//! the first run that uses a configuration decides, and later runs cannot use it for another
//! provider.

use super::{Run, TestFile};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::hash::{HashMap, HashSet};
use crate::module::{Module, ProviderConfigName, ProviderNames};

/// Reports configurations that runs use for another provider than earlier runs. `other` returns the
/// module of a run of another module, and its number. If that module is not known, configurations
/// that such a run uses first are not reported.
///
/// Cost: linear in the file, and in the providers of the modules.
pub(crate) fn check<'m, 'a: 'm>(
    file: &TestFile<'a>,
    module: &'m Module<'a>,
    other: &dyn Fn(&Run<'a>) -> Option<(usize, &'m Module<'a>)>,
    sink: &mut dyn Sink<'a>,
) {
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
    let own = Needed::of(module);
    let mut others: HashMap<usize, Needed<'a>> = HashMap::default();
    // The full name of the provider by local name, once a run has decided on it; `None` if it is
    // not known.
    let mut kinds: HashMap<&str, Option<String>> = HashMap::default();
    // All runs of a module without `providers` use the same configurations, so only the first is
    // checked.
    let mut seen: HashSet<Option<usize>> = HashSet::default();
    for run in &file.runs {
        let is_own = run.module.is_none();
        let tested = match is_own {
            true => None,
            false => match other(run) {
                Some((number, module)) => {
                    others.entry(number).or_insert_with(|| Needed::of(module));
                    Some(number)
                }
                None => {
                    unknown(run, &written, &mut kinds);
                    continue;
                }
            },
        };
        let needed = tested.and_then(|number| others.get(&number)).unwrap_or(&own);
        for pass in run.providers {
            let (inner, outer) = (pass.inner.name().local_name, pass.outer.name().local_name);
            if !is_written(outer) {
                continue;
            }
            let expected = needed.names.full_name(inner);
            let kind = kinds.entry(outer).or_insert_with(|| Some(expected.clone()));
            // Of runs of other modules the tools do not say it.
            if let Some(given) = kind
                && is_own
                && *given != expected
            {
                mismatch(pass.outer.traversal().label(), inner, &expected, given, sink);
            }
        }
        if !run.providers.is_empty() || !seen.insert(tested) {
            continue;
        }
        for name in needed.configurations.iter().filter(|name| is_written(name.local_name)) {
            let full = || Some(needed.names.full_name(name.local_name));
            kinds.entry(name.local_name).or_insert_with(full);
        }
        for name in needed.configurations.iter().filter(|_| is_own) {
            let expected = needed.names.full_name(name.local_name);
            if let Some(Some(given)) = kinds.get(name.local_name)
                && *given != expected
                && let Some(label) = blocks.remove(name)
            {
                mismatch(label, name.local_name, &expected, given, sink);
            }
        }
    }
}

/// The providers that a module needs.
struct Needed<'a> {
    names: ProviderNames<'a>,
    /// The configurations that `required_providers` or a block names.
    configurations: Vec<ProviderConfigName<'a>>,
}

impl<'a> Needed<'a> {
    fn of(module: &Module<'a>) -> Self {
        let aliases = module.required_providers().flat_map(|it| it.configuration_aliases);
        let configurations = module
            .required_providers()
            .map(|it| ProviderConfigName::new(it.name, None))
            .chain(aliases.map(|alias| ProviderConfigName::of(*alias)))
            .chain(module.providers.iter().map(|it| it.config_name()))
            .collect();
        Self { names: ProviderNames::of(module), configurations }
    }
}

/// Adds the names that a run of an unknown module uses first: each may be any provider.
fn unknown<'a>(run: &Run<'a>, written: &[&'a str], kinds: &mut HashMap<&'a str, Option<String>>) {
    let passed = run.providers.iter().map(|pass| pass.outer.name().local_name);
    match run.providers {
        [] => written.iter().for_each(|name| _ = kinds.entry(name).or_insert(None)),
        _ => passed.for_each(|name| _ = kinds.entry(name).or_insert(None)),
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
