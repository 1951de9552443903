//! Files of variables: names and literal values.

use crate::body::{Attribute, Body};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::test_files::DECLARATIONS;

/// A value that a file of variables gives to a variable, read literally.
pub type Assignment<'a> = Attribute<'a>;

/// Reads the values of a file. Reports a declaration of a variable: a property "variable" with a
/// block below its labels. Otherwise the property is the value of a variable of that name.
pub(super) fn read<'a>(body: Body<'a>, sink: &mut dyn Sink<'a>) -> &'a [Assignment<'a>] {
    let (declarations, rest) = body.partial_content(DECLARATIONS.common(), &mut ());
    let declarations = declarations.all_blocks();
    if declarations.is_empty() {
        return body.just_attributes(sink);
    }
    for (place, block) in declarations.iter().enumerate() {
        let span = block.type_span();
        // Once for all labels of a property.
        if place == 0 || declarations[place - 1].type_span() != span {
            sink.report(Diagnostic::new(Code::DeclarationAmongValues, block.type_label()));
        }
    }
    rest.just_attributes(sink)
}
