//! Queries: the blocks and attributes of a file that a path pattern selects.
//!
//! A [`Pattern`] is a path of steps:
//!
//! | step | selects |
//! |---|---|
//! | `ami`, `"a.b"`, `["a.b"]` | the member with that name |
//! | `*` | any member |
//! | `aws_*`, `?` | members with a matching name: `*` matches any characters, `?` one |
//! | `**` | any number of steps, including none |
//! | `[0]`, `[*]` | that element, any element |
//!
//! A path starts at the root of a file with a block type, followed by the labels and the members of
//! the body: `resource.aws_instance.*.ami`. JSON does not distinguish a block from a list of
//! blocks, so:
//!
//! * Arrays above and at the bodies of top-level blocks are not steps: `provider.aws.region`
//!   selects the region of every block of `"provider": {"aws": [{…}, {…}]}`.
//! * A step with a name passes through an array: `ebs_block_device.volume_size` selects the size in
//!   every element. `[0]` and `[*]` select elements.
//!
//! * The labels of a nested block of native syntax may be left out before a name.
//!
//! A pattern that ends at a label (`resource.aws_instance`) selects all blocks below it. Properties
//! named `"//"` are comments, selected only by a pattern that names them.
//!
//! A value whose path cannot match is skipped without opening it.
//!
//! ```
//! use simd_hcl::dialect::{Dialect, List, root_schema};
//! use simd_hcl::query::{Pattern, select};
//!
//! let arena = simd_hcl::Arena::new();
//! let json = br#"{"resource": {"aws_instance": {"web": {"ami": "ami-1"}, "db": {"ami": "ami-2"}}}}"#;
//! let document = simd_hcl::Document::parse_bytes(&arena, "main.tf.json", json)?;
//! let pattern = Pattern::parse("resource.aws_instance.*.ami").unwrap();
//! let schema = root_schema(Dialect::OpenTofu, List::Primary);
//! let found: Vec<_> = select(&pattern, document, schema)
//!     .map(|found| (found.address(), found.name(), found.expression().to_str()))
//!     .collect();
//! assert_eq!(found[0], ("aws_instance.web".into(), "ami".into(), Some("ami-1")));
//! assert_eq!(found[1], ("aws_instance.db".into(), "ami".into(), Some("ami-2")));
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```

mod condition;
mod pattern;

use crate::arena::Arena;
use crate::body::{Body, Schema};
use crate::dialect::{Dialect, List, block_address, joined_bodies, root_schema};
use crate::expression::{
    Elements, Entries, Expression, JsonPath, MapKey, PathStack, PathStep, write_steps,
};
use crate::hash::HashMap;
use crate::hidden::Hidden;
use crate::span::Span;
use crate::stream::{Path, Record};
use crate::structure::{FileBlock, LabelRow};
use crate::suggest::nearest;

pub use self::condition::{Condition, Verdict};
pub use self::pattern::{Pattern, PatternError};

use self::pattern::Progress;

/// A block or attribute that a pattern selects, or a value inside an attribute.
///
/// ```
/// use simd_hcl::dialect::{Dialect, List, root_schema};
/// use simd_hcl::query::{Pattern, select};
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let json = br#"{"variable": {"size": {"default": 3}}}"#;
/// let document = Document::parse_bytes(&arena, "main.tf.json", json)?;
/// let pattern = Pattern::parse("variable.*.default")?;
/// let schema = root_schema(Dialect::OpenTofu, List::Primary);
/// let found = select(&pattern, document, schema).next().unwrap();
/// assert_eq!((found.address(), found.name()), ("var.size".into(), "default".into()));
/// assert_eq!(found.expression().text(), b"3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Selected<'a> {
    value: Expression<'a>,
    span: Span,
    path: JsonPath<'a>,
    /// The number of steps of the path that are the block type and labels.
    head: usize,
    is_exact: bool,
    around: Around<'a>,
}

/// The objects around a value.
#[derive(Clone, Copy, Debug, Default)]
struct Around<'a> {
    /// The innermost one.
    object: Option<Expression<'a>>,
    /// The body of the block.
    body: Option<Expression<'a>>,
}

