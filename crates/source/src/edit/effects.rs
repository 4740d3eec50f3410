//! The effects of an edit on the rest of the file. `docs/formats/source-edit.md`, section 3.2.

use super::state::Item;
use super::world::{Slot, World, ladder_list};
use crate::buf::LadderBuf;
use crate::encounter::EncounterPath;
use crate::encounters::EncounterList;
use crate::record::{AreaId, HidingSpot, HidingSpotId, LadderId, LadderSlot};
use navmap_core::edit::Scope;
use std::collections::HashSet;

impl World {
    /// Drops the encounter paths of the whole mesh, and marks it as not analysed.
    pub(super) fn strip(&mut self) {
        if self.census().encounters > 0 {
            let with = self.areas().filter(|(_, area)| !area.encounters.is_empty()).map(|(slot, _)| slot);
            for slot in with.collect::<Vec<_>>() {
                self.set_encounters(slot, EncounterList::default());
            }
        }
        self.not_analyzed();
    }

    /// Drops the encounter paths from or to an area that is gone, and those that pass one of its hiding spots.
    pub(super) fn drop_encounters_by(&mut self, id: AreaId, spots: &[HidingSpot]) {
        if self.census().encounters == 0 {
            self.not_analyzed();
            return;
        }
        let spots: HashSet<HidingSpotId> = spots.iter().map(HidingSpot::id).collect();
        let fits = |path: &EncounterPath<'_>| {
            path.from() != id
                && path.to() != id
                && !path.spots().iter().any(|spot| spots.contains(&spot.spot()))
        };
        let with: Vec<Slot> = self
            .areas()
            .filter(|(_, area)| !area.encounters.iter().all(|path| fits(&path)))
            .map(|(slot, _)| slot)
            .collect();
        for slot in with {
            let Some(mut list) = self.area(slot).map(|area| area.encounters.clone()) else { continue };
            list.retain(fits);
            self.set_encounters(slot, list);
        }
        self.not_analyzed();
    }

    /// Says that what was computed from the mesh no longer fits it.
    pub(super) fn not_analyzed(&mut self) {
        if self.state().fresh {
            self.with_state(|state| state.fresh = false);
        }
        if self.head.analyzed != 0 {
            let mut head = self.head.clone();
            head.analyzed = 0;
            self.set_head(head);
        }
    }

    /// Drops the approach lists of the whole mesh.
    pub(super) fn drop_approaches(&mut self) {
        if self.census().approaches > 0 {
            let with = self.areas().filter(|(_, area)| !area.approaches.is_empty()).map(|(slot, _)| slot);
            for slot in with.collect::<Vec<_>>() {
                self.set_approaches(slot, Vec::new());
            }
        }
    }

    /// Drops every visibility list, as the engine does whenever an area dies.
    pub(super) fn drop_visibility(&mut self) {
        if self.census().visibility > 0 {
            let with =
                self.areas().filter(|(_, area)| !area.visible_areas.is_empty() || area.inherits.get() != 0);
            for slot in with.map(|(slot, _)| slot).collect::<Vec<_>>() {
                self.set_visibility(slot, Vec::new(), AreaId::default());
            }
        }
    }

    /// Removes an area and all references to it. The engine leaves some of them behind.
    pub(super) fn kill_area(&mut self, slot: Slot, scope: &mut Scope<Item>) {
        let Some(id) = self.area(slot).map(|area| area.id) else { return };
        self.forget_links(id);
        self.forget_in_ladders(id, scope.game_exact());
        self.remove_area(slot);
        self.bury(slot, id, scope);
    }

    /// Removes an area without incoming links, with everything that depends on it.
    pub(super) fn bury(&mut self, slot: Slot, id: AreaId, scope: &mut Scope<Item>) {
        if !self.sight().kept {
            self.drop_visibility();
        }
        if !scope.game_exact() && self.census().approaches > 0 {
            let names = |ids: [AreaId; 3]| ids.contains(&id);
            let with: Vec<Slot> = self
                .areas()
                .filter(|(_, area)| area.approaches.iter().any(|a| names([a.here(), a.previous(), a.next()])))
                .map(|(slot, _)| slot)
                .collect();
            for slot in with {
                let Some(mut list) = self.area(slot).map(|area| area.approaches.clone()) else { continue };
                list.retain(|a| !names([a.here(), a.previous(), a.next()]));
                self.set_approaches(slot, list);
            }
        }
        scope.selection.remove(Item::Area(slot));
        if self.state().mark == Some(Item::Area(slot)) {
            self.with_state(|state| (state.mark, state.corner) = (None, None));
        }
    }

    /// Removes every connection to an id.
    pub(super) fn forget_links(&mut self, id: AreaId) {
        for (from, direction) in self.incoming(id) {
            self.unlink(from, direction, id);
        }
    }

    /// Clears the slots of ladders that name an area. With `first_only`, as in the engine, only the first slot of each
    /// ladder.
    fn forget_in_ladders(&mut self, id: AreaId, first_only: bool) {
        self.change_ladders(|each| {
            // The engine checks forward, left, right, behind, bottom, and stops at the first match.
            for slot in LadderSlot::ALL {
                if each.ladder.area(slot) == id {
                    each.ladder.set_area(slot, AreaId::default());
                    if first_only {
                        break;
                    }
                }
            }
        });
    }

    /// Changes ladders. An unchanged one is not recorded.
    pub(super) fn change_ladders(&mut self, mut change: impl FnMut(&mut LadderBuf)) {
        let changed: Vec<(Slot, LadderBuf)> = self
            .ladders()
            .filter_map(|(slot, each)| {
                let mut other = *each;
                change(&mut other);
                (other != *each).then_some((slot, other))
            })
            .collect();
        changed.into_iter().for_each(|(slot, ladder)| _ = self.set_ladder(slot, ladder));
    }

    /// Removes a ladder and every entry that names it.
    pub(super) fn kill_ladder(&mut self, slot: Slot, scope: &mut Scope<Item>) {
        let Some(id) = self.ladder(slot).map(|each| each.ladder.id()) else { return };
        let listing: Vec<Slot> = self
            .areas()
            .filter(|(_, area)| area.ladders_up.contains(&id) || area.ladders_down.contains(&id))
            .map(|(slot, _)| slot)
            .collect();
        for area in listing {
            self.unlist_ladder(area, id);
        }
        self.remove_ladder(slot);
        scope.selection.remove(Item::Ladder(slot));
        if self.state().mark == Some(Item::Ladder(slot)) {
            self.with_state(|state| (state.mark, state.corner) = (None, None));
        }
    }

    /// Removes a ladder from both lists of an area; returns whether it was in one.
    pub(super) fn unlist_ladder(&mut self, area: Slot, id: LadderId) -> bool {
        let mut there = false;
        for up in [true, false] {
            let Some(list) = self.area(area).map(|area| ladder_list(area, up)) else { return there };
            if list.contains(&id) {
                there = true;
                let left = list.iter().copied().filter(|other| *other != id).collect();
                self.set_ladders_of(area, up, left);
            }
        }
        there
    }
}
