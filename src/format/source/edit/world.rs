//! The mesh under edit. Slots keep their number, indexes stay up to date, and everything that is overwritten is noted.

#![forbid(unsafe_code)]

use super::change::{Census, Change, Delta};
use super::grid::Grid;
use super::incoming::Incoming;
use super::sight::Sight;
use super::state::State;
use crate::format::source::buf::{AreaBuf, HeadBuf, LadderBuf, SourceBuf};
use crate::format::source::encounters::EncounterList;
use crate::format::source::flags::{Attributes, Direction};
use crate::format::source::record::{Approach, AreaId, HidingSpot, LadderId, Shape, VisibleArea};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::mem::swap;

/// The number of a slot. It names an area or a ladder during editing, and stays the same over undo and redo.
pub(super) type Slot = u32;

/// An owned mesh with holes. An area keeps its slot for as long as it exists; slots are in mesh order.
#[derive(Debug)]
pub(super) struct World {
    pub(super) head: HeadBuf,
    areas: Vec<Option<AreaBuf>>,
    ladders: Vec<Option<LadderBuf>>,
    /// Slots by id. If several areas have one id, this is the first, as long as nobody touches them.
    by_id: BTreeMap<u32, Slot>,
    incoming: Incoming,
    ladder_by_id: BTreeMap<u32, Slot>,
    grid: OnceCell<Grid>,
    census: Census,
    state: State,
    changes: Vec<Delta>,
    /// One bit for each slot whose area was ever changed. What has none is as it was opened.
    touched: Vec<u64>,
    sight: Sight,
}

impl World {
    pub(super) fn new(mesh: SourceBuf) -> Self {
        let mut world = Self {
            head: mesh.head,
            areas: mesh.areas.into_iter().map(Some).collect(),
            ladders: mesh.ladders.into_iter().map(Some).collect(),
            by_id: BTreeMap::new(),
            incoming: Incoming::default(),
            ladder_by_id: BTreeMap::new(),
            grid: OnceCell::new(),
            census: Census::default(),
            state: State::default(),
            changes: Vec::new(),
            touched: Vec::new(),
            sight: Sight::default(),
        };
        world.index();
        world
    }

    /// Makes the indexes anew: linear.
    fn index(&mut self) {
        self.index_ids();
        self.incoming = Incoming::of(self.areas());
        let mut census = Census::default();
        self.areas().for_each(|(_, area)| census.count(area, 1));
        self.census = census;
        self.index_ladders();
    }

    // What there is.

