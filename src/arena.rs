//! The arena: owns everything that parsing and decoding allocate.
//!
//! An [`Arena`] holds file contents, mappings, event streams, decoded strings and the texts of
//! diagnostics. Every view (`Document`, `Node`, `Body`, …) is a `Copy` handle with the arena's
//! lifetime. Nothing is freed individually: dropping the arena frees everything; [`Arena::reset`]
//! invalidates everything, and keeps the memory for the next file.
//!
//! With the feature `parallel` the arena is `Sync`: every thread allocates from its own bump
//! allocator, so a thread pool can fill one arena without a lock. Without the feature, each thread
//! needs its own arena.

use std::any::Any;
use std::cell::{Cell, OnceCell};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use bumpalo::Bump;
#[cfg(feature = "parallel")]
use thread_local::ThreadLocal;

use crate::mapping::{Mmap, MmapMut};

/// Owns sources, events and everything decoded from them.
///
/// ```
/// let arena = simd_hcl::Arena::new();
/// let document = simd_hcl::Document::parse_bytes(&arena, "main.tf.json", br#"{"locals": {}}"#)?;
/// assert_eq!(document.root().span().len(), 14);
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
///
/// Views cannot outlive their arena:
///
/// ```compile_fail,E0505
/// let arena = simd_hcl::Arena::new();
/// let document = simd_hcl::Document::parse_bytes(&arena, "a.json", b"{}").unwrap();
/// let root = document.root();
/// drop(arena);
/// root.is_object();
/// ```
///
/// Nor can they outlive a reset:
///
/// ```compile_fail,E0502
/// let mut arena = simd_hcl::Arena::new();
/// let text = arena.str("a");
/// arena.reset();
/// text.len();
/// ```
///
/// Nor can borrowed bytes be freed while the arena uses them:
///
/// ```compile_fail,E0505
/// let arena = simd_hcl::Arena::new();
/// let bytes = b"{}".to_vec();
/// let document = simd_hcl::Document::parse_bytes(&arena, "a.json", &bytes).unwrap();
/// drop(bytes);
/// document.root().is_object();
/// ```
#[derive(Default)]
pub struct Arena {
    #[cfg(feature = "parallel")]
    locals: ThreadLocal<Local>,
    #[cfg(not(feature = "parallel"))]
    locals: Local,
    mappings: Mutex<Vec<Mmap>>,
    /// The memory of large event streams: mappings in use, and spare ones.
    anonymous: Mutex<Anonymous>,
    sources: AtomicU32,
}

/// Mappings that are not of a file.
#[derive(Default)]
struct Anonymous {
    /// Each mapping, with the number of bytes in use.
    used: Vec<(MmapMut, usize)>,
    spare: Option<MmapMut>,
}

/// The allocators of one thread, and the buffers that its parses reuse.
#[derive(Default)]
struct Local {
    bumps: Bumps,
    scratch: Cell<Vec<Box<dyn Any + Send>>>,
}

/// Bump allocators, of which one is in use.
///
/// Each chunk of a bump allocator is twice as large as the one before it, so half of the memory can
/// be unused. A full allocator is therefore followed by another one, whose chunk is an eighth of all
/// before it.
#[derive(Default)]
struct Bumps {
    first: Bump,
    /// Allocated when the first one is full.
    others: OnceCell<Box<[OnceCell<Bump>; Bumps::OTHERS]>>,
    /// The number of full ones.
    full: Cell<usize>,
    /// Their bytes.
    full_bytes: Cell<usize>,
}

impl Bumps {
    /// Enough for a terabyte. The last one doubles its chunks.
    const OTHERS: usize = 128;
    /// An allocator with fewer bytes is not full.
    const SMALL: usize = 512 << 10;
    /// An allocator whose chunk has fewer unused bytes is full.
    const REST: usize = 64 << 10;
    /// The bytes of the first chunk of each allocator but the first.
    const CHUNK: usize = 1 << 20;

    #[inline]
    fn current(&self) -> &Bump {
        let bump = match self.full.get() {
            0 => &self.first,
            full => self.other(full - 1),
        };
        if bump.chunk_capacity() >= Self::REST || bump.allocated_bytes() < Self::SMALL {
            return bump;
        }
        self.after(bump)
    }

    /// Returns the allocator after a full one.
    #[cold]
    fn after<'b>(&'b self, full: &'b Bump) -> &'b Bump {
        let place = self.full.get();
        if place == Self::OTHERS {
            return full;
        }
        self.full.set(place + 1);
        self.full_bytes.set(self.full_bytes.get() + full.allocated_bytes());
        self.other(place)
    }

    fn other(&self, place: usize) -> &Bump {
        let none = || Box::new([const { OnceCell::new() }; Self::OTHERS]);
        let size = || Self::CHUNK.max(self.full_bytes.get() / 8);
        self.others.get_or_init(none)[place].get_or_init(|| Bump::with_capacity(size()))
    }

