//! The gaps of an answer.

use simd_hcl::impact::Affected;

use crate::incomplete::Incomplete;

/// The gaps of an answer.
pub(super) fn gaps(found: &Affected<'_>) -> Incomplete {
    let mut gaps = Incomplete::default();
    for gap in &found.gaps {
        let module = gap.module.to_string_lossy();
        let place = match gap.object {
            Some(object) => format!("{module}:{object}"),
            None => module.into_owned(),
        };
        let what = if gap.object.is_some() { "object" } else { "module" };
        gaps.add(what, place, gap.why.as_str());
    }
    for file in &found.unassigned {
        gaps.add("file", file.to_string_lossy(), "the modules that read it are not known");
    }
    gaps.add_places(&found.unknown_places);
    gaps
}
