//! Removes records identical to an earlier plugin's.

use super::deed::Repair;
use super::output::other_fields;
use super::plan::{FixPlan, Said};
use super::rows::Version;
use crate::buf::NavMeshBuf;
use crate::check::links::Key;
use crate::flags::RecordFlags;
use crate::form::Tag;

impl<'a> FixPlan<'_, 'a> {
    /// Removes overrides identical to the last version among their plugin's masters. Compared are flags except compression, and every
    /// inflated field, links included, with FormIDs resolved through the masters of both plugins. Stored bytes, time stamps and
    /// version control are ignored.
    pub(super) fn identical(&mut self) {
        let overridden: Vec<(Key, Vec<Version<'a>>)> = self
            .world
            .rows
            .all_versions()
            .filter(|(_, versions)| versions.len() > 1)
            .map(|(key, versions)| (key, versions.to_vec()))
            .collect();
        for (key, versions) in overridden {
            // Overrides that load before the file of the mesh change nothing.
            let own = versions.iter().position(|version| key.is_of(version.plugin));
            let Some(versions) = own.and_then(|own| versions.get(own..)) else { continue };
            for (at, version) in versions.iter().enumerate().skip(1) {
                if self.options.touches(version.plugin) && !self.world.edited.contains_key(&key) {
                    self.compare_override(version, versions.get(..at).unwrap_or_default());
                }
            }
        }
    }

    /// Compares an override with the versions before it, of which the first is that of the mesh's own file.
    fn compare_override(&mut self, version: &Version<'a>, earlier: &[Version<'a>]) {
        let is_master = |other: &&Version<'_>| self.world.order.has_master(version.plugin, other.plugin);
        let (Some(origin), Some(before)) = (earlier.first(), earlier.last()) else { return };
        let master = earlier.iter().rfind(is_master).unwrap_or(origin);
        let [of_origin, of_master, of_before] =
            [origin, master, before].map(|version| self.world.file_name(version.plugin));
        let said = |what: String, after: &str| Said {
            repair: Repair::Identical,
            what,
            before: "override".to_owned(),
            after: after.to_owned(),
        };
        let as_before = self.same(before, version);
        let as_master = if master.plugin == before.plugin { as_before } else { self.same(master, version) };
        match (as_master, as_before) {
            (Same::Whole, Same::Whole) => {
                let left = self.options.patch.then(|| "a patch cannot remove a record".to_owned());
                if left.is_none() {
                    self.removed.push(*version);
                }
                self.note(version, said(format!("identical to {of_master}"), "no record"), left);
            }
            (Same::Nearly, Same::Nearly) => {
                let why = "only vertices by less than 0.01, or lists of the grid, differ";
                let what = format!("nearly identical to {of_master}");
                self.note(version, said(what, ""), Some(why.to_owned()));
            }
            // The plugin between may be gone tomorrow, and then the record is needed.
            (_, Same::Whole) => {
                let why = format!("{of_before} is none of its masters");
                self.note(version, said(format!("identical to {of_before}"), ""), Some(why));
                self.last_is_remark();
            }
            (Same::Whole, _) => {
                let why = format!("restores the master's version over {of_before}");
                self.note(version, said(format!("identical to {of_master}"), ""), Some(why));
            }
            _ if master.plugin != origin.plugin && self.same(origin, version) == Same::Whole => {
                let why = format!("restores the master's version over {of_before}");
                self.note(version, said(format!("identical to {of_origin}"), ""), Some(why));
            }
            _ => {}
        }
    }

    fn same(&mut self, a: &Version<'a>, b: &Version<'a>) -> Same {
        let flags = |version: &Version<'_>| version.navm.header().flags().0 & !RecordFlags::COMPRESSED.0;
        if flags(a) != flags(b) || a.navm.is_deleted() {
            return Same::No;
        }
        let (Ok(one), Ok(two)) = (self.world.read(a, false), self.world.read(b, false)) else {
            return Same::No;
        };
        let (Ok(left), Ok(right)) = (self.others(a), self.others(b)) else { return Same::No };
        if left != right {
            return Same::No;
        }
        if one == two {
            Same::Whole
        } else if nearly(&one, &two) {
            Same::Nearly
        } else {
            Same::No
        }
    }

    /// The fields besides the mesh, with FormIDs of the names.
    fn others(&mut self, version: &Version<'a>) -> Result<Vec<(Tag, Vec<u8>)>, String> {
        let (order, names) = (self.world.order, &mut self.world.names);
        other_fields(version, |form| Some(names.global(order, version.plugin, form)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Same {
    Whole,
    Nearly,
    No,
}

/// Whether meshes differ only in the last digits of vertices and values derived from them.
fn nearly(a: &NavMeshBuf, b: &NavMeshBuf) -> bool {
    if a.vertices.len() != b.vertices.len() {
        return false;
    }
    let close = |(a, b): (&[f32; 3], &[f32; 3])| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.01);
    let near = a.vertices.iter().zip(&b.vertices).all(close);
    let mut same = b.clone();
    same.vertices.clone_from(&a.vertices);
    same.grid.clone_from(&a.grid);
    near && same == *a
}
