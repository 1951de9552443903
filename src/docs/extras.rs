//! What terraform-docs has no place for: who calls the module, with which values, what is wrong with it,
//! and an example of a call.

/// A call of the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// The directory of the calling module.
    pub path: String,
    /// The name of the call.
    pub name: String,
    /// The version that it asks for, or the revision in its source; empty if it has the module as it is.
    pub version: String,
    /// The variables that it sets, and the expressions as they are written.
    pub values: Vec<(String, String)>,
}

/// Something that is wrong with the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFinding {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The file and the line: `main.tf:3`.
    pub place: String,
    /// What is wrong.
    pub message: String,
}

/// Sections of a page behind those of terraform-docs, each if it is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extras {
    /// The calls of the module.
    pub callers: Option<Vec<Caller>>,
    /// Whether the values that callers pass are listed.
    pub with_values: bool,
    /// What is wrong with the module.
    pub findings: Option<Vec<PageFinding>>,
    /// A call of the module in native syntax.
    pub example: Option<String>,
}
