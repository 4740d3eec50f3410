//! The values overwritten by a command.

use super::state::State;
use super::stored::Stored;
use super::world::Slot;
use crate::buf::{AreaBuf, HeadBuf, LadderBuf};
use crate::encounters::EncounterList;
use crate::flags::{Attributes, Direction};
use crate::record::{Approach, AreaId, HidingSpot, LadderId, Shape, VisibleArea};
use navmap_core::edit::{Deltas, Weighed};

/// The number of areas with data that stripping, or removing an area, discards. At 0 the search is skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    pub(super) areas: usize,
    pub(super) encounters: usize,
    pub(super) visibility: usize,
    pub(super) approaches: usize,
}

/// The values that one command overwrote, in order.
#[derive(Debug)]
pub struct Change(pub(super) Deltas<Delta>);

/// One overwritten value. Swapping it with the current value undoes the change; swapping again redoes it.
#[derive(Debug)]
pub(super) enum Delta {
    Area(Slot, Option<Box<AreaBuf>>),
    Ids(Vec<(Slot, AreaId)>),
    LadderIds(Vec<(Slot, LadderBuf)>),
    Attributes(Slot, Attributes),
    Game(Slot, u32),
    Place(Slot, u16),
    Stored(Slot, Box<Stored>),
    Shape(Slot, Shape),
    Links(Slot, Direction, Vec<AreaId>),
    /// Entries of a list with their positions, and whether they are in it.
    Entries(Slot, Direction, Vec<(u32, AreaId)>, bool),
    /// An appended entry; `Some` once it is undone.
    Link(Slot, Direction, Option<AreaId>),
    LaddersOf(Slot, bool, Vec<LadderId>),
    Spots(Slot, Vec<HidingSpot>),
    Approaches(Slot, Vec<Approach>),
    Encounters(Slot, EncounterList),
    Visibility(Slot, Vec<VisibleArea>, AreaId),
    Ladder(Slot, Option<Box<LadderBuf>>),
    Head(Box<HeadBuf>),
    /// A place at the end of the directory; `Some` once it is undone.
    NewPlace(Option<Box<[u8]>>),
    State(Box<State>),
    Saved(Option<Vec<u8>>),
}

impl Weighed for Delta {
    fn weight(&self) -> u64 {
        let more = match self {
            Self::Area(_, area) => area.as_ref().map_or(0, |area| weight_of(area)),
            Self::Ids(ids) => values(ids),
            Self::LadderIds(ids) => values(ids),
            Self::Links(_, _, ids) => values(ids),
            Self::Entries(_, _, ids, _) => values(ids),
            Self::LaddersOf(_, _, ids) => values(ids),
            Self::Spots(_, spots) => values(spots),
            Self::Approaches(_, approaches) => values(approaches),
            Self::Encounters(_, list) => list.weight(),
            Self::Visibility(_, list, _) => values(list),
            Self::Head(head) => values(&head.places).saturating_add(16),
            Self::Saved(bytes) => bytes.as_ref().map_or(0, |bytes| values(bytes)),
            Self::Ladder(_, ladder) => ladder.as_ref().map_or(0, |_| of_bytes(size_of::<LadderBuf>())),
            Self::State(_) | Self::Stored(..) => 4,
            _ => 0,
        };
        // Lists that grow hold half as much again.
        (of_bytes(size_of::<Self>()).saturating_add(more) as u64).saturating_mul(3) / 2
    }
}

impl Delta {
    /// The single area that it concerns.
    pub(super) fn area(&self) -> Option<Slot> {
        match self {
            Self::Area(slot, _)
            | Self::Attributes(slot, _)
            | Self::Game(slot, _)
            | Self::Place(slot, _)
            | Self::Stored(slot, _)
            | Self::Shape(slot, _)
            | Self::Links(slot, ..)
            | Self::Entries(slot, ..)
            | Self::Link(slot, ..)
            | Self::LaddersOf(slot, ..)
            | Self::Spots(slot, _)
            | Self::Approaches(slot, _)
            | Self::Encounters(slot, _)
            | Self::Visibility(slot, ..) => Some(*slot),
            Self::Ids(_)
            | Self::LadderIds(_)
            | Self::Ladder(..)
            | Self::Head(_)
            | Self::NewPlace(_)
            | Self::State(_)
            | Self::Saved(_) => None,
        }
    }
}

/// How many values of sixteen bytes these are.
fn of_bytes(bytes: usize) -> usize {
    bytes.div_ceil(16)
}

/// How many values of sixteen bytes a list holds, with its place among other memory.
fn values<T>(list: &[T]) -> usize {
    of_bytes(size_of_val(list)).saturating_add(1)
}

fn weight_of(area: &AreaBuf) -> usize {
    let links = Direction::ALL.iter().map(|&to| values(area.connections(to))).fold(0, usize::saturating_add);
    let lists = [links, values(&area.hiding_spots), area.encounters.weight(), values(&area.visible_areas)];
    lists.into_iter().fold(of_bytes(size_of::<AreaBuf>()), usize::saturating_add)
}

impl Census {
    pub(super) fn count(&mut self, area: &AreaBuf, by: isize) {
        let has = |yes: bool| if yes { by } else { 0 };
        let visibility = !area.visible_areas.is_empty() || area.inherits.get() != 0;
        self.areas = self.areas.saturating_add_signed(by);
        self.encounters = self.encounters.saturating_add_signed(has(!area.encounters.is_empty()));
        self.visibility = self.visibility.saturating_add_signed(has(visibility));
        self.approaches = self.approaches.saturating_add_signed(has(!area.approaches.is_empty()));
    }
}
