//! Tiles of Detour as a neutral graph.

use super::grid::{Bits, Grid, Joint, Jump};
use super::iter::TileEntry;
use super::layout::{Layout, Refs};
use super::record::{Across, Parameters, Polygon};
use super::tile::{Links, Tile};
use super::unity::UnityMesh;
use super::view::DetourNav;
use navmap_core::error::{Error, Result};
use navmap_core::graph::{
    Axes, Link, LinkKind, MapTile, NavGraph, Node, Passage, Point, Rules, Shape, Visitor,
};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// A yard, the unit of World of Warcraft.
const YARD: f32 = navmap_core::graph::YARD as f32;
/// An inch, the unit of Respawn's engine.
const INCH: f32 = navmap_core::graph::INCH as f32;

/// The ground polygons of all tiles, joined.
///
/// Building it walks the polygons once and keeps the joints of portals and off-mesh connections: about 80 bytes per portal edge.
/// Links of the file are not read: they are left over from an engine's memory, which built them from the neighbours, portals and
/// connections that are read here. Only the traverse links of version 13 are data.
///
/// - A node's id combines the numbers of tile and polygon: `tile << 32 | polygon`.
/// - A neighbour in the same tile is a `walk`. Across a portal it is a `border`, whose portal is the part of the edge that both
///   polygons share. In a single tile, a portal leads outside.
/// - An off-mesh connection is a `jump` from the polygon under its start to the one under its end, and back if it leads both
///   ways. The polygons that stand for connections are not nodes.
/// - A traverse link of version 13 is a `jump` whose number is its type. In that version, polygons with flags 0 are switched off:
///   no portal joins them.
/// - A node's place is its area, unless that is 0. Its group is its tile.
#[derive(Debug)]
pub struct DetourGraph<'a> {
    grid: Grid<'a>,
    /// The first node of each tile.
    bases: Vec<u32>,
    joints: Vec<Joint>,
    /// Links over off-mesh connections, ordered by the node that they leave.
    jumps: Vec<(u32, u32, [Point; 2], u32)>,
    frames: &'a [UnityMesh],
    /// Whether a portal without a partner leads to a tile that is not loaded.
    part: bool,
    metres: f32,
    nav: Option<&'a DetourNav<'a>>,
    /// The keys of the tiles of a map of several files.
    keys: Vec<u64>,
}

impl<'a> DetourGraph<'a> {
    /// The graph of one file. It stops at the first broken tile; the visit then ends with that error.
    pub fn of_file(nav: &'a DetourNav<'a>) -> Self {
        let entries: Vec<TileEntry<'a>> = nav.tiles().map_while(Result::ok).collect();
        let bits = Bits::for_mesh(nav.parameters(), nav.refs() == Refs::Wide);
        let graph = Self::of_tiles(entries, bits, nav.unity(), !nav.dialect().is_whole());
        let metres = nav.metres_per_unit();
        Self { nav: Some(nav), metres, ..graph }
    }

    /// The graph of tiles of several files, which lie in one grid, with the keys by which the tiles are ordered.
    pub(super) fn of_map(
        entries: Vec<TileEntry<'a>>,
        parameters: Option<&Parameters>,
        keys: Vec<u64>,
    ) -> Self {
        let graph = Self::of_tiles(entries, Bits::for_mesh(parameters, true), &[], false);
        Self { metres: YARD, keys, ..graph }
    }

    fn of_tiles(entries: Vec<TileEntry<'a>>, bits: Bits, frames: &'a [UnityMesh], part: bool) -> Self {
        let mut bases = Vec::with_capacity(entries.len());
        let mut next = 0u32;
        for entry in &entries {
            bases.push(next);
            next = next.saturating_add(u32::try_from(entry.tile.ground()).unwrap_or(u32::MAX));
        }
        let grid = Grid::new(entries, bits);
        let joints = grid.joints().list;
        let mut graph = Self {
            grid,
            bases,
            joints,
            jumps: Vec::new(),
            frames,
            part,
            metres: 1.0,
            nav: None,
            keys: Vec::new(),
        };
        graph.jumps = graph.over_connections();
        graph
    }

    fn over_connections(&self) -> Vec<(u32, u32, [Point; 2], u32)> {
        let mut links = Vec::new();
        for (number, Jump { tile, connection, from, to, .. }) in (0u32..).zip(self.grid.jumps()) {
            let node = |at: Option<(u32, u32)>| at.and_then(|(tile, polygon)| self.node_of(tile, polygon));
            let (Some(from), Some(to)) = (node(from), node(to)) else { continue };
            let mesh = self.mesh_of(tile);
            let [start, end] = [connection.start(), connection.end()].map(|at| self.world(mesh, at));
            links.push((from, to, [start, end], number));
            if connection.both_ways() {
                links.push((to, from, [end, start], number));
            }
        }
        links.sort_by_key(|(from, to, _, number)| (*from, *to, *number));
        links
    }

