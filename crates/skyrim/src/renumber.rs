//! FormIDs of one version of a plugin as another version writes them.

use super::buf::NavMeshBuf;
use super::form::FormId;
use super::loadorder::name_key;
use super::owners::{LIGHT_INDEX, MEDIUM_INDEX};
use super::plugin::{Game, Plugin};
use super::text::decode_text;
use std::collections::HashSet;

/// What the file indices of a plugin are in another version of it, whose masters are others or in another order.
///
/// Files correspond by the names of the masters, and what is the plugin's own in one is so in the other. A master that the other
/// version lacks has the index 0xFF.
#[derive(Clone, Debug)]
pub struct Renumbered([u8; 256]);

/// The index of a file that the other version does not know.
const NOWHERE: u8 = 0xFF;

impl Renumbered {
    /// The FormIDs of `after` as `before` writes them. `None` if they are the same, or if fewer navmeshes would have the same ones
    /// than without: of a plugin and its master, overrides correspond as they are stored.
    pub fn between(before: &Plugin<'_>, after: &Plugin<'_>) -> Option<Self> {
        let masters = |plugin: &Plugin<'_>| -> Vec<String> {
            plugin.masters().map(|master| name_key(&decode_text(master))).collect()
        };
        let (old, new) = (masters(before), masters(after));
        if old == new {
            return None;
        }
        let mut files = [u8::try_from(old.len()).ok()?; 256];
        let mut set = |index: usize, to: u8| files.get_mut(index).into_iter().for_each(|file| *file = to);
        if after.game() == Game::Starfield {
            [MEDIUM_INDEX, LIGHT_INDEX].into_iter().for_each(|index| set(index.into(), index));
        }
        for (index, name) in new.iter().enumerate() {
            let known = old.iter().position(|old| old == name);
            set(index, known.and_then(|at| u8::try_from(at).ok()).unwrap_or(NOWHERE));
        }
        let renumbered = Self(files);
        let meshes: HashSet<FormId> =
            before.navmeshes().flatten().map(|navm| before.canonical(navm.form_id())).collect();
        let (mut with, mut without) = (0_usize, 0_usize);
        for form in after.navmeshes().flatten().map(|navm| navm.form_id()) {
            with = with.saturating_add(meshes.contains(&renumbered.form(form)).into());
            without = without.saturating_add(meshes.contains(&after.canonical(form)).into());
        }
        (with >= without).then_some(renumbered)
    }

    /// A FormID of the later version as the earlier one writes it.
    pub fn form(&self, form: FormId) -> FormId {
        match self.0.get(usize::from(form.file_index())) {
            Some(file) if !form.is_null() => FormId::new(u32::from(*file) << 24 | form.object_id()),
            _ => form,
        }
    }

    /// Whether a FormID names a file that the earlier version does not know.
    pub(super) fn is_nowhere(form: FormId) -> bool {
        form.file_index() == NOWHERE
    }
}

/// What replaces a FormID. That of nothing stays.
///
/// # Errors
/// The FormID if nothing does.
pub(super) fn renamed(form: FormId, to: &mut impl FnMut(FormId) -> Option<FormId>) -> Result<FormId, FormId> {
    if form.is_null() { Ok(form) } else { to(form).ok_or(form) }
}

/// Replaces all FormIDs of a mesh.
///
/// # Errors
/// The first one without a replacement.
pub(super) fn rename_mesh(
    mesh: &mut NavMeshBuf,
    mut to: impl FnMut(FormId) -> Option<FormId>,
) -> Result<(), FormId> {
    let mut renamed = |form| renamed(form, &mut to);
    for link in &mut mesh.links {
        link.navmesh = renamed(link.navmesh)?;
    }
    for door in &mut mesh.doors {
        door.reference = renamed(door.reference)?;
    }
    let mut failed = None;
    let cell = mesh.pathing_cell.renamed(|form| renamed(form).map_err(|form| failed = Some(form)).ok());
    match cell {
        Some(cell) => mesh.pathing_cell = cell,
        None => return Err(failed.unwrap_or(FormId::NULL)),
    }
    Ok(())
}
