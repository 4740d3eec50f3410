//! The index of a file of any family.

use super::build::BuildOptions;
use super::index::NavIndex;
use navmap_core::format::{AnyGraph, GraphTask};
use navmap_core::graph::{NavGraph, Partial};

impl NavIndex {
    /// Builds the index of a file of any family; for a damaged file, of the part before the damage.
    ///
    /// A Source 2 mesh repeats every floor for each hull, so points are located in hull 0, the player's.
    pub fn of(nav: &impl AnyGraph) -> Partial<Self> {
        let options = BuildOptions::default();
        match nav.ground_group() {
            Some(group) => Self::of_with(nav, &options.with_group(Some(group))),
            None => Self::of_with(nav, &options),
        }
    }

    /// The same with options.
    pub fn of_with(nav: &impl AnyGraph, options: &BuildOptions) -> Partial<Self> {
        struct Build<'o>(&'o BuildOptions);
        impl GraphTask for Build<'_> {
            type Out = Partial<NavIndex>;
            fn run(self, graph: &impl NavGraph) -> Self::Out {
                NavIndex::build_with(graph, self.0)
            }
        }
        nav.with_graph(Build(options))
    }
}
