//! Options of the representation.

use crate::show::BodySchemas;

/// Options of the representation.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options<'s, 'a> {
    /// The schemas of providers.
    pub schemas: Option<&'s BodySchemas<'a>>,
    /// Whether to print JSON configuration exactly as the tools do, including their oddities.
    pub compat: bool,
    /// Whether to print values that must not be shown, instead of `"(sensitive)"`: see
    /// [`hidden`](crate::hidden).
    pub shows_sensitive: bool,
}

impl<'s, 'a> Options<'s, 'a> {
    /// Sets the schemas of providers.
    #[must_use]
    pub const fn with_schemas(mut self, schemas: Option<&'s BodySchemas<'a>>) -> Self {
        self.schemas = schemas;
        self
    }

    /// Prints values that must not be shown, too.
    #[must_use]
    pub const fn with_sensitive(mut self, shows: bool) -> Self {
        self.shows_sensitive = shows;
        self
    }

    /// Prints JSON configuration exactly as the tools do.
    #[must_use]
    pub const fn with_compat(mut self, compat: bool) -> Self {
        self.compat = compat;
        self
    }
}
