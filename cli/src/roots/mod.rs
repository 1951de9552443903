//! The inputs of root modules: the sections `[[root]]` of `simd-hcl.toml`.
//!
//! A section says how the root modules that its `path` matches are run: with which files of
//! variables, in which workspace, with which values. If several sections match, the later one
//! counts where they disagree.

mod inputs;
pub(crate) mod propose;

pub(crate) use self::inputs::{Run, named_beside, values_of};
use std::collections::BTreeSet;
use std::path::PathBuf;

use simd_hcl::directory::{Location, ModuleFiles};

use crate::incomplete::Incomplete;
use crate::root_section::{IS_MISSING, Section, Values};
use crate::status::Failure;

/// The directories of the modules that the sections are about: they are root modules.
pub(crate) fn named_roots(
    modules: &[ModuleFiles],
    sections: &[Section],
) -> Result<BTreeSet<PathBuf>, Failure> {
    let mut roots = BTreeSet::new();
    for module in modules {
        if let Location::Disk(directory) = module.directory()
            && Section::any_about(sections, &directory)?
        {
            roots.insert(directory);
        }
    }
    Ok(roots)
}

/// Adds the files of variables that do not exist to the gaps.
pub(crate) fn add_missing(values: &Values, incomplete: &mut Incomplete) {
    for file in values.missing() {
        incomplete.add("file", file.to_string_lossy(), IS_MISSING);
    }
}
