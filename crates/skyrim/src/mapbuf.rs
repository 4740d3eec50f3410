//! An owned entry of the navmesh info map that can be changed (`docs/formats/skyrim.md`, section 5).

use super::buf::NavMeshBuf;
use super::derive;
use super::fields::{Field, Fields};
use super::flags::{MapFlags, RecordFlags};
use super::form::{FormId, Tag};
use super::navi::MapEntry;
use super::owners::Owners;
use super::plugin::Plugin;
use super::record::{PATHING_DOOR, PathingCell, Traversal, Vertex};
use super::rewrite::NewRecord;
use super::write::{count, field};
use navmap_core::error::Result;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use zerocopy::IntoBytes;

/// An entry of the map (`NVMI`) that owns its memory.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MapEntryBuf {
    /// The mesh.
    pub navmesh: FormId,
    /// Flags.
    pub flags: MapFlags,
    /// The mean of the vertices.
    pub center: [f32; 3],
    /// The share of preferred triangles, 0 to 1.
    pub preferred: f32,
    /// Targets of links, without those of the second list.
    pub links: Vec<FormId>,
    /// Meshes that a link between two preferred triangles leads to.
    pub preferred_links: Vec<FormId>,
    /// Doors, with their type hash.
    pub doors: Vec<(u32, FormId)>,
    /// Traversals: Starfield.
    pub traversals: Vec<Traversal>,
    /// Geometry of an island.
    pub island: Option<IslandBuf>,
    /// Owner, as in the mesh.
    pub pathing_cell: PathingCell,
    /// A byte and a list of unknown meaning: Starfield.
    pub unknown_tail: Option<(u8, Vec<u32>)>,
}

/// The geometry in an entry of an island.
#[derive(Clone, Debug, PartialEq)]
pub struct IslandBuf {
    /// Lowest corner.
    pub min: [f32; 3],
    /// Highest corner.
    pub max: [f32; 3],
    /// Triangles, as indices into the vertices.
    pub triangles: Vec<[u16; 3]>,
    /// Vertices.
    pub vertices: Vec<[f32; 3]>,
}

impl IslandBuf {
    /// The mesh itself: a form found in real files. The editor's simplified copies cannot be derived from the mesh.
    fn from_mesh(mesh: &NavMeshBuf) -> Self {
        let (min, max) = derive::bounds(mesh.vertices.iter().copied()).unwrap_or_default();
        let triangles = mesh.triangles.iter().map(|triangle| triangle.vertices).collect();
        Self { min, max, triangles, vertices: mesh.vertices.clone() }
    }

    fn shift(&mut self, by: [f32; 3]) {
        let moved = |[x, y, z]: [f32; 3]| {
            let [dx, dy, dz] = by;
            [x + dx, y + dy, z + dz]
        };
        (self.min, self.max) = (moved(self.min), moved(self.max));
        self.vertices.iter_mut().for_each(|vertex| *vertex = moved(*vertex));
    }
}

impl MapEntryBuf {
    /// Takes a copy of an entry.
    pub fn read(entry: &MapEntry<'_>) -> Self {
        Self {
            navmesh: entry.head.navmesh(),
            flags: entry.head.flags(),
            center: entry.head.center().to_array(),
            preferred: entry.head.preferred_share(),
            links: entry.links.to_vec(),
            preferred_links: entry.preferred_links.to_vec(),
            doors: entry.doors.iter().map(|door| (door.type_hash(), door.reference())).collect(),
            traversals: entry.traversals.to_vec(),
            island: entry.island.map(|island| IslandBuf {
                min: island.bounds.min().to_array(),
                max: island.bounds.max().to_array(),
                triangles: island.triangles.iter().map(|triangle| triangle.vertices()).collect(),
                vertices: island.vertices.iter().map(Vertex::to_array).collect(),
            }),
            pathing_cell: *entry.pathing_cell,
            unknown_tail: entry
                .unknown_tail
                .map(|(byte, list)| (byte, list.iter().map(|n| n.get()).collect())),
        }
    }

    /// The entry of a mesh without one. `road` says for a linked mesh whether a link between two preferred triangles leads there.
    pub fn from_mesh(navmesh: FormId, mesh: &NavMeshBuf, road: impl Fn(FormId) -> bool) -> Self {
        Self::new(navmesh, mesh, Owners::UNKNOWN, road)
    }

    /// The same in a plugin, where several FormIDs may name one record.
    pub(super) fn new(
        navmesh: FormId,
        mesh: &NavMeshBuf,
        owners: Owners,
        road: impl Fn(FormId) -> bool,
    ) -> Self {
        let mut entry = Self {
            navmesh,
            flags: MapFlags(0),
            center: [0.0; 3],
            preferred: 0.0,
            links: Vec::new(),
            preferred_links: Vec::new(),
            doors: Vec::new(),
            traversals: Vec::new(),
            island: None,
            pathing_cell: mesh.pathing_cell,
            unknown_tail: (mesh.version > 15).then(|| (0, Vec::new())),
        };
        entry.update(mesh, None, owners, road);
        entry
    }