    /// The bytes of all allocators.
    fn allocated_bytes(&self) -> usize {
        // They are made in order.
        let others = self.others.get().into_iter().flat_map(|others| others.iter());
        let others = others.map_while(OnceCell::get).map(Bump::allocated_bytes);
        self.first.allocated_bytes() + others.sum::<usize>()
    }

    /// Frees everything, and keeps the largest chunk of each.
    fn reset(&mut self) {
        self.first.reset();
        let others = self.others.get_mut().into_iter().flat_map(|others| others.iter_mut());
        others.filter_map(OnceCell::get_mut).for_each(Bump::reset);
        self.full.set(0);
        self.full_bytes.set(0);
    }
}

impl Arena {
    /// Returns an empty arena. Nothing is allocated before the first use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Invalidates everything allocated so far, unmaps files, and keeps memory for later use: the
    /// large chunks of each thread, and the memory of the largest event stream. Cost: linear in the
    /// number of chunks and mappings, not in their contents. No lock is taken.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let mut arena = Arena::new();
    /// for text in [&b"[1]"[..], b"[2]"] {
    ///     arena.reset();
    ///     assert!(Document::parse_bytes(&arena, "a.json", text).is_ok());
    /// }
    /// ```
    pub fn reset(&mut self) {
        for local in self.locals_mut() {
            local.bumps.reset();
        }
        self.mappings.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        let Anonymous { used, spare } =
            self.anonymous.get_mut().unwrap_or_else(PoisonError::into_inner);
        let kept = used.drain(..).map(|(mapping, _)| mapping).chain(spare.take());
        *spare = kept.max_by_key(|mapping| mapping.len());
        *self.sources.get_mut() = 0;
    }

    /// The number of bytes allocated by all threads for events, strings and file contents that were
    /// read, including the unused rest of the chunks. Mapped files are not counted.
    #[must_use]
    pub fn allocated_bytes(&mut self) -> usize {
        let chunks: usize = self.locals_mut().map(|local| local.bumps.allocated_bytes()).sum();
        chunks + self.anonymous_bytes()
    }

    /// The number of bytes of large event streams, which have their own memory: a part of
    /// [`allocated_bytes`](Self::allocated_bytes).
    #[must_use]
    pub fn anonymous_bytes(&self) -> usize {
        let anonymous = self.anonymous.lock().unwrap_or_else(PoisonError::into_inner);
        anonymous.used.iter().map(|&(_, len)| len).sum()
    }

    /// The allocator and buffers of the calling thread.
    #[cfg(feature = "parallel")]
    fn local(&self) -> &Local {
        self.locals.get_or_default()
    }

    #[cfg(not(feature = "parallel"))]
    fn local(&self) -> &Local {
        &self.locals
    }

    /// The allocators and buffers of all threads.
    #[cfg(feature = "parallel")]
    fn locals_mut(&mut self) -> impl Iterator<Item = &mut Local> {
        self.locals.iter_mut()
    }

    #[cfg(not(feature = "parallel"))]
    fn locals_mut(&mut self) -> impl Iterator<Item = &mut Local> {
        std::iter::once(&mut self.locals)
    }

    /// The bump allocator of the calling thread.
    #[inline]
    pub(crate) fn bump(&self) -> &Bump {
        self.local().bumps.current()
    }

    /// The number of bytes that the calling thread has allocated, and those of large event streams.
    pub(crate) fn local_bytes(&self) -> usize {
        self.local().bumps.allocated_bytes() + self.anonymous_bytes()
    }

    /// Copies `text` into the arena, for results of functions and names of variables.
    ///
    /// ```
    /// let arena = simd_hcl::Arena::new();
    /// let name = arena.str(&format!("web-{}", 1));
    /// assert_eq!(name, "web-1");
    /// ```
    #[must_use]
    pub fn str(&self, text: &str) -> &str {
        self.bump().alloc_str(text)
    }

    /// Formats into the arena, for cold paths such as diagnostics.
    pub(crate) fn format(&self, arguments: std::fmt::Arguments<'_>) -> &str {
        bumpalo::format!(in self.bump(), "{}", arguments).into_bump_str()
    }

    /// Passes the calling thread's buffers of type `T` to `work`. They are those of the previous
    /// call with this type. There are few types.
    pub(crate) fn with_scratch<T: Any + Send + Default, R>(
        &self,
        work: impl FnOnce(&mut T) -> R,
    ) -> R {
        let slot = &self.local().scratch;
        let mut all = slot.take();
        let place = all.iter().position(|scratch| scratch.is::<T>());
        let kept = place.map(|place| all.swap_remove(place));
        slot.set(all);
        let mut scratch = kept.and_then(|kept| kept.downcast::<T>().ok()).unwrap_or_default();
        let result = work(&mut scratch);
        let mut all = slot.take();
        all.push(scratch);
        slot.set(all);
        result
    }

