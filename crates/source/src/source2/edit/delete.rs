//! What goes with an area or a ladder that is deleted, and the mesh that is written.

use super::super::buf::{Outline, PolygonBuf, Source2Buf};
use super::editor::{Item, Source2Editor};
use super::values::{areas_of, set_area_of};
use crate::record::{AreaId, LadderId, Vec3};
use navmap_core::edit::Refusal;
use navmap_core::error::Result as MeshResult;
use std::collections::BTreeSet;

impl Source2Editor {
    /// Refuses what the game's own data would be wrong about.
    pub(super) fn sound_without(&self) -> Result<(), Refusal> {
        match self.game_bytes() {
            0 => Ok(()),
            _ if self.force_odd => Ok(()),
            bytes => Err(Refusal::new(format!(
                "the game's own data ({bytes} bytes of KV3: hiding spots, encounters, approach areas and occupy times by area) would be about what is gone, and cannot be rewritten: isolate keeps bots away (--force-odd deletes all the same)"
            ))),
        }
    }

    /// Deletes areas and ladders with all that leads to them. Gives how many of each.
    pub(super) fn delete_all(&mut self, items: &[Item]) -> Result<[usize; 2], Refusal> {
        self.sound_without()?;
        let (mut areas, mut ladders) = (0_usize, 0_usize);
        for item in items {
            match *item {
                Item::Area(slot) => {
                    areas = areas.saturating_add(self.change(slot, |of| of.used = false).into())
                }
                Item::Ladder(slot) => {
                    ladders = ladders.saturating_add(self.change_climb(slot, |of| of.used = false).into());
                }
                Item::Corner(corner) => {
                    return Err(Refusal::new(format!(
                        "V#{corner} goes with the areas around it: delete these"
                    )));
                }
            }
        }
        if self.areas().next().is_none() {
            return Err(Refusal::new("no area would be left, and the game takes such a mesh for none"));
        }
        self.forget(items);
        Ok([areas, ladders])
    }

    /// Takes out what leads to areas and ladders.
    pub(super) fn forget(&mut self, items: &[Item]) {
        let areas: BTreeSet<u32> = items.iter().filter_map(|item| self.area_id(*item)).collect();
        let ladders: BTreeSet<u32> = items.iter().filter_map(|item| self.ladder_id(*item)).collect();
        let leads = |area: AreaId| areas.contains(&area.get());
        let climbs = |ladder: &LadderId| ladders.contains(&ladder.get());
        let mut links = 0;
        for slot in 0..self.grounds.len() as u32 {
            let Some(ground) = self.ground(slot) else { continue };
            links = ground.links().count().saturating_add(links);
            let touched = ground.links().any(|(_, link)| leads(link.area()))
                || ground.ladders.iter().flatten().any(climbs);
            if touched {
                self.change(slot, |ground| {
                    ground.edges.iter_mut().for_each(|list| list.retain(|link| !leads(link.area())));
                    ground.ladders.iter_mut().for_each(|list| list.retain(|ladder| !climbs(ladder)));
                });
            }
        }
        self.look(links.saturating_add(self.grounds.len()));
        for slot in 0..self.climbs.len() as u32 {
            let Some(climb) = self.climb(slot) else { continue };
            let ends = areas_of(&climb.record);
            if ends.iter().any(|area| leads(*area)) {
                self.change_climb(slot, |climb| {
                    let gone = (0..).zip(ends).filter(|(_, area)| leads(*area));
                    gone.for_each(|(place, _)| set_area_of(&mut climb.record, place, AreaId::default()));
                });
            }
        }
    }

    fn area_id(&self, item: Item) -> Option<u32> {
        match item {
            Item::Area(slot) => Some(self.id(slot).get()),
            Item::Corner(_) | Item::Ladder(_) => None,
        }
    }

    fn ladder_id(&self, item: Item) -> Option<u32> {
        match item {
            Item::Ladder(slot) => {
                self.climbs.get(slot as usize).map(|climb| climb.record.ladder().id().get())
            }
            Item::Area(_) | Item::Corner(_) => None,
        }
    }

