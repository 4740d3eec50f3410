//! A tile of a set, and links over its borders.

use super::{Border, Layer, Part, Slot, TileIndex, TileSet, UNRESOLVED, Unresolved};
use crate::record::{EntryHeader, FaceIndex, GroupId, InsideLink, NodeIndex, TileId};
use crate::view::{Adjacent, Crossing, Entry, FoxNav, Frame, Group, Stretch};
use navmap_core::error::Result;
use std::path::Path;

/// A node of a set: tile, group, node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeRef {
    /// The tile, by its number in [`TileSet::tile`].
    pub tile: u32,
    /// The group.
    pub group: GroupId,
    /// The node in that group.
    pub node: NodeIndex,
}

/// A face of a set: tile, group, face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaceRef {
    /// The tile, by its number in [`TileSet::tile`].
    pub tile: u32,
    /// The group.
    pub group: GroupId,
    /// The face in that group.
    pub face: FaceIndex,
}

/// A link out of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BorderLink {
    /// The node it leaves.
    pub from: NodeRef,
    /// The tile it names.
    pub tile: TileId,
    /// The group of that tile it names.
    pub group: GroupId,
    /// The target node, or the reason why there is none.
    pub reaches: Result<NodeRef, Unresolved>,
}

/// The links of one node of a set.
#[derive(Debug, Clone, Copy)]
pub struct SetLinks<'s> {
    /// To nodes of the same group, in place.
    pub inside: &'s [InsideLink],
    /// To the node at the same place in another segment, group or tile, if there is such a link.
    pub crossing: Option<Result<NodeRef, Unresolved>>,
}

/// One tile of a set.
#[derive(Clone, Copy, Debug)]
pub struct Tile<'s> {
    set: &'s TileSet<'s>,
    tile: &'s TileIndex,
    index: u32,
}

impl<'s> Tile<'s> {
    pub(super) fn new(set: &'s TileSet<'s>, tile: &'s TileIndex, index: u32) -> Self {
        Self { set, tile, index }
    }

    /// Position in [`TileSet::tile`].
    pub fn index(&self) -> u32 {
        self.index
    }

    /// The tile's id.
    pub fn id(&self) -> TileId {
        self.tile.id
    }

