//! Removes unneeded entries of info maps: the editor adds some of the master's to every plugin.

use super::deed::Repair;
use super::plan::{FixPlan, Said};
use super::rows::Known;
use crate::check::links::Key;
use crate::form::FormId;
use crate::navi::NavMap;
use navmap_core::bytes::Scratch;
use std::collections::{BTreeSet, HashMap, HashSet};

/// An entry of an info map.
struct Listed {
    form: FormId,
    key: Key,
    /// Where its payload begins.
    offset: u64,
}

impl FixPlan<'_, '_> {
    /// Drops the entries whose mesh the plugin neither contains nor links to, and all of a mesh before the last, which the game uses.
    /// The last stays if its mesh is in the order and no other plugin has an entry for it, since without any the game would not use
    /// the mesh.
    pub(super) fn prune(&mut self) {
        for index in 0..self.world.order.len() {
            if !self.options.touches(index) {
                continue;
            }
            let (needed, listed) = (self.needed(index), self.listed(index));
            let last: HashMap<Key, u64> = listed.iter().map(|entry| (entry.key, entry.offset)).collect();
            let mut told = HashSet::new();
            for Listed { form, key, offset } in listed {
                let alone = self.world.rows.get(key).is_some_and(|row| {
                    let only = |known: Known| [known.plugins.0, known.plugins.1].map(|at| at as usize);
                    row.entry.is_none_or(|known| only(known) == [index; 2])
                });
                let written = self.entries.get(&key).is_some_and(|(home, _)| *home == index);
                let (what, after) = if last.get(&key) != Some(&offset) {
                    ("the game uses a later entry for this navmesh", "the last entry alone")
                } else if needed.contains(&key) || alone || written {
                    continue;
                } else {
                    ("the plugin neither holds this navmesh nor links to it", "no entry")
                };
                let said = Said {
                    repair: Repair::Prune,
                    what: what.to_owned(),
                    before: "an entry in its info map".to_owned(),
                    after: after.to_owned(),
                };
                let left = self.options.patch.then(|| "a patch cannot remove an entry".to_owned());
                if left.is_none() {
                    self.pruned.insert((index, offset));
                }
                // However many entries a mesh has before its last, its place is looked for once.
                if !told.insert((key, what)) {
                    continue;
                }
                let place = self.world.winner(key).and_then(|version| self.world.place(&version));
                self.note_at(index, form, place, said, left);
            }
        }
    }

    /// The entries of a plugin's info map, in file order.
    fn listed(&self, index: usize) -> Vec<Listed> {
        let order = self.world.order;
        let mut scratch = Scratch::new();
        let Some((_, plugin)) = order.get(index) else { return Vec::new() };
        let Ok(Some(record)) = plugin.navi() else { return Vec::new() };
        let Ok(Ok(map)) = record.fields(&mut scratch).map(NavMap::parse) else { return Vec::new() };
        let entries = map.entries().flatten().map(|entry| (entry.head.navmesh(), entry.offset));
        entries
            .filter_map(|(form, offset)| Some(Listed { form, key: order.key(index, form)?, offset }))
            .collect()
    }

    /// The meshes that a plugin contains or links to, once it is repaired. Unknown if a mesh cannot be read; its entries are then
    /// left alone.
    fn needed(&self, index: usize) -> BTreeSet<Key> {
        let order = self.world.order;
        let mut needed = BTreeSet::new();
        let Some((_, plugin)) = order.get(index) else { return needed };
        let mut scratch = Scratch::new();
        for navm in plugin.navmeshes().flatten() {
            let Some(key) = order.key(index, navm.form_id()) else { continue };
            needed.insert(key);
            if self.world.edited.get(&key).is_some_and(|edited| edited.home == index) {
                continue;
            }
            if let Ok(Some(mesh)) = navm.mesh(&mut scratch) {
                needed.extend(mesh.edge_links().iter().filter_map(|link| order.key(index, link.navmesh())));
            }
        }
        for (key, edited) in self.world.edited.iter().filter(|(_, edited)| edited.home == index) {
            needed.insert(*key);
            let links = edited.mesh.links.iter();
            needed.extend(links.filter_map(|link| self.world.names.key(link.navmesh)));
        }
        needed
    }
}
