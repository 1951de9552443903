//! `source`: the settings of a plugin's builder.

use super::ObjectName;
use crate::body::Block;
use crate::module::Config;

/// A source.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Source<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its type and name.
    pub name: ObjectName<'a>,
    /// The body that the plugin reads.
    pub config: Config<'a>,
}

impl<'a> Source<'a> {
    /// Reads a block. Names that are not identifiers are accepted: no build can refer to such a
    /// source.
    pub(super) fn read(block: Block<'a>) -> Self {
        let name = ObjectName {
            object_type: block.label(0).unwrap_or_default(),
            name: block.label(1).unwrap_or_default(),
        };
        Self { block, name, config: Config::new(block.body()) }
    }
}
