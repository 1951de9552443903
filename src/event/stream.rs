//! Events in the arena: the skeleton of a document, and the segments of containers opened later.
//!
//! The skeleton is written once. For a sealed container it has two events, start and end, and none
//! for its members. Opening the container parses its bytes again, at all levels, into a
//! [`Segment`], which is kept in a table. So a container is parsed at most twice, in any order of
//! opening; opening costs time and memory linear in the container, and later readers find the
//! segment. Several threads may open containers at the same time; if two open the same one, one
//! segment is kept. Opening takes no lock and never enters the thread pool, so views may be read
//! under locks and inside jobs.

use std::sync::OnceLock;

use super::build::{Buffers, LongContainer};
use super::chain::Chain;
use super::options::ParseOptions;
use super::reader;
use super::scratch::Scratch;
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::fault::Fault;
use crate::lexical::closing_quote;
use crate::program::Program;
#[cfg(feature = "serde")]
use crate::scan::prefetch;
use crate::source::Source;
use crate::span::Span;
use crate::steps::step;
use crate::word::{Event, Flags, Kind};

/// Data that all segments of one document share.
pub(crate) struct Stream<'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) source: Source<'a>,
    pub(crate) options: ParseOptions,
    /// The diagnostics of a successful parse.
    pub(crate) diagnostics: &'a [Diagnostic<'a>],
    /// Opened containers, one chain for each [`OPENED_EVENTS`] events of the skeleton. Allocated
    /// when the first container is opened.
    opened: OnceLock<&'a [Chain<'a, Segment<'a>>]>,
    /// The templates in strings, parsed on first use. One page for each [`PAGE_BYTES`] of the
    /// source, allocated with the first template in it.
    programs: OnceLock<&'a [OnceLock<Page<'a>>]>,
}

/// The number of bytes of the source that share a chain of templates. The shortest template in an
/// array takes seven bytes (`"${a}",`), so a chain has at most 37 entries, however large the source
/// is.
const CHAIN_BYTES: usize = 256;
/// The number of bytes of the source that share a page of chains.
const PAGE_BYTES: usize = 256 * CHAIN_BYTES;

/// The chains of one range of the source, by offset. All of it is in the arena, which runs no
/// destructors.
type Page<'a> = &'a [Chain<'a, Parsed<'a>>];

/// The number of skeleton events that share a chain of opened containers: few, so that every chain
/// stays short.
const OPENED_EVENTS: usize = 32;

/// The most events of the next container whose texts are prefetched.
#[cfg(feature = "serde")]
const PREFETCHED_EVENTS: u32 = 32;

/// If their texts span at most this many cache lines, all of these are prefetched.
#[cfg(feature = "serde")]
const PREFETCHED_LINES: u32 = 12;

/// The bytes of a cache line.
#[cfg(feature = "serde")]
const CACHE_LINE: u32 = 64;

/// Containers of at most this many bytes are opened by the reader: the other engines take longer to
/// start.
const SMALL: u32 = 64;

/// A template, or the error in it.
pub(crate) type Parsed<'a> = Result<&'a Program<'a>, &'a Diagnostic<'a>>;

/// A run of events that starts with one value and ends with it.
pub(crate) struct Segment<'a> {
    pub(crate) stream: &'a Stream<'a>,
    events: &'a [Event],
    long: &'a [LongContainer],
}

