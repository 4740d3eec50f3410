//! Entries of the navmesh info map for meshes that another plugin changes.

use super::LoadOrder;
use crate::check::links::Key;
use crate::check::{Fit, Report};
use crate::form::FormId;
use crate::navi::{MapEntry, NavMap};
use crate::navm::NavmRecord;
use navmap_core::bytes::Scratch;
use navmap_core::{Finding, Severity};
use std::collections::{BTreeMap, HashMap};

/// The version of each mesh that the game uses, of those that do not come from its own file: the plugin, and the record there.
pub(super) type Overrides<'a> = HashMap<Key, (usize, NavmRecord<'a>)>;

impl<'a> LoadOrder<'a> {
    /// Reports entries that the game uses and that do not fit the mesh, where they are not in the plugin of the mesh, whose own check
    /// compares those. Each map is read twice, each of the meshes once.
    pub(super) fn check_entries(
        &self,
        overrides: &Overrides<'a>,
        scratch: &mut Scratch,
        found: &mut dyn FnMut(usize, Finding),
    ) {
        if overrides.is_empty() {
            return;
        }
        let (mut of_map, mut fit) = (Scratch::new(), Fit::default());
        let mut last: HashMap<Key, usize> = HashMap::new();
        for index in 0..self.len() {
            let Some(map) = self.map(index, &mut of_map) else { continue };
            let keys = map.entries().flatten().filter_map(|entry| self.key(index, entry.head.navmesh()));
            last.extend(keys.filter(|key| overrides.contains_key(key)).map(|key| (key, index)));
        }
        for index in 0..self.len() {
            let Some(map) = self.map(index, &mut of_map) else { continue };
            // In the order of the meshes. Of several entries of one the last counts.
            let mut used: BTreeMap<(usize, u32), (MapEntry<'_>, NavmRecord<'_>)> = BTreeMap::new();
            for entry in map.entries().flatten() {
                let Some(key) = self.key(index, entry.head.navmesh()) else { continue };
                if let Some((plugin, navm)) = overrides.get(&key)
                    && *plugin != index
                    && last.get(&key) == Some(&index)
                {
                    used.insert((*plugin, navm.index()), (entry, *navm));
                }
            }
            for ((plugin, _), (entry, navm)) in used {
                let mut found = |finding| found(plugin, finding);
                self.check_entry((index, &entry), (plugin, &navm), (&mut *scratch, &mut fit), &mut found);
            }
        }
    }

    fn map<'s>(&self, index: usize, scratch: &'s mut Scratch) -> Option<NavMap<'s>>
    where
        'a: 's,
    {
        let (_, plugin) = self.get(index)?;
        NavMap::parse(plugin.navi().ok()??.fields(scratch).ok()?).ok()
    }

    fn check_entry(
        &self,
        (of, entry): (usize, &MapEntry<'_>),
        (plugin, navm): (usize, &NavmRecord<'a>),
        (scratch, fit): (&mut Scratch, &mut Fit),
        found: &mut dyn FnMut(Finding),
    ) {
        let Ok(Some(mesh)) = navm.mesh(scratch) else { return };
        let local = |form: FormId| {
            let key = self.key(of, form).filter(|_| !form.is_null());
            key.and_then(|key| self.local(plugin, key)).unwrap_or(FormId::NULL)
        };
        if mesh.pathing_cell().is_none() || !fit.is_stale(entry, &mesh, self.owners(plugin), local) {
            return;
        }
        let file = self.get(of).map_or("", |(name, _)| name);
        let why = format_args!(
            "the game uses its NAVI entry of {file}, which does not fit: another place, linked mesh, door, center or share of preferred triangles"
        );
        let mut report = Report::for_record(found, navm.index().into(), navm.form_id(), navm.is_compressed());
        report.say(Severity::Warning, "nvmi-stale", mesh.offset, why);
    }
}
