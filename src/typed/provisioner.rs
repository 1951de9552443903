//! Built-in provisioners: checks which of their arguments are set together.

use super::value::Values;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::module::Provisioner;

/// Reports a provisioner `file` without a source or with two, and a `remote-exec` without commands or
/// with two kinds of them. A null argument is not set, one with an unknown value is.
///
/// Cost: linear in the arguments.
pub(super) fn check<'a>(
    provisioner: &Provisioner<'a>,
    values: Values<'_, 'a>,
    sink: &mut dyn Sink<'a>,
) {
    let (names, why): (&[&str], _) = match provisioner.provisioner_type {
        "file" => (&["source", "content"], "Either \"source\" or \"content\" must be set."),
        "remote-exec" => (
            &["inline", "script", "scripts"],
            "One of \"inline\", \"script\" and \"scripts\" must be set.",
        ),
        _ => return,
    };
    // An escape block may have the argument.
    if provisioner.escape.is_some() {
        return;
    }
    let set = provisioner.config.properties().filter(|property| names.contains(&property.name()));
    let mut set = set.filter(|property| !values.of(property.expression()).is_null());
    let first = set.next();
    // The same argument twice is an error of its own.
    let other = first.and_then(|first| set.find(|other| other.name() != first.name()));
    let place = match (first, other) {
        (Some(_), None) => return,
        (None, _) => provisioner.block.body().missing_item_label(),
        (Some(_), Some(other)) => other.name_label(),
    };
    sink.report(Diagnostic::new(Code::ArgumentCombination, place).with_arguments(&[why]));
}