    /// The layer it belongs to.
    pub fn layer(&self) -> Option<Layer<'s>> {
        let index = self.index as usize;
        let set = self.set;
        // Layers are contiguous in the tiles.
        let nth = set.layers.partition_point(|layer| layer.tiles.end <= index);
        set.layers.get(nth).map(|layer| Layer { set, layer })
    }

    /// X and Z of its file name, if the layer's columns are known.
    pub fn coordinates(&self) -> Option<(u16, u16)> {
        self.tile.id.coordinates(self.layer()?.columns()?)
    }

    fn part_indices(&self) -> &'s [Part<'s>] {
        let range = self.tile.parts.start as usize..self.tile.parts.end as usize;
        self.set.parts.get(range).unwrap_or_default()
    }

    /// The conversion of stored numbers to metres.
    pub fn frame(&self) -> Option<Frame> {
        self.part_indices().first().map(|part| part.frame)
    }

    /// Column and row of the 128 m cell at its origin, counted from the middle of the map.
    pub(crate) fn cell(&self) -> [i32; 2] {
        self.frame().map_or([0; 2], |frame| super::open::cell(frame.origin).into())
    }

    /// Its files: one, or the parts of a split tile in order.
    pub fn files(&self) -> impl ExactSizeIterator<Item = TileFile<'s>> + use<'s> {
        self.part_indices().iter().map(|part| TileFile { part })
    }

    /// Its groups, by id, over all its parts. Each costs reading the heads of four entries.
    ///
    /// If a group cannot be read, because the bytes of a mapped file have changed, it yields an error and the walk continues.
    pub fn groups(&self) -> impl Iterator<Item = Result<Group<'s>>> + use<'s> {
        self.part_indices().iter().flat_map(|part| part.slots.iter().map(move |slot| part.group(slot)))
    }

    /// The group of this id, from any part of the tile.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn group(&self, id: GroupId) -> Result<Option<Group<'s>>> {
        self.slot(id).map(|(part, slot)| part.group(slot)).transpose()
    }

    fn slot(&self, id: GroupId) -> Option<(&'s Part<'s>, &'s Slot)> {
        self.part_indices().iter().find_map(|part| Some((part, part.slot(id)?)))
    }

    /// The neighbour across a side, if it is in the set.
    pub fn neighbour(&self, side: crate::Side) -> Option<Tile<'s>> {
        let layer = self.layer()?;
        layer.tile(side.neighbour(self.tile.id, layer.columns()?)?)
    }

    /// Every link out of the tile, by group and node.
    pub fn border_links(&self) -> impl Iterator<Item = BorderLink> + use<'s> {
        let tile = *self;
        self.part_indices().iter().flat_map(move |part| {
            part.slots.iter().filter_map(move |slot| Some((slot, part.group(slot).ok()?))).flat_map(
                move |(slot, group)| {
                    part.borders_of(slot).iter().filter_map(move |border| {
                        let from = NodeIndex(border.node);
                        match group.world().links_of(from).ok()?.crossing? {
                            Crossing::Tile { tile: to, group: to_group, .. } => Some(BorderLink {
                                from: NodeRef { tile: tile.index, group: slot.group, node: from },
                                tile: to,
                                group: to_group,
                                reaches: tile.reach(part, slot, *border, to, to_group),
                            }),
                            _ => None,
                        }
                    })
                },
            )
        })
    }

    fn reach(
        &self,
        part: &Part<'_>,
        slot: &Slot,
        border: Border,
        to: TileId,
        group: GroupId,
    ) -> Result<NodeRef, Unresolved> {
        let there = self.layer().and_then(|layer| layer.tile(to)).ok_or(Unresolved::TileAbsent)?;
        if border.reaches != UNRESOLVED {
            return Ok(NodeRef { tile: there.index, group, node: NodeIndex(border.reaches) });
        }
        if there.slot(group).is_none() {
            return Err(Unresolved::GroupAbsent);
        }
        let known = part.unmatched.binary_search_by_key(&(slot.group, border.node), |u| (u.group, u.node));
        match known.ok().and_then(|at| part.unmatched.get(at)).map_or(0, |u| u.candidates) {
            0 => Err(Unresolved::NoMatch),
            candidates => Err(Unresolved::Ambiguous { candidates }),
        }
    }

    /// The links of a node. Links over borders are resolved. `None` if the tile has no such group.
    ///
    /// # Errors
    /// If the group has no such node, or its links cannot be read.
    pub fn links(&self, group: GroupId, node: NodeIndex) -> Result<Option<SetLinks<'s>>> {
        let Some((part, slot)) = self.slot(group) else { return Ok(None) };
        let links = part.group(slot)?.world().links_of(node).map_err(|error| error.in_file(&part.path))?;
        let crossing = links.crossing.map(|crossing| self.cross(part, slot, node, crossing));
        Ok(Some(SetLinks { inside: links.inside, crossing }))
    }

    /// The target in the set of a crossing of one of this tile's nodes.
    fn cross(
        &self,
        part: &Part<'_>,
        slot: &Slot,
        from: NodeIndex,
        crossing: Crossing,
    ) -> Result<NodeRef, Unresolved> {
        match crossing {
            Crossing::Segment { node } => Ok(NodeRef { tile: self.index, group: slot.group, node }),
            Crossing::Group { group, node } => {
                let (part, slot) = self.slot(group).ok_or(Unresolved::GroupAbsent)?;
                let nodes = part.group(slot).map_or(0, |group| group.world().nodes().len());
                if node.index() >= nodes {
                    return Err(Unresolved::NodeAbsent);
                }
                Ok(NodeRef { tile: self.index, group, node })
            }
            Crossing::Tile { tile, group, .. } => {
                let borders = part.borders_of(slot);
                let border = borders.binary_search_by_key(&from.0, |border| border.node);
                let border = border.ok().and_then(|at| borders.get(at)).ok_or(Unresolved::NoMatch)?;
                self.reach(part, slot, *border, tile, group)
            }
        }
    }

    /// The face across a side of a face; `None` at the edge of the mesh. Over a tile's border it is the face whose node is at the
    /// same position as the side's own node.
    ///
    /// # Errors
    /// If the face, or one on the way, cannot be read.
    pub fn across(
        &self,
        group: &Group<'s>,
        face: FaceIndex,
        side: usize,
    ) -> Result<Option<Result<FaceRef, Unresolved>>> {
        let here = |group, face| Ok(FaceRef { tile: self.index, group, face });
        let Some(adjacent) = group.mesh().face(face)?.across(side) else { return Ok(None) };
        Ok(match adjacent {
            Adjacent::Border => None,
            Adjacent::Face(face) => Some(here(group.id(), face)),
            Adjacent::Group { group, face } => {
                let there =
                    self.group(group)?.filter(|group| face.index() < group.mesh().descriptors().len());
                Some(if there.is_some() { here(group, face) } else { Err(Unresolved::GroupAbsent) })
            }
            Adjacent::Dynamic { .. } => Some(Err(Unresolved::TileAbsent)),
            Adjacent::Tile { .. } => match group.node_of(face, side)? {
                None => Some(Err(Unresolved::NodeAbsent)),
                Some(node) => self.across_border(group.id(), node)?,
            },
        })
    }

    fn across_border(&self, group: GroupId, node: NodeIndex) -> Result<Option<Result<FaceRef, Unresolved>>> {
        let Some(crossing) = self.links(group, node)?.and_then(|links| links.crossing) else {
            return Ok(Some(Err(Unresolved::NoMatch)));
        };
        let to = match crossing {
            Ok(to) => to,
            Err(why) => return Ok(Some(Err(why))),
        };
        let there = self.set.tile(to.tile).map(|tile| tile.group(to.group)).transpose()?.flatten();
        let face = there.and_then(|group| group.world().face_of(to.node));
        let face = face.map(|face| FaceRef { tile: to.tile, group: to.group, face });
        Ok(Some(face.ok_or(Unresolved::NodeAbsent)))
    }
}

