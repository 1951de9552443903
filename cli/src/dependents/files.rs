//! The objects that depend on a file directly.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use simd_hcl::diagnostic::Label;
use simd_hcl::dialect::{FileKind, List};
use simd_hcl::impact::{ImpactOptions, Place, ReadBy};
use simd_hcl::module::Object;
use simd_hcl::module::test::{Run as TestRun, TestFile};
use simd_hcl::tree::{Graph, GraphNode, Tree, TreeModule, TreeTemplate};
use simd_hcl::{Arena, Source};

use super::row::Starts;
use crate::args::Common;
use crate::expand;
use crate::git::canonical;
use crate::root_section::Section;
use crate::roots::Run as RootRun;
use crate::status::Failure;

/// Returns the declarations in a file, the objects that read it, and the modules that it belongs
/// to.
pub(super) fn of_file(
    tree: &Tree<'_>,
    graph: &Graph<'_, '_>,
    file: &Path,
    (sections, common): (&[Section], &Common),
) -> Result<Starts, Failure> {
    let mut starts = Starts::default();
    let run = RootRun::of(tree, sections, common, &mut starts.incomplete)?;
    let impact = tree.impact_of(&[file], &ImpactOptions::default().with_inputs(&run));
    let identity = canonical(file)?;
    // Asks the file system once per source, not once per declaration.
    let sources_of = |sources: &[Source<'_>]| -> Result<HashSet<u32>, Failure> {
        let mut found = HashSet::new();
        for source in sources {
            if let Some(path) = source.path()
                && canonical(path)? == identity
            {
                found.insert(source.id());
            }
        }
        Ok(found)
    };
    starts.incomplete.add_places(&impact.unknown_places());
    let mut readers = HashSet::new();
    let mut of_modules: BTreeMap<usize, HashSet<u32>> = BTreeMap::new();
    for (place, by) in impact.readers(&[file]) {
        match place {
            Place::Module(place) => match by {
                ReadBy::Object(object) => {
                    readers.insert((place, object));
                    of_modules.entry(place).or_default();
                }
                ReadBy::Tests(label) => {
                    let tests = tree.modules()[place].tests.iter();
                    let runs = tests.flat_map(|test| runs_at(test, label));
                    starts.others.extend(runs.map(|run| (place, run)));
                }
                _ => {
                    let module = &tree.modules()[place];
                    let sources = sources_of(&module.sources)?;
                    let mut tests = module.tests.iter();
                    if let Some(test) = tests.find(|it| sources.contains(&it.source.id())) {
                        let runs = runs_at(test, None).into_iter();
                        starts.others.extend(runs.map(|run| (place, run)));
                        continue;
                    }
                    match assigned(module, file, common) {
                        Some(set) if set.is_empty() => {
                            starts.others.insert((place, MODULE.to_owned()));
                        }
                        Some(set) => readers.extend(set.into_iter().map(|it| (place, it))),
                        None => of_modules.entry(place).or_default().extend(sources),
                    }
                }
            },
            Place::Template(place) => {
                let TreeTemplate { template, sources, .. } = &tree.templates()[place];
                let sources = sources_of(sources)?;
                let declared = (0..).zip(template.objects()).filter(|(_, object)| {
                    template
                        .declaration(*object)
                        .is_some_and(|it| sources.contains(&it.source.id()))
                });
                starts.templates.push((place, declared.map(|(number, _)| number).collect()));
            }
            // No runs are passed.
            Place::Run(_) => {}
        }
    }
    let is_start = |node: &GraphNode<'_>| {
        let declared = || tree.modules()[node.module].declares(node.object);
        let sources = of_modules.get(&node.module).filter(|sources| !sources.is_empty());
        readers.contains(&(node.module, node.object))
            || sources.is_some_and(|it| declared().is_some_and(|source| it.contains(&source.id())))
    };
    let mut is_named = HashSet::new();
    for node in graph.nodes().filter(is_start) {
        is_named.insert(node.module);
        starts.objects.extend(graph.number(node));
    }
    let unnamed = of_modules.keys().filter(|module| !is_named.contains(module));
    starts.others.extend(unnamed.map(|&module| (module, MODULE.to_owned())));
    starts.modules.extend(of_modules.keys());
    Ok(starts)
}

/// The variables of a module that a file of variables sets: all, if it cannot be read. `None` if it is no
/// such file.
fn assigned<'a>(module: &TreeModule<'a>, file: &Path, common: &Common) -> Option<Vec<Object<'a>>> {
    let name = file.file_name().unwrap_or_default();
    let kind = FileKind::of_named(name, module.files.dialect);
    if kind.list != List::Variables {
        return None;
    }
    let arena = Arena::new();
    let parsed = expand::file(&arena, file, common).ok();
    let names: Option<HashSet<String>> = parsed.map(|parsed| {
        parsed.body().properties().map(|property| property.name().to_owned()).collect()
    });
    let is_set = |name: &str| names.as_ref().is_none_or(|names| names.contains(name));
    let set = module.module.variables.iter().filter(|variable| is_set(variable.name));
    Some(set.map(|variable| Object::Variable(variable.name)).collect())
}

/// The address of a module as a whole.
const MODULE: &str = "module";

/// The addresses of the runs of a test file, or that of the one around a place.
fn runs_at(test: &TestFile<'_>, label: Option<Label<'_>>) -> Vec<String> {
    let is_in = |run: &&TestRun<'_>| {
        let span = run.block.span();
        label.is_some_and(|at| span.start <= at.span.start && at.span.end <= span.end)
    };
    if label.is_some_and(|label| label.source.id() != test.source.id()) {
        return Vec::new();
    }
    let around: Vec<&TestRun<'_>> = test.runs.iter().filter(is_in).collect();
    let all = if around.is_empty() { test.runs.iter().collect() } else { around };
    match all.is_empty() {
        true => vec![MODULE.to_owned()],
        false => all.iter().map(|run| format!("run.{}", run.name)).collect(),
    }
}
