//! Sections that terraform-docs does not have: the callers of the module, the values they pass, the
//! findings of checks, and an example of a call.

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
    /// The message.
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
    /// The findings of checks of the module.
    pub findings: Option<Vec<PageFinding>>,
    /// A call of the module in native syntax.
    pub example: Option<String>,
}
