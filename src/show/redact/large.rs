//! Redaction of input of any length: it is read several times, record by record.
//!
//! A *record* is a change, a resource among values, in a configuration or in a state file. All
//! other text is the *skeleton*, an ordinary document in which one empty object stands for each row
//! of records. It is kept, as are marks and the texts of secrets. The passes are:
//!
//! 1. The skeleton, and the marks of all changes.
//! 2. The secrets of all records. Resources among values have the marks of changes, too.
//! 3. Resources without own marks, if a change has marks and its value was not found.
//! 4. The configuration, if a mark was found after it.
//! 5. Each record is searched for all secrets, and written.
//!
//! The result is that for the whole document, which reads the same parts with the same code.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::rc::Rc;

use super::by_schema::Types;
use super::configuration::{Expressions, variable};
use super::content::{Finder, is_of_values};
use super::hints::{Hints, may_mark};
use super::instances::{Entry, Identity, Instances, ModulePath, Side};
use super::marked::{Marked, settled};
use super::options::Options;
use super::place::Places;
use super::stands::Stands;
use super::texts::Texts;
use super::values::{MarkedChange, Resource};
use super::{check, write, write_span};
use crate::arena::Arena;
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::document::Document;
use crate::event::{ParseOptions, Scratch};
use crate::hash::{HashMap, HashSet};
use crate::json::{Node, Object};
use crate::show::config::ConfigResource;
use crate::show::field::{self, Read as _};
use crate::show::input::document;
use crate::show::kind::DocumentKind;
use crate::show::plan::{Plan, RelevantAttribute, ResourceChange};
use crate::show::shown::Shown;
use crate::show::state::{RawResource, RawState, Resource as StateResource, State};
use crate::source::Source;
use crate::span::Span;
use crate::stream::{self, Path, Problem, Record, Records};

/// The paths of records.
const PATHS: [&str; 9] = [
    "resource_changes[*]",
    "resource_drift[*]",
    "planned_values.root_module(.child_modules[*])*.resources[*]",
    "prior_state.values.root_module(.child_modules[*])*.resources[*]",
    "configuration.root_module(.module_calls.*.module)*.resources[*]",
    "relevant_attributes[*]",
    "values.root_module(.child_modules[*])*.resources[*]",
    "resources[*]",
    "root(.child_modules[*])*.resources[*]",
];

/// What stands for a row of records.
const PLACEHOLDER: &[u8] = b"{}";

/// What a record is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Change { is_planned: bool },
    Value(Side),
    Configuration,
    Relevant,
    State,
    Raw,
    Other,
}

/// The kind of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plan,
    State,
    Raw,
}

impl Kind {
    /// What the records of a path are in documents of this kind.
    fn what(self, path: usize) -> What {
        match (self, path) {
            (Self::Plan, 0 | 1) => What::Change { is_planned: path == 0 },
            (Self::Plan, 2) => What::Value(Side::After),
            (Self::Plan, 3) => What::Value(Side::Before),
            (Self::Plan, 4) => What::Configuration,
            (Self::Plan, 5) => What::Relevant,
            (Self::State, 6 | 8) => What::State,
            (Self::Raw, 7) => What::Raw,
            _ => What::Other,
        }
    }
}

/// Input that can be read again.
pub trait Input: Read + Seek {}

impl<T: Read + Seek> Input for T {}

/// Why a document is not redacted as a stream.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The input cannot be read.
    Input(io::Error),
    /// The first error of the stream, or a record that is too large.
    Problem(Box<Problem>),
    /// The document has more text outside of its resources than this many bytes.
    Skeleton(usize),
    /// The document is not a plan or a state whose sensitive values are known. Reading it as a whole
    /// ([`Places::of`]) reports why.
    Unclear,
    /// The input has changed while it was read.
    Changed,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Problem(problem) => problem.fmt(f),
            Self::Skeleton(limit) => write!(
                f,
                "the document has more than {limit} bytes outside of its resources and changes"
            ),
            Self::Unclear => f.write_str("it is not known which values are sensitive"),
            Self::Changed => f.write_str("the input has changed while it was read"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Input(error)
    }
}

