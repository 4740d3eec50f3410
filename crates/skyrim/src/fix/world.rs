//! The meshes that the game uses, over a whole load order, and those under repair.

use super::look::{Around, Worker};
use super::names::{Names, rename_mesh};
use super::rows::{Holds, Known, Row, Rows, Version, Way};
use crate::buf::NavMeshBuf;
use crate::check::links::Key;
use crate::fields::Fields;
use crate::flags::RecordFlags;
use crate::form::Tag;
use crate::loadorder::LoadOrder;
use crate::mapbuf::MapEntryBuf;
use crate::navi::{MapEntry, NavMap};
use crate::navm::{NavmRecord, NavmRecords, within};
use crate::plugin::Plugin;
use crate::space::Spaces;
use crate::view::NavMesh;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use navmap_core::threads::spread;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A mesh under repair. Its FormIDs are those of [`Names`].
#[derive(Debug)]
pub(super) struct Edited<'a> {
    /// The record that the game uses, which is rewritten.
    pub(super) target: Version<'a>,
    /// The version that supplies its other fields.
    pub(super) source: Version<'a>,
    /// The plugin to write it into, unless that is a patch: the target's, or a later one that overrides it.
    pub(super) home: usize,
    pub(super) flags: RecordFlags,
    pub(super) mesh: NavMeshBuf,
    /// Whether to write it even if the mesh is unchanged.
    pub(super) written_anew: bool,
    /// The mesh that the stored derived values match, if not the source's, without the lists of its grid.
    pub(super) before: Option<Box<NavMeshBuf>>,
}

impl Edited<'_> {
    /// Whether it is written into the plugin whose record supplies its other fields, so that these stay as they are.
    pub(super) fn stays_in(&self, plugin: usize) -> bool {
        [self.source.plugin, self.target.plugin] == [plugin; 2]
    }
}

/// Everything that repairs examine.
#[derive(Debug)]
pub(super) struct World<'o, 'a> {
    pub(super) order: &'o LoadOrder<'a>,
    pub(super) names: Names,
    /// Every mesh, and the facts about it.
    pub(super) rows: Rows<'a>,
    /// Groups that cannot be read, by plugin. Meshes in them are in no row.
    pub(super) unread: Vec<Unread>,
    maps: Vec<Option<Map<'a>>>,
    /// Plugins with an info map that cannot be read: which entries it has is not known.
    pub(super) unread_maps: BTreeSet<usize>,
    pub(super) edited: BTreeMap<Key, Edited<'a>>,
    spaces: Vec<Spaces<'o, 'a>>,
    scratch: Scratch,
}

/// A group of a plugin that cannot be read, and why.
type Unread = (usize, Error);

/// The fields of a plugin's info map. They are borrowed from the file, since no game compresses them.
#[derive(Debug)]
struct Map<'a> {
    version: u32,
    data: Cow<'a, [u8]>,
}

impl Map<'_> {
    fn entry(&self, known: &Known) -> Option<MapEntry<'_>> {
        let end = known.start.checked_add(known.len)?;
        let data = self.data.get(known.start as usize..end as usize)?;
        MapEntry::parse(data, known.start.into(), self.version).ok()
    }
}

impl<'o, 'a> World<'o, 'a> {
    /// Walks over all plugins, and inflates the mesh of every record that the game uses once, on all cores. Findings within
    /// meshes are searched only if `mends`, and disagreeing entries if `enters`.
    pub(super) fn survey(order: &'o LoadOrder<'a>, mends: bool, enters: bool) -> Self {
        let (all, unread) = Self::records(order);
        let mut world = Self {
            order,
            names: Names::default(),
            rows: Rows::new(all),
            unread,
            maps: Vec::with_capacity(order.len()),
            unread_maps: BTreeSet::new(),
            edited: BTreeMap::new(),
            spaces: (0..order.len()).filter_map(|at| Some(Spaces::new(order.get(at)?.1))).collect(),
            scratch: Scratch::new(),
        };
        world.read_maps();
        world.read_winners(mends, enters);
        world
    }

