//! The values overwritten by a command.

use super::state::State;
use super::stored::Stored;
use super::world::Slot;
use crate::buf::{AreaBuf, HeadBuf, LadderBuf};
use crate::encounters::EncounterList;
use crate::flags::{Attributes, Direction};
use crate::record::{Approach, AreaId, HidingSpot, LadderId, Shape, VisibleArea};
use navmap_core::edit::Deltas;

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

impl Delta {
    /// About how many values it holds.
    pub(super) fn weight(&self) -> u64 {
        let more = match self {
            Self::Area(_, area) => area.as_ref().map_or(0, |area| weight_of(area)),
            Self::Ids(ids) => ids.len(),
            Self::LadderIds(ids) => ids.len(),
            Self::Links(_, _, ids) => ids.len(),
            Self::Entries(_, _, ids, _) => ids.len(),
            Self::LaddersOf(_, _, ids) => ids.len(),
            Self::Spots(_, spots) => spots.len(),
            Self::Approaches(_, approaches) => approaches.len(),
            Self::Encounters(_, list) => list.weight(),
            Self::Visibility(_, list, _) => list.len(),
            Self::Head(head) => head.places.len(),
            Self::Saved(bytes) => bytes.as_ref().map_or(0, |bytes| bytes.len() / 4),
            _ => 0,
        };
        1_u64.saturating_add(more as u64)
    }

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

/// An area itself counts as eight values.
fn weight_of(area: &AreaBuf) -> usize {
    let links: usize = Direction::ALL.iter().map(|&to| area.connections(to).len()).sum();
    let lists = [links, area.hiding_spots.len(), area.encounters.weight(), area.visible_areas.len()];
    lists.into_iter().fold(8, usize::saturating_add)
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