/// A part of the input.
enum Piece<'p> {
    /// Text of the skeleton, from an offset in it.
    Skeleton(&'p [u8], u32),
    /// White space and a comma between records.
    Gap(&'p [u8]),
    /// A record, and the offset in the skeleton of what stands for it.
    Record(&'p Record<'p>, u32),
}

/// The bytes of the input that are not in a piece yet.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    start: u64,
    is_full: bool,
}

impl Kept {
    fn get(&self, from: u64, to: u64) -> &[u8] {
        let [from, to] = [from, to].map(|at| at.saturating_sub(self.start) as usize);
        self.bytes.get(from..to).unwrap_or_default()
    }

    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    fn forget(&mut self, to: u64) {
        let count = (to.saturating_sub(self.start) as usize).min(self.bytes.len());
        self.bytes.drain(..count);
        self.start += count as u64;
    }
}

/// Keeps the bytes that are read.
struct Tee<'i> {
    input: &'i mut dyn Input,
    kept: Rc<RefCell<Kept>>,
    limit: usize,
}

impl Read for Tee<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut kept = self.kept.borrow_mut();
        if kept.bytes.len() > self.limit {
            kept.is_full = true;
            return Err(io::Error::from(io::ErrorKind::OutOfMemory));
        }
        let count = self.input.read(out)?;
        kept.bytes.extend_from_slice(out.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// Reads all of the input, piece by piece.
fn pass(
    input: &mut dyn Input,
    options: &stream::Options,
    each: &mut dyn FnMut(Piece<'_>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    input.seek(SeekFrom::Start(0))?;
    let kept = Rc::new(RefCell::new(Kept::default()));
    // The largest record, the window, and text that is not in a record.
    let limit = options.max_record.saturating_mul(2).saturating_add(2 << 20);
    let tee = Tee { input, kept: Rc::clone(&kept), limit };
    let paths = PATHS.iter().filter_map(|path| Path::parse(path).ok()).collect();
    let mut records = Records::new(tee, options.clone(), paths);
    // Offsets in the stream and in the skeleton.
    let (mut at, mut cursor) = (0, 0_u64);
    let mut is_in_row = false;
    let large = || Refusal::Skeleton(options.max_record);
    let place = |cursor: u64| u32::try_from(cursor).map_err(|_| large());
    loop {
        let batch = match records.batch() {
            Ok(Some(batch)) => batch,
            Ok(None) => break,
            Err(_) if kept.borrow().is_full => return Err(large()),
            Err(problem) => return Err(Refusal::Problem(problem)),
        };
        let mut kept = kept.borrow_mut();
        for record in &batch {
            let text = kept.get(at, record.span().start);
            let is_gap = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',');
            if is_in_row && text.iter().all(is_gap) {
                each(Piece::Gap(text))?;
            } else {
                each(Piece::Skeleton(text, place(cursor)?))?;
                cursor += (text.len() + PLACEHOLDER.len()) as u64;
                if cursor > options.max_record as u64 {
                    return Err(large());
                }
            }
            is_in_row = true;
            each(Piece::Record(record, place(cursor)? - PLACEHOLDER.len() as u32))?;
            at = record.span().end;
        }
        kept.forget(at);
    }
    let kept = kept.borrow();
    each(Piece::Skeleton(kept.get(at, kept.end()), place(cursor)?))
}

/// Texts and trees of marks, each once.
struct Interned<'t> {
    arena: &'t Arena,
    strings: HashSet<&'t str>,
    trees: HashMap<&'t [u8], Node<'t>>,
}

