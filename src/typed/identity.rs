//! Checks `identity` of imports against the schemas of identities.

use super::find::Find;
use super::value::Values;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::module::{Module, provider_name};
use crate::show::{IdentitySchema, Map, SchemaKind};
use crate::value::{
    AttributeType, Type, convert_briefly, normalized, sort_attributes, type_from_node,
};

/// Reports an identity that lacks a required attribute, or has one of another type, and identities of
/// resource types that have none. Further attributes have no effect, as in the tools.
///
/// Imports into called modules are not checked, since their providers are not known here.
///
/// Cost: linear in the imports and in their identities.
pub(super) fn check<'a>(
    module: &Module<'a>,
    find: &mut Find<'_, 'a>,
    values: Values<'_, 'a>,
    sink: &mut dyn Sink<'a>,
) {
    for import in &module.imports {
        let Some(value) = import.identity else { continue };
        let Some(name) = import.resource_name(module.dialect) else { continue };
        let local = match module.resources.get(name) {
            Some(resource) => resource.provider_name(),
            None => provider_name(import.provider, name.resource_type),
        };
        // Schemas of a tool that knows no identities do not mention them.
        let identities = find.provider(local).and_then(|it| it.resource_identity_schemas().value());
        let found = find.of_type(local, SchemaKind::Resource, name.resource_type);
        let (Some(identities), Some(Ok(_))) = (identities, found) else { continue };
        let arena = value.source().arena();
        let why = match identities.get(name.resource_type).value() {
            None => Some("The resource type has no identity: use \"id\"."),
            Some(schema) => type_of(arena, schema).and_then(|ty| {
                let error = convert_briefly(arena, values.of(value), ty).err()?;
                Some(arena.format(format_args!("It does not fit the resource type: {error}.")))
            }),
        };
        if let Some(why) = why {
            sink.report(
                Diagnostic::new(Code::ImportIdentity, value.start_label()).with_arguments(&[why]),
            );
        }
    }
}

/// The type of an identity; `None` if its schema has no type for some part.
fn type_of<'a>(arena: &'a Arena, schema: IdentitySchema<'a>) -> Option<Type<'a>> {
    let mut parts = Vec::new();
    for (name, attribute) in schema.attributes().value().into_iter().flat_map(Map::iter) {
        let ty = type_from_node(arena, attribute.value_type().value()?.node()).ok()?;
        let optional = attribute.required_for_import().value() != Some(true);
        parts.push(AttributeType { name: normalized(arena, name), ty, optional });
    }
    sort_attributes(&mut parts);
    parts.dedup_by_key(|part| part.name);
    Some(Type::object_of(arena, &parts))
}
