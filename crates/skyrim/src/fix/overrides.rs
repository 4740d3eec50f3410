//! Overrides of other plugins' meshes in a plugin that is repaired.

use super::plan::FixPlan;
use super::rows::Way;
use crate::check::links::Key;
use crate::form::Tag;
use crate::groups::{CellGroups, cell_groups};
use crate::plugin::Plugin;
use crate::rewrite::{Changes, NewRecord};
use navmap_core::error::{Error, Result};
use std::collections::BTreeMap;

impl FixPlan<'_, '_> {
    /// The plugin to write a mesh into that changes because plugin `host` is repaired.
    ///
    /// # Errors
    /// The reason why it cannot be written.
    pub(super) fn home(&mut self, key: Key, host: usize) -> std::result::Result<usize, String> {
        let winner = self.world.winner(key).ok_or("that navmesh is gone")?;
        if self.options.patch || self.options.touches(winner.plugin) {
            return Ok(winner.plugin);
        }
        let names = [host, winner.plugin].map(|plugin| self.world.file_name(plugin));
        let [host_name, name] = &names;
        if !self.options.write_overrides {
            return Err(format!("the other side belongs into {name}, which is not to be changed"));
        }
        if winner.plugin > host {
            return Err(format!("{name} loads after {host_name}, so that an override there would not win"));
        }
        let order = self.world.order;
        self.world.edit(key).map_err(|error| error.to_string())?;
        if let Some(edited) = self.world.edited.get(&key) {
            self.fits(edited, host)?;
        }
        let cell = winner.navm.cell().and_then(|cell| order.key(winner.plugin, cell));
        let has_cell = order.local(host, key).is_some()
            && cell.is_some_and(|cell| self.cell_groups(host, cell).is_some());
        if !has_cell {
            return Err(format!("{host_name} has nothing in the cell of {}", self.world.called(key)));
        }
        Ok(host)
    }

    /// The plugin to write the target mesh of a link into.
    ///
    /// # Errors
    /// The reason why it cannot be written.
    pub(super) fn home_of_answer(&mut self, way: &Way) -> std::result::Result<usize, String> {
        let host = self.world.edited.get(&way.owner).map(|edited| edited.home);
        let host = host.or_else(|| self.world.winner(way.owner).map(|version| version.plugin));
        self.home(way.target, host.ok_or("its navmesh is gone")?)
    }

    /// Describes a mesh that is written as an override of another plugin's.
    pub(super) fn in_override(&self, way: &Way, home: usize) -> String {
        match self.world.winner(way.target) {
            Some(other) if !self.options.patch && other.plugin != home => {
                format!(" in an override of the navmesh of {}", self.world.file_name(other.plugin))
            }
            _ => String::new(),
        }
    }

    /// Adds the meshes of other plugins that a plugin now overrides.
    ///
    /// # Errors
    /// If one does not fit.
    pub(super) fn write_overrides(
        &self,
        index: usize,
        plugin: &Plugin<'_>,
        changes: &mut Changes,
    ) -> Result<()> {
        let order = self.world.order;
        let mut without_group: BTreeMap<CellGroups, Vec<Vec<u8>>> = BTreeMap::new();
        for (key, edited) in &self.world.edited {
            let winner = &edited.target;
            if edited.home != index || winner.plugin == index {
                continue;
            }
            let cell = winner.navm.cell().and_then(|cell| order.key(winner.plugin, cell));
            let groups = cell.and_then(|cell| self.cell_groups(index, cell));
            let (Some(groups), Some(form_id)) = (groups, order.local(index, *key)) else {
                return Err(Error::invalid(
                    "override",
                    format!("of {} has no place", self.world.called(*key)),
                ));
            };
            let form_version = edited.source.navm.header().form_version();
            let head = NewRecord { tag: Tag::NAVM, flags: edited.flags, form_id, form_version };
            let data = self.record_data(edited, |key| order.local(index, key))?;
            match groups.temporary {
                Some(temporary) => changes.append(temporary, head, &data)?,
                None => without_group.entry(groups).or_default().push(head.encode(&data)?),
            }
            if plugin.is_master() {
                changes.note_override(form_id, true);
            }
        }
        for (groups, records) in without_group {
            groups.append_temporary(&records, changes)?;
        }
        Ok(())
    }

    fn cell_groups(&self, index: usize, cell: Key) -> Option<CellGroups> {
        let (order, (_, plugin)) = (self.world.order, self.world.order.get(index)?);
        cell_groups(plugin, 1, |form| order.key(index, form) == Some(cell)).into_values().next()
    }
}
