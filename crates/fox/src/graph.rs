//! A Fox tile, or a whole set of tiles, as a neutral graph.

use super::record::{FaceIndex, GroupId};
use super::tileset::{FaceRef, Layer, Tile};
use super::view::{Adjacent, FoxNav, Group, GroupFace};
use navmap_core::error::Result;
use navmap_core::graph::{
    Axes, Axis, Ids, Link, LinkKind, MapTile, NavGraph, Node, Passage, Point, Shape, Visitor,
};
use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

/// One file, or one layer of a tile set, as a graph: faces are nodes, their neighbours are links.
///
/// Opening it reads the heads of all groups and stores a few numbers for each; faces stay in the files.
///
/// - A node's id combines the numbers of tile, group and face (`tile << 48 | group << 32 | face`).
/// - A neighbour in the same tile is a `walk`, even in another group or split part. A neighbour in another tile is a `border`,
///   which leads outside in a single file and to the resolved face in a set.
/// - Portals are the shared sides. There are no places and no marks.
/// - Groups are segments; flags are the segment's attribute, whose bits have no known names.
/// - A face without a segment is a node without corners, so that faces keep the numbers that links use.
#[derive(Debug)]
pub struct FoxGraph<'a> {
    pub(super) groups: Vec<Slot<'a>>,
    whole: Whole<'a>,
}

/// One group, and its first face and segment in the graph.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot<'a> {
    /// Number of the tile, 0 in a single file. Slots are ordered by tile, then by group id.
    pub(super) number: u32,
    /// The tile of a set.
    pub(super) tile: Option<Tile<'a>>,
    pub(super) group: Group<'a>,
    first_node: u32,
    pub(super) first_segment: u32,
}

