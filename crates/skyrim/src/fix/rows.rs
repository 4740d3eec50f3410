//! Facts about every mesh of a load order, in flat arrays: a load order of 2 GB has a hundred thousand meshes and millions of
//! links.

use crate::check::links::Key;
use crate::flags::LinkKind;
use crate::form::FormId;
use crate::navm::NavmRecord;
use navmap_core::threads::spread;
use std::collections::{BTreeSet, HashMap};

/// One plugin's version of a mesh.
#[derive(Debug, Clone, Copy)]
pub(super) struct Version<'a> {
    pub(super) plugin: usize,
    pub(super) navm: NavmRecord<'a>,
}

/// A link between meshes, with the edge it starts from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Way {
    pub(super) owner: Key,
    pub(super) triangle: u16,
    pub(super) edge: u8,
    pub(super) kind: u32,
    pub(super) target: Key,
    pub(super) target_triangle: u16,
    /// The edge of the target that should lead back, from version 13 on.
    pub(super) target_edge: Option<u8>,
    /// Whether the triangle is preferred.
    pub(super) preferred: bool,
}

/// The kind of the link that leads back.
pub(super) fn reversed_kind(kind: u32) -> u32 {
    match LinkKind::from_stored(kind).reverse() {
        LinkKind::LedgeUp => 1,
        LinkKind::LedgeDown => 2,
        _ => kind,
    }
}

/// A stored [`Way`], grouped by owner: 16 bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packed {
    /// The number of the target mesh: a row, or a stranger after all rows.
    pub(super) target: u32,
    pub(super) kind: u32,
    pub(super) triangle: u16,
    pub(super) target_triangle: u16,
    /// The edge, and [`NAMES_EDGE`] and [`PREFERRED`].
    edge: u8,
    target_edge: u8,
}

const NAMES_EDGE: u8 = 0x40;
const PREFERRED: u8 = 0x80;
const _: () = assert!(size_of::<Packed>() == 16);

impl Packed {
    pub(super) fn new(way: &Way, target: u32) -> Self {
        let named = if way.target_edge.is_some() { NAMES_EDGE } else { 0 };
        let preferred = if way.preferred { PREFERRED } else { 0 };
        Self {
            target,
            kind: way.kind,
            triangle: way.triangle,
            target_triangle: way.target_triangle,
            edge: (way.edge & 3) | named | preferred,
            target_edge: way.target_edge.unwrap_or(0),
        }
    }

    pub(super) fn edge(self) -> u8 {
        self.edge & 3
    }

    pub(super) fn target_edge(self) -> Option<u8> {
        (self.edge & NAMES_EDGE != 0).then_some(self.target_edge)
    }

    pub(super) fn preferred(self) -> bool {
        self.edge & PREFERRED != 0
    }
}

/// The contents of the winning version of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// So many triangles.
    Triangles(usize),
    Deleted,
    /// Damage; `true` if it can be read once counts of empty lists are restored.
    Damage(bool),
}

/// The location of the info map's entry that the game uses for a mesh.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// The first and the last plugin with an entry.
    pub(super) plugins: (u32, u32),
    /// Its offset in the map of the last.
    pub(super) start: u32,
    pub(super) len: u32,
}

/// A mesh.
#[derive(Debug)]
pub(super) struct Row {
    /// Its versions among all: the first, and the number.
    first: u32,
    count: u32,
    pub(super) holds: Option<Holds>,
    /// The links of the version that the game uses, by triangle.
    pub(super) ways: Box<[Packed]>,
    pub(super) entry: Option<Known>,
    /// Whether the entry disagrees with the mesh.
    pub(super) stale: bool,
    /// The doors that its triangles list, as their plugin names them, each once.
    pub(super) doors: Box<[(u16, FormId)]>,
    /// Whether its links have to be checked.
    pub(super) suspect: bool,
    /// What few meshes have.
    pub(super) rest: Option<Box<Rest>>,
}

impl Row {
    /// Its triangles and links.
    pub(super) fn size(&self) -> usize {
        let triangles = if let Some(Holds::Triangles(triangles)) = self.holds { triangles } else { 0 };
        triangles.saturating_add(self.ways.len())
    }
}

/// Rare findings about a mesh.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// Links to meshes missing from the order, by their index among the links.
    pub(super) strangers: Vec<(usize, Key)>,
    /// The findings of a check within the mesh.
    pub(super) codes: BTreeSet<&'static str>,
}

/// All meshes, by their keys.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    keys: Vec<Key>,
    pub(super) rows: Vec<Row>,
    versions: Vec<Version<'a>>,
    /// Link targets that are missing from the order.
    strangers: Vec<Key>,
    numbers: HashMap<Key, u32>,
}

