//! The files that texts of a unit name, though its evaluation does not read them: commands of hooks,
//! arguments, environment variables, and the inputs of a module that is not in the file system. What
//! another module does with its inputs is known when it is evaluated.

use super::call::resolved;
use super::config::Config;
use super::disk::is_below;
use super::log::Watched;
use super::source::module_of;
use super::world::World;
use crate::command_line::{self, is_dots};
use crate::value::Value;

/// The texts that may be paths have at most this many bytes.
const LONGEST: usize = 1024;

/// The files and folders that texts of a unit may name.
pub(super) struct Named<'n, 'a> {
    world: &'n World<'a>,
    folder: &'n str,
    /// The folders that relative paths may start from.
    starts: Vec<String>,
    /// Absolute paths of files, which need not exist.
    pub(super) files: Vec<String>,
    /// The folders that exist.
    pub(super) watched: Vec<Watched>,
}

impl<'n, 'a> Named<'n, 'a> {
    /// Returns those of an evaluated unit.
    ///
    /// Cost: linear in its texts, and a query of the file system for each that may be a path.
    pub(super) fn of(world: &'n World<'a>, folder: &'n str, config: &Config<'_>) -> Self {
        // Terragrunt runs where the module and the folder of the unit are together.
        let module = module_of(folder, config).filter(|module| world.disk.is_folder(module));
        let mut starts = vec![folder.to_owned()];
        starts.extend(module.clone().filter(|module| module != folder));
        let mut named = Self { world, folder, starts, files: Vec::new(), watched: Vec::new() };
        for (_, block) in config.terraform.iter().flat_map(|it| &it.blocks) {
            let place = block.get("working_dir").and_then(|it| named.text(it));
            let place = place.map(|place| resolved(folder, place));
            named.starts.extend(place.clone());
            for name in ["execute", "arguments", "env_vars", "working_dir"] {
                let texts = block.get(name).map(|it| named.texts(it)).unwrap_or_default();
                for text in texts {
                    command_line::paths(text, |word| named.add(word));
                }
            }
            if place.is_some() {
                named.starts.pop();
            }
        }
        if module.is_none() {
            let texts = config.inputs.map(|it| named.texts(it)).unwrap_or_default();
            for text in texts {
                if text.len() <= LONGEST && !text.contains(['\n', '\0']) && !is_dots(text) {
                    named.add(text);
                }
            }
        }
        named
    }

    fn text<'v>(&self, value: Value<'v>) -> Option<&'v str> {
        value.as_str().filter(|_| self.world.shows(value.deep_marks()))
    }

    /// The texts in a value, apart from those that must not be told.
    fn texts<'v>(&self, value: Value<'v>) -> Vec<&'v str> {
        let mut texts = Vec::new();
        if self.world.shows(value.deep_marks()) {
            value.visit_distinct(|part| texts.extend(part.unmark().0.as_str()));
        }
        texts
    }

    fn add(&mut self, text: &str) {
        for start in &self.starts {
            let path = resolved(start, text);
            let disk = &self.world.disk;
            // A folder without a path is more often another name; one around the unit is no dependency.
            let may_be_folder = text.contains('/') && !is_below(self.folder, &path);
            if may_be_folder && disk.is_folder(&path) {
                let real = disk.real(&disk.resolve(&path));
                self.watched.push(Watched::Set(real, "**".to_owned()));
            }
            self.files.push(path);
        }
    }
}
