//! Renumbers a tile after faces were deleted or joined differently. Everything unchanged keeps its values and order; only gaps in
//! the numbers close.

use super::change::Slots;
use super::editor::{MADE, World};
use super::numbers::{Numbers, Piece};
use super::relink;
use crate::buf::{FaceBuf, FoxBuf, GroupBuf};
use crate::record::{
    Bounds, FaceIndex, GroupId, InsideLink, NavEdge, NodeIndex, Position, Segment, SegmentIndex,
};
use crate::view::{Crossing, NodeLinks};
use navmap_core::edit::Refusal;
use std::collections::HashSet;

/// Whether the ranges of segments cover faces, vertices, edges and nodes, as in files of the games.
pub(super) fn is_sound(group: &GroupBuf) -> bool {
    let mut sums = [0_usize; 4];
    for segment in &group.segments {
        let (bases, counts) = segment.parts();
        if bases.map(usize::from) != sums {
            return false;
        }
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(usize::from(count)));
    }
    let world = &group.world;
    sums == [group.mesh.vertices.len(), group.mesh.faces.len(), world.edges.len(), world.nodes.len()]
        && group.graph.nodes.len() == group.segments.len()
        && world.attributes.len() == group.segments.len()
        && group.bounds.len() == group.segments.len()
}

impl World {
    /// Renumbers all groups. `groups` are those of the tile, possibly with differently joined sides; `gone` marks deleted faces.
    pub(super) fn renew(&mut self, groups: &[GroupBuf], gone: &[Vec<bool>]) -> Result<(), Refusal> {
        if let Some(bad) = groups.iter().find(|group| !is_sound(group)) {
            return Err(Refusal::new(format!(
                "group {} does not say which nodes are whose, as files of other tools do not: build it anew (navmap export, then convert --like)",
                bad.id.index()
            )));
        }
        let none = Vec::new();
        let numbers: Vec<Numbers> = groups
            .iter()
            .enumerate()
            .map(|(n, group)| Numbers::new(group, gone.get(n).unwrap_or(&none)))
            .collect();
        let removed = gone.iter().flatten().any(|gone| *gone);
        let mut renewed: Vec<GroupBuf> =
            groups.iter().zip(&numbers).map(|(group, own)| emit(group, own, &numbers)).collect();
        for index in 0..renewed.len() {
            if let (Some(old), Some(own)) = (groups.get(index), numbers.get(index)) {
                let graph = relink::graph(old, own, &numbers, &renewed, index, &self.tile.head.frame())?;
                renewed.get_mut(index).into_iter().for_each(|group| group.graph = graph.clone());
            }
        }
        relink::backs(&mut renewed);
        let mut made = MADE.saturating_add(self.made);
        let slots: Vec<Slots> = self
            .slots
            .iter()
            .zip(groups)
            .zip(&numbers)
            .map(|((old, group), own)| slots(old, group, own, &mut made))
            .collect();
        self.made = made.saturating_sub(MADE);
        if removed {
            self.renew_islands(&numbers, &renewed);
        }
        for (index, (group, slots)) in renewed.into_iter().zip(slots).enumerate() {
            self.set_group(index, group, slots);
        }
        if removed {
            self.renew_search();
        }
        Ok(())
    }

    /// Rebuilds the search spaces over their existing grids.
    pub(super) fn renew_search(&mut self) {
        for file in 0..self.files() {
            let Some(before) = self.search(file) else { continue };
            let space = crate::build::new_space(self.groups_of(file), self.tile.head.divisors, before);
            self.set_search(file, Some(space));
        }
    }

    /// Recounts the segments of islands, and chooses another low node for islands that lost theirs.
    fn renew_islands(&mut self, numbers: &[Numbers], renewed: &[GroupBuf]) {
        let mut graphs = self.tile.islands.clone();
        let mut slots = self.island_slots.clone();
        let Some(graph) = graphs.first_mut() else { return };
        let count = |groups: &[GroupBuf]| {
            let mut counts = vec![0_u16; graph.islands.len()];
            for [first, ..] in groups.iter().flat_map(|group| &group.graph.nodes).map(|node| node.islands) {
                counts
                    .get_mut(usize::from(first))
                    .into_iter()
                    .for_each(|count| *count = count.saturating_add(1));
            }
            counts
        };
        let (before, after) = (count(&self.tile.groups), count(renewed));
        for (island, (was, is)) in before.iter().zip(&after).enumerate() {
            let Some(own) = graph.islands.get_mut(island) else { continue };
            own.segments = own.segments.saturating_sub(*was).saturating_add(*is);
            let place = renewed.iter().zip(numbers).find(|(group, _)| group.id == own.low.id());
            let Some((group, old)) = place else { continue };
            let kept = old.node(own.low.node());
            let segment =
                kept.and_then(|node| group.world.nodes.get(node.index())).map(|node| node.segment());
            let same = |segment: &SegmentIndex| {
                group.graph.positions.get(segment.index()) == Some(&own.position)
                    && group
                        .graph
                        .nodes
                        .get(segment.index())
                        .is_some_and(|node| usize::from(node.islands[0]) == island)
            };
            if let (Some(node), Some(segment)) = (kept, segment.filter(same)) {
                own.low = crate::record::LowNode::new(group.id, segment, node);
            } else if let Some((low, at)) = low_node(renewed, island) {
                own.low = low;
                own.position = at;
            }
        }
        for island in (0..graph.islands.len()).rev() {
            if graph.islands.get(island).is_some_and(|own| own.segments == 0) {
                super::islands::remove(graph, island);
                if island < slots.len() {
                    slots.remove(island);
                }
                self.lost.push(island);
            }
        }
        self.set_islands(graphs, slots);
    }
}

