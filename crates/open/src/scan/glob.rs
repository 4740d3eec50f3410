//! Chooses the files and members of a scan by a pattern.

use super::{Keep, path_text};
use navmap_core::text::fits;
use std::path::Path;

/// Keeps paths that match a pattern, in which `*` stands for any letters, including slashes, and `?` for any one letter. The
/// pattern applies to the whole path; for a member of an archive that is `archive!member`.
///
/// ```
/// use navmap::scan::{Glob, Keep};
/// use std::path::Path;
///
/// let old = Glob::new("*/old/*.nav");
/// assert!(old.keeps(Path::new("maps/old/a.nav"), None));
/// assert!(!old.keeps(Path::new("maps.zip"), Some("old/a.nav")));
/// assert!(Glob::new("*.zip!old/*").keeps(Path::new("maps.zip"), Some("old/a.nav")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob(String);

impl Glob {
    /// Keeps paths that match this pattern.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self(pattern.into())
    }
}

impl Keep for Glob {
    fn keeps(&self, path: &Path, member: Option<&str>) -> bool {
        let path = path_text(path);
        match member {
            Some(member) => fits(&self.0, &format!("{path}!{member}"), '*', '?'),
            None => fits(&self.0, &path, '*', '?'),
        }
    }
}
