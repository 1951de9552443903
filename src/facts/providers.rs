//! The providers of a module: those that it requires, and their configurations.

use std::fmt;

use super::sorted::Sorted;
use crate::dialect::Dialect;
use crate::hash::HashSet;
use crate::module::{
    Module, OWN_REGISTRIES, Provider, ProviderConfigName, ProviderSource, RequiredProvider, Uses,
};

/// A provider, independent of local names, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct ProviderAddress {
    /// The host of the registry.
    pub host: Box<str>,
    /// The owner.
    pub namespace: Box<str>,
    /// The name of the provider there.
    pub provider_type: Box<str>,
}

impl ProviderAddress {
    /// The provider of an entry of `required_providers`; `None` if its source is invalid.
    pub(crate) fn required(provider: &RequiredProvider<'_>, dialect: Dialect) -> Option<Self> {
        let source = match provider.source {
            Some(source) => ProviderSource::parse(source).ok()?,
            None => ProviderSource::of_name(provider.name),
        };
        Some(Self::of(source, dialect))
    }

    /// The provider of a name that is declared without a source, or used by the type of a resource.
    pub(crate) fn of_name(name: &str, dialect: Dialect) -> Self {
        Self::of(ProviderSource::of_name(name), dialect)
    }

    /// The provider of an undeclared name.
    pub(crate) fn implied(name: &str, dialect: Dialect) -> Self {
        Self::of(ProviderSource::implied(name), dialect)
    }

    /// Whether a local name alone can stand for the provider.
    pub(crate) fn is_default(&self, dialect: Dialect) -> bool {
        *self == Self::implied(&self.provider_type, dialect)
    }

    fn of(source: ProviderSource<'_>, dialect: Dialect) -> Self {
        let [host, namespace, provider_type] = source.parts_in(dialect).map(Into::into);
        Self { host, namespace, provider_type }
    }
}

impl fmt::Display for ProviderAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, namespace, provider_type } = self;
        match OWN_REGISTRIES.contains(&&**host) {
            true => write!(f, "{namespace}/{provider_type}"),
            false => write!(f, "{host}/{namespace}/{provider_type}"),
        }
    }
}

/// The name of a provider configuration, owned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConfigName {
    local_name: Box<str>,
    alias: Option<Box<str>>,
}

impl ConfigName {
    /// The name.
    #[must_use]
    pub fn name(&self) -> ProviderConfigName<'_> {
        ProviderConfigName::new(&self.local_name, self.alias.as_deref())
    }
}

impl From<ProviderConfigName<'_>> for ConfigName {
    fn from(name: ProviderConfigName<'_>) -> Self {
        Self { local_name: name.local_name.into(), alias: name.alias.map(Into::into) }
    }
}

/// Names of configurations in the order of the files, without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Names {
    all: Box<[ConfigName]>,
    sorted: Sorted,
}

impl Names {
    fn of<'a>(names: impl Iterator<Item = ProviderConfigName<'a>>) -> Self {
        let mut seen = HashSet::default();
        let all: Box<[ConfigName]> =
            names.filter(|name| seen.insert(*name)).map(ConfigName::from).collect();
        let sorted = Sorted::of(&all, |one, other| one.name().cmp(&other.name()));
        Self { all, sorted }
    }

    fn place(&self, name: ProviderConfigName<'_>) -> Option<usize> {
        self.sorted.find(&self.all, |known| known.name().cmp(&name))
    }

    fn has(&self, name: ProviderConfigName<'_>) -> bool {
        self.place(name).is_some()
    }

    fn iter(&self) -> impl Iterator<Item = ProviderConfigName<'_>> {
        self.all.iter().map(ConfigName::name)
    }
}

/// The declarations of a module about providers, as its callers see them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Providers {
    /// The local names in `required_providers`, with the providers unless a source is invalid.
    required: Box<[(Box<str>, Option<ProviderAddress>)]>,
    required_sorted: Sorted,
    /// The configurations that the caller must pass.
    aliases: Names,
    /// Whether something in the module uses each of them.
    used: Box<[bool]>,
    /// Blocks with settings, and blocks without.
    configured: Names,
    empty: Names,
    /// Configurations without an alias that the module passes on, and that its caller must pass.
    passed_on: Box<[Box<str>]>,
}

