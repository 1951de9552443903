//! Checks values of attributes against their types, if they are known early enough.

use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::evaluate::without_limits;
use crate::expression::{Expression, Literal};
use crate::json::Node;
use crate::module::Module;
use crate::module::computed::Computed;
use crate::show::{self, BodySchema, NestedType, NestingMode, SchemaAttribute};
use crate::value::{
    AttributeType, ConversionError, Marks, Type, Value, convert_briefly, normalized,
    sort_attributes, type_from_node,
};

/// The maximal depth of attributes with attributes.
const MAX_DEPTH: usize = 100;

/// The context in which values are evaluated.
#[derive(Clone, Copy)]
pub(super) struct Values<'m, 'a> {
    pub(super) module: &'m Module<'a>,
    pub(super) computed: &'m Computed<'a>,
    /// Whether some values are ephemeral.
    pub(super) has_ephemeral: bool,
    /// Whether the body is stored in the state, so that no argument may be ephemeral unless it is
    /// write-only.
    pub(super) is_kept: bool,
}

impl<'a> Values<'_, 'a> {
    /// A value; unknown if it depends on unknown values.
    pub(super) fn of(&self, value: Expression<'a>) -> Value<'a> {
        self.computed.value(self.module, value, &[], &mut ())
    }
}

/// Reports a value that does not fit its attribute.
pub(super) fn check<'a>(
    name: &'a str,
    value: Expression<'a>,
    schema: &BodySchema<'a>,
    values: Values<'_, 'a>,
    sink: &mut dyn Sink<'a>,
) {
    let arena = value.source().arena();
    let Some(ty) = schema.attribute_type(name, |attribute| type_of(arena, attribute)) else {
        return;
    };
    // Most attributes are literals of the right type, and need no evaluation.
    let is_plain = matches!(
        (ty, value.literal()),
        (Type::String, Literal::Text(_)) | (Type::Bool, Literal::Bool(_))
    );
    if is_plain {
        return;
    }
    let mut known = value.constant_value(&mut without_limits(sink));
    // A text with references in it is always a text.
    let is_text = ty == Type::String && known.ty() == Type::String;
    if !known.is_wholly_known() && (values.has_ephemeral || !is_text) {
        known = values.of(value);
    }
    if let Err(error) = convert_briefly(arena, known, ty) {
        wrong_type(name, value, &error, sink);
    } else if values.is_kept
        && known.deep_marks().contains(Marks::EPHEMERAL)
        && !schema.attribute(name).is_some_and(takes_ephemeral)
    {
        let what = arena.format(format_args!("The argument \"{name}\""));
        sink.report(
            Diagnostic::new(Code::EphemeralValue, value.start_label())
                .with_arguments(&[what, "write-only"]),
        );
    }
}

/// Whether only the provider sets an attribute.
pub(super) fn is_read_only(attribute: SchemaAttribute<'_>) -> bool {
    let is = |field: Option<bool>| field == Some(true);
    is(attribute.computed().value())
        && !is(attribute.required().value())
        && !is(attribute.optional().value())
}

/// Reports attributes in the value of an attribute with attributes that only the provider sets, as
/// far as the value is written in place.
pub(super) fn check_nested<'a>(
    value: Expression<'a>,
    nested: NestedType<'a>,
    sink: &mut dyn Sink<'a>,
) {
    let mut work = vec![(value, nested)];
    while let Some((value, nested)) = work.pop() {
        let Some(attributes) = nested.attributes().value() else { continue };
        let objects: Vec<Expression<'a>> = match nested.nesting_mode().value() {
            Some(NestingMode::List | NestingMode::Set) => {
                value.as_list().into_iter().flatten().collect()
            }
            Some(NestingMode::Map) => {
                value.as_map().into_iter().flatten().map(|(_, value)| value).collect()
            }
            _ => vec![value],
        };
        for (key, value) in objects.into_iter().filter_map(Expression::as_map).flatten() {
            let Some(attribute) = attributes.get(key.to_str()).value() else { continue };
            if value.is_null() {
                continue;
            }
            if is_read_only(attribute) {
                sink.report(
                    Diagnostic::new(Code::ComputedArgument, key.label())
                        .with_arguments(&[key.to_str()]),
                );
            } else if let Some(nested) = attribute.nested_type().value() {
                work.push((value, nested));
            }
        }
    }
}

/// Whether an attribute, or one nested in it, is not stored in the state.
fn takes_ephemeral(attribute: SchemaAttribute<'_>) -> bool {
    if attribute.write_only().value() == Some(true) {
        return true;
    }
    let mut rest: Vec<NestedType<'_>> = attribute.nested_type().value().into_iter().collect();
    while let Some(nested) = rest.pop() {
        for (_, inner) in nested.attributes().value().into_iter().flat_map(show::Map::iter) {
            if inner.write_only().value() == Some(true) {
                return true;
            }
            rest.extend(inner.nested_type().value());
        }
    }
    false
}

#[cold]
fn wrong_type<'a>(
    name: &'a str,
    value: Expression<'a>,
    error: &ConversionError<'a>,
    sink: &mut dyn Sink<'a>,
) {
    let at = value.part(error.path());
    let why = at.source().arena().format(format_args!("{error}"));
    sink.report(Diagnostic::new(Code::ArgumentType, at.start_label()).with_arguments(&[name, why]));
}

/// Reports a value that `for_each` of `dynamic` does not accept.
pub(super) fn check_for_each<'a>(
    value: Expression<'a>,
    values: Values<'_, 'a>,
    sink: &mut dyn Sink<'a>,
) {
    let mut constant = value.constant_value(&mut without_limits(sink));
    if !constant.is_known() && !constant.is_null() {
        constant = values.of(value);
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

/// The type of an attribute; `None` if the schema has no valid type.
pub(crate) fn type_of<'a>(arena: &'a Arena, attribute: SchemaAttribute<'a>) -> Option<Type<'a>> {
    match attribute.nested_type().value() {
        Some(nested) => nested_type(arena, nested, MAX_DEPTH),
        None => {
            let ty: show::Type<'a> = attribute.value_type().value()?;
            type_from_node(arena, ty.node()).ok()
        }
    }
}

/// The type of an attribute with attributes. Recurses at most `depth` levels.
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
    sort_attributes(&mut attributes);
    attributes.dedup_by_key(|attribute| attribute.name);
    let object = Type::object_of(arena, &attributes);
    Some(match nested.nesting_mode().value()? {
        NestingMode::List => Type::list_of(arena, object),
        NestingMode::Set => Type::set_of(arena, object),
        NestingMode::Map => Type::map_of(arena, object),
        _ => object,
    })
}
