//! `hcp_packer_registry`: the metadata of the results for HCP Packer.

use super::read;
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::packer::REGISTRY;
use crate::expression::Expression;
use crate::module::{Config, block};

/// A `hcp_packer_registry` block.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Registry<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The bucket that results belong to.
    pub bucket_name: Option<Expression<'a>>,
    /// The purpose of the bucket.
    pub description: Option<Expression<'a>>,
    /// Labels of the bucket, from `bucket_labels` or its former name `labels`.
    pub bucket_labels: Option<Expression<'a>>,
    /// Labels of each version.
    pub build_labels: Option<Expression<'a>>,
    /// The channels to assign versions to.
    pub channels: Option<Expression<'a>>,
    /// Arguments that Packer accepts and ignores.
    pub rest: Config<'a>,
}

impl<'a> Registry<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let (content, rest) = block.body().partial_content(REGISTRY.common(), sink);
        let get = |name| block::argument(&content, name);
        let (labels, former) = (get("bucket_labels"), get("labels"));
        // An empty map counts as absent.
        let is_given = |value: &Expression<'a>| match value.as_map() {
            Some(mut members) => members.next().is_some(),
            None => read::is_template(*value),
        };
        if let Some(written) = content.attribute("labels")
            && former.as_ref().is_some_and(is_given)
        {
            let label = written.name_label();
            sink.report(if labels.as_ref().is_some_and(is_given) {
                Diagnostic::new(Code::RegistryArgument, label)
                    .with_arguments(&["labels", "bucket_labels is also set"])
            } else {
                Diagnostic::new(Code::RegistryDeprecation, label)
                    .with_arguments(&["The argument \"labels\"", "\"bucket_labels\""])
            });
        }
        let registry = Self {
            block,
            bucket_name: get("bucket_name"),
            description: get("description"),
            bucket_labels: labels.filter(is_given).or(former).or(labels),
            build_labels: get("build_labels"),
            channels: get("channels"),
            rest: Config::new(rest),
        };
        let mut wrong = |value: Expression<'a>, name, is_right: fn(&str) -> bool, why| {
            if let Some(text) = read::text(value, sink)
                && !is_right(text)
            {
                sink.report(
                    Diagnostic::new(Code::RegistryArgument, value.start_label())
                        .with_arguments(&[name, why]),
                );
            }
        };
        if let Some(value) = registry.bucket_name {
            let why = "it must have 3 to 36 letters, digits and dashes, or be empty";
            wrong(value, "bucket_name", is_bucket_name, why);
        }
        if let Some(value) = registry.description {
            let why = "it must have at most 255 bytes";
            wrong(value, "description", |text| text.len() <= 255, why);
        }
        for value in [labels, former, registry.build_labels].into_iter().flatten() {
            read::map_of_texts(value, sink);
        }
        if let Some(value) = registry.channels {
            read::texts(value, sink);
        }
        registry
    }
}

/// Whether a text is a name of a bucket. If it is empty, the environment sets the name.
fn is_bucket_name(text: &str) -> bool {
    let is_part = |byte: u8| byte == b'-' || byte.is_ascii_alphanumeric();
    text.is_empty() || (3..=36).contains(&text.len()) && text.bytes().all(is_part)
}