impl<'a> Stream<'a> {
    pub(crate) fn new(
        arena: &'a Arena,
        source: Source<'a>,
        options: ParseOptions,
        diagnostics: &'a [Diagnostic<'a>],
    ) -> Self {
        Self {
            arena,
            source,
            options,
            diagnostics,
            opened: OnceLock::new(),
            programs: OnceLock::new(),
        }
    }

    /// Returns the template of the string at `offset`, which is inside the source: the result of
    /// `parse`, or of an earlier call.
    ///
    /// Cost: constant, in addition to the parse. Memory: 16 bytes for each 64 KiB of the source,
    /// and 4 KiB for each 64 KiB with a template that was parsed. No lock is held while `parse`
    /// runs; two threads may both parse the same template, and the first result is kept.
    pub(crate) fn program(&self, offset: u32, parse: impl FnOnce() -> Parsed<'a>) -> Parsed<'a> {
        *self.chain(offset as usize).get_or_add(offset, self.arena.bump(), parse)
    }

    /// Returns the chain of templates at `offset`, which is inside the source.
    fn chain(&self, offset: usize) -> &'a Chain<'a, Parsed<'a>> {
        let bump = self.arena.bump();
        let len = self.source.bytes().len();
        let pages = self.programs.get_or_init(|| {
            bump.alloc_slice_fill_with(len.div_ceil(PAGE_BYTES), |_| OnceLock::new())
        });
        let page = pages[offset / PAGE_BYTES].get_or_init(|| {
            let rest = len - offset / PAGE_BYTES * PAGE_BYTES;
            let chains = rest.min(PAGE_BYTES).div_ceil(CHAIN_BYTES);
            bump.alloc_slice_fill_with(chains, |_| Chain::new())
        });
        &page[offset % PAGE_BYTES / CHAIN_BYTES]
    }

    /// The number of entries of the longest chain of templates.
    #[cfg(test)]
    pub(crate) fn longest_chain(&self) -> usize {
        let pages = self.programs.get().into_iter().flat_map(|pages| pages.iter());
        let chains = pages.filter_map(OnceLock::get).flat_map(|page| page.iter());
        chains.map(|chain| chain.keys().count()).max().unwrap_or_default()
    }

    /// A segment with events that are in the arena, none of which is long.
    pub(crate) fn segment_of(&'a self, events: &'a [Event]) -> Segment<'a> {
        Segment { stream: self, events, long: &[] }
    }

    /// Moves the events into the arena.
    pub(crate) fn segment(&'a self, buffers: &mut Buffers) -> Segment<'a> {
        Segment {
            stream: self,
            events: buffers.give(self.arena),
            long: self.arena.bump().alloc_slice_copy(buffers.long()),
        }
    }
}

impl<'a> Segment<'a> {
    /// Returns the event at `index`; `null` after the last one, which no view reads.
    #[inline]
    pub(crate) fn event(&self, index: u32) -> Event {
        step();
        self.events.get(index as usize).copied().unwrap_or_default()
    }

