//! The answer that all formats print.

use simd_hcl::review::Review;

use crate::incomplete::Incomplete;

/// A root module, and its review.
pub(super) struct Root {
    pub(super) path: String,
    pub(super) var_files: Vec<String>,
    /// Those that the newest version does not have.
    pub(super) missing: Vec<String>,
    /// The workspace, if it is not `default`.
    pub(super) workspace: Option<String>,
    pub(super) review: Review,
}

/// The answer.
pub(super) struct Answer {
    pub(super) roots: Vec<Root>,
    pub(super) incomplete: Incomplete,
}