    /// Updates the entry from its mesh: center, preferred share, doors, owner, linked meshes. Remaining linked meshes keep their
    /// place, new ones come first. The geometry of an island stays if that of the mesh is as it was in `before`, and moves along if the
    /// mesh was moved as a whole; after another change it becomes the mesh itself. `before` is `None` if no earlier mesh
    /// is known, and the mesh itself if it did not change.
    pub fn refresh(&mut self, mesh: &NavMeshBuf, before: Option<&NavMeshBuf>, road: impl Fn(FormId) -> bool) {
        self.update(mesh, before, Owners::UNKNOWN, road);
    }

    /// The same in a plugin, where several FormIDs may name one record.
    pub(super) fn update(
        &mut self,
        mesh: &NavMeshBuf,
        before: Option<&NavMeshBuf>,
        owners: Owners,
        road: impl Fn(FormId) -> bool,
    ) {
        let canonical = |form: &FormId| owners.canonical(*form);
        (self.center, self.preferred) = (mesh.center(), mesh.preferred_share());
        self.pathing_cell = mesh.pathing_cell;
        let mut known = HashSet::new();
        let doors = mesh.doors.iter().map(|door| door.reference);
        let doors = doors.filter(|door| known.insert(canonical(door))).map(|door| (PATHING_DOOR, door));
        let doors: Vec<(u32, FormId)> = doors.collect();
        if doors != self.doors {
            self.doors = doors;
        }
        let mut known = HashSet::from([canonical(&self.navmesh)]);
        let linked = mesh.linked_edges().map(|(_, _, link)| link.navmesh);
        let linked = linked.filter(|form| known.insert(canonical(form)));
        let (roads, others): (Vec<FormId>, Vec<FormId>) = linked.partition(|form| road(*form));
        for (list, wanted) in [(&mut self.links, &others), (&mut self.preferred_links, &roads)] {
            let asked: HashSet<FormId> = wanted.iter().map(canonical).collect();
            list.retain(|form| asked.contains(&canonical(form)));
            let known: HashSet<FormId> = list.iter().map(canonical).collect();
            // The reverse of the order of first occurrence, as in most real lists.
            let new = wanted.iter().rev().copied().filter(|form| !known.contains(&canonical(form)));
            list.splice(0..0, new);
        }
        if let Some(island) = &mut self.island {
            match before.and_then(|before| shift_between(before, mesh)) {
                Some([0.0, 0.0, 0.0]) => {}
                Some(by) => island.shift(by),
                None => *island = IslandBuf::from_mesh(mesh),
            }
        }
    }

    /// The payload of the `NVMI` field.
    ///
    /// # Errors
    /// If a list is longer than its count can express.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let floats = |out: &mut Vec<u8>, values: &[f32]| {
            values.iter().for_each(|value| out.extend(value.to_le_bytes()));
        };
        out.extend(self.navmesh.as_bytes());
        out.extend(self.flags.0.to_le_bytes());
        floats(&mut out, &self.center);
        floats(&mut out, &[self.preferred]);
        for list in [&self.links, &self.preferred_links] {
            count(&mut out, "linked meshes", list.len())?;
            out.extend(list.as_slice().as_bytes());
        }
        count(&mut out, "doors", self.doors.len())?;
        for (hash, door) in &self.doors {
            out.extend(hash.to_le_bytes());
            out.extend(door.as_bytes());
        }
        if self.unknown_tail.is_some() {
            count(&mut out, "traversals", self.traversals.len())?;
            out.extend(self.traversals.as_slice().as_bytes());
        }
        out.push(self.island.is_some().into());
        if let Some(island) = &self.island {
            floats(&mut out, &island.min);
            floats(&mut out, &island.max);
            count(&mut out, "island triangles", island.triangles.len())?;
            island.triangles.iter().flatten().for_each(|index| out.extend(index.to_le_bytes()));
            count(&mut out, "island vertices", island.vertices.len())?;
            island.vertices.iter().for_each(|vertex| floats(&mut out, vertex));
        }
        out.extend(self.pathing_cell.as_bytes());
        if let Some((byte, list)) = &self.unknown_tail {
            out.push(*byte);
            count(&mut out, "tail of map entry", list.len())?;
            list.iter().for_each(|number| out.extend(number.to_le_bytes()));
        }
        Ok(out)
    }
}

