//! Checks provider configurations of runs of test files against the modules that they test.
//!
//! The tools run the tested module as a root module. Configurations that its resources require of a
//! caller come from `providers` of the run, or else from the blocks of the file.

use super::module::{Link, Origin, TreeModule};
use super::reach::Reach;
use crate::diagnostic::{Code, Diagnostic};
use crate::hash::{HashMap, HashSet};
use crate::module::ProviderConfigName;
use crate::module::test::{Run, TestFile, kinds};

/// The modules that the runs of each test file run; `None` for the module of the file.
pub(super) fn links<'a>(module: &TreeModule<'a>, reach: &Reach<'a>) -> Vec<Vec<Option<Link>>> {
    let of_run = |run: &Run<'a>| {
        let tested = reach.tested(module, run.module.as_ref()?);
        Some(tested.map_or(Link::Unknown, Link::Module))
    };
    module.tests.iter().map(|file| file.runs.iter().map(of_run).collect()).collect()
}

/// The diagnostics, each with the place of the module that the test file belongs to.
///
/// Cost: linear in the runs times the aliases of required providers of the modules that they test.
pub(super) fn check<'a>(
    modules: &[TreeModule<'a>],
    reach: &Reach<'a>,
) -> Vec<(usize, Diagnostic<'a>)> {
    let mut found = Vec::new();
    for (place, module) in modules.iter().enumerate() {
        if module.origin != Origin::Given || module.has_wrong_declarations {
            continue;
        }
        for file in &module.tests {
            let mut of_file = Vec::new();
            let other = |run: &Run<'a>| {
                let tested = reach.tested(module, run.module.as_ref()?)?;
                (!modules[tested].withholds()).then_some(tested)
            };
            let other_module =
                |run: &Run<'a>| other(run).map(|tested| (tested, &modules[tested].module));
            kinds::check(file, &module.module, &other_module, &mut of_file);
            let mut needed: HashMap<Option<usize>, Vec<_>> = HashMap::default();
            let mut seen = HashSet::default();
            for run in &file.runs {
                let tested = other(run);
                let is_unknown = match run.module {
                    Some(_) => tested.is_none(),
                    None => module.withholds(),
                };
                // Runs of one module without `providers` lack the same configurations.
                if is_unknown || run.providers.is_empty() && !seen.insert(tested) {
                    continue;
                }
                let of_run = needed
                    .entry(tested)
                    .or_insert_with(|| used_aliases(tested.map_or(module, |it| &modules[it])));
                if of_run.is_empty() {
                    continue;
                }
                let passed = passed(file, run);
                for name in of_run.iter().filter(|name| !passed.contains(*name)) {
                    let label = run.block.definition_label();
                    let name = label.source.arena().format(format_args!("{name}"));
                    of_file.push(
                        Diagnostic::new(Code::MissingProvider, label)
                            .with_arguments(&[name, "tested"]),
                    );
                }
            }
            found.extend(of_file.into_iter().map(|diagnostic| (place, diagnostic)));
        }
    }
    found
}

/// The configurations that a run passes; those of the file if it names none.
fn passed<'a>(file: &TestFile<'a>, run: &Run<'a>) -> HashSet<ProviderConfigName<'a>> {
    if !run.providers.is_empty() {
        return run.providers.iter().map(|pass| pass.inner.name()).collect();
    }
    let mocks = file.mock_providers.iter().map(|mock| mock.config_name());
    file.providers.iter().map(|provider| provider.config_name()).chain(mocks).collect()
}

/// The aliases that a caller must pass because something uses them, in order, without duplicates.
fn used_aliases<'a>(module: &TreeModule<'a>) -> Vec<ProviderConfigName<'a>> {
    let mut used: HashSet<_> = module.uses.inherited().map(|(_, name)| name).collect();
    let aliases = module.module.required_providers().flat_map(|it| it.configuration_aliases);
    let names = aliases.map(|alias| ProviderConfigName::of(*alias));
    names.filter(|name| name.alias.is_some() && used.remove(name)).collect()
}
