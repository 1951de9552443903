//! What a provider, backend or provisioner reads: a body that the module leaves alone.

use crate::body::Body;

/// The body of a block without the arguments that the tool itself reads, and the bodies that override it.
///
/// An attribute counts where it is set last; blocks of a type count from the last body that has some.
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    /// Without overrides only the first is there.
    bodies: &'a [Body<'a>],
}

impl<'a> Config<'a> {
    pub(super) fn new(body: Body<'a>) -> Self {
        Self { bodies: std::slice::from_ref(body.source().arena().bump().alloc(body)) }
    }

    /// The bodies: the block's own, then those of override files in their order.
    #[must_use]
    pub fn bodies(self) -> &'a [Body<'a>] {
        self.bodies
    }

    /// Puts the bodies of an override behind.
    pub(super) fn merge(&mut self, new: Self) {
        let merged: Vec<_> = self.bodies.iter().chain(new.bodies).copied().collect();
        if let Some(body) = merged.first() {
            self.bodies = body.source().arena().bump().alloc_slice_copy(&merged);
        }
    }
}
