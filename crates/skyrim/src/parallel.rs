//! The navmeshes of a plugin on all cores.

use super::navm::NavmRecord;
use super::plugin::Plugin;
use super::view::NavMesh;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::threads::spread;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

impl<'a> Plugin<'a> {
    /// Inflates and visits every navmesh on the cores of the current rayon pool, and returns the results of `visit` in file
    /// order. A damaged group is an error among them. `visit` gets `None` for deleted records.
    ///
    /// Allocates a list of records (some 100 bytes each), and one buffer for each piece of work that rayon splits off.
    pub fn par_navmeshes<T, F>(&self, visit: F) -> Vec<Result<T>>
    where
        T: Send,
        F: Fn(&NavmRecord<'a>, Result<Option<NavMesh<'_>>>) -> T + Sync,
    {
        let records: Vec<_> = self.navmeshes().collect();
        let visit = |scratch: &mut Scratch, navm: Result<NavmRecord<'a>>| {
            navm.map(|navm| visit(&navm, navm.mesh(scratch)))
        };
        spread(|| records.into_par_iter().map_init(Scratch::new, visit).collect())
    }
}
