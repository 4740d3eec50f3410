//! An archive that stays open from one named member to the next.

use crate::open::{ArchiveFile, Directory};
use crate::scan::maps;
use navmap_core::Limits;
use navmap_core::error::Result;
use std::cell::OnceCell;

/// The archive of the last member that was named, since the next one often lies in the same.
pub(super) struct Shelf {
    pub(super) open: ArchiveFile,
    /// From the second member on.
    pub(super) directory: Option<Directory>,
    is_listed: bool,
    maps: OnceCell<maps::Maps>,
}

impl Shelf {
    pub(super) fn new(open: ArchiveFile) -> Self {
        Self { open, directory: None, is_listed: false, maps: OnceCell::new() }
    }

    /// With a directory, since another member is read from it.
    pub(super) fn listed(mut self: Box<Self>, limits: &Limits) -> Result<Self> {
        if !std::mem::replace(&mut self.is_listed, true) {
            self.directory = Directory::of(&self.open.archive()?, limits);
        }
        Ok(*self)
    }

    pub(super) fn maps(&self, limits: &Limits) -> Result<&maps::Maps> {
        let archive = self.open.archive()?;
        Ok(self.maps.get_or_init(|| maps::find(&archive, limits)))
    }
}
