//! Entries of the navmesh info map: those of repaired meshes, and those that are missing.

use super::deed::Repair;
use super::names::rename_entry;
use super::plan::{FixPlan, Said};
use super::rows::{Holds, Version};
use crate::buf::NavMeshBuf;
use crate::check::links::Key;
use crate::form::FormId;
use crate::mapbuf::MapEntryBuf;
use std::collections::BTreeSet;

impl<'a> FixPlan<'_, 'a> {
    /// Rewrites the entries of repaired meshes, and adds missing ones.
    pub(super) fn map_entries(&mut self) {
        let edited: Vec<Key> = self.world.edited.keys().copied().collect();
        for key in edited {
            let Some(edited) = self.world.edited.get(&key) else { continue };
            let (home, mesh) = (edited.home, edited.mesh.clone());
            // What entries such a map has is not known.
            if !self.options.patch && self.world.unread_maps.contains(&home) {
                continue;
            }
            // The old mesh matters only for the geometry of islands.
            let island = self.world.entry(key).is_some_and(|(_, entry)| entry.island.is_some());
            let before = if island { self.world.before(key) } else { None };
            let own = key.is_of(home);
            // An override needs its own entry only if something in the master's entry changes.
            if let Some(entry) = self.entry_for(key, &mesh, before.as_ref())
                && (own || self.undeleted.contains(&key) || self.differs(key, &entry))
            {
                self.entries.insert(key, (home, entry));
            }
        }
        if !self.options.wants(Repair::Entry) {
            return;
        }
        let lacking: Vec<(Key, Version<'a>)> = self
            .world
            .rows
            .iter()
            .filter(|(_, row)| matches!(row.holds, Some(Holds::Triangles(_))))
            .filter(|(_, row)| row.stale || row.entry.is_none())
            .filter_map(|(key, row)| Some((key, row, *self.world.rows.versions_of(row).last()?)))
            .filter(|(key, row, version)| key.is_of(version.plugin) || row.stale)
            .filter(|(key, row, _)| row.entry.is_none() || !self.entries.contains_key(key))
            .map(|(key, _, version)| (key, version))
            .filter(|(_, version)| self.options.touches(version.plugin))
            .filter(|(_, version)| !self.world.unread_maps.contains(&version.plugin))
            .collect();
        for (key, version) in lacking {
            let stale = self.world.rows.get(key).is_some_and(|row| row.entry.is_some());
            let said = |after: String| Said {
                repair: Repair::Entry,
                what: match stale {
                    true => "its entry in the info map is not what the mesh says".to_owned(),
                    false => "the info map has no entry for it: the game does not use the navmesh".to_owned(),
                },
                before: if stale { "stale entry".to_owned() } else { "no entry".to_owned() },
                after,
            };
            let after = |entry: &MapEntryBuf| {
                let linked = entry.links.len().saturating_add(entry.preferred_links.len());
                format!("an entry with {linked} linked meshes and {} doors", entry.doors.len())
            };
            if let Some((_, entry)) = self.entries.get(&key) {
                let after = after(entry);
                self.note(&version, said(after), None);
                continue;
            }
            let mesh = match self.world.read(&version, false) {
                Ok(mesh) if mesh.version >= 12 => mesh,
                _ => continue,
            };
            if let Some(entry) = self.entry_for(key, &mesh, Some(&mesh)) {
                let after = after(&entry);
                self.entries.insert(key, (version.plugin, entry));
                self.note(&version, said(after), None);
            }
        }
    }

    /// The entry of a mesh: the one used by the game, updated, or a new one. FormIDs are those of the names.
    fn entry_for(&mut self, key: Key, mesh: &NavMeshBuf, before: Option<&NavMeshBuf>) -> Option<MapEntryBuf> {
        let roads = self.roads(key);
        let road = |form: FormId| roads.contains(&form);
        match self.world.entry(key) {
            Some((plugin, mut entry)) => {
                let (order, names) = (self.world.order, &mut self.world.names);
                rename_entry(&mut entry, |form| Some(names.global(order, plugin, form))).ok()?;
                entry.refresh(mesh, before, road);
                Some(entry)
            }
            None => Some(MapEntryBuf::from_mesh(self.world.names.number(key), mesh, road)),
        }
    }

    /// Whether an entry differs from the one used by the game.
    fn differs(&mut self, key: Key, entry: &MapEntryBuf) -> bool {
        let Some((plugin, mut known)) = self.world.entry(key) else { return true };
        let (order, names) = (self.world.order, &mut self.world.names);
        let renamed = rename_entry(&mut known, |form| Some(names.global(order, plugin, form)));
        renamed.is_err() || known != *entry
    }

    /// The meshes that a link between two preferred triangles leads to.
    fn roads(&mut self, key: Key) -> BTreeSet<FormId> {
        let mut roads = BTreeSet::new();
        for way in self.world.rows.ways(key).filter(|way| way.preferred) {
            let mut there = self.world.rows.get(way.target).into_iter().flat_map(|row| &row.ways);
            if there.any(|back| back.preferred() && back.triangle == way.target_triangle) {
                roads.insert(self.world.names.number(way.target));
            }
        }
        roads
    }
}
