//! What the providers of a module are called everywhere.

use super::{Module, ProviderSource};
use crate::dialect::Dialect;
use crate::hash::HashMap;

/// What the providers of a module are called everywhere: `registry.opentofu.org/hashicorp/aws`.
#[derive(Clone, Debug)]
pub struct ProviderNames<'a> {
    dialect: Dialect,
    /// By local name: of the providers that the module requires by source.
    sources: HashMap<&'a str, ProviderSource<'a>>,
}

impl<'a> ProviderNames<'a> {
    /// Those of a module.
    #[must_use]
    pub fn of(module: &Module<'a>) -> Self {
        let sources = module
            .required_providers()
            .filter_map(|entry| Some((entry.name, ProviderSource::parse(entry.source?).ok()?)));
        Self { dialect: module.dialect, sources: sources.collect() }
    }

    /// The full name, `HOST/NAMESPACE/TYPE`, of the provider with a local name: that of its source,
    /// or what the name stands for by itself.
    #[must_use]
    pub fn full_name(&self, local: &str) -> String {
        let required = self.sources.get(local).copied();
        let source = required.unwrap_or_else(|| ProviderSource::of_name(local));
        source.parts_in(self.dialect).join("/")
    }
}
