//! The graph of a file of any family.

#![forbid(unsafe_code)]

use super::any::AnyNav;
use crate::graph::{Csr, FlatGraph, NavGraph, Partial, Stats};

/// Work on a graph whose type is not known before the file is.
pub trait GraphTask {
    /// What comes of it.
    type Out;

    /// Does it.
    fn run(self, graph: &impl NavGraph) -> Self::Out;
}

impl AnyNav<'_> {
    /// Hands the file's graph to `task`. Families differ in what opening it costs: nothing for Quake, a walk over the
    /// areas for Source, the heads of groups for Fox, inflating every compressed mesh for Bethesda's plugins, whose
    /// spaces are all in the one graph.
    pub fn with_graph<T: GraphTask>(&self, task: T) -> T::Out {
        match self {
            #[cfg(feature = "source")]
            Self::Source(nav) => task.run(&super::source::Graph::new(nav)),
            #[cfg(feature = "source")]
            Self::Source2(nav) => task.run(&super::source::source2::Graph::new(nav)),
            #[cfg(feature = "quake")]
            Self::Quake(nav) => task.run(nav),
            #[cfg(feature = "navjson")]
            Self::NavJson(nav) => task.run(nav),
            #[cfg(feature = "fox")]
            Self::Fox(nav) => task.run(&super::fox::Graph::of_file(nav)),
            #[cfg(feature = "skyrim")]
            Self::Plugin(plugin) => task.run(&super::skyrim::Graph::new(plugin)),
            #[cfg(feature = "skyrim")]
            Self::Payload(mesh) => task.run(&super::skyrim::Graph::of_mesh(mesh)),
        }
    }

    /// The whole graph in flat arrays: what pictures and exports are made of.
    pub fn flat_graph(&self) -> Partial<FlatGraph> {
        struct Flat;
        impl GraphTask for Flat {
            type Out = Partial<FlatGraph>;
            fn run(self, graph: &impl NavGraph) -> Self::Out {
                FlatGraph::of(graph)
            }
        }
        self.with_graph(Flat)
    }

    /// The links as compressed rows.
    pub fn csr(&self) -> Partial<Csr> {
        struct Rows;
        impl GraphTask for Rows {
            type Out = Partial<Csr>;
            fn run(self, graph: &impl NavGraph) -> Self::Out {
                Csr::of(graph)
            }
        }
        self.with_graph(Rows)
    }

    /// What the graph amounts to: islands, one-way links, area …
    pub fn graph_stats(&self) -> Partial<Stats> {
        struct Sum;
        impl GraphTask for Sum {
            type Out = Partial<Stats>;
            fn run(self, graph: &impl NavGraph) -> Self::Out {
                Stats::of(graph)
            }
        }
        self.with_graph(Sum)
    }
}
