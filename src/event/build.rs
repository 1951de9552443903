//! Writing events: what the automaton and the reader have in common.
//!
//! Callers guarantee the grammar; this module knows nesting, decides by the skeleton depth what gets an
//! event, seals containers, and links every start with its end.

use super::word::{Event, Flags, Kind};

/// What parses write into, one after the other. The room for events and open containers only grows, so
/// that a parse neither allocates nor clears what an earlier one has made.
#[derive(Default)]
pub(crate) struct Buffers {
    /// The events, `count` of them, and room behind them.
    events: Vec<Event>,
    count: usize,
    /// Starts whose ends are too far for an extent, with those ends; by start when a parse is done.
    long: Vec<LongContainer>,
    /// The open containers, the innermost last, and room behind them.
    open: Vec<Open>,
}

/// A container of more events than an extent can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LongContainer {
    /// Index of the start event.
    pub(crate) start: u32,
    /// Index of the end event.
    pub(crate) end: u32,
}

/// An open container: the index of its start event, and in the lowest bit whether it is an object.
#[derive(Clone, Copy, Default)]
struct Open(u64);

impl Buffers {
    /// The events of the last parse.
    pub(crate) fn events(&self) -> &[Event] {
        &self.events[..self.count]
    }

    /// The long containers of the last parse, by start.
    pub(crate) fn long(&self) -> &[LongContainer] {
        &self.long
    }

    /// Replaces the last parse's events.
    pub(crate) fn set(&mut self, events: &[Event]) {
        self.events.clear();
        self.events.extend_from_slice(events);
        self.count = events.len();
        self.long.clear();
    }
}

/// One document's events while they are written.
pub(crate) struct Builder<'s> {
    buffers: &'s mut Buffers,
    count: usize,
    depth: usize,
    skeleton_depth: usize,
    max_depth: usize,
}

impl<'s> Builder<'s> {
    #[inline(always)]
    pub(crate) fn new(buffers: &'s mut Buffers, max_depth: u32, skeleton_depth: u32) -> Self {
        buffers.count = 0;
        buffers.long.clear();
        Self {
            buffers,
            count: 0,
            depth: 0,
            skeleton_depth: skeleton_depth as usize,
            max_depth: max_depth as usize,
        }
    }

    /// A writer for up to `tokens` events and brackets. Its progress must be given back.
    #[inline(always)]
    pub(crate) fn writer(&mut self, tokens: usize) -> Writer<'_> {
        let room = (self.count + tokens).max(self.depth + tokens);
        if room > self.buffers.events.len() || room > self.buffers.open.len() {
            self.make_room(tokens);
        }
        Writer {
            events: &mut self.buffers.events,
            count: self.count,
            open: &mut self.buffers.open,
            depth: self.depth,
            long: &mut self.buffers.long,
            skeleton_depth: self.skeleton_depth,
            max_depth: self.max_depth,
        }
    }

    /// How far a writer has come.
    #[inline(always)]
    pub(crate) fn advance(&mut self, (count, depth): (usize, usize)) {
        (self.count, self.depth) = (count, depth);
    }

    /// Ends the document: puts the table of long containers in order.
    #[inline(always)]
    pub(crate) fn finish(self) {
        self.buffers.count = self.count;
        if !self.buffers.long.is_empty() {
            self.buffers.long.sort_unstable_by_key(|long| long.start);
        }
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, tokens: usize) {
        fn grow<T: Clone + Default>(buffer: &mut Vec<T>, room: usize) {
            if buffer.len() < room {
                buffer.resize(room.max(2 * buffer.len()), T::default());
            }
        }
        grow(&mut self.buffers.events, self.count + tokens);
        grow(&mut self.buffers.open, self.depth + tokens);
    }
}

/// Writes into room that is there. It is small and moved about by value, so that its counters stay in
/// registers.
pub(crate) struct Writer<'w> {
    events: &'w mut [Event],
    count: usize,
    open: &'w mut [Open],
    depth: usize,
    long: &'w mut Vec<LongContainer>,
    skeleton_depth: usize,
    max_depth: usize,
}

impl Writer<'_> {
    /// For [`Builder::advance`].
    #[inline(always)]
    pub(crate) fn progress(&self) -> (usize, usize) {
        (self.count, self.depth)
    }

    /// How many containers are open.
    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Whether what comes next, inside of all open containers, gets an event.
    #[inline(always)]
    pub(crate) fn writes(&self) -> bool {
        self.depth <= self.skeleton_depth
    }

    /// Whether the innermost open container is an object; false when none is open.
    #[inline(always)]
    pub(crate) fn in_object(&self) -> bool {
        self.open.get(self.depth.wrapping_sub(1)).is_some_and(|open| open.0 & 1 == 1)
    }

    /// Adds an event other than a start or an end.
    #[inline(always)]
    pub(crate) fn push(&mut self, kind: Kind, flags: Flags, extent: usize, offset: u32) {
        let extent = extent.min(Event::UNRECORDED as usize) as u32;
        self.add(Event::new(kind, flags, extent, offset));
    }

    /// Opens a container. False when it would be nested too deep.
    #[inline(always)]
    #[must_use]
    pub(crate) fn start(&mut self, object: bool, offset: u32) -> bool {
        if self.depth >= self.max_depth {
            return false;
        }
        if let Some(open) = self.open.get_mut(self.depth) {
            *open = Open((self.count as u64) << 1 | u64::from(object));
        }
        if self.depth <= self.skeleton_depth {
            let kind = if object { Kind::StartObject } else { Kind::StartArray };
            let flags = if self.depth == self.skeleton_depth { Flags::SEALED } else { Flags::NONE };
            self.add(Event::new(kind, flags, 0, offset));
        }
        self.depth += 1;
        true
    }

    /// Closes the innermost container.
    #[inline(always)]
    pub(crate) fn end(&mut self, offset: u32) {
        self.depth = self.depth.saturating_sub(1);
        if self.writes() {
            let Open(open) = self.open.get(self.depth).copied().unwrap_or_default();
            let kind = if open & 1 == 1 { Kind::EndObject } else { Kind::EndArray };
            let (start, end) = ((open >> 1) as usize, self.count);
            self.add(Event::new(kind, Flags::NONE, 0, offset));
            let distance = (end - start).min(Event::UNRECORDED as usize) as u32;
            if let Some(event) = self.events.get_mut(start) {
                *event = event.with_extent(distance);
            }
            if distance == Event::UNRECORDED {
                self.add_long(start, end);
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, event: Event) {
        if let Some(place) = self.events.get_mut(self.count) {
            *place = event;
            self.count += 1;
        }
    }

    #[cold]
    fn add_long(&mut self, start: usize, end: usize) {
        self.long.push(LongContainer { start: start as u32, end: end as u32 });
    }
}