    /// The node of a ground polygon, by the numbers of its tile and its own.
    pub fn node_of(&self, tile: u32, polygon: u32) -> Option<u32> {
        let ground = self.grid.tile(tile)?.ground();
        let base = self.bases.get(usize::try_from(tile).ok()?)?;
        ((polygon as usize) < ground).then(|| base.saturating_add(polygon))
    }

    fn mesh_of(&self, tile: u32) -> u32 {
        self.grid.entries().get(tile as usize).map_or(0, |entry| entry.mesh)
    }

    /// A point in world space. Unity's meshes are rotated and moved into it.
    fn world(&self, mesh: u32, at: [f32; 3]) -> Point {
        self.frames.get(mesh as usize).map_or(at, |frame| frame.to_world(at)).into()
    }

    /// Visits the nodes of one tile.
    fn tile<V: Visitor>(&self, number: u32, entry: &TileEntry<'a>, visitor: &mut V) -> ControlFlow<()> {
        let tile = &entry.tile;
        let base = self.bases.get(number as usize).copied().unwrap_or(0);
        let mut joints =
            self.joints.get(self.joints.partition_point(|joint| joint.tile < number)..).unwrap_or_default();
        // A chain of links may be a circle, so all chains together visit no more links than there are.
        let mut left = tile.links().len();
        for (polygon, index) in tile.polygons().iter().take(tile.ground()).zip(0u32..) {
            let mut corners = [Point::default(); 6];
            let mut count = 0usize;
            if V::WANTS.corners || V::WANTS.portals {
                for (to, corner) in corners.iter_mut().zip(0..polygon.corners().len()) {
                    *to = self.world(entry.mesh, tile.corner(&polygon, corner).unwrap_or([f32::NAN; 3]));
                    count = count.saturating_add(1);
                }
            }
            let corners = corners.get(..count).unwrap_or_default();
            let area = polygon.area();
            let node = Node {
                index: base.saturating_add(index),
                id: u64::from(entry.index.0) << 32 | u64::from(index),
                shape: if V::WANTS.corners { Shape::Polygon(corners) } else { Shape::NONE },
                place: (area != 0).then(|| area.into()),
                group: Some(number),
                flags: polygon.flags().into(),
            };
            visitor.node(&node)?;
            if V::WANTS.links {
                let portals = if V::WANTS.portals { corners } else { &[] };
                let here = joints.partition_point(|joint| (joint.tile, joint.polygon) <= (number, index));
                let (mine, rest) = joints.split_at_checked(here).unwrap_or_default();
                joints = rest;
                self.links(tile, &polygon, node.index, portals, mine, visitor);
                self.over(node.index, visitor);
                if let Links::Traverse(_) = tile.links() {
                    self.traverse(tile, index, node.index, &mut left, visitor);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Links over edges: neighbours, and portals.
    fn links(
        &self,
        tile: &Tile<'a>,
        polygon: &Polygon<'a>,
        from: u32,
        corners: &[Point],
        joints: &[Joint],
        visitor: &mut impl Visitor,
    ) {
        let off = |flags: u32| tile.layout() == Layout::V13 && flags == 0;
        let base = self.bases.get(self.tile_number(from)).copied().unwrap_or(0);
        for (stored, side) in polygon.neighbours().iter().zip(0u8..) {
            let next = usize::from(side).saturating_add(1);
            let ends = corners.get(usize::from(side)).zip(corners.get(next).or(corners.first()));
            let passage = Passage { side: Some(side), ..Passage::NONE };
            let portal = ends.map(|(a, b)| [*a, *b]);
            let link = |to, kind, portal| Link { from, to, kind, gated: false, portal, path: None, passage };
            match Across::decode(stored.get()) {
                Across::Wall => {}
                Across::Inner(to) => {
                    let there = usize::from(to) < tile.ground();
                    let to = there.then(|| base.saturating_add(to.into()));
                    visitor.link(&link(to, LinkKind::Walk, portal));
                }
                Across::Portal(_) => {
                    let mut joined = false;
                    for joint in joints.iter().filter(|joint| joint.edge == side) {
                        joined = true;
                        let (to_tile, to_polygon) = joint.to;
                        let flags =
                            self.grid.tile(to_tile).and_then(|to| to.polygons().get(to_polygon as usize));
                        if off(polygon.flags()) || flags.is_some_and(|to| off(to.flags())) {
                            continue;
                        }
                        let Some(to) = self.node_of(to_tile, to_polygon) else { continue };
                        let portal = portal.map(|[a, b]| joint.span.map(|t| between(a, b, t)));
                        visitor.link(&link(Some(to), LinkKind::Border, portal));
                    }
                    if !joined && self.part {
                        visitor.link(&link(None, LinkKind::Border, portal));
                    }
                }
            }
        }
    }

    /// The number of the tile that a node belongs to.
    fn tile_number(&self, node: u32) -> usize {
        self.bases.partition_point(|base| *base <= node).saturating_sub(1)
    }

    /// Links over off-mesh connections.
    fn over(&self, from: u32, visitor: &mut impl Visitor) {
        let first = self.jumps.partition_point(|(node, ..)| *node < from);
        let mine = self.jumps.get(first..).unwrap_or_default();
        for (_, to, path, number) in mine.iter().take_while(|(node, ..)| *node == from) {
            let passage = Passage { number: Some(*number), ..Passage::NONE };
            let (to, path, kind) = (Some(*to), Some(*path), LinkKind::Jump);
            visitor.link(&Link { from, to, kind, gated: false, portal: None, path, passage });
        }
    }

    /// Traverse links, along the chain of a polygon.
    fn traverse(
        &self,
        tile: &Tile<'a>,
        polygon: u32,
        from: u32,
        left: &mut usize,
        visitor: &mut impl Visitor,
    ) {
        let Links::Traverse(links) = tile.links() else { return };
        let mut next = tile.polygons().first_link(polygon as usize);
        while let Some(link) = next.and_then(|at| links.get(at as usize)) {
            match left.checked_sub(1) {
                Some(rest) => *left = rest,
                None => return,
            }
            if let Some(kind) = link.traverse() {
                let reached = self.grid.named(link.target());
                let to = reached.and_then(|(tile, polygon)| self.node_of(tile, polygon));
                let passage = Passage { number: Some(kind.into()), ..Passage::NONE };
                let kind = LinkKind::Jump;
                visitor.link(&Link { from, to, kind, gated: false, portal: None, path: None, passage });
            }
            next = link.next();
        }
    }

    fn z_up(&self) -> bool {
        self.grid.entries().first().is_some_and(|entry| entry.tile.layout().z_up())
    }
}

/// The point between two, with `t` from 0 to 1.
fn between(a: Point, b: Point, t: f32) -> Point {
    Point::new(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z))
}

impl DetourNav<'_> {
    /// The length of a unit: a yard for servers of World of Warcraft, an inch for Respawn, otherwise a metre, Recast's default.
    pub fn metres_per_unit(&self) -> f32 {
        use super::layout::Dialect;
        match self.dialect() {
            Dialect::MapTile | Dialect::MapTileAc | Dialect::Map | Dialect::MapTc => YARD,
            Dialect::Respawn => INCH,
            _ => 1.0,
        }
    }
}

impl NavGraph for DetourGraph<'_> {
    fn axes(&self) -> Axes {
        if self.z_up() { Axes::z_up(self.metres) } else { Axes::y_up(self.metres) }
    }

    fn node_word(&self) -> &'static str {
        "polygon"
    }

