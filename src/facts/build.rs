//! Finds the places of a module, and builds the table of them.

use std::ops::Range;

use super::collect::{Collector, FoundReference};
use super::outside;
use super::parts::Parts;
use super::place::Places;
use crate::dialect::List;
use crate::module::Module;
use crate::module::test::TestFile;

impl Places {
    /// The places of a module.
    ///
    /// Cost: one visit of the module's expressions, which parses every template. If something is
    /// written that has no effect, another one of each file.
    #[must_use]
    pub fn of(parts: &Parts<'_, '_>) -> Self {
        let module = parts.module;
        let mut collector = Collector::new(parts);
        module.visit_names(&mut |written| collector.written(written));
        parts.tests.iter().for_each(|file| outside::test(&mut collector, file));
        parts.values.iter().for_each(|values| outside::values(&mut collector, values));
        let left_out = if module.has_ineffective() { parts.files } else { &[] };
        if !left_out.is_empty() || !parts.shadowed.is_empty() {
            collector.go_on_without_effect();
            for &(list, file) in left_out.iter().chain(parts.shadowed) {
                let body = file.body();
                if list == List::Test {
                    let file = TestFile::read(module.dialect, body, &mut ());
                    outside::test(&mut collector, &file);
                    continue;
                }
                module.visit_written(list, body, &mut |written| collector.written(written));
            }
        }
        collector.finish()
    }

    /// The places of a module in a test file that runs it: those in the runs that `is_run` accepts by their
    /// indexes, and those that all runs share. The file may belong to another module.
    ///
    /// Cost: linear in the expressions of the file.
    pub(crate) fn of_runs<'a>(
        module: &Module<'a>,
        file: &TestFile<'a>,
        is_run: &dyn Fn(usize) -> bool,
    ) -> Self {
        let mut collector = Collector::new(&Parts::new(module, &[]));
        outside::runs(&mut collector, file, is_run);
        collector.finish()
    }

    /// Visits the references of a module that count, in the order of [`Places::iter`], without keeping
    /// them: the places of whole references that [`PlaceUse::is_reference`](super::PlaceUse) accepts.
    ///
    /// Cost: one visit of the module's expressions, which parses every template.
    pub fn visit_references<'a>(module: &Module<'a>, visit: impl FnMut(FoundReference<'_, 'a>)) {
        Self::visit_references_of(module, 0..module.object_count(), visit);
    }

    /// Visits the references of the objects with these numbers ([`Module::objects`]), as
    /// [`visit_references`](Self::visit_references) does: each thread can visit some objects of a large
    /// module.
    ///
    /// Cost: one visit of the expressions of these objects.
    pub fn visit_references_of<'a>(
        module: &Module<'a>,
        numbers: Range<u32>,
        mut visit: impl FnMut(FoundReference<'_, 'a>),
    ) {
        let mut visit = |found: FoundReference<'_, 'a>| {
            if found.usage.is_reference() {
                visit(found);
            }
        };
        let mut collector = Collector::visiting(&Parts::new(module, &[]), &mut visit);
        module.visit_objects(numbers, &mut |site| collector.site(site));
    }
}
