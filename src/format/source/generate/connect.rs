//! Links areas: across their edges, and down from them. `docs/formats/source-generate.md`, section 4.

#![forbid(unsafe_code)]

use super::draft::{Corners, Draft};
use super::nodes::{NONE, Nodes, corner};
use super::options::Options;
use super::run::stopped;
use super::walk::Walker;
use crate::error::Result;
use crate::format::source::flags::Direction;
use std::sync::atomic::Ordering::Relaxed;

/// Links each area with those that its edges lead to.
pub(super) fn connect(
    walker: Walker<'_>,
    nodes: &Nodes,
    draft: &mut Draft,
    options: &Options<'_>,
) -> Result<()> {
    for area in 0..draft.numbers() {
        stopped(options)?;
        if let Some(progress) = options.progress {
            progress.done.store(area.into(), Relaxed);
        }
        let Some(corners) = draft.get(area).map(|piece| piece.corners) else { continue };
        let edges = Edges { walker, nodes, area, corners };
        for (node, direction) in edges.inner() {
            match edges.across(node, direction) {
                Some(other) => draft.link(area, direction, other),
                None => edges.down(draft, node, direction),
            }
        }
        if !walker.rules.gold {
            for (node, direction) in edges.outer() {
                let next = nodes.to(node, direction);
                let free = next.is_some_and(|next| nodes.node(next).area == NONE);
                if free && nodes.node(node).blocked != corner::ALL {
                    edges.down(draft, node, direction);
                }
            }
        }
    }
    Ok(())
}

struct Edges<'e> {
    walker: Walker<'e>,
    nodes: &'e Nodes,
    area: u32,
    corners: Corners,
}

impl Edges<'_> {
    /// The nodes from one to another, without the last.
    fn run(&self, from: u32, to: u32, direction: Direction) -> Vec<u32> {
        let mut found = Vec::new();
        let mut at = from;
        // A ring of nodes cannot be longer than all of them.
        while at != to && found.len() <= self.nodes.len() {
            found.push(at);
            let Some(next) = self.nodes.to(at, direction) else { break };
            at = next;
        }
        found
    }

    /// The nodes of the area at its edges, each with the direction out of it: north, west, south, east.
    fn inner(&self) -> Vec<(u32, Direction)> {
        let [nw, ne, se, sw] = self.corners;
        let inwards = |at: u32, direction: Direction| self.nodes.to(at, direction);
        let of = |from: Option<u32>, to: Option<u32>, along: Direction, out: Direction| {
            let nodes = from.map(|from| self.run(from, to.unwrap_or(NONE), along)).unwrap_or_default();
            nodes.into_iter().map(move |node| (node, out))
        };
        let north = of(Some(nw), Some(ne), Direction::East, Direction::North);
        let west = of(Some(nw), Some(sw), Direction::South, Direction::West);
        let [sw_in, se_in] = [sw, se].map(|at| inwards(at, Direction::North));
        let south = of(sw_in, se_in, Direction::East, Direction::South);
        let [ne_in, se_in] = [ne, se].map(|at| inwards(at, Direction::West));
        let east = of(ne_in, se_in, Direction::South, Direction::East);
        north.chain(west).chain(south).chain(east).collect()
    }

    /// The nodes on the southern and the eastern edge, which belong to the areas beyond.
    fn outer(&self) -> Vec<(u32, Direction)> {
        let [_, ne, se, sw] = self.corners;
        let south = self.run(sw, se, Direction::East).into_iter().map(|node| (node, Direction::South));
        let east = self.run(ne, se, Direction::South).into_iter().map(|node| (node, Direction::East));
        south.chain(east).collect()
    }

    /// The area of the next node, if one gets there and back.
    fn across(&self, node: u32, direction: Direction) -> Option<u32> {
        let next = self.nodes.both_ways(node, direction)?;
        Some(self.nodes.node(next).area).filter(|area| *area != NONE)
    }

    fn down(&self, draft: &mut Draft, node: u32, direction: Direction) {
        if let Some(other) = self.walker.below(draft, self.nodes.node(node).at, direction) {
            draft.link(self.area, direction, other);
        }
    }
}