#[derive(Debug)]
enum Whole<'a> {
    File(FoxNav<'a>),
    Layer(Layer<'a>),
}

impl<'a> FoxGraph<'a> {
    /// The graph of one file.
    pub fn of_file(nav: &FoxNav<'a>) -> Self {
        let groups = nav.groups().filter_map(Result::ok).map(|group| (None, group));
        Self::new(groups.collect(), Whole::File(*nav))
    }

    /// The graph of a whole map, or of one variant of it.
    pub fn of_layer(layer: &Layer<'a>) -> Self {
        let of_tile = |tile: Tile<'a>| tile.groups().filter_map(Result::ok).map(move |g| (Some(tile), g));
        Self::new(layer.tiles().flat_map(of_tile).collect(), Whole::Layer(*layer))
    }

    fn new(mut groups: Vec<(Option<Tile<'a>>, Group<'a>)>, whole: Whole<'a>) -> Self {
        let key = |(tile, group): &(Option<Tile<'_>>, Group<'_>)| (number(tile.as_ref()), group.id());
        groups.sort_by_key(key);
        groups.dedup_by_key(|group| key(group));
        let (mut first_node, mut first_segment) = (0u32, 0u32);
        let mut slots = Vec::with_capacity(groups.len());
        for (tile, group) in groups {
            slots.push(Slot { number: number(tile.as_ref()), tile, group, first_node, first_segment });
            first_node = first_node.saturating_add(len(group.mesh().descriptors().len()));
            first_segment = first_segment.saturating_add(len(group.segment_chunk().segments().len()));
        }
        Self { groups: slots, whole }
    }

    /// The position of a group among the slots.
    pub(super) fn slot_of(&self, tile: u32, group: GroupId) -> Option<usize> {
        self.groups.binary_search_by_key(&(tile, group), |slot| (slot.number, slot.group.id())).ok()
    }

    /// The slot of a face's node, and the number of the face in its group.
    pub(super) fn face_of(&self, node: u32) -> Option<(usize, FaceIndex)> {
        let at = self.groups.partition_point(|slot| slot.first_node <= node).checked_sub(1)?;
        let slot = self.groups.get(at)?;
        let face = u16::try_from(node.checked_sub(slot.first_node)?).ok()?;
        Some((at, FaceIndex(face))).filter(|(_, face)| face.index() < slot.group.mesh().descriptors().len())
    }

    /// Hands the faces of some nodes, which are ascending, to `each`, with the bytes in which they lie.
    pub(super) fn records(
        &self,
        nodes: &[u32],
        each: &mut impl FnMut(u32, Range<u64>, GroupFace<'a>),
    ) -> Result<()> {
        let mut wanted = nodes;
        for slot in &self.groups {
            let mesh = slot.group.mesh();
            let end = slot.first_node.saturating_add(len(mesh.descriptors().len()));
            let (here, after) = wanted.split_at(wanted.partition_point(|node| *node < end));
            wanted = after;
            if here.is_empty() {
                continue;
            }
            for face in slot.group.faces() {
                let face = face?;
                let node = slot.first_node.saturating_add(u32::from(face.index.0));
                let descriptor = mesh.descriptors().get(face.index.index());
                if let (Ok(_), Some(descriptor)) = (here.binary_search(&node), descriptor) {
                    let start = mesh.face_offset(descriptor);
                    each(node, start..start.saturating_add(face.face.byte_len() as u64), face);
                }
            }
        }
        Ok(())
    }

    /// Fails with the error of a group that could not be read and so has no slot.
    pub(super) fn unread(&self) -> Result<()> {
        match &self.whole {
            Whole::File(nav) => nav.groups().try_for_each(|group| group.map(drop)),
            Whole::Layer(layer) => {
                layer.tiles().flat_map(|tile| tile.groups()).try_for_each(|group| group.map(drop))
            }
        }
    }

    /// The node of a face. `tile` is the number of its tile in the set (0 for a single file).
    pub fn node_of(&self, tile: u32, group: GroupId, face: FaceIndex) -> Option<u32> {
        let slot = self.groups.get(self.slot_of(tile, group)?)?;
        let exists = face.index() < slot.group.mesh().descriptors().len();
        exists.then(|| slot.first_node.saturating_add(u32::from(face.0)))
    }

    fn faces<V: Visitor>(&self, slot: &Slot<'a>, visitor: &mut V) -> Result<ControlFlow<()>> {
        let count = len(slot.group.mesh().descriptors().len());
        let mut next = 0u32;
        let mut attribute = (None, 0u16);
        let id = u64::from(slot.group.tile().0) << 48 | u64::from(slot.group.id().0) << 32;
        let bare = |face: u32| Node {
            index: slot.first_node.saturating_add(face),
            id: id | u64::from(face),
            shape: Shape::NONE,
            place: None,
            group: None,
            flags: 0,
        };
        for face in slot.group.faces() {
            let face = face?;
            let number = u32::from(face.index.0);
            if number < next {
                continue;
            }
            for missing in next..number {
                if visitor.node(&bare(missing)).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            next = number.saturating_add(1);
            if attribute.0 != Some(face.segment) {
                let stored = slot.group.world().attributes().get(face.segment.index());
                attribute = (Some(face.segment), stored.map_or(0, |stored| stored.get()));
            }
            let mut corners = [Point::default(); 4];
            let mut sides = 0usize;
            if V::WANTS.corners || V::WANTS.portals {
                for (to, vertex) in corners.iter_mut().zip(face.corners.as_slice()) {
                    if let Some(position) = slot.group.mesh().vertices().get(usize::from(*vertex)) {
                        *to = slot.group.frame().world(position).into();
                        sides = sides.saturating_add(1);
                    }
                }
            }
            let corners = corners.get(..sides).unwrap_or_default();
            let node = Node {
                shape: if V::WANTS.corners { Shape::Polygon(corners) } else { Shape::NONE },
                group: Some(slot.first_segment.saturating_add(u32::from(face.segment.0))),
                flags: attribute.1.into(),
                ..bare(number)
            };
            if visitor.node(&node).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if V::WANTS.links {
                let portals = if V::WANTS.portals { corners } else { &[] };
                self.links(slot, &face, node.index, portals, visitor)?;
            }
        }
        for missing in next..count {
            if visitor.node(&bare(missing)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn links(
        &self,
        slot: &Slot<'a>,
        face: &GroupFace<'a>,
        from: u32,
        corners: &[Point],
        visitor: &mut impl Visitor,
    ) -> Result<()> {
        for side in 0..face.face.neighbours().len() {
            let Some(adjacent) = face.face.across(side) else { continue };
            let mut beyond = None;
            let (to, kind) = match adjacent {
                Adjacent::Border => continue,
                Adjacent::Face(to) => {
                    let there = to.index() < slot.group.mesh().descriptors().len();
                    (there.then(|| slot.first_node.saturating_add(u32::from(to.0))), LinkKind::Walk)
                }
                Adjacent::Group { group, face } => (self.node_of(slot.number, group, face), LinkKind::Walk),
                Adjacent::Dynamic { .. } => (None, LinkKind::Other),
                Adjacent::Tile { tile: id, .. } => {
                    let across = match slot.tile {
                        Some(tile) => tile.across(&slot.group, face.index, side)?,
                        None => None,
                    };
                    let to = across.and_then(Result::ok);
                    let node = to.and_then(|FaceRef { tile, group, face }| self.node_of(tile, group, face));
                    if node.is_none() {
                        beyond = Some(u64::from(id.0));
                    }
                    (node, LinkKind::Border)
                }
            };
            let next = if side.saturating_add(1) < corners.len() { side.saturating_add(1) } else { 0 };
            let portal = corners.get(side).zip(corners.get(next)).map(|(a, b)| [*a, *b]);
            let passage = Passage { side: u8::try_from(side).ok(), beyond, ..Passage::NONE };
            visitor.link(&Link { from, to, kind, gated: false, portal, path: None, passage });
        }
        Ok(())
    }
}

/// The number of a tile in the set.
fn number(tile: Option<&Tile<'_>>) -> u32 {
    tile.map_or(0, Tile::index)
}

impl NavGraph for FoxGraph<'_> {
    fn axes(&self) -> Axes {
        Axes::y_up(1.0).with_north(Axis::MinusZ)
    }

    fn node_word(&self) -> &'static str {
        "face"
    }

    fn ids(&self) -> Ids {
        Ids::InGroups("F")
    }

    fn group_word(&self) -> Option<&'static str> {
        Some("segment")
    }

    fn group(&self, group: u32) -> Option<Cow<'_, str>> {
        let after = self.groups.partition_point(|slot| slot.first_segment <= group);
        let slot = self.groups.get(after.checked_sub(1)?)?;
        let segment = group.checked_sub(slot.first_segment)?;
        let place = slot.tile.and_then(|tile| tile.coordinates());
        let place = place.map_or_else(String::new, |(x, z)| format!("{x}_{z} "));
        Some(format!("{place}group {} segment {segment}", slot.group.id()).into())
    }

    fn known_nodes(&self) -> Option<usize> {
        let faces = |slot: &Slot<'_>| {
            (slot.first_node as usize).saturating_add(slot.group.mesh().descriptors().len())
        };
        Some(self.groups.last().map_or(0, faces))
    }

    /// None where the columns of the map are unknown, by which groups are named.
    fn tiles(&self) -> Vec<MapTile> {
        let Whole::Layer(layer) = &self.whole else { return Vec::new() };
        if layer.columns().is_none() {
            return Vec::new();
        }
        let mut slots = self.groups.as_slice();
        let of_tile = |tile: Tile<'_>| {
            let (mine, rest) = slots.split_at(slots.partition_point(|slot| slot.number <= tile.index()));
            slots = rest;
            let sum = |count: &dyn Fn(&Group<'_>) -> usize| {
                mine.iter().map(|slot| len(count(&slot.group))).fold(0, u32::saturating_add)
            };
            MapTile {
                key: tile.id().0.into(),
                at: tile.cell(),
                files: tile.files().len(),
                nodes: sum(&|group| group.mesh().descriptors().len()),
                groups: sum(&|group| group.segment_chunk().segments().len()),
                numbers: 0,
                counted: false,
            }
        };
        layer.tiles().map(of_tile).collect()
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        for slot in &self.groups {
            if self.faces(slot, visitor)?.is_break() {
                return Ok(());
            }
        }
        // A group that could not be read has no slot, so its error is reported here.
        self.unread()
    }
}

pub(super) fn len(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
