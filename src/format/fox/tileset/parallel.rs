//! One function over many items: on all threads of the pool at hand, or in turn.

#![forbid(unsafe_code)]

/// The results in the order of the items.
#[cfg(feature = "rayon")]
pub(super) fn map<T: Send, R: Send>(items: Vec<T>, each: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    items.into_par_iter().map(each).collect()
}

/// The results in the order of the items.
#[cfg(not(feature = "rayon"))]
pub(super) fn map<T, R>(items: Vec<T>, each: impl Fn(T) -> R) -> Vec<R> {
    items.into_iter().map(each).collect()
}
