//! Values of attributes, as far as they are known without variables and functions, beside their types.

use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;
use crate::json::{Node, Value as Json};
use crate::show::{self, BodySchema, NestedType, NestingMode, SchemaAttribute};
use crate::value::{
    AttributeType, ConversionError, PathStep, Type, convert, normalized, type_from_node,
};

/// Attributes with attributes may nest so deep.
const MAX_DEPTH: usize = 100;

/// Reports a value that is none of its attribute.
pub(super) fn check<'a>(
    name: &'a str,
    value: Expression<'a>,
    schema: &BodySchema<'a>,
    sink: &mut dyn Sink<'a>,
) {
    let arena = value.source().arena();
    let Some(ty) = schema.attribute_type(name, |attribute| type_of(arena, attribute)) else {
        return;
    };
    // What most attributes are needs no value.
    let is_plain = match (ty, value.literal()) {
        (Type::String, Json::String(text)) => !text.may_be_template(),
        (Type::Bool, Json::Bool(_)) => true,
        _ => false,
    };
    if is_plain {
        return;
    }
    let constant = value.constant_value(sink);
    if let Err(error) = convert(arena, constant, ty) {
        wrong_type(name, value, &error, sink);
    }
}

#[cold]
fn wrong_type<'a>(
    name: &'a str,
    value: Expression<'a>,
    error: &ConversionError<'a>,
    sink: &mut dyn Sink<'a>,
) {
    let at = Expression::new(part(value.node(), error.path()));
    let why = at.source().arena().format(format_args!("{error}"));
    sink.report(Diagnostic::new(Code::ArgumentType, at.start_label()).with_arguments(&[name, why]));
}

/// The part of a value that a path leads to, as far as it is written as JSON.
fn part<'a>(node: Node<'a>, path: &[PathStep<'a>]) -> Node<'a> {
    let mut at = node;
    for step in path {
        let below = match *step {
            PathStep::Name(name) => at.as_object().and_then(|object| object.get(name)),
            PathStep::Place(place) => at.as_array().and_then(|array| array.elements().nth(place)),
        };
        match below {
            Some(below) => at = below,
            None => break,
        }
    }
    at
}

/// Reports a value that blocks cannot be made from.
pub(super) fn check_for_each<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) {
    let constant = value.constant_value(sink);
    if !constant.is_known() && !constant.is_null() {
        return;
    }
    let why = match constant.ty() {
        _ if constant.is_null() => "it is null",
        Type::Bool | Type::Number | Type::String => "it has no elements",
        _ => return,
    };
    sink.report(
        Diagnostic::new(Code::ArgumentType, value.start_label()).with_arguments(&["for_each", why]),
    );
}

/// Whether an attribute's values can be written like blocks: it is a list or a set of objects.
pub(super) fn is_like_blocks(attribute: SchemaAttribute<'_>) -> bool {
    let Some(ty) = attribute.value_type().value() else { return false };
    let mut parts = ty.node().as_array().into_iter().flat_map(|parts| parts.elements());
    let is_list =
        parts.next().and_then(Node::to_str).is_some_and(|name| ["list", "set"].contains(&name));
    let element = parts.next().and_then(Node::as_array);
    let element = element.and_then(|parts| parts.elements().next()).and_then(Node::to_str);
    is_list && element == Some("object")
}

/// The type of an attribute; none if the schema gives none that is one.
fn type_of<'a>(arena: &'a Arena, attribute: SchemaAttribute<'a>) -> Option<Type<'a>> {
    match attribute.nested_type().value() {
        Some(nested) => nested_type(arena, nested, MAX_DEPTH),
        None => {
            let ty: show::Type<'a> = attribute.value_type().value()?;
            type_from_node(arena, ty.node()).ok()
        }
    }
}

/// The type of an attribute with attributes. Recurses as deep as `depth` allows.
fn nested_type<'a>(arena: &'a Arena, nested: NestedType<'a>, depth: usize) -> Option<Type<'a>> {
    let depth = depth.checked_sub(1)?;
    let mut attributes = Vec::new();
    for (name, attribute) in nested.attributes().value().into_iter().flat_map(show::Map::iter) {
        let ty = match attribute.nested_type().value() {
            Some(nested) => nested_type(arena, nested, depth)?,
            None => type_of(arena, attribute)?,
        };
        let optional = attribute.required().value() != Some(true);
        attributes.push(AttributeType { name: normalized(arena, name), ty, optional });
    }
    attributes.sort_by_key(|attribute| attribute.name);
    attributes.dedup_by_key(|attribute| attribute.name);
    let object = Type::Object(arena.bump().alloc_slice_copy(&attributes));
    let element = &*arena.bump().alloc(object);
    Some(match nested.nesting_mode().value()? {
        NestingMode::List => Type::List(element),
        NestingMode::Set => Type::Set(element),
        NestingMode::Map => Type::Map(element),
        _ => object,
    })
}
