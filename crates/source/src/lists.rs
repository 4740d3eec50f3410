//! Changes of lists that graphs lack: encounter paths and visibility, area by area.

use super::area::{Area, VisibleTarget};
use super::record::AreaId;
use super::view::SourceNav;
use navmap_core::error::Result;
use std::collections::HashMap;

/// A list of an area that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListChange {
    /// The area, by its old id.
    pub area: AreaId,
    /// The list: `encounter path` or `visible area`.
    pub what: &'static str,
    /// Removed entries, with ids of the old mesh: an encounter path as the areas at its ends, a visible area as its id and its
    /// visibility bits.
    pub removed: Vec<[u32; 2]>,
    /// Added entries, with ids of the new mesh.
    pub added: Vec<[u32; 2]>,
}

/// An entry in a form comparable between both meshes: ends by their old position, or by a number unique to one mesh.
type Key = [u64; 3];

/// The positions of areas that are the same in both, by the id and the position in one of the meshes.
struct Names {
    of_id: HashMap<u32, u64>,
    ids: Vec<u32>,
    /// A prefix for names that only this mesh has.
    own: u64,
}

impl Names {
    fn id(&self, id: u32) -> u64 {
        self.of_id.get(&id).copied().unwrap_or(self.own | u64::from(id))
    }

    fn target(&self, target: VisibleTarget) -> (u32, u64) {
        let id = match target {
            VisibleTarget::Id(id) => id.get(),
            VisibleTarget::Index(index) => self.ids.get(index as usize).copied().unwrap_or(index),
        };
        (id, self.id(id))
    }

    fn paths(&self, area: &Area<'_>) -> Vec<(Key, [u32; 2])> {
        let mut all = Vec::new();
        for path in area.encounter_paths() {
            let (from, to) = (path.from().get(), path.to().get());
            let sides =
                [path.from_direction_stored(), path.to_direction_stored()].map(|side| side.unwrap_or(9));
            let sides = u64::from(u16::from_le_bytes(sides));
            all.push(([self.id(from), self.id(to), sides], [from, to]));
        }
        all.sort_unstable();
        all
    }

    fn seen(&self, area: &Area<'_>) -> Vec<(Key, [u32; 2])> {
        let entry = |entry| {
            let (id, name) = self.target(area.visible_target(entry));
            let how = entry.visibility().0;
            ([name, u64::from(how), 0], [id, u32::from(how)])
        };
        let mut all: Vec<_> = area.visible_areas().iter().map(entry).collect();
        all.sort_unstable();
        all
    }
}

/// Compares encounter paths and visible areas of the areas in both meshes: `pairs`, by positions. Linear in both files, apart
/// from sorting. Entries with an area of only one mesh are not listed.
///
/// # Errors
/// If a file is damaged.
pub fn changed_lists(
    before: &SourceNav<'_>,
    after: &SourceNav<'_>,
    pairs: &[(u32, u32)],
) -> Result<Vec<ListChange>> {
    let was = before.areas().collect::<Result<Vec<Area<'_>>>>()?;
    let is = after.areas().collect::<Result<Vec<Area<'_>>>>()?;
    let mut here = Names { of_id: HashMap::new(), ids: ids(&was), own: 1 << 40 };
    let mut there = Names { of_id: HashMap::new(), ids: ids(&is), own: 1 << 41 };
    for &(a, b) in pairs {
        here.of_id.extend(here.ids.get(a as usize).map(|id| (*id, u64::from(a))));
        there.of_id.extend(there.ids.get(b as usize).map(|id| (*id, u64::from(a))));
    }
    let mut changes = Vec::new();
    for &(a, b) in pairs {
        let (Some(old), Some(new)) = (was.get(a as usize), is.get(b as usize)) else { continue };
        let lists = [
            ("encounter path", here.paths(old), there.paths(new)),
            ("visible area", here.seen(old), there.seen(new)),
        ];
        for (what, old_list, new_list) in lists {
            let (removed, added) = apart(old_list, new_list);
            if !(removed.is_empty() && added.is_empty()) {
                changes.push(ListChange { area: old.id(), what, removed, added });
            }
        }
    }
    Ok(changes)
}

fn ids(areas: &[Area<'_>]) -> Vec<u32> {
    areas.iter().map(|area| area.id().get()).collect()
}

type Entry = (Key, [u32; 2]);

/// Multiset difference of two sorted lists, both ways.
fn apart(old: Vec<Entry>, new: Vec<Entry>) -> (Vec<[u32; 2]>, Vec<[u32; 2]>) {
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    loop {
        match (old.peek(), new.peek()) {
            (Some(a), Some(b)) if a.0 == b.0 => {
                old.next();
                new.next();
            }
            (Some(a), Some(b)) if a.0 > b.0 => added.extend(new.next().map(|entry| entry.1)),
            (Some(_), _) => removed.extend(old.next().map(|entry| entry.1)),
            (None, Some(_)) => added.extend(new.next().map(|entry| entry.1)),
            (None, None) => return (removed, added),
        }
    }
}
