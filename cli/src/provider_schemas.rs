//! `--provider-schemas`: the provider schemas in a file, for decoding bodies and values.

use std::path::Path;

use simd_hcl::body::Block;
use simd_hcl::compression::decompress;
use simd_hcl::module::{Module, Provider, ProviderNames, Resource};
use simd_hcl::show::{BodySchemas, SchemaBlock, SchemaKind, SchemaText};
use simd_hcl::{Arena, Dialect, Schema};

use crate::args::Common;
use crate::input;
use crate::status::Failure;
use crate::visible;

/// Reads the schemas in a file.
pub(crate) fn read<'a>(
    arena: &'a Arena,
    path: &Path,
    common: &Common,
) -> Result<BodySchemas<'a>, Failure> {
    let name = visible::path(path);
    let fail = |error: &dyn std::fmt::Display| Failure::Message(format!("{name}: {error}"));
    let options = input::parse_options(common)?;
    let source = input::source(arena, path, "", common).map_err(|error| fail(&error))?;
    let source =
        decompress(arena, source, common.max_decompressed).map_err(|error| fail(&error))?;
    BodySchemas::read(arena, source, &options).map_err(|why| fail(&why))
}

/// Reads the schemas in a file, for trees that stay in memory.
pub(crate) fn text(path: &Path, common: &Common) -> Result<SchemaText, Failure> {
    let name = visible::path(path);
    let fail = |error: &dyn std::fmt::Display| Failure::Message(format!("{name}: {error}"));
    let arena = Arena::new();
    let source = input::source(&arena, path, "", common).map_err(|error| fail(&error))?;
    let source =
        decompress(&arena, source, common.max_decompressed).map_err(|error| fail(&error))?;
    SchemaText::new(source.name(), source.bytes().into()).map_err(|why| fail(&why))
}

/// A block that a provider describes.
pub(crate) struct Described<'a> {
    pub(crate) block: Block<'a>,
    /// The first label: the name of the provider, or the type of the resource.
    pub(crate) label: &'a str,
    /// The parts of the body that the tools themselves read.
    pub(crate) own: &'static Schema<'static>,
    pub(crate) schema: SchemaBlock<'a>,
}

/// The provider configurations and resources of a module that the schemas describe.
pub(crate) fn described_blocks<'a>(
    module: &Module<'a>,
    dialect: Dialect,
    schemas: &BodySchemas<'a>,
) -> Vec<Described<'a>> {
    let names = ProviderNames::of(module);
    let of_provider = |provider: &Provider<'a>| {
        let schema = schemas.provider(&names.full_name(provider.name))?;
        let schema = schema.provider().value()?.block().value()?;
        let own = Provider::own_arguments();
        Some(Described { block: provider.block, label: provider.name, own, schema })
    };
    let of_resource = |resource: &Resource<'a>| {
        let address = resource.address();
        let provider = names.full_name(resource.provider_name());
        let kind = SchemaKind::of_mode(address.mode);
        let schema = schemas.find(&provider, kind, address.resource_type)?.block().value()?;
        let own = Resource::own_arguments(address.mode, dialect);
        Some(Described { block: resource.block, label: address.resource_type, own, schema })
    };
    let providers = module.providers.iter().filter_map(of_provider);
    providers.chain(module.resources.iter().filter_map(of_resource)).collect()
}
