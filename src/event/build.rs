//! Writes events, for the automaton and the reader.
//!
//! Callers check the grammar. This module tracks nesting, decides by the skeleton depth which
//! values get events, seals containers, and links every start with its end.

use super::room::Room;
use crate::arena::Arena;
use crate::word::{Event, Flags, Kind};

/// The output of consecutive parses. The room for events and open containers only grows, so later
/// parses neither allocate it nor clear it.
#[derive(Default)]
pub(crate) struct Buffers {
    /// The events: `count` of them, then unused room.
    events: Room,
    count: usize,
    /// Starts that are too far from their ends for an extent, with these ends; sorted by start
    /// after a parse.
    long: Vec<LongContainer>,
    /// The open containers, innermost last, then unused room.
    open: Vec<Open>,
    /// The number of open containers at the end of a part.
    depth: usize,
    /// The number of events at the front of a part whose containers start in an earlier part.
    inherited: usize,
}

/// A container with more events than an extent can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LongContainer {
    /// Index of the start event.
    pub(crate) start: u32,
    /// Index of the end event.
    pub(crate) end: u32,
}

/// An open container: the index of its start event, shifted by one bit; the lowest bit is set for
/// an object.
#[derive(Clone, Copy, Default)]
struct Open(u64);

impl Open {
    fn new(start: usize, is_object: bool) -> Self {
        Self((start as u64) << 1 | u64::from(is_object))
    }

    fn start(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_object(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Buffers {
    /// The events of the last parse.
    #[inline]
    pub(crate) fn events(&self) -> &[Event] {
        &self.events[..self.count]
    }

    /// The number of events of the last parse whose containers were open before it.
    pub(crate) fn inherited(&self) -> usize {
        self.inherited
    }

    /// The index of the start event of each container with events that is open at the end of a
    /// part, outermost first.
    pub(crate) fn open_starts(&self) -> impl Iterator<Item = usize> {
        self.open.iter().take(self.depth).map(|open| open.start())
    }

    /// The long containers of the last parse, by start.
    pub(crate) fn long(&self) -> &[LongContainer] {
        &self.long
    }

    /// Prepares for a text of `text` bytes, with memory that the arena has spare.
    pub(crate) fn prepare(&mut self, arena: &Arena, text: usize) {
        self.events.take_spare(arena, text);
    }

    /// Prepares for the events of a text of `text` bytes. Discards the current events.
    pub(crate) fn expect(&mut self, text: usize) {
        self.count = 0;
        self.events.expect(text);
    }

    /// Moves the events into the arena.
    pub(crate) fn give<'a>(&mut self, arena: &'a Arena) -> &'a [Event] {
        self.events.give(arena, std::mem::take(&mut self.count))
    }

    /// Discards the events, and frees their room if they are many.
    pub(crate) fn release(&mut self) {
        self.events.release(std::mem::take(&mut self.count));
    }

    /// Replaces the last parse's events.
    pub(crate) fn set(&mut self, events: &[Event]) {
        self.events = Room::Heap(events.to_vec());
        self.count = events.len();
        self.long.clear();
        (self.depth, self.inherited) = (0, 0);
    }

    /// The containers that are open at the end of a part, outermost first: true for each object.
    pub(crate) fn open(&self) -> impl Iterator<Item = bool> {
        self.open.iter().take(self.depth).map(|open| open.is_object())
    }

    /// Appends the events of the next part, which started with the containers that are open here.
    pub(crate) fn append(&mut self, part: &Self) {
        let moved = |index: usize| index - part.inherited + self.count;
        for level in 0..part.inherited {
            if let Some(end) = part.end_of(level) {
                let start = self.open[level].start();
                let distance = (moved(end) - start).min(Event::UNRECORDED as usize) as u32;
                self.events[start] = self.events[start].with_extent(distance);
                if distance == Event::UNRECORDED {
                    let (start, end) = (start as u32, moved(end) as u32);
                    self.long.push(LongContainer { start, end });
                }
            }
        }
        for long in part.long.iter().filter(|long| long.start as usize >= part.inherited) {
            let [start, end] = [long.start, long.end].map(|index| moved(index as usize) as u32);
            self.long.push(LongContainer { start, end });
        }
        self.long.sort_unstable_by_key(|long| long.start);
        let still_open = part.open.iter().take(part.depth).enumerate().map(|(level, open)| {
            match self.open.get(level) {
                Some(&inherited) if open.start() < part.inherited => inherited,
                _ => Open::new(moved(open.start()), open.is_object()),
            }
        });
        self.open = still_open.collect();
        self.depth = part.depth;
        let events = &part.events()[part.inherited..];
        let count = self.count + events.len();
        if count > self.events.len() {
            self.events.grow(count, self.count);
        }
        self.events[self.count..count].copy_from_slice(events);
        self.count = count;
    }

    /// Returns where the container that was open at `level` at the start of a part ends in it.
    fn end_of(&self, level: usize) -> Option<usize> {
        match self.events[level].extent() {
            0 => None,
            Event::UNRECORDED => {
                let found = self.long.binary_search_by_key(&(level as u32), |long| long.start);
                found.ok().map(|found| self.long[found].end as usize)
            }
            distance => Some(level + distance as usize),
        }
    }
}

/// Writes the events of one document.
pub(crate) struct Builder<'s> {
    buffers: &'s mut Buffers,
    count: usize,
    depth: usize,
    skeleton_depth: usize,
    max_depth: usize,
}

