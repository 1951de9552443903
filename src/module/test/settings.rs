//! `test`: settings for all runs of a file (Terraform).

use super::run::experimental;
use crate::body::Block;
use crate::diagnostic::Sink;
use crate::dialect::arguments::test_files::TEST;
use crate::module::block::argument;
use crate::module::read;

/// Settings of a test file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TestSettings<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The default of `parallel` in runs, read literally.
    pub parallel: Option<bool>,
    /// Whether to keep the objects that runs create, read literally; an experiment.
    pub skip_cleanup: Option<bool>,
}

impl<'a> TestSettings<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(TEST.common(), sink);
        experimental(content.attribute("skip_cleanup"), sink);
        let mut flag = |name| argument(&content, name).and_then(|value| read::boolean(value, sink));
        Self { block, parallel: flag("parallel"), skip_cleanup: flag("skip_cleanup") }
    }
}
