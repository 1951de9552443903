//! Where the names in the configuration of a unit lead.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::call::resolved;
use super::config::Config;
use super::frame::Extent;
use super::run::Runs;
use super::source::module_of;
use super::{names, read};
use crate::arena::Arena;
use crate::functions::paths::join;

/// Where the names in the configuration of a unit lead. Paths are as the user would write them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnitLinks {
    /// The folder of its module, if that is in the file system.
    pub module: Option<PathBuf>,
    /// The included files that exist, by label.
    pub includes: BTreeMap<String, PathBuf>,
    /// The units of its `dependency` blocks, by their names.
    pub dependencies: BTreeMap<String, DependencyLink>,
    /// The file that gives it values, if there is one.
    pub values: Option<PathBuf>,
}

/// A unit that another one depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DependencyLink {
    /// The file of its configuration.
    pub config: PathBuf,
    /// The folder of its module, if that is in the file system.
    pub module: Option<PathBuf>,
}

impl Runs<'_> {
    /// Returns where the names of the unit in a folder lead, which is an absolute path.
    ///
    /// Cost: that of evaluating its configuration, and those of the units that it depends on.
    #[must_use]
    pub fn links(&self, folder: &str) -> UnitLinks {
        let world = &self.world;
        let named = |path: &str| self.named(&world.disk.real(path));
        let module = |folder: &str, config: &Config<'_>| {
            let module = module_of(folder, config);
            module.filter(|module| world.disk.is_folder(module)).map(|module| named(&module))
        };
        let mut links = UnitLinks::default();
        let arena = Arena::new();
        let evaluate = |config: &str| read::evaluate(world, &arena, config, Extent::Whole).0;
        let outcome = evaluate(&world.config_of(folder));
        links.module = module(folder, &outcome.config);
        for include in outcome.includes.iter().filter(|it| world.disk.is_file(&it.path)) {
            links.includes.insert(include.label.clone(), named(&include.path));
        }
        for block in &outcome.config.dependencies {
            let Some(path) = block.get("config_path").and_then(|it| it.as_str()) else { continue };
            let folder = world.disk.resolve(&resolved(folder, path));
            let config = world.config_of(&folder);
            if world.disk.is_file(&config) {
                let module = module(&folder, &evaluate(&config).config);
                let link = DependencyLink { config: named(&config), module };
                links.dependencies.insert(block.name.to_owned(), link);
            }
        }
        let values = join(folder, names::VALUES);
        links.values = world.disk.is_file(&values).then(|| named(&values));
        links
    }
}
