//! How units of Terragrunt run their modules, as far as that is about states.

use std::path::PathBuf;

use simd_hcl::directory::{Location, ModuleFiles};
use simd_hcl::terragrunt::{Run, Unit};
use simd_hcl::tree::StateRun;

/// A unit that has a state.
pub(super) enum Owner {
    /// The number of the tree, and that of the unit.
    Unit(usize, usize),
    /// One of the revision that is compared, by its folder.
    Before(String),
}

/// Whether a text that a unit generates may have a data source that reads a state. Those in files of its
/// folder are in the tree.
pub(super) fn may_read(unit: &Unit) -> bool {
    let names = ["terraform_remote_state", "tfe_outputs"];
    let mut texts = unit.generated_files.values().flatten();
    texts.any(|text| names.iter().any(|name| text.contains(name)))
}

/// Returns how a unit runs its module, as far as that is about states. `own` are the files that it adds.
pub(super) fn state_run(
    run: &Run<'_>,
    path: PathBuf,
    module: Option<Location>,
    own: Option<ModuleFiles>,
) -> StateRun {
    let mut of_unit = StateRun::new(path.into());
    let backend = &run.backend;
    (of_unit.module, of_unit.own) = (module, own);
    (of_unit.backend, of_unit.settings) = (backend.name.clone(), backend.settings.clone());
    of_unit
}
