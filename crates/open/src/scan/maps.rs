//! Checks whether a mesh was made for the map that contains it or is beside it.

use navmap_archive::{Archive, Kind};
use navmap_core::Limits;
use navmap_core::{Finding, Severity};
use std::collections::HashMap;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

/// The code of the finding that a mesh was made for another map.
#[doc(hidden)]
pub const OTHER_MAP: &str = "other-map";

/// The map of a mesh, by its size in bytes, which is all that a mesh records about its map.
#[derive(Debug, Clone, Copy)]
pub(super) enum Map {
    /// `maps/a.bsp` beside `maps/a.nav`. The game compares the sizes, and calls the mesh out of date.
    Beside(u64),
    /// The mesh is in the pak lump of the map. The game does not compare: packing it has changed the size.
    Around(u64),
}

impl Map {
    /// The finding for a mesh that was made for a map of this size; `None` if the size matches.
    pub(super) fn finding(self, made_for: u32) -> Option<Finding> {
        let (severity, size, whose) = match self {
            Self::Beside(size) => (Severity::Warning, size, "the map beside it"),
            Self::Around(size) => (Severity::Info, size, "the map that holds it"),
        };
        (u64::from(made_for) != size).then(|| {
            let message = format!("made for a map of {made_for} bytes, {whose} has {size}");
            Finding::new(severity, OTHER_MAP, message)
        })
    }
}

/// The map beside a mesh in a folder.
pub(super) fn beside(mesh: &Path) -> Option<Map> {
    let metadata = fs::metadata(mesh.with_extension("bsp")).ok()?;
    metadata.is_file().then_some(Map::Beside(metadata.len()))
}

/// The maps of an archive: their sizes by their names without extension, in lower case.
///
/// An archive may name a long folder once for many maps, so that the names would outgrow it. Two 64-bit keys stand for each, so that
/// no two of a billion are confused.
#[derive(Debug, Default)]
pub(super) struct Maps {
    sizes: HashMap<(u64, u64), u64>,
    hashers: (RandomState, RandomState),
}

/// Finds maps in the directory of an archive. A separate pass, because a directory may list them after the meshes.
pub(super) fn find(archive: &Archive<'_>, limits: &Limits) -> Maps {
    let mut maps = Maps::default();
    if !matches!(archive.kind(), Kind::Vpk | Kind::Gma | Kind::Zip | Kind::Tar) {
        return maps;
    }
    let members = archive.members(limits).filter_map(Result::ok);
    for map in members.filter(|member| member.name.has_extension("bsp")) {
        if let Some(key) = maps.key(&map.name.bytes()) {
            maps.sizes.insert(key, map.entry.size());
        }
    }
    maps
}

impl Maps {
    /// Size of the map beside a mesh of this name.
    pub(super) fn size_for(&self, mesh: &[u8]) -> Option<u64> {
        if self.sizes.is_empty() {
            return None;
        }
        self.sizes.get(&self.key(mesh)?).copied()
    }

    /// What stands for a name. `None` if it has no extension.
    fn key(&self, name: &[u8]) -> Option<(u64, u64)> {
        let dot = name.iter().rposition(|&byte| byte == b'.')?;
        let stem = name.get(..dot)?.to_ascii_lowercase();
        Some((self.hashers.0.hash_one(&stem), self.hashers.1.hash_one(&stem)))
    }
}
