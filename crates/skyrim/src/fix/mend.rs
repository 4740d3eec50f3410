//! Repairs within single meshes: deleted, unreadable and broken ones.

use super::deed::{FLAT, MENDED, Repair, UNWRITABLE};
use super::plan::{FixPlan, Said};
use super::rows::{Holds, Version};
use super::still::{answer_neighbours, codes_of};
use super::stub::{BELOW, Doors};
use super::world::Edited;
use crate::buf::NavMeshBuf;
use crate::change::doubled_area;
use crate::check::links::Key;
use crate::flags::{MapFlags, RecordFlags, TriangleFlags};
use crate::form::FormId;
use crate::mapbuf::MapEntryBuf;
use crate::record::Edge;
use navmap_core::text::counted;

impl<'a> FixPlan<'_, 'a> {
    fn holding(&self, wanted: impl Fn(Holds) -> bool) -> Vec<(Key, Version<'a>)> {
        let rows = &self.world.rows;
        let rows = rows.iter().filter(|(_, row)| row.holds.is_some_and(&wanted));
        let winners = rows.filter_map(|(key, row)| Some((key, *self.world.rows.versions_of(row).last()?)));
        winners.filter(|(_, version)| self.options.touches(version.plugin)).collect()
    }

    /// Restores deleted meshes far below the ground: with every index that others use, or as one triangle that nothing leads to.
    pub(super) fn undelete(&mut self) {
        let doors = if self.options.stub { self.doors_of_deleted() } else { Doors::new() };
        for (key, target) in self.holding(|holds| holds == Holds::Deleted) {
            if !target.navm.is_deleted() {
                continue;
            }
            let own = key.is_of(target.plugin);
            let said = |what: String, after: String| Said {
                repair: Repair::Undelete,
                what,
                before: "deleted".to_owned(),
                after,
            };
            if own {
                let left = self.options.patch.then(|| "a patch cannot remove a record".to_owned());
                if left.is_none() {
                    self.removed.push(target);
                }
                self.note(&target, said("deleted mesh of its own".into(), "no record".into()), left);
                continue;
            }
            let what = match self.replacement(&target) {
                Some(form) => format!("deleted navmesh; {form} of the same cell may replace it"),
                None => "deleted navmesh".to_owned(),
            };
            let earlier: Vec<Version<'a>> = self.world.rows.versions(key).to_vec();
            let found = earlier.iter().rev().skip(1).find_map(|version| {
                let mesh = self.world.read(version, false).ok()?;
                Some((*version, mesh))
            });
            let Some((source, mut mesh)) = found else {
                let file = self.world.order.file_name(key.file).unwrap_or_default();
                let why = match self.world.order.has(key) {
                    true => format!("no plugin before it has a mesh that can be read, {file} included"),
                    false => format!("its geometry is in {file}, which is not in the load order"),
                };
                self.note(&target, said(what, String::new()), Some(why));
                continue;
            };
            let after = if self.options.stub {
                match self.stub(key, &target, &source, &mesh, &doors) {
                    Ok((stub, after)) => {
                        mesh = stub;
                        after
                    }
                    Err(why) => {
                        self.note(&target, said(what, String::new()), Some(why));
                        continue;
                    }
                }
            } else {
                let all = (0_u16..).zip(&mesh.triangles).map(|(index, _)| index).collect();
                // Only a height beyond the largest number could not go down, and it stays.
                let _ = mesh.shift([0.0, 0.0, -BELOW], &all);
                let name = self.world.file_name(source.plugin);
                let triangles = counted(mesh.triangles.len() as u64, "triangle", "triangles");
                format!("the {triangles} of {name}, {BELOW} units down")
            };
            let flags = RecordFlags(source.navm.header().flags().0 & !RecordFlags::DELETED.0);
            let home = target.plugin;
            let edited = Edited { target, source, home, flags, mesh, before: None, written_anew: true };
            self.world.edited.insert(key, edited);
            self.world.changed(key);
            self.undeleted.insert(key);
            self.note(&target, said(what, after), None);
        }
    }

    /// Reports a plugin's own meshes without links and doors, unless their entry is that of an island.
    pub(super) fn unused(&mut self) {
        let rows = self.world.rows.iter();
        let alone = rows.filter(|(_, row)| matches!(row.holds, Some(Holds::Triangles(_))));
        let alone =
            alone.filter(|(key, row)| row.ways.is_empty() && self.world.doors_of(*key, row).next().is_none());
        let keys: Vec<Key> = alone.map(|(key, _)| key).collect();
        for key in keys {
            let Some(target) = self.world.winner(key) else { continue };
            let own = key.is_of(target.plugin);
            let is_island = |(_, entry): (usize, MapEntryBuf)| entry.flags.contains(MapFlags::ISLAND);
            if !own || !self.options.touches(target.plugin) || self.world.entry(key).is_some_and(is_island) {
                continue;
            }
            let said = Said {
                repair: Repair::Unused,
                what: "nothing leads to it".to_owned(),
                before: "no links, no doors, no island".to_owned(),
                after: String::new(),
            };
            self.note(&target, said, Some("it may be meant to stand alone".to_owned()));
        }
    }

    /// A live mesh that the plugin itself adds to the cell.
    fn replacement(&self, deleted: &Version<'a>) -> Option<FormId> {
        let own = u32::try_from(deleted.plugin).ok()?;
        let rows = &self.world.rows;
        let owners = self.world.order.owners(deleted.plugin);
        let cell = |version: &Version<'_>| version.navm.cell().map(|cell| owners.canonical(cell));
        rows.iter().filter(|(key, _)| key.file == own).find_map(|(_, row)| {
            let version = rows.versions_of(row).iter().find(|version| version.plugin == deleted.plugin)?;
            let lives = matches!(row.holds, Some(Holds::Triangles(_)));
            (lives && cell(version) == cell(deleted)).then(|| version.navm.form_id())
        })
    }

    /// Restores the counts of empty lists.
    pub(super) fn counts(&mut self) {
        for (key, target) in self.holding(|holds| matches!(holds, Holds::Damage(_))) {
            let said = |after: String| Said {
                repair: Repair::Counts,
                what: "counts of empty lists are missing".to_owned(),
                before: "cannot be read".to_owned(),
                after,
            };
            if self.world.rows.get(key).and_then(|row| row.holds) != Some(Holds::Damage(true)) {
                let why = match self.world.read(&target, false) {
                    Err(error) => error.to_string(),
                    Ok(_) => "it is damaged otherwise".to_owned(),
                };
                let said = Said { what: "damaged navmesh".to_owned(), ..said(String::new()) };
                self.note(&target, said, Some(why));
                continue;
            }
            let Ok(mesh) = self.world.read(&target, true) else { continue };
            // The guess is right if it agrees with the values derived from the rest.
            let mut settled = mesh.clone();
            settled.settle_all();
            let agrees = settled.cover == mesh.cover
                && (settled.grid.divisor, settled.grid.cell) == (mesh.grid.divisor, mesh.grid.cell);
            if !agrees {
                let why = "what reads with the counts contradicts itself".to_owned();
                self.note(&target, said(String::new()), Some(why));
                continue;
            }
            let triangles = counted(mesh.triangles.len() as u64, "triangle", "triangles");
            let flags = target.navm.header().flags();
            let home = target.plugin;
            let edited =
                Edited { target, source: target, home, flags, mesh, before: None, written_anew: true };
            self.world.edited.insert(key, edited);
            self.world.changed(key);
            self.note(&target, said(format!("{triangles}, with every count")), None);
        }
    }

    /// Repairs meshes with internal errors.
    pub(super) fn meshes(&mut self) {
        let mut broken = self.broken();
        // What follows from the places of a mesh that went down is not wrong with it.
        for key in &self.undeleted {
            let before = self.world.before(*key);
            if let Some((edited, before)) = self.world.edited.get_mut(key).zip(before) {
                edited.mesh.settle_as(&before, self.options.geometric_grid);
            }
        }
        // A mesh that is back could not be looked at before.
        let restored = self.world.edited.iter();
        broken.extend(restored.filter_map(|(key, edited)| Some((*key, codes_of(&edited.mesh)?))));
        for (key, codes) in broken {
            let Some(target) = self.world.winner(key) else { continue };
            if !self.options.touches(target.plugin) {
                continue;
            }
            let unwritable = UNWRITABLE.iter().any(|code| codes.contains(code));
            if unwritable || !MENDED.iter().any(|code| codes.contains(code)) {
                continue;
            }
            let geometric = self.options.geometric_grid;
            let is_undeleted = self.undeleted.contains(&key);
            let Ok(edited) = self.world.edit(key) else { continue };
            let mut done = mend(&mut edited.mesh);
            if codes.iter().any(|code| code.starts_with("grid-") || *code == "cover-list") {
                edited.mesh.settle_all_as(geometric);
                // The geometry of an island goes down with a mesh that was deleted, from where its source has it.
                if !is_undeleted {
                    edited.before = Some(Box::new(edited.mesh.without_lists()));
                }
                edited.written_anew = true;
                done.push((
                    "grid or cover list differ from the geometry".into(),
                    "stale",
                    "as the geometry gives",
                ));
            }
            self.world.changed(key);
            for (what, before, after) in done {
                let said =
                    Said { repair: Repair::Mesh, what, before: before.to_owned(), after: after.to_owned() };
                self.note(&target, said, None);
            }
            // Every index of a mesh that was deleted stays good.
            if codes.contains(FLAT) && !is_undeleted {
                self.delete_flat(key, &target);
            }
        }
    }
}