/// One file of a tile.
#[derive(Clone, Copy, Debug)]
pub struct TileFile<'s> {
    part: &'s Part<'s>,
}

impl<'s> TileFile<'s> {
    /// Where it was opened.
    pub fn path(&self) -> &'s Path {
        &self.part.path
    }
    /// Its part number: 0, except in the later parts of a split tile.
    pub fn number(&self) -> u16 {
        self.part.number
    }
    /// Its bytes.
    pub fn bytes(&self) -> &'s [u8] {
        &self.part.bytes
    }
    /// Its view.
    ///
    /// # Errors
    /// If the bytes of a mapped file changed after the set was opened.
    pub fn nav(&self) -> Result<FoxNav<'s>> {
        FoxNav::parse(&self.part.bytes).map_err(|error| error.in_file(&self.part.path))
    }
}

impl Part<'_> {
    fn slot(&self, group: GroupId) -> Option<&Slot> {
        self.slots.binary_search_by_key(&group, |slot| slot.group).ok().and_then(|at| self.slots.get(at))
    }

    /// The group at these offsets, which were checked when the set was opened and are checked again.
    fn group(&self, slot: &Slot) -> Result<Group<'_>> {
        let read = || {
            let file = Stretch::new(&self.bytes, 0);
            let [world, mesh, segments, graph] = slot.entries.map(u64::from);
            let world = Entry::read(file, world)?;
            let payload = |at| Entry::read(file, at).map(|entry| entry.payload_stretch());
            let payloads = [world.payload_stretch(), payload(mesh)?, payload(segments)?, payload(graph)?];
            Group::read(self.frame, world.id(), payloads)
        };
        read().map_err(|error: navmap_core::error::Error| error.in_file(&self.path))
    }

    fn borders_of(&self, slot: &Slot) -> &[Border] {
        let after = self.slots.partition_point(|other| other.group <= slot.group);
        let end = self.slots.get(after).map_or(self.borders.len(), |next| next.borders as usize);
        self.borders.get(slot.borders as usize..end).unwrap_or_default()
    }
}

const _: () = assert!(size_of::<EntryHeader>() == 16);