impl<'s> Builder<'s> {
    /// For a part that starts inside `open` containers: true for each object. Those that get events
    /// have starts at the front, which [`Buffers::append`] moves to their final places.
    #[inline(always)]
    pub(crate) fn new(
        buffers: &'s mut Buffers,
        open: &[bool],
        max_depth: u32,
        skeleton_depth: u32,
    ) -> Self {
        buffers.count = 0;
        buffers.long.clear();
        buffers.inherited = 0;
        let mut builder = Self {
            buffers,
            count: 0,
            depth: 0,
            skeleton_depth: skeleton_depth as usize,
            max_depth: max_depth as usize,
        };
        if !open.is_empty() {
            builder.inherit(open);
        }
        builder
    }

    #[cold]
    #[inline(never)]
    fn inherit(&mut self, open: &[bool]) {
        let mut writer = self.writer(open.len());
        for (level, &is_object) in open.iter().enumerate() {
            // Containers that are nested too deep were rejected in the previous part.
            writer.open(is_object, level as u32);
        }
        let progress = writer.progress();
        self.advance(progress);
        self.buffers.inherited = self.count;
    }

    /// Returns a writer for up to `tokens` events and brackets. Its progress must be passed to
    /// `advance`.
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

    /// Takes over the progress of a writer.
    #[inline(always)]
    pub(crate) fn advance(&mut self, (count, depth): (usize, usize)) {
        (self.count, self.depth) = (count, depth);
    }

    /// Ends the document: sorts the table of long containers.
    #[inline(always)]
    pub(crate) fn finish(self) {
        self.buffers.count = self.count;
        self.buffers.depth = self.depth;
        self.buffers.long.sort_unstable_by_key(|long| long.start);
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, tokens: usize) {
        let Buffers { events, open, .. } = &mut *self.buffers;
        if events.len() < self.count + tokens {
            events.grow(self.count + tokens, self.count);
        }
        if open.len() < self.depth + tokens {
            open.resize((self.depth + tokens).max(2 * open.len()), Open::default());
        }
    }
}

