//! Provider schemas as a text that trees with arenas of their own read.

use std::fmt;
use std::sync::Arc;

use super::input::document;
use super::{BodySchemas, Schemas};
use crate::arena::Arena;
use crate::diagnostic::Severity;
use crate::event::ParseOptions;
use crate::source::Source;

/// The output of `providers schema -json`, which is known to be valid. Copies share the text.
#[derive(Clone)]
pub struct SchemaText {
    name: Arc<str>,
    text: Arc<[u8]>,
}

impl SchemaText {
    /// Takes the text of a file with this name.
    ///
    /// Cost: linear in the text.
    ///
    /// # Errors
    /// The text has no provider schemas: why, as a text for people.
    pub fn new(name: &str, text: Arc<[u8]>) -> Result<Self, String> {
        let arena = Arena::new();
        let new = Self { name: name.into(), text };
        new.try_read(&arena)?;
        Ok(new)
    }

    /// Reads the schemas into an arena, with those that are built into the tools. The text is borrowed.
    ///
    /// Cost: linear in the text; memory of the arena: its outline, without the schemas themselves.
    #[must_use]
    pub fn read<'a>(&'a self, arena: &'a Arena) -> BodySchemas<'a> {
        // It could be read before.
        self.try_read(arena).unwrap_or_default().with_built_in(arena)
    }

    fn try_read<'a>(&'a self, arena: &'a Arena) -> Result<BodySchemas<'a>, String> {
        let source = Source::from_bytes(arena, &self.name, &self.text);
        let source = source.map_err(|error| error.to_string())?;
        BodySchemas::read(arena, source, &ParseOptions::default())
    }
}

impl fmt::Debug for SchemaText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SchemaText({:?}, {} bytes)", self.name, self.text.len())
    }
}

impl<'a> BodySchemas<'a> {
    /// Reads the schemas in a source.
    ///
    /// Cost: linear in the source. Schemas are decoded on demand.
    ///
    /// # Errors
    /// The source has no provider schemas: why, as a text for people.
    pub fn read(
        arena: &'a Arena,
        source: Source<'a>,
        options: &ParseOptions,
    ) -> Result<Self, String> {
        let options = options.with_skeleton_depth(Schemas::DEPTH);
        let mut diagnostics = Vec::new();
        let document = document(arena, source, &options, &mut diagnostics)
            .map_err(|error| error.to_string())?;
        let schemas = Schemas::of(document, &mut diagnostics);
        let error = diagnostics.iter().find(|it| it.severity() == Severity::Error);
        match (schemas, error) {
            (Some(schemas), None) => Ok(Self::new(schemas)),
            (_, Some(error)) => Err(error.to_string()),
            (None, None) => Err("the file does not contain provider schemas".to_owned()),
        }
    }
}
