//! The meshes that the game uses, over a whole load order, and those that are being repaired.

#![forbid(unsafe_code)]

use super::names::{Names, rename_mesh};
use super::screen::Screen;
use crate::bytes::Scratch;
use crate::error::{Error, Result};
use crate::format::skyrim::buf::NavMeshBuf;
use crate::format::skyrim::check::{Report, links::Key, mesh as check_mesh};
use crate::format::skyrim::flags::{LinkKind, RecordFlags, TriangleFlags};
use crate::format::skyrim::form::Tag;
use crate::format::skyrim::iter::TriangleRef;
use crate::format::skyrim::loadorder::LoadOrder;
use crate::format::skyrim::mapbuf::MapEntryBuf;
use crate::format::skyrim::navi::NavMap;
use crate::format::skyrim::navm::NavmRecord;
use crate::format::skyrim::record::Edge;
use crate::format::skyrim::space::Spaces;
use crate::format::skyrim::view::NavMesh;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// One plugin's version of a mesh.
#[derive(Debug, Clone, Copy)]
pub(super) struct Version<'a> {
    pub(super) plugin: usize,
    pub(super) navm: NavmRecord<'a>,
}

/// A link between meshes, with the edge it starts from. 28 bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Way {
    pub(super) owner: Key,
    pub(super) triangle: u16,
    pub(super) edge: u8,
    pub(super) kind: u32,
    pub(super) target: Key,
    pub(super) target_triangle: u16,
    /// The edge there that should lead back, from version 13 on.
    pub(super) target_edge: Option<u8>,
    /// Whether the triangle is preferred.
    pub(super) preferred: bool,
}

impl Way {
    pub(super) fn reversed_kind(&self) -> u32 {
        match LinkKind::from_stored(self.kind).reverse() {
            LinkKind::LedgeUp => 1,
            LinkKind::LedgeDown => 2,
            _ => self.kind,
        }
    }
}

/// What the winning version of a mesh holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// So many triangles.
    Triangles(usize),
    Deleted,
    /// Damage; `true` if it reads with counts of empty lists put back.
    Damage(bool),
}

/// What one pass over a winning version finds.
struct Seen {
    key: Key,
    holds: Holds,
    ways: Vec<Way>,
    codes: BTreeSet<&'static str>,
    stale: bool,
    doors: bool,
}

/// A mesh that is being repaired. Its FormIDs are those of [`Names`].
#[derive(Debug)]
pub(super) struct Edited<'a> {
    /// The record that the game uses, which is written anew.
    pub(super) target: Version<'a>,
    /// The version that its other fields come from.
    pub(super) source: Version<'a>,
    /// The plugin that it is written into, if not into a patch: that of the target, or a later one that overrides it.
    pub(super) home: usize,
    pub(super) flags: RecordFlags,
    pub(super) mesh: NavMeshBuf,
    /// Whether it is written although the mesh is as it was.
    pub(super) written_anew: bool,
    /// What the stored derived values belong to.
    pub(super) before: NavMeshBuf,
}

/// Everything that repairs look at.
#[derive(Debug)]
pub(super) struct World<'o, 'a> {
    pub(super) order: &'o LoadOrder<'a>,
    pub(super) names: Names,
    /// Versions of each mesh, in load order.
    pub(super) versions: BTreeMap<Key, Vec<Version<'a>>>,
    pub(super) holds: HashMap<Key, Holds>,
    /// All links of the meshes that the game uses, by owner.
    pub(super) ways: BTreeMap<Key, Vec<Way>>,
    /// What a check says of meshes by themselves.
    pub(super) codes: HashMap<Key, BTreeSet<&'static str>>,
    /// The plugins that have an entry in their info map, and the entry of the last of them.
    pub(super) entries: HashMap<Key, (Vec<usize>, MapEntryBuf)>,
    /// Meshes whose entry stands in the same plugin and says something else.
    pub(super) stale: BTreeSet<Key>,
    /// Meshes that have doors.
    pub(super) with_doors: HashSet<Key>,
    pub(super) edited: BTreeMap<Key, Edited<'a>>,
    spaces: Vec<Spaces<'o, 'a>>,
    scratch: Scratch,
}

