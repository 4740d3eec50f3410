//! Deletes triangles without area, and lets everything follow that names triangles by their numbers.

use super::deed::{FLAT, Repair};
use super::plan::{FixPlan, Said, Seat, Seats};
use super::rows::{Version, Way};
use super::stub::{PRECUT, has_precut};
use crate::buf::NavMeshBuf;
use crate::change::TriangleMap;
use crate::check::links::Key;
use crate::form::FormId;
use crate::walk::Record;
use navmap_core::bytes::Scratch;
use navmap_core::text::counted;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The most triangles that are named where several are left.
const MOST_NAMED: usize = 8;

impl<'a> FixPlan<'_, 'a> {
    pub(super) fn delete_flat(&mut self, key: Key, target: &Version<'a>) {
        let Ok(edited) = self.world.edit(key) else { return };
        let precut = has_precut(&edited.source);
        let mut mesh = edited.mesh.clone();
        let before = mesh.triangles.len();
        let mut dead = mesh.flat_triangles();
        let torn = mesh.join_over(&dead);
        dead.retain(|index| !torn.contains(index));
        let left = |what: String| Said {
            repair: Repair::Mesh,
            what: FLAT.to_owned(),
            before: what,
            after: String::new(),
        };
        if !torn.is_empty() {
            let which = torn.iter().take(MOST_NAMED).map(u16::to_string);
            let more = torn.len().checked_sub(MOST_NAMED).filter(|more| *more > 0);
            let which: Vec<_> = which.chain(more.map(|more| format!("{more} more"))).collect();
            let word = if torn.len() == 1 { "triangle" } else { "triangles" };
            let what = format!("{word} {} without area", which.join(", "));
            let why = "a way leads through, and without two corners at one place there is nothing to join";
            self.note(target, left(what), Some(why.to_owned()));
        }
        if dead.is_empty() {
            return;
        }
        let what = format!("{} without area", counted(dead.len() as u64, "triangle", "triangles"));
        let fared = match precut {
            true => Err(PRECUT.to_owned()),
            false => self.renumber_without(key, target, &mut mesh, &dead),
        };
        match fared {
            Ok(map) => {
                self.moved.insert(key, map);
                let after = format!("{} triangles; links and doors follow", mesh.triangles.len());
                if let Some(edited) = self.world.edited.get_mut(&key) {
                    edited.mesh = mesh;
                }
                self.world.changed(key);
                let before = format!("{before} triangles");
                self.note(target, Said { repair: Repair::Mesh, what, before, after }, None);
            }
            Err(why) => self.note(target, left(what), Some(why)),
        }
    }

    /// Deletes triangles of a copy of a mesh. What else names triangles of the mesh follows.
    ///
    /// # Errors
    /// What names them and cannot follow, or may name them and is not known. Nothing has changed then but the copy.
    fn renumber_without(
        &mut self,
        key: Key,
        target: &Version<'a>,
        mesh: &mut NavMeshBuf,
        dead: &BTreeSet<u16>,
    ) -> Result<TriangleMap, String> {
        let doors = mesh.doors.clone();
        let map = mesh.delete_triangles(dead).map_err(|error| error.to_string())?;
        if let Some(outside) = self.named_from_outside(key, &map) {
            let file = self.world.order.file_name(outside.file).unwrap_or_default();
            return Err(format!(
                "navmeshes of {file}, which is not in the load order, may name its triangles by number"
            ));
        }
        let own = self.world.names.number(key);
        lead_on(mesh, own, &map)?;
        let moved: Vec<_> = doors
            .iter()
            .filter_map(|door| {
                let now = map.get(usize::from(door.triangle)).copied().flatten();
                (now != Some(door.triangle)).then_some((door.reference, now))
            })
            .collect();
        let seats = self.door_targets(key, target, &moved)?;
        self.follow(key, target, &map)?;
        self.doors.extend(seats);
        Ok(map)
    }

    /// A mesh of a file that is not in the load order, of which nothing is known but that it may name triangles with new numbers:
    /// any mesh of the file that brings this one, or one that a link from such a triangle leads to.
    fn named_from_outside(&self, key: Key, map: &TriangleMap) -> Option<Key> {
        let (order, rows) = (self.world.order, &self.world.rows);
        if !order.has(key) {
            return Some(key);
        }
        let moves = |way: &Way| map.get(usize::from(way.triangle)) != Some(&Some(way.triangle));
        let unknown = |mesh: &Key| !order.has(*mesh) && rows.get(*mesh).is_none();
        rows.ways(key).filter(moves).map(|way| way.target).find(unknown)
    }

    /// The new triangles of doors that belong to the same plugin.
    fn door_targets(
        &self,
        mesh: Key,
        target: &Version<'a>,
        moved: &[(FormId, Option<u16>)],
    ) -> Result<Seats, String> {
        if moved.is_empty() {
            return Ok(Seats::new());
        }
        if self.options.patch {
            return Err("its doors name triangles by number, and a patch cannot override doors".to_owned());
        }
        let mut follow = Seats::new();
        for (door, now) in moved {
            let Some(now) = now else {
                return Err("a door stands on one of them".to_owned());
            };
            let key = self.world.names.key(*door);
            let Some(key) = key.filter(|key| self.door_home(*key) == Some(target.plugin)) else {
                return Err("its doors name triangles by number, and another plugin has them".to_owned());
            };
            follow.insert((target.plugin, key), Seat { mesh, triangle: Some(*now) });
        }
        Ok(follow)
    }

    /// The last plugin that has a record of a door that a mesh lists. The first question looks at the doors of all plugins.
    fn door_home(&self, door: Key) -> Option<usize> {
        let homes = self.door_homes.get_or_init(|| {
            let order = self.world.order;
            let listed: HashSet<Key> = self.listed_doors().into_iter().map(|(door, ..)| door).collect();
            let look = |plugin: usize, record: &Record<'a>, _: &mut Scratch| {
                let door = order.key(plugin, record.form_id()).filter(|door| listed.contains(door))?;
                Some((door, plugin))
            };
            // In the order of plugins: the last one wins.
            let homes: HashMap<Key, usize> =
                self.look_at_doors((0..order.len()).collect(), look).into_iter().collect();
            homes
        });
        homes.get(&door).copied()
    }

    /// Updates the links of other meshes after the triangles of one were renumbered: of all, or if one cannot follow, of none.
    fn follow(&mut self, key: Key, moved: &Version<'a>, map: &TriangleMap) -> Result<(), String> {
        let mut sources: Vec<Key> = self
            .world
            .rows
            .all_ways()
            .filter(|way| way.target == key && way.owner != key)
            .filter(|way| {
                map.get(usize::from(way.target_triangle)).is_some_and(|to| *to != Some(way.target_triangle))
            })
            .map(|way| way.owner)
            .collect();
        sources.dedup();
        let mut homes = Vec::new();
        for source in &sources {
            let why = |why| format!("meshes of other plugins link to it by number: {why}");
            homes.push(self.home(*source, moved.plugin).map_err(why)?);
        }
        let own = self.world.names.number(key);
        let mut led = Vec::with_capacity(homes.len());
        for (source, home) in sources.into_iter().zip(homes) {
            let mut mesh = self.world.edit(source).map_err(|error| error.to_string())?.mesh.clone();
            lead_on(&mut mesh, own, map)?;
            led.push((source, home, mesh));
        }
        for (source, home, mesh) in led {
            let Some(edited) = self.world.edited.get_mut(&source) else { continue };
            (edited.home, edited.mesh) = (home, mesh);
            self.world.changed(source);
        }
        Ok(())
    }
}

/// Leads the links of a mesh to mesh `own` on to the triangles that have new numbers there. Those to deleted ones go.
fn lead_on(mesh: &mut NavMeshBuf, own: FormId, map: &TriangleMap) -> Result<(), String> {
    let links: Vec<_> = mesh.linked_edges().filter(|(_, _, link)| link.navmesh == own).collect();
    for (triangle, edge, mut link) in links {
        match map.get(usize::from(link.triangle)).copied() {
            Some(Some(now)) => {
                link.triangle = now;
                mesh.set_link(triangle, edge, link).map_err(|error| error.to_string())?;
            }
            Some(None) => mesh.unlink(triangle, edge),
            // It pointed nowhere before.
            None => {}
        }
    }
    Ok(())
}
