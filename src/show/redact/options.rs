//! What is redacted.

/// What is redacted beside the values that are marked.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Defaults of sensitive variables in the configuration.
    pub defaults: bool,
    /// Constants in the configuration of providers stay.
    pub keep_provider_config: bool,
    /// The text of sensitive strings stays where nothing marks it.
    pub keep_repeated_text: bool,
}

impl Options {
    /// With or without the defaults of sensitive variables.
    #[must_use]
    pub fn with_defaults(mut self, defaults: bool) -> Self {
        self.defaults = defaults;
        self
    }

    /// Keeps the constants in the configuration of providers, or hides them.
    #[must_use]
    pub fn with_provider_config(mut self, keep: bool) -> Self {
        self.keep_provider_config = keep;
        self
    }

    /// Keeps the text of sensitive strings where nothing marks it, or hides it.
    #[must_use]
    pub fn with_repeated_text(mut self, keep: bool) -> Self {
        self.keep_repeated_text = keep;
        self
    }
}
