//! Links areas across their edges, and down from them. `docs/formats/source-generate.md`, section 4.

use super::super::each::map_all;
use super::super::geometry::{Axis, STEP, edges, probes};
use super::draft::{Corners, Draft};
use super::nodes::{NONE, Nodes, corner, moved};
use super::options::GenerateOptions;
use super::options::stopped;
use super::walk::{REACH, Walker};
use crate::flags::Direction;
use crate::record::Shape;
use navmap_core::error::Result;
use std::sync::atomic::Ordering::Relaxed;

/// The farthest that an adjacent area may be below a point at an edge.
const BENEATH: f32 = 120.0;

/// Links each area with those beyond its edges.
pub(super) fn connect(
    walker: Walker<'_>,
    nodes: &Nodes,
    draft: &mut Draft,
    options: &GenerateOptions<'_>,
) -> Result<()> {
    // The target of an edge depends on the positions of areas and not on links, so all edges can be processed in parallel.
    let found = {
        let draft = &*draft;
        map_all(
            draft.fresh_numbers().len(),
            || (),
            |(), at| {
                if stopped(options).is_err() {
                    return Vec::new();
                }
                if let Some(progress) = options.progress {
                    progress.done.fetch_add(1, Relaxed);
                }
                let area = draft.old().saturating_add(at as u32);
                let corners = draft.get(area).map_or([NONE; 4], |piece| piece.corners);
                Edges { walker, nodes, area, corners }.ways(draft)
            },
        )
    };
    stopped(options)?;
    for (from, way, to) in found.into_iter().flatten() {
        draft.link(from, way, to);
    }
    if draft.old() > 0 {
        stitch(walker, draft, options)?;
    }
    Ok(())
}

/// A link that was found.
type Found = (u32, Direction, u32);

/// Links new areas with existing ones at their edges.
fn stitch(walker: Walker<'_>, draft: &mut Draft, options: &GenerateOptions<'_>) -> Result<()> {
    let near = near_fresh(draft);
    let looked_at: Vec<u32> = draft.fresh_numbers().chain(near).collect();
    let found = {
        let draft = &*draft;
        map_all(
            looked_at.len(),
            || (),
            |(), at| match (stopped(options), looked_at.get(at)) {
                (Ok(()), Some(area)) => beside(walker, draft, *area),
                _ => Vec::new(),
            },
        )
    };
    stopped(options)?;
    for (from, way, to) in found.into_iter().flatten() {
        draft.link(from, way, to);
    }
    Ok(())
}

/// The existing areas within reach of new ones, in order.
fn near_fresh(draft: &Draft) -> Vec<u32> {
    let spans = Axis::BOTH.map(|axis| {
        let all = draft.fresh().map(|(_, piece)| edges(&piece.shape, axis));
        all.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], [a, b]| [low.min(a), high.max(b)])
    });
    let reaches = |shape: &Shape| {
        Axis::BOTH.into_iter().zip(spans).all(|(axis, [low, high])| {
            let [a, b] = edges(shape, axis);
            a <= high + REACH && b >= low - REACH
        })
    };
    let old = draft.iter().take_while(|(at, _)| *at < draft.old());
    old.filter(|(_, piece)| reaches(&piece.shape)).map(|(at, _)| at).collect()
}

/// The links between an area and those at its edges, both ways: from a new area to existing ones, and from an existing one to new
/// ones. (The game searches only along new edges, and finds no way down onto a new area.)
fn beside(walker: Walker<'_>, draft: &Draft, area: u32) -> Vec<Found> {
    let mut found = Vec::new();
    let Some(shape) = draft.get(area).map(|piece| piece.shape) else { return found };
    let is_new = |at: u32| at >= draft.old();
    let joins = |other: &u32| is_new(area) != is_new(*other);
    for side in [Direction::North, Direction::South, Direction::East, Direction::West] {
        for ([x, y], _) in probes(&shape, side) {
            let from = [x, y, shape.height_at(x, y)];
            let [ox, oy, oz] = moved(from, side, 0.5 * STEP);
            let half = walker.rules.half_human;
            match draft.area_at([ox, oy, oz + half], BENEATH) {
                Some(other) if !joins(&other) => {}
                Some(other) => {
                    let Some(to) = draft.get(other).map(|piece| [ox, oy, piece.shape.height_at(ox, oy)])
                    else {
                        continue;
                    };
                    if walker.gets(from, to) {
                        found.push((area, side, other));
                    }
                    if walker.gets(to, from) {
                        found.push((other, side.opposite(), area));
                    }
                }
                None => {
                    let below = walker.below(draft, from, side).filter(joins);
                    found.extend(below.map(|other| (area, side, other)));
                }
            }
        }
    }
    found
}

struct Edges<'e> {
    walker: Walker<'e>,
    nodes: &'e Nodes,
    area: u32,
    corners: Corners,
}

impl Edges<'_> {
    /// The links from the area: across its edges, and down from them.
    fn ways(&self, draft: &Draft) -> Vec<Found> {
        let mut found = Vec::new();
        for (node, direction) in self.inner() {
            let to = self.across(node, direction).or_else(|| self.down(draft, node, direction));
            found.extend(to.map(|to| (self.area, direction, to)));
        }
        if !self.walker.rules.gold {
            for (node, direction) in self.outer() {
                let next = self.nodes.to(node, direction);
                let free = next.is_some_and(|next| self.nodes.node(next).area == NONE);
                if free && self.nodes.node(node).blocked != corner::ALL {
                    let to = self.down(draft, node, direction);
                    found.extend(to.map(|to| (self.area, direction, to)));
                }
            }
        }
        found
    }

    /// The nodes from one to another, without the last.
    fn run(&self, from: u32, to: u32, direction: Direction) -> Vec<u32> {
        let mut found = Vec::new();
        let mut at = from;
        // A ring of nodes cannot be longer than their total number.
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

    /// The nodes on the southern and the eastern edge, which belong to the adjacent areas.
    fn outer(&self) -> Vec<(u32, Direction)> {
        let [_, ne, se, sw] = self.corners;
        let south = self.run(sw, se, Direction::East).into_iter().map(|node| (node, Direction::South));
        let east = self.run(ne, se, Direction::South).into_iter().map(|node| (node, Direction::East));
        south.chain(east).collect()
    }

    /// The area of the next node, if the path leads there and back.
    fn across(&self, node: u32, direction: Direction) -> Option<u32> {
        let next = self.nodes.both_ways(node, direction)?;
        Some(self.nodes.node(next).area).filter(|area| *area != NONE)
    }

    fn down(&self, draft: &Draft, node: u32, direction: Direction) -> Option<u32> {
        self.walker.below(draft, self.nodes.node(node).at, direction)
    }
}