/// A node in the middle of the first segment of an island.
fn low_node(groups: &[GroupBuf], island: usize) -> Option<(crate::record::LowNode, Position)> {
    groups.iter().find_map(|group| {
        let segment = group.graph.nodes.iter().position(|node| usize::from(node.islands[0]) == island)?;
        let at = *group.graph.positions.get(segment)?;
        let range = group.segments.get(segment)?.nodes();
        let local = group.world.positions.get(range.clone())?.iter().position(|other| *other == at)?;
        let node = u16::try_from(range.start.checked_add(local)?).ok()?;
        let low = crate::record::LowNode::new(group.id, SegmentIndex(segment as u16), NodeIndex(node));
        Some((low, at))
    })
}

fn slots(old: &Slots, group: &GroupBuf, numbers: &Numbers, made: &mut u32) -> Slots {
    let mut new = Slots::default();
    let mut seen = HashSet::new();
    for piece in &numbers.pieces {
        let slot = old.segments.get(piece.old).copied().filter(|_| piece.first);
        new.segments.push(slot.unwrap_or_else(|| fresh(made)));
        new.faces.extend(piece.faces.iter().filter_map(|face| old.faces.get(*face).copied()));
        let Some(segment) = group.segments.get(piece.old) else { continue };
        let kept =
            old.vertices.get(segment.vertices()).unwrap_or_default().iter().zip(used(group, piece, segment));
        // A vertex shared by two pieces goes to the first.
        for (slot, _) in kept.filter(|(_, used)| *used) {
            new.vertices.push(if seen.insert(*slot) { *slot } else { fresh(made) });
        }
    }
    new
}

/// A name never used before.
fn fresh(made: &mut u32) -> u32 {
    *made = made.saturating_add(1);
    *made
}

/// The vertices of its segment that a piece keeps: all of a whole segment, else those used by its faces.
fn used(old: &GroupBuf, piece: &Piece, segment: &Segment) -> Vec<bool> {
    let mut used = vec![piece.whole; segment.vertices().len()];
    for face in piece.faces.iter().filter_map(|face| old.mesh.faces.get(*face)) {
        for corner in face.corners.iter().take(face.sides()) {
            used.get_mut(usize::from(*corner)).into_iter().for_each(|used| *used = true);
        }
    }
    used
}

/// The renumbered group, without its coarse graph.
fn emit(old: &GroupBuf, own: &Numbers, all: &[Numbers]) -> GroupBuf {
    let mut group = GroupBuf::new(old.id);
    group.world.unknown = old.world.unknown;
    group.mesh.unknown = old.mesh.unknown;
    let links: Vec<_> = old.world.links().collect();
    for (number, (piece, nodes)) in (0_u16..).zip(own.pieces.iter().zip(&own.old_nodes)) {
        let Some(segment) = old.segments.get(piece.old) else { continue };
        let index = SegmentIndex(number);
        let bases = lengths(&group);
        let part = Part { old, own, all, piece, segment, index, node_base: bases[3] };
        let corners = part.vertices(&mut group);
        let edges = part.edges(&mut group);
        part.nodes(nodes, &links, &edges, &mut group);
        part.faces(&corners, &mut group);
        part.finish(bases, &mut group);
    }
    keep_references(old, own, &mut group);
    group
}

/// How many vertices, faces, edges and nodes a group has: where those of the next segment begin.
fn lengths(group: &GroupBuf) -> [usize; 4] {
    let (mesh, world) = (&group.mesh, &group.world);
    [mesh.vertices.len(), mesh.faces.len(), world.edges.len(), world.nodes.len()]
}

fn number(len: usize) -> u16 {
    u16::try_from(len).unwrap_or(u16::MAX)
}

