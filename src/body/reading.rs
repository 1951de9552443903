//! What reading a body by a schema gives.

use smallvec::SmallVec;

use super::item::{Attribute, Block};
use crate::diagnostic::Sink;
use crate::json::{Elements, JsonString, Member, Node};

/// What a reading of a body takes.
#[derive(Default)]
pub(super) struct Reading<'a> {
    /// The attributes, in source order.
    pub(super) attributes: SmallVec<[Attribute<'a>; 16]>,
    /// The names of attributes and blocks, each once.
    pub(super) taken: SmallVec<[&'a [u8]; 16]>,
}

/// What becomes of blocks.
pub(super) trait Collect<'a> {
    /// Takes a block of a native file.
    fn take(&mut self, block: Block<'a>, sink: &mut dyn Sink<'a>);

    /// Takes the blocks that have their labels in common, one for each body.
    fn collect(
        &mut self,
        property: Member<'a>,
        labels: &[JsonString<'a>],
        bodies: Bodies<'a>,
        sink: &mut dyn Sink<'a>,
    );
}

/// The values below the last label: a body each.
pub(super) type Bodies<'a> = std::iter::Chain<
    std::option::IntoIter<Node<'a>>,
    std::iter::Flatten<std::option::IntoIter<Elements<'a>>>,
>;