    /// The mesh as it would be written. Polygons and vertices that lost their last area go with it, unless the game keeps data
    /// that may name them.
    pub fn to_buf(&self) -> Source2Buf {
        let mut buf = self.opened.clone();
        for (slot, (area, ground)) in (0_u32..).zip(buf.areas.iter_mut().zip(&self.grounds)) {
            area.attributes = ground.attributes;
            area.edges.clone_from(&ground.edges);
            let [above, below] = &ground.ladders;
            area.ladders_above.clone_from(above);
            area.ladders_below.clone_from(below);
            if let Outline::Own(own) = &mut area.outline {
                let corners = self.outlines.of(slot).iter();
                for (at, corner) in own.iter_mut().zip(corners) {
                    *at = self.corners.get(*corner as usize).copied().unwrap_or(*at);
                }
            }
        }
        if buf.version >= 31 {
            buf.vertices.clone_from(&self.corners);
        }
        buf.ladders = self.ladders().map(|(_, climb)| climb.record).collect();
        let mut used = self.grounds.iter().map(|ground| ground.used);
        buf.areas.retain(|_| used.next().unwrap_or(true));
        if buf.areas.len() < self.grounds.len() && self.game_bytes() == 0 {
            drop_unused(&mut buf, &self.opened);
        }
        buf
    }

    /// The whole file.
    pub(super) fn bytes(&self) -> MeshResult<Vec<u8>> {
        match self.force_odd {
            true => self.to_buf().encode_all(),
            false => self.to_buf().encode(),
        }
    }
}

/// Takes out polygons that areas named when the mesh was opened and none names now, then the vertices of which the same is true.
/// What nothing ever named stays.
fn drop_unused(buf: &mut Source2Buf, opened: &Source2Buf) {
    let named = |buf: &Source2Buf| {
        let mut named = vec![false; opened.polygons.len()];
        for area in &buf.areas {
            if let Outline::Shared(number) = area.outline {
                named.get_mut(number as usize).into_iter().for_each(|named| *named = true);
            }
        }
        named
    };
    let goes: Vec<bool> = named(opened).iter().zip(named(buf)).map(|(was, is)| *was && !is).collect();
    let cornered = |polygons: &[PolygonBuf]| {
        let mut cornered = vec![false; opened.vertices.len()];
        for at in polygons.iter().flat_map(|polygon| &polygon.vertices) {
            cornered.get_mut(at.get() as usize).into_iter().for_each(|cornered| *cornered = true);
        }
        cornered
    };
    let numbers = keep(&mut buf.polygons, &goes);
    for area in &mut buf.areas {
        if let Outline::Shared(number) = &mut area.outline {
            *number = numbers.get(*number as usize).copied().unwrap_or(*number);
        }
    }
    let goes = cornered(&opened.polygons).into_iter().zip(cornered(&buf.polygons));
    let goes: Vec<bool> = goes.map(|(was, is)| was && !is).collect();
    let numbers: Vec<u32> = keep::<Vec3>(&mut buf.vertices, &goes);
    let gone = goes.iter().filter(|goes| **goes).count() as u32;
    for at in buf.polygons.iter_mut().flat_map(|polygon| &mut polygon.vertices) {
        // A vertex that does not exist stays beyond the last.
        let number = numbers.get(at.get() as usize).copied();
        *at = number.unwrap_or_else(|| at.get().saturating_sub(gone)).into();
    }
}

/// Takes out the items that go, and gives the new number of each.
fn keep<T>(list: &mut Vec<T>, goes: &[bool]) -> Vec<u32> {
    let mut next = 0_u32;
    let number = |goes: &bool| {
        let number = next;
        next = next.saturating_add((!goes).into());
        number
    };
    let numbers = goes.iter().map(number).collect();
    let mut goes = goes.iter();
    list.retain(|_| !goes.next().copied().unwrap_or(false));
    numbers
}
