//! Names of files and directories.

use std::ffi::OsStr;
use std::path::Path;

use simd_hcl::Dialect;
use simd_hcl::dialect::{FileKind, List};
use simd_hcl::directory::Location;

/// The dialect and the role that the name of a file says.
pub(crate) fn kind_of(name: &str) -> Option<(Dialect, List)> {
    let name = Path::new(name).file_name().unwrap_or(OsStr::new(name));
    let kind = FileKind::of_named(name, dialect_of(name));
    (kind.list != List::Other).then(|| (dialect_of(name), kind.list))
}

fn dialect_of(name: &OsStr) -> Dialect {
    let dialects = [Dialect::OpenTofu, Dialect::Terraform, Dialect::Packer];
    let is_known = |dialect: &Dialect| FileKind::of_known(name, *dialect).is_some();
    dialects.into_iter().find(is_known).unwrap_or(Dialect::OpenTofu)
}

/// The path of a directory; `.` for the working directory.
pub(crate) fn path_of(directory: &Location) -> String {
    let path = directory.to_string_lossy();
    if path.is_empty() { ".".to_owned() } else { path.into_owned() }
}
