//! The results of reading a body by a schema.

use smallvec::SmallVec;

use super::item::{Attribute, Block};
use crate::diagnostic::Sink;
use crate::json::{Elements, JsonString, Member, Node};

/// The properties that a reading of a body takes.
#[derive(Default)]
pub(super) struct Reading<'a> {
    /// The attributes, in source order.
    pub(super) attributes: SmallVec<[Attribute<'a>; 16]>,
    /// The names of attributes and blocks, without duplicates.
    pub(super) taken: SmallVec<[&'a [u8]; 16]>,
}

/// Receives the blocks of a body.
pub(super) trait Collect<'a> {
    /// Takes a block of a native file.
    fn take(&mut self, block: Block<'a>, sink: &mut dyn Sink<'a>);

    /// Takes the blocks that have the same labels, one for each body.
    fn collect(
        &mut self,
        property: Member<'a>,
        labels: &[JsonString<'a>],
        bodies: Bodies<'a>,
        sink: &mut dyn Sink<'a>,
    );
}

/// The values below the last label, each of which is a body.
pub(super) type Bodies<'a> = std::iter::Chain<
    std::option::IntoIter<Node<'a>>,
    std::iter::Flatten<std::option::IntoIter<Elements<'a>>>,
>;