impl<'o, 'a> World<'o, 'a> {
    /// Walks over all plugins, and inflates the mesh of every record that the game uses once: on all cores with `rayon`.
    /// What meshes show by themselves is only looked for if `mends`, and entries that say something else if `enters`.
    pub(super) fn survey(order: &'o LoadOrder<'a>, mends: bool, enters: bool) -> Self {
        let mut versions: BTreeMap<Key, Vec<Version<'a>>> = BTreeMap::new();
        let plugins = || (0..order.len()).filter_map(|index| Some((index, order.get(index)?.1)));
        for (index, plugin) in plugins() {
            for navm in plugin.navmeshes().flatten() {
                let Some(key) = order.key(index, navm.form_id()) else { continue };
                // Most meshes have one version.
                let list = versions.entry(key).or_insert_with(|| Vec::with_capacity(1));
                let version = Version { plugin: index, navm };
                match list.last_mut() {
                    // Of two records of one plugin the game sees one; the check tells of the other.
                    Some(last) if last.plugin == index => {}
                    _ => list.push(version),
                }
            }
        }
        let mut world = Self {
            order,
            names: Names::default(),
            versions,
            holds: HashMap::new(),
            ways: BTreeMap::new(),
            codes: HashMap::new(),
            entries: HashMap::new(),
            stale: BTreeSet::new(),
            with_doors: HashSet::new(),
            edited: BTreeMap::new(),
            spaces: plugins().map(|(_, plugin)| Spaces::new(plugin)).collect(),
            scratch: Scratch::new(),
        };
        world.read_entries();
        world.read_winners(mends, enters);
        world
    }

    fn read_winners(&mut self, mends: bool, enters: bool) {
        let (order, entries) = (self.order, &self.entries);
        let winners: Vec<(Key, Version<'a>)> =
            self.versions.iter().filter_map(|(key, versions)| Some((*key, *versions.last()?))).collect();
        let look = |(scratch, screen): &mut (Scratch, Screen), (key, version): (Key, Version<'a>)| {
            let entry = entries.get(&key).filter(|_| enters);
            let entry = entry.filter(|(plugins, _)| plugins.last() == Some(&version.plugin));
            let screen = (screen, mends);
            Seen::of(order, key, &version, entry.map(|(_, entry)| entry), screen, scratch)
        };
        #[cfg(feature = "rayon")]
        let seen: Vec<Seen> = {
            use rayon::prelude::*;
            winners.into_par_iter().map_init(<(Scratch, Screen)>::default, look).collect()
        };
        #[cfg(not(feature = "rayon"))]
        let seen: Vec<Seen> = {
            let mut kept = <(Scratch, Screen)>::default();
            winners.into_iter().map(|winner| look(&mut kept, winner)).collect()
        };
        for Seen { key, holds, ways, codes, stale, doors } in seen {
            self.holds.insert(key, holds);
            if stale {
                self.stale.insert(key);
            }
            if doors {
                self.with_doors.insert(key);
            }
            if !ways.is_empty() {
                self.ways.insert(key, ways);
            }
            if !codes.is_empty() {
                self.codes.insert(key, codes);
            }
        }
    }

    fn read_entries(&mut self) {
        for index in 0..self.order.len() {
            let Some((_, plugin)) = self.order.get(index) else { continue };
            let Ok(Some(record)) = plugin.navi() else { continue };
            let Ok(Ok(map)) = record.fields(&mut self.scratch).map(NavMap::parse) else { continue };
            for entry in map.entries().flatten() {
                let entry = MapEntryBuf::read(&entry);
                let Some(key) = self.order.key(index, entry.navmesh) else { continue };
                match self.entries.get_mut(&key) {
                    Some((plugins, last)) => {
                        if plugins.last() != Some(&index) {
                            plugins.push(index);
                        }
                        *last = entry;
                    }
                    None => {
                        self.entries.insert(key, (vec![index], entry));
                    }
                }
            }
        }
    }

    /// The version that the game uses.
    pub(super) fn winner(&self, key: Key) -> Option<Version<'a>> {
        self.versions.get(&key)?.last().copied()
    }

    /// The place of a record, in words.
    pub(super) fn place(&self, version: &Version<'_>) -> Option<String> {
        let space = self.spaces.get(version.plugin)?.around(version.navm.index().into())?;
        Some(space.to_string())
    }

    /// A version's mesh, with FormIDs of [`Names`].
    ///
    /// # Errors
    /// If it cannot be read, or there is none.
    pub(super) fn read(&mut self, version: &Version<'a>, missing_counts: bool) -> Result<NavMeshBuf> {
        let (order, names) = (self.order, &mut self.names);
        let mut fields = version.navm.record().fields(&mut self.scratch)?;
        let Some(field) = fields.find_tag(Tag(*b"NVNM"))? else {
            return Err(Error::invalid("navmesh", "has no NVNM field"));
        };
        let mesh = match missing_counts {
            true => NavMesh::parse_missing_counts(field.data, field.offset)?,
            false => NavMesh::parse_at(field.data, field.offset)?,
        };
        let mut mesh = NavMeshBuf::read(&mesh)?;
        // Every FormID has a number.
        let _ = rename_mesh(&mut mesh, |form| Some(names.global(order, version.plugin, form)));
        Ok(mesh)
    }

