//! What a desk reads and writes on disk.

use super::{Desk, Left, No, fingerprint, told};
use crate::beside::folder;
use crate::inputs;
use crate::save::{save, save_over};
use navmap::error::{Error, Result};
use std::path::{Path, PathBuf};

/// What was saved.
#[derive(Debug)]
pub(in crate::view) struct Written {
    pub(in crate::view) file: PathBuf,
    /// The file as it was before.
    pub(in crate::view) copy: Option<PathBuf>,
    /// What went wrong with the journal.
    pub(in crate::view) said: Option<String>,
}

impl Desk {
    /// Takes what is on disk for what was opened.
    pub(super) fn look(&mut self) -> Result<()> {
        self.disk = vec![(self.path.clone(), fingerprint(&self.now))];
        for part in self.parts.iter().filter(|part| **part != self.path) {
            let bytes = inputs::bytes(part)?;
            self.disk.push((part.clone(), fingerprint(&bytes)));
        }
        Ok(())
    }

    /// Saves the mesh: over the file that was opened, or to a new one of this name beside it.
    ///
    /// # Errors
    /// If the file is no longer what was opened, or cannot be written.
    pub(in crate::view) fn save(
        &mut self,
        base: u64,
        name: Option<&str>,
    ) -> std::result::Result<Written, No> {
        self.is_current(base)?;
        self.is_answered()?;
        if self.lost {
            let why = "was read only in part, and what is left may crash the game: it is not saved";
            return Err(Error::invalid("the mesh", why).into());
        }
        let (bytes, further) = (self.session.encode()?, self.session.further()?);
        if let Some(name) = name {
            let path = folder(&self.path).join(plain(name)?);
            if !further.is_empty() {
                let why = "is for one file, and another part of the mesh has changed as well";
                return Err(Error::invalid("a name", why).into());
            }
            save(&path, false, |out| out.write_all(&bytes))?;
            return Ok(Written { file: path, copy: None, said: None });
        }
        let Some(file) = self.file().map(Path::to_owned) else {
            if self.path.symlink_metadata().is_ok() {
                return Err(No::Changed);
            }
            return Err(Error::invalid("the archive", "is not written: save the mesh under a name").into());
        };
        let mut files = vec![(file.clone(), bytes)];
        let parts = &self.parts;
        files.extend(further.into_iter().filter_map(|(part, bytes)| Some((parts.get(part)?.clone(), bytes))));
        let mut held = Vec::new();
        for (path, _) in &files {
            // What is locked while it is written is what is compared here, and no pipe that was put there.
            if path.metadata().is_ok_and(|data| !data.is_file()) {
                return Err(No::Changed);
            }
            inputs::again(path);
            let holding = inputs::hold(path)?;
            let disk = holding.as_ref().map_or_else(|| std::fs::read(path), inputs::Holding::read);
            let disk = disk.map_err(|error| Error::from(error).in_file(path))?;
            held.push(holding);
            let known = self.disk.iter().find(|(known, _)| known == path).map(|(_, disk)| *disk);
            if known != Some(fingerprint(&disk)) {
                return Err(No::Changed);
            }
        }
        let mut copy = None;
        for ((path, bytes), holding) in files.iter().zip(held) {
            let kept = save_over(path, holding, false, bytes, !self.backed_up)?;
            if *path == file {
                copy = kept;
            }
            let now = fingerprint(bytes);
            self.disk.iter_mut().filter(|(known, _)| known == path).for_each(|(_, disk)| *disk = now);
        }
        self.backed_up |= copy.is_some();
        let journal = self.session.journal();
        let now = fingerprint(&self.now);
        // The mesh is written, whether that is noted or not.
        let said = self.trail.as_mut().and_then(|trail| told(trail.saved(now, copy.as_deref(), &journal)));
        Ok(Written { file, copy, said })
    }

    /// The file as it was before the session that left this had saved it.
    pub(super) fn original(&self, left: &Left) -> Option<Vec<u8>> {
        let bytes = inputs::bytes(left.facts.copy.as_ref()?).ok()?;
        (fingerprint(&bytes) == left.facts.base && self.parts.is_empty()).then_some(bytes)
    }
}

/// A name of a file without a folder.
fn plain(name: &str) -> Result<&str> {
    let foreign = |c: char| c.is_control() || "/\\:*?\"<>|!".contains(c);
    if name.is_empty() || name.len() > 200 || name.starts_with('.') || name.contains(foreign) {
        let why = "is no plain name of a file beside the mesh";
        return Err(Error::invalid("the name", why));
    }
    Ok(name)
}