impl<'a> Selected<'a> {
    /// Its path in the file, from the block type on: `resource.aws_instance.web.ami`.
    #[must_use]
    pub fn path(&self) -> JsonPath<'a> {
        self.path
    }

    /// The value, or the body of a block.
    #[must_use]
    pub fn expression(&self) -> Expression<'a> {
        self.value
    }

    /// The bytes of the attribute with its name, of the element, or of the block's body.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether the pattern ends at it, and not at a label above it.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Whether it is a block in native syntax, which is not a value.
    #[must_use]
    pub fn is_native_block(&self) -> bool {
        self.value.as_block().is_some()
    }

    /// Whether members can be added to it, and whether it has one of this name: `None` if it is not a
    /// body or an object.
    #[must_use]
    pub fn has_member(&self, name: &str) -> Option<bool> {
        match self.value.as_block() {
            Some(block) => Some(block.body().items().any(|item| item.name() == name)),
            None => self.value.is_map().then(|| self.value.member(name).is_some()),
        }
    }

    /// The bytes of what is removed with it: the attribute with its name, the element; of a block in
    /// native syntax all of it, with its type and labels.
    #[must_use]
    pub fn item_span(&self) -> Span {
        self.value.as_block().map_or(self.span, FileBlock::span)
    }

    /// The bytes of the body or the object, brackets included, if it is one that members can be added
    /// to.
    #[must_use]
    pub fn container_span(&self) -> Span {
        self.value.as_block().map_or(self.value.span(), |block| block.body().span())
    }

    /// The bodies that it is one of, by their index in [`joined_bodies`], if it may be the body of one of
    /// several blocks that are one in a module.
    #[must_use]
    pub fn joined_body(&self, dialect: Dialect) -> Option<usize> {
        let steps = self.path.steps();
        let names = || steps.iter().filter_map(PathStep::name);
        joined_bodies(dialect).iter().position(|path| path.split('.').eq(names()))
    }

    /// The number of steps of its path that are the block type and labels.
    pub(crate) fn head(&self) -> usize {
        self.head
    }

    /// Whether it is a block at the top level of its file.
    #[must_use]
    pub fn is_block(&self) -> bool {
        self.head > 0 && self.path.steps().len() == self.head
    }

    /// The address of the object that contains it: `aws_instance.web`, `var.region`; the block type
    /// if there is no address, as for `terraform`.
    #[must_use]
    pub fn address(&self) -> String {
        let steps = self.path.steps();
        let mut labels = steps[..self.owner(&steps)].iter().map(|step| match step {
            PathStep::Member(name) => name.to_str(),
            PathStep::Element(_) => "",
        });
        // A file of variables sets a variable at its root.
        let block_type =
            if self.head == 0 { "variable" } else { labels.next().unwrap_or_default() };
        block_address(block_type, labels)
    }

    /// The path inside the object of [`Selected::address`]: `ami`, `ingress[0].from_port`; empty
    /// for the block itself.
    #[must_use]
    pub fn name(&self) -> String {
        let steps = self.path.steps();
        let mut name = String::new();
        let _ = write_steps(&steps[self.owner(&steps)..], &mut name);
        name
    }

    /// If the value must not be shown: the value that may be named instead, which is the outermost
    /// one that is hidden as a whole. Its path has no names of the value. See [`crate::hidden`].
    #[must_use]
    pub fn hidden(mut self, hidden: &Hidden, list: List) -> Option<Self> {
        let arena = self.value.source().arena();
        self.path = hidden.path(list, (&[], self.path), Some(self.value), arena)?;
        Some(self)
    }

    /// Whether it depends on the declarations of the module, and of modules that it calls, if the
    /// value must not be shown.
    #[must_use]
    pub fn may_be_hidden(&self, list: List) -> bool {
        Hidden::decides(list, self.path)
    }

    /// Returns the number of steps of the path that identify the object it belongs to.
    fn owner(&self, steps: &[PathStep<'a>]) -> usize {
        let is_local = matches!(steps.first(), Some(PathStep::Member(name)) if name.is("locals"));
        // Each property of `locals`, and of a file of variables, is a separate object.
        let own = usize::from(self.head == 0 || (is_local && self.head == 1));
        (self.head + own).min(steps.len())
    }
}

