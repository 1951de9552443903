//! `check`: conditions on the whole module, with an optional data source of their own.

use super::available::Available;
use super::block::single;
use super::condition::Condition;
use super::read;
use super::resource::Resource;
use super::rules::Rules;
use super::site::{Visitor, Wanted};
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::Dialect;
use crate::dialect::arguments::modules::CHECK;

/// A check.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Check<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its name.
    pub name: &'a str,
    /// The data source that only its conditions may refer to.
    pub data: Option<&'a Resource<'a>>,
    /// The conditions.
    pub assertions: &'a [Condition<'a>],
}

impl<'a> Check<'a> {
    /// Visits its expressions.
    pub(super) fn visit(&self, dialect: Dialect, visitor: &mut Visitor<'_, 'a>) {
        if let Some(data) = self.data {
            data.visit(dialect, visitor);
            visitor.available = Available::NONE;
        }
        visitor.conditions(self.assertions, Wanted::Message);
    }

    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(CHECK.common(), sink);
        let name = block.label(0).unwrap_or_default();
        read::name(name, block.label_place(0), sink);
        let bump = block.source().arena().bump();
        let data = single(&content, "data", sink)
            .map(|data| &*bump.alloc(Resource::read_in_check(data, rules, sink)));
        let assertions: Vec<_> =
            content.blocks("assert").map(|block| Condition::read(block, sink)).collect();
        if assertions.is_empty() {
            sink.report(
                Diagnostic::new(Code::NoAssertions, block.definition_label())
                    .with_arguments(&[name]),
            );
        }
        Self { block, name, data, assertions: bump.alloc_slice_copy(&assertions) }
    }
}
