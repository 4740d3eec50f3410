//! What files looked like when they were read, to notice that they have changed.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// A file: its path, its size and when it was written.
type Stamp = (PathBuf, u64, Option<SystemTime>);

/// Files that are looked at again and again. A folder stands for the files in it, `archive!member` for the archive.
#[derive(Debug)]
pub(crate) struct Stamps {
    paths: Vec<PathBuf>,
    seen: Mutex<Vec<Stamp>>,
}

impl Stamps {
    /// As they look now. Take it before they are read, so that no change in between is missed.
    pub(crate) fn new(paths: Vec<PathBuf>) -> Self {
        let seen = Mutex::new(look(&paths));
        Self { paths, seen }
    }

    /// Whether they look otherwise than at the last look.
    pub(crate) fn changed(&self) -> bool {
        let now = look(&self.paths);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = *seen != now;
        *seen = now;
        changed
    }
}

/// The files that a path leads to. None if it is not there.
fn look(paths: &[PathBuf]) -> Vec<Stamp> {
    let mut stamps = Vec::new();
    for path in paths {
        let file = file_of(path);
        let Ok(about) = file.metadata() else { continue };
        if about.is_dir() {
            let entries = file.read_dir().into_iter().flatten().flatten();
            stamps.extend(entries.filter_map(|entry| Some(stamp(entry.path(), &entry.metadata().ok()?))));
        } else {
            stamps.push(stamp(file.to_owned(), &about));
        }
    }
    // A folder tells its files in any order.
    stamps.sort_unstable();
    stamps
}

fn stamp(path: PathBuf, about: &Metadata) -> Stamp {
    (path, about.len(), about.modified().ok())
}

/// The archive of `archive!member`, or the path itself.
fn file_of(path: &Path) -> &Path {
    let archives = path.ancestors().filter(|part| part.as_os_str().as_encoded_bytes().contains(&b'!'));
    match archives.last().filter(|_| !path.exists()) {
        Some(part) => archive(part),
        None => path,
    }
}

/// What stands before the first `!` of the last name of a path.
fn archive(part: &Path) -> &Path {
    let text = part.to_str().and_then(|text| text.split_once('!'));
    text.map_or(part, |(archive, _)| Path::new(archive))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_once_in_files_folders_and_archives() {
        let folder = std::env::temp_dir().join(format!("navmap-stamps-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.zip");
        std::fs::write(&file, "one").unwrap();
        let member = PathBuf::from(format!("{}!maps/a.nav", file.display()));
        let all = [file.clone(), folder.clone(), member].map(|path| Stamps::new(vec![path]));
        assert!(all.iter().all(|stamps| !stamps.changed()));
        std::fs::write(&file, "longer").unwrap();
        assert!(all.iter().all(|stamps| stamps.changed() && !stamps.changed()));
        std::fs::remove_file(&file).unwrap();
        assert!(all.iter().all(|stamps| stamps.changed() && !stamps.changed()));
        std::fs::remove_dir(&folder).unwrap();
    }
}
