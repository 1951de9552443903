//! How a file is parsed.

use crate::scan::Kernel;

/// How a file is parsed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ParseOptions {
    /// How many levels of objects and arrays are accepted. More is an error (`nesting-too-deep`).
    pub max_depth: u32,
    /// Containers inside this many others are sealed: validated, but without events for their
    /// members until they are opened. `u32::MAX` writes all events at once.
    ///
    /// The default, 3, reaches the bodies of blocks with two labels: `resource` → type → name →
    /// body. With 4 the members of most bodies have events: faster if most bodies are read, and
    /// twice the time if none is.
    pub skeleton_depth: u32,
    /// The instructions to use.
    pub kernel: Kernel,
    /// Who reads the tokens.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "one engine, no choice"))]
    pub(crate) engine: Engine,
    /// On how many threads of the current rayon pool a large text may be parsed; 0 for all of them.
    /// Smaller texts are parsed on the calling thread whatever this says, and so are those that
    /// give no hint where to split them. Containers that are opened later are parsed on the thread
    /// that asks. The default is 1.
    pub threads: u32,
}

/// Who reads the tokens of a text. All accept the same texts and give the same events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(any(test, feature = "fuzzing")), allow(dead_code, reason = "tests choose"))]
pub enum Engine {
    /// The one that is faster for the text's size and the skeleton depth.
    #[default]
    Fastest,
    /// The automaton: one token after the other. Every kernel has it.
    Automaton,
    /// The vectorised engine: all tokens of a window together. Kernels that lack it use the
    /// automaton.
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
    /// With another limit on nesting.
    #[must_use]
    pub fn with_max_depth(mut self, levels: u32) -> Self {
        self.max_depth = levels;
        self
    }

    /// With another skeleton depth.
    #[must_use]
    pub fn with_skeleton_depth(mut self, levels: u32) -> Self {
        self.skeleton_depth = levels;
        self
    }

    /// With another kernel.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    /// With another engine.
    #[cfg(any(test, feature = "fuzzing"))]
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// With another number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }
}
