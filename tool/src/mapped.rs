//! Common parts of the verbs that read a map.

use super::out::complain;
use navmap::bsp::BspMap;
use navmap::error::Error;
use navmap::format::source::HeadBuf;
use navmap::format::source::analyze::Spawns;
use navmap::open::{Bytes, OpenOptions};
use std::path::{Path, PathBuf};

/// Refuses a map that is not the one a mesh was made for: of another size than the mesh says, unless `any` may be, or of
/// another engine.
pub(super) fn belongs(map: &BspMap, size: u64, mesh: &HeadBuf, any: bool) -> Result<(), Error> {
    let stored = u64::from(mesh.bsp_size);
    if stored != 0 && stored != size && !any {
        let why = format!("has {size} bytes, but the mesh was made for one of {stored} (--any-map goes on)");
        return Err(Error::invalid("map", why));
    }
    map.check_engine(mesh)
}

/// The map of a mesh, and the spawn points of its teams.
pub(super) struct Asked {
    pub(super) map: BspMap,
    pub(super) spawns: Spawns,
}

impl Asked {
    /// Opens a map, and makes sure that it is the mesh's; with `any` it may have another size.
    pub(super) fn open(
        path: &Path,
        models: &[PathBuf],
        mesh: &HeadBuf,
        options: &OpenOptions,
        any: bool,
    ) -> Result<Self, Error> {
        let at = |error: Error| error.in_file(path);
        let bytes = Bytes::open(path, options)?;
        let mut map = BspMap::parse_with(&bytes, &options.limits).map_err(at)?;
        bytes.intact()?;
        belongs(&map, bytes.len() as u64, mesh, any).map_err(at)?;
        let spawns = map.spawns().map_err(at)?;
        shape(&mut map, path, models, options)?;
        Ok(Self { map, spawns })
    }
}

/// Gives static props their shapes: from the archive inside the map, then from the given paths. Reports damaged models.
///
/// # Errors
/// If a path does not exist.
pub(super) fn shape(
    map: &mut BspMap,
    path: &Path,
    models: &[PathBuf],
    options: &OpenOptions,
) -> Result<(), Error> {
    if let Some(missing) = models.iter().find(|models| !models.exists()) {
        return Err(Error::from(std::io::Error::from(std::io::ErrorKind::NotFound)).in_file(missing));
    }
    let member = |archive: &Path, name: &str| {
        let bytes = Bytes::open(Path::new(&format!("{}!{name}", archive.display())), options).ok()?;
        let own = bytes.to_vec();
        bytes.intact().ok().map(|()| own)
    };
    if map.solid_props().next().is_none() {
        return Ok(());
    }
    let mut wrong = map.add_models(|name| member(path, name));
    for place in models.iter() {
        wrong.extend(map.add_models(|name| match place.is_dir() {
            true => std::fs::read(place.join(name)).ok(),
            false => member(place, name),
        }));
    }
    wrong.iter().for_each(|wrong| complain(format_args!("navmap: {wrong}: stands in nobody's way")));
    Ok(())
}
