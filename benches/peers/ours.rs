//! navmap.

use super::{Hall, Walker};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Point, Shape};
use navmap::query::{NavIndex, PathScratch, Query};

pub(crate) struct Ours {
    index: NavIndex,
    scratch: PathScratch,
    corners: Vec<Point>,
}

/// The mesh as a graph.
pub(crate) fn graph(hall: &Hall) -> FlatGraph {
    let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
    let corners: Vec<Point> = hall.corners().map(|[x, y]| Point::new(x, y, 0.0)).collect();
    for (id, cell) in hall.cells.iter().enumerate() {
        graph.add_node(id as u64, Shape::Polygon(&hall.corners_of(*cell).map(|corner| corners[corner])));
    }
    for (from, cell) in (0..).zip(&hall.cells) {
        for (side, to) in (0..).zip(hall.beside(*cell)) {
            let Some(to) = to else { continue };
            let mut link = Link::new(from, to, LinkKind::Walk);
            link.passage.side = Some(side);
            graph.add_link(link);
        }
    }
    graph
}

impl Ours {
    pub(crate) fn new(hall: &Hall) -> Self {
        let index = NavIndex::build(&graph(hall)).whole().expect("a graph").with_landmarks();
        let scratch = PathScratch::new(&index);
        Self { index, scratch, corners: vec![Point::default(); 4096] }
    }
}

impl Walker for Ours {
    const NAME: &'static str = "navmap";

    fn nearest(&mut self, [x, y, z]: [f32; 3]) -> [f32; 2] {
        let near = self.index.nearest(Point::new(x, y, z), 2.0).expect("ground below");
        [near.point.x, near.point.y]
    }

    fn way(&mut self, from: [f32; 3], to: [f32; 3]) -> Option<f32> {
        let [from, to] = [from, to].map(|[x, y, z]| Point::new(x, y, z));
        let [a, b] = [from, to].map(|at| self.index.nearest(at, 2.0).expect("ground below").area);
        self.scratch.path(&self.index, a, b, &Query::shortest()).expect("its own index").cost()?;
        let count = self.scratch.straighten(&self.index, from, to, &mut self.corners).expect("finite points");
        Some(self.corners[..count].windows(2).map(|pair| pair[0].distance(pair[1])).sum())
    }
}
