//! Files of variables: names and literal values.

use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::document::Document;

/// A value that a file of variables gives to a variable, read literally.
pub type Assignment<'a> = Attribute<'a>;

/// The values of a file. A variable that is declared there is an error.
pub(super) fn read<'a>(document: Document<'a>, sink: &mut impl Sink<'a>) -> Vec<Assignment<'a>> {
    let mut assignments = document.body().just_attributes(sink).to_vec();
    assignments.retain(|assignment| {
        // A variable called "variable" has a value like any other; what has labels is a block.
        let value = assignment.expression().node();
        let is_block = assignment.name() == "variable"
            && value.as_object().is_some_and(|labels| {
                labels.members().next().is_some_and(|first| first.value().is_object())
            });
        if is_block {
            let there = Diagnostic::new(
                Code::DeclarationAmongValues,
                assignment.source(),
                assignment.name_span(),
            );
            sink.report(there);
        }
        !is_block
    });
    assignments
}