impl<'t> Interned<'t> {
    fn string(&mut self, text: &str) -> &'t str {
        if let Some(known) = self.strings.get(text) {
            return known;
        }
        let text = self.arena.str(text);
        self.strings.insert(text);
        text
    }

    fn tree(&mut self, tree: Node<'_>) -> Result<Node<'t>, Refusal> {
        if let Some(known) = self.trees.get(tree.text()) {
            return Ok(*known);
        }
        let text: &'t [u8] = self.arena.bump().alloc_slice_copy(tree.text());
        let source = Source::from_bytes(self.arena, "", text).map_err(|_| Refusal::Unclear)?;
        let options = ParseOptions::default().with_max_depth(u32::MAX);
        let document = Document::parse_with(self.arena, source, &options);
        let root = document.map_err(|_| Refusal::Unclear)?.root();
        self.trees.insert(text, root);
        Ok(root)
    }

    fn identity(&mut self, identity: Identity<'_>) -> Identity<'t> {
        identity.map(|text| self.string(text))
    }

    fn change(&mut self, change: MarkedChange<'_>) -> Result<MarkedChange<'t>, Refusal> {
        let [before, after] = change.sides;
        let mut side = |side: Option<(Node<'_>, bool)>| match side {
            Some((tree, has_value)) => self.tree(tree).map(|tree| Some((tree, has_value))),
            None => Ok(None),
        };
        let sides = [side(before)?, side(after)?];
        let instance = self.identity(change.instance);
        Ok(MarkedChange { instance, sides, is_planned: change.is_planned })
    }
}

/// The records of one module of the configuration.
struct Module {
    /// Of the list, in the skeleton.
    span: Span,
    number: usize,
    path: ModulePath,
    /// Whether a name on the way to the module is one of values, whose members are values, too.
    is_value: bool,
}

/// A document whose sensitive parts are known, and that can be written.
///
/// Memory: the text outside of the records, which are changes and resources; the largest record
/// twice; and the texts, places and marks of sensitive values. Time: the input is parsed three to
/// five times.
///
/// ```
/// use std::io::Cursor;
///
/// use simd_hcl::show::redact::{Large, Options};
/// use simd_hcl::{Arena, stream};
///
/// let arena = Arena::new();
/// let plan = br#"{"format_version":"1.2","resource_changes":[{"address":"a.b","change":{
///     "actions":["create"],"before":null,"after":{"key":"s3cret"},"after_unknown":{},
///     "before_sensitive":false,"after_sensitive":{"key":true}}}]}"#;
/// let mut input = Cursor::new(plan);
/// let options = stream::Options::default();
/// let large = Large::read(&arena, &mut input, Options::default(), options, &mut ())?;
/// let mut out = Vec::new();
/// large.write(&mut out)?;
/// assert!(!String::from_utf8_lossy(&out).contains("s3cret"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Large<'t, 'i> {
    /// `None` while it is read.
    input: Option<&'i mut dyn Input>,
    settings: stream::Options,
    document: Document<'t>,
    kind: Kind,
    instances: Instances<'t>,
    /// In the order of the skeleton.
    modules: Vec<Module>,
    /// The sides whose values are searched although they have no own marks.
    visits: [bool; 2],
    finder: Finder,
    /// In the skeleton.
    places: Places,
}

impl fmt::Debug for Large<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Large").finish_non_exhaustive()
    }
}

/// Called with each record, and the offset in the skeleton of what stands for it.
type OnRecord<'e, T> = &'e mut dyn FnMut(&mut T, &Record<'_>, What, u32) -> Result<(), Refusal>;

/// Whether an entry has the shape of its type.
fn has_shape<'a, T: field::Read<'a>>(root: Node<'a>) -> bool {
    is_right(|sink| T::shape().check_with_names(root, sink))
}

/// Whether a check found nothing wrong.
fn is_right<'a>(check: impl FnOnce(&mut dyn Sink<'a>)) -> bool {
    let mut found: Vec<Diagnostic<'a>> = Vec::new();
    check(&mut found);
    found.iter().all(|diagnostic| diagnostic.severity() != Severity::Error)
}

