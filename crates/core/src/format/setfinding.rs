//! A finding about one of several files.

use crate::finding::Finding;
use crate::text::path_text;
use std::fmt;
use std::path::PathBuf;

/// A finding about a set of files, and the file that it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct SetFinding {
    /// The file.
    pub path: PathBuf,
    /// What is odd.
    pub finding: Finding,
}

impl fmt::Display for SetFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", path_text(&self.path), self.finding)
    }
}
