//! Options of streams.

use crate::scan::Kernel;

/// Options of a stream.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The maximum number of nested objects and arrays; 10,000 by default.
    pub max_depth: u32,
    /// The maximum length of a name, a string or a number in bytes, as it is written; 16 MiB by
    /// default. A longer one is an error (`token-too-long`). At most 1 GiB.
    pub max_token: usize,
    /// The maximum size of a record in bytes; 64 MiB by default. A larger one is an error
    /// (`record-too-large`). At most 1 GiB.
    pub max_record: usize,
    /// Whether any number of documents may follow one another, with or without whitespace between
    /// them, as in newline-delimited JSON. Otherwise text after the first one is an error.
    pub is_sequence: bool,
    /// The skeleton depth of records: see [`ParseOptions`](crate::ParseOptions).
    pub skeleton_depth: u32,
    /// The instruction set to use.
    pub kernel: Kernel,
    /// The name of the stream in diagnostics.
    pub name: String,
}

/// The largest limit of a token or a record: offsets in memory have 32 bits.
const LARGEST: usize = 1 << 30;

impl Default for Options {
    fn default() -> Self {
        Self {
            max_depth: 10_000,
            max_token: 16 << 20,
            max_record: 64 << 20,
            is_sequence: false,
            skeleton_depth: 3,
            kernel: Kernel::detect(),
            name: "stream".to_owned(),
        }
    }
}

impl Options {
    /// Sets the limit on nesting.
    #[must_use]
    pub fn with_max_depth(mut self, levels: u32) -> Self {
        self.max_depth = levels;
        self
    }

    /// Sets the limit on names, strings and numbers.
    #[must_use]
    pub fn with_max_token(mut self, bytes: usize) -> Self {
        self.max_token = bytes.min(LARGEST);
        self
    }

    /// Sets the limit on records.
    #[must_use]
    pub fn with_max_record(mut self, bytes: usize) -> Self {
        self.max_record = bytes.min(LARGEST);
        self
    }

    /// Allows any number of documents.
    #[must_use]
    pub fn with_sequence(mut self, is_sequence: bool) -> Self {
        self.is_sequence = is_sequence;
        self
    }

    /// Sets the skeleton depth of records.
    #[must_use]
    pub fn with_skeleton_depth(mut self, levels: u32) -> Self {
        self.skeleton_depth = levels;
        self
    }

    /// Sets the kernel.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    /// Sets the name of the stream in diagnostics.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}
