//! The mesh under edit. Slots keep their numbers, indexes stay up to date, and overwritten values are recorded for undo.

mod swap;

use super::change::{Census, Change, Delta};
use super::grid::Grid;
use super::incoming::Incoming;
use super::sight::Sight;
use super::state::State;
use super::stored::Stored;
use crate::buf::{AreaBuf, HeadBuf, LadderBuf, SourceBuf};
use crate::encounters::EncounterList;
use crate::flags::{Attributes, Direction};
use crate::record::{Approach, AreaId, HidingSpot, LadderId, Shape, VisibleArea};
use navmap_core::edit::{Deltas, Refusal};
use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;
use std::sync::Arc;
use zerocopy::byteorder::little_endian::F32;

/// The number of a slot. It names an area or a ladder during editing, and stays the same over undo and redo.
pub(super) type Slot = u32;

/// An owned mesh with holes. An area keeps its slot for as long as it exists; slots are in mesh order.
#[derive(Debug)]
pub(super) struct World {
    pub(super) head: HeadBuf,
    /// Each on its own: those that a command makes are often cut again, and an empty slot takes little.
    areas: Vec<Option<Box<AreaBuf>>>,
    ladders: Vec<Option<LadderBuf>>,
    /// Ids of areas, each with its slot.
    by_id: Ids,
    incoming: Incoming,
    ladder_by_id: Ids,
    grid: OnceCell<Grid>,
    census: Census,
    state: State,
    /// What the last `nav_save` wrote over the mesh.
    saved: Option<Vec<u8>>,
    changes: Deltas<Delta>,
    /// One bit for each slot whose area was ever changed. The others are as opened.
    touched: Vec<u64>,
    sight: Sight,
    /// How many areas commands have looked at, so that a script of commands about all of them comes to an end.
    looked_at: Cell<u64>,
    /// How many they may have looked at when the command ends that runs.
    most_looked_at: u64,
    /// About how many records the areas had when the mesh was opened.
    records: u64,
}

/// Ids with their slots. In a broken mesh several have one id.
type Ids = BTreeSet<(u32, Slot)>;

/// The first slot with an id.
fn first(ids: &Ids, id: u32) -> Option<Slot> {
    ids.range((id, 0)..).next().filter(|(other, _)| *other == id).map(|(_, slot)| *slot)
}

/// So many areas that are only passed by count as one that is looked at.
const PASSED: usize = 2;

/// How many records of its own an area has.
fn records(area: &AreaBuf) -> u64 {
    let lists =
        [area.hiding_spots.len(), area.approaches.len(), area.encounters.len(), area.visible_areas.len()];
    let links = area.connections.iter().map(Vec::len);
    lists.into_iter().chain(links).fold(0, |sum: u64, list| sum.saturating_add(list as u64))
}

impl World {
    pub(super) fn new(mesh: SourceBuf) -> Self {
        let mut areas: Vec<_> = mesh.areas.into_iter().map(|area| Some(Box::new(area))).collect();
        // They are collected where the areas themselves were, which takes forty times as much.
        areas.shrink_to_fit();
        let mut world = Self {
            head: mesh.head,
            areas,
            ladders: mesh.ladders.into_iter().map(Some).collect(),
            by_id: Ids::new(),
            incoming: Incoming::default(),
            ladder_by_id: Ids::new(),
            grid: OnceCell::new(),
            census: Census::default(),
            state: State::default(),
            saved: None,
            changes: Deltas::default(),
            touched: Vec::new(),
            sight: Sight::default(),
            looked_at: Cell::new(0),
            most_looked_at: u64::MAX,
            records: 0,
        };
        world.records = world.areas().map(|(_, area)| records(area)).fold(0, u64::saturating_add);
        world.index();
        world
    }