    /// Every navmesh record of the order, on all cores, blocks of one plugin too; and the groups that cannot be read.
    fn records(order: &LoadOrder<'a>) -> (Vec<(Key, Version<'a>)>, Vec<Unread>) {
        let pieces: Vec<(usize, NavmRecords<'a>)> = (0..order.len())
            .filter_map(|plugin| Some((plugin, order.get(plugin)?.1.navmeshes().pieces())))
            .flat_map(|(plugin, pieces)| pieces.into_iter().map(move |piece| (plugin, piece)))
            .collect();
        let read = |(plugin, piece): (usize, NavmRecords<'a>)| -> (usize, Vec<NavmRecord<'a>>, Vec<Error>) {
            let (mut records, mut damage) = (Vec::new(), Vec::new());
            for record in piece {
                record.map_or_else(|error| damage.push(error), |record| records.push(record));
            }
            (plugin, records, damage)
        };
        let read: Vec<_> = {
            use rayon::prelude::*;
            spread(|| pieces.into_par_iter().map(read).collect())
        };
        let mut all = Vec::with_capacity(read.iter().map(|(_, records, _)| records.len()).sum());
        let mut unread = Vec::new();
        let (mut of, mut index) = (0, 0_u32);
        for (plugin, records, damage) in read {
            unread.extend(damage.into_iter().map(|error| (plugin, error)));
            if of != plugin {
                (of, index) = (plugin, 0);
            }
            for navm in records {
                if let Some(key) = order.key(plugin, navm.form_id()) {
                    all.push((key, Version { plugin, navm: navm.numbered(index) }));
                }
                index = index.saturating_add(1);
            }
        }
        (all, unread)
    }

    fn read_winners(&mut self, mends: bool, enters: bool) {
        let mut rows = std::mem::take(&mut self.rows.rows);
        let (maps, known) = (&self.maps, &self.rows);
        let around = Around { order: self.order, keys: known.keys(), mends };
        let look = |worker: &mut Worker, row: &mut Row| {
            let Some(version) = known.versions_of(row).last() else { return };
            let entry = row.entry.filter(|_| enters).and_then(|known| {
                let plugin = known.plugins.1 as usize;
                Some((plugin, maps.get(plugin)?.as_ref()?.entry(&known)?))
            });
            worker.look(around, version, entry.as_ref().map(|(plugin, entry)| (*plugin, entry)), row);
        };
        {
            use rayon::prelude::*;
            spread(|| rows.par_iter_mut().for_each_init(Worker::default, look));
        }
        for row in &mut rows {
            let Some(rest) = &mut row.rest else { continue };
            for (at, key) in std::mem::take(&mut rest.strangers) {
                let number = self.rows.number(key);
                if let Some(way) = row.ways.get_mut(at) {
                    way.target = number;
                }
            }
        }
        self.rows.rows = rows;
    }

    /// Finds the entries of all info maps.
    fn read_maps(&mut self) {
        let mut found: Vec<(Key, Known)> = Vec::new();
        for index in 0..self.order.len() {
            let map =
                self.order.get(index).map_or(Ok(None), |(_, plugin)| Self::map(plugin, &mut self.scratch));
            let map = map.unwrap_or_else(|_| {
                self.unread_maps.insert(index);
                None
            });
            if let Some(map) = &map {
                let plugin = u32::try_from(index).unwrap_or(u32::MAX);
                for field in Fields::new(&map.data, 0).flatten().filter(|field| field.tag == Tag(*b"NVMI")) {
                    let Ok(entry) = MapEntry::parse(field.data, field.offset, map.version) else { continue };
                    let key = self.order.key(index, entry.head.navmesh());
                    let place = u32::try_from(field.offset).ok().zip(u32::try_from(field.data.len()).ok());
                    let Some((key, (start, len))) = key.zip(place) else { continue };
                    found.push((key, Known { plugins: (plugin, plugin), start, len }));
                }
            }
            self.maps.push(map);
        }
        // Stable: of several entries for a mesh the last stays last.
        found.sort_by_key(|(key, _)| *key);
        for entries in found.chunk_by(|(one, _), (two, _)| one == two) {
            let (Some((key, first)), Some((_, last))) = (entries.first(), entries.last()) else { continue };
            if let Some(row) = self.rows.get_mut(*key) {
                row.entry = Some(Known { plugins: (first.plugins.0, last.plugins.1), ..*last });
            }
        }
    }

    fn map(plugin: &Plugin<'a>, scratch: &mut Scratch) -> Result<Option<Map<'a>>> {
        let Some(record) = plugin.navi()? else { return Ok(None) };
        let data = match record.fields_in_place() {
            Some(fields) => Cow::Borrowed(fields.rest()),
            None => Cow::Owned(record.fields(scratch)?.rest().to_vec()),
        };
        let version = NavMap::parse(Fields::new(&data, 0))?.version();
        // Older games have other entries.
        Ok((version >= 12).then_some(Map { version, data }))
    }

    /// The info map's entry that the game uses for a mesh, and its plugin, to which its FormIDs belong.
    pub(super) fn entry(&self, key: Key) -> Option<(usize, MapEntryBuf)> {
        let known = self.rows.get(key)?.entry?;
        let plugin = known.plugins.1 as usize;
        let entry = self.maps.get(plugin)?.as_ref()?.entry(&known)?;
        Some((plugin, MapEntryBuf::read(&entry)))
    }

    /// The version that the game uses.
    pub(super) fn winner(&self, key: Key) -> Option<Version<'a>> {
        self.rows.versions(key).last().copied()
    }

    /// The place of a record as plugin editors write it: see [`Spaces::cell`].
    pub(super) fn place(&self, version: &Version<'_>) -> Option<String> {
        self.spaces.get(version.plugin)?.cell(&version.navm, |form| self.order.number(version.plugin, form))
    }

    /// A version's mesh, with FormIDs of [`Names`].
    ///
    /// # Errors
    /// If it cannot be read, is deleted, or there is none.
    pub(super) fn read(&mut self, version: &Version<'a>, missing_counts: bool) -> Result<NavMeshBuf> {
        if version.navm.is_deleted() {
            return Err(Error::invalid("navmesh", "is deleted"));
        }
        let (order, names) = (self.order, &mut self.names);
        let mut fields = version.navm.record().fields(&mut self.scratch)?;
        let Some(field) = fields.find_tag(Tag(*b"NVNM"))? else {
            return Err(Error::invalid("navmesh", "has no NVNM field"));
        };
        let mesh = match missing_counts {
            true => NavMesh::parse_missing_counts(field.data, field.offset)?,
            false => NavMesh::parse_at(field.data, field.offset)?,
        };
        let mut mesh = NavMeshBuf::read(&within(&fields, mesh)?)?;
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
            let home = target.plugin;
            let edited =
                Edited { target, source: target, home, flags, mesh, before: None, written_anew: false };
            self.edited.insert(key, edited);
        }
        self.edited.get_mut(&key).ok_or_else(|| Error::invalid("navmesh", "is not there"))
    }

    /// The mesh that the stored derived values of a repaired mesh match, with FormIDs of [`Names`].
    pub(super) fn before(&mut self, key: Key) -> Option<NavMeshBuf> {
        let edited = self.edited.get(&key)?;
        match &edited.before {
            Some(before) => Some(NavMeshBuf::clone(before)),
            None => {
                let source = edited.source;
                self.read(&source, true).ok()
            }
        }
    }

    /// Records that a mesh was changed, so that its current links are checked.
    pub(super) fn changed(&mut self, key: Key) {
        let Some(edited) = self.edited.get(&key) else { return };
        let ways = self.ways_of(key, &edited.mesh);
        let holds = Holds::Triangles(edited.mesh.triangles.len());
        let ways = self.rows.pack(&ways);
        self.rows.set_ways(key, ways);
        if let Some(row) = self.rows.get_mut(key) {
            row.holds = Some(holds);
        }
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

    /// The doors that a mesh lists as it is repaired so far, and their triangles.
    pub(super) fn doors_of(&self, mesh: Key, row: &Row) -> impl Iterator<Item = (Key, u16)> {
        let edited = self.edited.get(&mesh).map(|edited| edited.mesh.doors.as_slice());
        let stored = if edited.is_some() { &[] } else { &*row.doors };
        let home = self.rows.home(row);
        let edited = edited.unwrap_or_default().iter();
        let edited = edited.filter_map(|door| Some((self.names.key(door.reference)?, door.triangle)));
        let stored = stored.iter();
        edited.chain(
            stored.filter_map(move |(triangle, door)| Some((self.order.key(home?, *door)?, *triangle))),
        )
    }

    /// The name of a plugin of the order.
    pub(super) fn file_name(&self, plugin: usize) -> String {
        self.order.get(plugin).map_or_else(|| "the patch".to_owned(), |(name, _)| name.to_owned())
    }

    /// The name of a record in messages: its FormID in the load order, and its own file: `03035EB0 (Dragonborn.esm)`.
    pub(super) fn called(&self, key: Key) -> String {
        self.order.called(key)
    }
}