/// A piece of an old segment on its way into the new group.
struct Part<'a> {
    old: &'a GroupBuf,
    own: &'a Numbers,
    all: &'a [Numbers],
    piece: &'a Piece,
    /// The old segment, and the number of the new one.
    segment: &'a Segment,
    index: SegmentIndex,
    /// The first node of the new one.
    node_base: usize,
}

impl Part<'_> {
    /// Adds the vertices that are left. Returns the new number in the segment of each old one.
    fn vertices(&self, group: &mut GroupBuf) -> Vec<u8> {
        let used = used(self.old, self.piece, self.segment);
        let mut corners = vec![0_u8; used.len()];
        let mut local = 0_u8;
        let vertices = self.old.mesh.vertices.get(self.segment.vertices()).unwrap_or_default();
        for ((to, used), vertex) in corners.iter_mut().zip(&used).zip(vertices) {
            if *used {
                *to = local;
                local = local.saturating_add(1);
                group.mesh.vertices.push(*vertex);
            }
        }
        corners
    }

    /// Adds the edges that are left. Returns the new number in the group of each old one.
    fn edges(&self, group: &mut GroupBuf) -> Vec<Option<u16>> {
        let old = self.old.world.edges.get(self.segment.edges()).unwrap_or_default();
        let mut edges = vec![None; self.segment.edges().len()];
        for (slot, edge) in edges.iter_mut().zip(old).filter(|(_, edge)| self.keeps(edge)) {
            *slot = Some(number(group.world.edges.len()));
            let local = edge.local_nodes().map(|node| self.local(node));
            // The kind of an edge is kept; it was 0 in all files seen.
            let stored = SegmentIndex(self.index.0 | edge.kind() << 12);
            group.world.edges.push(NavEdge::new(edge.weight(), stored, local));
        }
        edges
    }

    /// Whether an edge is one of a whole segment, or between nodes of one remaining face.
    fn keeps(&self, edge: &NavEdge) -> bool {
        let [a, b] = edge.local_nodes();
        let faces = || self.piece.faces.iter().filter_map(|face| self.old.mesh.faces.get(*face));
        self.piece.whole
            || faces().any(|face| {
                let nodes = face.nodes.get(..if face.four_nodes { 4 } else { 3 }).unwrap_or_default();
                nodes.contains(&a) && nodes.contains(&b)
            })
    }

    /// The new number in the segment of one of its old nodes.
    fn local(&self, node: u8) -> u8 {
        let old = self.segment.nodes().start.saturating_add(usize::from(node));
        let new = self.own.nodes.get(old).copied().flatten().unwrap_or(0);
        usize::from(new).saturating_sub(self.node_base) as u8
    }

    /// Adds nodes with their links. `links` are those of all old nodes, `edges` as [`edges`](Self::edges) returned them.
    fn nodes(&self, nodes: &[usize], links: &[NodeLinks<'_>], edges: &[Option<u16>], group: &mut GroupBuf) {
        let Self { old, own, .. } = self;
        let mut inside = Vec::new();
        for node in nodes {
            let (record, at) = (old.world.nodes.get(*node), old.world.positions.get(*node));
            let (Some(record), Some(at), Some(links)) = (record, at, links.get(*node)) else { continue };
            inside.clear();
            for link in links.inside {
                let edge = usize::from(link.edge()).checked_sub(self.segment.edges().start);
                let edge = edge.and_then(|edge| edges.get(edge).copied().flatten());
                if let (Some(edge), Some(to)) = (edge, own.node(link.node())) {
                    inside.push(InsideLink::new(to, edge));
                }
            }
            let crossing = links.crossing.and_then(|crossing| crossed(crossing, own, self.all));
            group.world.push_node(record.with_segment(self.index), &inside, crossing);
            group.world.positions.push(*at);
            group.world.faces.push(0.into());
        }
    }

    /// Adds the faces that are left. `corners` as [`vertices`](Self::vertices) returned them.
    fn faces(&self, corners: &[u8], group: &mut GroupBuf) {
        for face in &self.piece.faces {
            let Some(record) = self.old.mesh.faces.get(*face) else { continue };
            let own_number = number(group.mesh.faces.len());
            let mut new = record;
            new.segment = self.index;
            for corner in new.corners.iter_mut().take(record.sides()) {
                *corner = corners.get(usize::from(*corner)).copied().unwrap_or(0);
            }
            let count = if record.four_nodes { 4 } else { 3 };
            for node in new.nodes.iter_mut().take(count) {
                *node = self.local(*node);
                // A node names the face with the highest number.
                let at = self.node_base.saturating_add(usize::from(*node));
                group.world.faces.get_mut(at).into_iter().for_each(|face| face.set(own_number));
            }
            neighbours(&mut new, self.own, self.all);
            group.mesh.faces.push(new);
        }
    }

    /// Adds the segment itself: its ranges from `bases` to the end of the group, its box and its attribute.
    fn finish(&self, bases: [usize; 4], group: &mut GroupBuf) {
        let mut counts = [0_u8; 4];
        for (count, (end, base)) in counts.iter_mut().zip(lengths(group).into_iter().zip(bases)) {
            *count = u8::try_from(end.saturating_sub(base)).unwrap_or(u8::MAX);
        }
        let old = self.piece.old;
        let bounds = match self.old.bounds.get(old) {
            Some(bounds) if self.piece.whole => *bounds,
            _ => around(group.mesh.vertices.get(bases[0]..).unwrap_or_default()),
        };
        group.bounds.push(bounds);
        group.segments.push(Segment::new(bases.map(number), counts));
        group.world.attributes.push(self.old.world.attributes.get(old).copied().unwrap_or_default());
    }
}

