//! Codes of diagnostics as arguments.

use simd_hcl::Code;
use simd_hcl::suggest::nearest;

/// The diagnostics that a flag selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selector {
    /// Those with this code.
    Code(Code),
    /// All warnings.
    Warnings,
}

pub(crate) fn selector(name: &str) -> Result<Selector, String> {
    const WARNINGS: &str = "warnings";
    if name == WARNINGS {
        return Ok(Selector::Warnings);
    }
    code_or(name, Some(WARNINGS)).map(Selector::Code)
}

pub(super) fn code(name: &str) -> Result<Code, String> {
    code_or(name, None)
}

/// Returns the code with this name. An error suggests the most similar code, or `other`.
fn code_or(name: &str, other: Option<&'static str>) -> Result<Code, String> {
    Code::from_name(name).ok_or_else(|| {
        let names = Code::ALL.iter().map(|code| code.as_str());
        match nearest(name, names.chain(other)) {
            Some(nearest) => format!("no diagnostic has this code; did you mean \"{nearest}\"?"),
            None => "no diagnostic has this code; `simd-hcl explain` lists them".to_owned(),
        }
    })
}
