//! The expressions of a file, in either syntax.

use crate::native::{Construct, Native};
use crate::parsed::ParsedFile;
use crate::span::Span;

/// The expressions of a file, in the order of the text: those of all attributes of a native file, and
/// the templates of a JSON document.
///
/// Cost: linear in the file; the templates of a JSON document are parsed once, and kept.
pub(super) fn all<'a>(file: ParsedFile<'a>) -> Vec<Native<'a>> {
    if let Some(native) = file.as_native() {
        return native.attributes().filter_map(|attribute| attribute.expression().ok()).collect();
    }
    let templates = file.templates();
    templates.filter_map(|template| Native::of(template.program()?)).collect()
}

/// The expression around an offset.
pub(super) fn at<'a>(file: ParsedFile<'a>, offset: u32) -> Option<Native<'a>> {
    if let Some(native) = file.as_native() {
        let around = native.attributes().find(|it| contains(it.value_span(), offset));
        return around?.expression().ok();
    }
    let template = file.templates().find(|template| contains(template.span(), offset))?;
    Native::of(template.program()?)
}

/// Whether an offset is in a span, or at its end.
pub(super) fn contains(span: Span, offset: u32) -> bool {
    span.start <= offset && offset <= span.end
}

/// The parts of an expression that are expressions, in order.
pub(super) fn parts<'a>(native: Native<'a>) -> Vec<Native<'a>> {
    match native.construct() {
        Construct::Relative(source, _) => vec![source],
        Construct::Call(call) => call.arguments,
        Construct::Index { collection, key } => vec![collection, key],
        Construct::Unary(_, operand) => vec![operand],
        Construct::Binary(_, left, right) => vec![left, right],
        Construct::Conditional { condition, when_true, when_false } => {
            vec![condition, when_true, when_false]
        }
        Construct::Tuple(parts) | Construct::Template(parts) => parts,
        Construct::Object(items) => {
            items.into_iter().flat_map(|(key, value)| [key, value]).collect()
        }
        Construct::For(repeat) => {
            let rest = repeat.key.into_iter().chain([repeat.value]).chain(repeat.condition);
            std::iter::once(repeat.collection).chain(rest).collect()
        }
        Construct::Splat { source, each } => std::iter::once(source).chain(each).collect(),
        Construct::Null
        | Construct::Bool(_)
        | Construct::Number(_)
        | Construct::Text(_)
        | Construct::Traversal(_)
        | Construct::Element
        | Construct::Invalid => Vec::new(),
    }
}
