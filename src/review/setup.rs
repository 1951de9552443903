//! The setup of a root module: sources and versions of modules, providers, the backend.

use std::collections::{BTreeMap, BTreeSet};

use super::Version;
use super::model::{ArgumentChange, BackendChange, CallChange, ProviderChange, Review};
use crate::body::{Attribute, Block};
use crate::diff::{self, Objects};
use crate::expression::PathStep;
use crate::hash::HashSet;
use crate::module::{Module, ModuleCall};
use crate::tree::{Link, TreeModule};

/// Compares what the modules of two versions are set up with. A pair of modules is compared once,
/// however many calls lead to it.
///
/// Cost: linear in the calls of the modules.
pub(super) fn compare(versions: [Option<Version<'_, '_>>; 2], review: &mut Review) {
    let mut known: HashSet<[Option<usize>; 2]> = HashSet::default();
    let roots = versions.map(|version| version.map(|it| it.root));
    let mut work = vec![(String::new(), roots)];
    review.backend = backend(roots_of(versions, roots));
    while let Some((address, places)) = work.pop() {
        if !known.insert(places) {
            continue;
        }
        let modules = roots_of(versions, places);
        providers(&address, modules.map(|it| it.map(|it| &it.module)), review);
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for module in modules.into_iter().flatten() {
            names.extend(module.module.calls.iter().map(|call| call.name));
        }
        for name in names {
            let dot = if address.is_empty() { "" } else { "." };
            let call = format!("{address}{dot}module.{name}");
            let calls = modules.map(|it| it.and_then(|it| it.module.calls.get(name)));
            let source = of_call(calls, |call| call.source);
            let version = of_call(calls, |call| call.version);
            if source.is_some() || version.is_some() {
                review.calls.push(CallChange { call: call.clone(), source, version });
            }
            let next = modules.map(|module| {
                let module = module?;
                let at = module.module.calls.place(name)?;
                match module.links.get(at as usize) {
                    Some(Link::Module(next)) => Some(*next),
                    _ => None,
                }
            });
            // A module that only one version calls is not compared.
            if next.iter().all(Option::is_some) {
                work.push((call, next));
            }
        }
    }
    review.calls.sort_by(|one, other| one.call.cmp(&other.call));
    let key = |it: &ProviderChange| (it.module.clone(), it.name.clone());
    review.providers.sort_by_cached_key(key);
}

fn roots_of<'s, 'a>(
    versions: [Option<Version<'s, 'a>>; 2],
    places: [Option<usize>; 2],
) -> [Option<&'s TreeModule<'a>>; 2] {
    let of = |at: usize| versions[at]?.tree.modules().get(places[at]?);
    [of(0), of(1)]
}

/// The change of a text, if it differs.
fn changed([before, after]: [Option<String>; 2]) -> Option<ArgumentChange> {
    (before != after).then_some(ArgumentChange { before, after })
}

/// The change of an argument of a call: its text, or its expression.
fn of_call<'a>(
    calls: [Option<&ModuleCall<'a>>; 2],
    argument: impl Fn(&ModuleCall<'a>) -> Option<Attribute<'a>>,
) -> Option<ArgumentChange> {
    changed(calls.map(|call| Some(text_of(argument(call?)?))))
}

fn text_of(attribute: Attribute<'_>) -> String {
    let expression = attribute.expression();
    match expression.to_str() {
        Some(text) => text.to_owned(),
        None => String::from_utf8_lossy(expression.text()).into_owned(),
    }
}

fn providers(address: &str, modules: [Option<&Module<'_>>; 2], review: &mut Review) {
    let required = modules.map(|module| {
        let all = module.into_iter().flat_map(Module::required_providers);
        all.map(|it| (it.name, (it.source, it.version))).collect::<BTreeMap<_, _>>()
    });
    let names: BTreeSet<&str> = required.iter().flat_map(BTreeMap::keys).copied().collect();
    for name in names {
        let [before, after] = [0, 1].map(|at| required[at].get(name).copied().unwrap_or_default());
        let change = |before: Option<&str>, after: Option<&str>| {
            changed([before, after].map(|text| text.map(str::to_owned)))
        };
        let source = change(before.0, after.0);
        let version = change(before.1, after.1);
        if source.is_some() || version.is_some() {
            let (module, name) = (address.to_owned(), name.to_owned());
            let arguments = Vec::new();
            review.providers.push(ProviderChange { module, name, source, version, arguments });
        }
    }
}

/// The block that says where the state is: an override file replaces those of others.
fn backend_of<'a>(module: &Module<'a>) -> Option<Block<'a>> {
    let all = module.settings.iter().chain(&module.override_settings);
    let mut blocks = all.flat_map(|settings| settings.blocks.iter().copied());
    blocks.rfind(|it| matches!(it.block_type(), "backend" | "cloud" | "state_store"))
}

/// The arguments of backends in which two versions of a module differ by meaning; `None` if that is not known.
fn changed_arguments(modules: [&TreeModule<'_>; 2]) -> Option<BTreeSet<String>> {
    let arena = modules[0].sources.first()?.arena();
    let mut names = BTreeSet::new();
    let [before, after] = modules.map(|module| {
        let files = module.configuration.iter().map(|(list, file)| (*list, "", *file));
        Objects::read(arena, module.files.dialect, files)
    });
    let changes = diff::changes(&before, &after).into_iter();
    for leaf in changes.filter(|change| change.address == SETTINGS).flat_map(|it| it.leaves) {
        let steps = leaf.path.steps();
        let mut members = steps.iter().filter_map(PathStep::name);
        let argument = match members.next() {
            Some("cloud") => members.next(),
            // The type is before the argument.
            Some("backend" | "state_store") => members.nth(1),
            _ => None,
        };
        names.extend(argument.map(str::to_owned));
    }
    Some(names)
}

/// The address of the settings of a module in a difference.
const SETTINGS: &str = "terraform";

fn backend(modules: [Option<&TreeModule<'_>>; 2]) -> Option<BackendChange> {
    let blocks = modules.map(|module| backend_of(&module?.module));
    let kinds = blocks.map(|block| {
        let block = block?;
        Some(block.label(0).unwrap_or_else(|| block.block_type()).to_owned())
    });
    let arguments = blocks.map(|block| {
        let mut texts: BTreeMap<&str, Vec<&[u8]>> = BTreeMap::new();
        for property in block.into_iter().flat_map(|block| block.body().properties()) {
            let span = property.span();
            let text = property.source().bytes().get(span.start as usize..span.end as usize);
            texts.entry(property.name()).or_default().push(text.unwrap_or_default());
        }
        texts
    });
    let names: BTreeSet<&str> = arguments.iter().flat_map(BTreeMap::keys).copied().collect();
    let differs = |name: &&str| arguments[0].get(name) != arguments[1].get(name);
    let mut arguments: Vec<String> = names.into_iter().filter(differs).map(str::to_owned).collect();
    let [before, after] = kinds;
    if before == after
        && !arguments.is_empty()
        && let [Some(before), Some(after)] = modules
    {
        let changed = changed_arguments([before, after]);
        arguments.retain(|name| changed.as_ref().is_none_or(|changed| changed.contains(name)));
    }
    if before == after && arguments.is_empty() {
        return None;
    }
    Some(BackendChange { kind: ArgumentChange { before, after }, arguments })
}
