//! The parts of a module in which its places are found.

use crate::dialect::List;
use crate::module::test::TestFile;
use crate::module::{Assignments, Module};
use crate::parsed::ParsedFile;
use crate::source::Source;

/// The parts of a module whose places are found.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Parts<'m, 'a> {
    /// The module.
    pub module: &'m Module<'a>,
    /// Its files: primary files, then override files.
    pub files: &'m [(List, ParsedFile<'a>)],
    /// Files that others shadow: their places have no effect.
    pub shadowed: &'m [(List, ParsedFile<'a>)],
    /// Its test files.
    pub tests: &'m [TestFile<'a>],
    /// The values of its files of variables, those for tests included.
    pub values: &'m [&'m Assignments<'a>],
    /// All of its sources, in the order that the files of places follow. Others come after them.
    pub sources: &'m [Source<'a>],
    /// Whether all of its files could be read.
    pub is_complete: bool,
}

impl<'m, 'a> Parts<'m, 'a> {
    /// A module and its configuration files, without tests and values.
    #[must_use]
    pub fn new(module: &'m Module<'a>, files: &'m [(List, ParsedFile<'a>)]) -> Self {
        Self {
            module,
            files,
            shadowed: &[],
            tests: &[],
            values: &[],
            sources: &[],
            is_complete: true,
        }
    }

    /// Sets the files that others shadow.
    #[must_use]
    pub fn with_shadowed(self, shadowed: &'m [(List, ParsedFile<'a>)]) -> Self {
        Self { shadowed, ..self }
    }

    /// Sets the test files.
    #[must_use]
    pub fn with_tests(self, tests: &'m [TestFile<'a>]) -> Self {
        Self { tests, ..self }
    }

    /// Sets the values of files of variables.
    #[must_use]
    pub fn with_values(self, values: &'m [&'m Assignments<'a>]) -> Self {
        Self { values, ..self }
    }

    /// Sets the order of the files.
    #[must_use]
    pub fn with_sources(self, sources: &'m [Source<'a>]) -> Self {
        Self { sources, ..self }
    }

    /// Sets whether all files could be read.
    #[must_use]
    pub fn with_complete(self, is_complete: bool) -> Self {
        Self { is_complete, ..self }
    }
}
