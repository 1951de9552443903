//! `dependents`: the objects that depend on an object or a file.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use simd_hcl::diagnostic::Label;
use simd_hcl::dialect::{FileKind, List};
use simd_hcl::directory::Location;
use simd_hcl::impact::{ImpactOptions, Place, ReadBy};
use simd_hcl::module::Object;
use simd_hcl::module::test::{Run as TestRun, TestFile};
use simd_hcl::terragrunt::{Run, Runs};
use simd_hcl::tree::{Graph, GraphNode, Tree, TreeModule, TreeTemplate};
use simd_hcl::{Arena, Dialect, Source};

use crate::args::{self, Common, ListFormat};
use crate::expand;
use crate::git::canonical;
use crate::graph::{id, id_in};
use crate::incomplete::Incomplete;
use crate::input;
use crate::modules::{DependsOn, path_of, path_of_template, with_tree};
use crate::order::Asked;
use crate::output::{self, Csv};
use crate::paths::{or_here, text};
use crate::printed::nearest;
use crate::root_section::Section;
use crate::roots::{Run as RootRun, UnitValues};
use crate::settings::Settings;
use crate::status::{Failure, Status};
use crate::unit_graph::UnitGraph;
use crate::unit_impact::{self, Question};
use crate::unit_run;
use crate::visible::visible;

#[derive(Serialize)]
struct Row {
    address: String,
    module: String,
    distance: u32,
    /// The object that it depends on directly; for a start object, itself.
    via: String,
}

impl output::Row for Row {
    const MEMBER: Option<&'static str> = Some("dependents");
    const COLUMNS: &'static [&'static str] = &["address", "module", "distance", "via"];

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { address, module, distance, via } = self;
        let [address, module, via] = [address, module, via].map(|text| visible(text));
        writeln!(out, "{distance:>4}  {module}  {address}  (via {via})")
    }

    fn records(&self, out: &mut Csv<'_>) {
        let Self { address, module, distance, via } = self;
        out.record([address, module, &distance.to_string(), via]);
    }
}

/// The start objects by number, and whole modules.
#[derive(Default)]
struct Starts {
    objects: Vec<u32>,
    modules: Vec<usize>,
    /// Starts that are no objects: the module, and the address.
    others: BTreeSet<(usize, String)>,
    /// The start objects of each template: its index, and the numbers of the objects.
    templates: Vec<(usize, Vec<u32>)>,
    /// The files that could not be resolved.
    incomplete: Incomplete,
}

impl Starts {
    fn is_empty(&self) -> bool {
        let Self { objects, modules, others, templates, .. } = self;
        objects.is_empty() && modules.is_empty() && others.is_empty() && templates.is_empty()
    }
}

pub(crate) fn run(dependents: &args::Dependents, common: &Common) -> Result<Status, Failure> {
    let (configuration, format) = (&dependents.configuration, dependents.format);
    let (first, paths) = (&dependents.of, &configuration.paths);
    let asked = Asked { command: "dependents", noun: "address", first, paths };
    asked.check()?;
    let depends_on = DependsOn::CallsAndUnits;
    let (more, status) = with_tree(configuration, common, depends_on, format, |loaded| {
        let tree = loaded.tree;
        let graph = tree.graph();
        let units = UnitGraph::of(paths, (tree, &graph), true, common)?;
        let mut starts = of_address(tree, &graph, &dependents.of)?;
        let mut of_units = of_units(&units, &dependents.of)?;
        if starts.is_empty() && of_units.is_empty() {
            let settings = Settings::of(paths, common)?;
            let file = Path::new(&dependents.of);
            starts = of_file(tree, &graph, file, (settings.roots(), common))?;
            let dialect = configuration.dialect.or(settings.dialect);
            let how = (&settings, dialect.map(Into::into).unwrap_or_default());
            of_units = of_file_of_units(&units, Path::new(&dependents.of), (paths, how), common)?;
        }
        if starts.is_empty() && of_units.is_empty() {
            starts.incomplete.print(ListFormat::Human, common);
            return Err(unknown(tree, &graph, &units, &dependents.of));
        }
        let mut rows: Vec<Row> = starts.others.iter().map(|start| of_other(tree, start)).collect();
        rows.extend(of_modules(tree, &graph, &starts));
        if !units.units.is_empty() {
            add_units(&mut rows, (tree, &graph), &units, (&starts, &of_units));
        }
        for (place, objects) in &starts.templates {
            rows.extend(of_template(tree, &tree.templates()[*place], objects));
        }
        let mut incomplete = loaded.incomplete.clone();
        incomplete.append(starts.incomplete.clone());
        incomplete.append(units.incomplete);
        output::list(format, common.style(), rows, &incomplete)?;
        Ok(starts.incomplete)
    })?;
    more.print(format, common);
    Ok(status)
}

