//! Whether a file is still the one that was read, as its length, times and identity tell: nobody reads a file anew for each request.

use navmap::bytes::Seen;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// What tells one state of a file from another; of a member of an archive there is nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Stamp(Option<Seen>);

impl Stamp {
    pub(super) fn of(path: &Path) -> Self {
        Self(Seen::at(path).ok().filter(|_| path.is_file()))
    }

    /// One number for this state of the file.
    pub(super) fn number(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}
