//! The graphs in which the game finds paths, with the costs that the file stores: sides of faces, and segments.

use super::graph::{FoxGraph, Slot, len};
use super::record::{GroupId, NodeIndex, SegmentIndex};
use super::tileset::{Layer, NodeRef};
use super::view::{Crossing, FoxNav, SegmentLinks};
use navmap_core::error::Result;
use navmap_core::graph::{Axes, Link, LinkKind, NavGraph, Node, Passage, Rules, Shape, Visitor};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// The fine graph of a file, or of one layer of a tile set: the midpoints of all sides, and the edges between those of one face,
/// with the weights that the file stores (`NavWorld`).
///
/// - A node is a waypoint. Its id combines the numbers of tile, group and node (`tile << 48 | group << 32 | node`). Groups and
///   flags are those of [`FoxGraph`].
/// - An edge is a `walk` each way, and costs its weight in metres. Two nodes at the same position in different segments or groups
///   are joined by a `walk` without cost, in different tiles by a `border`. If the other tile is not in the set, the link leads
///   outside.
///
/// A path begins and ends at a [side of the face](Self::sides_of) that contains a point.
#[derive(Debug)]
pub struct SideWays<'a> {
    faces: FoxGraph<'a>,
    /// The first node of each slot.
    first: Vec<u32>,
}

impl<'a> SideWays<'a> {
    /// The graph of one file.
    pub fn of_file(nav: &FoxNav<'a>) -> Self {
        Self::new(FoxGraph::of_file(nav))
    }

    /// The graph of a whole map, or of one variant of it.
    pub fn of_layer(layer: &Layer<'a>) -> Self {
        Self::new(FoxGraph::of_layer(layer))
    }

    fn new(faces: FoxGraph<'a>) -> Self {
        let first = starts(&faces, |slot| slot.group.world().nodes().len());
        Self { faces, first }
    }