/// Selects the values in a document that a pattern matches, in source order. `schema` is the schema
/// of the file's root body ([`root_schema`]); `None` for files of variables.
///
/// Cost: linear in the containers that the pattern opens, times the steps of the pattern.
#[must_use]
pub fn select<'p, 'a>(
    pattern: &'p Pattern,
    file: impl Into<Body<'a>>,
    schema: Option<&'p Schema<'p>>,
) -> Selection<'p, 'a> {
    let root = file.into().as_expression();
    let next = Visit {
        value: root,
        span: root.span(),
        step: None,
        progress: pattern.start(),
        place: Place::Root,
        around: Around::default(),
    };
    Selection {
        pattern,
        schema,
        arena: root.source().arena(),
        levels: Vec::new(),
        paths: PathStack::default(),
        next: Some(next),
    }
}

/// The paths of the records in which [`select_in`] finds what [`select`] finds in a document: the
/// blocks of the schema, and the other members of the root.
#[must_use]
pub fn record_paths(schema: Option<&Schema<'_>>) -> Vec<Path> {
    let blocks = schema.map_or(&[][..], |schema| schema.blocks());
    let names = blocks.iter().map(|block| block.block_type.to_owned()).collect();
    let of_blocks = blocks.iter().filter_map(|block| {
        // Arrays above bodies are not steps.
        let labels = "([*])*.*".repeat(block.labels.len());
        Path::parse(&format!("([*])*.{}{labels}", block.block_type)).ok()
    });
    of_blocks.chain([Path::of_others(names)]).collect()
}

/// Selects the values in a record of a stream that a pattern matches, as [`select`] does in the
/// document that has the record. The records are those of [`record_paths`], with names.
///
/// A condition does not know the members of the root, since they are not in the record.
#[must_use]
pub fn select_in<'p, 'a>(
    pattern: &'p Pattern,
    record: Record<'a>,
    schema: Option<&'p Schema<'p>>,
) -> Selection<'p, 'a> {
    let value = record.document().body().as_expression();
    let source = value.source();
    let arena = source.arena();
    let (mut progress, mut place) = (pattern.start(), Place::Root);
    for name in record.names() {
        progress = pattern.member(progress, name);
        place = place.of_member(name, schema, pattern.accepts(progress));
    }
    let is_selected = matches!(place, Place::Labels { is_selected: true, .. });
    let mut paths = PathStack::default();
    let mut next = None;
    if is_selected || !progress.is_dead() {
        let path = record.names().iter().fold(JsonPath::default(), |path, name| {
            let row = LabelRow { span: Span::new(0, 0), text: arena.str(name) };
            let key = MapKey::of_label(source, arena.bump().alloc(row));
            path.with(arena, PathStep::Member(key))
        });
        paths.push(None, Some(path));
        let (span, around) = (value.span(), Around::default());
        next = Some(Visit { value, span, step: None, progress, place, around });
    }
    Selection { pattern, schema, arena, levels: Vec::new(), paths, next }
}

/// A first step that is not a block type of any dialect. See [`unknown_type`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownType<'p> {
    /// The step.
    pub name: &'p str,
    /// The block type that was probably meant.
    pub suggestion: Option<&'static str>,
}

/// Returns the first step of a pattern, if it is a name and not a block type of any dialect. If the
/// pattern selects nothing, it is probably misspelled. In a file of variables it is the name of a
/// variable.
#[must_use]
pub fn unknown_type(pattern: &Pattern) -> Option<UnknownType<'_>> {
    let name = pattern.first_name()?;
    let lists = [List::Primary, List::Test];
    let schemas = Dialect::ALL.into_iter().flat_map(|dialect| lists.map(|list| (dialect, list)));
    let schemas = schemas.filter_map(|(dialect, list)| root_schema(dialect, list));
    let types = schemas.flat_map(|schema| schema.blocks()).map(|block| block.block_type);
    if types.clone().any(|known| known == name) {
        return None;
    }
    let suggestion = nearest(name, types);
    Some(UnknownType { name, suggestion })
}

