//! The index of a file of any family.

use super::build::BuildOptions;
use super::index::NavIndex;
use navmap_formats::AnyNav;
use navmap_core::format::GraphTask;
use navmap_core::graph::{NavGraph, Partial};

impl NavIndex {
    /// Builds the index of a file of any family. If the file is damaged, the index of what comes before the damage.
    ///
    /// A Source 2 mesh has every floor once for each hull, so points are found in hull 0, the player's.
    pub fn of(nav: &AnyNav<'_>) -> Partial<Self> {
        if let AnyNav::Source2(_) = nav {
            return Self::of_with(nav, &BuildOptions::default().group(0));
        }
        Self::of_with(nav, &BuildOptions::default())
    }

    /// The same with options.
    pub fn of_with(nav: &AnyNav<'_>, options: &BuildOptions) -> Partial<Self> {
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
