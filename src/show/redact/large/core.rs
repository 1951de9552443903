//! A document whose sensitive parts are known: its records are read again, to be marked, listed or
//! written.

use std::fmt;
use std::io::{self, SeekFrom, Write};

use super::origin::{Kind, Origin, PLACEHOLDER, What};
use super::pieces::{Input, Piece, Refusal, pass, records};
use super::row::Row;
use crate::document::Document;
use crate::json::{Node, Object};
use crate::position::Position;
use crate::show::config::ConfigResource;
use crate::show::field::Read as _;
use crate::show::redact::by_schema::Types;
use crate::show::redact::content::Finder;
use crate::show::redact::hints::may_mark;
use crate::show::redact::instances::{Identity, Instances, ModulePath, Side};
use crate::show::redact::marked::{Marked, settled};
use crate::show::redact::place::Places;
use crate::show::redact::stands::Stands;
use crate::show::redact::values::Resource;
use crate::show::redact::{write, write_span};
use crate::show::shown::Shown;
use crate::show::state::RawResource;
use crate::span::Span;
use crate::stream::{self, Record};

/// The records of one module of the configuration.
pub(super) struct Module {
    /// Of the list, in the skeleton.
    pub(super) span: Span,
    pub(super) number: usize,
    pub(super) path: ModulePath,
    /// Whether a name on the way to the module is one of values, whose members are values, too.
    pub(super) is_value: bool,
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
/// let mut large = Large::read(&arena, &mut input, Options::default(), options, &mut ())?;
/// let mut out = Vec::new();
/// large.write(&mut out)?;
/// assert!(!String::from_utf8_lossy(&out).contains("s3cret"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Large<'t, 'i> {
    /// `None` while it is read.
    pub(super) input: Option<&'i mut dyn Input>,
    pub(super) settings: stream::Options,
    pub(super) document: Document<'t>,
    pub(super) kind: Kind,
    pub(super) instances: Instances<'t>,
    /// In the order of the skeleton.
    pub(super) modules: Vec<Module>,
    /// The sides whose values are searched although they have no own marks.
    pub(super) visits: [bool; 2],
    pub(super) finder: Finder,
    /// In the skeleton.
    pub(super) places: Places,
    /// Where texts of the skeleton start: there, and in the input.
    pub(super) starts: Vec<(u32, u64)>,
}

impl fmt::Debug for Large<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Large").finish_non_exhaustive()
    }
}

/// Called with each record, and the offset in the skeleton of what stands for it.
pub(super) type OnRecord<'e, T> =
    &'e mut dyn FnMut(&mut T, &Record<'_>, What, u32) -> Result<(), Refusal>;

impl<'t> Large<'t, '_> {
    /// The position in the input of an offset in the [skeleton](Self::skeleton). Cost: reads the input
    /// up to there.
    ///
    /// # Errors
    /// The input cannot be read, or has changed.
    pub fn position(&mut self, offset: u32) -> Result<Position, Refusal> {
        let after = self.starts.partition_point(|(start, _)| *start <= offset);
        let (start, byte) = match after.checked_sub(1).and_then(|last| self.starts.get(last)) {
            Some((start, byte)) => (*start, *byte),
            None => (0, 0),
        };
        let Some(input) = self.input.as_mut() else { return Err(Refusal::Changed) };
        input.seek(SeekFrom::Start(0))?;
        Ok(Position::in_stream(input, byte + u64::from(offset - start))?)
    }

    /// The document without its records: an empty object stands for each row of them.
    #[must_use]
    pub fn skeleton(&self) -> Document<'t> {
        self.document
    }

    /// Returns the part of the [skeleton](Self::skeleton) that is shown.
    #[must_use]
    pub fn shown(&self) -> Shown {
        Shown::outside(self.document.root(), self.places.clone())
    }

    /// Reads the changes of a plan or the resources of a state again, in the order of the document.
    /// Calls `each` with those that end in one window of the stream, and the decision about what is
    /// shown of them: everything, if `shows_secrets`.
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
        let mut records = records(input, &self.settings);
        let mut counts = [0; Origin::ALL.len()];
        while let Some(batch) = records.batch().map_err(Refusal::Problem)? {
            let mut rows = Vec::with_capacity(batch.len());
            let mut places = Vec::new();
            for record in &batch {
                let Some(origin) = Origin::ALL.get(record.path()).copied() else { continue };
                let index = counts.get_mut(record.path()).map_or(0, |count| {
                    *count += 1;
                    *count - 1
                });
                rows.extend(Row::of(self.kind, origin, index, record));
                let what = origin.what(self.kind);
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
    pub fn write(&mut self, out: &mut dyn Write) -> Result<(), Refusal> {
        let places = std::mem::take(&mut self.places);
        let result = self.write_around(&places, out);
        self.places = places;
        result
    }

    fn write_around(&mut self, places: &Places, out: &mut dyn Write) -> Result<(), Refusal> {
        let source = self.document.source();
        self.pieces(&mut |large, piece| match piece {
            Piece::Gap(text) => Ok(out.write_all(text)?),
            Piece::Skeleton { text, at, .. } => {
                let span = Span::new(at, at + text.len() as u32);
                Ok(write_span(source, span, places, out)?)
            }
            Piece::Record(record, origin, at) => {
                // No sensitive part of the skeleton has records inside.
                if places.touch(Span::new(at, at + PLACEHOLDER.len() as u32)) {
                    return Err(Refusal::Unclear);
                }
                let (document, module) = (record.document(), large.module_at(at));
                let what = origin.what(large.kind);
                let places = large.places_of(what, document.root(), module);
                Ok(write(document.source(), &places, out)?)
            }
        })
    }

    /// The module of the configuration whose list is around an offset in the skeleton.
    pub(super) fn module_at(&self, at: u32) -> Option<&Module> {
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
            if let Piece::Skeleton { text, at, .. } = &piece
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
    pub(super) fn pass(&mut self, each: OnRecord<'_, Self>) -> Result<(), Refusal> {
        self.pieces(&mut |large, piece| match piece {
            Piece::Record(record, origin, at) => {
                let what = origin.what(large.kind);
                each(large, record, what, at)
            }
            _ => Ok(()),
        })
    }

    /// Adds the parts of a record to hide. Calls `found` with each expression that is hidden.
    /// Returns the own tree of a value if no change has it.
    pub(super) fn mark<'r>(
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
