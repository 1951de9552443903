//! Filters for changes and resources.

use super::address::{Address, AddressError, Key};
use super::names::ActionKind;
use super::plan::ResourceChange;
use crate::glob;

/// Selects changes or resources by type, module, address and kind of change. A criterion without
/// values selects everything; if it has several values, any one of them is enough.
///
/// ```
/// use simd_hcl::show::Filter;
///
/// let filter = Filter::default().with_type("aws_*").with_module("module.app")?;
/// assert!(filter.wants("aws_instance", "module.app[\"a\"].module.db.aws_instance.web"));
/// assert!(!filter.wants("aws_instance", "aws_instance.web"));
/// # Ok::<(), simd_hcl::show::FilterError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Filter<'t> {
    types: Vec<&'t str>,
    modules: Vec<Address<'t>>,
    addresses: Vec<Address<'t>>,
    /// A bit for each selected [`ActionKind`]; 0 for all kinds.
    actions: u16,
}

/// The reason why an address cannot be used in a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilterError {
    /// The text is not an address.
    NoAddress(AddressError),
    /// The text is the address of a resource, not of a module.
    NoModule,
}

impl std::fmt::Display for FilterError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoAddress(error) => write!(f, "invalid address: {error}"),
            Self::NoModule => f.write_str("this is not the address of a module"),
        }
    }
}

impl std::error::Error for FilterError {}

impl<'t> Filter<'t> {
    /// Adds resources of a type. `*` matches any characters, `?` one.
    ///
    /// ```
    /// use simd_hcl::show::Filter;
    ///
    /// let filter = Filter::default().with_type("aws_*");
    /// assert!(filter.wants_type("aws_vpc") && !filter.wants_type("google_sql"));
    /// ```
    #[must_use]
    pub fn with_type(mut self, resource_type: &'t str) -> Self {
        self.types.push(resource_type);
        self
    }

    /// Adds the resources of a module and of the modules below it; without keys, of all its
    /// instances. The empty address means only the root module.
    ///
    /// # Errors
    /// The text is not the address of a module.
    ///
    /// ```
    /// use simd_hcl::show::Filter;
    ///
    /// let filter = Filter::default().with_module("module.net")?;
    /// assert!(filter.wants("aws_vpc", "module.net.aws_vpc.main"));
    /// assert!(!filter.wants("aws_vpc", "aws_vpc.main"));
    /// # Ok::<(), simd_hcl::show::FilterError>(())
    /// ```
    pub fn with_module(mut self, module: &'t str) -> Result<Self, FilterError> {
        let address = Address::parse(module).map_err(FilterError::NoAddress)?;
        if address.resource.is_some() {
            return Err(FilterError::NoModule);
        }
        self.modules.push(address);
        Ok(self)
    }

    /// Adds the resource with an address; without a key, all its instances.
    ///
    /// # Errors
    /// The text is not an address.
    pub fn with_address(mut self, address: &'t str) -> Result<Self, FilterError> {
        self.addresses.push(Address::parse(address).map_err(FilterError::NoAddress)?);
        Ok(self)
    }

    /// Adds changes of a kind.
    #[must_use]
    pub fn with_action(mut self, kind: ActionKind) -> Self {
        self.actions |= 1 << kind as u16;
        self
    }

    /// Whether the filter selects everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() && !self.has_places() && self.actions == 0
    }

    /// The types, as given.
    #[must_use]
    pub fn types(&self) -> &[&'t str] {
        &self.types
    }

    /// The modules.
    #[must_use]
    pub fn modules(&self) -> &[Address<'t>] {
        &self.modules
    }

    /// The addresses.
    #[must_use]
    pub fn addresses(&self) -> &[Address<'t>] {
        &self.addresses
    }

    /// Whether the filter has modules or addresses.
    pub(crate) fn has_places(&self) -> bool {
        !self.modules.is_empty() || !self.addresses.is_empty()
    }

    /// Whether changes of a kind are selected.
    #[must_use]
    pub fn wants_action(&self, kind: ActionKind) -> bool {
        self.actions == 0 || self.actions >> kind as u16 & 1 == 1
    }

    /// Whether resources of a type are selected.
    #[must_use]
    pub fn wants_type(&self, resource_type: &str) -> bool {
        self.types.is_empty()
            || self.types.iter().any(|wanted| glob::matches(wanted, resource_type))
    }

    /// Whether modules and addresses select an object with this address.
    #[must_use]
    pub fn wants_address(&self, address: &Address<'_>) -> bool {
        // The empty address selects only the root module.
        let in_module = |wanted: &Address<'_>| {
            let is_root = wanted.modules.is_empty();
            (!is_root || address.modules.is_empty()) && address.is_in(wanted)
        };
        (self.modules.is_empty() || self.modules.iter().any(in_module))
            && (self.addresses.is_empty()
                || self.addresses.iter().any(|wanted| address.is_of(wanted)))
    }

    /// Whether a resource of this type and address is selected. An invalid address is in no module.
    /// Cost: linear in the address, if the filter has modules or addresses.
    #[must_use]
    pub fn wants(&self, resource_type: &str, address: &str) -> bool {
        self.wants_type(resource_type)
            && (!self.has_places()
                || Address::parse(address).is_ok_and(|address| self.wants_address(&address)))
    }

    /// Whether a change is selected. Cost: that of its [head](ResourceChange::head).
    #[must_use]
    pub fn wants_change(&self, change: ResourceChange<'_>) -> bool {
        let head = change.head();
        self.wants_action(head.actions().kind()) && self.wants(head.resource_type(), head.address())
    }
}

