//! A unit of Terragrunt in both versions, and how it runs its module.

use std::path::PathBuf;

use simd_hcl::terragrunt::Run;
use simd_hcl::tree::Tree;

/// A unit in one version.
pub(super) struct UnitVersion<'a> {
    pub(super) run: Run<'a>,
    /// Its folder in the working tree.
    pub(super) folder: PathBuf,
    /// The tree of its module, which is the first one; `None` if the module is not known.
    pub(super) tree: Option<Tree<'a>>,
}

/// A unit in both versions.
pub(super) type UnitPair<'a> = [Option<UnitVersion<'a>>; 2];
