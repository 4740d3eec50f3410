//! A node graph of a mesh: what creatures walk on, made of what bots walk on.
//!
//! | step | what |
//! |---|---|
//! | `pieces` | areas are cut into pieces, each with a point on its floor; which pieces lead to which, and how wide the ways are |
//! | `clusters` | neighbouring pieces share a node, until the graph has no more nodes than the engine takes |
//! | `passes` | which hulls get through: traced through the map, or guessed from the width of the way and the height of the room |
//! | `links` | nodes that join the rest come first, then the others, up to as many as the engine makes at a node |

mod clusters;
mod links;
mod passes;
mod pieces;

use super::buf::NodeGraphBuf;
use super::layout::MOST_HULLS;
use super::view::ENGINE_NODES;
use clusters::Clusters;
use navmap_core::error::{Error, Result};
use navmap_core::graph::FlatGraph;
use navmap_core::text::Grouped;
use navmap_core::{Finding, Severity};
pub use passes::Room;
use pieces::{Pieces, Size};

/// How a mesh becomes a node graph.
#[derive(Clone, Copy)]
pub struct BuildOptions<'o> {
    /// 37 or 41.
    pub version: i32,
    /// How many hulls: 10 in version 37, 12 in 41.
    pub hulls: u8,
    /// The revision of the map. The engine makes its own graph if it is not that of the map.
    pub map_version: i32,
    /// The most nodes, 1,500 at most.
    pub most: usize,
    /// The map, to trace the hulls through.
    pub room: Option<&'o dyn Room>,
}

impl std::fmt::Debug for BuildOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { version, hulls, map_version, most, room } = self;
        let mut out = f.debug_struct("BuildOptions");
        out.field("version", version).field("hulls", hulls).field("map_version", map_version);
        out.field("most", most).field("room", &room.is_some()).finish()
    }
}

impl Default for BuildOptions<'_> {
    /// Version 37 with ten hulls, without a map.
    fn default() -> Self {
        Self { version: 37, hulls: 10, map_version: 0, most: ENGINE_NODES, room: None }
    }
}

/// What a mesh that became a graph has lost, and what was guessed.
#[derive(Debug, Default)]
pub(super) struct Bill {
    /// Areas without a finite corner.
    pub(super) broken_areas: usize,
    /// Links that lead one way.
    pub(super) one_way: usize,
    /// Links by elevators, teleporters and the like.
    pub(super) other_ways: usize,
    /// Ways up that are too high to jump.
    pub(super) too_high: usize,
    /// Links that no hull gets through, and those closed to people.
    pub(super) closed: usize,
    pub(super) closed_to_people: usize,
    /// Links that a node had no place for.
    pub(super) crowded: usize,
    /// Areas of parts that got no node.
    pub(super) left_out: usize,
}

impl NodeGraphBuf {
    /// A node graph of a mesh.
    ///
    /// A node lies on the floor in the middle of an area; a large area has one every 160 units. If that is more than `most`,
    /// pieces that lead to each other both ways share a node, those near the largest first, within a distance that grows until
    /// the graph fits. Where two nodes do not see each other over the way between them, a node on that way joins them.
    ///
    /// A link of a graph works both ways, so a link of the mesh becomes one if there is one back. A way up of at most 64 units
    /// is a jump, a ladder is two climbing nodes. Hulls are traced along the link if the [map](BuildOptions::room) is given. If
    /// not, the width of the ways and the flag `crouch` of areas tell: the middle of a player, who is 32 wide, may be anywhere in
    /// an area. What cannot be said or was guessed goes to `losses`.
    ///
    /// Linear in the mesh for each distance that is tried, of which there are at most 40; traces are at most four for 16 units of
    /// a link and hull.
    ///
    /// # Errors
    /// If the version is neither 37 nor 41, there are no or more than 32 hulls, or the mesh has no polygon.
    pub fn of_mesh(
        mesh: &FlatGraph,
        options: &BuildOptions<'_>,
        losses: &mut dyn FnMut(Finding),
    ) -> Result<Self> {
        let BuildOptions { version, hulls, map_version, most, room } = *options;
        if ![37, 41].contains(&version) {
            return Err(Error::invalid("version", format!("{version} is neither 37 nor 41")));
        }
        if !(1..=MOST_HULLS).contains(&hulls) {
            return Err(Error::invalid("hulls", format!("{hulls} is outside 1..={MOST_HULLS}")));
        }
        let most = most.min(ENGINE_NODES);
        let (size, clusters, pieces, mut bill) = Size::all()
            .find_map(|size| {
                let mut bill = Bill::default();
                let pieces = Pieces::of(mesh, size, &mut bill)?;
                let clusters = Clusters::of(&pieces, size, most, &mut bill)?;
                Some((size, clusters, pieces, bill))
            })
            .ok_or_else(|| Error::invalid("mesh", "has no polygon that a node could stand on"))?;
        let mut graph = Self::new(version, map_version, hulls);
        links::fill(&mut graph, &pieces, &clusters, most, room, &mut bill);
        graph.number_zones();
        let areas = mesh.nodes().len().saturating_sub(bill.broken_areas);
        bill.tell(areas, graph.nodes.len(), size, room.is_some(), losses);
        Ok(graph)
    }
}

impl Bill {
    fn tell(&self, areas: usize, nodes: usize, size: Size, traced: bool, losses: &mut dyn FnMut(Finding)) {
        let mut say = |severity, code, count: usize, what: &str| {
            if count > 0 {
                losses(Finding::new(severity, code, format!("{what} ({})", Grouped(count as u64))));
            }
        };
        say(Severity::Warning, "area-lost", self.broken_areas, "areas without finite corners are left out");
        say(Severity::Warning, "part-lost", self.left_out, "areas of the smallest parts have no node");
        let what = "links that lead one way are lost: links of a node graph work both ways";
        say(Severity::Warning, "one-way-lost", self.one_way, what);
        let what = "links by elevators, teleporters and the like are lost";
        say(Severity::Warning, "link-lost", self.other_ways, what);
        say(Severity::Warning, "too-high", self.too_high, "ways up are too high to jump");
        say(Severity::Warning, "link-closed", self.closed, "ways that no hull gets through are left out");
        say(Severity::Info, "closed-to-people", self.closed_to_people, "links are closed to people");
        let what = "links are left out: a node has at most 30, and all parts stay joined";
        say(Severity::Info, "crowded", self.crowded, what);
        if !traced {
            let what = "which hulls get through is guessed from the width of the ways: a map (--bsp) tells";
            losses(Finding::new(Severity::Info, "hulls-guessed", what));
        }
        let [areas, nodes] = [areas, nodes].map(|count| Grouped(count as u64));
        let near = match size.near > 0.0 {
            true => format!("; pieces within {:.0} units share one", size.near),
            false => String::new(),
        };
        let what = format!(
            "{areas} areas became {nodes} nodes, one for {:.0} units of a large area{near}",
            size.cell
        );
        losses(Finding::new(Severity::Info, "nodes-made", what));
    }
}
