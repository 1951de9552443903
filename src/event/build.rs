//! Writing events: what the automaton and the reader have in common.
//!
//! Callers guarantee the grammar; this module knows nesting, decides by the skeleton depth what gets an
//! event, seals containers, and links every start with its end.

use super::word::{Event, Flags, Kind};

/// What a parse writes into.
#[derive(Default)]
pub(crate) struct Buffers {
    /// The events.
    pub(crate) events: Vec<Event>,
    /// Starts whose ends are too far for an extent, with those ends; by start.
    pub(crate) long: Vec<LongContainer>,
    /// Open containers, the innermost last.
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
#[derive(Clone, Copy)]
struct Open(u64);

/// Writes one document's events.
pub(crate) struct Builder<'s> {
    buffers: &'s mut Buffers,
    skeleton_depth: usize,
    max_depth: usize,
}

impl<'s> Builder<'s> {
    #[inline(always)]
    pub(crate) fn new(buffers: &'s mut Buffers, max_depth: u32, skeleton_depth: u32) -> Self {
        buffers.events.clear();
        buffers.long.clear();
        buffers.open.clear();
        Self {
            buffers,
            skeleton_depth: skeleton_depth as usize,
            max_depth: max_depth as usize,
        }
    }

    /// How many containers are open.
    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.buffers.open.len()
    }

    /// Whether what comes next, inside of all open containers, gets an event.
    #[inline(always)]
    pub(crate) fn writes(&self) -> bool {
        self.buffers.open.len() <= self.skeleton_depth
    }

    /// Whether the innermost open container is an object; false when none is open.
    #[inline(always)]
    pub(crate) fn in_object(&self) -> bool {
        self.buffers.open.last().is_some_and(|open| open.0 & 1 == 1)
    }

    /// Adds an event other than a start or an end.
    #[inline(always)]
    pub(crate) fn push(&mut self, kind: Kind, flags: Flags, extent: usize, offset: u32) {
        let extent = extent.min(Event::UNRECORDED as usize) as u32;
        self.buffers
            .events
            .push(Event::new(kind, flags, extent, offset));
    }

    /// Opens a container. False when it would be nested too deep.
    #[inline(always)]
    #[must_use]
    pub(crate) fn start(&mut self, object: bool, offset: u32) -> bool {
        let depth = self.depth();
        if depth >= self.max_depth {
            return false;
        }
        self.buffers.open.push(Open(
            (self.buffers.events.len() as u64) << 1 | u64::from(object),
        ));
        if depth <= self.skeleton_depth {
            let kind = if object {
                Kind::StartObject
            } else {
                Kind::StartArray
            };
            let flags = if depth == self.skeleton_depth {
                Flags::SEALED
            } else {
                Flags::NONE
            };
            self.buffers.events.push(Event::new(kind, flags, 0, offset));
        }
        true
    }

    /// Closes the innermost container.
    #[inline(always)]
    pub(crate) fn end(&mut self, offset: u32) {
        let Some(Open(open)) = self.buffers.open.pop() else {
            return;
        };
        if self.writes() {
            let kind = if open & 1 == 1 {
                Kind::EndObject
            } else {
                Kind::EndArray
            };
            let (start, end) = ((open >> 1) as usize, self.buffers.events.len());
            self.buffers
                .events
                .push(Event::new(kind, Flags::NONE, 0, offset));
            let distance = (end - start).min(Event::UNRECORDED as usize) as u32;
            if let Some(event) = self.buffers.events.get_mut(start) {
                *event = event.with_extent(distance);
            }
            if distance == Event::UNRECORDED {
                self.long(start, end);
            }
        }
    }

    #[cold]
    fn long(&mut self, start: usize, end: usize) {
        self.buffers.long.push(LongContainer {
            start: start as u32,
            end: end as u32,
        });
    }

    /// Ends the document: puts the table of long containers in order.
    pub(crate) fn finish(self) {
        self.buffers.long.sort_unstable_by_key(|long| long.start);
    }
}