impl<'a> Rows<'a> {
    /// The versions of all meshes, in load order: of two records of one plugin the first.
    pub(super) fn new(mut all: Vec<(Key, Version<'a>)>) -> Self {
        // In place: these are many.
        let place = |(key, version): &(Key, Version<'_>)| (*key, version.plugin, version.navm.index());
        spread(|| rayon::slice::ParallelSliceMut::par_sort_unstable_by_key(all.as_mut_slice(), place));
        all.dedup_by(|(key, version), (other, first)| key == other && version.plugin == first.plugin);
        let meshes = all.chunk_by(|(one, _), (two, _)| one == two).count();
        let (mut keys, mut rows) = (Vec::with_capacity(meshes), Vec::with_capacity(meshes));
        let mut first = 0_u32;
        for versions in all.chunk_by(|(one, _), (two, _)| one == two) {
            let count = u32::try_from(versions.len()).unwrap_or(u32::MAX);
            keys.extend(versions.first().map(|(key, _)| *key));
            rows.push(Row {
                first,
                count,
                holds: None,
                ways: Box::default(),
                entry: None,
                stale: false,
                doors: Box::default(),
                suspect: false,
                rest: None,
            });
            first = first.saturating_add(count);
        }
        let mut versions: Vec<Version<'a>> = all.into_iter().map(|(_, version)| version).collect();
        versions.shrink_to_fit();
        Self { keys, rows, versions, strangers: Vec::new(), numbers: HashMap::new() }
    }

    pub(super) fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The number of a mesh of the order. O(log n).
    pub(super) fn find(&self, key: Key) -> Option<usize> {
        self.keys.binary_search(&key).ok()
    }

    pub(super) fn get(&self, key: Key) -> Option<&Row> {
        self.rows.get(self.find(key)?)
    }

    pub(super) fn get_mut(&mut self, key: Key) -> Option<&mut Row> {
        let at = self.find(key)?;
        self.rows.get_mut(at)
    }

    /// Every mesh, by its key.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Key, &Row)> {
        self.keys.iter().copied().zip(&self.rows)
    }

    /// The versions of a mesh, in load order.
    pub(super) fn versions_of(&self, row: &Row) -> &[Version<'a>] {
        let end = row.first.saturating_add(row.count) as usize;
        self.versions.get(row.first as usize..end).unwrap_or_default()
    }

    /// The plugin whose version the game uses.
    pub(super) fn home(&self, row: &Row) -> Option<usize> {
        self.versions_of(row).last().map(|version| version.plugin)
    }

    pub(super) fn versions(&self, key: Key) -> &[Version<'a>] {
        self.get(key).map_or(&[], |row| self.versions_of(row))
    }

    /// Every mesh with its versions.
    pub(super) fn all_versions(&self) -> impl Iterator<Item = (Key, &[Version<'a>])> {
        self.iter().map(|(key, row)| (key, self.versions_of(row)))
    }

    /// The mesh of a number.
    pub(super) fn key(&self, number: u32) -> Option<Key> {
        let number = number as usize;
        match number.checked_sub(self.keys.len()) {
            None => self.keys.get(number).copied(),
            Some(stranger) => self.strangers.get(stranger).copied(),
        }
    }

    /// The number of a mesh, whether in the order or not.
    pub(super) fn number(&mut self, key: Key) -> u32 {
        if let Some(row) = self.find(key) {
            return u32::try_from(row).unwrap_or(u32::MAX);
        }
        let next = self.keys.len().saturating_add(self.strangers.len());
        let next = u32::try_from(next).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.strangers.push(key);
        }
        number
    }

    /// A link in unpacked form.
    pub(super) fn way(&self, owner: Key, packed: Packed) -> Option<Way> {
        Some(Way {
            owner,
            triangle: packed.triangle,
            edge: packed.edge(),
            kind: packed.kind,
            target: self.key(packed.target)?,
            target_triangle: packed.target_triangle,
            target_edge: packed.target_edge(),
            preferred: packed.preferred(),
        })
    }

    /// The links of a mesh.
    pub(super) fn ways(&self, owner: Key) -> impl Iterator<Item = Way> + Clone + use<'_, 'a> {
        let ways = self.get(owner).map_or(&[][..], |row| &row.ways);
        ways.iter().filter_map(move |packed| self.way(owner, *packed))
    }

    /// All links.
    pub(super) fn all_ways(&self) -> impl Iterator<Item = Way> {
        self.iter()
            .flat_map(move |(key, row)| row.ways.iter().filter_map(move |packed| self.way(key, *packed)))
    }

    /// Packs the links of a mesh for storage.
    pub(super) fn pack(&mut self, ways: &[Way]) -> Box<[Packed]> {
        ways.iter().map(|way| Packed::new(way, self.number(way.target))).collect()
    }

    /// Replaces the links of a mesh. The targets of old and new links have to be checked again.
    pub(super) fn set_ways(&mut self, key: Key, ways: Box<[Packed]>) {
        let Some(own) = self.find(key) else { return };
        let Some(row) = self.rows.get_mut(own) else { return };
        let old = std::mem::replace(&mut row.ways, ways);
        row.suspect = true;
        let targets: BTreeSet<u32> = old.iter().chain(&row.ways).map(|way| way.target).collect();
        for target in targets {
            if let Some(row) = self.rows.get_mut(target as usize) {
                row.suspect = true;
            }
        }
    }
}
