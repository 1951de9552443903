//! The results of reading a body by a schema.

use smallvec::SmallVec;

use super::item::{Alike, Attribute, Block};
use crate::diagnostic::Sink;

/// The attributes of a body, in source order.
pub(super) type Attributes<'a> = SmallVec<[Attribute<'a>; 16]>;

/// The properties that a reading of a body takes.
#[derive(Default)]
pub(super) struct Reading<'a> {
    /// The attributes, in source order.
    pub(super) attributes: Attributes<'a>,
    /// The names of attributes and blocks, without duplicates.
    pub(super) taken: SmallVec<[&'a [u8]; 16]>,
}

/// Receives the blocks of a body.
pub(super) trait Collect<'a> {
    /// Takes a block of a native file.
    fn take(&mut self, block: Block<'a>, sink: &mut dyn Sink<'a>);

    /// Takes the blocks of a property that have the same labels.
    fn collect(&mut self, blocks: Alike<'a, '_>, sink: &mut dyn Sink<'a>);
}
