//! The objects and units that depend on something through units of Terragrunt.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use simd_hcl::terragrunt::{Run, Runs};
use simd_hcl::tree::{Graph, Tree};
use simd_hcl::{Arena, Dialect};

use super::row::{Row, Starts};
use crate::args::Common;
use crate::git::canonical;
use crate::graph::id;
use crate::incomplete::Incomplete;
use crate::input;
use crate::modules::path_of;
use crate::paths::{or_here, text};
use crate::roots::UnitValues;
use crate::settings::Settings;
use crate::status::Failure;
use crate::unit_graph::UnitGraph;
use crate::unit_impact::{self, Question};
use crate::unit_run;

/// A part of a unit, beside the objects of modules, that others depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum UnitPart {
    Unit(usize),
    /// The number of the unit, and of the input.
    Input(usize, usize),
    Object(u32),
}

/// The address of a unit in its folder.
const UNIT: &str = "unit";

/// Returns the units and inputs with an address: a folder, or `path:inputs.name`.
pub(super) fn of_units(units: &UnitGraph, of: &str) -> Result<Vec<UnitPart>, Failure> {
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
pub(super) fn of_file_of_units(
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
pub(super) fn add_units(
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
