//! Options of redaction.

/// Options of redaction, besides marked values.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Whether to keep defaults of sensitive variables in the configuration.
    pub keep_defaults: bool,
    /// Whether to keep constants in the configuration of providers.
    pub keep_provider_config: bool,
    /// Whether to keep the text of sensitive strings in unmarked places.
    pub keep_repeated_text: bool,
    /// Whether [`write_document`](super::write_document) accepts a document that does not say which of
    /// its values are sensitive.
    pub accept_unmarked: bool,
    /// The number of threads of the current rayon pool to use; 0 for all. The default is 1: only
    /// the calling thread.
    pub threads: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            keep_defaults: false,
            keep_provider_config: false,
            keep_repeated_text: false,
            accept_unmarked: false,
            threads: 1,
        }
    }
}

impl Options {
    /// Keeps or hides the defaults of sensitive variables.
    #[must_use]
    pub fn with_kept_defaults(mut self, keep: bool) -> Self {
        self.keep_defaults = keep;
        self
    }

    /// Keeps or hides the constants in the configuration of providers.
    #[must_use]
    pub fn with_provider_config(mut self, keep: bool) -> Self {
        self.keep_provider_config = keep;
        self
    }

    /// Keeps or hides the text of sensitive strings in unmarked places.
    #[must_use]
    pub fn with_repeated_text(mut self, keep: bool) -> Self {
        self.keep_repeated_text = keep;
        self
    }

    /// Keeps what a name stands for: `defaults`, `provider-config` or `repeated-text`. `None` for other
    /// names.
    #[must_use]
    pub fn keeping(self, name: &str) -> Option<Self> {
        Some(match name {
            "defaults" => self.with_kept_defaults(true),
            "provider-config" => self.with_provider_config(true),
            "repeated-text" => self.with_repeated_text(true),
            _ => return None,
        })
    }

    /// Accepts or refuses a document that does not say which of its values are sensitive.
    #[must_use]
    pub fn with_unmarked(mut self, accept: bool) -> Self {
        self.accept_unmarked = accept;
        self
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }

    pub(super) fn is_parallel(self) -> bool {
        self.threads != 1 && crate::parallel::current_num_threads() > 1
    }
}
