//! The same for every area, on all cores.

#![forbid(unsafe_code)]

/// `make` of every number below `count`, in their order, on all cores where the crate uses them. `scratch` makes what a
/// thread keeps from one to the next.
pub(super) fn map_all<S, T: Send>(
    count: usize,
    scratch: impl Fn() -> S + Sync + Send,
    make: impl Fn(&mut S, usize) -> T + Sync + Send,
) -> Vec<T> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        // Small pieces, since areas differ a lot in what they cost.
        (0..count).into_par_iter().with_max_len(8).map_init(scratch, make).collect()
    }
    #[cfg(not(feature = "rayon"))]
    {
        let mut scratch = scratch();
        (0..count).map(|at| make(&mut scratch, at)).collect()
    }
}
