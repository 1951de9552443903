//! Schemas of types, found by the local names of their providers in a module.

use crate::dialect::Dialect;
use crate::hash::HashMap;
use crate::module::{Module, ProviderNames, Resource};
use crate::show::{BodySchemas, ProviderSchema, SchemaKind, SchemaOf};

/// A cache of schemas, and the source of others.
pub(crate) struct Find<'s, 'a> {
    schemas: &'s BodySchemas<'a>,
    names: ProviderNames<'a>,
    dialect: Dialect,
    /// By local name, the full names of providers that have schemas.
    providers: HashMap<&'a str, Option<String>>,
    types: HashMap<(&'a str, SchemaKind, &'a str), Option<SchemaOf<'a>>>,
}

impl<'s, 'a> Find<'s, 'a> {
    pub(crate) fn new(module: &Module<'a>, schemas: &'s BodySchemas<'a>) -> Self {
        let names = ProviderNames::of(module);
        let (providers, types) = (HashMap::default(), HashMap::default());
        Self { schemas, names, dialect: module.dialect, providers, types }
    }

    /// The schemas of a provider, by its local name.
    pub(crate) fn provider(&self, local: &str) -> Option<ProviderSchema<'a>> {
        self.schemas.provider(&self.names.full_name(local))
    }

    /// The full name of a provider.
    pub(crate) fn full_name(&self, local: &str) -> String {
        self.names.full_name(local)
    }

    /// The schema of a type, or the full name of the provider if its schemas lack the type. `None`
    /// if the provider has no schemas.
    pub(crate) fn of_type(
        &mut self,
        local: &'a str,
        kind: SchemaKind,
        name: &'a str,
    ) -> Option<Result<SchemaOf<'a>, String>> {
        let Self { schemas, names, providers, types, .. } = self;
        let provider = providers.entry(local).or_insert_with(|| {
            Some(names.full_name(local)).filter(|provider| schemas.provider(provider).is_some())
        });
        let provider = provider.as_deref()?;
        let found =
            types.entry((local, kind, name)).or_insert_with(|| schemas.find(provider, kind, name));
        Some(found.ok_or_else(|| provider.to_owned()))
    }

    /// The schema of a resource, with the same results.
    pub(crate) fn of_resource(
        &mut self,
        resource: &Resource<'a>,
    ) -> Option<Result<SchemaOf<'a>, String>> {
        let kind = SchemaKind::of_mode(resource.mode);
        let resource_type = resource.address().resource_type;
        let found = self.of_type(resource.provider_name(), kind, resource_type)?;
        if self.is_extended(resource)
            && let Some(extended) = self.schemas.extended(resource_type)
        {
            return Some(Ok(extended));
        }
        Some(found)
    }

    /// Whether a resource of the built-in provider has what only Terraform's has, and only since a
    /// release: the schema is then another one.
    pub(super) fn is_extended(&self, resource: &Resource<'a>) -> bool {
        self.dialect == Dialect::Terraform
            && resource.address().resource_type == "terraform_data"
            && resource.config().properties().any(|property| property.is_named("store"))
    }
}
