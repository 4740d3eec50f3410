//! Moves a tile, and changes its id.

use super::editor::{FoxEditor, Item};
use crate::buf::{FoxBuf, GroupBuf};
use crate::flags::TILE_SIDE;
use crate::record::{IslandGroupLink, LowNode, PackedId, SegmentTileLink, TileId, TileSide};
use crate::view::Crossing;
use navmap_core::edit::points;
use navmap_core::edit::{Command, Refusal, Scope, as_whole};
use zerocopy::byteorder::little_endian::F32;

impl FoxEditor {
    /// Moves the whole tile by the origins of its head and of its search space. Quantised values do not change.
    pub(super) fn move_(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<(), Refusal> {
        let by = [c.number("DX")?, c.number("DY")?, c.number("DZ")?];
        if let Some(word) = c.take() {
            let items = s.select(self, &word)?;
            if items.len() < navmap_core::edit::Editor::all(self).len() {
                return Err(
                    Refusal::new("a tile moves as a whole: positions are stored from its corner").at(word.at)
                );
            }
        }
        c.finish()?;
        let [dx, _, dz] = by;
        let joined = crossings(&self.world.tile);
        if joined > 0 && (dx != 0.0 || dz != 0.0) {
            return Err(Refusal::new(format!(
                "{joined} nodes are joined to other tiles, which find them by place: only the height can change (the verb tile makes it another tile)"
            )));
        }
        self.shift(by)
    }

    fn shift(&mut self, by: [f32; 3]) -> Result<(), Refusal> {
        let moved = |origin: [F32; 3]| {
            let to = points::moved(origin.map(|value| value.get()), by);
            to.map(|to| to.map(F32::new)).ok_or_else(|| Refusal::new("that is no place"))
        };
        for (file, mut head) in self.world.heads().into_iter().enumerate() {
            head.origin = moved(head.origin)?;
            self.world.set_head(file, head);
            let mut search = self.world.search(file).cloned();
            if let Some(space) = &mut search {
                space.origin = moved(space.origin)?;
            }
            self.world.set_search(file, search);
        }
        Ok(())
    }

    /// Changes the tile's id, everywhere it is stored.
    pub(super) fn renumber(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<(), Refusal> {
        let (shift, drop) = (c.flag("--shift-links"), c.flag("--drop-links"));
        let columns = match c.option("--grid")? {
            None => 64,
            Some(word) => as_whole(&word, "a number of columns", 1)?,
        };
        let [x, z] = c.whole_numbers::<u16, 2>("a tile")?;
        c.finish()?;
        let wrong = || {
            Refusal::new(format!("{x},{z} is in no map of {columns} columns, whose tiles begin at 101,101"))
        };
        let tile = TileId::from_coordinates(x, z, columns).ok_or_else(wrong)?;
        let before = self.world.tile.head.tile();
        if tile == before {
            s.say("it is that tile already");
            return Ok(());
        }
        let joined = crossings(&self.world.tile);
        if joined > 0 && shift == drop {
            return Err(Refusal::new(format!(
                "{joined} nodes are joined to other tiles: --shift-links lets them lead to the tiles around the new place, --drop-links cuts them"
            )));
        }
        let place = |tile: TileId| tile.cell(columns).map(|(column, row)| [column, row].map(f32::from));
        let (Some([ox, oz]), Some([nx, nz])) = (place(before), place(tile)) else { return Err(wrong()) };
        let links = if drop { Links::Drop } else { Links::Shift(tile.0.wrapping_sub(before.0)) };
        let mut groups = self.world.tile.groups.clone();
        for group in &mut groups {
            group.id = moved(group.id, before, tile);
            links.apply(group);
        }
        let mut heads = self.world.heads();
        heads.iter_mut().for_each(|head| head.id = moved(head.id, before, tile));
        let mut islands = self.world.tile.islands.clone();
        for graph in &mut islands {
            for island in &mut graph.islands {
                let low = island.low;
                island.low = LowNode::new(moved(low.id(), before, tile), low.segment(), low.node());
                for link in &mut island.groups {
                    *link =
                        IslandGroupLink::new(moved(link.id(), before, tile), link.weight(), link.island());
                }
                if drop {
                    island.tiles.clear();
                }
            }
            for side in &mut graph.sides {
                *side = match links {
                    Links::Drop => TileSide::default(),
                    Links::Shift(by) if side.count() > 0 || side.tile().0 != 0 => {
                        TileSide::new(TileId(side.tile().0.wrapping_add(by)), side.first(), side.count())
                    }
                    Links::Shift(_) => *side,
                };
            }
            if drop {
                graph.infos.clear();
            }
        }
        let slots = self.world.slots.clone();
        for (file, head) in heads.into_iter().enumerate() {
            self.world.set_head(file, head);
        }
        if drop {
            let gone = super::renew::none(&self.world.tile);
            self.world.renew(&groups, &gone)?;
        } else {
            for (index, (group, slots)) in groups.into_iter().zip(slots).enumerate() {
                self.world.set_group(index, group, slots);
            }
        }
        let island_slots = self.world.island_slots.clone();
        self.world.set_islands(islands, island_slots);
        for file in 0..self.world.files() {
            let mut search = self.world.search(file).cloned();
            for listing in search.iter_mut().flat_map(|space| &mut space.listings) {
                listing.id = moved(listing.id, before, tile);
            }
            self.world.set_search(file, search);
        }
        self.shift([(nx - ox) * TILE_SIDE, 0.0, (nz - oz) * TILE_SIDE])?;
        s.say(format!("tile {} is tile {}", before.0, tile.0));
        Ok(())
    }
}

/// The number of nodes that lead to other tiles.
pub(super) fn crossings(tile: &FoxBuf) -> usize {
    let crossings = tile.groups.iter().flat_map(|group| group.world.crossings());
    crossings.filter(|crossing| matches!(crossing, Some(Crossing::Tile { .. }))).count()
}

/// The id of a group after its tile changed. Ids with other tiles stay.
fn moved(id: PackedId, before: TileId, tile: TileId) -> PackedId {
    if id.tile() == before {
        PackedId::from_bits(id.bits() & 0x8000_7FFF | u32::from(tile.0) << 15)
    } else {
        id
    }
}

/// The fate of links to other tiles.
#[derive(Clone, Copy)]
enum Links {
    Drop,
    Shift(u16),
}

impl Links {
    fn apply(self, group: &mut GroupBuf) {
        let faces = &mut group.mesh.faces;
        for number in 0..faces.len() {
            let Some(mut face) = faces.get(number) else { continue };
            let leaves = face.neighbours.map(|word| word != 0xFFFF && word >> 14 == 2);
            if !leaves.contains(&true) {
                continue;
            }
            for (side, _) in leaves.iter().enumerate().filter(|(_, leaves)| **leaves) {
                match self {
                    Self::Drop => face.neighbours.get_mut(side).into_iter().for_each(|word| *word = 0xFFFF),
                    Self::Shift(by) => {
                        face.tiles.get_mut(side).into_iter().for_each(|tile| *tile = tile.wrapping_add(by));
                    }
                }
            }
            super::renew::tidy(&mut face);
            faces.set(number, face);
        }
        group.world.set_crossings(|_, crossing| match (self, crossing) {
            (Self::Drop, Some(Crossing::Tile { .. })) => None,
            (Self::Shift(by), Some(Crossing::Tile { tile, group, node })) => {
                Some(Crossing::Tile { tile: TileId(tile.0.wrapping_add(by)), group, node })
            }
            _ => crossing,
        });
        if let Self::Shift(by) = self {
            for link in &mut group.graph.tiles {
                *link = SegmentTileLink::leading(link, TileId(link.tile().0.wrapping_add(by)), link.group());
            }
        }
    }
}
