//! The inputs of root modules: the sections `[[root]]` of `simd-hcl.toml`.
//!
//! A section says how the root modules that its `path` matches are run: with which files of
//! variables, in which workspace, with which values. If several sections match, the later one
//! counts where they disagree.

mod changed;
mod inputs;
pub(crate) mod propose;

pub(crate) use self::changed::{ChangedSettings, differ, sections};
pub(crate) use self::inputs::{Run, UnitValues, named_beside, values_of};
use crate::incomplete::Incomplete;
use crate::root_section::{IS_MISSING, Values};

/// Adds the files that do not exist to the gaps.
pub(crate) fn add_missing(values: &Values, incomplete: &mut Incomplete) {
    for file in values.missing() {
        incomplete.add("file", file.to_string_lossy(), IS_MISSING);
    }
    for file in values.backend_files().filter(|file| !file.exists) {
        let why = "simd-hcl.toml names this file of a backend, and it does not exist";
        incomplete.add("file", file.path.to_string_lossy(), why);
    }
}
