//! Swaps one overwritten value with the current one, and updates the indexes.

use super::{Slot, World};
use crate::buf::{AreaBuf, LadderBuf};
use crate::edit::change::Delta;
use crate::flags::Direction;
use crate::record::AreaId;
use std::mem::swap;

impl World {
    pub(super) fn exchange(&mut self, delta: &mut Delta) {
        if let Some(slot) = delta.area() {
            self.touch(slot);
        }
        match delta {
            Delta::Area(slot, area) => self.exchange_area(*slot, area),
            Delta::Ladder(slot, ladder) => self.exchange_ladder(*slot, ladder),
            Delta::Head(head) => swap(&mut self.head, head),
            Delta::NewPlace(name) => match name.take() {
                Some(name) => self.head.places.push(name),
                None => *name = self.head.places.pop(),
            },
            Delta::State(state) => swap(&mut self.state, state),
            Delta::Saved(bytes) => swap(&mut self.saved, bytes),
            Delta::Ids(ids) => self.exchange_ids(ids),
            Delta::LadderIds(ladders) => {
                for (slot, ladder) in ladders {
                    if let Some(Some(each)) = self.ladders.get_mut(*slot as usize) {
                        swap(each, ladder);
                    }
                }
                self.index_ladders();
            }
            Delta::Link(slot, direction, link) => self.exchange_link(*slot, *direction, link),
            Delta::Entries(slot, direction, entries, there) => {
                self.exchange_entries(*slot, *direction, entries, there);
            }
            Delta::Links(slot, direction, links) => self.exchange_links(*slot, *direction, links),
            Delta::Shape(slot, shape) => {
                let Some(Some(area)) = self.areas.get_mut(*slot as usize) else { return };
                if let Some(grid) = self.grid.get_mut() {
                    grid.change(*slot, &area.shape, shape);
                }
                swap(&mut area.shape, shape);
            }
            Delta::Attributes(slot, attributes) => {
                self.within(*slot, |area| swap(&mut area.attributes, attributes));
            }
            Delta::Game(slot, game) => self.within(*slot, |area| swap(&mut area.game_attributes, game)),
            Delta::Place(slot, place) => self.within(*slot, |area| swap(&mut area.place, place)),
            Delta::Stored(slot, stored) => self.within(*slot, |area| stored.exchange(area)),
            Delta::LaddersOf(slot, up, list) => self.within(*slot, |area| match up {
                true => swap(&mut area.ladders_up, list),
                false => swap(&mut area.ladders_down, list),
            }),
            Delta::Spots(slot, spots) => self.within(*slot, |area| swap(&mut area.hiding_spots, spots)),
            Delta::Approaches(slot, list) => self.counted(*slot, |area| swap(&mut area.approaches, list)),
            Delta::Encounters(slot, list) => self.counted(*slot, |area| swap(&mut area.encounters, list)),
            Delta::Visibility(slot, list, inherits) => self.counted(*slot, |area| {
                swap(&mut area.visible_areas, list);
                swap(&mut area.inherits, inherits);
            }),
        }
    }

    fn within(&mut self, slot: Slot, change: impl FnOnce(&mut AreaBuf)) {
        if let Some(Some(area)) = self.areas.get_mut(slot as usize) {
            change(area);
        }
    }

    fn counted(&mut self, slot: Slot, change: impl FnOnce(&mut AreaBuf)) {
        if let Some(Some(area)) = self.areas.get_mut(slot as usize) {
            self.census.count(area, -1);
            change(area);
            self.census.count(area, 1);
        }
    }

