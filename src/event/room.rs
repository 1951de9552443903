//! Memory for events.
//!
//! On Linux, the events of a large text get their own memory mapping. It is as large as the text,
//! which is enough unless events are dense, so they are usually never moved. Unused pages take no
//! memory, and huge pages save a page fault for each 4 KiB. The arena takes over such a mapping as
//! it is, and hands it to the next text when it is reset. All other events are written to the heap,
//! and copied to the arena, where those of small files share pages.

use std::ops::{Deref, DerefMut};

use crate::arena::Arena;
use crate::mapping::{MmapMut, anonymous};
use crate::word::Event;

/// The events of texts with fewer bytes are on the heap: a few dozen page faults cost less than
/// clearing a huge page.
const LARGE: usize = 16 << 20;
const HUGE_PAGE: usize = 2 << 20;
/// At most this many bytes of events are copied, so that their room can be reused at once.
const HANDED_OVER: usize = 1 << 20;

/// Room for events; its content is unspecified until it is written.
pub(crate) enum Room {
    Heap(Vec<Event>),
    Mapped(MmapMut),
}

impl Default for Room {
    fn default() -> Self {
        Self::Heap(Vec::new())
    }
}

impl Room {
    /// Makes room for the usual number of events of a text of `text` bytes, if it is large.
    /// Discards the current events.
    pub(crate) fn expect(&mut self, text: usize) {
        if text >= LARGE
            && size_of_val::<[Event]>(self) < text
            && let Some(larger) = Self::mapped(text)
        {
            *self = larger;
        }
    }

    /// Grows to at least `len` events, of which the first `kept` are kept.
    #[cold]
    pub(crate) fn grow(&mut self, len: usize, kept: usize) {
        let len = len.max(2 * self.len());
        match self {
            Self::Heap(events) => events.resize(len, Event::default()),
            Self::Mapped(_) => {
                let mut larger = Self::mapped(len * size_of::<Event>())
                    .unwrap_or_else(|| Self::Heap(vec![Event::default(); len]));
                larger[..kept].copy_from_slice(&self[..kept]);
                *self = larger;
            }
        }
    }

    /// Maps memory for `bytes` bytes of events. `None` if the system has no memory left, or commits
    /// memory before it is written to.
    fn mapped(bytes: usize) -> Option<Self> {
        anonymous(bytes.checked_next_multiple_of(HUGE_PAGE)?).map(Self::Mapped)
    }

    /// Takes an unused mapping from the arena, if the text is large.
    pub(crate) fn take_spare(&mut self, arena: &Arena, text: usize) {
        if text >= LARGE
            && size_of_val::<[Event]>(self) < text
            && let Some(mapping) = arena.spare()
        {
            *self = Self::Mapped(mapping);
        }
    }

    /// Frees the room if `count` events are many: finding them takes longer than getting fresh memory
    /// for as many again.
    pub(crate) fn release(&mut self, count: usize) {
        if count * size_of::<Event>() >= LARGE {
            *self = Self::default();
        }
    }

    /// Moves the first `count` events to the arena.
    pub(crate) fn give<'a>(&mut self, arena: &'a Arena, count: usize) -> &'a [Event] {
        let bytes = count * size_of::<Event>();
        match std::mem::take(self) {
            Self::Mapped(mapping) if bytes >= HANDED_OVER => {
                return events(arena.keep_anonymous(mapping, bytes));
            }
            kept => *self = kept,
        }
        arena.bump().alloc_slice_copy(&self[..count])
    }
}

impl Deref for Room {
    type Target = [Event];

    #[inline]
    fn deref(&self) -> &[Event] {
        match self {
            Self::Heap(events) => events,
            Self::Mapped(mapping) => events(mapping),
        }
    }
}

impl DerefMut for Room {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Event] {
        match self {
            Self::Heap(events) => events,
            Self::Mapped(mapping) => events_mut(mapping),
        }
    }
}

/// Whether bytes can be viewed as events in place. The bytes of mappings always can, because
/// mappings start at a page.
fn is_aligned(bytes: &[u8]) -> bool {
    bytes.as_ptr().cast::<Event>().is_aligned()
}

/// Views the bytes of a mapping as events, without a partial event at the end.
///
/// # Panics
/// If the bytes are not aligned, which would silently change the events.
#[allow(unsafe_code, reason = "mapped bytes are read as events")]
fn events(bytes: &[u8]) -> &[Event] {
    assert!(is_aligned(bytes), "a mapping starts at a page");
    let len = bytes.len() / size_of::<Event>();
    // SAFETY: `len` events are inside `bytes`, which are aligned as was just checked, and have
    // the same lifetime. An event is a transparent `u64`, so all bytes are valid events.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), len) }
}

/// Views the bytes of a mapping as mutable events.
#[allow(unsafe_code, reason = "mapped bytes are written as events")]
fn events_mut(bytes: &mut [u8]) -> &mut [Event] {
    assert!(is_aligned(bytes), "a mapping starts at a page");
    let len = bytes.len() / size_of::<Event>();
    // SAFETY: as in `events`; the borrow is exclusive, and all events are valid bytes.
    unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), len) }
}

#[cfg(feature = "mmap")]
#[cfg(test)]
mod tests {
    use memmap2::MmapOptions;

    use super::*;
    use crate::event::{Flags, Kind};

    #[test]
    fn mapped_bytes_are_events_and_a_rest() {
        let mut mapping = MmapOptions::new().len(4096).map_anon().unwrap();
        for (len, count) in [(0, 0), (7, 0), (8, 1), (20, 2), (24, 3)] {
            assert_eq!(events(&mapping[..len]).len(), count);
            assert_eq!(events_mut(&mut mapping[..len]).len(), count);
        }
        let event = Event::new(Kind::Number, Flags::NONE, 5, 77);
        events_mut(&mut mapping)[1] = event;
        assert_eq!(events(&mapping)[1], event);
        assert_eq!(events(&mapping).len(), 512);
    }

    /// If the system does not provide a mapping, the room is on the heap: no text is rejected for
    /// this.
    #[test]
    #[cfg_attr(miri, ignore = "Miri knows no mappings without reserve")]
    fn a_failed_mapping_falls_back_to_the_heap() {
        let mut room = Room::default();
        for text in [usize::MAX, isize::MAX as usize - HUGE_PAGE] {
            room.expect(text);
            assert!(matches!(&room, Room::Heap(events) if events.is_empty()));
        }
        let event = Event::new(Kind::Null, Flags::NONE, 4, 0);
        room.expect(LARGE);
        assert_eq!(matches!(room, Room::Mapped(_)), cfg!(target_os = "linux"));
        room.grow(1, 0);
        room[0] = event;
        room.expect(usize::MAX);
        assert_eq!(room[0], event);
    }

    #[test]
    fn rooms_of_many_events_are_freed() {
        const MANY: usize = LARGE / size_of::<Event>();
        for (count, kept) in [(0, MANY), (MANY - 1, MANY), (MANY, 0)] {
            let mut room = Room::Heap(vec![Event::default(); MANY]);
            room.release(count);
            assert_eq!(room.len(), kept);
        }
    }

    #[test]
    #[should_panic(expected = "a mapping starts at a page")]
    fn unaligned_bytes_are_refused() {
        let mapping = MmapOptions::new().len(4096).map_anon().unwrap();
        events(&mapping[4..]);
    }
}
