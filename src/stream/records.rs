//! The values of a stream that a path selects, one document each.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::Read;
use std::ops::Range;

use smallvec::SmallVec;

use super::core::{Core, Found};
use super::event::fill;
use super::options::Options;
use super::path::{Path, PathError, States};
use crate::arena::Arena;
use crate::diagnostic::Code;
use crate::document::Document;
use crate::event::{Event, Kind, ParseOptions};
use crate::json::{Pieces, str_of};
use crate::position::Position;
use crate::report::OwnedDiagnostic;
use crate::source::Source;
use crate::span::Span;

/// The number of names of members that are kept.
const MEMBERS: usize = 1000;

/// The arena is emptied when it has more than this many bytes.
const ARENA: usize = 4 << 20;

/// Returns the values that a path selects in a stream.
///
/// ```
/// use simd_hcl::stream;
///
/// let plan = br#"{"format_version": "1.2", "resource_changes": [
///     {"address": "a.b", "change": {"actions": ["create"]}},
///     {"address": "a.c", "change": {"actions": ["delete"]}}]}"#;
/// let mut records = stream::records(&plan[..], "resource_changes[*]")?;
/// let mut addresses = Vec::new();
/// while let Some(record) = records.next()? {
///     let root = record.document().root();
///     addresses.push(root.pointer("/address").and_then(|it| it.to_str()).unwrap().to_owned());
/// }
/// assert_eq!(addresses, ["a.b", "a.c"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// `path` is not a [`Path`].
pub fn records<'r>(input: impl Read + 'r, path: &str) -> Result<Records<'r>, PathError> {
    Ok(Records::new(input, Options::default(), vec![Path::parse(path)?]))
}

/// The records of a stream. See [`records`].
///
/// All of the stream is validated. A record is an ordinary [`Document`] whose source has the bytes
/// of the record alone, and the name of the stream; positions are those in the stream.
///
/// Memory: that of the window of a [`Reader`](super::Reader), twice the largest record, and what
/// views of the records of one window open.
pub struct Records<'r> {
    core: Core,
    input: Box<dyn Read + 'r>,
    paths: Vec<Path>,
    /// The containers that are open, outermost first; the document itself first of all.
    levels: Vec<Level>,
    /// The record that is open.
    open: Option<Open>,
    /// The complete records of the window.
    ready: VecDeque<Ready>,
    arena: Arena,
    documents: u64,
    members: Vec<String>,
    /// Whether records have the names around them.
    has_names: bool,
}

/// The states of all paths.
type All = SmallVec<[States; 4]>;

/// An open container, or the document around its value.
#[derive(Default)]
struct Level {
    /// For each path; none if nothing below is selected.
    states: All,
    is_object: bool,
    /// The name of the current member.
    name: String,
    /// Where it starts, if records have names.
    name_start: Option<Position>,
    /// The number of elements before the current one.
    index: u64,
    /// The number of values so far.
    count: u64,
}

/// A record that is not complete.
struct Open {
    path: usize,
    /// The number of containers around it.
    depth: usize,
    place: String,
    start: Position,
}

/// A complete record.
struct Ready {
    path: usize,
    name: String,
    /// The names of the members around it, if records have names, and where the last one starts.
    names: Vec<String>,
    name_start: Option<Position>,
    /// The bytes in the window.
    span: Span,
    start: Position,
    /// The events, if they are linked.
    events: Option<(usize, usize)>,
}

/// A record: a document, and its place in the stream.
#[derive(Clone, Copy)]
pub struct Record<'s> {
    document: Document<'s>,
    ready: &'s Ready,
    end: u64,
}

