//! Replaces a deleted mesh by one triangle far below, once nothing leads to it.

use super::plan::{FixPlan, Seat};
use super::rows::{Holds, Version};
use crate::buf::{NavMeshBuf, TriangleBuf};
use crate::check::links::Key;
use crate::fields::exactly;
use crate::form::{FormId, Tag};
use crate::precut::MNAM;
use crate::record::Xndp;
use crate::walk::Wanted;
use navmap_core::bytes::Scratch;
use navmap_core::text::counted;
use std::collections::BTreeMap;

/// How far below the ground a restored mesh is put, as in guides to cleaning plugins.
pub(super) const BELOW: f32 = 30_000.0;
/// The length of the single triangle's sides, in game units.
const SIDE: f32 = 64.0;

/// Why triangles with a pre-cut map keep their numbers.
pub(super) const PRECUT: &str = "its pre-cut map names triangles";

/// Whether the record of a mesh names triangles that objects cut.
pub(super) fn has_precut(version: &Version<'_>) -> bool {
    let mut scratch = Scratch::new();
    let Ok(mut fields) = version.navm.record().fields(&mut scratch) else { return false };
    fields.find_tag(MNAM).is_ok_and(|map| map.is_some_and(|map| !map.data.is_empty()))
}

/// Doors by the mesh they name: the plugin, and the FormID there.
pub(super) type Doors = BTreeMap<Key, Vec<(usize, FormId)>>;

impl NavMeshBuf {
    /// A copy with a single triangle: at the mean of the vertices in x and y, `side` long along both, and `below` under zero,
    /// with nothing above it. Links, doors and cover are dropped; the owner of the mesh stays.
    pub fn stub(&self, side: f32, below: f32) -> Self {
        let [x, y, _] = self.center();
        let mut mesh = self.clone();
        mesh.vertices = vec![[x, y, -below], [x + side, y, -below], [x, y + side, -below]];
        mesh.marks = vec![0; if self.marks.is_empty() { 0 } else { 3 }];
        mesh.triangles = vec![TriangleBuf::new([0, 1, 2], mesh.is_tall())];
        mesh.clear_of_triangles();
        mesh.settle_all();
        mesh
    }
}

impl<'a> FixPlan<'_, 'a> {
    /// The doors that name a deleted mesh, over all plugins: one walk over placed references.
    pub(super) fn doors_of_deleted(&self) -> Doors {
        let (order, rows) = (self.world.order, &self.world.rows);
        let mut doors = Doors::new();
        let mut scratch = Scratch::new();
        for (index, plugin) in (0..order.len()).filter_map(|index| Some((index, order.get(index)?.1))) {
            for record in plugin.walk(Wanted::DOORS).flatten().filter(|record| !record.is_deleted()) {
                let Ok(Ok(Some(field))) = record.fields(&mut scratch).map(|mut f| f.find_tag(Tag(*b"XNDP")))
                else {
                    continue;
                };
                let key = exactly::<Xndp>(&field, "XNDP").ok().and_then(|x| order.key(index, x.navmesh()));
                let deleted = |key: &Key| rows.get(*key).is_some_and(|row| row.holds == Some(Holds::Deleted));
                if let Some(key) = key.filter(deleted) {
                    doors.entry(key).or_default().push((index, record.form_id()));
                }
            }
        }
        doors
    }

    /// A mesh as one triangle, once nothing leads to it, and a description.
    ///
    /// # Errors
    /// The thing that leads to it and cannot be removed. Nothing is changed then.
    pub(super) fn stub(
        &mut self,
        key: Key,
        target: &Version<'a>,
        source: &Version<'a>,
        mesh: &NavMeshBuf,
        doors: &Doors,
    ) -> Result<(NavMeshBuf, String), String> {
        let doors = doors.get(&key).map_or(&[][..], Vec::as_slice);
        let mut kept = Vec::new();
        if has_precut(source) {
            kept.push(PRECUT.to_owned());
        }
        for (plugin, door) in doors {
            let file = self.world.file_name(*plugin);
            if self.options.patch {
                kept.push(format!("door {door} of {file}: a patch cannot override doors"));
            } else if !self.options.touches(*plugin) {
                kept.push(format!("door {door} of {file}, which is not to be changed"));
            }
        }
        let ways = self.world.rows.all_ways().filter(|way| way.target == key && way.owner != key);
        let mut sources: Vec<Key> = ways.map(|way| way.owner).collect();
        sources.dedup();
        let mut homes = Vec::new();
        for source in sources {
            match self.home(source, target.plugin) {
                Ok(home) => homes.push((source, home)),
                Err(why) => kept.push(format!("links of {}: {why}", self.world.called(source))),
            }
        }
        if !kept.is_empty() {
            return Err(format!("what leads to it cannot be removed: {}", kept.join("; ")));
        }
        let own = self.world.names.number(key);
        let mut links = 0_usize;
        for (source, home) in homes {
            let edited = self.world.edit(source).map_err(|error| error.to_string())?;
            edited.home = home;
            let edges = edited.mesh.linked_edges().filter(|(_, _, link)| link.navmesh == own);
            let edges: Vec<(u16, u8)> = edges.map(|(triangle, edge, _)| (triangle, edge)).collect();
            links = links.saturating_add(edges.len());
            edges.into_iter().for_each(|(triangle, edge)| edited.mesh.unlink(triangle, edge));
            self.world.changed(source);
        }
        let order = self.world.order;
        let keys = doors.iter().filter_map(|(plugin, door)| Some((*plugin, order.key(*plugin, *door)?)));
        self.doors.extend(keys.map(|door| (door, Seat { mesh: key, triangle: None })));
        let gone = [counted(links as u64, "link", "links"), counted(doors.len() as u64, "door", "doors")]
            .join(" and ");
        let said = format!("one triangle, {BELOW} units down; {gone} lead to it no longer");
        Ok((mesh.stub(SIDE, BELOW), said))
    }
}
