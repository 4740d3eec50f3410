//! What a visit costs: nothing is allocated for a node.

use navmap::format::{AnyNav, GraphTask, ParseOptions};
use navmap::graph::{Link, Mark, NavGraph, Node, Visitor};
use navmap_testkit::alloc::{Cost, Counting, cost_of};
use navmap_testkit::corpus::bundled;
use std::ops::ControlFlow;

#[global_allocator]
static ALLOC: Counting = Counting;

#[derive(Default)]
struct Sum(u64);

impl Visitor for Sum {
    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        self.0 += node.shape.corners().len() as u64;
        ControlFlow::Continue(())
    }
    fn link(&mut self, link: &Link) {
        self.0 += u64::from(link.portal.is_some());
    }
    fn mark(&mut self, _: &Mark) {
        self.0 += 1;
    }
}

struct Measure;

impl GraphTask for Measure {
    type Out = (u64, Cost);
    fn run(self, graph: &impl NavGraph) -> (u64, Cost) {
        let mut sum = Sum::default();
        let (done, cost) = cost_of(|| graph.visit(&mut sum));
        done.unwrap();
        (sum.0, cost)
    }
}

#[test]
fn a_visit_allocates_nothing_for_a_node() {
    // A mesh of a plugin sorts its doors: one small list a mesh. Source 2 keeps one buffer for all its polygons.
    let files = [
        ("source/town.nav", 0),
        ("source/v35-1.nav", 4),
        ("quake/nav3-v6.nav", 0),
        ("fox/standalone.nav2", 0),
        ("skyrim/nvnm/v12.nvnm", 1),
        ("skyrim/se/large-stored.esp", 1),
    ];
    for (name, allowed) in files {
        let path = bundled().join(name);
        let bytes = std::fs::read(&path).unwrap();
        let nav = AnyNav::parse(&bytes, Some(&path), &ParseOptions::default()).unwrap();
        let (seen, cost) = nav.with_graph(Measure);
        assert!(seen > 10, "{name}: {seen}");
        assert!(cost.calls <= allowed, "{name}: {cost:?}");
    }
}