    /// Returns the number of the next source.
    pub(crate) fn next_source(&self) -> u32 {
        self.sources.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns a mapping that [`keep_anonymous`](Self::keep_anonymous) took before the arena was
    /// reset.
    pub(crate) fn spare(&self) -> Option<MmapMut> {
        self.anonymous.lock().unwrap_or_else(PoisonError::into_inner).spare.take()
    }

    /// Keeps `mapping` until the arena is dropped or reset, and returns its first `len` bytes.
    #[allow(unsafe_code, reason = "mapped bytes live as long as the arena, which no type says")]
    pub(crate) fn keep_anonymous(&self, mapping: MmapMut, len: usize) -> &[u8] {
        let (start, len) = (mapping.as_ptr(), len.min(mapping.len()));
        self.anonymous.lock().unwrap_or_else(PoisonError::into_inner).used.push((mapping, len));
        // SAFETY: as in `keep`; nothing writes to the mappings in `used`.
        unsafe { std::slice::from_raw_parts(start, len) }
    }

    #[cfg_attr(not(feature = "mmap"), allow(dead_code, reason = "nothing is mapped"))]
    /// Keeps `mapping` alive until the arena is dropped or reset, and returns its bytes.
    #[allow(unsafe_code, reason = "mapped bytes live as long as the arena, which no type says")]
    pub(crate) fn keep(&self, mapping: Mmap) -> &[u8] {
        let (start, len) = (mapping.as_ptr(), mapping.len());
        self.mappings.lock().unwrap_or_else(PoisonError::into_inner).push(mapping);
        // SAFETY: the mapping starts at `start` and is `len` bytes long, wherever the `Mmap` value
        // is moved. Only `reset` and `drop` unmap it. They need exclusive access to the arena, so
        // they cannot run while the returned borrow of the arena lives.
        unsafe { std::slice::from_raw_parts(start, len) }
    }
}

impl std::fmt::Debug for Arena {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arena").field("sources", &self.sources).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text that one thread allocated stays readable, on every thread, while others allocate.
    #[test]
    fn threads_allocate_side_by_side() {
        // Fewer under Miri.
        const TEXTS: usize = if cfg!(miri) { 5 } else { 50 };
        let mut arena = Arena::new();
        for round in 0..3 {
            let first = arena.str("first");
            let texts: Vec<&str> = std::thread::scope(|scope| {
                let write = |thread: usize| {
                    let arena = &arena;
                    move || {
                        let text = |number| arena.format(format_args!("{round} {thread} {number}"));
                        (0..TEXTS).map(text).collect::<Vec<_>>()
                    }
                };
                let threads: Vec<_> = (0..3).map(|thread| scope.spawn(write(thread))).collect();
                threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
            });
            assert_eq!(first, "first");
            for (place, text) in texts.into_iter().enumerate() {
                assert_eq!(text, format!("{round} {} {}", place / TEXTS, place % TEXTS));
            }
            arena.reset();
        }
    }

    /// Little memory is unused, and texts stay where they are when another allocator follows.
    #[test]
    fn large_arenas_have_little_slack() {
        const TEXTS: usize = if cfg!(miri) { 200 } else { 4_000 };
        let mut arena = Arena::new();
        for round in 0..2 {
            let rest = "x".repeat(9_999);
            let text = |number: usize| format!("{round} {number} {rest}");
            let texts: Vec<&str> = (0..TEXTS).map(|number| arena.str(&text(number))).collect();
            let used: usize = texts.iter().map(|text| text.len()).sum();
            for (number, kept) in texts.into_iter().enumerate().step_by(TEXTS / 50) {
                assert_eq!(kept, text(number));
            }
            let allocated = arena.allocated_bytes();
            assert!(allocated < used + used / 4 + Bumps::CHUNK, "{allocated} for {used}");
            arena.reset();
            assert!(arena.allocated_bytes() <= allocated);
        }
    }

    #[test]
    fn mappings_are_kept_until_the_arena_is_reset() {
        let mut arena = Arena::new();
        let mapping = |byte| {
            let mut mapping = MmapMut::map_anon(4096).unwrap();
            mapping.fill(byte);
            mapping
        };
        let (one, other) =
            (arena.keep_anonymous(mapping(1), 100), arena.keep_anonymous(mapping(2), 9));
        assert_eq!((one, other), (&[1; 100][..], &[2; 9][..]));
        assert_eq!(arena.anonymous_bytes(), 109);
        arena.reset();
        assert_eq!(arena.anonymous_bytes(), 0);
        assert_eq!(arena.spare().map(|spare| spare.len()), Some(4096));
        assert!(arena.spare().is_none());
    }

    #[test]
    fn buffers_are_reused_by_calls_of_the_same_type() {
        let arena = Arena::new();
        arena.with_scratch(|buffer: &mut Vec<u8>| buffer.push(1));
        arena.with_scratch(|buffer: &mut Vec<u8>| {
            assert_eq!(*buffer, [1]);
            // A nested call has its own buffers.
            arena.with_scratch(|inner: &mut Vec<u8>| assert!(inner.is_empty()));
        });
        arena.with_scratch(|buffer: &mut String| assert!(buffer.is_empty()));
    }
}
