//! Applies a function to many items, on all threads of the current pool or one after the other.

#![forbid(unsafe_code)]

/// The results in the order of the items. A thread takes `grain` of them at a time: enough that they outweigh waking
/// another thread (some 50 microseconds), few enough that all threads end together.
#[cfg(feature = "rayon")]
pub(super) fn map<T: Send, R: Send>(
    items: Vec<T>,
    grain: usize,
    each: impl Fn(T) -> R + Sync + Send,
) -> Vec<R> {
    use rayon::prelude::*;
    items.into_par_iter().with_min_len(grain).with_max_len(grain).map(each).collect()
}

/// The results in the order of the items.
#[cfg(not(feature = "rayon"))]
pub(super) fn map<T, R>(items: Vec<T>, _grain: usize, each: impl Fn(T) -> R) -> Vec<R> {
    items.into_iter().map(each).collect()
}