    /// The corresponding graph of faces, in which points are located.
    pub fn faces(&self) -> &FoxGraph<'a> {
        &self.faces
    }

    /// The graph's number of a group's node. `tile` is the number of its tile in the set (0 for a single file).
    pub fn node_of(&self, tile: u32, group: GroupId, node: NodeIndex) -> Option<u32> {
        let at = self.faces.slot_of(tile, group)?;
        let exists = node.index() < self.faces.groups.get(at)?.group.world().nodes().len();
        let first = self.first.get(at).filter(|_| exists)?;
        Some(first.saturating_add(u32::from(node.0)))
    }

    /// The nodes on the sides of a face, given by its node in the graph of [`faces`](Self::faces).
    pub fn sides_of(&self, face: u32) -> impl Iterator<Item = u32> + '_ {
        let found = self.faces.face_of(face);
        let slot = found.and_then(|(at, _)| self.faces.groups.get(at));
        slot.zip(found).into_iter().flat_map(move |(slot, (_, face))| {
            (0..4).filter_map(move |side| {
                let node = slot.group.node_of(face, side).ok()??;
                self.node_of(slot.number, slot.group.id(), node)
            })
        })
    }

    fn slot<V: Visitor>(&self, slot: &Slot<'a>, first: u32, visitor: &mut V) -> Result<ControlFlow<()>> {
        let world = slot.group.world();
        let id = id_of(slot);
        let mut attribute = (None, 0u16);
        for (stored, number) in world.nodes().iter().zip(0..=u16::MAX) {
            let segment = stored.segment();
            if attribute.0 != Some(segment) {
                let stored = world.attributes().get(segment.index());
                attribute = (Some(segment), stored.map_or(0, |stored| stored.get()));
            }
            let index = first.saturating_add(u32::from(number));
            let at = slot.group.node_position(NodeIndex(number));
            let node = Node {
                index,
                id: id | u64::from(number),
                shape: at.map_or(Shape::NONE, |at| Shape::Point { at: at.into(), radius: None }),
                place: None,
                group: Some(slot.first_segment.saturating_add(u32::from(segment.0))),
                flags: attribute.1.into(),
            };
            if visitor.node(&node).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if V::WANTS.links {
                self.links(slot, first, NodeIndex(number), visitor)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn links(&self, slot: &Slot<'a>, first: u32, node: NodeIndex, visitor: &mut impl Visitor) -> Result<()> {
        let world = slot.group.world();
        let from = first.saturating_add(u32::from(node.0));
        let links = world.links_of(node)?;
        for link in links.inside {
            let there = link.node().index() < world.nodes().len();
            let to = there.then(|| first.saturating_add(u32::from(link.node().0)));
            let weight = world.edges().get(usize::from(link.edge()));
            let cost = weight.map(|edge| slot.group.frame().metres(edge.weight()));
            let passage = Passage { cost, number: Some(link.edge().into()), ..Passage::NONE };
            visitor.link(&way(from, to, LinkKind::Walk, passage));
        }
        let Some(crossing) = links.crossing else { return Ok(()) };
        let across = match slot.tile {
            Some(tile) => tile.links(slot.group.id(), node)?.and_then(|links| links.crossing),
            None => None,
        };
        let there = across
            .and_then(Result::ok)
            .and_then(|NodeRef { tile, group, node }| self.node_of(tile, group, node));
        let free = Passage { cost: Some(0.0), length: Some(0.0), ..Passage::NONE };
        let link = match crossing {
            Crossing::Segment { node } => {
                way(from, self.node_of(slot.number, slot.group.id(), node), LinkKind::Walk, free)
            }
            Crossing::Group { group, node } => {
                way(from, self.node_of(slot.number, group, node), LinkKind::Walk, free)
            }
            Crossing::Tile { tile, .. } => {
                let beyond = there.is_none().then(|| u64::from(tile.0));
                way(from, there, LinkKind::Border, Passage { beyond, ..free })
            }
        };
        visitor.link(&link);
        Ok(())
    }
}

impl NavGraph for SideWays<'_> {
    fn axes(&self) -> Axes {
        self.faces.axes()
    }

    fn node_word(&self) -> &'static str {
        "node"
    }

    fn group_word(&self) -> Option<&'static str> {
        self.faces.group_word()
    }

    fn group(&self, group: u32) -> Option<Cow<'_, str>> {
        self.faces.group(group)
    }

    fn rules(&self) -> Rules {
        self.faces.rules()
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        for (slot, first) in self.faces.groups.iter().zip(&self.first) {
            if self.slot(slot, *first, visitor)?.is_break() {
                return Ok(());
            }
        }
        self.faces.unread()
    }
}

/// The coarse graph of a file, or of one layer of a tile set: segments, and the links between them (`SegmentGraph`). A path is
/// planned on it first, and then found on the [sides](SideWays) within the planned segments.
///
/// - A node is a segment. Its number is the group of its faces in [`FoxGraph`] and of its nodes in [`SideWays`]. Its position is
///   that of the node chosen by the file.
/// - A link costs the sum of the stored costs of leaving either segment towards the other, in metres. A link into another tile is
///   a `border`; its target is found by the nodes at which it crosses.
#[derive(Debug)]
pub struct SegmentWays<'a> {
    faces: FoxGraph<'a>,
    /// For a group whose coarse graph leaves out empty segments, as Obj2Nav2 writes it: the segments it includes.
    packed: Vec<Option<Box<[u16]>>>,
}

impl<'a> SegmentWays<'a> {
    /// The graph of one file.
    pub fn of_file(nav: &FoxNav<'a>) -> Self {
        Self::new(FoxGraph::of_file(nav))
    }

    /// The graph of a whole map, or of one variant of it.
    pub fn of_layer(layer: &Layer<'a>) -> Self {
        Self::new(FoxGraph::of_layer(layer))
    }

