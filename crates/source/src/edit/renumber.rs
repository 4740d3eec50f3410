//! Changes the ids of areas and ladders.

use super::change::Delta;
use super::world::{Slot, World, ladder_list};
use crate::flags::{Direction, Extension};
use crate::record::{Approach, AreaId, LadderId, LadderSlot, VisibleArea};
use std::collections::HashMap;
use std::sync::Arc;

impl World {
    /// Changes the ids of areas and ladders, in all references too. In Left 4 Dead (2) visibility is by position and stays.
    pub(super) fn renumber(
        &mut self,
        areas: &[(Slot, AreaId)],
        new: &HashMap<AreaId, AreaId>,
        ladders: &HashMap<LadderId, LadderId>,
    ) {
        let now = |id: AreaId| new.get(&id).copied().unwrap_or(id);
        let now_ladder = |id: LadderId| ladders.get(&id).copied().unwrap_or(id);
        let by_id = self.head.extension() != Extension::LeftForDead;
        for (slot, _) in areas {
            let Some(area) = self.area(*slot).cloned() else { continue };
            for direction in Direction::ALL {
                self.set_links(
                    *slot,
                    direction,
                    area.connections(direction).iter().map(|id| now(*id)).collect(),
                );
            }
            for up in [true, false] {
                self.set_ladders_of(
                    *slot,
                    up,
                    ladder_list(&area, up).iter().map(|id| now_ladder(*id)).collect(),
                );
            }
            let approaches = area.approaches.iter().map(|a| {
                let (previous, next) =
                    ((now(a.previous()), a.previous_to_here()), (now(a.next()), a.here_to_next()));
                Approach::new(now(a.here()), previous, next)
            });
            self.set_approaches(*slot, approaches.collect());
            let mut encounters = area.encounters.clone();
            encounters.renumber(now, |spot| spot);
            self.set_encounters(*slot, encounters);
            let visible = area.visible_areas.iter().map(|entry| match by_id {
                true => VisibleArea::new(now(AreaId::new(entry.target())).get(), entry.visibility()),
                false => *entry,
            });
            self.set_visibility(*slot, visible.collect(), now(area.inherits));
        }
        let stored = self.state().stored.iter().map(|(slot, id)| (*slot, now(*id))).collect();
        self.with_state(|state| state.stored = Arc::new(stored));
        let changed = areas.iter().zip(1..).filter(|((_, id), number)| id.get() != *number);
        self.record(Delta::Ids(changed.map(|((slot, _), number)| (*slot, AreaId::new(number))).collect()));
        let changed = self.ladders().zip(1_u32..).map(|((slot, each), number)| {
            let mut after = *each;
            after.ladder.set_id(LadderId::new(number));
            for place in LadderSlot::ALL {
                after.ladder.set_area(place, now(each.ladder.area(place)));
            }
            (slot, after)
        });
        let changed = changed.collect();
        self.record(Delta::LadderIds(changed));
    }
}
