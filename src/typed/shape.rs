//! The types of references to whole resources, by their schemas.

use super::find::Find;
use super::value::type_of;
use crate::arena::Arena;
use crate::dialect::Dialect;
use crate::hash::HashMap;
use crate::module::{Module, Resource};
use crate::reference::{Mode, ResourceName};
use crate::show::{self, BlockType, BodySchemas, NestingMode, SchemaBlock};
use crate::value::{AttributeType, Marks, Type, Value, normalized, sort_attributes};

/// The maximal depth of nested blocks.
pub(super) const MAX_DEPTH: usize = 100;

/// The types of a module's resources whose schemas are known, as unknown values. Resources that may
/// have several instances have no known type.
///
/// Cost: linear in the resources, and in their schemas.
pub(crate) fn resources<'a>(
    module: &Module<'a>,
    schemas: &BodySchemas<'a>,
    arena: &'a Arena,
) -> HashMap<ResourceName<'a>, Value<'a>> {
    let mut find = Find::new(module, schemas);
    let mut values: HashMap<(&str, Mode, &str, bool), Option<Value<'a>>> = HashMap::default();
    let of_checks = module.checks.iter().filter_map(|check| check.data);
    let mut shapes = HashMap::default();
    for resource in module.resources.iter().chain(of_checks).filter(|each| is_single(each)) {
        let address = resource.address();
        let is_extended = find.is_extended(resource);
        let key = (resource.provider_name(), address.mode, address.resource_type, is_extended);
        let value = values.entry(key).or_insert_with(|| {
            let schema = find.of_resource(resource)?.ok()?;
            let ty = type_of_block(arena, schema.block().value()?, MAX_DEPTH)?;
            let value = instance(arena, module.dialect, ty);
            Some(if address.mode == Mode::Ephemeral {
                value.with_marks(Marks::EPHEMERAL)
            } else {
                value
            })
        });
        if let Some(value) = *value {
            shapes.insert(address, value);
        }
    }
    shapes
}

/// Whether a resource always has one instance.
fn is_single(resource: &Resource<'_>) -> bool {
    let is_enabled_by = resource.lifecycle().is_some_and(|lifecycle| lifecycle.enabled().is_some());
    resource.count().is_none() && resource.for_each().is_none() && !is_enabled_by
}

/// An instance: for OpenTofu a wholly unknown value, for Terraform an object of unknown attributes.
fn instance<'a>(arena: &'a Arena, dialect: Dialect, ty: Type<'a>) -> Value<'a> {
    let Type::Object(attributes) = ty else { return Value::unknown(ty) };
    if dialect != Dialect::Terraform {
        return Value::unknown(ty);
    }
    let unknown = attributes.iter().map(|it| (it.name, Value::unknown(it.ty)));
    Value::object(arena, &unknown.collect::<Vec<_>>())
}

/// The type of a block's content; `None` if the schema has no type for some part. Recurses at most
/// `depth` levels.
pub(crate) fn type_of_block<'a>(
    arena: &'a Arena,
    block: SchemaBlock<'a>,
    depth: usize,
) -> Option<Type<'a>> {
    let depth = depth.checked_sub(1)?;
    let mut parts = Vec::new();
    let mut add = |name, ty| {
        parts.push(AttributeType { name: normalized(arena, name), ty, optional: false });
    };
    for (name, attribute) in block.attributes().value().into_iter().flat_map(show::Map::iter) {
        add(name, type_of(arena, attribute)?.without_optional_attributes(arena));
    }
    for (name, nested) in block.block_types().value().into_iter().flat_map(show::Map::iter) {
        add(name, type_of_blocks(arena, nested, depth)?);
    }
    sort_attributes(&mut parts);
    parts.dedup_by_key(|part| part.name);
    Some(Type::object_of(arena, &parts))
}

/// The type of all blocks of a type in a body, with the same results.
pub(super) fn type_of_blocks<'a>(
    arena: &'a Arena,
    nested: BlockType<'a>,
    depth: usize,
) -> Option<Type<'a>> {
    let ty = match nested.block().value() {
        Some(block) => type_of_block(arena, block, depth)?,
        None => Type::object_of(arena, &[]),
    };
    Some(match nested.nesting_mode().value()? {
        // Elements of unknown types may have different types.
        NestingMode::List | NestingMode::Map if ty.has_dynamic() => Type::Dynamic,
        NestingMode::List => Type::list_of(arena, ty),
        NestingMode::Set => Type::set_of(arena, ty),
        NestingMode::Map => Type::map_of(arena, ty),
        _ => ty,
    })
}
