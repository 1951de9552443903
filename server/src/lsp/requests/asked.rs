//! Code shared by the requests about a position: the file, its answers, and locations of the
//! protocol.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use simd_hcl::ask::{Answers, FileSpan, ask_unit};
use simd_hcl::span::Span;

use super::{Refused, Request, path};
use crate::lsp::diagnostics::Texts;
use crate::lsp::lines::Lines;
use crate::lsp::protocol::{Location, Position, Range, TextDocument};
use crate::lsp::uri::uri_of;

/// The parameters of a question about a place.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlaceParams {
    pub(super) text_document: TextDocument,
    pub(super) position: Position,
}

/// The modules that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// The module of the file, and those that it calls.
    Called,
    /// Those that call it, too, directly or not.
    Callers,
}

/// A file that is asked about.
pub(super) struct Asked<'r> {
    pub(super) request: &'r Request,
    pub(super) text: Arc<[u8]>,
    /// The name of the file in trees.
    name: String,
    owner: Owner,
}

/// The module or unit that a file belongs to.
enum Owner {
    Module(usize),
    /// A unit of Terragrunt, with the path of the file.
    Unit(PathBuf),
}

impl<'r> Asked<'r> {
    /// A file of the workspace; `None` if it has no such file.
    pub(super) fn new(request: &'r Request, uri: &str) -> Result<Option<Self>, Refused> {
        let path = path(uri)?;
        let snapshot = &request.snapshot;
        let (name, owner) = match snapshot.file(&path) {
            Some(id) => {
                let file = &snapshot.modules()[id.module].files.files[id.file];
                (file.path.to_string_lossy().into_owned(), Owner::Module(id.module))
            }
            None if snapshot.is_unit_file(&path) => {
                let path = snapshot.absolute(&path);
                (path.to_string_lossy().into_owned(), Owner::Unit(path))
            }
            None => return Ok(None),
        };
        let text = snapshot.text(&path).map_err(|error| Refused::failed(error.to_string()))?;
        Ok(Some(Self { request, text, name, owner }))
    }

    /// Whether it is a file of a unit of Terragrunt.
    pub(super) fn is_of_unit(&self) -> bool {
        matches!(self.owner, Owner::Unit(_))
    }

    /// The name of the file in trees.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn lines(&self) -> Lines<'_> {
        Lines::new(&self.text, self.request.encoding())
    }

    pub(super) fn offset(&self, position: Position) -> u32 {
        self.lines().offset(position) as u32
    }

    pub(super) fn range(&self, span: Span) -> Range {
        range(&self.lines(), span)
    }

    /// Asks about the file. `None` if its module cannot be read. For a file of a unit, the modules are those
    /// of the unit and its dependencies.
    pub(super) fn ask<R>(
        &self,
        reach: Reach,
        ask: impl for<'t, 'a> FnOnce(&Answers<'t, 'a>, &str) -> R,
    ) -> Option<R> {
        let snapshot = &self.request.snapshot;
        let tree = match (&self.owner, reach) {
            (Owner::Module(module), Reach::Called) => snapshot.tree(*module)?,
            (Owner::Module(module), Reach::Callers) => snapshot.tree_with_callers(*module)?,
            (Owner::Unit(path), _) => return ask_unit(snapshot, path, ask),
        };
        Some(tree.with_schemas(|tree, schemas| ask(&Answers::new(tree, schemas), &self.name)))
    }

    /// The locations of some places, in any files.
    pub(super) fn locations(&self, places: &[FileSpan]) -> Vec<Location> {
        locations(self.request, places)
    }
}

/// The range of some bytes.
pub(super) fn range(lines: &Lines<'_>, span: Span) -> Range {
    lines.range(span.start as usize, span.end as usize)
}

/// The locations of some places, in any files.
pub(super) fn locations(request: &Request, places: &[FileSpan]) -> Vec<Location> {
    let mut texts = Texts::new(&request.snapshot);
    let mut found = Vec::with_capacity(places.len());
    for of_file in places.chunk_by(|one, other| one.file == other.file) {
        let Some(first) = of_file.first() else { continue };
        let path = request.snapshot.absolute(Path::new(&*first.file));
        let text = texts.get(&path);
        let lines = Lines::new(&text, request.encoding());
        let uri = uri_of(&path);
        found.extend(
            of_file
                .iter()
                .map(|place| Location { uri: uri.clone(), range: range(&lines, place.span) }),
        );
    }
    found
}
