//! What files looked like when they were read, to notice that they have changed.

use navmap_core::bytes::Stamp;
use navmap_core::threads::locked;
pub(super) use reads::on_disk;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Files that are looked at again and again, for a server that asks once a second whether to [reload](super::Slot::reload).
///
/// With the feature `archive`, `archive!member` stands for the archive, and a folder for the files in it and in the folders below
/// whose names are those of meshes and archives.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::query::{Policy, Slot, Stamps};
///
/// let files = Stamps::new(["corpus/source/town.nav"]); // first, so that no change is missed
/// let slot = Slot::open("corpus/source/town.nav", Policy::default())?;
/// if files.changed() {
///     slot.reload()?;
/// }
/// assert_eq!(slot.load().generation(), 1);
/// # Ok::<(), navmap::query::Refused>(())
/// ```
#[derive(Debug)]
pub struct Stamps {
    paths: Vec<PathBuf>,
    seen: Mutex<Vec<(PathBuf, Stamp)>>,
}

impl Stamps {
    /// The files at these paths, as they look now. Take it before they are read, so that no change in between is missed.
    pub fn new<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Self {
        let paths: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
        let seen = Mutex::new(look(&paths));
        Self { paths, seen }
    }

    /// Whether they look otherwise than at the last look: a file is new, is gone, or has another size or time. A write that keeps the
    /// size, in the same tick of the file system's clock as the one before, is not seen.
    pub fn changed(&self) -> bool {
        let now = look(&self.paths);
        let mut seen = locked(&self.seen);
        let changed = *seen != now;
        *seen = now;
        changed
    }
}

/// The files that paths lead to. None of a path at which nothing is.
fn look(paths: &[PathBuf]) -> Vec<(PathBuf, Stamp)> {
    let mut stamps = Vec::new();
    for path in paths {
        let file = on_disk(path);
        let Ok(about) = file.metadata() else { continue };
        if about.is_dir() {
            stamps.extend(below(file).filter_map(|path| Stamp::at(&path).map(|stamp| (path, stamp))));
        } else {
            stamps.push((file.to_owned(), Stamp::of(&about)));
        }
    }
    stamps
}

/// The files of a folder that an opener reads, in path order.
fn below(folder: &Path) -> impl Iterator<Item = PathBuf> {
    reads::files(folder).filter(|path| is_read(path))
}

/// Whether a file of a folder may be a mesh or hold some, by its name.
pub(super) fn is_read(path: &Path) -> bool {
    navmap_formats::Kind::names(path) || reads::may_be_archive(path)
}

/// What an opener reads: files, folders and archives.
#[cfg(feature = "archive")]
mod reads {
    pub(crate) use crate::open::{may_be_archive, on_disk};
    use std::path::{Path, PathBuf};

    pub(crate) fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
        crate::open::Files::new([folder]).filter_map(Result::ok).map(|file| file.path)
    }
}

/// What an opener reads: files alone.
#[cfg(not(feature = "archive"))]
mod reads {
    use std::path::{Path, PathBuf};

    pub(crate) fn on_disk(path: &Path) -> &Path {
        path
    }

    pub(crate) fn may_be_archive(_: &Path) -> bool {
        false
    }

    pub(crate) fn files(_: &Path) -> impl Iterator<Item = PathBuf> {
        std::iter::empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_change_is_seen_once() {
        let folder = std::env::temp_dir().join(format!("navmap-stamps-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.nav");
        fs::write(&file, "one").unwrap();
        let stamps = Stamps::new([&file]);
        assert!(!stamps.changed());
        fs::write(&file, "longer").unwrap();
        assert!(stamps.changed() && !stamps.changed());
        fs::remove_file(&file).unwrap();
        assert!(stamps.changed() && !stamps.changed());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(feature = "archive")]
    #[test]
    fn a_folder_is_its_meshes_and_archives_at_any_depth_and_a_member_its_archive() {
        let folder = std::env::temp_dir().join(format!("navmap-stamps-deep-{}", std::process::id()));
        let below = folder.join("below/further");
        fs::create_dir_all(&below).unwrap();
        let file = below.join("a.zip");
        fs::write(&file, "one").unwrap();
        let member = PathBuf::from(format!("{}!maps/a.nav", file.display()));
        let all = [file.clone(), folder.clone(), member].map(|path| Stamps::new([path]));
        assert!(all.iter().all(|stamps| !stamps.changed()));
        fs::write(&file, "longer").unwrap();
        assert!(all.iter().all(|stamps| stamps.changed() && !stamps.changed()));
        fs::remove_file(&file).unwrap();
        assert!(all.iter().all(|stamps| stamps.changed() && !stamps.changed()));
        // A log that a server writes beside its meshes is no news.
        fs::write(below.join("server.log"), "a line").unwrap();
        assert!(!all[1].changed());
        fs::write(below.join("b.nav"), "new").unwrap();
        assert!(all[1].changed());
        fs::remove_dir_all(&folder).unwrap();
    }
}
