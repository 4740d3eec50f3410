//! Whether a file is still the one that was read, as its length, time and identity tell: nobody reads a file anew for each request.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::SystemTime;

/// What tells one state of a file from another; of a member of an archive there is nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Stamp(Option<(u64, Option<SystemTime>, u64)>);

impl Stamp {
    pub(super) fn of(path: &Path) -> Self {
        let data = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
        Self(data.map(|data| (data.len(), data.modified().ok(), identity(&data))))
    }

    /// One number for this state of the file.
    pub(super) fn number(self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

#[cfg(unix)]
fn identity(data: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(data)
}

#[cfg(not(unix))]
fn identity(_: &std::fs::Metadata) -> u64 {
    0
}