    /// All events.
    pub(crate) fn events(&self) -> &'a [Event] {
        self.events
    }

    /// The number of events.
    pub(crate) fn len(&self) -> u32 {
        self.events.len() as u32
    }

    /// Returns the index of the end for the start at `index`.
    #[inline]
    pub(crate) fn end(&self, index: u32) -> u32 {
        match self.event(index).extent() {
            Event::UNRECORDED => self.long_end(index),
            distance => index + distance,
        }
    }

    #[cold]
    fn long_end(&self, index: u32) -> u32 {
        match self.long.binary_search_by_key(&index, |long| long.start) {
            Ok(found) => self.long[found].end,
            Err(_) => index + 1,
        }
    }

    /// Returns the index after the value at `index`.
    #[inline]
    pub(crate) fn after(&self, index: u32) -> u32 {
        if self.event(index).kind().is_start() { self.end(index) + 1 } else { index + 1 }
    }

    /// Prefetches the texts of the container at `index`, which is read next: they are further away
    /// than the processor looks ahead. Does nothing for sealed containers and other values.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn prefetch(&self, index: u32) {
        let first = index as usize;
        let Some(event) = self.events.get(first) else { return };
        let inside = event.extent().min(PREFETCHED_EVENTS) as usize;
        if !event.kind().is_start() || inside < 4 {
            return;
        }
        let bytes = self.stream.source.bytes();
        let events = self.events.get(first..=first + inside).unwrap_or_default();
        let (start, end) = match events {
            [start, .., end] => (start.offset(), end.offset()),
            _ => return,
        };
        if end - start <= PREFETCHED_LINES * CACHE_LINE {
            let lines = (start..end).step_by(CACHE_LINE as usize);
            return lines.for_each(|at| prefetch(bytes, at));
        }
        let mut line = u32::MAX;
        for event in events {
            let at = event.offset() / CACHE_LINE;
            if at != line {
                prefetch(bytes, event.offset());
                line = at;
            }
        }
    }

    /// Returns the bytes of the value at `index`, quotes and brackets included.
    #[inline]
    pub(crate) fn span(&self, index: u32) -> Span {
        let event = self.event(index);
        let start = event.offset();
        match event.kind() {
            Kind::StartObject | Kind::StartArray => {
                let end = self.event(self.end(index)).offset();
                Span::new(start, end + 1)
            }
            Kind::String | Kind::Key => {
                let inner = self.string_span(index);
                Span::new(start, inner.end + 1)
            }
            _ if event.extent() == Event::UNRECORDED => self.scalar_span(start),
            _ => Span::new(start, start + event.extent()),
        }
    }

    /// Returns the bytes between the quotes of the string at `index`.
    #[inline]
    pub(crate) fn string_span(&self, index: u32) -> Span {
        let event = self.event(index);
        let start = event.offset() + 1;
        match event.extent() {
            Event::UNRECORDED => self.unrecorded_string_span(start),
            len => Span::new(start, start + len),
        }
    }

    #[cold]
    fn unrecorded_string_span(&self, start: u32) -> Span {
        let text = self.stream.source.bytes();
        let end = closing_quote(text, start as usize).unwrap_or(text.len().saturating_sub(1));
        Span::new(start, end as u32)
    }

    #[cold]
    fn scalar_span(&self, start: u32) -> Span {
        let rest = self.stream.source.bytes().get(start as usize..).unwrap_or_default();
        let in_scalar = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        Span::new(start, start + rest.iter().take_while(in_scalar).count() as u32)
    }

    /// Returns the segment with the members of the container at `index`, and the container's index
    /// there.
    #[inline]
    pub(crate) fn open(&'a self, index: u32) -> (&'a Segment<'a>, u32) {
        if self.event(index).flags().contains(Flags::SEALED) {
            (self.open_sealed(index), 0)
        } else {
            (self, index)
        }
    }

    fn open_sealed(&'a self, index: u32) -> &'a Segment<'a> {
        let stream = self.stream;
        let bump = stream.arena.bump();
        let chains = stream.opened.get_or_init(|| {
            let count = self.events.len() / OPENED_EVENTS + 1;
            bump.alloc_slice_fill_with(count, |_| Chain::new())
        });
        let chain = &chains[index as usize / OPENED_EVENTS];
        chain.get_or_add(index, bump, || self.parse_sealed(index))
    }

    fn parse_sealed(&self, index: u32) -> Segment<'a> {
        let stream = self.stream;
        let bounds = [self.event(index), self.event(index + 1)];
        let span = Span::new(bounds[0].offset(), bounds[1].offset() + 1);
        let options = stream.options.with_max_depth(u32::MAX).with_skeleton_depth(u32::MAX);
        // On this thread only: a thread that waits for the pool runs other jobs meanwhile, and one
        // of them may need a lock that the caller holds.
        let options = options.with_threads(1);
        stream.arena.with_scratch(|scratch: &mut Scratch| {
            let text = stream.source.bytes();
            let is_valid = if span.len() <= SMALL {
                let build = &mut scratch.build;
                build.expect(span.len() as usize);
                reader::read(text, span, u32::MAX, u32::MAX, build).is_ok()
            } else {
                super::parse(text, span, &options, scratch).is_ok()
            };
            if !is_valid {
                // Only reached if the file changed while it was mapped. An empty container is safe.
                let start = Event::new(bounds[0].kind(), Flags::NONE, 1, span.start);
                scratch.build.set(&[start, bounds[1]]);
            }
            stream.segment(&mut scratch.build)
        })
    }

    /// Whether the container at `index` is sealed and has not been opened.
    pub(crate) fn is_sealed(&self, index: u32) -> bool {
        let chain =
            self.stream.opened.get().and_then(|all| all.get(index as usize / OPENED_EVENTS));
        self.event(index).flags().contains(Flags::SEALED)
            && !chain.is_some_and(|chain| chain.keys().any(|opened| opened == index))
    }
}

/// Returns the error of a rejected text, found by the reader.
///
/// All engines accept the same texts; if they should ever differ, the reader decides.
#[cold]
pub(crate) fn explain(
    text: &[u8],
    span: Span,
    options: &ParseOptions,
    buffers: &mut Buffers,
) -> Result<(), Box<Fault>> {
    let result = reader::read(text, span, options.max_depth, options.skeleton_depth, buffers);
    debug_assert!(result.is_err(), "the automaton refused what the reader accepts");
    result
}
