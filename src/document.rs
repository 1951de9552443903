//! One parsed source.
//!
//! ```
//! use simd_hcl::{Arena, Document};
//!
//! let arena = Arena::new();
//! let document = Document::parse_bytes(&arena, "main.tf.json", br#"{"output": {"x": {"value": "${var.x}"}}}"#)?;
//! assert_eq!(document.root().pointer("/output/x/value").and_then(|node| node.to_str()), Some("${var.x}"));
//! assert_eq!(document.templates().count(), 1);
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```

use std::path::Path;

use crate::arena::Arena;
use crate::body::Body;
use crate::diagnostic::{Code, Diagnostic, Fix, Label, Sink};
use crate::encoding::other_encoding;
use crate::event::stream::{Segment, Stream, explain};
use crate::event::{self, Event, ParseOptions, Scratch};
use crate::expression::{Templates, visit_references};
use crate::fault::Fault;
use crate::json::{Events, Node, lone_surrogates};
use crate::native::LentTraversal;
use crate::report::OwnedDiagnostic;
use crate::source::{Conversion, Source};
use crate::span::Span;

/// A validated JSON document: configuration, plan, state, any JSON. A `Copy` handle into the arena.
///
/// Parsing validates every byte (RFC 8259, UTF-8, the depth limit); views then decode on demand.
///
/// ```
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#"{"locals": {"size": 3}}"#)?;
/// let locals = document.root().as_object().unwrap().get("locals").unwrap();
/// assert_eq!(locals.span().slice(document.source().bytes()), br#"{"size": 3}"#);
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Document<'a> {
    skeleton: &'a Segment<'a>,
}

impl<'a> Document<'a> {
    /// Reads and parses a file with the default options.
    ///
    /// # Errors
    /// The file is unreadable, or has a syntax error. The first one is returned.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::open(&arena, "examples/services.hcl.json")?;
    /// assert!(document.root().is_object());
    /// let missing = Document::open(&arena, "no/such/file.json").unwrap_err();
    /// assert_eq!(missing.code, "unreadable-file");
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn open(arena: &'a Arena, path: impl AsRef<Path>) -> Result<Self, Box<OwnedDiagnostic>> {
        let path = path.as_ref();
        let source = Source::read(arena, path)
            .map_err(|error| OwnedDiagnostic::unreadable(&path.to_string_lossy(), &error))?;
        Self::parse(arena, source)
    }

