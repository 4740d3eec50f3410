//! Reads a file once and keeps everything needed to order the files and join their tiles.

use super::names::FileName;
use super::{SetFinding, Slot};
use crate::flags::EntryKind;
use crate::record::{GroupId, TileId};
use crate::view::{Crossing, FoxNav, Frame, Group};
use navmap_core::bytes::Backing;
use navmap_core::error::{Error, Result};
use navmap_core::{Finding, Severity};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The layer of tiles with uninformative names.
const UNNAMED: &str = "tiles";

/// The result of reading a file once.
pub(super) struct Scan<'a> {
    pub(super) path: PathBuf,
    pub(super) bytes: Backing<'a>,
    pub(super) layer: String,
    pub(super) map: String,
    pub(super) coordinates: Option<(u16, u16)>,
    pub(super) tile: TileId,
    pub(super) part: u16,
    pub(super) split: bool,
    pub(super) opaque: [u8; 16],
    pub(super) frame: Frame,
    pub(super) slots: Vec<Slot>,
    /// Nodes of each group, for links between groups.
    pub(super) nodes: Vec<u16>,
    /// Links out of the tile, sorted for [`resolve`].
    pub(super) outs: Vec<Out>,
    /// For each group, the number of links to it and the largest node they name.
    pub(super) to_groups: BTreeMap<GroupId, (u32, u16)>,
    pub(super) columns: Option<u16>,
}

impl<'a> Scan<'a> {
    pub(super) fn read(path: PathBuf, bytes: Backing<'a>) -> Result<Box<Self>> {
        let nav = FoxNav::parse(&bytes).map_err(|error| error.in_file(&path))?;
        let header = nav.header();
        let (tile, part, split) = (nav.tile(), header.part(), header.is_split());
        let (opaque, frame) = (*header.opaque(), nav.frame());
        let mut index = Index::default();
        index.read(nav).map_err(|error| error.in_file(&path))?;
        let Index { slots, nodes, outs, to_groups, columns } = index;
        let name = FileName::parse(&path);
        // A file with an uninformative name is a map of its own, unless it is clearly one tile of many.
        let alone = tile == TileId(0) && outs.is_empty();
        let layer = if name.coordinates.is_none() && !alone { UNNAMED.to_owned() } else { name.layer };
        let (map, coordinates) = (name.map.to_owned(), name.coordinates);
        let map = if name.coordinates.is_none() && !alone { UNNAMED.to_owned() } else { map };
        Ok(Box::new(Self {
            path,
            bytes,
            layer,
            map,
            coordinates,
            tile,
            part,
            split,
            opaque,
            frame,
            slots,
            nodes,
            outs,
            to_groups,
            columns,
        }))
    }

    pub(super) fn finding(&self, severity: Severity, code: &'static str, message: String) -> SetFinding {
        SetFinding { path: self.path.clone(), finding: Finding::new(severity, code, message) }
    }
}

#[derive(Default)]
struct Index {
    slots: Vec<Slot>,
    nodes: Vec<u16>,
    outs: Vec<Out>,
    to_groups: BTreeMap<GroupId, (u32, u16)>,
    columns: Option<u16>,
}

impl Index {
    fn read(&mut self, nav: FoxNav<'_>) -> Result<()> {
        let mut groups = Vec::new();
        for entry in nav.entries() {
            let entry = entry?;
            if entry.kind() == EntryKind::NavWorld {
                let partners = Group::partners(nav.entries(), entry)?;
                // The chain was followed inside a file whose length fits the 32 bits of its header, or nearly so.
                let offset =
                    |at: u64| u32::try_from(at).map_err(|_| Error::invalid("entry", "beyond 4 GiB").at(at));
                let mut entries = [0; 4];
                for (to, entry) in entries.iter_mut().zip(partners) {
                    *to = offset(entry.offset())?;
                }
                let group =
                    Group::read(nav.frame(), entry.id(), partners.map(|entry| entry.payload_stretch()))?;
                groups.push((Slot { group: group.id(), entries, borders: 0 }, group));
            }
        }
        groups.sort_by_key(|(slot, _)| slot.group);
        groups.dedup_by_key(|(slot, _)| slot.group);
        for (slot, group) in &groups {
            self.slots.push(*slot);
            self.nodes.push(group.world().header().node_count());
            self.borders(nav, group)?;
        }
        self.outs.sort_unstable_by(Out::order);
        Ok(())
    }

    fn borders(&mut self, nav: FoxNav<'_>, group: &Group<'_>) -> Result<()> {
        let world = group.world();
        for ((node, index), position) in world.nodes().iter().zip(0..=u16::MAX).zip(world.positions()) {
            if node.crossing_bits() & 6 == 0 {
                continue;
            }
            let links = world.links(node).map_err(|error| error.in_record("node", u64::from(index)))?;
            match links.crossing {
                Some(Crossing::Group { group, node }) => {
                    let (count, farthest) = self.to_groups.entry(group).or_default();
                    *count = count.saturating_add(1);
                    *farthest = node.0.max(*farthest);
                }
                Some(Crossing::Tile { tile, group: to_group, .. }) => {
                    let facing = group.id().side().is_some_and(|side| side.opposite().group() == to_group);
                    if facing && matches!(group.id().0, 0 | 2) && tile != nav.tile() {
                        self.columns.get_or_insert(tile.0.abs_diff(nav.tile().0));
                    }
                    let at = nav.frame().world(position);
                    self.outs.push(Out { group: group.id(), node: index, tile, to_group, at });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// A node whose link leaves the tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    pub(super) group: GroupId,
    pub(super) node: u16,
    pub(super) tile: TileId,
    pub(super) to_group: GroupId,
    pub(super) at: [f32; 3],
}

impl Out {
    /// The key under which links of one group to one other group are adjacent.
    pub(super) fn run(&self) -> (GroupId, TileId, GroupId) {
        (self.group, self.tile, self.to_group)
    }

    /// A coordinate that increases along any side of a tile.
    pub(super) fn along(&self) -> f32 {
        let [x, _, z] = self.at;
        x + z
    }

    pub(super) fn order(&self, other: &Self) -> Ordering {
        self.run().cmp(&other.run()).then_with(|| self.along().total_cmp(&other.along()))
    }
}
