//! A graph of any family as polygons that share their corners: for Detour, and for Godot.
//!
//! What a game joins need not share corners: a long edge may meet two short ones, and a step may lie between. Detour joins
//! polygons over whole edges. So edges are cut where others begin (`soup`), corners that meet are welded, polygons are cut
//! along the grid of tiles and down to six corners (`cut`), and what cannot be joined over an edge, one-way links, jumps and
//! ladders become off-mesh connections (`links`). The [`Bill`] says what was cut, moved and left out.

// What only the writer of Detour calls.
#![cfg_attr(not(feature = "detour"), allow(dead_code, unused_imports))]

mod cut;
mod floors;
mod links;
mod mapping;
mod plan;
mod soup;
#[cfg(feature = "detour")]
mod tiles;

pub use mapping::Mapping;

use navmap_core::error::Result;
use navmap_core::graph::{FlatGraph, NavGraph};
use std::collections::BTreeMap;
use std::fmt;

/// How a mesh is made for Detour.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Side of a tile in metres. `None`: one tile, or tiles so large that each has at most a few thousand polygons.
    pub tile: Option<f32>,
    /// Height, radius and climb of the agent in metres, as the head of each tile states them. Off-mesh connections land
    /// within the radius.
    pub agent: [f32; 3],
    /// Areas and flags of polygons and connections.
    pub mapping: Mapping,
    /// Writes the nodes of this group alone. A Source 2 mesh has every floor once for each hull, so of it hull 0, the
    /// player's, is written if nothing is said.
    pub group: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self { tile: None, agent: [1.8, 0.4, 0.5], mapping: Mapping::default(), group: None }
    }
}

/// What became of a graph.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Bill {
    /// Nodes of the graph.
    pub nodes: u64,
    /// Polygons that were written, connections not counted.
    pub polygons: u64,
    /// Tiles that were written.
    pub tiles: u64,
    /// Pairs of nodes that are joined over an edge.
    pub joined: u64,
    /// Off-mesh connections that were written.
    pub connections: u64,
    /// What was cut, by what it is.
    pub cut: BTreeMap<&'static str, u64>,
    /// What is no longer exactly where or what it was.
    pub approximated: BTreeMap<&'static str, u64>,
    /// What was left out.
    pub dropped: BTreeMap<&'static str, u64>,
    /// The farthest that a corner was moved to meet another, in metres.
    pub moved: f32,
    /// The reference of each polygon in the file, and the index of the node that it is a piece of, in the order of the file.
    /// Connections are not among them.
    pub references: Vec<(u32, u32)>,
}

impl Bill {
    fn add(list: &mut BTreeMap<&'static str, u64>, what: &'static str, more: u64) {
        if more > 0 {
            *list.entry(what).or_insert(0) += more;
        }
    }
}

impl fmt::Display for Bill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes, polygons, tiles, joined, connections, .. } = self;
        writeln!(
            f,
            "{nodes} nodes became {polygons} polygons in {tiles} tiles; {joined} pairs are joined over an edge, {connections} \
             off-mesh connections"
        )?;
        for (title, list) in
            [("cut", &self.cut), ("approximated", &self.approximated), ("dropped", &self.dropped)]
        {
            for (what, count) in list {
                writeln!(f, "{title}: {count} {what}")?;
            }
        }
        if self.moved > 0.0 {
            writeln!(f, "corners moved by at most {:.3} m", self.moved)?;
        }
        Ok(())
    }
}

/// The graph as a set of Detour, version 7, with references of 32 bits: metres, y up.
///
/// # Errors
/// If a tile would have more vertices or polygons than the format can address (smaller tiles help), or if there were more
/// tiles and polygons than a reference has bits for (larger tiles help), or if there is nothing to write.
#[cfg(feature = "detour")]
pub fn to_detour(graph: &FlatGraph, options: &Options) -> Result<(Vec<u8>, Bill)> {
    let mut bill = Bill { nodes: graph.nodes().len() as u64, ..Bill::default() };
    let mut soup = soup::Soup::of(graph, options.group.or_else(|| usual_group(graph)), &mut bill);
    let unjoined = soup.weld(graph, &mut bill);
    let grid = cut::Grid::of(&soup, options.tile)?;
    cut::along(&mut soup, &grid, &mut bill)?;
    cut::to_six(&mut soup, &mut bill);
    let floors = floors::Floors::of(&soup, options.agent[2]);
    let connections = links::connections(graph, &soup, &unjoined, &options.mapping, &floors, &mut bill);
    let bytes = tiles::encode(graph, &soup, &grid, &connections, &floors, options, &mut bill)?;
    Ok((bytes, bill))
}

/// The group that is written if none is asked for: hull 0, where groups are hulls that lie upon each other.
fn usual_group(graph: &FlatGraph) -> Option<u32> {
    (graph.group_word() == Some("hull")).then_some(0)
}

/// The polygons of a graph, welded and cut to at most six corners: places of vertices in metres with y up, and the
/// vertices of each polygon, anticlockwise seen from above. Without links that are not walked over an edge.
pub fn polygons(graph: &FlatGraph) -> (Vec<[f32; 3]>, Vec<Vec<u32>>, Bill) {
    let mut bill = Bill { nodes: graph.nodes().len() as u64, tiles: 1, ..Bill::default() };
    let mut soup = soup::Soup::of(graph, usual_group(graph), &mut bill);
    let unjoined = soup.weld(graph, &mut bill);
    cut::to_six(&mut soup, &mut bill);
    bill.polygons = soup.loops.len() as u64;
    Bill::add(
        &mut bill.dropped,
        "links that are jumped, climbed, one-way or without a common edge",
        unjoined.len() as u64,
    );
    let loops = soup.loops.iter().map(|polygon| polygon.corners.clone()).collect();
    (soup.vertices, loops, bill)
}
