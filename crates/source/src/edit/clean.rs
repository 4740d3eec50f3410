//! Removes dangling references: links, entries of ladders, visibility, paths, approaches. [`FIXES`] lists the findings of `check`
//! that these commands repair.

use super::editor::SourceEditor;
use super::geometry::half_portal;
use super::state::Item;
use super::world::{Slot, ladder_list};
use crate::flags::{Direction, Extension};
use crate::record::{AreaId, HidingSpotId, LadderId, LadderSlot};
use navmap_core::edit::{Command, Fix, Refusal, Scope};
use navmap_core::text::counted;
use std::collections::HashSet;

type Fared = Result<(), Refusal>;

/// The findings that a command repairs. Damaged areas come first, then references to what is gone.
pub(super) const FIXES: &[Fix] = &[
    Fix { code: "non-finite-coordinate", command: "nav_delete nonfinite" },
    Fix { code: "degenerate-area", command: "nav_delete degenerate" },
    Fix { code: "zero-area-id", command: "nav_compress_id" },
    Fix { code: "place-out-of-range", command: "place_clear placeless" },
    Fix { code: "self-connection", command: "clean_links --self" },
    Fix { code: "duplicate-connection", command: "clean_links --duplicate" },
    Fix { code: "dangling-connection", command: "clean_links --dangling" },
    Fix { code: "dangling-ladder", command: "clean_ladders" },
    Fix { code: "dangling-ladder-area", command: "clean_ladders" },
    Fix { code: "dangling-approach", command: "clean_approaches" },
    Fix { code: "dangling-encounter-path", command: "clean_encounters" },
    Fix { code: "dangling-encounter-spot", command: "clean_encounters" },
    Fix { code: "encounter-direction", command: "clean_encounters" },
    Fix { code: "dangling-visible-area", command: "clean_visibility" },
    Fix { code: "dangling-inherited-visibility", command: "clean_visibility" },
    Fix { code: "self-inherited-visibility", command: "clean_visibility" },
    Fix { code: "stale-tail", command: "drop_tail" },
    Fix { code: "trailing-bytes", command: "drop_tail" },
];

impl SourceEditor {
    /// Removes links to the area itself, repeated links, links to missing areas, and links without a common edge; all of these if
    /// no kind is named.
    pub(super) fn clean_links(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let asked = ["--self", "--duplicate", "--dangling", "--no-portal"].map(|kind| c.flag(kind));
        let [own, twice, dangling, apart] = if asked == [false; 4] { [true; 4] } else { asked };
        let areas = match c.take() {
            Some(word) => self.areas_of(&word, s)?,
            None => self.world.slots(),
        };
        c.finish()?;
        let mut gone = 0_usize;
        for slot in areas {
            for side in Direction::ALL {
                let Some(area) = self.world.area(slot) else { continue };
                let list = area.connections(side);
                self.world.look_at(list.len().saturating_add(1).saturating_mul(8));
                let mut seen = HashSet::new();
                let stays = |to: &AreaId| {
                    let other =
                        self.world.by_id(*to).filter(|_| to.get() != 0).and_then(|to| self.world.area(to));
                    let no_edge =
                        || other.is_some_and(|other| half_portal(&area.shape, &other.shape, side) <= 0.0);
                    let is_own = *to == area.id;
                    let bad = (own && is_own)
                        || (dangling && other.is_none() && !is_own)
                        || (apart && !is_own && no_edge())
                        || (!seen.insert(*to) && twice);
                    !bad
                };
                let left: Vec<AreaId> = list.iter().copied().filter(stays).collect();
                gone = gone.saturating_add(list.len().saturating_sub(left.len()));
                self.world.set_links(slot, side, left);
            }
        }
        if gone > 0 {
            self.stale(s);
        }
        s.say(format!("{} removed", counted(gone as u64, "link", "links")));
        Ok(())
    }

