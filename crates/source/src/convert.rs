//! Converts a mesh to another version, and reports and counts every loss.

use super::buf::{AreaBuf, SourceBuf};
use super::encounters::EncounterList;
use super::flags::{Attributes, Extension, HidingSpotFlags, L4dAttributes, SpawnAttributes};
use super::layout::Layout;
use super::record::{AreaId, VisibleArea};
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::{Finding, Severity};
use std::collections::HashMap;
use zerocopy::byteorder::little_endian::F32;

/// The versions a mesh can be converted to. Games write them, and real files of each were seen.
pub const TARGETS: [(u32, Option<u32>); 8] =
    [(3, None), (4, None), (5, None), (9, None), (16, Some(0)), (16, Some(1)), (16, Some(2)), (16, Some(14))];

/// Reports once per kind what is lost (a warning) or supplied (information), with a count.
struct Losses<'f>(&'f mut dyn FnMut(Finding));

impl Losses<'_> {
    fn lost(&mut self, code: &'static str, count: usize, of: &str) {
        if count > 0 {
            (self.0)(Finding::new(Severity::Warning, code, format!("lost: {of} ({count})")));
        }
    }

    fn made_up(&mut self, code: &'static str, what: &str) {
        (self.0)(Finding::new(Severity::Info, code, format!("made up: {what}")));
    }
}

impl SourceBuf {
    /// Converts the mesh to another version. Reports losses and supplied values to `losses` first, once per kind with a count.
    /// The same version changes nothing. Whoever needs the mesh as it was keeps a clone.
    ///
    /// # Errors
    /// If the version is not among [`TARGETS`], or if an area has more than 16 approach areas, which GoldSrc does not keep. Names
    /// the area.
    pub fn convert(
        mut self,
        version: u32,
        subversion: Option<u32>,
        losses: &mut dyn FnMut(Finding),
    ) -> Result<Self> {
        if (version, subversion) == (self.head.version, self.head.subversion()) {
            return Ok(self);
        }
        if !TARGETS.contains(&(version, subversion)) {
            let why = "no file of it was seen, or nobody can tell what it holds: it is not written";
            let format = super::header::FORMAT;
            return Err(Error::new(ErrorKind::Version { format, found: version, subversion, why }));
        }
        let losses = &mut Losses(losses);
        let (from, to) = (self.head.layout(), Layout::for_version(version, subversion).0);
        self.approaches_fit(to)?;
        self.head.version = version;
        self.head.subversion = subversion.unwrap_or_default();
        self.header(from, to, losses);
        self.attributes(from, to, losses);
        self.annotations(from, to, losses);
        self.visibility(from, to, losses);
        self.game_data(from, to, losses);
        Ok(self)
    }

    fn approaches_fit(&self, to: Layout) -> Result<()> {
        let many = |area: &AreaBuf| to.version <= 5 && area.approaches.len() > 16;
        let Some((index, area)) = (0_u64..).zip(&self.areas).find(|(_, area)| many(area)) else {
            return Ok(());
        };
        let why = format!("{} approach areas, GoldSrc keeps 16", area.approaches.len());
        Err(Error::invalid("area", why).in_record("area", index).with_id(area.id.get()))
    }

    fn count(&self, of: impl Fn(&AreaBuf) -> usize) -> usize {
        self.areas.iter().map(of).fold(0, usize::saturating_add)
    }

    fn header(&mut self, from: Layout, to: Layout, losses: &mut Losses<'_>) {
        losses.lost("tail-lost", self.tail.len(), "bytes behind the end, left of an older file");
        self.tail.clear();
        if from.version >= 4 && to.version < 4 {
            losses.lost(
                "map-size-lost",
                usize::from(self.head.bsp_size != 0),
                "the size of the map it was made from",
            );
            self.head.bsp_size = 0;
        } else if from.version < 4 && to.version >= 4 {
            losses
                .made_up("map-size-made-up", "the size of the map is 0: the game calls the mesh out of date");
        }
        if from.version >= 14 && to.version < 14 {
            losses.lost(
                "analyzed-lost",
                usize::from(self.head.analyzed != 0),
                "the word that the mesh is analysed",
            );
            self.head.analyzed = 0;
        } else if from.version < 14 && to.version >= 14 {
            losses.made_up("analyzed-made-up", "the mesh is not analysed: the game asks for nav_analyze");
        }
        if from.has_place() && !to.has_place() {
            losses.lost("places-lost", self.head.places.len(), "names of places");
            losses.lost(
                "area-places-lost",
                self.count(|area| usize::from(area.place != 0)),
                "places of areas",
            );
            self.head.places.clear();
            self.areas.iter_mut().for_each(|area| area.place = 0);
        } else if !from.has_place() && to.has_place() {
            losses.made_up("places-made-up", "no places");
        }
        self.head.has_unnamed_areas = match (from.version >= 12, to.version >= 12) {
            (true, true) => self.head.has_unnamed_areas,
            (_, true) => self.areas.iter().any(|area| area.place == 0).into(),
            _ => 0,
        };
    }

