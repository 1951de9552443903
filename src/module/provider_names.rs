//! The full names of the providers of a module.

use super::{Module, ProviderSource};
use crate::dialect::Dialect;
use crate::hash::HashMap;

/// The full names of the providers of a module: `registry.opentofu.org/hashicorp/aws`.
#[derive(Clone, Debug)]
pub struct ProviderNames<'a> {
    dialect: Dialect,
    /// The sources of the required providers, by local name.
    sources: HashMap<&'a str, ProviderSource<'a>>,
}

impl<'a> ProviderNames<'a> {
    /// The names of a module's providers.
    #[must_use]
    pub fn of(module: &Module<'a>) -> Self {
        let sources = module
            .required_providers()
            .filter_map(|entry| Some((entry.name, ProviderSource::parse(entry.source?).ok()?)));
        Self { dialect: module.dialect, sources: sources.collect() }
    }

    /// The full name, `HOST/NAMESPACE/TYPE`, of the provider with a local name: from its source, or
    /// the default for that name.
    #[must_use]
    pub fn full_name(&self, local: &str) -> String {
        let required = self.sources.get(local).copied();
        let source = required.unwrap_or_else(|| ProviderSource::of_name(local));
        source.parts_in(self.dialect).join("/")
    }
}