impl<'t, 'i> Large<'t, 'i> {
    /// Finds the sensitive parts of a plan, a state or a state file. Warnings go to `sink`.
    ///
    /// The input must not change while it is read.
    ///
    /// # Errors
    /// The document is not valid JSON, or cannot be redacted as a stream. Nothing of it may be
    /// shown then.
    pub fn read(
        arena: &'t Arena,
        input: &'i mut dyn Input,
        options: Options,
        settings: stream::Options,
        sink: &mut dyn Sink<'t>,
    ) -> Result<Self, Refusal> {
        let settings = settings.with_skeleton_depth(u32::MAX);
        let (strings, trees) = (HashSet::default(), HashMap::default());
        let mut interned = Interned { arena, strings, trees };
        let mut instances = Instances::new(None, true);
        let mut skeleton: Vec<u8> = Vec::new();
        let mut is_state_odd = false;
        let mut is_raw_odd = false;
        let mut is_plan_odd = false;
        let mut is_late = false;
        let mut has_configuration = false;
        let mut kinds: HashSet<(&str, &str)> = HashSet::default();
        let name = arena.str(&settings.name);
        pass(input, &settings, &mut |piece| {
            let (record, at) = match piece {
                Piece::Gap(_) => return Ok(()),
                Piece::Skeleton(text, _) => {
                    skeleton.extend_from_slice(text);
                    return Ok(());
                }
                Piece::Record(record, at) => (record, at),
            };
            if skeleton.len() <= at as usize {
                skeleton.extend_from_slice(PLACEHOLDER);
            }
            let root = record.document().root();
            let mut marked = Marked::default();
            // The kind of the document is not known yet.
            match record.path() {
                path @ (0 | 1) => {
                    is_late |= has_configuration;
                    if may_mark(root.source().bytes()) {
                        let change = marked.change(root, path == 0, &instances);
                        is_plan_odd |= marked.is_odd && !has_shape::<ResourceChange>(root);
                        if let Some(change) = change {
                            interned.change(change)?.note(&mut instances);
                        }
                    }
                }
                2 | 3 => {
                    is_late |= has_configuration;
                    if may_mark(root.source().bytes()) {
                        let (entry, tree) = marked.resource(root);
                        is_plan_odd |= marked.is_odd && !has_shape::<StateResource>(root);
                        if tree.is_some() {
                            let (mode, resource_type) = entry.kind();
                            let mode = interned.string(mode);
                            kinds.insert((mode, interned.string(resource_type)));
                        }
                    }
                }
                4 => {
                    has_configuration = true;
                    is_plan_odd |= !has_shape::<ConfigResource>(root);
                }
                5 => {
                    is_plan_odd |= !has_shape::<RelevantAttribute>(root);
                }
                6 | 8 => {
                    marked.resource(root);
                    is_state_odd |= marked.is_odd && !has_shape::<StateResource>(root);
                }
                _ => {
                    is_raw_odd |= !has_shape::<RawResource>(root);
                }
            }
            Ok(())
        })?;
        let text = arena.bump().alloc_slice_copy(&skeleton);
        drop(skeleton);
        let source = Source::from_bytes(arena, name, text).map_err(|_| Refusal::Unclear)?;
        let parse = ParseOptions::default()
            .with_kernel(settings.kernel)
            .with_max_depth(settings.max_depth)
            .with_skeleton_depth(Places::DEPTH);
        let document = document(arena, source, &parse, sink).map_err(|_| Refusal::Unclear)?;
        // What is parsed in this arena from now on is small.
        arena.with_scratch(|scratch: &mut Scratch| *scratch = Scratch::default());
        let root = document.root();
        let (kind, is_odd) = match DocumentKind::of(root) {
            DocumentKind::OldState => return Err(Refusal::Unclear),
            DocumentKind::RawState => (Kind::Raw, is_raw_odd),
            DocumentKind::State | DocumentKind::RedactedState | DocumentKind::OnlyVersion => {
                (Kind::State, is_state_odd)
            }
            _ => (Kind::Plan, is_plan_odd),
        };
        if is_odd || !is_right(|sink| check::check_outside_of_entries(root, sink)) {
            return Err(Refusal::Unclear);
        }
        let mut large = Self {
            input: Some(input),
            settings,
            document,
            kind,
            instances,
            modules: Vec::new(),
            visits: [false; 2],
            finder: Finder::of(Texts::default()),
            places: Places::default(),
        };
        let mut texts = Texts::default();
        let mut marked = Marked::default();
        match kind {
            Kind::Plan => {
                let plan = Plan::of(document, sink).ok_or(Refusal::Unclear)?;
                let mut search = Search { options, interned, kinds, texts: &mut texts };
                search.plan(&mut large, plan, is_late, &mut marked)?;
            }
            Kind::State => marked.state(State::of(document, sink).ok_or(Refusal::Unclear)?),
            Kind::Raw => marked.raw_state(
                RawState::of(document, sink).ok_or(Refusal::Unclear)?,
                &mut Types::new(None),
            ),
        }
        if kind != Kind::Plan {
            large.pass(&mut |large, record, what, _| {
                let mut of_record = Marked::default();
                large.mark(what, record.document().root(), None, &mut of_record, &mut |_| {});
                marked.unmarked_types.append(&mut of_record.unmarked_types);
                texts.add(&settled(of_record.spans), record.document().source().bytes());
                Ok(())
            })?;
            marked.report_unmarked(root, sink);
        }
        if marked.is_odd && !is_right(|sink| check(root, sink)) {
            return Err(Refusal::Unclear);
        }
        let secrets = settled(marked.spans);
        let all = settled(secrets.iter().copied().chain(marked.unmarked).collect());
        texts.add(&secrets, root.source().bytes());
        if !options.keep_repeated_text {
            large.finder = Finder::of(texts);
        }
        large.places = Places::of_values(&all);
        let matchers = large.finder.add(root, Stands::Format, &mut large.places.places, false);
        large.places.matchers = matchers;
        Ok(large)
    }

