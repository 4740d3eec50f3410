//! Applies a function to many items, on all threads of the current pool.

use navmap_core::threads::spread;

/// The results in the order of the items. A thread takes `grain` items at a time: enough to outweigh waking another thread (some
/// 50 microseconds), few enough that all threads finish together.
pub(super) fn map<T: Send, R: Send>(
    items: Vec<T>,
    grain: usize,
    each: impl Fn(T) -> R + Sync + Send,
) -> Vec<R> {
    use rayon::prelude::*;
    spread(|| items.into_par_iter().with_min_len(grain).with_max_len(grain).map(each).collect())
}
