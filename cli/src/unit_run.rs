//! Units of Terragrunt as root modules: the values that they give to their modules.

use std::collections::BTreeSet;
use std::path::PathBuf;

use simd_hcl::Arena;
use simd_hcl::directory::{Location, ModuleFiles};
use simd_hcl::expand::Inputs;
use simd_hcl::terragrunt::{Options, Run, Runs, has_unit};
use simd_hcl::tree::TreeModule;
use simd_hcl::value::Value;

use crate::args::{Common, UnitInputs};
use crate::paths::or_here;

/// Returns the options that units are evaluated with.
pub(crate) fn options(given: &UnitInputs, common: &Common) -> Options {
    let mut options =
        Options::default().following_links(common.follow_links).within(common.limits());
    for (name, value) in &given.env {
        options = options.with_variable(name, value);
    }
    for (name, value) in &given.feature {
        options = options.with_feature(name, value);
    }
    for name in &given.experiment {
        options = options.with_experiment(name);
    }
    options
}

/// Returns the options that find the files that decide about units, with those of stacks.
pub(crate) fn with_files(common: &Common) -> Options {
    let options = Options::default().with_files(true).with_stacks(true);
    options.following_links(common.follow_links).within(common.limits())
}

/// Returns the directories of modules whose files units of Terragrunt add to modules elsewhere.
///
/// Cost: that of evaluating the units in these directories.
pub(crate) fn parts(modules: &[ModuleFiles], options: &Options) -> BTreeSet<PathBuf> {
    let mut parts = BTreeSet::new();
    for module in modules {
        let Location::Disk(directory) = module.directory() else { continue };
        if !has_unit(or_here(&directory)) {
            continue;
        }
        let arena = Arena::new();
        let Some((runs, folder)) = Runs::around(&arena, or_here(&directory), options) else {
            continue;
        };
        let run = runs.run(&folder);
        if run.module.as_ref() != Some(&run.content) {
            parts.insert(directory);
        }
    }
    parts
}

/// Adds the values that a unit passes to its module through the environment.
pub(crate) fn with_run<'i, 'a>(
    mut inputs: Inputs<'i, 'a>,
    run: &Run<'_>,
    module: &TreeModule<'a>,
) -> Inputs<'i, 'a> {
    let arena = inputs.arena();
    for (name, text) in &run.environment {
        inputs = inputs.with_environment(name, text);
    }
    for name in &run.hidden {
        inputs = inputs.with_hidden_variable(name);
    }
    for made in run.generated.iter().filter(|it| it.is_hidden) {
        let files = module.files.files.iter().filter(|file| *file.name == *made.path);
        for file in files {
            inputs = inputs.with_hidden_file(&file.path.to_string_lossy());
        }
    }
    match &run.inputs {
        Some(all) => {
            for (name, value) in all {
                inputs = inputs.with_value(name, value.copy_to(arena), &run.origin);
            }
        }
        // Any variable may have a value.
        None => {
            for variable in &module.module.variables {
                inputs = inputs.with_value(variable.name, Value::dynamic(), &run.origin);
            }
        }
    }
    inputs
}
