//! Doors and meshes of different plugins: the last record of a door and the last version of a mesh are what the game uses.

use super::doors::{Around, Listed, Odd, Seen, Wrong};
use super::plan::FixPlan;
use crate::walk::Record;
use navmap_core::bytes::Scratch;
use std::collections::{BTreeSet, HashSet};

impl FixPlan<'_, '_> {
    /// The doors whose record that the game uses, and the mesh of another plugin, do not name each other.
    pub(super) fn odd_across(&self, listed: &[Listed]) -> Vec<Odd> {
        // One plugin alone is compared with itself.
        if self.world.order.len() < 2 {
            return Vec::new();
        }
        let touches = |plugin: usize| self.options.touches(plugin);
        let around = self.around(listed);
        let odd = self.winning_doors(&around).into_iter().filter_map(|seen| around.across(&seen));
        odd.filter(|odd| touches(odd.plugin) || touches(odd.home)).collect()
    }

    /// Tells of the doors that stand elsewhere on meshes of a patch than on the versions that win without it, and whose records do not
    /// say so: a patch cannot override these.
    pub(super) fn doors_of_patch(&mut self) {
        let mut moved = HashSet::new();
        for (mesh, edited) in &self.world.edited {
            let stored = self.world.rows.get(*mesh).map_or(&[][..], |row| &row.doors);
            let home = edited.target.plugin;
            let key = |door| self.world.order.key(home, door);
            let was: BTreeSet<_> = stored.iter().filter_map(|(at, door)| Some((key(*door)?, *at))).collect();
            let doors = edited.mesh.doors.iter();
            let is: BTreeSet<_> = doors
                .filter_map(|door| Some((self.world.names.key(door.reference)?, door.triangle)))
                .collect();
            moved.extend(was.symmetric_difference(&is).map(|(door, _)| *door));
        }
        if moved.is_empty() {
            return;
        }
        let listed = self.listed_doors();
        let around = self.around(&listed);
        let seen = self.winning_doors(&around).into_iter().filter(|seen| moved.contains(&seen.door));
        let odd = seen.filter_map(|seen| match around.listed(seen.door) {
            [] => around.unlisted(&seen),
            listed => around.compare(&seen, listed),
        });
        for odd in odd.collect::<Vec<_>>() {
            if let Some(version) = self.world.winner(odd.mesh) {
                let place = self.world.place(&version);
                self.note_door(&version, place, &odd, Err("a patch cannot override doors".to_owned()));
            }
        }
    }

    /// The record of each door that the game uses: of the last plugin that has one the first. Only of doors that a mesh lists, and of
    /// those whose record names a mesh.
    fn winning_doors(&self, around: &Around<'_, '_>) -> Vec<Seen> {
        let all: BTreeSet<usize> = (0..self.world.order.len()).collect();
        let look = |plugin: usize, record: &Record<'_>, scratch: &mut Scratch| {
            let seen = around.seen(plugin, record, scratch)?;
            let matters = seen.named.is_some() || !around.listed(seen.door).is_empty();
            // One that overrides another may name nothing any more.
            (matters || !seen.door.is_of(plugin)).then_some(seen)
        };
        let mut seen = self.look_at_doors(all, look);
        // Stable: of two records of a plugin the first stays first.
        seen.sort_by_key(|seen| (seen.door, std::cmp::Reverse(seen.plugin)));
        seen.dedup_by_key(|seen| seen.door);
        seen
    }

    /// Whether a repair of one plugin can let a door and a mesh name each other.
    ///
    /// # Errors
    /// The reason why it cannot: the record of the door and the mesh are in different plugins.
    pub(super) fn reaches(&self, odd: &Odd) -> Result<(), String> {
        if odd.plugin == odd.home {
            return Ok(());
        }
        let [file, other] = [odd.plugin, odd.home].map(|plugin| self.world.file_name(plugin));
        if odd.wrong == Wrong::Unlisted {
            return Err(format!("its record is in {file}, and {other} may number the triangles otherwise"));
        }
        // The doors of a plugin are right for the meshes that load with it.
        if odd.plugin < odd.home {
            return Err(format!("its record is in {file}, which loads before {other}"));
        }
        if !self.options.touches(odd.plugin) {
            return Err(format!("its record is in {file}, which is not to be changed"));
        }
        match self.world.order.local(odd.plugin, odd.mesh) {
            Some(_) => Ok(()),
            None => {
                Err(format!("its record is in {file}, which cannot name {}", self.world.called(odd.mesh)))
            }
        }
    }
}

impl Around<'_, '_> {
    /// Compares a door with meshes of other plugins, if none of its own lists it.
    fn across(&self, seen: &Seen) -> Option<Odd> {
        let listed = self.listed(seen.door);
        let is_own = |(_, home, ..): &Listed| *home as usize == seen.plugin;
        if self.seats.contains_key(&(seen.plugin, seen.door)) || listed.iter().any(is_own) {
            return None;
        }
        match listed {
            [] => self.unlisted(seen).filter(|odd| odd.home != odd.plugin),
            listed => self.compare(seen, listed),
        }
    }
}
