//! Parallel work on the threads of the current rayon pool; without the feature `parallel`, on the
//! calling thread.
//!
//! Results are in the order of the items, so they do not depend on the number of threads.

/// Returns the results of `each` for all items.
#[cfg(feature = "parallel")]
pub(crate) fn map<T: Send, R: Send>(
    items: impl rayon::iter::IntoParallelIterator<Item = T, Iter: rayon::iter::IndexedParallelIterator>,
    least: usize,
    each: impl Fn(T) -> R + Sync + Send,
) -> Vec<R> {
    use rayon::iter::{IndexedParallelIterator as _, ParallelIterator as _};
    items.into_par_iter().with_min_len(least).map(each).collect()
}

/// Returns the results of `each` for all items.
#[cfg(not(feature = "parallel"))]
pub(crate) fn map<T, R>(
    items: impl IntoIterator<Item = T>,
    _: usize,
    each: impl Fn(T) -> R,
) -> Vec<R> {
    items.into_iter().map(each).collect()
}

/// Returns the results of `each` for every chunk of `len` items, with a workspace that several
/// chunks share.
#[cfg(feature = "parallel")]
pub(crate) fn map_chunks<T: Sync, W, R: Send>(
    items: &[T],
    len: usize,
    workspace: impl Fn() -> W + Sync + Send,
    each: impl Fn(&mut W, &[T]) -> R + Sync + Send,
) -> Vec<R> {
    use rayon::iter::ParallelIterator as _;
    use rayon::slice::ParallelSlice as _;
    items.par_chunks(len).map_init(workspace, each).collect()
}

/// Returns the results of `each` for every chunk of `len` items, with a workspace that all chunks
/// share.
#[cfg(not(feature = "parallel"))]
pub(crate) fn map_chunks<T, W, R>(
    items: &[T],
    len: usize,
    workspace: impl Fn() -> W,
    each: impl Fn(&mut W, &[T]) -> R,
) -> Vec<R> {
    let mut workspace = workspace();
    items.chunks(len).map(|chunk| each(&mut workspace, chunk)).collect()
}

/// Returns the results of `each` for every chunk of `len` items; for all items at once unless
/// `is_parallel`.
#[cfg(feature = "parallel")]
pub(crate) fn chunks<T: Sync, R: Send>(
    items: &[T],
    len: usize,
    is_parallel: bool,
    each: impl Fn(&[T]) -> R + Sync + Send,
) -> Vec<R> {
    if !is_parallel {
        return vec![each(items)];
    }
    map_chunks(items, len, || (), |(), chunk| each(chunk))
}

/// Returns the result of `each` for all items.
#[cfg(not(feature = "parallel"))]
pub(crate) fn chunks<T, R>(items: &[T], _: usize, _: bool, each: impl Fn(&[T]) -> R) -> Vec<R> {
    vec![each(items)]
}

#[cfg(feature = "parallel")]
pub(crate) use rayon::{current_num_threads, join};

#[cfg(not(feature = "parallel"))]
pub(crate) fn join<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    (one(), other())
}

#[cfg(not(feature = "parallel"))]
pub(crate) fn current_num_threads() -> usize {
    1
}

/// A type that can be sent to other threads, if there are any.
#[cfg(feature = "parallel")]
pub(crate) trait ForThreads: Send {}

#[cfg(feature = "parallel")]
impl<T: Send> ForThreads for T {}

/// A type that can be sent to other threads, if there are any.
#[cfg(not(feature = "parallel"))]
pub(crate) trait ForThreads {}

#[cfg(not(feature = "parallel"))]
impl<T> ForThreads for T {}
