//! What a patch cannot hold is left out of it, and the rest is written.

use super::deed::Repair;
use super::patch::numbered;
use super::plan::{FixPlan, Said};
use crate::check::links::Key;
use crate::form::FormId;
use std::collections::BTreeMap;

/// Meshes that a patch cannot hold, and why.
type Stays = BTreeMap<Key, String>;

impl FixPlan<'_, '_> {
    /// Leaves out the meshes that a patch cannot hold: those that stand in a cell or worldspace which it cannot override,
    /// or whose own record it cannot write. With them go repaired meshes that are linked to them, since what both are
    /// after the repair belongs together.
    pub(super) fn leave_out(&mut self) {
        loop {
            let stays = self.cannot_go();
            if stays.is_empty() {
                return;
            }
            let stays = self.with_linked(stays);
            for (key, why) in stays {
                let Some(edited) = self.world.edited.remove(&key) else { continue };
                self.undeleted.remove(&key);
                let (target, form) = (edited.target, edited.target.navm.form_id());
                let mut told = false;
                for deed in &mut self.deeds {
                    if deed.plugin == target.plugin && deed.form == form && deed.left.is_none() {
                        deed.left = Some(why.clone());
                        told = true;
                    }
                }
                // Others only follow the meshes that are repaired.
                if !told && self.options.repairs.is_empty() {
                    let said = Said {
                        repair: Repair::Mesh,
                        what: "an override in the patch".to_owned(),
                        before: "not in the patch".to_owned(),
                        after: String::new(),
                    };
                    self.note(&target, said, Some(why));
                }
            }
        }
    }

    /// How many fields of cells and worldspaces are carried into the patch as they are, since they are not known and need
    /// no change.
    pub fn carried(&self) -> u64 {
        self.carried
    }

    /// The repaired meshes that a patch of them all could not hold.
    fn cannot_go(&mut self) -> Stays {
        let spaces = self.spaces();
        let met = |_: Key| Some(FormId::NULL);
        let (mut stays, mut within) = (Stays::new(), BTreeMap::<Key, Vec<Key>>::new());
        for (key, edited) in &self.world.edited {
            let record = self.head(*key, edited, &met).and_then(|_| self.record_data(edited, met));
            match record.and_then(|_| self.stands_in(edited)) {
                Ok((cell, square)) => {
                    let world = square.map(|(world, ..)| world);
                    for space in [Some(cell), world].into_iter().flatten() {
                        within.entry(space).or_default().push(*key);
                    }
                }
                Err(error) => _ = stays.insert(*key, error.to_string()),
            }
        }
        let refuse = |stays: &mut Stays, meshes: &[Key], why: String| {
            meshes.iter().for_each(|key| _ = stays.entry(*key).or_insert_with(|| why.clone()));
        };
        for (space, meshes) in &within {
            if let Err(error) = self.space(&spaces, *space, &met, true) {
                refuse(&mut stays, meshes, error.to_string());
            }
        }
        if !stays.is_empty() {
            return stays;
        }
        let Some(like) = self.like() else { return stays };
        let Ok(masters) = self.masters(like) else { return stays };
        let (local, mut carried) = (numbered(&masters), 0_u64);
        for (space, meshes) in &within {
            match self.space(&spaces, *space, &local, false) {
                Ok((_, _, fields)) => carried = carried.saturating_add(fields),
                Err(error) => refuse(&mut stays, meshes, error.to_string()),
            }
        }
        self.carried = carried;
        stays
    }

    /// The same, and the repaired meshes that are linked to one of them.
    fn with_linked(&self, mut stays: Stays) -> Stays {
        let linked = |key: &Key| {
            let mesh = self.world.edited.get(key).map(|edited| &edited.mesh);
            let links = mesh.into_iter().flat_map(|mesh| &mesh.links);
            links.filter_map(|link| self.world.names.key(link.navmesh)).collect::<Vec<Key>>()
        };
        let mut joined: BTreeMap<Key, Vec<Key>> = BTreeMap::new();
        for key in self.world.edited.keys() {
            for other in linked(key).into_iter().filter(|other| self.world.edited.contains_key(other)) {
                joined.entry(*key).or_default().push(other);
                joined.entry(other).or_default().push(*key);
            }
        }
        let mut next: Vec<Key> = stays.keys().copied().collect();
        while let Some(key) = next.pop() {
            for other in joined.get(&key).into_iter().flatten() {
                if !stays.contains_key(other) {
                    let why = format!("it is linked to {}, which is left", self.world.called(key));
                    stays.insert(*other, why);
                    next.push(*other);
                }
            }
        }
        stays
    }
}