/// Writes into existing room. It is small and passed by value, so that its counters stay in
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
    /// The progress, for [`Builder::advance`].
    #[inline(always)]
    pub(crate) fn progress(&self) -> (usize, usize) {
        (self.count, self.depth)
    }

    /// The number of open containers.
    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Whether the next value, inside all open containers, gets an event.
    #[inline(always)]
    pub(crate) fn writes(&self) -> bool {
        self.depth <= self.skeleton_depth
    }

    /// Whether the innermost open container is an object; false when none is open.
    #[inline(always)]
    pub(crate) fn in_object(&self) -> bool {
        self.open.get(self.depth.wrapping_sub(1)).is_some_and(|open| open.is_object())
    }

    /// Adds an event other than a start or an end.
    #[inline(always)]
    pub(crate) fn push(&mut self, kind: Kind, flags: Flags, extent: usize, offset: u32) {
        self.add(Event::of_length(kind, flags, extent, offset));
    }

    /// Opens a container. Returns false if it would be nested too deep.
    #[inline(always)]
    #[must_use]
    pub(crate) fn start(&mut self, object: bool, offset: u32) -> bool {
        if self.depth >= self.max_depth {
            return false;
        }
        self.open(object, offset);
        true
    }

    /// Like `start`, if the nesting limit has been checked.
    #[inline(always)]
    pub(crate) fn open(&mut self, object: bool, offset: u32) {
        self.remember(self.count, object);
        if self.depth <= self.skeleton_depth {
            let kind = if object { Kind::StartObject } else { Kind::StartArray };
            let flags = if self.depth == self.skeleton_depth { Flags::SEALED } else { Flags::NONE };
            self.add(Event::new(kind, flags, 0, offset));
        }
        self.depth += 1;
    }

    /// Opens a container in a sealed one. Returns false if it would be nested too deep.
    #[inline(always)]
    #[must_use]
    pub(crate) fn start_unseen(&mut self, object: bool) -> bool {
        if self.depth >= self.max_depth {
            return false;
        }
        self.remember(self.count, object);
        self.depth += 1;
        true
    }

    /// Closes the innermost container. Returns false, and does nothing, if its end gets an event.
    #[inline(always)]
    #[must_use]
    pub(crate) fn end_unseen(&mut self) -> bool {
        let depth = self.depth.saturating_sub(1);
        let is_unseen = depth > self.skeleton_depth;
        if is_unseen {
            self.depth = depth;
        }
        is_unseen
    }

    /// Closes the innermost container.
    #[inline(always)]
    pub(crate) fn end(&mut self, offset: u32) {
        self.depth = self.depth.saturating_sub(1);
        if self.writes() {
            let open = self.open.get(self.depth).copied().unwrap_or_default();
            let kind = if open.is_object() { Kind::EndObject } else { Kind::EndArray };
            let (start, end) = (open.start(), self.count);
            self.add(Event::new(kind, Flags::NONE, 0, offset));
            self.connect(start, end);
        }
    }

    /// Records the start at `index` as the innermost container.
    #[inline(always)]
    fn remember(&mut self, index: usize, object: bool) {
        if let Some(open) = self.open.get_mut(self.depth) {
            *open = Open::new(index, object);
        }
    }

    /// The room for the next events.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn room(&mut self) -> &mut [Event] {
        self.events.get_mut(self.count..).unwrap_or_default()
    }

    /// Opens or closes a container at its event in the room.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn link(&mut self, index: usize) {
        let index = self.count + index;
        let Some(event) = self.events.get(index) else { return };
        let kind = event.kind();
        if kind.is_start() {
            self.remember(index, kind == Kind::StartObject);
            self.depth += 1;
        } else {
            self.depth = self.depth.saturating_sub(1);
            let open = self.open.get(self.depth).copied().unwrap_or_default();
            self.connect(open.start(), index);
        }
    }

    /// Adds the first events in the room.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn keep(&mut self, count: usize) {
        self.count = (self.count + count).min(self.events.len());
    }

    /// Records in a start where its end is.
    #[inline(always)]
    fn connect(&mut self, start: usize, end: usize) {
        let distance = end.saturating_sub(start).min(Event::UNRECORDED as usize) as u32;
        if let Some(event) = self.events.get_mut(start) {
            *event = event.with_extent(distance);
        }
        if distance == Event::UNRECORDED {
            self.add_long(start, end);
        }
    }

    /// Adds an event other than a start or an end.
    #[inline(always)]
    pub(crate) fn add(&mut self, event: Event) {
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
