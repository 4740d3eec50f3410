//! Whether a graph that is known already is that of the whole mesh.

use navmap_core::format::GraphTask;
use navmap_core::graph::{FlatGraph, Link, NavGraph, Node, Visitor, Wants};
use navmap_formats::AnyNav;
use std::ops::ControlFlow;

/// Whether a graph of a mesh, or of a part of it, has everything that is in the mesh: then it is numbered as the mesh is.
pub(super) fn is_whole(nav: &AnyNav<'_>, known: &FlatGraph) -> bool {
    struct Compare<'g> {
        known: &'g FlatGraph,
        nodes: usize,
        links: usize,
    }
    impl Visitor for Compare<'_> {
        const WANTS: Wants = Wants { links: true, ..Wants::NOTHING };
        fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
            let known = self.known.nodes().get(self.nodes);
            let is_same = known.is_some_and(|known| known.id == node.id && known.group == node.group);
            self.nodes = self.nodes.saturating_add(1);
            if is_same { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        }
        fn link(&mut self, _: &Link) {
            self.links = self.links.saturating_add(1);
        }
    }
    impl GraphTask for Compare<'_> {
        type Out = bool;
        fn run(mut self, graph: &impl NavGraph) -> bool {
            let is_read = graph.visit(&mut self).is_ok();
            let counts = (self.known.nodes().len(), self.known.links().len());
            is_read && graph.ids() == self.known.ids() && (self.nodes, self.links) == counts
        }
    }
    nav.with_graph(Compare { known, nodes: 0, links: 0 })
}