    pub(super) fn census(&self) -> Census {
        self.census
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    pub(super) fn sight(&self) -> &Sight {
        &self.sight
    }

    pub(super) fn sight_mut(&mut self) -> &mut Sight {
        &mut self.sight
    }

    /// How many slots there are, empty ones too.
    pub(super) fn slot_count(&self) -> Slot {
        self.areas.len() as Slot
    }

    pub(super) fn area(&self, slot: Slot) -> Option<&AreaBuf> {
        self.areas.get(slot as usize)?.as_ref()
    }

    pub(super) fn ladder(&self, slot: Slot) -> Option<&LadderBuf> {
        self.ladders.get(slot as usize)?.as_ref()
    }

    /// Areas with their slots, in mesh order.
    pub(super) fn areas(&self) -> impl Iterator<Item = (Slot, &AreaBuf)> + Clone {
        (0..).zip(&self.areas).filter_map(|(slot, area)| Some((slot, area.as_ref()?)))
    }

    pub(super) fn ladders(&self) -> impl Iterator<Item = (Slot, &LadderBuf)> + Clone {
        (0..).zip(&self.ladders).filter_map(|(slot, each)| Some((slot, each.as_ref()?)))
    }

    pub(super) fn slots(&self) -> Vec<Slot> {
        self.areas().map(|(slot, _)| slot).collect()
    }

    pub(super) fn by_id(&self, id: AreaId) -> Option<Slot> {
        self.by_id.get(&id.get()).copied().filter(|slot| self.area(*slot).is_some())
    }

    pub(super) fn ladder_by_id(&self, id: LadderId) -> Option<Slot> {
        self.ladder_by_id.get(&id.get()).copied().filter(|slot| self.ladder(*slot).is_some())
    }

    /// The highest id of an area.
    pub(super) fn last_id(&self) -> u32 {
        self.by_id.last_key_value().map_or(0, |(id, _)| *id)
    }

    /// The highest id of a ladder.
    pub(super) fn last_ladder_id(&self) -> u32 {
        self.ladder_by_id.last_key_value().map_or(0, |(id, _)| *id)
    }

    /// The links to an id, in mesh order, once for each entry of a list.
    pub(super) fn incoming(&self, id: AreaId) -> Vec<(Slot, Direction)> {
        self.incoming.get(id.get())
    }

    /// Whether the area of this slot may differ from the one that was opened.
    pub(super) fn is_touched(&self, slot: Slot) -> bool {
        self.touched.get(slot as usize / 64).is_some_and(|bits| bits >> (slot % 64) & 1 != 0)
    }

    fn touch(&mut self, slot: Slot) {
        let word = slot as usize / 64;
        if self.touched.len() <= word {
            self.touched.resize(word.saturating_add(1), 0);
        }
        if let Some(bits) = self.touched.get_mut(word) {
            *bits |= 1 << (slot % 64);
        }
    }

    /// The grid, made when it is first asked for.
    pub(super) fn grid(&self) -> &Grid {
        self.grid.get_or_init(|| {
            let mut grid = Grid::default();
            self.areas().for_each(|(slot, area)| grid.insert(slot, &area.shape));
            grid
        })
    }

    /// The mesh as it is: a copy.
    pub(super) fn to_buf(&self) -> SourceBuf {
        let mut mesh = SourceBuf::new(self.head.version, self.head.subversion);
        mesh.head = self.head.clone();
        mesh.areas = self.areas().map(|(_, area)| area.clone()).collect();
        mesh.ladders = self.ladders().map(|(_, each)| *each).collect();
        mesh
    }

    // What may be changed, each thing noted.

    pub(super) fn take_change(&mut self) -> Option<Change> {
        (!self.changes.is_empty()).then(|| Change(std::mem::take(&mut self.changes)))
    }

    /// Exchanges what is there with what was overwritten, last first.
    pub(super) fn swap(&mut self, change: &mut Change) {
        for delta in change.0.iter_mut().rev() {
            self.exchange(delta);
        }
        change.0.reverse();
    }

    pub(super) fn record(&mut self, mut delta: Delta) {
        self.exchange(&mut delta);
        self.changes.push(delta);
    }

    /// Makes everything as in this mesh, whose areas and ladders have the first slots. Notes only what differs.
    pub(super) fn restore(&mut self, mesh: SourceBuf) {
        self.set_head(mesh.head);
        let mut areas = mesh.areas.into_iter();
        for slot in 0..self.areas.len() as Slot {
            let area = areas.next();
            if self.area(slot) != area.as_ref() {
                self.record(Delta::Area(slot, area.map(Box::new)));
            }
        }
        let mut ladders = mesh.ladders.into_iter();
        for slot in 0..self.ladders.len() as Slot {
            let ladder = ladders.next();
            if self.ladder(slot) != ladder.as_ref() {
                self.record(Delta::Ladder(slot, ladder.map(Box::new)));
            }
        }
    }

    pub(super) fn push_area(&mut self, area: AreaBuf) -> Slot {
        let slot = self.areas.len() as Slot;
        self.areas.push(None);
        self.record(Delta::Area(slot, Some(Box::new(area))));
        slot
    }

    pub(super) fn remove_area(&mut self, slot: Slot) {
        self.note_death(slot);
        self.record(Delta::Area(slot, None));
    }

    pub(super) fn push_ladder(&mut self, ladder: LadderBuf) -> Slot {
        let slot = self.ladders.len() as Slot;
        self.ladders.push(None);
        self.record(Delta::Ladder(slot, Some(Box::new(ladder))));
        slot
    }

    pub(super) fn remove_ladder(&mut self, slot: Slot) {
        self.record(Delta::Ladder(slot, None));
    }

    pub(super) fn set_ladder(&mut self, slot: Slot, ladder: LadderBuf) {
        if self.ladder(slot).is_some_and(|now| *now != ladder) {
            self.record(Delta::Ladder(slot, Some(Box::new(ladder))));
        }
    }

    pub(super) fn set_attributes(&mut self, slot: Slot, attributes: Attributes) -> bool {
        let new = self.area(slot).is_some_and(|area| area.attributes != attributes);
        if new {
            self.record(Delta::Attributes(slot, attributes));
        }
        new
    }

    pub(super) fn set_game(&mut self, slot: Slot, attributes: u32) -> bool {
        let new = self.area(slot).is_some_and(|area| area.game_attributes != attributes);
        if new {
            self.record(Delta::Game(slot, attributes));
        }
        new
    }

    pub(super) fn set_place(&mut self, slot: Slot, place: u16) -> bool {
        let new = self.area(slot).is_some_and(|area| area.place != place);
        if new {
            self.record(Delta::Place(slot, place));
        }
        new
    }

    pub(super) fn set_shape(&mut self, slot: Slot, shape: Shape) -> bool {
        let new = self.area(slot).is_some_and(|area| area.shape != shape);
        if new {
            self.record(Delta::Shape(slot, shape));
        }
        new
    }

    /// Appends a link at the end of a list.
    pub(super) fn push_link(&mut self, slot: Slot, direction: Direction, to: AreaId) {
        self.record(Delta::Link(slot, direction, Some(to)));
    }

    pub(super) fn set_links(&mut self, slot: Slot, direction: Direction, links: Vec<AreaId>) {
        if self.area(slot).is_some_and(|area| *area.connections(direction) != *links) {
            self.record(Delta::Links(slot, direction, links));
        }
    }

    /// Removes every entry of one list that names an id; returns whether there was one.
    pub(super) fn unlink(&mut self, slot: Slot, direction: Direction, id: AreaId) -> bool {
        let Some(list) = self.area(slot).map(|area| area.connections(direction)) else { return false };
        let entries = (0..).zip(list).filter(|(_, other)| **other == id);
        let entries: Vec<(u32, AreaId)> = entries.map(|(at, _)| (at, id)).collect();
        let there = !entries.is_empty();
        if there {
            self.record(Delta::Entries(slot, direction, entries, true));
        }
        there
    }

    pub(super) fn set_ladders_of(&mut self, slot: Slot, up: bool, ladders: Vec<LadderId>) {
        let new = self.area(slot).is_some_and(|area| ladder_list(area, up) != &ladders);
        if new {
            self.record(Delta::LaddersOf(slot, up, ladders));
        }
    }

    pub(super) fn set_spots(&mut self, slot: Slot, spots: Vec<HidingSpot>) {
        if self.area(slot).is_some_and(|area| area.hiding_spots != spots) {
            self.record(Delta::Spots(slot, spots));
        }
    }

    pub(super) fn set_approaches(&mut self, slot: Slot, approaches: Vec<Approach>) {
        if self.area(slot).is_some_and(|area| area.approaches != approaches) {
            self.record(Delta::Approaches(slot, approaches));
        }
    }

    pub(super) fn set_encounters(&mut self, slot: Slot, encounters: EncounterList) {
        if self.area(slot).is_some_and(|area| area.encounters != encounters) {
            self.record(Delta::Encounters(slot, encounters));
        }
    }

    pub(super) fn set_visibility(&mut self, slot: Slot, list: Vec<VisibleArea>, inherits: AreaId) {
        if self.area(slot).is_some_and(|area| area.visible_areas != list || area.inherits != inherits) {
            self.record(Delta::Visibility(slot, list, inherits));
        }
    }

    pub(super) fn set_head(&mut self, head: HeadBuf) {
        if self.head != head {
            self.record(Delta::Head(Box::new(head)));
        }
    }

    pub(super) fn set_state(&mut self, state: State) {
        if self.state != state {
            self.record(Delta::State(Box::new(state)));
        }
    }

    /// Sets where the engine's counter of ids begins. This is not noted as a change.
    pub(super) fn start_counter(&mut self, counter: u64) {
        self.state.counter = counter;
    }

    /// Changes the state of the script.
    pub(super) fn with_state(&mut self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.clone();
        change(&mut state);
        self.set_state(state);
    }

    // How one thing is exchanged, with the indexes.

    fn exchange(&mut self, delta: &mut Delta) {
        if let Some(slot) = delta.area() {
            self.touch(slot);
        }
        match delta {
            Delta::Area(slot, area) => self.exchange_area(*slot, area),
            Delta::Ladder(slot, ladder) => self.exchange_ladder(*slot, ladder),
            Delta::Head(head) => swap(&mut self.head, head),
            Delta::State(state) => swap(&mut self.state, state),
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
        let before = std::mem::replace(place, other.take().map(|area| *area));
        if let Some(area) = &before {
            self.census.count(area, -1);
            if let Some(grid) = self.grid.get_mut() {
                grid.remove(slot, &area.shape);
            }
            for (direction, to) in area.all_connections() {
                self.incoming.remove(to.get(), slot, direction);
            }
            self.forget_id(slot, area.id);
        }
        if let Some(Some(area)) = self.areas.get(slot as usize) {
            self.census.count(area, 1);
            if let Some(grid) = self.grid.get_mut() {
                grid.insert(slot, &area.shape);
            }
            for (direction, to) in area.all_connections() {
                self.incoming.add(to.get(), slot, direction);
            }
            let first = self.by_id.entry(area.id.get()).or_insert(slot);
            *first = slot.min(*first);
        }
        *other = before.map(Box::new);
    }

    /// Forgets that this slot has the id. In a mesh that was broken already, another area may have the same id.
    fn forget_id(&mut self, slot: Slot, id: AreaId) {
        if self.by_id.get(&id.get()) == Some(&slot) {
            self.by_id.remove(&id.get());
            if self.census.areas <= self.by_id.len() {
                return;
            }
            let twin =
                self.areas().find(|(other, area)| *other != slot && area.id == id).map(|(other, _)| other);
            if let Some(twin) = twin {
                self.by_id.insert(id.get(), twin);
            }
        }
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

    fn index_ids(&mut self) {
        // Of several areas with one id the first is kept: a map that is made from a list keeps the last.
        let ids: Vec<(u32, Slot)> = self.areas().map(|(slot, area)| (area.id.get(), slot)).collect();
        self.by_id = ids.into_iter().rev().collect();
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
        let same = before.as_ref().map(id) == place.as_ref().map(id);
        *other = before.map(Box::new);
        if !same {
            // A real mesh has a hundred ladders at most.
            self.index_ladders();
        }
    }

    fn index_ladders(&mut self) {
        self.ladder_by_id.clear();
        for (slot, each) in (0..).zip(&self.ladders) {
            let Some(each) = each else { continue };
            self.ladder_by_id.entry(each.ladder.id().get()).or_insert(slot);
        }
    }
}

/// The ladders that an area lists: upwards or downwards.
pub(super) fn ladder_list(area: &AreaBuf, up: bool) -> &Vec<LadderId> {
    if up { &area.ladders_up } else { &area.ladders_down }
}
