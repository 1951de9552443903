//! The functions of a module's providers, by their schemas.

use super::find::Find;
use crate::arena::Arena;
use crate::dialect::Dialect;
use crate::evaluate::{Parameter, Signature};
use crate::module::Module;
use crate::module::functions::{Described, DescribedProvider, OfSchema};
use crate::show::{self, BodySchemas, Function};
use crate::value::{Type, type_from_node};

/// The functions of the providers that a module requires, by their local names.
///
/// A provider whose schemas do not mention functions may have some: they are of a tool that does not
/// know functions. In OpenTofu, a provider may have more once it is configured.
///
/// Cost: linear in the schemas of these functions.
pub(crate) fn all<'a>(
    module: &Module<'a>,
    schemas: &BodySchemas<'a>,
    arena: &'a Arena,
) -> Described<'a> {
    let find = Find::new(module, schemas);
    let mut described = Described::default();
    for required in module.required_providers() {
        let functions = find.provider(required.name).and_then(|it| it.functions().value());
        let Some(functions) = functions else { continue };
        let read = |(name, function)| Some((name, read(function, arena)?));
        let functions = functions.iter().filter_map(read).collect();
        let is_complete = module.dialect == Dialect::Terraform
            || find.full_name(required.name) == show::BUILT_IN_PROVIDER;
        described.insert(required.name, DescribedProvider { functions, is_complete });
    }
    described
}

/// A function; `None` if its schema has no type for some part.
fn read<'a>(function: Function<'a>, arena: &'a Arena) -> Option<OfSchema<'a>> {
    let ty = |ty: show::Type<'a>| type_from_node(arena, ty.node()).ok();
    let parameter = |it: show::Parameter<'a>| {
        let ty = ty(it.value_type().value()?)?;
        let mut parameter = Parameter::new(it.name().value().unwrap_or("argument"), ty);
        parameter.allows_null = it.is_nullable().value() == Some(true);
        parameter.allows_dynamic = ty == Type::Dynamic;
        Some(parameter)
    };
    let given = function.parameters().value();
    let parameters: Option<Vec<_>> =
        given.into_iter().flat_map(|it| it.iter()).map(parameter).collect();
    let mut signature = Signature::new(arena.bump().alloc_slice_copy(&parameters?));
    if let Some(rest) = function.variadic_parameter().value() {
        signature = signature.with_variadic(parameter(rest)?);
    }
    Some(OfSchema { signature, result: ty(function.return_type().value()?)? })
}
