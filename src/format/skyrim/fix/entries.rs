//! Entries of the navmesh info map: those of repaired meshes, and those that are missing.

#![forbid(unsafe_code)]

use super::deed::Repair;
use super::names::rename_entry;
use super::plan::{FixPlan, Said};
use super::world::{Holds, Version};
use crate::format::skyrim::buf::NavMeshBuf;
use crate::format::skyrim::check::links::Key;
use crate::format::skyrim::form::FormId;
use crate::format::skyrim::mapbuf::MapEntryBuf;
use std::collections::BTreeSet;

impl<'a> FixPlan<'_, 'a> {
    /// Writes the entries of repaired meshes anew, and adds those that are missing.
    pub(super) fn map_entries(&mut self) {
        let edited: Vec<Key> = self.world.edited.keys().copied().collect();
        for key in edited {
            let Some(edited) = self.world.edited.get(&key) else { continue };
            let (home, mesh, before) = (edited.home, edited.mesh.clone(), edited.before.clone());
            let own = key.file as usize == home;
            // An override needs no entry of its own as long as nothing changes that the master's entry says.
            if let Some(entry) = self.entry_for(key, &mesh, Some(&before))
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
            .versions
            .iter()
            .filter(|(key, _)| matches!(self.world.holds.get(key), Some(Holds::Triangles(_))))
            .filter_map(|(key, versions)| Some((*key, *versions.last()?)))
            .filter(|(key, version)| key.file as usize == version.plugin || self.world.stale.contains(key))
            .filter(|(key, _)| !self.world.entries.contains_key(key) || self.world.stale.contains(key))
            .filter(|(_, version)| self.options.touches(version.plugin))
            .filter(|(key, _)| !self.entries.contains_key(key) || !self.world.entries.contains_key(key))
            .collect();
        for (key, version) in lacking {
            let stale = self.world.entries.contains_key(&key);
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

    /// The entry of a mesh: the one that the game has, brought in line, or a new one. FormIDs are those of the names.
    fn entry_for(&mut self, key: Key, mesh: &NavMeshBuf, before: Option<&NavMeshBuf>) -> Option<MapEntryBuf> {
        let roads = self.roads(key);
        let known =
            self.world.entries.get(&key).map(|(plugins, entry)| (plugins.last().copied(), entry.clone()));
        let road = |form: FormId| roads.contains(&form);
        match known {
            Some((Some(plugin), mut entry)) => {
                let (order, names) = (self.world.order, &mut self.world.names);
                rename_entry(&mut entry, |form| Some(names.global(order, plugin, form))).ok()?;
                entry.refresh(mesh, before, road);
                Some(entry)
            }
            _ => Some(MapEntryBuf::of(self.world.names.of(key), mesh, road)),
        }
    }

    /// Whether an entry says other things than the one that the game has.
    fn differs(&mut self, key: Key, entry: &MapEntryBuf) -> bool {
        let Some((plugins, known)) = self.world.entries.get(&key) else { return true };
        let (Some(plugin), mut known) = (plugins.last().copied(), known.clone()) else { return true };
        let (order, names) = (self.world.order, &mut self.world.names);
        let renamed = rename_entry(&mut known, |form| Some(names.global(order, plugin, form)));
        renamed.is_err() || known != *entry
    }

    /// The meshes to which a link between two preferred triangles leads.
    fn roads(&mut self, key: Key) -> BTreeSet<FormId> {
        let mut roads = BTreeSet::new();
        for way in self.world.ways.get(&key).into_iter().flatten().filter(|way| way.preferred) {
            let mut there = self.world.ways.get(&way.target).into_iter().flatten();
            if there.any(|back| back.preferred && back.triangle == way.target_triangle) {
                roads.insert(self.world.names.of(way.target));
            }
        }
        roads
    }
}