/// Returns the failure for an address that no module has, with similar ones.
fn unknown(tree: &Tree<'_>, graph: &Graph<'_, '_>, units: &UnitGraph, of: &str) -> Failure {
    let has_path = of.split(['[', '"']).next().is_some_and(|start| start.contains(':'));
    let mut all: BTreeSet<String> = BTreeSet::new();
    for node in graph.nodes() {
        all.insert(match has_path {
            true => format!("{}:{}", path_of(&tree.modules()[node.module]), node.object),
            false => node.object.to_string(),
        });
    }
    all.extend(units.units.iter().map(|unit| unit.path.clone()));
    for template in tree.templates() {
        let path = path_of_template(template);
        let objects = template.template.objects().map(|object| object.to_string());
        all.extend(objects.map(|object| match has_path {
            true => format!("{path}:{object}"),
            false => object,
        }));
    }
    let mut message = format!("{of}: no such object or file in these modules");
    let near = nearest(of, &all);
    if !near.is_empty() {
        message = format!("{message}; they have {}", near.join(", "));
    }
    Failure::Message(message)
}

/// Returns the objects with an address in all modules, or in one module (`path:address`).
fn of_address(tree: &Tree<'_>, graph: &Graph<'_, '_>, of: &str) -> Result<Starts, Failure> {
    let is_meant = |place: &Location, address: &str| -> Result<bool, Failure> {
        let given = of.strip_suffix(address).and_then(|rest| rest.strip_suffix(':'));
        match (given, place) {
            (None, _) => Ok(address == of),
            (Some(given), Location::Disk(path)) => {
                Ok(canonical(path)? == canonical(Path::new(given))?)
            }
            (Some(given), Location::Memory(path)) => Ok(path.to_string() == given),
        }
    };
    let mut starts = Starts::default();
    for (number, node) in (0..).zip(graph.nodes()) {
        let path = &tree.modules()[node.module].files.path;
        if is_meant(path, &node.object.to_string())? {
            starts.objects.push(number);
        }
    }
    for (place, template) in tree.templates().iter().enumerate() {
        let mut objects: Vec<u32> = Vec::new();
        for (number, object) in (0..).zip(template.template.objects()) {
            if is_meant(&template.files.path, &object.to_string())? {
                objects.push(number);
            }
        }
        if !objects.is_empty() {
            starts.templates.push((place, objects));
        }
    }
    Ok(starts)
}

/// Returns the declarations in a file, the objects that read it, and the modules that it belongs
/// to.
fn of_file(
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

/// Returns a start that is no object.
fn of_other(tree: &Tree<'_>, (module, address): &(usize, String)) -> Row {
    let module = path_of(&tree.modules()[*module]);
    let via = id_in(tree, &module, address);
    Row { address: address.clone(), module, distance: 0, via }
}

/// Returns the start objects and their dependents in modules.
fn of_modules(tree: &Tree<'_>, graph: &Graph<'_, '_>, starts: &Starts) -> Vec<Row> {
    let row = |number: u32, distance: u32, via: Option<u32>| -> Option<Row> {
        let node = graph.node(number)?;
        let via = match via {
            Some(via) => id(tree, &graph.node(via)?),
            // The start is a whole module: the one that is called.
            None => tree.modules()[node.module]
                .called_by(node.object)
                .map_or_else(String::new, |called| path_of(&tree.modules()[called])),
        };
        let module = path_of(&tree.modules()[node.module]);
        Some(Row { address: node.object.to_string(), module, distance, via })
    };
    let mut rows: Vec<Row> = starts.objects.iter().filter_map(|&it| row(it, 0, Some(it))).collect();
    let found = graph.dependents_of(&starts.objects, &starts.modules);
    rows.extend(found.iter().filter_map(|it| row(it.node, it.distance, it.via)));
    rows
}

/// A part of a unit, beside the objects of modules, that others depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum UnitPart {
    Unit(usize),
    /// The number of the unit, and of the input.
    Input(usize, usize),
    Object(u32),
}

