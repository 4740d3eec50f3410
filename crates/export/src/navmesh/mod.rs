//! A graph of any family as polygons that share their corners, for Detour and Godot.
//!
//! Polygons that are linked in a game need not share corners: a long edge may meet two short ones, and there may be a step
//! between. Detour joins polygons only over whole edges. So edges are cut where others begin (`soup`), corners that meet are
//! welded, and polygons are cut along the grid of tiles and down to six corners (`cut`). Links that cannot become shared edges,
//! one-way links, jumps and ladders become off-mesh connections (`links`). The [`Bill`] lists what was cut, moved and left out.

// What only the writer of Detour calls.
#![cfg_attr(not(feature = "detour"), allow(dead_code, unused_imports))]

mod budget;
mod cut;
mod floors;
mod links;
mod loops;
mod mapping;
mod plan;
mod soup;
#[cfg(feature = "detour")]
mod tiles;

pub use mapping::Mapping;

use budget::Budget;
use navmap_core::error::Result;
use navmap_core::graph::{FlatGraph, NavGraph};
use navmap_core::text::counted;
use std::collections::BTreeMap;
use std::fmt;

#[doc(hidden)]
pub use NavmeshOptions as Options;

/// Options of the Detour export.
#[derive(Debug, Clone, PartialEq)]
pub struct NavmeshOptions {
    /// Side of a tile in metres. `None`: one tile, or a size at which each tile has at most a few thousand polygons.
    pub tile: Option<f32>,
    /// Height, radius and climb of the agent in metres, as stated in the head of each tile. Off-mesh connections snap within the
    /// radius.
    pub agent: [f32; 3],
    /// Areas and flags of polygons and connections.
    pub mapping: Mapping,
    /// Writes only the nodes of this group. `None` writes all, except that of a Source 2 mesh, which repeats every floor for each
    /// hull, it writes hull 0, the player's.
    pub group: Option<u32>,
}

impl Default for NavmeshOptions {
    fn default() -> Self {
        Self { tile: None, agent: [1.8, 0.4, 0.5], mapping: Mapping::default(), group: None }
    }
}

/// A summary of what the export changed.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Bill {
    /// Nodes of the graph.
    pub nodes: u64,
    /// Polygons that were written, without connections.
    pub polygons: u64,
    /// Tiles that were written.
    pub tiles: u64,
    /// Pairs of nodes joined over an edge.
    pub joined: u64,
    /// Off-mesh connections that were written.
    pub connections: u64,
    /// What was cut, by kind.
    pub cut: BTreeMap<&'static str, u64>,
    /// What was moved or altered, by kind.
    pub approximated: BTreeMap<&'static str, u64>,
    /// What was left out.
    pub dropped: BTreeMap<&'static str, u64>,
    /// The farthest that a corner was moved to meet another, in metres.
    pub moved: f32,
    /// For each polygon in file order: its reference, and the index of the node that it is a piece of. Connections are not
    /// included.
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
            "{} became {} in {}; {} joined over an edge, {}",
            counted(*nodes, "node", "nodes"),
            counted(*polygons, "polygon", "polygons"),
            counted(*tiles, "tile", "tiles"),
            counted(*joined, "pair is", "pairs are"),
            counted(*connections, "off-mesh connection", "off-mesh connections"),
        )?;
        for (title, list) in
            [("cut", &self.cut), ("approximated", &self.approximated), ("dropped", &self.dropped)]
        {
            for (what, count) in list {
                writeln!(f, "{title}: {what} ({count})")?;
            }
        }
        if self.moved > 0.0 {
            writeln!(f, "corners moved by at most {:.3} m", self.moved)?;
        }
        Ok(())
    }
}

/// Exports the graph as a set of Detour, version 7, with 32-bit references: metres, y up.
///
/// # Errors
/// If a tile would have more vertices or polygons than the format can address (smaller tiles help), if tiles and polygons
/// together need more bits than a reference has (larger tiles help), if there is nothing to write, or
/// [`Limit`](navmap_core::ErrorKind::Limit) if too many polygons lie over each other or are too intricate to be compared with
/// each other.
#[cfg(feature = "detour")]
pub fn to_detour(graph: &FlatGraph, options: &NavmeshOptions) -> Result<(Vec<u8>, Bill)> {
    let mut bill = Bill { nodes: graph.nodes().len() as u64, ..Bill::default() };
    let budget = Budget::new(graph.nodes().len(), graph.links().len());
    let group = options.group.or_else(|| usual_group(graph));
    let mut soup = soup::Soup::from_graph(graph, group, &mut bill);
    let unjoined = soup.weld(graph, &budget, &mut bill)?;
    let grid = cut::Grid::over(&soup, options.tile)?;
    cut::along(&mut soup, &grid, &mut bill)?;
    cut::to_six(&mut soup, &budget, &mut bill)?;
    let floors = floors::Floors::new(&soup, options.agent[2], &budget);
    let connections = links::connections(graph, &soup, &unjoined, &options.mapping, &floors, &mut bill);
    drop(unjoined);
    let bytes = tiles::encode(graph, &soup, &grid, &connections, floors, options, &mut bill)?;
    Ok((bytes, bill))
}

/// The default group: the first hull if groups are overlapping hulls, 0 unless another one alone was kept.
fn usual_group(graph: &FlatGraph) -> Option<u32> {
    let nodes = graph.nodes().iter().filter(|_| graph.group_word() == Some("hull"));
    nodes.filter_map(|node| node.group).min()
}

/// Vertices, the vertices of each polygon, and what was lost.
pub type Polygons = (Vec<[f32; 3]>, Vec<Vec<u32>>, Bill);

/// The polygons of a graph, welded and cut to at most six corners: vertices in metres with y up, and the vertices of each
/// polygon, anticlockwise seen from above. Links that do not cross a shared edge are left out.
///
/// # Errors
/// [`Limit`](navmap_core::ErrorKind::Limit) if polygons are too intricate to be compared with each other.
pub fn polygons(graph: &FlatGraph) -> Result<Polygons> {
    let (soup, bill) = welded(graph)?;
    let loops = soup.loops.iter().map(|polygon| polygon.corners().collect()).collect();
    Ok((soup.vertices, loops, bill))
}

/// The same without a list for each polygon.
pub(crate) fn welded(graph: &FlatGraph) -> Result<(soup::Soup, Bill)> {
    let mut bill = Bill { nodes: graph.nodes().len() as u64, tiles: 1, ..Bill::default() };
    let budget = Budget::new(graph.nodes().len(), graph.links().len());
    let mut soup = soup::Soup::from_graph(graph, usual_group(graph), &mut bill);
    let unjoined = soup.weld(graph, &budget, &mut bill)?;
    cut::to_six(&mut soup, &budget, &mut bill)?;
    bill.polygons = soup.loops.len() as u64;
    Bill::add(
        &mut bill.dropped,
        "links that are jumped, climbed, one-way or without a common edge",
        unjoined.len() as u64,
    );
    Ok((soup, bill))
}
