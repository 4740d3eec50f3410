//! The same for every area, on all cores.

/// `make` of every number below `count`, in their order, on all cores. `scratch` makes what a
/// thread keeps from one to the next.
pub(super) fn map_all<S, T: Send>(
    count: usize,
    scratch: impl Fn() -> S + Sync + Send,
    make: impl Fn(&mut S, usize) -> T + Sync + Send,
) -> Vec<T> {
    use rayon::prelude::*;
    // Small pieces, since areas differ a lot in what they cost.
    (0..count).into_par_iter().with_max_len(8).map_init(scratch, make).collect()
}