/// The address of a unit in its folder.
const UNIT: &str = "unit";

/// Returns the units and inputs with an address: a folder, or `path:inputs.name`.
fn of_units(units: &UnitGraph, of: &str) -> Result<Vec<UnitPart>, Failure> {
    let mut found = Vec::new();
    if units.units.is_empty() {
        return Ok(found);
    }
    let (given, address) = match of.split_once(':') {
        Some((given, address)) => (given, Some(address)),
        None => (of, None),
    };
    let wanted = canonical(or_here(Path::new(given)))?;
    let is_same = |path: &str, given: &str| -> Result<bool, Failure> {
        Ok(path == given || canonical(Path::new(path))? == wanted)
    };
    for (number, unit) in units.units.iter().enumerate() {
        if let Some(address) = address {
            let mut inputs = unit.inputs.iter();
            if let Some(at) = inputs.position(|input| input.address() == address)
                && is_same(&unit.path, given)?
            {
                found.push(UnitPart::Input(number, at));
            }
        } else if is_same(&unit.path, given)? {
            found.push(UnitPart::Unit(number));
        }
    }
    Ok(found)
}

/// Returns the units that read a file, themselves or through the modules that they run.
fn of_file_of_units(
    units: &UnitGraph,
    file: &Path,
    (folders, how): (&[PathBuf], (&Settings, Dialect)),
    common: &Common,
) -> Result<Vec<UnitPart>, Failure> {
    if units.units.is_empty() {
        return Ok(Vec::new());
    }
    let absolute = text(&canonical(file)?);
    let mut found: BTreeSet<usize> = units.readers(&absolute).into_iter().collect();
    let folders = readers(folders, (file, absolute), how, common)?;
    let of_modules = units.units.iter().enumerate();
    let of_modules = of_modules.filter(|(_, unit)| folders.contains(&unit.folder));
    found.extend(of_modules.map(|(number, _)| number));
    Ok(found.into_iter().map(UnitPart::Unit).collect())
}

/// Returns the folders of the units below some folders whose modules depend on a file as these run them.
/// Paths are absolute.
fn readers(
    folders: &[PathBuf],
    (file, absolute): (&Path, String),
    (settings, dialect): (&Settings, Dialect),
    common: &Common,
) -> Result<BTreeSet<String>, Failure> {
    let mut readers = BTreeSet::new();
    let changed = [(file.to_owned(), absolute)];
    let values = UnitValues { sections: settings.roots(), changed: None, common };
    let decode = input::decode_options(common)?;
    let question =
        Question { changed: &changed, links: false, values: &values, decode: &decode, top: None };
    let options = unit_run::with_files(common);
    let arena = Arena::new();
    for folder in input::directories(folders, &mut Incomplete::default()) {
        let Ok(runs) = Runs::open(&arena, folder, &options) else { continue };
        let units = runs.units();
        let files = |run: &Run<'_>| {
            runs.files(run, dialect).map_err(|error| Failure::Message(error.to_string()))
        };
        let tasks =
            unit_impact::tasks((&runs, &units), &BTreeSet::new(), (&question, None), files)?;
        let found =
            unit_impact::affected(&tasks, &question, |path| Some(PathBuf::from(path)), |_, _| ());
        let found = found.iter().filter(|run| run.is_affected);
        readers.extend(found.map(|run| units.units[run.unit].folder.clone()));
    }
    Ok(readers)
}

