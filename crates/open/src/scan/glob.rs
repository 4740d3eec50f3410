//! Chooses the files and members of a scan by a pattern.

use super::{Keep, path_text};
use navmap_core::text::fits;
use std::path::Path;

/// Keeps what fits a pattern, in which `*` stands for any letters, slashes among them, and `?` for any one. It is matched
/// against the whole path, of a member of an archive against `archive!member`.
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
    /// Keeps what fits this pattern.
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
