//! Tiles that join a world and leave it.

mod kept;
mod laid;

use super::{Policy, Refused, World};
use kept::Kept;
pub(super) use laid::KeptTiles;
use laid::Laid;
use navmap_core::error::Error;
use std::path::{Path, PathBuf};

impl World {
    /// The world of tiles in memory, by the names of their files: `.nav2` of a Fox map, `.mmtile` and the `.mmap` of a server's
    /// map. Files with other names are passed over. If there are several maps, it is of the one with the most tiles.
    ///
    /// It keeps the bytes, so that tiles can [join](Self::with_tile) and [leave](Self::without_tile).
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// use navmap::query::{Policy, World};
    /// use std::path::PathBuf;
    ///
    /// let name = |x: u32| format!("plain_{x}_101_nav.nav2");
    /// let read = |x: u32| std::fs::read(format!("corpus/fox/set/{}", name(x)));
    /// let files = [(PathBuf::from(name(101)), read(101)?), (PathBuf::from(name(102)), read(102)?)];
    /// let world = World::from_tiles(files, &Policy::default())?;
    /// let more = world.with_tile(name(103), read(103)?, &Policy::default())?;
    /// assert!(more.index().len() > world.index().len());
    /// assert_eq!(more.without_tile(name(103), &Policy::default())?.index().len(), world.index().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If no name is that of a tile, one cannot be read, or the policy refuses a finding.
    pub fn from_tiles(
        files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>,
        policy: &Policy,
    ) -> Result<Self, Refused> {
        Self::of_kept(Kept::new(files)?, policy)
    }

    /// The world with one more tile, or with other bytes for the tile of this name. This one stays as it is, and both share the
    /// bytes of all other files.
    ///
    /// The new world answers as one that is made of the same files anew, whatever joined and left before. Of a sound set (none of
    /// its findings [counts](navmap_core::Severity::counts)) only this tile and those beside it are read; the others were prepared
    /// when they joined, and are [shared](Self::tiles_shared). The index is put together from all of them by copying, on the
    /// thread that calls. Any other set is read as a whole. Those who ask meanwhile do not wait: see
    /// [`Slot::change`](super::Slot::change).
    ///
    /// Areas of a Fox map keep their ids. Those of a server's map have the position of their tile's file among the names in their
    /// ids, which changes for all that come after one that joins or leaves.
    ///
    /// # Errors
    /// If this world does not keep its tiles ([`from_tiles`](Self::from_tiles) does), the name is not that of a tile of its map,
    /// the tile cannot be read, or the policy refuses a finding.
    pub fn with_tile(
        &self,
        name: impl AsRef<Path>,
        bytes: Vec<u8>,
        policy: &Policy,
    ) -> Result<Self, Refused> {
        let (name, kept) = (name.as_ref(), self.kept()?);
        self.exchanged(kept.with(name, bytes)?, &kept.path(name), policy)
    }

    /// The world without the tile of this file. See [`with_tile`](Self::with_tile).
    ///
    /// # Errors
    /// If this world does not keep its tiles, has no such file, or would be left without a tile, or the policy refuses a finding.
    pub fn without_tile(&self, name: impl AsRef<Path>, policy: &Policy) -> Result<Self, Refused> {
        let (name, kept) = (name.as_ref(), self.kept()?);
        self.exchanged(kept.without(name)?, &kept.path(name), policy)
    }

    /// The files of its tiles, in order. None if it does not keep them.
    pub fn tiles(&self) -> impl Iterator<Item = &Path> + '_ {
        self.tiles.iter().flat_map(|kept| kept.files.paths()).map(|path| &**path)
    }

    /// How many tiles this world has as another one has them: prepared once, kept once. 0 if either is read as a whole each time.
    pub fn tiles_shared(&self, other: &Self) -> usize {
        self.laid().zip(other.laid()).map_or(0, |(mine, theirs)| mine.shared(theirs))
    }

    fn laid(&self) -> Option<&Laid> {
        self.tiles.as_ref()?.laid.as_ref()
    }

    fn kept(&self) -> Result<&Kept, Error> {
        let kept = self.tiles.as_ref().map(|kept| &kept.files);
        kept.ok_or_else(|| Error::invalid("world", "does not keep its tiles"))
    }

    fn of_kept(kept: Kept, policy: &Policy) -> Result<Self, Refused> {
        let tiles = kept.tiles();
        if tiles.is_empty() {
            return Err(Error::invalid("tiles", "none is left").into());
        }
        let laid = Laid::new(&tiles, policy).filter(|_| tiles.failures().is_empty());
        let world = match &laid {
            Some(laid) => Self::of_index(laid.index(policy)),
            None => Self::of_tiles(&tiles, Some(kept.map()), policy)?,
        };
        Ok(Self { tiles: Some(KeptTiles { files: kept, laid }), ..world })
    }

    /// The world of files of which only the one at `path` differs from those of this world.
    fn exchanged(&self, files: Kept, path: &Path, policy: &Policy) -> Result<Self, Refused> {
        match self.laid().and_then(|old| Some((old, old.exchanged(&files, path, policy)?))) {
            Some((old, laid)) => {
                let index = laid.index_after(old, &self.index, policy);
                Ok(Self { tiles: Some(KeptTiles { files, laid: Some(laid) }), ..Self::of_index(index) })
            }
            None => Self::of_kept(files, policy),
        }
    }
}
