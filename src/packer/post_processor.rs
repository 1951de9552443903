//! `post-processor` and `post-processors`: steps for the results of builds. In `post-processors`,
//! each step uses the result of the one before.

use super::dynamic::Dynamic;
use super::provisioner::Selection;
use super::read;
use crate::body::Block;
use crate::diagnostic::Sink;
use crate::dialect::arguments::packer::{POST_PROCESSOR, POST_PROCESSORS};
use crate::expression::Expression;
use crate::module::{Config, block};

/// A post-processor.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PostProcessor<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its type; empty for the content of a `dynamic` block.
    pub post_processor_type: &'a str,
    /// Its name in messages.
    pub name: Option<Expression<'a>>,
    /// The sources whose results it processes.
    pub selection: Selection<'a>,
    /// Whether to keep the artifact that it processes.
    pub keep_input_artifact: Option<Expression<'a>>,
    /// The body that the plugin reads, without the arguments above.
    pub config: Config<'a>,
}

/// A sequence of post-processors, each of which uses the result of the one before. A single one is
/// a sequence, too.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PostProcessors<'a> {
    /// The block: `post-processors`, or a single `post-processor`.
    pub block: Block<'a>,
    /// The post-processors, in order.
    pub steps: &'a [PostProcessor<'a>],
    /// The `dynamic` blocks, which make further post-processors.
    pub dynamics: &'a [Dynamic<'a>],
}

impl<'a> PostProcessor<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let (content, config) = block.body().partial_content(POST_PROCESSOR.common(), sink);
        let get = |name| block::argument(&content, name);
        let step = Self {
            block,
            post_processor_type: block.label(0).unwrap_or_default(),
            name: get("name"),
            selection: Selection::read(block, get("only"), get("except"), sink),
            keep_input_artifact: get("keep_input_artifact"),
            config: Config::new(config),
        };
        step.name.and_then(|value| read::text(value, sink));
        let keep = step.keep_input_artifact.filter(|value| !value.is_null());
        keep.and_then(|value| read::boolean(value, sink));
        step
    }
}

impl<'a> PostProcessors<'a> {
    pub(super) fn alone(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let step = PostProcessor::read(block, sink);
        let steps = std::slice::from_ref(&*block.source().arena().bump().alloc(step));
        Self { block, steps, dynamics: &[] }
    }

    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(POST_PROCESSORS.common(), sink);
        let steps: Vec<_> = content
            .blocks("post-processor")
            .map(|block| PostProcessor::read(block, sink))
            .collect();
        let dynamics: Vec<_> = content
            .blocks("dynamic")
            .filter_map(|block| Dynamic::read(block, &["post-processor"], sink))
            .collect();
        let bump = block.source().arena().bump();
        Self {
            block,
            steps: bump.alloc_slice_copy(&steps),
            dynamics: bump.alloc_slice_copy(&dynamics),
        }
    }
}
