//! What is redacted.

/// What is redacted beside the values that are marked.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Defaults of sensitive variables in the configuration.
    pub defaults: bool,
    /// Constants in the configuration of providers stay.
    pub keep_provider_config: bool,
    /// The text of sensitive strings stays where nothing marks it.
    pub keep_repeated_text: bool,
    /// On how many threads of the current rayon pool the work may be done; 0 for all of them. The
    /// default is 1: the calling thread alone.
    pub threads: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { defaults: false, keep_provider_config: false, keep_repeated_text: false, threads: 1 }
    }
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

    /// With another number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }

    pub(super) fn is_parallel(self) -> bool {
        self.threads != 1 && crate::parallel::current_num_threads() > 1
    }
}
