//! Mapped memory, with the feature `mmap`. Without it, files are read.

#[cfg(feature = "mmap")]
pub(crate) use memmap2::{Mmap, MmapMut};

#[cfg(not(feature = "mmap"))]
pub(crate) use self::none::{Mmap, MmapMut};

/// Anonymous memory of at least this many bytes; `None` if the system has none left, or commits it
/// before it is written to.
#[cfg(feature = "mmap")]
pub(crate) fn anonymous(bytes: usize) -> Option<MmapMut> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let mapping = memmap2::MmapOptions::new().len(bytes).no_reserve_swap().map_anon().ok()?;
    // Advice may be refused; the mapping works without it.
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

    /// A mapping that no one can make.
    pub(crate) enum Mmap {}

    /// The same, to be written.
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