    /// Bits of attributes that the new version has no room for.
    fn attributes(&mut self, from: Layout, to: Layout, losses: &mut Losses<'_>) {
        let kept = match to.shape_at() {
            5 => 0xFF,
            6 => 0xFFFF,
            _ => u32::MAX,
        };
        let (mut all, mut count) = (0, 0_usize);
        for area in &mut self.areas {
            let lost = area.attributes.bits() & !kept;
            all |= lost;
            count = count.saturating_add(usize::from(lost != 0));
            area.attributes.0 &= kept;
        }
        let names = match from.extension {
            Extension::LeftForDead => L4dAttributes(all).to_string(),
            _ => Attributes(all).to_string(),
        };
        losses.lost("attributes-lost", count, &format!("attributes of areas, {names}"));
    }

    /// Ladders, spots, paths, approach areas, times, light.
    fn annotations(&mut self, from: Layout, to: Layout, losses: &mut Losses<'_>) {
        if to.version < 6 {
            losses.lost("ladders-lost", self.ladders.len(), "ladders: the game finds its own in the map");
            self.ladders.clear();
        }
        if to.version != 6 {
            let dangling = self.ladders.iter().filter(|each| each.dangling != 0).count();
            losses.lost("dangling-lost", dangling, "the word that a ladder hangs in the air");
            self.ladders.iter_mut().for_each(|each| each.dangling = 0);
        }
        if from.has_ladders() && !to.has_ladders() {
            let entries = |area: &AreaBuf| area.ladders_up.len().saturating_add(area.ladders_down.len());
            losses.lost("ladder-connections-lost", self.count(entries), "ladders that areas list");
            for area in &mut self.areas {
                area.ladders_up.clear();
                area.ladders_down.clear();
            }
        } else if !from.has_ladders() && to.has_ladders() {
            losses.made_up(
                "ladders-made-up",
                "no ladders: a mesh of this version did not store which areas they join",
            );
        }
        if from.version == 1 {
            self.name_spots();
            losses.made_up("spot-ids-made-up", "ids of hiding spots, counted from 1");
        }
        if to.version <= 5 {
            let exposed = |area: &AreaBuf| {
                area.hiding_spots
                    .iter()
                    .filter(|spot| spot.flags().contains(HidingSpotFlags::EXPOSED))
                    .count()
            };
            let count = self.count(exposed);
            if count > 0 {
                losses.made_up(
                    "exposed-spots-kept",
                    &format!("{count} spots keep EXPOSED, which GoldSrc does not know"),
                );
            }
        }
        if from.has_old_paths() != to.has_old_paths() {
            let what = "encounter paths, whose spots are points there and ids here";
            losses.lost("encounters-lost", self.count(|area| area.encounters.len()), what);
            self.areas.iter_mut().for_each(|area| area.encounters = EncounterList::default());
        }
        let approaches = |layout: Layout| layout.has_middle_approaches() || layout.has_last_approaches();
        if approaches(from) && !approaches(to) {
            losses.lost("approaches-lost", self.count(|area| area.approaches.len()), "approach areas");
            self.areas.iter_mut().for_each(|area| area.approaches.clear());
        } else if !approaches(from) && approaches(to) {
            losses.made_up("approaches-made-up", "no approach areas");
        }
        if from.has_occupy_times() && !to.has_occupy_times() {
            let set = |area: &AreaBuf| usize::from(area.occupy_times.iter().any(|time| time.get() != 0.0));
            losses.lost("occupy-times-lost", self.count(set), "earliest occupy times of areas");
            self.areas.iter_mut().for_each(|area| area.occupy_times = [F32::ZERO; 2]);
        } else if !from.has_occupy_times() && to.has_occupy_times() {
            losses.made_up("occupy-times-made-up", "earliest occupy times of 0");
        }
        if from.has_light() && !to.has_light() {
            let set = |area: &AreaBuf| usize::from(area.light.iter().any(|light| light.get() != 1.0));
            losses.lost("light-lost", self.count(set), "light of areas");
            self.areas.iter_mut().for_each(|area| area.light = [F32::new(1.0); 4]);
        } else if !from.has_light() && to.has_light() {
            losses.made_up("light-made-up", "light of 1 at every corner");
        }
    }