    /// The mesh that the game uses, to be changed.
    ///
    /// # Errors
    /// If it cannot be read, or there is none.
    pub(super) fn edit(&mut self, key: Key) -> Result<&mut Edited<'a>> {
        if !self.edited.contains_key(&key) {
            let none = || Error::invalid("navmesh", "is not in the load order");
            let target = self.winner(key).ok_or_else(none)?;
            let mesh = self.read(&target, false)?;
            let flags = target.navm.header().flags();
            let before = mesh.clone();
            let home = target.plugin;
            let edited = Edited { target, source: target, home, flags, mesh, before, written_anew: false };
            self.edited.insert(key, edited);
        }
        self.edited.get_mut(&key).ok_or_else(|| Error::invalid("navmesh", "is not there"))
    }

    /// Notes that a mesh was changed, so that its links are looked at as they are now.
    pub(super) fn changed(&mut self, key: Key) {
        let Some(edited) = self.edited.get(&key) else { return };
        let mesh = &edited.mesh;
        self.holds.insert(key, Holds::Triangles(mesh.triangles.len()));
        let ways = self.ways_of(key, mesh);
        self.ways.insert(key, ways);
    }

    /// The links of a mesh whose FormIDs are those of [`Names`].
    pub(super) fn ways_of(&self, key: Key, mesh: &NavMeshBuf) -> Vec<Way> {
        let tall = mesh.shape.named_edges;
        let ways = mesh.linked_edges().filter_map(|(triangle, edge, link)| {
            let preferred = mesh.triangles.get(usize::from(triangle))?.is_preferred();
            Some(Way {
                owner: key,
                triangle,
                edge,
                kind: link.kind,
                target: self.names.key(link.navmesh)?,
                target_triangle: link.triangle,
                target_edge: tall.then_some(link.edge),
                preferred,
            })
        });
        ways.collect()
    }

    /// The name of a plugin of the order.
    pub(super) fn file_name(&self, plugin: usize) -> String {
        self.order.get(plugin).map_or_else(String::new, |(name, _)| name.to_owned())
    }

    /// What plugins call a record, for messages: the FormID as its file has it.
    pub(super) fn called(&self, key: Key) -> String {
        let file = self.order.file_name(key.file).unwrap_or_default();
        format!("{:06X} of {file}", key.object)
    }
}

impl Seen {
    fn of(
        order: &LoadOrder<'_>,
        key: Key,
        version: &Version<'_>,
        entry: Option<&MapEntryBuf>,
        (screen, mends): (&mut Screen, bool),
        scratch: &mut Scratch,
    ) -> Self {
        let codes = BTreeSet::new();
        let mut seen =
            Self { key, holds: Holds::Deleted, ways: Vec::new(), codes, stale: false, doors: false };
        let read = version.navm.mesh(scratch);
        match &read {
            Ok(Some(mesh)) => {
                seen.holds = Holds::Triangles(mesh.triangles().len());
                seen.ways = ways(order, key, version.plugin, mesh);
                seen.doors = !mesh.door_triangles().is_empty();
                seen.stale = entry.is_some_and(|entry| screen.is_stale(entry, mesh));
                if mends && !screen.is_sound(mesh) {
                    check_mesh(mesh, &mut Report::new(&mut |finding| _ = seen.codes.insert(finding.code)));
                }
            }
            Ok(None) => {}
            Err(_) => {
                let fields = version.navm.record().fields(scratch);
                let field = fields.and_then(|mut fields| fields.find_tag(Tag(*b"NVNM")));
                let reads = field
                    .ok()
                    .flatten()
                    .is_some_and(|field| NavMesh::parse_missing_counts(field.data, field.offset).is_ok());
                seen.holds = Holds::Damage(reads);
            }
        }
        seen
    }
}

fn ways(order: &LoadOrder<'_>, owner: Key, plugin: usize, mesh: &NavMesh<'_>) -> Vec<Way> {
    let links = mesh.edge_links();
    if links.is_empty() {
        return Vec::new();
    }
    let way = |triangle: u16, edge: u8, record: TriangleRef<'_>, index: u16| {
        let link = links.get(index.into())?;
        Some(Way {
            owner,
            triangle,
            edge,
            kind: link.stored_kind(),
            target: order.key(plugin, link.navmesh())?,
            target_triangle: link.triangle(),
            target_edge: links.target_edge(index.into()),
            preferred: record.flags().contains(TriangleFlags::PREFERRED),
        })
    };
    let mut ways = Vec::with_capacity(links.len());
    for (triangle, record) in (0_u16..).zip(mesh.triangles().iter()) {
        for (edge, to) in (0_u8..).zip(record.edges()) {
            if let Edge::Link(index) = to {
                ways.extend(way(triangle, edge, record, index));
            }
        }
    }
    ways
}
