//! The encounter paths of an owned area.

use super::area::Area;
use super::encounter::{EncounterPath, EncounterPaths};
use super::flags::Direction;
use super::record::{AreaId, EncounterSpot, HidingSpotId, OldPathHead, PathHead};
use navmap_core::error::{Error, Result};
use std::fmt;
use zerocopy::{FromBytes, IntoBytes};

/// The encounter paths of an [`AreaBuf`](super::AreaBuf): one allocation, laid out as in a file.
#[derive(Clone, Default, PartialEq)]
pub struct EncounterList {
    stored: Vec<u8>,
    count: u32,
    /// Whether the paths are those of versions 1 and 2, which have end points, and points instead of spots.
    old: bool,
}

impl EncounterList {
    /// About how many values it holds.
    pub(crate) fn weight(&self) -> usize {
        self.stored.len() / 16 + 1
    }
}

impl From<&Area<'_>> for EncounterList {
    fn from(area: &Area<'_>) -> Self {
        let (stored, old) = area.encounters_stored();
        Self { stored: stored.to_vec(), count: area.encounter_path_count(), old }
    }
}

impl<'l> IntoIterator for &'l EncounterList {
    type Item = <EncounterPaths<'l> as Iterator>::Item;
    type IntoIter = EncounterPaths<'l>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl EncounterList {
    /// Number of paths.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The paths, walked one after the other.
    pub fn iter(&self) -> EncounterPaths<'_> {
        EncounterPaths::new(&self.stored, self.count, self.old)
    }

    /// Number of spots on all paths.
    pub fn spot_count(&self) -> usize {
        self.iter().map(|path| path.spots().len().saturating_add(path.old_spots().len())).sum()
    }

    /// Whether these are paths of version 1 or 2, which later versions cannot store.
    pub fn is_old(&self) -> bool {
        self.old && self.count > 0
    }

    /// Appends a path of version 3 and later: the neighbour it comes from with its side, the one it leads to with its side, and
    /// the spots along it.
    ///
    /// # Errors
    /// If there are more than 255 spots, or if the list already holds paths of version 1 or 2.
    pub fn push(
        &mut self,
        from: (AreaId, Direction),
        to: (AreaId, Direction),
        spots: &[EncounterSpot],
    ) -> Result<()> {
        if self.is_old() {
            return Err(Error::invalid("encounter path", "the paths before it are those of version 1 or 2"));
        }
        let spot_count = u8::try_from(spots.len()).map_err(|_| {
            Error::invalid("encounter path", format!("{} spots, a path can have 255", spots.len()))
        })?;
        let count = self.count.checked_add(1);
        self.count = count.ok_or_else(|| Error::invalid("encounter paths", "more than 4294967295"))?;
        self.old = false;
        self.stored.extend_from_slice(PathHead::new(from, to, spot_count).as_bytes());
        self.stored.extend_from_slice(spots.as_bytes());
        Ok(())
    }

    /// Gives back the room for more paths.
    pub(crate) fn shrink(&mut self) {
        self.stored.shrink_to_fit();
    }

    /// Removes all paths.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Keeps the paths for which `keep` returns true. Returns how many were removed.
    pub fn retain(&mut self, mut keep: impl FnMut(&EncounterPath<'_>) -> bool) -> usize {
        if self.iter().all(|path| keep(&path)) {
            return 0;
        }
        let before = self.len();
        let mut kept = Self { old: self.old, ..Self::default() };
        for path in self.iter().filter(keep) {
            kept.stored.extend_from_slice(path.stored().0);
            kept.stored.extend_from_slice(path.stored().1);
            kept.count = kept.count.saturating_add(1);
        }
        *self = kept;
        before.saturating_sub(self.len())
    }

    /// Changes the ids of areas and of hiding spots in place.
    pub fn renumber(
        &mut self,
        mut area: impl FnMut(AreaId) -> AreaId,
        mut spot: impl FnMut(HidingSpotId) -> HidingSpotId,
    ) {
        let mut rest = self.stored.as_mut_slice();
        for _ in 0..self.count {
            if self.old {
                let Ok((head, more)) = OldPathHead::mut_from_prefix(rest) else { return };
                (head.from, head.to) = (area(head.from), area(head.to));
                let bytes = usize::from(head.spot_count).saturating_mul(16);
                let Some((_, more)) = more.split_at_mut_checked(bytes) else { return };
                rest = more;
            } else {
                let Ok((head, more)) = PathHead::mut_from_prefix(rest) else { return };
                (head.from, head.to) = (area(head.from), area(head.to));
                let count = usize::from(head.spot_count);
                let Ok((spots, more)) = <[EncounterSpot]>::mut_from_prefix_with_elems(more, count) else {
                    return;
                };
                spots
                    .iter_mut()
                    .for_each(|each| *each = EncounterSpot::new(spot(each.spot()), each.t_stored()));
                rest = more;
            }
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.stored
    }
}

impl fmt::Debug for EncounterList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(id: u32) -> AreaId {
        AreaId::new(id)
    }

    #[test]
    fn paths_come_back_as_they_were_pushed() {
        let mut list = EncounterList::default();
        let spots =
            [EncounterSpot::new(HidingSpotId::new(7), 127), EncounterSpot::new(HidingSpotId::new(8), 255)];
        list.push((id(1), Direction::North), (id(2), Direction::West), &spots).unwrap();
        list.push((id(2), Direction::West), (id(1), Direction::North), &[]).unwrap();
        list.push((id(3), Direction::East), (id(1), Direction::North), &spots).unwrap();
        assert_eq!((list.len(), list.spot_count()), (3, 4));
        let third = list.iter().nth(2).unwrap();
        assert_eq!((third.from(), third.from_direction()), (id(3), Some(Direction::East)));
        assert_eq!(third.spots(), spots);

        assert_eq!(list.retain(|path| path.from() != id(2)), 1);
        list.renumber(|area| id(area.get() + 10), |spot| HidingSpotId::new(spot.get() + 100));
        let ends: Vec<_> = list.iter().map(|path| (path.from().get(), path.to().get())).collect();
        assert_eq!(ends, [(11, 12), (13, 11)]);
        let spots: Vec<_> =
            list.iter().flat_map(|p| p.spots()).map(|s| (s.spot().get(), s.t_stored())).collect();
        assert_eq!(spots, [(107, 127), (108, 255), (107, 127), (108, 255)]);
    }

    #[test]
    fn a_path_holds_no_more_spots_than_its_count_can_say() {
        let mut list = EncounterList::default();
        let spots = vec![EncounterSpot::new(HidingSpotId::new(7), 0); 256];
        let error = list.push((id(1), Direction::North), (id(2), Direction::West), &spots).unwrap_err();
        assert_eq!(error.to_string(), "encounter path: 256 spots, a path can have 255");
        assert!(list.is_empty());
    }
}
