//! `data`: data sources, which plugins read before the builds.

use super::ObjectName;
use crate::body::Block;
use crate::diagnostic::Sink;
use crate::module::Config;
use crate::module::read;

/// A data source.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Data<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its type and name.
    pub name: ObjectName<'a>,
    /// The body that the plugin reads.
    pub config: Config<'a>,
}

impl<'a> Data<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        for (name, label) in block.labels().zip(block.label_places()) {
            read::name(name, label, sink);
        }
        let name = ObjectName {
            object_type: block.label(0).unwrap_or_default(),
            name: block.label(1).unwrap_or_default(),
        };
        Self { block, name, config: Config::new(block.body()) }
    }
}