/// Nodes that lost no face keep the face they name.
fn keep_references(old: &GroupBuf, own: &Numbers, group: &mut GroupBuf) {
    for (node, reference) in old.world.faces.iter().enumerate() {
        let face = own.faces.get(usize::from(reference.get())).copied().flatten();
        let new = own.nodes.get(node).copied().flatten();
        let whole = new
            .and_then(|new| own.segment_of.get(usize::from(new)))
            .and_then(|piece| own.pieces.get(usize::from(*piece)));
        if let (Some(face), Some(new), true) = (face, new, whole.is_some_and(|piece| piece.whole)) {
            group.world.faces.get_mut(usize::from(new)).into_iter().for_each(|slot| slot.set(face));
        }
    }
}

pub(super) fn around(vertices: &[Position]) -> Bounds {
    let (mut min, mut max) = ([u16::MAX; 3], [0_u16; 3]);
    for at in vertices.iter().map(Position::quantised) {
        min.iter_mut().zip(at).for_each(|(to, v)| *to = v.min(*to));
        max.iter_mut().zip(at).for_each(|(to, v)| *to = v.max(*to));
    }
    Bounds::new(min, max)
}

/// The new target of a crossing link. Links out of this file are unchanged.
fn crossed(crossing: Crossing, own: &Numbers, all: &[Numbers]) -> Option<Crossing> {
    match crossing {
        Crossing::Segment { node } => own.node(node).map(|node| Crossing::Segment { node }),
        Crossing::Group { group, node } => match all.iter().find(|other| other.id == group.0) {
            Some(other) => other.node(node).map(|node| Crossing::Group { group, node }),
            None => Some(crossing),
        },
        Crossing::Tile { .. } => Some(crossing),
    }
}

/// Renumbers the neighbours of a face.
fn neighbours(face: &mut FaceBuf, own: &Numbers, all: &[Numbers]) {
    let sides = face.sides();
    for side in 0..sides {
        let (Some(word), Some(group)) = (face.neighbours.get(side).copied(), face.groups.get(side).copied())
        else {
            continue;
        };
        let index = FaceIndex(word & 0x3FFF);
        let there = match word >> 14 {
            _ if word == 0xFFFF => None,
            0 => own.faces.get(index.index()).copied().flatten(),
            1 => match all.iter().find(|other| GroupId(other.id) == GroupId(group)) {
                Some(other) => other.faces.get(index.index()).copied().flatten().map(|face| face | 0x4000),
                None => Some(word),
            },
            _ => Some(word),
        };
        face.neighbours.get_mut(side).into_iter().for_each(|slot| *slot = there.unwrap_or(0xFFFF));
    }
    tidy(face);
}

/// Sets the groups and tiles of sides that need none to the values that the games write.
pub(super) fn tidy(face: &mut FaceBuf) {
    if !face.is_crossing() {
        face.groups = [0; 4];
        face.tiles = [0; 4];
        return;
    }
    let kind = |word: u16| if word == 0xFFFF { 0 } else { word >> 14 };
    let leaves = face.neighbours.iter().take(face.sides()).any(|word| kind(*word) == 2);
    for side in 0..face.sides() {
        let Some(word) = face.neighbours.get(side).copied() else { continue };
        if kind(word) == 0 {
            face.groups.get_mut(side).into_iter().for_each(|slot| *slot = 0xFFFF);
        }
        if kind(word) < 2 {
            let tile = if leaves { 0xFFFF } else { 0 };
            face.tiles.get_mut(side).into_iter().for_each(|slot| *slot = tile);
        }
    }
}

/// No deleted faces, for every group of a tile.
pub(super) fn none(tile: &FoxBuf) -> Vec<Vec<bool>> {
    tile.groups.iter().map(|group| vec![false; group.mesh.faces.len()]).collect()
}
