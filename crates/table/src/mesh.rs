//! Where rows come from.

use navmap_core::error::Error;

/// The source of rows: the values of the common columns.
#[derive(Debug)]
#[non_exhaustive]
pub struct Mesh<'m> {
    /// The file, or the archive.
    pub path: &'m str,
    /// The path inside the archive.
    pub member: Option<&'m str>,
    /// Number of the mesh in this run.
    pub file: u32,
    /// The error that prevented reading the mesh, or ended it early.
    pub error: Option<&'m Error>,
    /// Whether more rows of it follow. Only in a run [in parts](super::Run::in_parts).
    pub continues: bool,
}

impl<'m> Mesh<'m> {
    /// A mesh that was read without an error, for rows that come from outside a [`Run`](super::Run).
    pub fn named(path: &'m str, member: Option<&'m str>, file: u32) -> Self {
        Self { path, member, file, error: None, continues: false }
    }
}