    fn new(faces: FoxGraph<'a>) -> Self {
        let packed = |slot: &Slot<'a>| {
            let segments = slot.group.segment_chunk().segments();
            let all = segments.len() == slot.group.segment_graph().nodes().len();
            let full = segments.iter().zip(0..).filter(|(segment, _)| !segment.is_empty());
            (!all).then(|| full.map(|(_, number)| number).collect())
        };
        let packed = faces.groups.iter().map(packed).collect();
        Self { faces, packed }
    }

    /// The index of a segment in its coarse graph.
    fn entry(&self, at: usize, segment: SegmentIndex) -> Option<SegmentIndex> {
        match self.packed.get(at)? {
            None => Some(segment),
            Some(there) => there.binary_search(&segment.0).ok()?.try_into().ok().map(SegmentIndex),
        }
    }

    fn links_of(&self, at: usize, segment: SegmentIndex) -> Option<Result<SegmentLinks<'a>>> {
        let graph = self.faces.groups.get(at)?.group.segment_graph();
        let entry = self.entry(at, segment).filter(|entry| entry.index() < graph.nodes().len())?;
        Some(graph.links_of(entry))
    }

    /// The number of an existing segment.
    fn node_in(&self, at: usize, segment: SegmentIndex) -> Option<u32> {
        let slot = self.faces.groups.get(at)?;
        let exists = segment.index() < slot.group.segment_chunk().segments().len();
        exists.then(|| slot.first_segment.saturating_add(u32::from(segment.0)))
    }

    /// The cost of leaving a segment towards another, if it has such a link.
    fn back(
        &self,
        at: usize,
        from: SegmentIndex,
        weight: impl Fn(SegmentLinks<'a>) -> Option<u16>,
    ) -> Result<f32> {
        let links = self.links_of(at, from).transpose()?;
        let weight = links.and_then(weight);
        let frame = self.faces.groups.get(at).map(|slot| slot.group.frame());
        Ok(weight.zip(frame).map_or(0.0, |(weight, frame)| frame.metres(weight)))
    }

    fn links(
        &self,
        at: usize,
        slot: &Slot<'a>,
        here: SegmentIndex,
        visitor: &mut impl Visitor,
    ) -> Result<()> {
        let Some(links) = self.links_of(at, here).transpose()? else { return Ok(()) };
        let from = slot.first_segment.saturating_add(u32::from(here.0));
        let (frame, own) = (slot.group.frame(), slot.group.id());
        let costs =
            |weight: u16, back: f32| Passage { cost: Some(frame.metres(weight) + back), ..Passage::NONE };
        for link in links.inside {
            let back = self.back(at, link.segment(), |links| {
                links.inside.iter().find(|back| back.segment() == here).map(|back| back.weight())
            })?;
            let to = self.node_in(at, link.segment());
            visitor.link(&way(from, to, LinkKind::Walk, costs(link.weight(), back)));
        }
        for link in links.groups {
            let there = self.faces.slot_of(slot.number, link.group());
            let back = match there {
                Some(there) => self.back(there, link.segment(), |links| {
                    let mut all = links.groups.iter();
                    all.find(|back| back.group() == own && back.segment() == here).map(|back| back.weight())
                })?,
                None => 0.0,
            };
            let to = there.and_then(|there| self.node_in(there, link.segment()));
            visitor.link(&way(from, to, LinkKind::Walk, costs(link.weight(), back)));
        }
        let crossings = links.crossings().skip(links.inside.len().saturating_add(links.groups.len()));
        for (link, crossings) in links.tiles.iter().zip(crossings) {
            let mut reached = self.reached(slot, here, crossings)?;
            reached.sort_unstable();
            // Segments reached by several nodes count once.
            reached.dedup_by_key(|(there, segment, _)| (*there, *segment));
            if reached.is_empty() {
                let beyond = Passage { beyond: Some(link.tile().0.into()), ..costs(link.weight(), 0.0) };
                visitor.link(&way(from, None, LinkKind::Border, beyond));
            }
            for (there, segment, node) in reached {
                let back = self.back(there, segment, |links| {
                    let first = self.faces.groups.get(there)?.group.segment_nodes(segment).start;
                    let local = u8::try_from(node.index().checked_sub(first)?).ok()?;
                    let before = links.inside.len().saturating_add(links.groups.len());
                    let mut tiles = links.tiles.iter().zip(links.crossings().skip(before));
                    let back = tiles.find(|(_, crossings)| crossings.contains(&local));
                    back.map(|(back, _)| back.weight())
                })?;
                let to = self.node_in(there, segment);
                visitor.link(&way(from, to, LinkKind::Border, costs(link.weight(), back)));
            }
        }
        Ok(())
    }

    /// The segments of other tiles reached by a link's nodes: slot, segment, node.
    fn reached(
        &self,
        slot: &Slot<'a>,
        here: SegmentIndex,
        crossings: &[u8],
    ) -> Result<Vec<(usize, SegmentIndex, NodeIndex)>> {
        let mut reached = Vec::new();
        let Some(tile) = slot.tile else { return Ok(reached) };
        let first = slot.group.segment_nodes(here).start;
        for local in crossings {
            let Ok(node) = u16::try_from(first.saturating_add(usize::from(*local))) else { continue };
            if usize::from(node) >= slot.group.world().nodes().len() {
                continue;
            }
            let across = tile.links(slot.group.id(), NodeIndex(node))?.and_then(|links| links.crossing);
            let Some(Ok(to)) = across else { continue };
            let Some(there) = self.faces.slot_of(to.tile, to.group) else { continue };
            let Some(other) = self.faces.groups.get(there) else { continue };
            if let Some(stored) = other.group.world().nodes().get(to.node.index()) {
                reached.push((there, stored.segment(), to.node));
            }
        }
        Ok(reached)
    }
}