    /// Parses a source with the default options, on the calling thread. Cost: see
    /// [`Document::parse_with`].
    ///
    /// # Errors
    /// The first syntax error.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::read(&arena, "examples/services.hcl.json")?;
    /// let document = Document::parse(&arena, source)?;
    /// assert_eq!(document.source().name(), "examples/services.hcl.json");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(arena: &'a Arena, source: Source<'a>) -> Result<Self, Box<OwnedDiagnostic>> {
        Self::parse_with(arena, source, &ParseOptions::default())
    }

    /// Parses bytes that live as long as the arena is used, with the default options. Cost: see
    /// [`Document::parse_with`].
    ///
    /// # Errors
    /// The first syntax error, or more than [`crate::source::MAX_LEN`] bytes.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"[1, 2]"#)?;
    /// assert_eq!(document.root().as_array().unwrap().len(), 2);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn parse_bytes(
        arena: &'a Arena,
        name: &str,
        bytes: &'a [u8],
    ) -> Result<Self, Box<OwnedDiagnostic>> {
        let source = Source::from_bytes(arena, name, bytes)
            .map_err(|error| OwnedDiagnostic::unreadable(name, &error))?;
        Self::parse(arena, source)
    }

    /// Parses a source.
    ///
    /// Cost: one pass over the bytes, two if the text is rejected; eight bytes for each event down
    /// to the skeleton depth, at most eight times the source. If [`ParseOptions::threads`] allows
    /// more than one thread, this enters the current rayon pool; do not hold a lock then that a job
    /// of that pool may take. Does not panic or recurse.
    ///
    /// # Errors
    /// The first syntax error. It outlives the arena, and has no text of the source, which may be a
    /// plan: if `main` returns it, it is printed as `a.json:2:7: error[…]: …`.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let error = Document::parse_bytes(&arena, "a.json", b"{\n  \"a\" 1\n}").err().unwrap();
    /// assert_eq!((error.range.start.line, error.range.start.column), (2, 7));
    /// assert!(error.to_string().starts_with("a.json:2:7: error["));
    /// ```
    pub fn parse_with(
        arena: &'a Arena,
        source: Source<'a>,
        options: &ParseOptions,
    ) -> Result<Self, Box<OwnedDiagnostic>> {
        Self::read(arena, source, options).map_err(|error| OwnedDiagnostic::of_error(&error))
    }

    /// Parses a source like [`Document::parse_with`].
    ///
    /// # Errors
    /// The first syntax error, as a diagnostic of the source, to be reported with others.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document, ParseOptions, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "a.json", b"[1, ]")?;
    /// let error = Document::read(&arena, source, &ParseOptions::default()).unwrap_err();
    /// assert_eq!(error.code().as_str(), "trailing-comma");
    /// assert_eq!(error.span().start, 2);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn read(
        arena: &'a Arena,
        source: Source<'a>,
        options: &ParseOptions,
    ) -> Result<Self, Diagnostic<'a>> {
        let text = source.bytes();
        let bom = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let span = Span::new(bom, text.len() as u32);
        let mut diagnostics = Vec::new();
        if bom > 0 {
            let mark = Label::new(source, Span::new(0, bom));
            diagnostics.push(
                Diagnostic::new(Code::ByteOrderMark, mark)
                    .with_repair(Some(Fix::removal(mark.span))),
            );
        }
        diagnostics.extend(of_conversion(source));
        arena.with_scratch(|scratch: &mut Scratch| {
            scratch.build.prepare(arena, text.len());
            match event::parse(text, span, options, scratch) {
                Ok(surrogates) if surrogates => lone_surrogates(source, &mut diagnostics),
                Ok(_) => {}
                Err(_) => {
                    if let Some(encoding) = other_encoding(text) {
                        let error = Fault::new(Code::NotUtf8Encoding, Span::at(0));
                        return Err(error.argument(encoding).to_diagnostic(source));
                    }
                    explain(text, span, options, &mut scratch.build)
                        .map_err(|error| error.to_diagnostic(source))?;
                }
            }
            let bump = arena.bump();
            let diagnostics = bump.alloc_slice_fill_iter(diagnostics);
            let stream = bump.alloc(Stream::new(arena, source, *options, diagnostics));
            Ok(Self { skeleton: bump.alloc(stream.segment(&mut scratch.build)) })
        })
    }

    /// The document of a value whose events are known, with offsets from `start` on. Its first
    /// event is the value, its last one the end of the value.
    pub(crate) fn of_events(
        source: Source<'a>,
        options: ParseOptions,
        events: &[Event],
        start: u32,
    ) -> Self {
        let bump = source.arena().bump();
        let moved = events.iter().map(|event| Event::from_bits(event.to_bits() - u64::from(start)));
        let events = bump.alloc_slice_fill_iter(moved);
        let stream = bump.alloc(Stream::new(source.arena(), source, options, &[]));
        Self { skeleton: bump.alloc(stream.segment_of(events)) }
    }

    /// The document of a value that has been validated.
    pub(crate) fn of_valid(source: Source<'a>, options: ParseOptions) -> Self {
        let arena = source.arena();
        let text = source.bytes();
        arena.with_scratch(|scratch: &mut Scratch| {
            let bump = arena.bump();
            let stream = bump.alloc(Stream::new(arena, source, options, &[]));
            scratch.build.prepare(arena, text.len());
            let span = Span::new(0, text.len() as u32);
            let is_valid = event::parse(text, span, &options, scratch).is_ok();
            debug_assert!(is_valid, "the value has been validated");
            if !is_valid {
                scratch.build.set(&[Event::default()]);
            }
            Self { skeleton: bump.alloc(stream.segment(&mut scratch.build)) }
        })
    }

    /// The source.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"{}"#)?;
    /// assert_eq!(document.source().name(), "a.json");
    /// assert_eq!(document.source().bytes(), b"{}");
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn source(self) -> Source<'a> {
        self.skeleton.stream.source
    }

    /// The diagnostics of a successful parse: a byte order mark, lone surrogates.
    #[must_use]
    pub fn diagnostics(self) -> &'a [Diagnostic<'a>] {
        self.skeleton.stream.diagnostics
    }

    /// The root value.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": [true]}"#)?;
    /// let a = document.root().as_object().unwrap().get("a").unwrap();
    /// assert!(a.is_array());
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn root(self) -> Node<'a> {
        Node::new(self.skeleton, 0)
    }

    /// The root value as the body of a configuration file.
    ///
    /// ```
    /// use simd_hcl::body::{BlockSchema, Schema};
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"variable": {"size": {"default": 3}}}"#;
    /// let document = Document::parse_bytes(&arena, "main.tf.json", json)?;
    /// static ROOT: Schema = Schema::new(&[], &[BlockSchema::new("variable", &["name"])]);
    /// let content = document.body().content(&ROOT, &mut ());
    /// assert_eq!(content.blocks("variable").next().unwrap().label(0), Some("size"));
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn body(self) -> Body<'a> {
        Body::root(self.root())
    }

    /// All strings with templates, including names of members, in source order and without a
    /// schema.
    ///
    /// Cost: a search through the file. Every container with a template is opened, and every
    /// template parsed, once for each call.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"locals": {"greeting": "Hello ${var.name}!"}}"#;
    /// let document = Document::parse_bytes(&arena, "main.tf.json", json)?;
    /// let template = document.templates().next().unwrap();
    /// assert_eq!(template.path().to_string(), "locals.greeting");
    /// assert_eq!(template.variables().next().unwrap().to_string(), "var.name");
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn templates(self) -> Templates<'a> {
        Templates::of(self.root())
    }

    /// Calls `visit` for every traversal in a template that starts with a variable of the scope, in
    /// source order and without a schema. Reports templates with syntax errors to `sink`, and skips
    /// them.
    ///
    /// Much faster than [`Document::templates`], because it opens and keeps nothing: templates are
    /// found by their bytes. Cost: linear in the file.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"locals": {"a": "${var.x} and ${local.y}"}}"#;
    /// let document = Document::parse_bytes(&arena, "main.tf.json", json)?;
    /// let mut found = Vec::new();
    /// document.visit_references(&mut (), |traversal| found.push(traversal.to_string()));
    /// assert_eq!(found, ["var.x", "local.y"]);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn visit_references(
        self,
        sink: &mut dyn Sink<'a>,
        visit: impl FnMut(LentTraversal<'_, 'a>),
    ) {
        visit_references(self.source(), sink, visit);
    }

    /// The document as a stream of events. Sealed containers are opened on the way. Cost: linear in
    /// the events.
    ///
    /// ```
    /// use simd_hcl::json::JsonEvent;
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": 1}"#)?;
    /// let strings = document.events().filter(|event| matches!(event, JsonEvent::Key(_)));
    /// assert_eq!(strings.count(), 1);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn events(self) -> Events<'a> {
        Events::new(self.skeleton, true)
    }

    /// The events of the skeleton, as `docs/events.md` specifies them.
    #[must_use]
    pub fn words(self) -> &'a [Event] {
        self.skeleton.events()
    }

    /// The skeleton as a stream of events: sealed containers stay closed.
    #[must_use]
    pub fn skeleton(self) -> Events<'a> {
        Events::new(self.skeleton, false)
    }
}

impl<'a> From<Document<'a>> for Body<'a> {
    fn from(document: Document<'a>) -> Self {
        document.body()
    }
}

impl std::fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Document").field("source", &self.source()).finish_non_exhaustive()
    }
}

/// Returns the diagnostics of a source that was converted before parsing.
pub(crate) fn of_conversion(source: Source<'_>) -> impl Iterator<Item = Diagnostic<'_>> {
    let Conversion { compression, encoding, is_refused } = source.conversion();
    let report = move |code, name| {
        Diagnostic::new(code, Label::new(source, Span::new(0, 0))).with_arguments(&[name])
    };
    let compressed = compression.filter(|_| is_refused);
    let code = if is_refused { Code::NotUtf8Encoding } else { Code::ConvertedEncoding };
    let compressed = compressed.map(move |name| report(Code::CompressedFile, name));
    compressed.into_iter().chain(encoding.map(move |name| report(code, name)))
}
