//! A second check of expressions, once the types of resources and module calls are known.

use super::computed::{self, Computed, softened};
use super::site::{Reading, Site, Wanted};
use super::{Module, Uses};
use crate::diagnostic::{Diagnostic, Sink};
use crate::expression::Expression;

/// Checks the expressions that [`Module::analyse`] put aside. `computed` has the types that it
/// lacked.
///
/// Cost: linear in these expressions; if there are any, linear in all expressions.
pub(crate) fn check<'a>(
    module: &Module<'a>,
    uses: &Uses<'a>,
    computed: &Computed<'a>,
    sink: &mut dyn Sink<'a>,
) {
    if uses.shaped.is_empty() || computed.shapes().is_empty() {
        return;
    }
    let mut shaped = uses.shaped.iter().copied().peekable();
    let mut number = 0;
    module.visit_expressions(|site| {
        if shaped.next_if_eq(&number).is_some()
            && let Reading::Template(value) = site.reading
        {
            check_site(module, site, value, computed, sink);
        }
        number += 1;
    });
}

fn check_site<'a>(
    module: &Module<'a>,
    site: &Site<'_, 'a>,
    value: Expression<'a>,
    computed: &Computed<'a>,
    sink: &mut dyn Sink<'a>,
) {
    let mut has_failed = false;
    let known = computed.value_at(module, value, site, &mut |diagnostic: Diagnostic<'a>| {
        has_failed = true;
        sink.report(softened(diagnostic, site.wanted));
    });
    if has_failed {
        return;
    }
    if !matches!(site.wanted, Wanted::Any | Wanted::ValidationMessage) {
        computed::check(known, value, site.wanted, module.dialect, sink);
    }
    if let Some(output) = module.output_of(site, value) {
        output.check_value(value, known, sink);
    }
}