    fn group_word(&self) -> Option<&'static str> {
        Some("tile")
    }

    fn group(&self, group: u32) -> Option<Cow<'_, str>> {
        let head = self.grid.tile(group)?.head();
        let [x, y] = head.at;
        let layer = if head.layer == 0 { String::new() } else { format!(" layer {}", head.layer) };
        Some(format!("tile {x}, {y}{layer}").into())
    }

    fn place(&self, place: u32) -> Option<Cow<'_, str>> {
        Some(format!("area {place}").into())
    }

    fn rules(&self) -> Rules {
        let rules = Rules::of_axes(self.axes());
        let agent = self.grid.entries().first().and_then(|entry| entry.tile.head().agent);
        match agent {
            Some([height, _, climb]) if height.is_finite() && climb.is_finite() => {
                Rules { above: climb, reach: height.max(rules.reach), step: climb, ..rules }
            }
            _ => rules,
        }
    }

    fn known_nodes(&self) -> Option<usize> {
        let last = self.bases.last().zip(self.grid.entries().last());
        Some(last.map_or(0, |(base, entry)| (*base as usize).saturating_add(entry.tile.ground())))
    }

    /// None for a single file, and where traverse links name tiles that may lie anywhere.
    fn tiles(&self) -> Vec<MapTile> {
        let entries = self.grid.entries();
        if entries.iter().any(|entry| matches!(entry.tile.links(), Links::Traverse(_))) {
            return Vec::new();
        }
        let of_tile = |(key, entry): (&u64, &TileEntry<'_>)| MapTile {
            key: *key,
            at: entry.tile.head().at,
            files: 1,
            nodes: u32::try_from(entry.tile.ground()).unwrap_or(u32::MAX),
            groups: 1,
            numbers: u32::try_from(entry.tile.off_mesh().len()).unwrap_or(u32::MAX),
            counted: true,
        };
        self.keys.iter().zip(entries).map(of_tile).collect()
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        for (number, entry) in (0u32..).zip(self.grid.entries()) {
            if self.tile(number, entry, visitor).is_break() {
                return Ok(());
            }
        }
        // Errors cannot be cloned, so the walk is repeated to get it.
        let damage: Option<Error> =
            self.nav.and_then(|nav| nav.tiles().nth(self.bases.len())).and_then(Result::err);
        damage.map_or(Ok(()), Err)
    }
}