    fn exchange_area(&mut self, slot: Slot, other: &mut Option<Box<AreaBuf>>) {
        let Some(place) = self.areas.get_mut(slot as usize) else { return };
        let before = std::mem::replace(place, other.take());
        if let Some(area) = &before {
            self.census.count(area, -1);
            if let Some(grid) = self.grid.get_mut() {
                grid.remove(slot, &area.shape);
            }
            for (direction, to) in area.all_connections() {
                self.incoming.remove(to.get(), slot, direction);
            }
            self.by_id.remove(&(area.id.get(), slot));
        }
        if let Some(Some(area)) = self.areas.get(slot as usize) {
            self.census.count(area, 1);
            if let Some(grid) = self.grid.get_mut() {
                grid.insert(slot, &area.shape);
            }
            for (direction, to) in area.all_connections() {
                self.incoming.add(to.get(), slot, direction);
            }
            self.by_id.insert((area.id.get(), slot));
        }
        *other = before;
    }

    fn exchange_ids(&mut self, ids: &mut [(Slot, AreaId)]) {
        for (slot, id) in ids {
            self.touch(*slot);
            if let Some(Some(area)) = self.areas.get_mut(*slot as usize) {
                swap(&mut area.id, id);
            }
        }
        self.index_ids();
    }

    pub(super) fn index_ids(&mut self) {
        self.by_id = self.areas().map(|(slot, area)| (area.id.get(), slot)).collect();
    }

    fn exchange_link(&mut self, slot: Slot, direction: Direction, link: &mut Option<AreaId>) {
        let Some(Some(area)) = self.areas.get_mut(slot as usize) else { return };
        let list = area.connections_mut(direction);
        match link.take() {
            Some(to) => {
                list.push(to);
                self.incoming.add(to.get(), slot, direction);
            }
            None => {
                *link = list.pop();
                if let Some(to) = *link {
                    self.incoming.remove(to.get(), slot, direction);
                }
            }
        }
    }

    /// Takes entries out of a list, or puts them back where they were.
    fn exchange_entries(
        &mut self,
        slot: Slot,
        direction: Direction,
        entries: &[(u32, AreaId)],
        there: &mut bool,
    ) {
        let Some(Some(area)) = self.areas.get_mut(slot as usize) else { return };
        let list = area.connections_mut(direction);
        if *there {
            let mut out = entries.iter().peekable();
            let mut at = 0_u32;
            list.retain(|_| {
                let gone = out.next_if(|(place, _)| *place == at).is_some();
                at = at.saturating_add(1);
                !gone
            });
            entries.iter().for_each(|(_, to)| self.incoming.remove(to.get(), slot, direction));
        } else {
            let mut left = std::mem::take(list).into_iter();
            let mut whole = Vec::with_capacity(left.len().saturating_add(entries.len()));
            for (at, to) in entries {
                whole.extend(left.by_ref().take((*at as usize).saturating_sub(whole.len())));
                whole.push(*to);
            }
            whole.extend(left);
            *list = whole;
            entries.iter().for_each(|(_, to)| self.incoming.add(to.get(), slot, direction));
        }
        *there = !*there;
    }

    fn exchange_links(&mut self, slot: Slot, direction: Direction, links: &mut Vec<AreaId>) {
        let Some(Some(area)) = self.areas.get_mut(slot as usize) else { return };
        let list = area.connections_mut(direction);
        for to in list.iter() {
            self.incoming.remove(to.get(), slot, direction);
        }
        swap(list, links);
        for to in list.iter() {
            self.incoming.add(to.get(), slot, direction);
        }
    }

    fn exchange_ladder(&mut self, slot: Slot, other: &mut Option<Box<LadderBuf>>) {
        let Some(place) = self.ladders.get_mut(slot as usize) else { return };
        let before = std::mem::replace(place, other.take().map(|ladder| *ladder));
        let id = |each: &LadderBuf| each.ladder.id().get();
        let (was, is) = (before.as_ref().map(id), place.as_ref().map(id));
        *other = before.map(Box::new);
        if was == is {
            return;
        }
        if let Some(id) = was {
            self.ladder_by_id.remove(&(id, slot));
        }
        if let Some(id) = is {
            self.ladder_by_id.insert((id, slot));
        }
    }

    pub(super) fn index_ladders(&mut self) {
        self.ladder_by_id = self.ladders().map(|(slot, each)| (each.ladder.id().get(), slot)).collect();
    }
}
