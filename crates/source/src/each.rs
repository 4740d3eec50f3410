//! Runs the same work for every area, on all cores.

use navmap_core::threads::spread;

/// The results of `make` for every number below `count`, in order, on all cores. `scratch` makes the state that a thread reuses.
pub(super) fn map_all<S, T: Send>(
    count: usize,
    scratch: impl Fn() -> S + Sync + Send,
    make: impl Fn(&mut S, usize) -> T + Sync + Send,
) -> Vec<T> {
    use rayon::prelude::*;
    // Small pieces, since the cost of areas varies a lot.
    spread(|| (0..count).into_par_iter().with_max_len(8).map_init(scratch, make).collect())
}
