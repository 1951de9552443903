//! How configuration is represented.

use crate::show::BodySchemas;

/// How configuration is represented.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options<'s, 'a> {
    /// The schemas of providers.
    pub schemas: Option<&'s BodySchemas<'a>>,
    /// As the tools print JSON configuration, what is odd about that included.
    pub compat: bool,
}

impl<'s, 'a> Options<'s, 'a> {
    /// With schemas of providers.
    #[must_use]
    pub const fn with_schemas(mut self, schemas: Option<&'s BodySchemas<'a>>) -> Self {
        self.schemas = schemas;
        self
    }

    /// As the tools print JSON configuration.
    #[must_use]
    pub const fn with_compat(mut self, compat: bool) -> Self {
        self.compat = compat;
        self
    }
}