/// Adds what depends on the start objects and units through units: outputs are given to other units as
/// inputs, and inputs to variables.
fn add_units(
    rows: &mut Vec<Row>,
    (tree, graph): (&Tree<'_>, &Graph<'_, '_>),
    units: &UnitGraph,
    (starts, of_units): (&Starts, &[UnitPart]),
) {
    let name = |part: UnitPart| match part {
        UnitPart::Unit(unit) => units.units[unit].path.clone(),
        UnitPart::Input(unit, input) => {
            let unit = &units.units[unit];
            format!("{}:{}", unit.path, unit.inputs[input].address())
        }
        UnitPart::Object(number) => {
            graph.node(number).map_or_else(String::new, |node| id(tree, &node))
        }
    };
    let mut users: HashMap<u32, Vec<UnitPart>> = HashMap::new();
    let mut needed_by: Vec<Vec<usize>> = vec![Vec::new(); units.units.len()];
    for (number, unit) in units.units.iter().enumerate() {
        for (at, input) in unit.inputs.iter().enumerate() {
            for &output in &input.outputs {
                users.entry(output).or_default().push(UnitPart::Input(number, at));
            }
        }
        unit.needs.iter().for_each(|&needed| needed_by[needed].push(number));
    }
    // The parts that have been found; nearer parts come first.
    let mut seen: HashSet<UnitPart> = HashSet::new();
    let mut open: BinaryHeap<Reverse<(u32, UnitPart)>> = BinaryHeap::new();
    for &start in &starts.objects {
        seen.insert(UnitPart::Object(start));
        open.push(Reverse((0, UnitPart::Object(start))));
    }
    for found in graph.dependents_of(&starts.objects, &starts.modules) {
        seen.insert(UnitPart::Object(found.node));
        open.push(Reverse((found.distance, UnitPart::Object(found.node))));
    }
    let mut add = |rows: &mut Vec<Row>, part: UnitPart, distance: u32, via: UnitPart| {
        if !seen.insert(part) {
            return false;
        }
        let (address, module) = match part {
            UnitPart::Unit(unit) => (UNIT.to_owned(), units.units[unit].path.clone()),
            UnitPart::Input(unit, input) => {
                let unit = &units.units[unit];
                (unit.inputs[input].address(), unit.path.clone())
            }
            UnitPart::Object(number) => match graph.node(number) {
                Some(node) => (node.object.to_string(), path_of(&tree.modules()[node.module])),
                None => return false,
            },
        };
        rows.push(Row { address, module, distance, via: name(via) });
        true
    };
    for &start in of_units {
        if add(rows, start, 0, start) {
            open.push(Reverse((0, start)));
        }
    }
    while let Some(Reverse((distance, part))) = open.pop() {
        let mut next: Vec<UnitPart> = Vec::new();
        match part {
            UnitPart::Unit(unit) => {
                next.extend(needed_by[unit].iter().map(|&it| UnitPart::Unit(it)))
            }
            UnitPart::Input(unit, input) => {
                next.extend(units.units[unit].inputs[input].variable.map(UnitPart::Object));
            }
            UnitPart::Object(number) => {
                next.extend(graph.needed_by(number).map(UnitPart::Object));
                next.extend(users.get(&number).into_iter().flatten());
            }
        }
        for found in next {
            if add(rows, found, distance + 1, part) {
                open.push(Reverse((distance + 1, found)));
            }
        }
    }
    rows.sort_by_key(|row| row.distance);
}

/// Does the same in a Packer template.
fn of_template(tree: &Tree<'_>, template: &TreeTemplate<'_>, objects: &[u32]) -> Vec<Row> {
    let module = path_of_template(template);
    let names: Vec<String> = template.template.objects().map(|it| it.to_string()).collect();
    let row = |number: u32, distance: u32, via: u32| Row {
        address: names[number as usize].clone(),
        module: module.clone(),
        distance,
        via: id_in(tree, &module, &names[via as usize]),
    };
    let mut rows: Vec<Row> = objects.iter().map(|&it| row(it, 0, it)).collect();
    let found = template.dependents(objects);
    rows.extend(found.iter().map(|it| row(it.node, it.distance, it.via.unwrap_or(it.node))));
    rows
}