    /// The document without its records: an empty object stands for each row of them.
    #[must_use]
    pub fn skeleton(&self) -> Document<'t> {
        self.document
    }

    /// What of the [skeleton](Self::skeleton) is shown.
    #[must_use]
    pub fn shown(&self) -> Shown {
        Shown::outside(self.document.root(), self.places.clone())
    }

    /// Reads the changes of a plan or the resources of a state again, in the order of the document.
    /// Calls `each` with those that end in one window of the stream, and what of them is shown:
    /// everything, if `shows_secrets`.
    ///
    /// # Errors
    /// Errors of the input and of `each`.
    pub fn rows(
        &mut self,
        shows_secrets: bool,
        each: &mut dyn FnMut(&[Row<'_, '_>], &Shown) -> io::Result<()>,
    ) -> Result<(), Refusal> {
        let Some(input) = self.input.take() else { return Err(Refusal::Changed) };
        let result = self.each_row(input, shows_secrets, each);
        self.input = Some(input);
        result
    }

    fn each_row(
        &self,
        input: &mut dyn Input,
        shows_secrets: bool,
        each: &mut dyn FnMut(&[Row<'_, '_>], &Shown) -> io::Result<()>,
    ) -> Result<(), Refusal> {
        input.seek(SeekFrom::Start(0))?;
        let paths = PATHS.iter().filter_map(|path| Path::parse(path).ok()).collect();
        let mut records = Records::new(input, self.settings.clone(), paths);
        let mut counts = [0; PATHS.len()];
        while let Some(batch) = records.batch().map_err(Refusal::Problem)? {
            let mut rows = Vec::with_capacity(batch.len());
            let mut places = Vec::new();
            for record in &batch {
                let index = counts.get_mut(record.path()).map_or(0, |count| {
                    *count += 1;
                    *count - 1
                });
                let what = self.kind.what(record.path());
                let kind = match what {
                    What::Change { is_planned: true } => RowKind::Change,
                    What::Change { is_planned: false } => RowKind::Drift,
                    What::State => RowKind::Resource,
                    What::Raw => RowKind::RawResource,
                    What::Value(_) | What::Configuration | What::Relevant | What::Other => continue,
                };
                rows.push(Row { kind, index, record });
                if !shows_secrets {
                    let root = record.document().root();
                    places.push((root, self.places_of(what, root, None)));
                }
            }
            let shown = match shows_secrets {
                true => Shown::everything(),
                false => Shown::outside_of(places),
            };
            each(&rows, &shown)?;
        }
        Ok(())
    }

    /// The sensitive parts of a record.
    fn places_of(&self, what: What, root: Node<'_>, module: Option<&Module>) -> Places {
        let mut marked = Marked::default();
        self.mark(what, root, module, &mut marked, &mut |_| {});
        let spans = marked.spans.into_iter().chain(marked.unmarked).collect();
        let mut places = Places::of_values(&settled(spans));
        let is_value = what == What::Configuration && module.is_some_and(|it| it.is_value);
        let stands = if is_value { Stands::Text } else { Stands::Format };
        places.matchers = self.finder.add(root, stands, &mut places.places, false);
        places
    }

    /// Writes the document with its sensitive parts replaced.
    ///
    /// # Errors
    /// Errors of the input and of `out`.
    pub fn write(mut self, out: &mut dyn Write) -> Result<(), Refusal> {
        let places = std::mem::take(&mut self.places);
        let source = self.document.source();
        self.pieces(&mut |large, piece| match piece {
            Piece::Gap(text) => Ok(out.write_all(text)?),
            Piece::Skeleton(text, at) => {
                let span = Span::new(at, at + text.len() as u32);
                Ok(write_span(source, span, &places, out)?)
            }
            Piece::Record(record, at) => {
                // No sensitive part of the skeleton has records inside.
                if places.touch(Span::new(at, at + PLACEHOLDER.len() as u32)) {
                    return Err(Refusal::Unclear);
                }
                let (document, module) = (record.document(), large.module_at(at));
                let what = large.kind.what(record.path());
                let places = large.places_of(what, document.root(), module);
                Ok(write(document.source(), &places, out)?)
            }
        })
    }

    /// The module of the configuration whose list is around an offset in the skeleton.
    fn module_at(&self, at: u32) -> Option<&Module> {
        let next = self.modules.partition_point(|module| module.span.end <= at);
        self.modules.get(next).filter(|module| module.span.start <= at)
    }

    /// Reads the input again.
    fn pieces(
        &mut self,
        each: &mut dyn FnMut(&mut Self, Piece<'_>) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let skeleton = self.document.source().bytes();
        let settings = self.settings.clone();
        let Some(input) = self.input.take() else { return Err(Refusal::Changed) };
        let result = pass(input, &settings, &mut |piece| {
            if let Piece::Skeleton(text, at) = &piece
                && skeleton.get(*at as usize..*at as usize + text.len()) != Some(text)
            {
                return Err(Refusal::Changed);
            }
            each(self, piece)
        });
        self.input = Some(input);
        result
    }

    /// Reads all records again.
    fn pass(&mut self, each: OnRecord<'_, Self>) -> Result<(), Refusal> {
        self.pieces(&mut |large, piece| match piece {
            Piece::Record(record, at) => each(large, record, large.kind.what(record.path()), at),
            _ => Ok(()),
        })
    }

    /// Adds the parts of a record to hide. Calls `found` with each expression that is hidden.
    /// Returns the own tree of a value if no change has it.
    fn mark<'r>(
        &self,
        what: What,
        root: Node<'r>,
        module: Option<&Module>,
        marked: &mut Marked,
        found: &mut dyn FnMut(Object<'r>),
    ) -> Option<(Identity<'r>, Node<'r>)> {
        let bytes = || root.source().bytes();
        match what {
            What::Change { is_planned } => {
                if may_mark(bytes()) {
                    marked.change(root, is_planned, &self.instances);
                }
            }
            What::Value(side) => {
                if self.visits[usize::from(side == Side::After)] || may_mark(bytes()) {
                    let (entry, tree) = marked.resource(root);
                    let resource = Resource { entry, side, tree };
                    let tree = resource.cover(&self.instances, &mut marked.spans)?;
                    return Some((self.instances.identity(&resource.entry), tree));
                }
            }
            What::Configuration => {
                let resource = ConfigResource::read(root)?;
                let instances = Some(&self.instances);
                marked.expressions(resource, module?.path, instances, &mut |it| found(it));
            }
            What::State => {
                marked.resource(root);
            }
            What::Raw => {
                marked.raw_resource(RawResource::read(root)?, &mut Types::new(None));
            }
            What::Relevant | What::Other => {}
        }
        None
    }
}

