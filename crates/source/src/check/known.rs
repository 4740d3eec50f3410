//! Look-up tables for the references of a mesh, built in the walk that indexes it.

use super::super::area::Area;
use super::super::climb::Listed;
use super::super::encounter::EncounterPath;
use super::super::flags::Direction;
use super::super::index::AreaIndex;
use super::super::record::{AreaId, HidingSpotId, LadderId};
use navmap_core::format::ids::IdSet;
use std::sync::OnceLock;

/// All look-up tables for references.
#[derive(Default)]
pub(super) struct Known {
    /// Targets of all connections: area by area, side by side.
    targets: Vec<AreaId>,
    /// The end of each area's targets.
    ends: Vec<u32>,
    /// Owner and target, sorted. Built only if a linear search would take too long.
    connections: OnceLock<Vec<(u32, u32)>>,
    /// Ids of areas.
    areas: IdSet,
    /// Ids of hiding spots and the areas that own them: in file order, or sorted if an id comes twice.
    owners: Vec<(HidingSpotId, u32)>,
    hiding_spots: IdSet,
    /// Sorted.
    ladders: Vec<(LadderId, u32)>,
    listed: Vec<Listed>,
    /// Whether an area inherits visibility, by position.
    inherits: Vec<bool>,
    ids: Vec<u32>,
}

impl Known {
    /// Adds the next area in file order.
    pub(super) fn add(&mut self, area: &Area<'_>) {
        self.ids.push(area.id().get());
        for direction in Direction::ALL {
            self.targets.extend_from_slice(area.connections(direction));
        }
        self.ends.push(self.targets.len() as u32);
        self.inherits.push(area.inherits_visibility_from().is_some());
        self.owners.extend(area.hiding_spots().iter().map(|spot| (spot.id(), area.index())));
        for (ladders, up) in [(area.ladders_up(), true), (area.ladders_down(), false)] {
            self.listed.extend(ladders.iter().map(|ladder| (area.index(), *ladder, up)));
        }
    }

    /// Completes the tables after the last area.
    pub(super) fn finish(mut self, index: &AreaIndex<'_>) -> Self {
        self.areas = IdSet::new(self.ids.iter().copied());
        self.hiding_spots = IdSet::new(self.owners.iter().map(|(id, _)| id.get()));
        if self.hiding_spots.has_twins() {
            self.owners.sort_unstable();
        }
        let after = index.after_areas();
        let ladders = after.ladders().iter().map(|ladder| ladder.id());
        let old_ladders = after.old_ladders().iter().map(|ladder| ladder.id());
        self.ladders = ladders.chain(old_ladders).zip(0..).collect();
        self.ladders.sort_unstable();
        self
    }

    /// Whether an area with this id exists.
    #[inline]
    pub(super) fn has_area(&self, id: AreaId) -> bool {
        self.areas.contains(id.get())
    }

    /// Whether both ends and all spots of a path exist, and its directions do.
    #[inline]
    pub(super) fn is_sound(&self, path: &EncounterPath<'_>) -> bool {
        let sides = [path.from_direction_stored(), path.to_direction_stored()];
        self.has_area(path.from())
            && self.has_area(path.to())
            && sides.into_iter().flatten().all(|side| Direction::from_stored(side.into()).is_some())
            && path.spots().iter().all(|spot| self.has_spot_of_path(spot.spot()))
    }

    /// Whether a path may name this hiding spot: if it exists, or is 0, as after an edit.
    #[inline]
    pub(super) fn has_spot_of_path(&self, id: HidingSpotId) -> bool {
        id.get() == 0 || self.has_hiding_spot(id)
    }

    /// Whether the area at position `to` is connected to `from`, over any side.
    #[inline]
    pub(super) fn leads_back(&self, from: AreaId, to: (AreaId, usize)) -> bool {
        /// Searching a list of this length takes about as long as looking up its owner.
        const SHORT: usize = 64;
        let list = self.targets(to.1);
        if list.len() > SHORT || self.areas.has_twins() {
            return self.connects(to.0, from);
        }
        list.contains(&from)
    }

    /// The targets over all sides of the area at this position.
    #[inline]
    fn targets(&self, position: usize) -> &[AreaId] {
        let end = self.ends.get(position).copied().unwrap_or(0);
        let start = position.checked_sub(1).and_then(|at| self.ends.get(at)).copied().unwrap_or(0);
        self.targets.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Whether an area with id `owner` is connected to `target`. Used for long lists, and if several areas share an id.
    #[cold]
    fn connects(&self, owner: AreaId, target: AreaId) -> bool {
        let sorted = self.connections.get_or_init(|| {
            let mut sorted = Vec::with_capacity(self.targets.len());
            for (position, id) in self.ids.iter().enumerate() {
                sorted.extend(self.targets(position).iter().map(|target| (*id, target.get())));
            }
            sorted.sort_unstable();
            sorted
        });
        sorted.binary_search(&(owner.get(), target.get())).is_ok()
    }

    /// An area other than `mine` with a hiding spot of this id; `mine` itself if it has two.
    #[inline]
    pub(super) fn other_owner(&self, id: HidingSpotId, mine: u32) -> Option<u32> {
        if !self.hiding_spots.has_twins() {
            return None;
        }
        let at = self.owners.partition_point(|(other, _)| *other < id);
        let same = self.owners.get(at..)?.iter().take_while(|(other, _)| *other == id);
        // The least owner, or the second if that is `mine`.
        let mut owners = same.map(|(_, owner)| *owner).take(2);
        owners.next().filter(|owner| *owner != mine).or_else(|| owners.next())
    }

    #[inline]
    fn has_hiding_spot(&self, id: HidingSpotId) -> bool {
        self.hiding_spots.contains(id.get())
    }

    /// The ladders that areas list.
    pub(super) fn listed(&self) -> &[Listed] {
        &self.listed
    }

    pub(super) fn has_ladder(&self, id: LadderId) -> bool {
        self.first_ladder(id).is_some()
    }

    /// The least position of a ladder with this id.
    pub(super) fn first_ladder(&self, id: LadderId) -> Option<u32> {
        let at = self.ladders.partition_point(|(other, _)| *other < id);
        self.ladders.get(at).filter(|(other, _)| *other == id).map(|(_, position)| *position)
    }

    /// Whether the area at this position inherits visibility.
    pub(super) fn inherits(&self, position: usize) -> bool {
        self.inherits.get(position) == Some(&true)
    }
}