/// Repairs errors within one mesh, except for triangles that have to be deleted. Returns for each what, old and new.
fn mend(mesh: &mut NavMeshBuf) -> Vec<(String, &'static str, &'static str)> {
    let mut done = Vec::new();
    let (triangles, links) = (mesh.triangles.len(), mesh.links.len());
    let mut nowhere = 0_u64;
    for triangle in &mut mesh.triangles {
        for (at, edge) in triangle.edges().into_iter().enumerate() {
            let exists = match edge {
                Edge::Border => true,
                Edge::Neighbour(index) => usize::from(index) < triangles,
                Edge::Link(index) => usize::from(index) < links,
            };
            if !exists {
                triangle.set_edge(at, Edge::Border);
                nowhere = nowhere.saturating_add(1);
            }
        }
    }
    if nowhere > 0 {
        let what = format!("{} lead nowhere", counted(nowhere, "edge", "edges"));
        done.push((what, "out of range", "borders"));
    }
    let down: Vec<u16> = (0_u16..)
        .zip(&mesh.triangles)
        .filter(|(_, triangle)| doubled_area(mesh.corners(triangle)) < 0.0)
        .map(|(index, _)| index)
        .collect();
    if !down.is_empty() {
        let lost = down.iter().filter(|index| mesh.flip(**index)).count();
        let what = format!("{} face down", counted(down.len() as u64, "triangle", "triangles"));
        let after = if lost > 0 {
            "turned over; cover of an edge that can carry none is gone"
        } else {
            "turned over"
        };
        done.push((what, "clockwise", after));
    }
    let (answered, borders) = answer_neighbours(mesh);
    let one_way = |count| format!("{} without a way back", counted(count, "neighbour", "neighbours"));
    if answered > 0 {
        done.push((one_way(answered), "one way", "the other triangle points back"));
    }
    if borders > 0 {
        done.push((one_way(borders), "one way", "borders, as the other triangle has no free edge there"));
    }
    let (dropped, added) = mesh.compact_links();
    if dropped > 0 {
        done.push((
            format!("{} that no edge names", counted(dropped as u64, "link", "links")),
            "unused",
            "gone",
        ));
    }
    if added > 0 {
        done.push((
            format!("{} that share a link", counted(added as u64, "edge", "edges")),
            "shared",
            "one each",
        ));
    }
    let doors = mesh.doors.len();
    mesh.doors.retain(|door| usize::from(door.triangle) < triangles);
    if mesh.doors.len() < doors {
        let gone = doors.saturating_sub(mesh.doors.len()) as u64;
        done.push((format!("{} on no triangle", counted(gone, "door", "doors")), "out of range", "gone"));
    }
    let mut flagged = 0_u64;
    for door in &mesh.doors {
        if let Some(triangle) = mesh.triangles.get_mut(usize::from(door.triangle))
            && !triangle.flags.contains(TriangleFlags::DOOR)
        {
            triangle.flags = triangle.flags | TriangleFlags::DOOR;
            flagged = flagged.saturating_add(1);
        }
    }
    if flagged > 0 {
        let what = format!("{} under doors", counted(flagged, "triangle", "triangles"));
        done.push((what, "without the door flag", "with it"));
    }
    done
}
