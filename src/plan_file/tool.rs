//! Finds the tool that wrote a plan file.

use super::archive::{Archive, LOCK_FILE, SCHEMAS};
use super::error::PlanFileError;
use crate::arena::Arena;

/// The tool that wrote a plan file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tool {
    /// OpenTofu.
    OpenTofu,
    /// Terraform.
    Terraform,
}

impl Tool {
    /// The tool that wrote a file, by its lock file or its schemas.
    pub(super) fn of<'a>(arena: &'a Arena, archive: &Archive<'a>) -> Result<Self, PlanFileError> {
        let lock = archive.read(arena, LOCK_FILE)?.unwrap_or_default();
        let head = &lock[..lock.len().min(256)];
        let is_opentofu = memchr::memmem::find(head, b"\"tofu init\"").is_some()
            || memchr::memmem::find(lock, b"registry.opentofu.org/").is_some()
            || archive.names().any(|name| name == SCHEMAS);
        Ok(if is_opentofu { Self::OpenTofu } else { Self::Terraform })
    }
}
