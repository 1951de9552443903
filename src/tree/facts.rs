//! The facts that a tree keeps of a module that another one calls.

use std::sync::Arc;

use crate::arena::Arena;
use crate::facts::{Interface, Opened};
use crate::module::{Module, Uses};

/// The facts about a module that its callers see.
#[derive(Debug)]
pub(super) struct Facts<'a> {
    pub(super) interface: Arc<Interface>,
    /// The parts that checks have opened.
    pub(super) opened: Opened<'a>,
}

impl<'a> Facts<'a> {
    /// The facts of a module, but for the inputs that it needs.
    pub(super) fn of(
        module: &Module<'a>,
        uses: &Uses<'a>,
        withholds: bool,
        arena: &'a Arena,
    ) -> Self {
        let interface = Interface::of(module, uses, withholds);
        Self { opened: Opened::new(&interface, arena), interface: Arc::new(interface) }
    }
}