/// The values that a pattern selects. See [`select`].
#[derive(Clone)]
pub struct Selection<'p, 'a> {
    pattern: &'p Pattern,
    schema: Option<&'p Schema<'p>>,
    arena: &'a Arena,
    /// The containers around the next value, outermost first.
    levels: Vec<Level<'a>>,
    /// Their paths.
    paths: PathStack<'a>,
    next: Option<Visit<'a>>,
}

/// A value that the walk has reached.
#[derive(Clone, Copy)]
struct Visit<'a> {
    value: Expression<'a>,
    span: Span,
    step: Option<PathStep<'a>>,
    progress: Progress,
    place: Place,
    around: Around<'a>,
}

/// The part of a file that contains a value.
#[derive(Clone, Copy)]
enum Place {
    /// The root body.
    Root,
    /// Below a block type, with this many levels of labels left. `is_selected` is set if the
    /// pattern ended on an outer level.
    Labels { left: usize, head: usize, is_selected: bool },
    /// In the body of a block whose type and labels are `head` steps, or in an attribute of the
    /// root.
    Body { head: usize },
}

impl Place {
    /// The place of a member; `accepts` is set if the pattern ends there.
    fn of_member(self, name: &str, schema: Option<&Schema<'_>>, accepts: bool) -> Self {
        match self {
            Self::Root => match schema.and_then(|schema| schema.block(name)) {
                Some(block) => Self::Labels {
                    left: block.labels.len(),
                    head: block.labels.len() + 1,
                    is_selected: accepts,
                },
                None => Self::Body { head: 0 },
            },
            Self::Labels { left, head, is_selected } => Self::Labels {
                left: left.saturating_sub(1),
                head,
                is_selected: is_selected || accepts,
            },
            Self::Body { head } => Self::Body { head },
        }
    }
}

#[derive(Clone)]
struct Level<'a> {
    items: Items<'a>,
    progress: Progress,
    place: Place,
    /// The objects around its items.
    around: Around<'a>,
    /// Whether its item is a label of a nested block, which a pattern may leave out.
    is_label: bool,
}