    /// Version 1 stores spots without ids.
    fn name_spots(&mut self) {
        let mut next = 0_u32;
        for spot in self.areas.iter_mut().flat_map(|area| &mut area.hiding_spots) {
            next = next.saturating_add(1);
            let id = super::record::HidingSpotId::new(next);
            *spot = super::record::HidingSpot::new(id, spot.position(), spot.flags());
        }
    }

    /// Visibility, which Left 4 Dead (2) stores by position and all other games by id.
    fn visibility(&mut self, from: Layout, to: Layout, losses: &mut Losses<'_>) {
        if from.has_visibility() && !to.has_visibility() {
            losses.lost("visibility-lost", self.count(|area| area.visible_areas.len()), "visible areas");
            let inherits = self.count(|area| usize::from(area.inherits.get() != 0));
            losses.lost("inherits-lost", inherits, "areas that inherit visibility");
            for area in &mut self.areas {
                area.visible_areas.clear();
                area.inherits = AreaId::default();
            }
            return;
        }
        let by_position = |layout: Layout| layout.extension == Extension::LeftForDead;
        if !from.has_visibility() || by_position(from) == by_position(to) {
            return;
        }
        let ids: Vec<u32> = self.areas.iter().map(|area| area.id.get()).collect();
        let positions: HashMap<u32, u32> = ids.iter().copied().zip(0..).collect();
        let mut dangling = 0_usize;
        for area in &mut self.areas {
            let before = area.visible_areas.len();
            let renamed = area.visible_areas.iter().filter_map(|entry| {
                let target = match by_position(to) {
                    true => positions.get(&entry.target()).copied(),
                    false => ids.get(entry.target() as usize).copied(),
                };
                Some(VisibleArea::new(target?, entry.visibility()))
            });
            area.visible_areas = renamed.collect();
            dangling = dangling.saturating_add(before.saturating_sub(area.visible_areas.len()));
        }
        losses.lost("dangling-visible-areas-lost", dangling, "visible areas that do not exist");
    }

    /// Fields that only one game has.
    fn game_data(&mut self, from: Layout, to: Layout, losses: &mut Losses<'_>) {
        if from.extension == to.extension {
            return;
        }
        if from.has_game_attributes() {
            let what = "areas with attributes of the game";
            losses.lost(
                "game-attributes-lost",
                self.count(|area| usize::from(area.game_attributes != 0)),
                what,
            );
            self.areas.iter_mut().for_each(|area| area.game_attributes = 0);
        }
        if to.has_game_attributes() {
            losses.made_up("game-attributes-made-up", "no attributes of the game");
        }
        if from.has_spawn_attributes() {
            let spawn = |area: &AreaBuf| {
                usize::from(area.spawn_attributes.bits() != 0 || area.unknown_after_spawn_attributes != 0)
            };
            losses.lost("spawn-attributes-lost", self.count(spawn), "areas with spawn attributes");
            losses.lost(
                "population-lost",
                usize::from(!self.head.population.is_empty()),
                "the default population",
            );
            let range = usize::from(self.head.visibility_range.get() != 0.0);
            losses.lost("visibility-range-lost", range, "the range of visibility");
            for area in &mut self.areas {
                area.spawn_attributes = SpawnAttributes(0);
                area.unknown_after_spawn_attributes = 0;
            }
            self.head.population = Box::default();
            self.head.unknown_after_population = 0;
            self.head.visibility_range = F32::ZERO;
        }
        if from.has_spawn_attributes() != to.has_spawn_attributes() {
            // What had no room is gone by now, and was counted.
            losses.lost(
                "attributes-reread",
                self.count(|area| usize::from(area.attributes.bits() >> 16 != 0)),
                "the meaning of attributes above 0x8000, which stay as bits, of areas",
            );
            losses.lost(
                "places-reread",
                self.count(|area| usize::from(area.place != 0)),
                "the meaning of places, which are populations of zombies in Left 4 Dead, of areas",
            );
        }
        if to.has_spawn_attributes() {
            losses.made_up(
                "spawn-attributes-made-up",
                "no spawn attributes, no default population, a range of visibility of 0",
            );
        }
    }
}