/// Whether keys are equal, or `wanted` is absent.
fn has_key(key: Option<&Key<'_>>, wanted: Option<&Key<'_>>) -> bool {
    wanted.is_none() || key == wanted
}

impl Address<'_> {
    /// Whether the address leads through the modules of another address. Where that has no key, any
    /// instance matches.
    #[must_use]
    pub fn is_in(&self, module: &Address<'_>) -> bool {
        module.modules.len() <= self.modules.len()
            && self.modules.iter().zip(&module.modules).all(|(call, wanted)| {
                call.name == wanted.name && has_key(call.key.as_ref(), wanted.key.as_ref())
            })
    }

    /// Whether the other address selects this one: it is the same resource, or an object in the
    /// other address's module, but not below. Where the other one has no key, any instance matches.
    #[must_use]
    pub fn is_of(&self, other: &Address<'_>) -> bool {
        match (&self.resource, &other.resource) {
            (Some(resource), Some(wanted)) => {
                self.modules.len() == other.modules.len()
                    && self.is_in(other)
                    && resource.mode == wanted.mode
                    && resource.resource_type == wanted.resource_type
                    && resource.name == wanted.name
                    && has_key(resource.key.as_ref(), wanted.key.as_ref())
            }
            (_, None) => self.is_in(other),
            (None, Some(_)) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_named_filters_nothing() {
        let nothing = Filter::default();
        assert!(nothing.is_empty() && nothing.wants("", "no address"));
        let filter =
            nothing.clone().with_action(ActionKind::Create).with_action(ActionKind::Replace);
        assert!(!filter.is_empty());
        for kind in ActionKind::ALL {
            let is_named = matches!(kind, ActionKind::Create | ActionKind::Replace);
            assert_eq!(filter.wants_action(kind), is_named);
            assert_eq!(ActionKind::of(&kind.name().replace('_', "-")), Some(kind));
        }
        assert_eq!(ActionKind::of("no op"), None);
        let filter = nothing.with_type("aws_?_*").with_type("x");
        for (resource_type, is_wanted) in [("aws_b_c", true), ("x", true), ("aws_bb_c", false)] {
            assert_eq!(filter.wants(resource_type, "a.b"), is_wanted);
        }
    }

    #[test]
    fn places() {
        let module = |text| Filter::default().with_module(text).unwrap();
        let address = |text| Filter::default().with_address(text).unwrap();
        for (filter, place, is_wanted) in [
            (module(""), "a.b", true),
            (module(""), "module.m.a.b", false),
            (module("module.m"), "module.m[0].module.n.a.b", true),
            (module("module.m[1]"), "module.m[0].a.b", false),
            (module("module.m.module.n"), "module.m.a.b", false),
            (address("module.m.a.b"), "module.m[0].a.b[\"k\"]", true),
            (address("module.m.a.b"), "module.m.data.a.b", false),
            (address("a.b"), "module.m.a.b", false),
            (address("a.b[0]"), "a.b[1]", false),
            (address("module.m"), "module.m.module.n.a.b", true),
            (address("a.b"), "a b", false),
        ] {
            assert_eq!(filter.wants("a", place), is_wanted, "{filter:?} {place}");
        }
        assert_eq!(Filter::default().with_module("a.b").unwrap_err(), FilterError::NoModule);
        assert!(Filter::default().with_address("a b").is_err());
    }
}
