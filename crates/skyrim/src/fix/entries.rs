//! Entries of the navmesh info map: those of repaired meshes, and those that are missing.

use super::deed::Repair;
use super::names::rename_entry;
use super::plan::{FixPlan, Said};
use super::rows::{Holds, Version};
use crate::buf::NavMeshBuf;
use crate::check::links::Key;
use crate::form::FormId;
use crate::mapbuf::{MapEntryBuf, no_map};
use crate::plugin::Game;
use std::collections::{BTreeSet, HashSet};

impl<'a> FixPlan<'_, 'a> {
    /// Rewrites the entries of repaired meshes, and adds missing ones.
    pub(super) fn map_entries(&mut self) {
        let told = self.repaired_entries();
        if self.options.wants(Repair::Entry) {
            self.lacking_entries(&told);
        }
    }

    /// Rewrites the entries of repaired meshes. Returns the meshes of which it was said why theirs cannot be.
    fn repaired_entries(&mut self) -> HashSet<Key> {
        let edited: Vec<Key> = self.world.edited.keys().copied().collect();
        let mut told = HashSet::new();
        for key in edited {
            let Some(edited) = self.world.edited.get(&key) else { continue };
            let (home, target, mesh) = (edited.home, edited.target, edited.mesh.clone());
            // What entries such a map has is not known.
            if !self.options.patch && self.world.unread_maps.contains(&home) {
                continue;
            }
            if self.unmapped(home).is_some() {
                continue;
            }
            // The old mesh matters only for the geometry of islands.
            let island = self.world.entry(key).is_some_and(|(_, entry)| entry.island.is_some());
            let before = if island { self.world.before(key) } else { None };
            let later = self.entry_plugin(key).filter(|last| *last > home && !self.options.patch);
            let own = key.is_of(home) && later.is_none();
            // Where the game uses the entry of another plugin, that needs one only if something in it changes.
            if let Some(entry) = self.entry_for(key, &mesh, before.as_ref())
                && (own || self.undeleted.contains(&key) || self.differs(key, &entry))
            {
                let at = self.entry_home(key, home);
                match at.and_then(|at| self.nameable(at, &entry).map(|()| at)) {
                    Ok(at) => _ = self.entries.insert(key, (at, entry)),
                    // It has no map: see below.
                    Err(_) if own => {}
                    Err(why) => {
                        told.insert(key);
                        let said = Said {
                            repair: Repair::Entry,
                            what: "its entry in the info map would change with it".to_owned(),
                            before: "the entry as it was".to_owned(),
                            after: String::new(),
                        };
                        self.note(&target, said, Some(why));
                    }
                }
            }
        }
        told
    }

    /// Adds entries that are missing, and mends those that are not what their meshes say. Of meshes in `told` the reason why not was
    /// said already.
    fn lacking_entries(&mut self, told: &HashSet<Key>) {
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
            let known = self.entry_plugin(key);
            let said = |file: String, after: String| Said {
                repair: Repair::Entry,
                what: match known {
                    Some(of) if of == version.plugin => {
                        "its entry in the info map is not what the mesh says".to_owned()
                    }
                    Some(_) => format!("its entry in the info map of {file} is not what the mesh says"),
                    None => "the info map has no entry for it: the game does not use the navmesh".to_owned(),
                },
                before: if known.is_some() { "stale entry".to_owned() } else { "no entry".to_owned() },
                after,
            };
            let file = known.map_or_else(String::new, |of| self.world.file_name(of));
            match self.entry_of(key, &version) {
                None => {}
                Some(Ok((home, entry))) => {
                    let linked = entry.links.len().saturating_add(entry.preferred_links.len());
                    let doors = entry.doors.len();
                    let after = format!("an entry with {linked} linked meshes and {doors} doors");
                    self.entries.insert(key, (home, entry));
                    self.note(&version, said(file, after), None);
                }
                Some(Err(_)) if told.contains(&key) => {}
                Some(Err(why)) => self.note(&version, said(file, String::new()), Some(why)),
            }
        }
    }

    /// The entry that a mesh should have, and the plugin whose map it belongs into. `None` if the mesh cannot be read, or
    /// the entry is right already.
    ///
    /// # Errors
    /// The reason why that plugin cannot have it.
    fn entry_of(&mut self, key: Key, version: &Version<'a>) -> Option<Result<(usize, MapEntryBuf), String>> {
        let home = match self.entry_home(key, version.plugin) {
            Ok(home) => home,
            Err(why) => return Some(Err(why)),
        };
        if let Some(entry) = self.entries.get(&key) {
            return Some(Ok(entry.clone()));
        }
        let of = self.entry_plugin(key);
        let across = of.filter(|of| *of != version.plugin);
        let edited = self.world.edited.get(&key).map(|edited| edited.mesh.clone());
        // The geometry of an island is that of the version which the entry is of.
        let was = match across {
            _ if edited.is_some() => self.world.before(key),
            Some(of) => {
                let mut versions = self.world.rows.versions(key).iter();
                let of = versions.rfind(|other| other.plugin <= of).copied();
                of.and_then(|of| self.world.read(&of, false).ok())
            }
            None => None,
        };
        let mesh = edited.or_else(|| self.world.read(version, false).ok());
        let mesh = mesh.filter(|mesh| mesh.version >= 12)?;
        if let Some(why) = self.unmapped(home) {
            return Some(Err(why));
        }
        let before = was.as_ref().or_else(|| across.is_none().then_some(&mesh));
        let entry = self.entry_for(key, &mesh, before)?;
        if of.is_some() && !self.differs(key, &entry) {
            return None;
        }
        Some(self.nameable(home, &entry).map(|()| (home, entry)))
    }

    /// Whether a plugin can name everything that an entry names. A patch can: its masters follow from what it names.
    ///
    /// # Errors
    /// What it cannot name.
    fn nameable(&self, plugin: usize, entry: &MapEntryBuf) -> Result<(), String> {
        if self.options.patch {
            return Ok(());
        }
        let (order, names) = (self.world.order, &self.world.names);
        let named = rename_entry(&mut entry.clone(), |form| order.local(plugin, names.key(form)?));
        named.map_err(|form| {
            let file = self.world.file_name(plugin);
            let stranger = names.key(form).map_or_else(String::new, |key| self.world.called(key));
            format!("it belongs into {file}, which cannot name {stranger}")
        })
    }

    /// The plugin with the entry that the game uses for a mesh.
    fn entry_plugin(&self, key: Key) -> Option<usize> {
        self.world.rows.get(key)?.entry.map(|known| known.plugins.1 as usize)
    }

    /// The plugin whose map the entry of a mesh belongs into, so that the game uses it: that with the mesh, or a later one that has an
    /// entry.
    ///
    /// # Errors
    /// The reason why none may have it.
    fn entry_home(&self, key: Key, mesh: usize) -> Result<usize, String> {
        match self.entry_plugin(key).filter(|last| *last > mesh) {
            _ if self.options.patch => Ok(mesh),
            Some(last) if !self.options.touches(last) => {
                let file = self.world.file_name(last);
                Err(format!("the game uses the entry of {file}, which is not to be changed"))
            }
            Some(last) => Ok(last),
            None => self.has_no_map(mesh).map_or(Ok(mesh), Err),
        }
    }

    /// The info map shared by all plugins of the game: of its own file, or if no plugin names that, as the first plugin names it that has
    /// one.
    pub(super) fn shared_map(&self, game: Game) -> Option<Key> {
        let order = self.world.order;
        let of_game = game.shared_map();
        let of_game = of_game.and_then(|(file, object)| Some(Key { file: order.file_named(file)?, object }));
        let of_first = |index: usize| {
            let navi = order.get(index)?.1.navi().ok()??;
            order.key(index, navi.form_id())
        };
        of_game.or_else(|| (0..order.len()).find_map(of_first))
    }

    /// What a plugin calls that map; `None` if it is a record of none of its masters.
    pub(super) fn map_form(&self, plugin: usize) -> Option<FormId> {
        let (_, view) = self.world.order.get(plugin)?;
        match self.shared_map(view.game()) {
            Some(key) => self.world.order.local(plugin, key),
            None => view.shared_map(),
        }
    }

    /// Why a plugin without an info map cannot have one; `None` if it has one, or can.
    fn has_no_map(&self, plugin: usize) -> Option<String> {
        let (_, view) = self.world.order.get(plugin)?;
        // Older games have other maps, or none.
        view.game().shared_map()?;
        let none = !matches!(view.navi(), Ok(Some(_))) && self.map_form(plugin).is_none();
        none.then(|| no_map(view))
    }

    /// Why a plugin, or the patch, can be given no entry: it has no info map, and none can be made.
    fn unmapped(&self, plugin: usize) -> Option<String> {
        let patch = self.options.patch;
        let plugin = if patch { self.like()? } else { self.world.order.get(plugin)?.1 };
        let game = plugin.game();
        let writes = game.nvnm_version().is_some() || (!patch && matches!(plugin.navi(), Ok(Some(_))));
        (!writes).then(|| format!("its form versions are of {game}, which has no such info map"))
    }

    /// The entry of a mesh: the one used by the game, updated, or a new one. FormIDs are those of the names.
    fn entry_for(&mut self, key: Key, mesh: &NavMeshBuf, before: Option<&NavMeshBuf>) -> Option<MapEntryBuf> {
        match self.world.entry(key) {
            Some((plugin, mut entry)) => {
                let (order, names) = (self.world.order, &mut self.world.names);
                rename_entry(&mut entry, |form| Some(names.global(order, plugin, form))).ok()?;
                let roads = self.roads(key, &entry.preferred_links);
                entry.refresh(mesh, before, |form| roads.contains(&form));
                Some(entry)
            }
            None => {
                let roads = self.roads(key, &[]);
                let road = |form: FormId| roads.contains(&form);
                Some(MapEntryBuf::from_mesh(self.world.names.number(key), mesh, road))
            }
        }
    }

    /// Whether an entry differs from the one used by the game.
    fn differs(&mut self, key: Key, entry: &MapEntryBuf) -> bool {
        let Some((plugin, mut known)) = self.world.entry(key) else { return true };
        let (order, names) = (self.world.order, &mut self.world.names);
        let renamed = rename_entry(&mut known, |form| Some(names.global(order, plugin, form)));
        renamed.is_err() || known != *entry
    }

    /// The meshes that a link between two preferred triangles leads to. The flags of meshes of files that are not in the load order
    /// are unknown here: those that were `known` still are.
    fn roads(&mut self, key: Key, known: &[FormId]) -> BTreeSet<FormId> {
        let known: HashSet<FormId> = known.iter().copied().collect();
        let mut roads = BTreeSet::new();
        for way in self.world.rows.ways(key).filter(|way| way.preferred) {
            let is_road = match self.world.rows.get(way.target) {
                Some(row) => {
                    row.ways.iter().any(|back| back.preferred() && back.triangle == way.target_triangle)
                }
                None => {
                    !self.world.order.has(way.target) && known.contains(&self.world.names.number(way.target))
                }
            };
            if is_road {
                roads.insert(self.world.names.number(way.target));
            }
        }
        roads
    }
}
