//! The units of Terragrunt beside a tree: the modules that they run, their inputs, and the units
//! that they need.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use simd_hcl::directory::Location;
use simd_hcl::module::Object;
use simd_hcl::terragrunt::{Options, Unit, Units, find};
use simd_hcl::tree::{Graph, Tree};

use crate::args::Common;
use crate::git;
use crate::incomplete::Incomplete;
use crate::input;
use crate::paths::text;
use crate::status::Failure;

/// The units of some folders.
#[derive(Default)]
pub(crate) struct UnitGraph {
    pub(crate) units: Vec<UnitNode>,
    /// The folders, each with its units, and the number of the first one.
    trees: Vec<(PathBuf, Units, usize)>,
    pub(crate) incomplete: Incomplete,
}

/// A unit.
pub(crate) struct UnitNode {
    /// Its folder, as modules are named.
    pub(crate) path: String,
    /// Its folder, as an absolute path.
    pub(crate) folder: String,
    /// The source of its module as it is written.
    pub(crate) source: Option<String>,
    /// The folder of its module, as an absolute path.
    pub(crate) folder_of_module: Option<String>,
    /// The index of its module in the tree.
    pub(crate) module: Option<usize>,
    /// Whether it is run; stacks and templates are not.
    pub(crate) is_root: bool,
    /// The units that it depends on, by their numbers.
    pub(crate) needs: Vec<usize>,
    pub(crate) inputs: Vec<InputNode>,
}

/// An input of a unit.
pub(crate) struct InputNode {
    pub(crate) name: String,
    /// The number of the variable that it gives a value to.
    pub(crate) variable: Option<u32>,
    /// The outputs that it uses, by their numbers, and the units that have them.
    pub(crate) outputs: Vec<u32>,
    pub(crate) units: Vec<usize>,
}

impl InputNode {
    /// Its address in the unit.
    pub(crate) fn address(&self) -> String {
        format!("inputs.{}", self.name)
    }
}

/// The path of a unit, as modules are named.
pub(crate) fn named(folder: &Path, path: &str) -> String {
    match (folder == Path::new("."), path) {
        (true, path) => path.to_owned(),
        (false, ".") => text(folder),
        (false, path) => text(&folder.join(path)),
    }
}

impl UnitGraph {
    /// Finds the units below some folders. With `has_files`, the files that decide about them are known.
    pub(crate) fn of<'a>(
        folders: &[PathBuf],
        (tree, graph): (&Tree<'a>, &Graph<'_, 'a>),
        has_files: bool,
        common: &Common,
    ) -> Result<Self, Failure> {
        let options = Options::default()
            .with_inputs(true)
            .with_files(has_files)
            .with_stacks(true)
            .following_links(common.follow_links)
            .within(common.limits());
        let mut all = Self::default();
        let mut count = 0;
        for folder in input::directories(folders, &mut all.incomplete) {
            let found = find(folder, &options);
            if found.units.is_empty() {
                continue;
            }
            for gap in found.gaps_of_roots() {
                all.incomplete.add("unit", named(folder, &gap.place), &gap.why);
            }
            let first = count;
            count += found.units.len();
            all.trees.push((folder.to_owned(), found, first));
        }
        if all.trees.is_empty() {
            return Ok(all);
        }
        let mut places: HashMap<String, usize> = HashMap::new();
        for (place, module) in tree.modules().iter().enumerate() {
            if let Location::Disk(path) = module.files.directory() {
                let path = text(&git::canonical(&path)?);
                places.entry(path).or_insert(place);
            }
        }
        for (folder, units, first) in &all.trees {
            let by_path: HashMap<&str, usize> =
                (*first..).zip(&units.units).map(|(at, unit)| (unit.path.as_str(), at)).collect();
            let by_folder: HashMap<&str, usize> =
                (*first..).zip(&units.units).map(|(at, unit)| (unit.folder.as_str(), at)).collect();
            let module_of = |unit: &Unit| places.get(unit.module.as_ref()?).copied();
            for unit in &units.units {
                let module = module_of(unit);
                let needs = unit.dependencies.iter();
                let needs = needs.filter_map(|path| by_path.get(path.as_str()).copied()).collect();
                let mut inputs = Vec::new();
                for (name, outputs) in unit.inputs.iter().flatten() {
                    let variable = module.and_then(|place| {
                        let variable = tree.modules()[place].module.variables.get(name)?;
                        let object = Object::Variable(variable.name);
                        graph.number_in(place, object)
                    });
                    let mut input = InputNode {
                        name: name.clone(),
                        variable,
                        outputs: Vec::new(),
                        units: Vec::new(),
                    };
                    for used in outputs {
                        let Some(&to) = by_folder.get(used.folder.as_str()) else { continue };
                        input.units.push(to);
                        let Some(place) = module_of(&units.units[to - first]) else { continue };
                        let declared = &tree.modules()[place].module.outputs;
                        let is_used =
                            |name: &str| used.output.as_deref().is_none_or(|it| it == name);
                        let used = declared.iter().filter(|output| is_used(output.name));
                        input.outputs.extend(used.filter_map(|output| {
                            let object = Object::Output(output.name);
                            graph.number_in(place, object)
                        }));
                    }
                    inputs.push(input);
                }
                all.units.push(UnitNode {
                    path: named(folder, &unit.path),
                    folder: unit.folder.clone(),
                    source: unit.source.clone(),
                    folder_of_module: unit.module.clone(),
                    module,
                    is_root: unit.is_root(),
                    needs,
                    inputs,
                });
            }
        }
        Ok(all)
    }

    /// The numbers of the units that read a file, which is an absolute path.
    pub(crate) fn readers(&self, file: &str) -> Vec<usize> {
        let mut readers = Vec::new();
        let changed = [file.to_owned()];
        for (_, units, first) in &self.trees {
            let found = units.affected(&changed, &[], &[]).into_iter();
            readers.extend(found.filter(|it| it.way.len() == 1).map(|it| it.unit + first));
        }
        readers
    }
}
