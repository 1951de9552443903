//! Whether what this run prints may be printed again by a later run, so that it must not depend on time.

use std::ffi::OsString;

/// The environment variable that names the file in which the run says that its answer may be kept.
pub(crate) const NOTE: &str = "SIMD_HCL_CACHE_NOTE";

/// The file in which this run says that its answer may be kept, if it is asked.
pub(crate) fn note() -> Option<OsString> {
    std::env::var_os(NOTE)
}
