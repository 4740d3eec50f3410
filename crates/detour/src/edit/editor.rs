//! Tiles that are edited, and how they were when they were opened.

use super::parts::{Ground, Jump, connections, ground, polygon};
use super::{rebuild, sound};
use crate::buf::{DetourBuf, TileBuf};
use crate::unity::UnityMesh;
use crate::view::DetourNav;
use navmap_core::edit::{Overwritten, Refusal, Weighed};
use navmap_core::error::{Error, Result};
use navmap_core::keys;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

/// A part of the tiles that a command names. It keeps its name for as long as the session lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// A ground polygon, counted through all tiles.
    Polygon(u32),
    /// An off-mesh connection, counted through all tiles; new ones come after those of the file.
    Connection(u32),
}

keys!(Item { Polygon, 1 => Connection });

/// What a command overwrote.
#[derive(Debug, Default)]
pub struct Change {
    pub(super) grounds: Overwritten<Ground>,
    pub(super) jumps: Overwritten<Jump>,
}

/// A polygon has three values.
impl Weighed for Ground {
    fn weight(&self) -> u64 {
        8
    }
}

/// A connection has about a dozen.
impl Weighed for Jump {
    fn weight(&self) -> u64 {
        16
    }
}

/// Tiles that are edited. A file that is as it was opened is written to the byte as it was.
#[derive(Debug)]
pub struct DetourEditor {
    pub(super) opened: DetourBuf,
    /// Bytes after the end of the file's parts.
    trailing: Vec<u8>,
    /// The first ground polygon of each tile, and the number of all.
    pub(super) bases: Vec<u32>,
    /// Why a tile cannot be made anew; its areas and flags can be changed in place.
    pub(super) faults: Vec<Option<&'static str>>,
    pub(super) grounds: Vec<Ground>,
    pub(super) jumps: Vec<Jump>,
    /// The connections as they were opened, and the place of each in its tile.
    pub(super) opened_jumps: Vec<(Jump, usize)>,
    pub(super) noted: Change,
    /// The meshes of a file of Unity, and which one each tile is of.
    frames: (Vec<UnityMesh>, Vec<u32>),
    /// How many items the commands have looked at.
    pub(super) looked: Cell<u64>,
}

impl DetourEditor {
    /// Starts editing an opened file. `bytes` are those of the whole file.
    ///
    /// # Errors
    /// If a tile cannot be read, or the file has no tiles that could be edited.
    pub fn of_nav(nav: &DetourNav<'_>, bytes: &[u8]) -> Result<Self> {
        if nav.dialect().is_cache() {
            let why = "a tile cache holds compressed layers, of which the engine builds tiles when it loads them: edit the tiles";
            return Err(Error::invalid("edit", why));
        }
        let opened = DetourBuf::try_from(nav)?;
        if opened.tiles.is_empty() {
            return Err(Error::invalid("edit", "the file has no tiles, so there is nothing to edit"));
        }
        let written = opened.encode()?;
        let Some(trailing) = bytes.strip_prefix(written.as_slice()).map(<[u8]>::to_vec) else {
            return Err(Error::invalid("edit", "the file would not be written again as it is"));
        };
        let mut meshes = Vec::new();
        for entry in nav.tiles() {
            meshes.push(entry?.mesh);
        }
        let (mut bases, mut grounds, mut opened_jumps) = (vec![0_u32], Vec::new(), Vec::new());
        for (number, tile) in (0_u32..).zip(&opened.tiles) {
            for polygon in (0..ground(tile)).filter_map(|index| polygon(tile, index)) {
                grounds.push(Ground { area: polygon.area(), flags: polygon.flags(), used: true });
            }
            bases
                .push(u32::try_from(grounds.len()).map_err(|_| Error::invalid("edit", "too many polygons"))?);
            opened_jumps.extend(connections(tile, number).zip(0..));
        }
        let faults = opened.tiles.iter().map(sound::fault).collect();
        Ok(Self {
            trailing,
            bases,
            faults,
            grounds,
            jumps: opened_jumps.iter().map(|(jump, _)| *jump).collect(),
            opened_jumps,
            noted: Change::default(),
            frames: (nav.unity().to_vec(), meshes),
            looked: Cell::new(0),
            opened,
        })
    }