impl<'s> Record<'s> {
    /// The record as a document.
    ///
    /// ```
    /// use simd_hcl::stream::records;
    ///
    /// let mut records = records(&br#"{"a": [{"b": 1}, {"b": 2}]}"#[..], "a[*]")?;
    /// let mut found = Vec::new();
    /// while let Some(record) = records.next()? {
    ///     found.push(record.document().root().pointer("/b").unwrap().text().to_vec());
    /// }
    /// assert_eq!(found, [b"1", b"2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn document(&self) -> Document<'s> {
        self.document
    }

    /// The number of the path that selects it; the first one if several do.
    #[must_use]
    pub fn path(&self) -> usize {
        self.ready.path
    }

    /// The name of the member whose value it is; empty for an element.
    #[must_use]
    pub fn name(&self) -> &'s str {
        &self.ready.name
    }

    /// The names of the members around it, outermost first, and its own; none without
    /// [`Records::with_names`].
    #[must_use]
    pub fn names(&self) -> &'s [String] {
        &self.ready.names
    }

    /// The position of the first byte of its name; `None` for an element, and without
    /// [`Records::with_names`].
    #[must_use]
    pub fn name_position(&self) -> Option<Position> {
        self.ready.name_start
    }

    /// Its bytes in the stream.
    #[must_use]
    pub fn span(&self) -> Range<u64> {
        self.ready.start.byte..self.end
    }

    /// The position of its first byte.
    #[must_use]
    pub fn position(&self) -> Position {
        self.ready.start
    }
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record").field("span", &self.span()).finish_non_exhaustive()
    }
}

impl<'r> Records<'r> {
    /// Returns the values that at least one of the paths selects. Values inside of a selected one
    /// are not selected again.
    #[must_use]
    pub fn new(input: impl Read + 'r, options: Options, paths: Vec<Path>) -> Self {
        let mut core = Core::new(options);
        core.options.max_token = core.options.max_token.max(core.options.max_record);
        // Deep enough for the paths and the skeletons; what is deeper is only validated.
        let depths = paths.iter().map(|path| path.depth().unwrap_or(u32::MAX));
        core.depth = core.options.skeleton_depth.saturating_add(depths.max().unwrap_or_default());
        let states = paths.iter().map(Path::start).collect();
        let document = Level { states, ..Level::default() };
        Self {
            core,
            input: Box::new(input),
            paths,
            levels: vec![document],
            open: None,
            ready: VecDeque::new(),
            arena: Arena::new(),
            documents: 0,
            members: Vec::new(),
            has_names: false,
        }
    }

    /// Has records know the names of the members around them.
    #[must_use]
    pub fn with_names(mut self) -> Self {
        self.has_names = true;
        self
    }

