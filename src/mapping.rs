//! Mapped memory, with the feature `mmap`. Without it, files are read.

#[cfg(feature = "mmap")]
pub(crate) use memmap2::{Mmap, MmapMut};

#[cfg(not(feature = "mmap"))]
pub(crate) use self::none::{Mmap, MmapMut};

/// Maps at least `bytes` bytes of anonymous memory. Returns `None` if the system has no memory
/// left, or commits memory before it is written to.
#[cfg(feature = "mmap")]
pub(crate) fn anonymous(bytes: usize) -> Option<MmapMut> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let mapping = memmap2::MmapOptions::new().len(bytes).no_reserve_swap().map_anon().ok()?;
    // The system may ignore the advice; the mapping works without it.
    #[cfg(target_os = "linux")]
    let _ = mapping.advise(memmap2::Advice::HugePage);
    Some(mapping)
}

#[cfg(not(feature = "mmap"))]
pub(crate) fn anonymous(_: usize) -> Option<MmapMut> {
    None
}

#[cfg(not(feature = "mmap"))]
mod none {
    use std::ops::{Deref, DerefMut};

    /// A mapping; never constructed.
    pub(crate) enum Mmap {}

    /// A mutable mapping; never constructed.
    pub(crate) enum MmapMut {}

    impl Deref for Mmap {
        type Target = [u8];

        fn deref(&self) -> &[u8] {
            match *self {}
        }
    }

    impl Deref for MmapMut {
        type Target = [u8];

        fn deref(&self) -> &[u8] {
            match *self {}
        }
    }

    impl DerefMut for MmapMut {
        fn deref_mut(&mut self) -> &mut [u8] {
            match *self {}
        }
    }
}