    /// The ground polygons of a tile.
    pub(super) fn range(&self, tile: u32) -> Range<usize> {
        let at = tile as usize;
        let base = |at: usize| self.bases.get(at).map_or(self.grounds.len(), |base| *base as usize);
        base(at)..base(at.saturating_add(1))
    }

    /// Tile and number of a ground polygon as they were opened.
    pub(super) fn place_of(&self, slot: u32) -> (u32, u32) {
        let tile = self.bases.partition_point(|base| *base <= slot).saturating_sub(1);
        let base = self.bases.get(tile).copied().unwrap_or(0);
        (u32::try_from(tile).unwrap_or(u32::MAX), slot.saturating_sub(base))
    }

    /// A ground polygon that was not deleted.
    pub(super) fn ground(&self, slot: u32) -> Option<&Ground> {
        self.grounds.get(slot as usize).filter(|ground| ground.used)
    }

    /// A connection that was not deleted.
    pub(super) fn jump(&self, slot: u32) -> Option<&Jump> {
        self.jumps.get(slot as usize).filter(|jump| jump.used)
    }

    /// All items that were not deleted: polygons, then connections.
    pub(super) fn items(&self) -> impl Iterator<Item = Item> + '_ {
        let polygons = (0_u32..).zip(&self.grounds).filter(|(_, g)| g.used).map(|(at, _)| Item::Polygon(at));
        polygons.chain((0_u32..).zip(&self.jumps).filter(|(_, j)| j.used).map(|(at, _)| Item::Connection(at)))
    }

    /// Counts items that were looked at.
    pub(super) fn look(&self, items: usize) {
        self.looked.set(self.looked.get().saturating_add(items as u64));
    }

    /// Changes a ground polygon. Returns whether that made a difference.
    pub(super) fn change_ground(&mut self, slot: u32, change: impl FnOnce(&mut Ground)) -> bool {
        self.noted.grounds.change(&mut self.grounds, slot, |was, is| was != is, change)
    }

    /// Changes a connection. Returns whether that made a difference.
    pub(super) fn change_jump(&mut self, slot: u32, change: impl FnOnce(&mut Jump)) -> bool {
        self.noted.jumps.change(&mut self.jumps, slot, |was, is| was != is, change)
    }

    /// Adds a connection, and gives its number.
    ///
    /// # Errors
    /// If the command has overwritten more than may be kept.
    pub(super) fn push_jump(&mut self, jump: Jump) -> std::result::Result<u32, Refusal> {
        self.noted.jumps.push(&mut self.jumps, jump).ok_or_else(Refusal::full)
    }

    /// The corners of a ground polygon in the world.
    pub(super) fn corners(&self, slot: u32) -> Vec<[f32; 3]> {
        let (number, index) = self.place_of(slot);
        let Some(tile) = self.opened.tiles.get(number as usize) else { return Vec::new() };
        let Some(polygon) = polygon(tile, index as usize) else { return Vec::new() };
        let (meshes, of) = &self.frames;
        let frame = of.get(number as usize).and_then(|mesh| meshes.get(*mesh as usize));
        let vertices =
            polygon.corners().iter().filter_map(|corner| tile.vertices.get(usize::from(corner.get())));
        let world = |at: [f32; 3]| frame.map_or(at, |frame| frame.to_world(at));
        vertices.map(|vertex| world(vertex.to_array())).collect()
    }

    /// The mean of the corners of a ground polygon.
    pub(super) fn center(&self, slot: u32) -> [f32; 3] {
        let corners = self.corners(slot);
        let count = corners.len().max(1) as f32;
        let sum = corners.iter().fold([0.0; 3], |[a, b, c], [x, y, z]| [a + x, b + y, c + z]);
        sum.map(|value| value / count)
    }

    /// The connections of each tile that has any, in the order in which they are written.
    fn by_tile(&self) -> BTreeMap<u32, Vec<u32>> {
        let mut all: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (slot, jump) in (0_u32..).zip(&self.jumps).filter(|(_, jump)| jump.used) {
            all.entry(jump.tile).or_default().push(slot);
        }
        all
    }

    /// A tile as it would be written. `here` are its connections.
    ///
    /// # Errors
    /// If it has to be made anew and cannot be.
    fn written(&self, number: u32, here: &[u32], opened: &[u32]) -> Result<Option<TileBuf>> {
        let Some(tile) = self.opened.tiles.get(number as usize) else { return Ok(None) };
        let grounds = self.grounds.get(self.range(number)).unwrap_or_default();
        let mut jumps = Vec::with_capacity(here.len());
        for slot in here {
            let was = self.opened_jumps.get(*slot as usize).filter(|(was, _)| was.tile == number);
            jumps.push((was, self.jump(*slot)));
        }
        let kept = |(was, is): &(Option<&(Jump, usize)>, Option<&Jump>)| {
            was.zip(*is).is_some_and(|((was, _), is)| was.record == is.record)
        };
        if here == opened && jumps.iter().all(kept) && grounds.iter().all(|ground| ground.used) {
            let jumps = jumps.iter().filter_map(|(_, is)| *is).map(|jump| (jump.area, jump.flags));
            let all = grounds.iter().map(|ground| (ground.area, ground.flags)).chain(jumps);
            return Ok(rebuild::painted(tile, all));
        }
        let jumps: Vec<_> =
            jumps.into_iter().filter_map(|(was, is)| Some((was.map(|(was, at)| (was, *at)), is?))).collect();
        rebuild::rebuilt(tile, grounds, &jumps).map(Some).map_err(|e| e.in_record("tile", number.into()))
    }

    /// The connections that a tile had when it was opened.
    fn opened_of(&self, tile: u32) -> Vec<u32> {
        let first = self.opened_jumps.partition_point(|(jump, _)| jump.tile < tile);
        let last = self.opened_jumps.partition_point(|(jump, _)| jump.tile <= tile);
        (first..last).filter_map(|slot| u32::try_from(slot).ok()).collect()
    }

    /// One tile in its current state.
    ///
    /// # Errors
    /// If it has to be made anew and cannot be.
    pub(super) fn current(&self, tile: u32) -> Result<Option<TileBuf>> {
        let here: Vec<u32> = (0_u32..)
            .zip(&self.jumps)
            .filter(|(_, j)| j.used && j.tile == tile)
            .map(|(slot, _)| slot)
            .collect();
        let made = self.written(tile, &here, &self.opened_of(tile))?;
        Ok(made.or_else(|| self.opened.tiles.get(tile as usize).cloned()))
    }

    /// The file as it would be written, but for the bytes after its end.
    ///
    /// # Errors
    /// If a tile has to be made anew and cannot be.
    pub fn to_buf(&self) -> Result<DetourBuf> {
        let mut buf = self.opened.clone();
        let by_tile = self.by_tile();
        for (number, tile) in (0_u32..).zip(&mut buf.tiles) {
            let here = by_tile.get(&number).map_or(&[][..], Vec::as_slice);
            if let Some(new) = self.written(number, here, &self.opened_of(number))? {
                *tile = new;
            }
        }
        Ok(buf)
    }

    /// The whole file.
    ///
    /// # Errors
    /// Those of [`to_buf`](Self::to_buf), and if the result does not fit its format.
    pub(super) fn bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = self.to_buf()?.encode()?;
        bytes.extend_from_slice(&self.trailing);
        Ok(bytes)
    }
}