    /// Removes missing ladders from lists, and missing areas from ladders.
    pub(super) fn clean_ladders(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        let mut gone = 0_usize;
        for slot in self.world.slots() {
            for up in [true, false] {
                let Some(list) = self.world.area(slot).map(|area| ladder_list(area, up)) else { continue };
                let mut seen = HashSet::new();
                let exists = |id: &LadderId| id.get() != 0 && self.world.ladder_by_id(*id).is_some();
                let left: Vec<LadderId> =
                    list.iter().copied().filter(|id| exists(id) && seen.insert(*id)).collect();
                gone = gone.saturating_add(list.len().saturating_sub(left.len()));
                self.world.set_ladders_of(slot, up, left);
            }
        }
        let dead: HashSet<AreaId> = self
            .world
            .ladders()
            .flat_map(|(_, each)| LadderSlot::ALL.map(|place| each.ladder.area(place)))
            .filter(|id| id.get() != 0 && self.world.by_id(*id).is_none())
            .collect();
        self.world.change_ladders(|each| {
            for place in LadderSlot::ALL {
                if dead.contains(&each.ladder.area(place)) {
                    each.ladder.set_area(place, AreaId::default());
                    gone = gone.saturating_add(1);
                }
            }
        });
        s.say(format!("{gone} entries of ladders removed"));
        Ok(())
    }

    /// Removes approach areas that name a missing area.
    pub(super) fn clean_approaches(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        let mut gone = 0_usize;
        for slot in self.world.slots() {
            let Some(mut list) = self.world.area(slot).map(|area| area.approaches.clone()) else { continue };
            let before = list.len();
            let exists = |id: AreaId| id.get() == 0 || self.world.by_id(id).is_some();
            list.retain(|a| [a.here(), a.previous(), a.next()].into_iter().all(exists));
            gone = gone.saturating_add(before.saturating_sub(list.len()));
            self.world.set_approaches(slot, list);
        }
        s.say(format!("{gone} approach areas removed"));
        Ok(())
    }

    /// Removes encounter paths with a missing area, an invalid side, or a missing spot.
    pub(super) fn clean_encounters(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        let spots: HashSet<HidingSpotId> =
            self.world.areas().flat_map(|(_, area)| area.hiding_spots.iter().map(|spot| spot.id())).collect();
        let mut gone = 0_usize;
        for slot in self.world.slots() {
            let Some(mut list) = self.world.area(slot).map(|area| area.encounters.clone()) else { continue };
            if list.is_empty() {
                continue;
            }
            gone = gone.saturating_add(list.retain(|path| {
                let ends = [path.from(), path.to()];
                let exist = ends.iter().all(|id| id.get() == 0 || self.world.by_id(*id).is_some());
                let side = |stored: Option<u8>| stored.is_none_or(|side| side < 4);
                let sides = side(path.from_direction_stored()) && side(path.to_direction_stored());
                // The engine itself writes 0 for a spot that it has lost.
                let known = |id: HidingSpotId| id.get() == 0 || spots.contains(&id);
                exist && sides && path.spots().iter().all(|spot| known(spot.spot()))
            }));
            self.world.set_encounters(slot, list);
        }
        s.say(format!("{gone} encounter paths removed"));
        Ok(())
    }

    /// Removes missing visible areas, and inheritance from a missing area or from the area itself.
    pub(super) fn clean_visibility(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        let by_position = self.world.head.extension() == Extension::LeftForDead;
        let count = self.world.census().areas as u64;
        let mut gone = 0_usize;
        for slot in self.world.slots() {
            let Some(area) = self.world.area(slot) else { continue };
            self.world.look_at(area.visible_areas.len().saturating_add(1).saturating_mul(4));
            let exists = |target: u32| match by_position {
                true => u64::from(target) < count,
                false => self.world.by_id(AreaId::new(target)).is_some(),
            };
            let left: Vec<_> =
                area.visible_areas.iter().copied().filter(|entry| exists(entry.target())).collect();
            gone = gone.saturating_add(area.visible_areas.len().saturating_sub(left.len()));
            let dead = area.inherits.get() != 0
                && (area.inherits == area.id || self.world.by_id(area.inherits).is_none());
            gone = gone.saturating_add(dead.into());
            let inherits = if dead { AreaId::default() } else { area.inherits };
            self.world.set_visibility(slot, left, inherits);
        }
        s.say(format!("{gone} entries of visibility removed"));
        Ok(())
    }

    /// Drops the bytes after the end, even if nothing else changes.
    pub(super) fn drop_tail(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        let len = self.tail_len;
        self.world.with_state(|state| state.tail_dropped = true);
        s.say(format!("{len} bytes behind the end dropped"));
        Ok(())
    }

    /// Areas whose place is missing from the directory.
    pub(super) fn placeless(&self) -> Vec<Slot> {
        let last = self.world.head.places.len();
        let all = self.world.areas().filter(|(_, area)| usize::from(area.place) > last);
        all.map(|(slot, _)| slot).collect()
    }
}