impl Providers {
    /// Returns the providers that a module requires and configures.
    ///
    /// Cost: linear in the required providers, the provider configurations, and those that calls
    /// pass.
    pub(crate) fn of<'a>(module: &Module<'a>, uses: &Uses<'a>) -> Self {
        let mut required: Vec<(&str, Option<ProviderAddress>)> = Vec::new();
        let mut names = HashSet::default();
        let mut aliases = Vec::new();
        for provider in module.required_providers() {
            if names.insert(provider.name) {
                let address = ProviderAddress::required(provider, module.dialect);
                required.push((provider.name, address));
            }
            let of_provider = provider.configuration_aliases.iter();
            aliases.extend(of_provider.map(|alias| ProviderConfigName::of(*alias)));
        }
        let aliases = Names::of(aliases.into_iter());
        let inherited: HashSet<_> = match aliases.all.is_empty() {
            true => HashSet::default(),
            false => uses.inherited().map(|(_, name)| name).collect(),
        };
        let all = || module.providers.iter();
        let of = |is_empty: bool| {
            all().filter(move |it| sets_something(it) != is_empty).map(|it| it.config_name())
        };
        let (configured, empty) = (Names::of(of(false)), Names::of(of(true)));
        let mut seen = HashSet::default();
        let passes = module.calls.iter().flat_map(|call| call.providers);
        let passed_on = passes.map(|pass| pass.outer.name()).filter(|name| {
            name.alias.is_none()
                && names.contains(name.local_name)
                && !configured.has(*name)
                && seen.insert(name.local_name)
        });
        let passed_on = passed_on.map(|name| name.local_name.into()).collect();
        let required: Box<[(Box<str>, Option<ProviderAddress>)]> =
            required.into_iter().map(|(name, address)| (name.into(), address)).collect();
        Self {
            required_sorted: Sorted::of(&required, |one, other| one.0.cmp(&other.0)),
            required,
            used: aliases.iter().map(|name| inherited.contains(&name)).collect(),
            aliases,
            configured,
            empty,
            passed_on,
        }
    }

    /// The local names in `required_providers`, in order, with the provider of each unless its
    /// source is invalid.
    pub fn required(&self) -> impl Iterator<Item = (&str, Option<&ProviderAddress>)> {
        self.required.iter().map(|(name, address)| (&**name, address.as_ref()))
    }

    /// Whether `required_providers` has a local name.
    #[must_use]
    pub fn requires(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    /// The provider of a local name that `required_providers` has; `None` for another name, and if
    /// the source is invalid.
    #[must_use]
    pub fn address(&self, name: &str) -> Option<&ProviderAddress> {
        self.entry(name)?.1.as_ref()
    }

    fn entry(&self, name: &str) -> Option<&(Box<str>, Option<ProviderAddress>)> {
        let place = self.required_sorted.find(&self.required, |known| (*known.0).cmp(name))?;
        self.required.get(place)
    }

    /// The configurations that the caller must pass (`configuration_aliases`), in order.
    pub fn aliases(&self) -> impl Iterator<Item = ProviderConfigName<'_>> {
        self.aliases.iter()
    }

    /// Those of [`Self::aliases`] that something in the module uses.
    pub fn used_aliases(&self) -> impl Iterator<Item = ProviderConfigName<'_>> {
        self.aliases.iter().zip(&self.used).filter(|(_, is_used)| **is_used).map(|(name, _)| name)
    }

    /// Whether the caller must pass a configuration.
    #[must_use]
    pub fn has_alias(&self, name: ProviderConfigName<'_>) -> bool {
        self.aliases.has(name)
    }

    /// The configurations that the module sets up itself, in order: blocks with settings.
    pub fn configured(&self) -> impl Iterator<Item = ProviderConfigName<'_>> {
        self.configured.iter()
    }

    /// Whether the module sets up a configuration itself.
    #[must_use]
    pub fn configures(&self, name: ProviderConfigName<'_>) -> bool {
        self.configured.has(name)
    }

    /// The blocks without settings, in order: each stands for a configuration that the caller
    /// passes.
    pub fn empty(&self) -> impl Iterator<Item = ProviderConfigName<'_>> {
        self.empty.iter()
    }

    /// Whether the module has a block without settings for a configuration.
    #[must_use]
    pub fn has_empty(&self, name: ProviderConfigName<'_>) -> bool {
        self.empty.has(name)
    }

    /// The local names of default configurations that the module passes on without setting them up,
    /// in order.
    pub fn passed_on(&self) -> impl Iterator<Item = &str> {
        self.passed_on.iter().map(|name| &**name)
    }
}

/// Whether a block configures its provider. A block without settings stands for the configuration
/// that the caller passes.
fn sets_something(provider: &Provider<'_>) -> bool {
    let mut of_escape = provider.escape.into_iter().flat_map(|block| block.body().properties());
    provider.version.is_some()
        || provider.config.properties().next().is_some()
        || of_escape.next().is_some()
}
