//! FormIDs with the same meaning in every plugin of an order.

use crate::check::links::Key;
use crate::form::FormId;
use crate::loadorder::LoadOrder;
use crate::mapbuf::MapEntryBuf;
pub(super) use crate::renumber::rename_mesh;
use crate::renumber::renamed;
use std::collections::HashMap;

/// Numbers for the records that meshes name. A mesh with these numbers as FormIDs belongs to no plugin, and can be written into
/// any that has the files among its masters.
#[derive(Debug, Default)]
pub(super) struct Names {
    keys: Vec<Key>,
    numbers: HashMap<Key, u32>,
}

impl Names {
    /// The number of a record. 0 is reserved for none.
    pub(super) fn number(&mut self, key: Key) -> FormId {
        let next = u32::try_from(self.keys.len()).unwrap_or(u32::MAX).saturating_add(1);
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        FormId::new(number)
    }

    /// The record of a number.
    pub(super) fn key(&self, form: FormId) -> Option<Key> {
        self.keys.get((form.get() as usize).checked_sub(1)?).copied()
    }

    /// All records that have a number.
    pub(super) fn all(&self) -> impl Iterator<Item = Key> + '_ {
        self.keys.iter().copied()
    }

    /// The number for a FormID of a plugin.
    pub(super) fn global(&mut self, order: &LoadOrder<'_>, plugin: usize, form: FormId) -> FormId {
        match order.key(plugin, form) {
            Some(key) if !form.is_null() => self.number(key),
            _ => FormId::NULL,
        }
    }
}

/// Replaces all FormIDs of an entry of the info map.
///
/// # Errors
/// The first one without a replacement.
pub(super) fn rename_entry(
    entry: &mut MapEntryBuf,
    mut to: impl FnMut(FormId) -> Option<FormId>,
) -> Result<(), FormId> {
    let mut renamed = |form| renamed(form, &mut to);
    entry.navmesh = renamed(entry.navmesh)?;
    let lists = entry.links.iter_mut().chain(&mut entry.preferred_links);
    for form in lists.chain(entry.doors.iter_mut().map(|(_, door)| door)) {
        *form = renamed(*form)?;
    }
    let mut failed = None;
    let mut or_none = |form: FormId| renamed(form).map_err(|form| failed = Some(form)).ok();
    for traversal in &mut entry.traversals {
        match traversal.renamed(&mut or_none) {
            Some(now) => *traversal = now,
            None => return Err(failed.unwrap_or(FormId::NULL)),
        }
    }
    match entry.pathing_cell.renamed(&mut or_none) {
        Some(cell) => entry.pathing_cell = cell,
        None => return Err(failed.unwrap_or(FormId::NULL)),
    }
    Ok(())
}