    /// The number of bytes that have been read.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.core.end()
    }

    /// Returns the next record; `None` after the last one.
    ///
    /// # Errors
    /// The first error of the stream, as for a whole file, and `record-too-large`. All further
    /// calls return it again.
    #[allow(clippy::should_implement_trait, reason = "a record borrows the reader")]
    pub fn next(&mut self) -> Result<Option<Record<'_>>, Box<OwnedDiagnostic>> {
        self.ready.pop_front();
        if self.arena.allocated_bytes() > ARENA {
            self.arena.reset();
        }
        if self.ready.is_empty() && !self.more()? {
            return Ok(None);
        }
        let Some(ready) = self.ready.front() else { return Ok(None) };
        Ok(Some(self.record(ready)))
    }

    /// Returns the next records: all that end in one window. `None` after the last one.
    ///
    /// # Errors
    /// See [`next`](Self::next).
    pub fn batch(&mut self) -> Result<Option<Vec<Record<'_>>>, Box<OwnedDiagnostic>> {
        self.ready.clear();
        if self.arena.allocated_bytes() > ARENA {
            self.arena.reset();
        }
        if !self.more()? {
            return Ok(None);
        }
        Ok(Some(self.ready.iter().map(|ready| self.record(ready)).collect()))
    }

    /// The names of the members of the document, up to the current position, at most 1000.
    #[must_use]
    pub fn members(&self) -> &[String] {
        &self.members
    }

    /// Returns the next warning. See [`Parser::take_warning`](super::Parser::take_warning).
    pub fn take_warning(&mut self) -> Option<OwnedDiagnostic> {
        self.core.take_warning()
    }

    /// The number of bytes in use for the window, the events and the arena.
    #[must_use]
    pub fn memory(&mut self) -> usize {
        self.core.memory() + self.arena.allocated_bytes()
    }

    /// Reads until records are ready. Returns false at the end of the stream.
    fn more(&mut self) -> Result<bool, Box<OwnedDiagnostic>> {
        self.ready.clear();
        while self.ready.is_empty() {
            let found = match (self.core.advance(), &self.open) {
                (Err(problem), Some(open)) if problem.known_code() == Some(Code::TokenTooLong) => {
                    let problem = refused(&open.place, open.start, &self.core.options);
                    return Err(self.core.fail(problem));
                }
                (found, _) => found?,
            };
            match found {
                // The error follows the records before it.
                Found::Events => match self.walk() {
                    Err(problem) if self.ready.is_empty() => return Err(problem),
                    _ => {}
                },
                Found::Nothing => {
                    if let Some(problem) = self.too_large() {
                        return Err(problem);
                    }
                    fill(&mut self.core, &mut *self.input)?;
                }
                Found::End => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The error of an open record that is larger than the maximum.
    fn too_large(&mut self) -> Option<Box<OwnedDiagnostic>> {
        let open = self.open.as_ref()?;
        let size = self.core.read() - open.start.byte;
        let limit = self.core.options.max_record;
        if size <= limit as u64 {
            return None;
        }
        let problem = refused(&open.place, open.start, &self.core.options);
        Some(self.core.fail(problem))
    }

    /// Follows the current events.
    fn walk(&mut self) -> Result<(), Box<OwnedDiagnostic>> {
        if self.documents != self.core.documents() {
            self.documents = self.core.documents();
            self.levels[0].count = 0;
            self.members.clear();
        }
        let mut at = 0;
        while let Some(&event) = self.core.events().get(at) {
            at = self.step(event, at)?;
        }
        // Containers that have no events.
        let open = self.core.open() + 1;
        self.levels.truncate(open);
        self.levels.resize_with(open, Level::default);
        Ok(())
    }

    /// Follows one event, or all events of a value that is not selected. Returns the index of the
    /// next one.
    fn step(&mut self, event: Event, at: usize) -> Result<usize, Box<OwnedDiagnostic>> {
        let kind = event.kind();
        if kind == Kind::Key {
            if self.open.is_none() {
                self.name(event);
            }
            return Ok(at + 1);
        }
        if matches!(kind, Kind::EndObject | Kind::EndArray) {
            if self.levels.len() > 1 {
                self.levels.pop();
            }
            let depth = self.levels.len() - 1;
            if let Some(open) = self.open.take_if(|open| open.depth == depth) {
                self.close(open, event.offset() + 1)?;
            }
            return Ok(at + 1);
        }
        let extent = event.extent();
        let is_whole = self.core.is_linked() && extent > 0 && extent < Event::UNRECORDED;
        let after = at + extent as usize + 1;
        let skips = |end: usize| if is_whole { end } else { at + 1 };
        if self.open.is_some() || self.is_skipped() {
            if !kind.is_start() {
                return Ok(at + 1);
            }
            if !is_whole {
                self.enter(kind, All::new());
            }
            return Ok(skips(after));
        }
        let states = self.states();
        let path = self.paths.iter().zip(&states).position(|(path, now)| path.selects(*now));
        match path {
            Some(path) if !kind.is_start() => {
                let span = self.core.span_of(event);
                self.found(path, span, None)?;
                Ok(at + 1)
            }
            Some(path) if is_whole => {
                let events = self.core.events();
                let end = events.get(at + extent as usize).map_or(0, |end| end.offset() + 1);
                let span = Span::new(event.offset(), end);
                self.found(path, span, Some((at, after)))?;
                Ok(after)
            }
            Some(path) => {
                let start = self.core.token_position(event.offset() as usize);
                let depth = self.levels.len() - 1;
                self.open = Some(Open { path, depth, place: self.place(), start });
                self.core.keep = Some(event.offset() as usize);
                self.enter(kind, All::new());
                Ok(at + 1)
            }
            None if kind.is_start() && states.iter().all(|one| one.is_empty()) => {
                if !is_whole {
                    self.enter(kind, All::new());
                }
                Ok(skips(after))
            }
            None if kind.is_start() => {
                self.enter(kind, states);
                Ok(at + 1)
            }
            None => Ok(at + 1),
        }
    }

    /// Whether nothing in the innermost container is selected.
    fn is_skipped(&self) -> bool {
        self.levels.last().is_none_or(|level| level.states.is_empty())
    }

    fn enter(&mut self, kind: Kind, states: All) {
        let is_object = kind == Kind::StartObject;
        self.levels.push(Level { states, is_object, ..Level::default() });
    }

    /// Notes the name of a member.
    fn name(&mut self, event: Event) {
        if self.is_skipped() {
            return;
        }
        let start = self.has_names.then(|| self.core.token_position(event.offset() as usize));
        let span = self.core.span_of(event);
        let raw = str_of(span.slice(self.core.text()));
        let raw = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
        let Some(level) = self.levels.last_mut() else { return };
        level.name_start = start;
        level.name.clear();
        for piece in Pieces::of(raw) {
            level.name.push_str(piece.plain);
            level.name.extend(piece.escaped);
        }
        if self.levels.len() == 2 && self.members.len() < MEMBERS {
            let name = self.levels[1].name.clone();
            self.members.push(name);
        }
    }

    /// The states of the next value of the innermost container.
    fn states(&mut self) -> All {
        let is_document = self.levels.len() == 1;
        let Some(level) = self.levels.last_mut() else { return All::new() };
        (level.index, level.count) = (level.count, level.count + 1);
        if is_document {
            return level.states.clone();
        }
        let name = level.is_object.then_some(level.name.as_str());
        self.paths.iter().zip(&level.states).map(|(path, now)| path.next(*now, name)).collect()
    }

    /// The place of the current value, such as `resource_changes[3]`.
    fn place(&self) -> String {
        let mut place = String::new();
        for level in self.levels.iter().skip(1) {
            if !level.is_object {
                // Writing into a string does not fail.
                let _ = write!(place, "[{}]", level.index);
                continue;
            }
            if !place.is_empty() {
                place.push('.');
            }
            place.extend(level.name.chars().take(80));
        }
        if place.is_empty() { "the document".to_owned() } else { place }
    }

    /// Takes a record that is complete in the window.
    fn found(
        &mut self,
        path: usize,
        span: Span,
        events: Option<(usize, usize)>,
    ) -> Result<(), Box<OwnedDiagnostic>> {
        let start = self.core.token_position(span.start as usize);
        if span.len() as usize > self.core.options.max_record {
            let problem = refused(&self.place(), start, &self.core.options);
            return Err(self.core.fail(problem));
        }
        self.push(path, span, start, events);
        Ok(())
    }

    /// Takes the open record, which ends at an offset in the window.
    fn close(&mut self, open: Open, end: u32) -> Result<(), Box<OwnedDiagnostic>> {
        let start = self.core.keep.take().unwrap_or_default() as u32;
        let span = Span::new(start, end);
        if span.len() as usize > self.core.options.max_record {
            let problem = refused(&open.place, open.start, &self.core.options);
            return Err(self.core.fail(problem));
        }
        self.push(open.path, span, open.start, None);
        Ok(())
    }

    /// Adds a record that is the current value of the innermost container.
    fn push(&mut self, path: usize, span: Span, start: Position, events: Option<(usize, usize)>) {
        let level = self.levels.last().filter(|level| level.is_object);
        let name = level.map_or_else(String::new, |level| level.name.clone());
        let name_start = level.and_then(|level| level.name_start);
        let around = self.levels.iter().filter(|level| self.has_names && level.is_object);
        let names = around.map(|level| level.name.clone()).collect();
        self.ready.push_back(Ready { path, name, names, name_start, span, start, events });
    }

    fn record<'s>(&'s self, ready: &'s Ready) -> Record<'s> {
        let options = &self.core.options;
        let bytes = ready.span.slice(self.core.text());
        let source = Source::part(&self.arena, &options.name, bytes, ready.start);
        let parse = ParseOptions::default()
            .with_kernel(options.kernel)
            .with_max_depth(u32::MAX)
            .with_skeleton_depth(options.skeleton_depth);
        let linked = ready.events.and_then(|(from, to)| self.core.events().get(from..to));
        let document = match linked {
            Some(events) => Document::of_events(source, parse, events, ready.span.start),
            None => Document::of_valid(source, parse),
        };
        Record { document, ready, end: ready.start.byte + u64::from(ready.span.len()) }
    }
}

impl std::fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Records").field("end", &self.core.end()).finish_non_exhaustive()
    }
}

/// The error of a record that is larger than the maximum.
fn refused(place: &str, start: Position, options: &Options) -> Box<OwnedDiagnostic> {
    let limit = options.max_record.to_string();
    let at = (start, start.after(1));
    OwnedDiagnostic::of_stream(Code::RecordTooLarge, &[place, &limit], at, &options.name)
}