#[derive(Clone)]
enum Items<'a> {
    Members(Entries<'a>, Repeated<'a>),
    Elements(Elements<'a>, usize),
    /// The blocks of one type in a body of a native file.
    Blocks(std::vec::IntoIter<Expression<'a>>, usize),
}

/// The blocks without labels whose type occurs several times in a native body, by type: they are an
/// array in JSON. Taken at the first of them.
type Repeated<'a> = HashMap<&'a str, Option<Vec<Expression<'a>>>>;

/// Returns the repeated blocks of a body: see [`Repeated`]. Cost: linear in the items of the body.
fn repeated(body: Expression<'_>) -> Repeated<'_> {
    let mut blocks = Repeated::default();
    if !body.is_json() {
        for (_, value) in body.entries().into_iter().flatten() {
            let value = Expression::new(value);
            let block = value.as_block().filter(|block| block.labels().len() == 0);
            if let Some(block) = block
                && let Some(all) = blocks.entry(block.block_type()).or_insert_with(|| Some(vec![]))
            {
                all.push(value);
            }
        }
        blocks.retain(|_, all| all.as_ref().is_some_and(|all| all.len() > 1));
    }
    blocks
}

impl<'a> Selection<'_, 'a> {
    /// Visits a value: opens it if a value inside may be selected, and returns it if it is
    /// selected.
    fn look(&mut self, visit: Visit<'a>) -> Option<Selected<'a>> {
        let Visit { value, progress, place, .. } = visit;
        let is_body = matches!(place, Place::Labels { left: 0, .. }) && !value.is_list();
        let head = match place {
            Place::Root => 0,
            Place::Labels { head, .. } | Place::Body { head } => head,
        };
        let is_selected = match place {
            Place::Root => false,
            // `null` declares no block.
            Place::Labels { is_selected, .. } => {
                is_body && !value.is_null() && (is_selected || self.pattern.accepts(progress))
            }
            Place::Body { .. } => self.pattern.accepts(progress),
        };
        let inner = if is_body { Place::Body { head } } else { place };
        let around = match is_body {
            true => Around { object: Some(value), body: Some(value) },
            false => visit.around,
        };
        let path = is_selected.then(|| self.paths.path(self.arena, visit.step));
        let is_wanted = match inner {
            Place::Labels { is_selected: true, .. } => true,
            _ => self.pattern.goes_on(progress),
        };
        let items = match is_wanted {
            true => match (value.elements(), value.entries()) {
                (Some(elements), _) => Some((Items::Elements(elements, 0), around)),
                (None, Some(entries)) => {
                    let repeated = match inner {
                        Place::Body { .. } => repeated(value),
                        Place::Root | Place::Labels { .. } => Repeated::default(),
                    };
                    let around = Around { object: Some(value), ..around };
                    Some((Items::Members(entries, repeated), around))
                }
                (None, None) => None,
            },
            false => None,
        };
        if let Some((items, around)) = items {
            let is_label = matches!(inner, Place::Body { .. }) && value.has_labels();
            self.levels.push(Level { items, progress, place: inner, around, is_label });
            self.paths.push(visit.step, path);
        }
        let is_exact = self.pattern.accepts(progress);
        Some(Selected { value, span: visit.span, path: path?, head, is_exact, around })
    }

    /// Returns the next value of the innermost container on a longer path; `None` at its end.
    fn step(&mut self) -> Option<Visit<'a>> {
        let level = self.levels.last_mut()?;
        let Level { progress, place, around, is_label, .. } = *level;
        match &mut level.items {
            Items::Blocks(blocks, index) => {
                let value = blocks.next()?;
                let at = *index;
                *index += 1;
                // A pattern selects the blocks of a type with or without their indexes.
                let progress = progress.or(self.pattern.element(progress, at));
                let step = Some(PathStep::Element(at));
                let span = value.span();
                Some(Visit { value, span, step, progress, place, around })
            }
            Items::Elements(elements, index) => loop {
                let value = Expression::new(elements.next()?);
                let at = *index;
                *index += 1;
                let Place::Body { .. } = place else {
                    // Bodies and label levels may be arrays: these are not steps.
                    return Some(Visit {
                        value,
                        span: value.span(),
                        step: None,
                        progress,
                        place,
                        around,
                    });
                };
                let progress = self.pattern.element(progress, at);
                if !progress.is_dead() {
                    let step = Some(PathStep::Element(at));
                    return Some(Visit {
                        value,
                        span: value.span(),
                        step,
                        progress,
                        place,
                        around,
                    });
                }
            },
            Items::Members(members, repeated) => loop {
                let (name, value) = members.next()?;
                let value = Expression::new(value);
                let before = progress;
                let mut progress = self.pattern.member(before, name.to_str());
                if is_label {
                    progress = progress.or(self.pattern.label(before));
                }
                let accepts = self.pattern.accepts(progress);
                let place = place.of_member(name.to_str(), self.schema, accepts);
                let is_selected = matches!(place, Place::Labels { is_selected: true, .. });
                if is_selected || !progress.is_dead() {
                    if let Some(blocks) = repeated.get_mut(name.to_str())
                        && value.as_block().is_some_and(|block| block.labels().len() == 0)
                    {
                        let Some(blocks) = blocks.take() else { continue };
                        let items = Items::Blocks(blocks.into_iter(), 0);
                        let is_label = false;
                        self.levels.push(Level { items, progress, place, around, is_label });
                        self.paths.push(Some(PathStep::Member(name)), None);
                        return self.step();
                    }
                    return Some(Visit {
                        value,
                        span: name.span().to(value.span()),
                        step: Some(PathStep::Member(name)),
                        progress,
                        place,
                        around,
                    });
                }
            },
        }
    }
}

impl<'a> Iterator for Selection<'_, 'a> {
    type Item = Selected<'a>;

    fn next(&mut self) -> Option<Selected<'a>> {
        loop {
            if let Some(visit) = self.next.take()
                && let Some(selected) = self.look(visit)
            {
                return Some(selected);
            }
            while self.next.is_none() {
                self.next = self.step();
                if self.next.is_none() {
                    self.levels.pop()?;
                    self.paths.pop();
                }
            }
        }
    }
}

impl std::fmt::Debug for Selection<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Selection").field("pattern", self.pattern).finish_non_exhaustive()
    }
}
