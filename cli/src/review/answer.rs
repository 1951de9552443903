//! The answer that all formats print.

use simd_hcl::review::{Review, ReviewAction, ReviewSummary};

use crate::incomplete::Incomplete;

/// A root module, and its review.
pub(super) struct Root {
    pub(super) path: String,
    pub(super) var_files: Vec<String>,
    /// The workspace, if it is not `default`.
    pub(super) workspace: Option<String>,
    pub(super) review: Review,
    /// The files that its evaluation did not read.
    pub(super) incomplete: Incomplete,
}

impl Root {
    /// Whether all of it has been evaluated.
    pub(super) fn is_known(&self) -> bool {
        self.review.gaps.is_empty() && self.incomplete.is_empty()
    }

    /// The inputs beside the environment: files of variables, and the workspace.
    pub(super) fn inputs(&self) -> Option<String> {
        let workspace = self.workspace.iter().map(|name| format!("workspace {name}"));
        let inputs: Vec<String> = self.var_files.iter().cloned().chain(workspace).collect();
        (!inputs.is_empty()).then(|| inputs.join(", "))
    }

    /// The counts of its changes, in words.
    pub(super) fn summary(&self) -> String {
        summary(&self.review.summary(), self.is_known())
    }
}

/// The answer.
pub(super) struct Answer {
    pub(super) roots: Vec<Root>,
    pub(super) incomplete: Incomplete,
}

impl Answer {
    /// The counts of all changes, in words.
    pub(super) fn summary(&self) -> String {
        if self.roots.is_empty() {
            return "no root module is compared".to_owned();
        }
        let mut total = ReviewSummary::default();
        self.roots.iter().for_each(|root| total.add(&root.review.summary()));
        summary(&total, self.incomplete.is_empty())
    }
}

fn summary(summary: &ReviewSummary, is_known: bool) -> String {
    let counts = ReviewAction::ALL.into_iter().filter_map(|action| {
        let count = summary.count(action);
        (count > 0).then(|| format!("{count} {}", action.as_str()))
    });
    let counts: Vec<String> = counts.collect();
    match (counts.is_empty(), is_known) {
        (false, _) => counts.join(", "),
        (true, true) => "no changes of values".to_owned(),
        (true, false) => "no changes of values as far as they are known".to_owned(),
    }
}