/// The kind of a [`Row`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowKind {
    /// An entry of `resource_changes`.
    Change,
    /// An entry of `resource_drift`.
    Drift,
    /// A resource of a printed state.
    Resource,
    /// A resource of a state file.
    RawResource,
}

/// A record of a document that is read as a stream.
#[derive(Clone, Copy)]
pub struct Row<'b, 'r> {
    kind: RowKind,
    index: u64,
    record: &'b Record<'r>,
}

impl fmt::Debug for Row<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, index) = (self.kind, self.index);
        f.debug_struct("Row").field("kind", &kind).field("index", &index).finish_non_exhaustive()
    }
}

impl<'r> Row<'_, 'r> {
    /// What it is.
    #[must_use]
    pub fn kind(&self) -> RowKind {
        self.kind
    }

    /// The value.
    #[must_use]
    pub fn node(&self) -> Node<'r> {
        self.record.document().root()
    }

    /// The offset in the stream at which it ends.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.record.span().end
    }

    /// Reports every member whose type differs from the format, like [`Plan::check`].
    pub fn check(&self, sink: &mut dyn Sink<'r>) {
        let (shape, list) = match self.kind {
            RowKind::Change => (ResourceChange::shape(), "resource_changes"),
            RowKind::Drift => (ResourceChange::shape(), "resource_drift"),
            // The list of a resource is that of any module.
            RowKind::Resource => return StateResource::shape().check(self.node(), sink),
            RowKind::RawResource => (RawResource::shape(), "resources"),
        };
        shape.check_at(&format!("{list}[{}]", self.index), self.node(), sink);
    }
}