/// The fields of an info map with the entries of some meshes replaced, by the one FormID that `canonical` gives for all of a mesh,
/// and those that it has not after the others. All others keep their bytes.
///
/// # Errors
/// If a field cannot be read, or an entry does not fit.
pub(super) fn with_entries(
    mut fields: Fields<'_>,
    mut entries: BTreeMap<FormId, MapEntryBuf>,
    canonical: impl Fn(FormId) -> FormId,
) -> Result<Vec<u8>> {
    let last = last_entries(fields.clone(), |form| Some(canonical(form)));
    let mut data = Vec::with_capacity(fields.rest().len());
    let mut is_open = true;
    while let Some(next) = fields.next_stored() {
        let (each, stored) = next?;
        if matches!(&each.tag.0, b"NVPP" | b"NVSI") && std::mem::take(&mut is_open) {
            for (_, entry) in entries.extract_if(.., |form, _| !last.contains_key(form)) {
                field(&mut data, Tag(*b"NVMI"), &entry.encode()?)?;
            }
        }
        let is_last = |form: &FormId| last.get(form).is_some_and(|last| last.offset == each.offset);
        let mesh = entry_of(&each).map(&canonical).filter(is_last);
        match mesh.and_then(|form| entries.remove(&form)).map(|entry| entry.encode()).transpose()? {
            Some(payload) if payload != each.data => field(&mut data, each.tag, &payload)?,
            _ => data.extend(stored),
        }
    }
    for entry in entries.into_values() {
        field(&mut data, Tag(*b"NVMI"), &entry.encode()?)?;
    }
    Ok(data)
}

/// The last entry of each mesh, by what `mesh_of` makes of its FormID: the one that the game uses.
pub(super) fn last_entries<'a, K: Eq + Hash>(
    fields: Fields<'a>,
    mesh_of: impl Fn(FormId) -> Option<K>,
) -> HashMap<K, Field<'a>> {
    fields.flatten().filter_map(|each| Some((mesh_of(entry_of(&each)?)?, each))).collect()
}

/// The mesh whose entry a field is.
pub(super) fn entry_of(each: &Field<'_>) -> Option<FormId> {
    let form = each.data.first_chunk().filter(|_| each.tag == Tag(*b"NVMI"))?;
    Some(FormId::new(u32::from_le_bytes(*form)))
}

/// An info map with these entries and this FormID, for a plugin without one; `None` for a game that has none.
///
/// # Errors
/// If an entry does not fit.
pub(super) fn new_map(
    plugin: &Plugin<'_>,
    form_id: FormId,
    entries: impl Iterator<Item = MapEntryBuf>,
) -> Result<Option<(NewRecord, Vec<u8>)>> {
    let Some(version) = plugin.game().nvnm_version() else { return Ok(None) };
    let mut data = Vec::new();
    field(&mut data, Tag(*b"NVER"), &version.to_le_bytes())?;
    for entry in entries {
        field(&mut data, Tag(*b"NVMI"), &entry.encode()?)?;
    }
    // The empty form of the table of preferred paths, which real plugins have too.
    field(&mut data, Tag(*b"NVPP"), &[0; 8])?;
    let head =
        NewRecord { tag: Tag::NAVI, flags: RecordFlags(0), form_id, form_version: plugin.form_version() };
    Ok(Some((head, data)))
}

/// Why a plugin cannot have the map that all plugins of its game share.
pub(super) fn no_map(plugin: &Plugin<'_>) -> String {
    let file = plugin.game().shared_map().map_or("the game's own file", |(file, _)| file);
    format!("its info map would be a record of {file}, which is none of the plugin's masters")
}

/// The vector by which a mesh was moved, if its geometry changed in no other way.
fn shift_between(before: &NavMeshBuf, after: &NavMeshBuf) -> Option<[f32; 3]> {
    let same = before.vertices.len() == after.vertices.len()
        && before.triangles.len() == after.triangles.len()
        && before.triangles.iter().zip(&after.triangles).all(|(a, b)| a.vertices == b.vertices);
    let mut pairs = before.vertices.iter().zip(&after.vertices);
    // Also without any vertex, and with one that is nowhere.
    if same && pairs.all(|(a, b)| a.map(f32::to_bits) == b.map(f32::to_bits)) {
        return Some([0.0; 3]);
    }
    let (&[ax, ay, az], &[bx, by, bz]) = (before.vertices.first()?, after.vertices.first()?);
    let shift = [bx - ax, by - ay, bz - az];
    let mut pairs = before.vertices.iter().zip(&after.vertices);
    let moved = pairs.all(|([ax, ay, az], [bx, by, bz])| {
        let [dx, dy, dz] = shift;
        [(ax + dx, bx), (ay + dy, by), (az + dz, bz)]
            .iter()
            .all(|(a, b)| (a - **b).abs() <= 0.01 + b.abs() * 1e-6)
    });
    (same && moved).then_some(shift)
}
