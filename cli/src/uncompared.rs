//! Files that `diff` does not compare: those of units of Terragrunt, and those of no known kind.

use std::path::{MAIN_SEPARATOR, Path};

use simd_hcl::dialect::List;
use simd_hcl::directory::{DiscoverOptions, Discovery, Given, discover};

use crate::incomplete::Incomplete;
use crate::paths::is_unit;
use crate::revision::Revision;

const OF_UNITS: &str = "files of Terragrunt are not compared: review compares the values of units";

/// The message if there is nothing else to compare.
pub(crate) const ONLY_UNITS: &str =
    "there is no root module to evaluate; `simd-hcl review` compares the units of Terragrunt";

/// Takes the files that no module has, and returns the gaps that they are.
pub(crate) fn take(discovery: &mut Discovery) -> Incomplete {
    let mut gaps = Incomplete::default();
    for module in &mut discovery.modules {
        module.files.retain(|file| {
            if file.kind.list != List::Other {
                return true;
            }
            let path = file.path.to_string_lossy();
            if is_unit(&path.replace(MAIN_SEPARATOR, "/")) {
                gaps.add("file", path, OF_UNITS);
            } else if file.given == Given::Named {
                // Others are included in units.
                let why =
                    "not compared: it is no file of a module, and its block types are unknown";
                gaps.add("file", path, why);
            }
            false
        });
    }
    discovery.modules.retain(|module| !module.files.is_empty());
    gaps
}

/// Returns the gaps that units below a directory are.
pub(crate) fn below(directory: &Path, options: DiscoverOptions) -> Incomplete {
    take(&mut discover(&[directory], &options.with_units(true)))
}

/// Does the same for a revision.
pub(crate) fn of_revision(revision: &Revision) -> Incomplete {
    let mut gaps = Incomplete::default();
    revision.units().for_each(|file| gaps.add("file", file, OF_UNITS));
    gaps
}
