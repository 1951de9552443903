//! Selects the instances that are asked for.

/// Which instances are asked for: by address, by type, or all.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    addresses: Vec<String>,
    types: Vec<String>,
}

impl Selection {
    /// Adds an address: of an instance, of a resource (all its instances), or of a module or one of
    /// its instances (everything in it).
    #[must_use]
    pub fn with_address(mut self, address: &str) -> Self {
        self.addresses.push(address.to_owned());
        self
    }

    /// Adds a resource type.
    #[must_use]
    pub fn with_type(mut self, name: &str) -> Self {
        self.types.push(name.to_owned());
        self
    }

    /// Whether everything is selected.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.addresses.is_empty() && self.types.is_empty()
    }

    /// Whether resources of a type are selected.
    pub(super) fn has_type(&self, name: &str) -> bool {
        self.types.is_empty() || self.types.iter().any(|each| each == name)
    }

    /// Whether the object with this address is selected, or something in it may be.
    pub(super) fn may_hold(&self, address: &str) -> bool {
        self.addresses.is_empty()
            || self
                .addresses
                .iter()
                .any(|wanted| is_within(address, wanted) || is_within(wanted, address))
    }

    /// Whether the instance with this address is selected.
    pub(super) fn has(&self, address: &str) -> bool {
        self.addresses.is_empty() || self.addresses.iter().any(|wanted| is_within(address, wanted))
    }
}

/// Whether an address is that of an object, or of something in it.
fn is_within(address: &str, object: &str) -> bool {
    let rest = address.strip_prefix(object);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// An address in a module.
pub(super) fn join(module: &str, address: &str) -> String {
    match module {
        "" => address.to_owned(),
        module => format!("{module}.{address}"),
    }
}
