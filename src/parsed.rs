//! A parsed file of a module: a JSON document or a file in native syntax.

use std::path::Path;

use crate::arena::Arena;
use crate::body::Body;
use crate::diagnostic::{Diagnostic, Sink};
use crate::document::{Document, of_conversion};
use crate::event::ParseOptions;
use crate::expression::{Template, templates_of_file};
use crate::native::LentTraversal;
use crate::report::OwnedDiagnostic;
use crate::scan::Kernel;
use crate::source::Source;
use crate::structure::File;

/// A parsed file of a module. A `Copy` handle into the arena.
///
/// ```
/// use simd_hcl::{Arena, ParsedFile, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"locals {\n  a = 1\n}\n")?;
/// let file = ParsedFile::native(&arena, source);
/// assert!(file.diagnostics().is_empty());
/// assert_eq!(file.body().properties().next().unwrap().name(), "locals");
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ParsedFile<'a> {
    syntax: Syntax<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Syntax<'a> {
    Json(Document<'a>),
    Native(File<'a>, &'a [Diagnostic<'a>]),
}

impl<'a> ParsedFile<'a> {
    /// Reads and parses a file. See [`ParsedFile::parse`].
    ///
    /// ```
    /// let arena = simd_hcl::Arena::new();
    /// let services = simd_hcl::ParsedFile::open(&arena, "examples/services.hcl")?;
    /// let twin = simd_hcl::ParsedFile::open(&arena, "examples/services.hcl.json")?;
    /// assert!(services.as_native().is_some() && twin.as_json().is_some());
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    ///
    /// # Errors
    /// The file is unreadable, or the first syntax error of a JSON document.
    pub fn open(arena: &'a Arena, path: impl AsRef<Path>) -> Result<Self, Box<OwnedDiagnostic>> {
        let path = path.as_ref();
        let source = Source::read(arena, path)
            .map_err(|error| OwnedDiagnostic::unreadable(&path.to_string_lossy(), &error))?;
        Self::parse(arena, source)
    }

    /// Parses a source with the default options: as JSON if its name ends in `.json`, otherwise in
    /// native syntax. Cost: see [`Document::parse_with`] and [`ParsedFile::native`].
    ///
    /// # Errors
    /// The first syntax error of a JSON document. The errors of a native file are in
    /// [`ParsedFile::diagnostics`].
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let json = Source::from_bytes(&arena, "main.tf.json", b"{\"locals\": {}}")?;
    /// let native = Source::from_bytes(&arena, "main.tf", b"locals {}\n")?;
    /// assert!(ParsedFile::parse(&arena, json)?.as_json().is_some());
    /// assert!(ParsedFile::parse(&arena, native)?.as_native().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(arena: &'a Arena, source: Source<'a>) -> Result<Self, Box<OwnedDiagnostic>> {
        Self::read(arena, source).map_err(|error| OwnedDiagnostic::of_error(&error))
    }

    /// Parses a source like [`ParsedFile::parse`].
    ///
    /// # Errors
    /// The first syntax error of a JSON document, as a diagnostic of the source.
    pub fn read(arena: &'a Arena, source: Source<'a>) -> Result<Self, Diagnostic<'a>> {
        let extension = Path::new(source.name()).extension();
        match extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            true => Document::read(arena, source, &ParseOptions::default()).map(Self::json),
            false => Ok(Self::native(arena, source)),
        }
    }

    /// Returns a JSON document as a file.
    #[must_use]
    pub fn json(document: Document<'a>) -> Self {
        Self { syntax: Syntax::Json(document) }
    }

    /// Parses a source in native syntax, with all its expressions. Its errors are in
    /// [`ParsedFile::diagnostics`]; the valid parts are kept.
    ///
    /// Cost: linear in the bytes; the expressions are kept.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = [1\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// assert_eq!(file.diagnostics().len(), 1);
    /// assert!(!file.is_complete());
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn native(arena: &'a Arena, source: Source<'a>) -> Self {
        Self::native_with(arena, source, Kernel::detect())
    }

    /// As [`native`](Self::native), with the instructions of a kernel.
    #[must_use]
    pub fn native_with(arena: &'a Arena, source: Source<'a>, kernel: Kernel) -> Self {
        let mut diagnostics: Vec<Diagnostic<'a>> = of_conversion(source).collect();
        let file = File::parse_with(arena, source, kernel, &mut diagnostics);
        diagnostics.extend(file.keep_expressions().iter().map(|error| (*error).clone()));
        let diagnostics = arena.bump().alloc_slice_fill_iter(diagnostics);
        Self { syntax: Syntax::Native(file, diagnostics) }
    }

    /// The source.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// assert_eq!(file.source().name(), "main.tf");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn source(self) -> Source<'a> {
        match self.syntax {
            Syntax::Json(document) => document.source(),
            Syntax::Native(file, _) => file.source(),
        }
    }

    /// The body at the root.
    ///
    /// ```
    /// use simd_hcl::body::{BlockSchema, Schema};
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"variable \"size\" {\n  default = 3\n}\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// static ROOT: Schema = Schema::new(&[], &[BlockSchema::new("variable", &["name"])]);
    /// let content = file.body().content(&ROOT, &mut ());
    /// assert_eq!(content.blocks("variable").next().unwrap().label(0), Some("size"));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn body(self) -> Body<'a> {
        match self.syntax {
            Syntax::Json(document) => document.body(),
            Syntax::Native(file, _) => file.into(),
        }
    }

    /// Its syntax errors; for JSON, the diagnostics of a successful parse.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a: 1\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// assert_eq!(file.diagnostics()[0].code().as_str(), "colon-for-equals");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn diagnostics(self) -> &'a [Diagnostic<'a>] {
        match self.syntax {
            Syntax::Json(document) => document.diagnostics(),
            Syntax::Native(_, diagnostics) => diagnostics,
        }
    }

    /// Whether all its declarations are known: no part of a native file was skipped because it is
    /// not closed, or is neither an attribute nor a block.
    #[must_use]
    pub fn is_complete(self) -> bool {
        match self.syntax {
            Syntax::Json(_) => true,
            Syntax::Native(file, _) => file.is_sound(),
        }
    }

    /// The document, if the file is JSON.
    #[must_use]
    pub fn as_json(self) -> Option<Document<'a>> {
        match self.syntax {
            Syntax::Json(document) => Some(document),
            Syntax::Native(..) => None,
        }
    }

    /// The file, if it is in native syntax.
    #[must_use]
    pub fn as_native(self) -> Option<File<'a>> {
        match self.syntax {
            Syntax::Json(_) => None,
            Syntax::Native(file, _) => Some(file),
        }
    }

    /// All strings with templates, in source order and without a schema. Cost: see
    /// [`Document::templates`]; linear for a native file.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = \"Hello ${var.b}!\"\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let template = file.templates().next().unwrap();
    /// assert_eq!(template.variables().next().unwrap().to_string(), "var.b");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn templates(self) -> impl Iterator<Item = Template<'a>> + use<'a> {
        let (json, native) = match self.syntax {
            Syntax::Json(document) => (Some(document.templates()), Vec::new()),
            Syntax::Native(file, _) => (None, templates_of_file(file)),
        };
        json.into_iter().flatten().chain(native)
    }

    /// Calls `visit` for every traversal in an expression that starts with a variable of the scope,
    /// in source order and without a schema. Syntax errors in templates of JSON are reported to
    /// `sink`; those of native expressions are in [`ParsedFile::diagnostics`].
    pub fn visit_references(
        self,
        sink: &mut dyn Sink<'a>,
        mut visit: impl FnMut(LentTraversal<'_, 'a>),
    ) {
        match self.syntax {
            Syntax::Json(document) => document.visit_references(sink, visit),
            Syntax::Native(file, _) => {
                let expressions = file.attributes().filter_map(|it| it.expression().ok());
                for expression in expressions {
                    expression.variables().for_each(&mut visit);
                }
            }
        }
    }
}

impl<'a> From<Document<'a>> for ParsedFile<'a> {
    fn from(document: Document<'a>) -> Self {
        Self::json(document)
    }
}

impl<'a> From<ParsedFile<'a>> for Body<'a> {
    fn from(file: ParsedFile<'a>) -> Self {
        file.body()
    }
}
