//! `locals`: named expressions.

use super::read;
use crate::body::{Attribute, Block};
use crate::diagnostic::Sink;
use crate::expression::Expression;

/// A local value.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Local<'a> {
    /// The attribute that declares it.
    pub attribute: Attribute<'a>,
    /// Its name.
    pub name: &'a str,
}

impl<'a> Local<'a> {
    /// The expression.
    #[must_use]
    pub fn value(&self) -> Expression<'a> {
        self.attribute.expression()
    }

    /// The local values of one block.
    pub(super) fn read_all(block: Block<'a>, sink: &mut dyn Sink<'a>, mut take: impl FnMut(Self)) {
        for &attribute in block.body().just_attributes(sink) {
            let name = attribute.name();
            read::name(name, attribute.name_label(), sink);
            take(Self { attribute, name });
        }
    }
}
