//! `language`: the edition of the language and the versions of the tool that the module is written
//! for (OpenTofu).

use super::block::{argument, duplicate_block};
use super::version::{VersionConstraint, constraint};
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::modules::{COMPATIBLE_WITH, LANGUAGE};

/// The only edition.
const EDITION: &str = "tofu2024";

/// The last release that does not know the block. A constraint that this release meets does not
/// exclude it.
const WITHOUT_LANGUAGE: [i64; 3] = [1, 11, 0];

/// A `language` block.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Language<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The edition of the language; `None` if it is not valid.
    pub edition: Option<&'a str>,
    /// The version constraint for OpenTofu.
    pub opentofu: Option<&'a str>,
}

impl<'a> Language<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(LANGUAGE.common(), sink);
        let edition = argument(&content, "edition");
        let known = edition.and_then(|value| value.as_keyword()).filter(|&word| word == EDITION);
        if let Some(value) = edition
            && known.is_none()
        {
            sink.report(
                Diagnostic::new(Code::LanguageEdition, value.start_label())
                    .with_arguments(&[EDITION]),
            );
        }
        if let Some(list) = argument(&content, "experiments") {
            for element in list.list(sink).into_iter().flatten() {
                sink.report(Diagnostic::new(Code::LanguageExperiment, element.start_label()));
            }
        }
        let mut opentofu = None;
        let mut first: Option<Block<'a>> = None;
        for nested in content.blocks("compatible_with") {
            if let Some(first) = first {
                sink.report(duplicate_block(nested, first));
                continue;
            }
            let (content, _) = nested.body().partial_content(COMPATIBLE_WITH.common(), sink);
            let Some(value) = argument(&content, "opentofu") else { continue };
            let text = constraint(value, sink);
            if text.is_none() && !value.is_null() {
                continue;
            }
            first = Some(nested);
            opentofu = text;
            // Null means any version.
            let constraints = text.and_then(VersionConstraint::parse_all).unwrap_or_default();
            if constraints.iter().all(|constraint| constraint.admits(WITHOUT_LANGUAGE)) {
                sink.report(Diagnostic::new(Code::IneffectiveConstraint, value.label()));
            }
        }
        Self { block, edition: known, opentofu }
    }
}
