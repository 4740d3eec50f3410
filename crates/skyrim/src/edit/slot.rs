//! The meshes under edit, and the values overwritten by a command.

use crate::buf::{DoorBuf, NavMeshBuf, TriangleBuf};
use crate::form::FormId;
use crate::groups::CellGroups;
use crate::owners::Owners;
use crate::places::Places;
use navmap_core::edit::{AnyKey, Deltas, Weighed};
use std::collections::{BTreeMap, HashSet};

/// A triangle: the index of its mesh in the file, and its number when the file was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Item {
    pub(super) mesh: u32,
    pub(super) id: u32,
}

impl From<Item> for AnyKey {
    fn from(item: Item) -> Self {
        Self([item.mesh, item.id])
    }
}

impl From<AnyKey> for Item {
    fn from(AnyKey([mesh, id]): AnyKey) -> Self {
        Self { mesh, id }
    }
}

/// One mesh.
#[derive(Debug)]
pub(crate) struct Slot {
    /// The [canonical](Owners::canonical) FormID of its record; null for a field that stands alone.
    pub(crate) form: FormId,
    pub(crate) mesh: NavMeshBuf,
    /// The number that each triangle had when the file was opened, ascending.
    pub(crate) ids: Vec<u32>,
    /// The mesh as it was opened, once something was changed.
    pub(crate) before: Option<Box<NavMeshBuf>>,
    /// Triangles whose doors went over to another one, by their numbers; `None`: to none.
    pub(crate) seats: BTreeMap<u32, Option<u32>>,
    /// Its record among those of navmeshes; `None` if the file has none.
    pub(crate) record: Option<usize>,
    /// Where its record goes, if the file has none yet.
    pub(crate) new_in: Option<CellGroups>,
}

impl Slot {
    pub(crate) fn new(form: FormId, mesh: NavMeshBuf) -> Self {
        let ids = (0_u32..).take(mesh.triangles.len()).collect();
        Self { form, mesh, ids, before: None, seats: BTreeMap::new(), record: None, new_in: None }
    }

    /// The mesh as it was opened, which it still is if nothing was changed; `None` if the file had none.
    pub(super) fn opened(&self) -> Option<&NavMeshBuf> {
        let is_old = self.new_in.is_none();
        is_old.then(|| self.before.as_deref().unwrap_or(&self.mesh))
    }

    /// The current index of a triangle.
    pub(super) fn place(&self, id: u32) -> Option<u16> {
        u16::try_from(self.ids.binary_search(&id).ok()?).ok()
    }

    /// Whether a triangle of this number was opened. What names another named nothing.
    pub(super) fn had(&self, was: u16) -> bool {
        let opened = self.before.as_ref().map_or(self.mesh.triangles.len(), |before| before.triangles.len());
        usize::from(was) < opened
    }

    /// The current index of the triangle that had this one when the file was opened. One that was none stays.
    pub(super) fn now(&self, was: u16) -> Option<u16> {
        if self.had(was) { self.place(was.into()) } else { Some(was) }
    }

    /// Whether triangles have other numbers than when the file was opened.
    pub(super) fn is_renumbered(&self) -> bool {
        self.before.as_ref().is_some_and(|before| before.triangles.len() != self.ids.len())
    }

    /// The current index of the triangle that has the doors of the one that had this index when the file was opened.
    pub(super) fn seat(&self, was: u16) -> Option<u16> {
        match self.seats.get(&was.into()) {
            Some(seat) => seat.and_then(|id| self.place(id)),
            None => self.now(was),
        }
    }

    /// Whether doors of the opened file may lie on other triangles now, or on none.
    pub(super) fn moves_doors(&self) -> bool {
        let lists_others = |before: &NavMeshBuf| before.doors != self.mesh.doors;
        self.is_renumbered() || !self.seats.is_empty() || self.before.as_deref().is_some_and(lists_others)
    }

    /// The doors that it listed when the file was opened, and lists no more.
    pub(super) fn lost_doors(&self, owners: Owners) -> HashSet<FormId> {
        let lists = |mesh: &NavMeshBuf| -> HashSet<FormId> {
            mesh.doors.iter().map(|door| owners.canonical(door.reference)).collect()
        };
        let mut lost = self.before.as_deref().map_or_else(HashSet::new, lists);
        if !lost.is_empty() {
            lists(&self.mesh).iter().for_each(|door| _ = lost.remove(door));
        }
        lost
    }

    /// The doors that it lists on another triangle than when the file was opened, or did not list then.
    pub(super) fn new_doors(&self, owners: Owners) -> impl Iterator<Item = &DoorBuf> {
        let form = move |door: &DoorBuf| owners.canonical(door.reference);
        let before = self.before.iter().flat_map(|before| &before.doors);
        let was: HashSet<_> = before.map(|door| (form(door), self.seat(door.triangle))).collect();
        let doors = self.mesh.doors.iter().filter(|_| self.before.is_some());
        doors.filter(move |door| !was.contains(&(form(door), Some(door.triangle))))
    }

    pub(super) fn triangle(&self, id: u32) -> Option<&TriangleBuf> {
        self.mesh.triangles.get(usize::from(self.place(id)?))
    }

    /// Whether it differs from what was opened.
    pub(crate) fn differs(&self) -> bool {
        self.before.as_deref().is_some_and(|before| !before.same(&self.mesh))
    }
}

/// The values that one command overwrote. Swapping them undoes the command.
#[derive(Debug, Default)]
pub struct Change(pub(super) Deltas<Delta>);

#[derive(Debug)]
pub(super) enum Delta {
    /// Triangles of a mesh, by their places.
    Triangles(u32, Vec<(u16, TriangleBuf)>),
    /// Vertices and waypoints of a mesh.
    Places(u32, Places),
    /// A mesh with renumbered parts, or changed links and doors.
    Whole(u32, Box<(NavMeshBuf, Vec<u32>)>),
}

impl Weighed for Delta {
    fn weight(&self) -> u64 {
        let more = match self {
            Self::Triangles(_, list) => list.len().saturating_mul(size_of::<(u16, TriangleBuf)>() / 16 + 1),
            Self::Places(_, places) => places.len(),
            Self::Whole(_, mesh) => mesh.0.triangles.len().saturating_mul(4).saturating_add(32),
        };
        4_u64.saturating_add(more as u64)
    }
}

impl Delta {
    pub(super) fn swap(&mut self, slots: &mut [Slot]) {
        let (Self::Triangles(at, _) | Self::Places(at, _) | Self::Whole(at, _)) = self;
        let Some(slot) = slots.get_mut(*at as usize) else { return };
        match self {
            Self::Triangles(_, list) => {
                for (place, other) in list {
                    if let Some(triangle) = slot.mesh.triangles.get_mut(usize::from(*place)) {
                        std::mem::swap(triangle, other);
                    }
                }
            }
            Self::Places(_, places) => slot.mesh.swap_places(places),
            Self::Whole(_, other) => {
                std::mem::swap(&mut slot.mesh, &mut other.0);
                std::mem::swap(&mut slot.ids, &mut other.1);
            }
        }
    }
}
