//! The names of Terragrunt's files and folders.

#[cfg(feature = "workspace")]
use std::path::Path;

/// The configuration of a unit.
pub(crate) const UNIT: &str = "terragrunt.hcl";
/// The configuration of a unit in JSON. A folder that has only this one is not found as a unit.
pub(crate) const UNIT_JSON: &str = "terragrunt.hcl.json";
/// The configurations of units; of several in a folder, the first one is read.
pub(crate) const UNITS: [&str; 2] = [UNIT_JSON, UNIT];
/// The units and stacks of a stack.
pub(crate) const STACK: &str = "terragrunt.stack.hcl";
/// The values that a stack gives to a unit or stack.
pub(crate) const VALUES: &str = "terragrunt.values.hcl";
/// The file that a stack merges over a unit.
pub(crate) const AUTOINCLUDE: &str = "terragrunt.autoinclude.hcl";
/// The versions of providers, which is copied to where the module of a unit is run.
pub(crate) const LOCK: &str = ".terraform.lock.hcl";
/// The units and stacks that a stack adds to another one.
pub(crate) const AUTOINCLUDE_STACK: &str = "terragrunt.autoinclude.stack.hcl";
/// The folder in which the units and stacks of a stack are generated.
pub(crate) const GENERATED: &str = ".terragrunt-stack";

/// Folders that are never searched.
const SKIPPED: [&str; 3] = [".git", ".terraform", ".terragrunt-cache"];

/// Whether a path is that of the configuration of a unit.
#[cfg(feature = "workspace")]
pub(crate) fn is_configuration(path: &Path) -> bool {
    path.file_name().is_some_and(|name| UNITS.iter().any(|known| name == *known))
}

/// Whether a folder of this name is never searched.
pub(crate) fn is_skipped(name: &str) -> bool {
    SKIPPED.contains(&name)
}

/// Whether a file of a module's folder is one that Terragrunt tracks.
pub(crate) fn is_module_file(name: &str) -> bool {
    [".tf", ".tofu", ".tf.json", ".tofu.json", ".hcl"].iter().any(|end| name.ends_with(end))
}
