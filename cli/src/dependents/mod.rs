//! `dependents`: the objects that depend on an object or a file.

mod files;
mod row;
mod units;

use std::collections::BTreeSet;
use std::path::Path;

use simd_hcl::directory::Location;
use simd_hcl::tree::{Graph, Tree, TreeTemplate};

use self::files::of_file;
use self::row::{Row, Starts};
use self::units::{add_units, of_file_of_units, of_units};
use crate::args::{self, Common, ListFormat};
use crate::git::canonical;
use crate::graph::{id, id_in};
use crate::modules::{DependsOn, path_of, path_of_template, with_tree};
use crate::order::Asked;
use crate::output;
use crate::paths::{nearest_entry, text};
use crate::printed::nearest;
use crate::settings::Settings;
use crate::status::{Failure, Status};
use crate::unit_graph::UnitGraph;
use crate::visible::visible;

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
    if let Some(file) = Some(Path::new(of)).filter(|_| of.contains('/')).and_then(nearest_entry) {
        return Failure::Message(format!("{message}; did you mean {}?", visible(&text(&file))));
    }
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
