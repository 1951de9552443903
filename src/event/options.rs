//! Options of parsing.

use crate::scan::Kernel;

/// Options of parsing.
///
/// ```
/// use simd_hcl::{Arena, Document, ParseOptions, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "a.json", b"[[[1]]]")?;
/// let options = ParseOptions::default().with_max_depth(2);
/// let error = Document::parse_with(&arena, source, &options).unwrap_err();
/// assert_eq!(error.code, "nesting-too-deep");
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ParseOptions {
    /// The maximum number of nested objects and arrays. More is an error (`nesting-too-deep`).
    pub max_depth: u32,
    /// Containers inside this many others are sealed: they are validated, but their members get no
    /// events until the container is opened. `u32::MAX` writes all events at once.
    ///
    /// The default, 3, reaches the bodies of blocks with two labels: `resource` → type → name →
    /// body. With 4, the members of most bodies have events: this is faster if most bodies are
    /// read, but takes twice the time if none are.
    pub skeleton_depth: u32,
    /// The instruction set to use.
    pub kernel: Kernel,
    /// The engine that reads the tokens.
    pub(crate) engine: Engine,
    /// The maximum number of threads of the current rayon pool that parse a large text; 0 for all
    /// of them. Smaller texts are always parsed on the calling thread, and so are texts without a
    /// recognizable place to split them. Containers that are opened later are parsed on the thread
    /// that opens them. The default is 1.
    pub threads: u32,
}

/// The engine that reads the tokens of a text. All engines accept the same texts and write the same
/// events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(any(test, feature = "fuzzing")), allow(dead_code, reason = "tests choose"))]
pub enum Engine {
    /// The faster one for the text's size and the skeleton depth.
    #[default]
    Fastest,
    /// The automaton: reads one token after the other. Every kernel has it.
    Automaton,
    /// The vectorised engine: all tokens of a window together. Every kernel has it.
    Vectorised,
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self {
            max_depth: 10_000,
            skeleton_depth: 3,
            kernel: Kernel::detect(),
            engine: Engine::Fastest,
            threads: 1,
        }
    }
}

impl ParseOptions {
    /// Sets the limit on nesting.
    #[must_use]
    pub fn with_max_depth(mut self, levels: u32) -> Self {
        self.max_depth = levels;
        self
    }

    /// Sets the skeleton depth.
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

    /// Sets the engine.
    #[cfg(any(test, feature = "fuzzing"))]
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }
}