impl NavGraph for SegmentWays<'_> {
    fn axes(&self) -> Axes {
        self.faces.axes()
    }

    fn node_word(&self) -> &'static str {
        "segment"
    }

    fn rules(&self) -> Rules {
        self.faces.rules()
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        for (at, slot) in self.faces.groups.iter().enumerate() {
            let (group, id) = (&slot.group, id_of(slot));
            let count = len(group.segment_chunk().segments().len());
            for (number, segment) in (0..count).zip((0..=u16::MAX).map(SegmentIndex)) {
                let entry = self.entry(at, segment);
                let stored = entry.and_then(|entry| group.segment_graph().positions().get(entry.index()));
                let stands = stored.map(|position| group.frame().world(position));
                let attribute = group.world().attributes().get(segment.index());
                let node = Node {
                    index: slot.first_segment.saturating_add(number),
                    id: id | u64::from(number),
                    shape: stands.map_or(Shape::NONE, |at| Shape::Point { at: at.into(), radius: None }),
                    place: None,
                    group: None,
                    flags: attribute.map_or(0, |attribute| attribute.get().into()),
                };
                if visitor.node(&node).is_break() {
                    return Ok(());
                }
                if V::WANTS.links {
                    self.links(at, slot, segment, visitor)?;
                }
            }
        }
        self.faces.unread()
    }
}

/// The first number of each slot, given the size of each.
fn starts<'a>(faces: &FoxGraph<'a>, count: impl Fn(&Slot<'a>) -> usize) -> Vec<u32> {
    let next = |next: &mut u32, slot: &Slot<'a>| {
        let first = *next;
        *next = next.saturating_add(len(count(slot)));
        Some(first)
    };
    faces.groups.iter().scan(0u32, next).collect()
}

fn id_of(slot: &Slot<'_>) -> u64 {
    u64::from(slot.group.tile().0) << 48 | u64::from(slot.group.id().0) << 32
}

fn way(from: u32, to: Option<u32>, kind: LinkKind, passage: Passage) -> Link {
    Link { from, to, kind, gated: false, portal: None, path: None, passage }
}