/// The search for secrets in a plan.
struct Search<'t, 's> {
    options: Options,
    interned: Interned<'t>,
    /// The kinds of values with marks.
    kinds: HashSet<(&'t str, &'t str)>,
    texts: &'s mut Texts,
}

impl<'t> Search<'t, '_> {
    fn plan(
        &mut self,
        large: &mut Large<'t, '_>,
        plan: Plan<'t>,
        is_late: bool,
        marked: &mut Marked,
    ) -> Result<(), Refusal> {
        let expressions =
            plan.configuration().value().map(|all| Expressions::new(all, self.options));
        large.modules = expressions.as_ref().map(modules_of).unwrap_or_default();
        let planned = plan.planned_values().value();
        let prior = plan.prior_state().value().and_then(|state| state.values_field().value());
        let sides = [(Side::Before, prior), (Side::After, planned)];
        let hints = Hints::of(plan.object().node(), false);
        marked.changes(plan, &hints, &mut large.instances, false);
        for (side, values) in sides {
            marked.values(values, side, &hints, &mut Vec::new(), false);
        }
        let mut blocks = HashSet::default();
        let mut configuration = OfConfiguration::default();
        let has_blocks = expressions.is_some();
        large.pass(&mut |large, record, what, at| match what {
            What::Change { .. } | What::Value(_) => {
                let root = record.document().root();
                self.secrets(large, record, what)?;
                if has_blocks {
                    let entry = Entry::of(root);
                    if self.kinds.contains(&entry.kind()) || large.instances.is_marked(&entry) {
                        blocks.extend(large.instances.unmarked_block(&entry));
                    }
                }
                Ok(())
            }
            What::Configuration if !is_late => {
                large.instances.set_planned(plan, &mut blocks);
                self.configuration(large, record, at, &mut configuration);
                Ok(())
            }
            _ => Ok(()),
        })?;
        large.instances.set_planned(plan, &mut blocks);
        let unmatched = [Side::Before, Side::After].map(|side| large.instances.has_unmatched(side));
        if unmatched.contains(&true) {
            large.visits = unmatched;
            large.pass(&mut |large, record, what, _| match what {
                What::Value(_) if !may_mark(record.document().source().bytes()) => {
                    self.secrets(large, record, what)
                }
                _ => Ok(()),
            })?;
        }
        if has_blocks && (is_late || unmatched.contains(&true)) {
            configuration = OfConfiguration::default();
            large.pass(&mut |large, record, what, at| {
                if what == What::Configuration {
                    self.configuration(large, record, at, &mut configuration);
                }
                Ok(())
            })?;
        }
        self.texts.append(configuration.texts);
        marked.plan_outputs(plan, sides.map(|(_, values)| values));
        if let Some(expressions) = expressions {
            let known = configuration.variables.into_iter().collect();
            expressions.hide(Some((plan, &large.instances)), known, marked);
        }
        Ok(())
    }

    /// Notes the secrets of a change or a value.
    fn secrets(
        &mut self,
        large: &mut Large<'t, '_>,
        record: &Record<'_>,
        what: What,
    ) -> Result<(), Refusal> {
        let root = record.document().root();
        let mut marked = Marked::default();
        let unknown = large.mark(what, root, None, &mut marked, &mut |_| {});
        if let Some((identity, tree)) = unknown {
            let (identity, tree) = (self.interned.identity(identity), self.interned.tree(tree)?);
            large.instances.note(&identity, tree);
        }
        // Values without own marks were not checked before.
        if marked.is_odd && !has_shape::<StateResource>(root) {
            return Err(Refusal::Unclear);
        }
        self.texts.add(&settled(marked.spans), root.source().bytes());
        Ok(())
    }

    /// Notes the secrets of a resource of the configuration, and the variables that it hides.
    fn configuration(
        &mut self,
        large: &Large<'t, '_>,
        record: &Record<'_>,
        at: u32,
        found: &mut OfConfiguration<'t>,
    ) {
        let Some(module) = large.module_at(at) else { return };
        let root = record.document().root();
        let mut marked = Marked::default();
        large.mark(What::Configuration, root, Some(module), &mut marked, &mut |expression| {
            if let Some(name) = variable(expression) {
                found.variables.insert((module.number, self.interned.string(name)));
            }
        });
        found.texts.add(&settled(marked.spans), root.source().bytes());
    }
}

/// What was found in the resources of the configuration.
#[derive(Default)]
struct OfConfiguration<'t> {
    texts: Texts,
    /// The numbers of modules, and the names of their variables whose values are secret.
    variables: HashSet<(usize, &'t str)>,
}

/// The lists of resources of all modules, in the order of the skeleton.
fn modules_of(expressions: &Expressions<'_>) -> Vec<Module> {
    let mut values: Vec<bool> = Vec::new();
    let mut modules = Vec::new();
    for (number, (module, path)) in expressions.modules().enumerate() {
        let call = expressions.call(number);
        let is_value = call.is_some_and(|(caller, name)| {
            values.get(caller).copied().unwrap_or_default() || is_of_values(name.as_bytes())
        });
        values.push(is_value);
        if let Some(resources) = module.resources().value() {
            let span = resources.array().node().span();
            modules.push(Module { span, number, path, is_value });
        }
    }
    modules.sort_unstable_by_key(|module| module.span.start);
    modules
}
