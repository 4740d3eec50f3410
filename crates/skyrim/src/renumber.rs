//! FormIDs of one version of a plugin as another version writes them.

use super::buf::NavMeshBuf;
use super::form::FormId;
use super::owners::{LIGHT_INDEX, MEDIUM_INDEX};
use super::plugin::{Game, Plugin};
use super::text::{decode_text, name_key};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// What the file indices of a plugin are in another version of it, whose masters are others or in another order.
///
/// Files correspond by the names of the masters, and what is the plugin's own in one is so in the other; or one is a master of the
/// other, if more navmeshes are the same then. Files that the other version lacks have indices that mean nothing there, each its own:
/// 0xFF, 0xFE and so on.
#[derive(Clone, Debug)]
pub struct Renumbered([u8; 256]);

/// What the earlier version is in the later one.
#[derive(Clone, Copy)]
enum Same {
    /// The later version itself.
    Both,
    /// The master with this index.
    Master(u8),
    /// It changes the later one, which is its own master with this index.
    Mastered(u8),
}

/// The index of the first file that the other version does not know, and of all that are too many for one of their own.
const NOWHERE: u8 = 0xFF;

/// Indices that mean nothing in a version whose own is `own`, from above.
fn unused(own: u8, game: Game) -> impl Iterator<Item = u8> {
    let scaled = move |index: &u8| game == Game::Starfield && matches!(*index, MEDIUM_INDEX | LIGHT_INDEX);
    (own.saturating_add(1)..=NOWHERE).rev().filter(move |index| !scaled(index))
}

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
        let meshes: HashSet<FormId> =
            before.navmeshes().flatten().map(|navm| before.canonical(navm.form_id())).collect();
        let forms: HashSet<FormId> = after.navmeshes().flatten().map(|navm| navm.form_id()).collect();
        let found = |file: usize, form: FormId| {
            let file = u32::try_from(file).unwrap_or(NOWHERE.into());
            meshes.contains(&FormId::new(file << 24 | form.object_id()))
        };
        // Where one is a plugin that changes the other, it has it among its masters, under a name that the files do not tell. How many
        // navmeshes are the same then is counted in one pass for all masters.
        let mut earlier_of: HashMap<u32, Vec<u8>> = HashMap::new();
        for form in &meshes {
            earlier_of.entry(form.object_id()).or_default().push(form.file_index());
        }
        let (mut both, mut as_master, mut as_mastered) = (0_usize, [0_usize; 256], [0_usize; 256]);
        let count = |counts: &mut [usize; 256], file: u8| {
            counts.get_mut(usize::from(file)).into_iter().for_each(|count| *count = count.saturating_add(1));
        };
        for form in &forms {
            let file = form.file_index();
            if usize::from(file) < new.len() {
                if found(old.len(), *form) {
                    count(&mut as_master, file);
                }
                continue;
            }
            both = both.saturating_add(found(old.len(), *form).into());
            let earlier = earlier_of.get(&form.object_id());
            earlier.into_iter().flatten().for_each(|file| count(&mut as_mastered, *file));
        }
        let most = |names: &[String], others: &[String], counts: &[usize; 256]| {
            let unknown =
                names.iter().zip(counts).zip(0..=u8::MAX).filter(|((name, _), _)| !others.contains(name));
            unknown.map(|((_, count), at)| (*count, at)).max_by_key(|(count, at)| (*count, Reverse(*at)))
        };
        let (master, mastered) = (most(&new, &old, &as_master), most(&old, &new, &as_mastered));
        let own = u8::try_from(old.len()).ok()?;
        let same = match (master, mastered) {
            (Some((count, at)), _) if count > both && mastered.is_none_or(|(other, _)| count >= other) => {
                Same::Master(at)
            }
            (_, Some((count, at))) if count > both => Same::Mastered(at),
            _ => Same::Both,
        };
        let renumbered = Self::of_files(&old, &new, after.game(), own, same);
        let common =
            |form: &dyn Fn(FormId) -> FormId| forms.iter().filter(|at| meshes.contains(&form(**at))).count();
        let (found, stored) = (common(&|at| renumbered.form(at)), common(&|at| after.canonical(at)));
        // As they are stored, the records that the later one adds keep numbers that one can type.
        let in_order = old.starts_with(&new) || new.starts_with(&old);
        let serves = if in_order && !matches!(same, Same::Both) { found > stored } else { found >= stored };
        serves.then_some(renumbered)
    }

    /// By the names of masters. `own` is what the earlier version calls itself.
    fn of_files(old: &[String], new: &[String], game: Game, own: u8, same: Same) -> Self {
        let mut unused = unused(own, game);
        let mut nowhere = || unused.next().unwrap_or(NOWHERE);
        let mut files = [match same {
            Same::Both => own,
            Same::Master(_) => nowhere(),
            Same::Mastered(known) => known,
        }; 256];
        let mut set = |index: usize, to: u8| files.get_mut(index).into_iter().for_each(|file| *file = to);
        if game == Game::Starfield {
            [MEDIUM_INDEX, LIGHT_INDEX].into_iter().for_each(|index| set(index.into(), index));
        }
        for (index, name) in new.iter().take(256).enumerate() {
            let known = old.iter().position(|old| old == name).and_then(|at| u8::try_from(at).ok());
            let itself = matches!(same, Same::Master(master) if usize::from(master) == index).then_some(own);
            let again = || files.get(new.iter().take(index).position(|earlier| earlier == name)?).copied();
            let file = itself.or(known).or_else(again).unwrap_or_else(&mut nowhere);
            files.get_mut(index).into_iter().for_each(|to| *to = file);
        }
        Self(files)
    }

    /// A FormID of the later version as the earlier one writes it.
    pub fn form(&self, form: FormId) -> FormId {
        match self.0.get(usize::from(form.file_index())) {
            Some(file) if !form.is_null() => FormId::new(u32::from(*file) << 24 | form.object_id()),
            _ => form,
        }
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
