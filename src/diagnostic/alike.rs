//! Diagnostics that are alike, of which one place has many.

use super::{Diagnostic, Sink};

/// The most of them that are reported.
const MOST: usize = 100;

/// Reports diagnostics about one place, such as a call that lacks arguments. If there are more than a hundred,
/// the last one that is reported says how many others there are: many calls of a module with many variables
/// would have a diagnostic for each pair.
pub(crate) fn report_alike<'a>(
    mut found: impl Iterator<Item = Diagnostic<'a>>,
    sink: &mut dyn Sink<'a>,
) {
    for _ in 1..MOST {
        let Some(diagnostic) = found.next() else { return };
        sink.report(diagnostic);
    }
    let Some(last) = found.next() else { return };
    let left_out = found.count();
    if left_out == 0 {
        return sink.report(last);
    }
    let label = last.primary();
    let more = label.source.arena().format(format_args!("{left_out} more here are not listed"));
    sink.report(last.with_related(label, more));
}