    /// Rebuilds the indexes. Linear.
    fn index(&mut self) {
        self.index_ids();
        self.incoming = Incoming::collect(self.areas());
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

    pub(super) fn saved(&self) -> Option<&[u8]> {
        self.saved.as_deref()
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
        self.areas.get(slot as usize)?.as_deref()
    }

    pub(super) fn ladder(&self, slot: Slot) -> Option<&LadderBuf> {
        self.ladders.get(slot as usize)?.as_ref()
    }

    /// Areas with their slots, in mesh order.
    pub(super) fn areas(&self) -> impl Iterator<Item = (Slot, &AreaBuf)> + Clone {
        self.look_at(self.areas.len() / PASSED);
        (0..).zip(&self.areas).filter_map(|(slot, area)| Some((slot, area.as_deref()?)))
    }

    pub(super) fn ladders(&self) -> impl Iterator<Item = (Slot, &LadderBuf)> + Clone {
        (0..).zip(&self.ladders).filter_map(|(slot, each)| Some((slot, each.as_ref()?)))
    }

    pub(super) fn slots(&self) -> Vec<Slot> {
        self.look_at(self.areas.len().saturating_mul(4));
        self.areas().map(|(slot, _)| slot).collect()
    }

    /// The area with an id. If several have it, the first.
    pub(super) fn by_id(&self, id: AreaId) -> Option<Slot> {
        first(&self.by_id, id.get())
    }

    /// The same of ladders.
    pub(super) fn ladder_by_id(&self, id: LadderId) -> Option<Slot> {
        first(&self.ladder_by_id, id.get())
    }

    /// The highest id of an area.
    pub(super) fn last_id(&self) -> u32 {
        self.by_id.last().map_or(0, |(id, _)| *id)
    }

    /// The highest id of a ladder.
    pub(super) fn last_ladder_id(&self) -> u32 {
        self.ladder_by_id.last().map_or(0, |(id, _)| *id)
    }

    /// The links to an id, in mesh order, once per list entry.
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

    /// The grid, built on first use.
    pub(super) fn grid(&self) -> &Grid {
        self.grid.get_or_init(|| {
            let mut grid = Grid::default();
            self.areas().for_each(|(slot, area)| grid.insert(slot, &area.shape));
            grid
        })
    }

    /// The areas that may lie within `reach` of a point, in mesh order.
    pub(super) fn near(&self, at: [f32; 2], reach: f32) -> Vec<Slot> {
        let near = self.grid().near(at, reach);
        self.look_at(near.len().saturating_mul(4));
        near
    }

    /// Counts areas that a command looks at.
    pub(super) fn look_at(&self, areas: usize) {
        self.looked_at.set(self.looked_at.get().saturating_add(areas as u64));
    }

    /// Counts a command that looks at all areas with all that they hold, each of them so many times.
    pub(super) fn look_at_everything(&self, times: usize) {
        self.look_at(self.areas.len().saturating_mul(times));
        self.look_at(usize::try_from(self.records).unwrap_or(usize::MAX).saturating_mul(16));
    }

    /// Sets how many areas the next command may look at.
    pub(super) fn bound(&mut self, areas: u64) {
        self.most_looked_at = self.looked_at().saturating_add(areas);
    }

    pub(super) fn looked_at(&self) -> u64 {
        self.looked_at.get()
    }

    /// A copy of the mesh in its current state.
    pub(super) fn to_buf(&self) -> SourceBuf {
        self.look_at_everything(16);
        self.look_at(self.head.places.len());
        let mut mesh = SourceBuf::new(self.head.version, self.head.subversion);
        mesh.head = self.head.clone();
        mesh.areas = self.areas().map(|(_, area)| area.clone()).collect();
        mesh.ladders = self.ladders().map(|(_, each)| *each).collect();
        mesh
    }

    // Mutators. Each records the values it overwrites.

    pub(super) fn take_change(&mut self) -> Option<Change> {
        self.changes.take().map(Change)
    }

    /// Swaps current and overwritten values, last first.
    pub(super) fn swap(&mut self, change: &mut Change) {
        change.0.swap(|delta| self.exchange(delta));
    }

    /// Makes a change, unless no more of what it overwrites may be kept.
    pub(super) fn record(&mut self, mut delta: Delta) {
        if !self.is_full() {
            self.exchange(&mut delta);
            self.changes.push(delta);
        }
    }

    pub(super) fn allow(&mut self, values: u64) {
        self.changes.allow(values);
    }

    pub(super) fn is_full(&self) -> bool {
        self.changes.is_full()
    }

    /// Refuses to go on once no more may be kept, or looked at.
    ///
    /// # Errors
    /// If that is so.
    pub(super) fn has_room(&self) -> Result<(), Refusal> {
        match self.is_full() {
            true => Err(Refusal::full()),
            false if self.looked_at() > self.most_looked_at => Err(Refusal::new("items that are looked at")),
            false => Ok(()),
        }
    }

    /// Makes everything equal to this mesh, whose areas and ladders have the first slots. The stored set keeps its areas by their
    /// ids. Records only differences.
    pub(super) fn restore(&mut self, mesh: SourceBuf) {
        let id_of = |(slot, id): &(Slot, AreaId)| (*slot, self.area(*slot).map_or(*id, |area| area.id));
        let stored: Vec<(Slot, AreaId)> = self.state.stored.iter().map(id_of).collect();
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
        let there = |(slot, id): (Slot, AreaId)| {
            let same = self.area(slot).is_some_and(|area| area.id == id);
            let slot = if same { Some(slot) } else { self.by_id(id) };
            slot.map(|slot| (slot, id))
        };
        let stored = stored.into_iter().filter_map(there).collect();
        self.with_state(|state| state.stored = Arc::new(stored));
    }

    pub(super) fn push_area(&mut self, area: AreaBuf) -> Slot {
        let slot = self.areas.len() as Slot;
        if self.is_full() {
            return slot;
        }
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
        if self.is_full() {
            return slot;
        }
        self.ladders.push(None);
        self.record(Delta::Ladder(slot, Some(Box::new(ladder))));
        slot
    }

    pub(super) fn remove_ladder(&mut self, slot: Slot) {
        self.record(Delta::Ladder(slot, None));
    }

    pub(super) fn set_ladder(&mut self, slot: Slot, ladder: LadderBuf) -> bool {
        let new = self.ladder(slot).is_some_and(|now| *now != ladder);
        if new {
            self.record(Delta::Ladder(slot, Some(Box::new(ladder))));
        }
        new
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

    pub(super) fn set_ladders_of(&mut self, slot: Slot, up: bool, ladders: Vec<LadderId>) -> bool {
        let new = self.area(slot).is_some_and(|area| ladder_list(area, up) != &ladders);
        if new {
            self.record(Delta::LaddersOf(slot, up, ladders));
        }
        new
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

    pub(super) fn set_times(&mut self, slot: Slot, times: [F32; 2]) {
        let Some(area) = self.area(slot).filter(|area| area.occupy_times != times) else { return };
        let mut stored = Stored::new(area);
        stored.times = times;
        self.record(Delta::Stored(slot, Box::new(stored)));
    }

    pub(super) fn set_head(&mut self, head: HeadBuf) {
        if self.head != head {
            self.record(Delta::Head(Box::new(head)));
        }
    }

    /// Adds a place at the end of the directory.
    pub(super) fn push_place(&mut self, name: Box<[u8]>) {
        self.record(Delta::NewPlace(Some(name)));
    }

    pub(super) fn set_state(&mut self, state: State) {
        if self.state != state {
            self.record(Delta::State(Box::new(state)));
        }
    }

    pub(super) fn set_saved(&mut self, bytes: Vec<u8>) {
        self.record(Delta::Saved(Some(bytes)));
    }

    /// Sets the start of the engine's id counter. Not recorded as a change.
    pub(super) fn start_counter(&mut self, counter: u64) {
        self.state.counter = counter;
    }

    /// Changes the state of the script.
    pub(super) fn with_state(&mut self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.clone();
        change(&mut state);
        self.set_state(state);
    }
}

/// The ladders that an area lists: upwards or downwards.
pub(super) fn ladder_list(area: &AreaBuf, up: bool) -> &Vec<LadderId> {
    if up { &area.ladders_up } else { &area.ladders_down }
}
