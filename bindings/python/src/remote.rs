//! Files of object stores and servers: brought into a folder for as long as they are read, and called by their addresses.

use crate::fault::Fault;
use crate::threads::work;
use navmap::Error;
use navmap::scan::{Keep, Originals, Outcome};
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whether a path is the address of something elsewhere: `s3://bucket/maps`, `simplecache::https://host/a.nav`. A single letter
/// before a colon is a drive.
pub(crate) fn is_address(path: &Path) -> bool {
    let Some((scheme, rest)) = path.to_str().and_then(|text| text.split_once(':')) else { return false };
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-');
    let named = scheme.len() > 1 && scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    named && scheme.chars().all(word) && (rest.starts_with("//") || rest.starts_with(':'))
}

/// Files that were brought, and what they are called. The folder goes with the last who has this.
#[derive(Debug)]
pub(crate) struct Brought {
    folder: PathBuf,
    /// The copy of each address that was asked for, in order; what is no address stands for itself.
    pub(crate) paths: Vec<PathBuf>,
    /// The address of each copy.
    originals: HashMap<PathBuf, String>,
    /// Why there is no copy, by its place.
    failed: HashMap<PathBuf, String>,
}

impl Brought {
    /// Brings what lies at addresses; `None` if none of these paths is one. Of meshes that `keep` leaves out, and with `heads` of
    /// all meshes, only the first page is read.
    ///
    /// # Errors
    /// Without fsspec or what it needs for that store, if there is no room for the files, and an interrupt. What cannot be read
    /// there is no error here.
    pub(crate) fn bring(
        py: Python<'_>,
        paths: &[PathBuf],
        heads: bool,
        keep: Option<Arc<dyn Keep>>,
    ) -> PyResult<Option<Arc<Self>>> {
        if !paths.iter().any(|path| is_address(path)) {
            return Ok(None);
        }
        let options = PyDict::new(py);
        options.set_item("heads", heads)?;
        if let Some(keep) = keep {
            let keeps = move |asked: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
                let (address,): (String,) = asked.extract()?;
                PyResult::Ok(keep.keeps(Path::new(&address), None))
            };
            options.set_item("keeps", PyCFunction::new_closure(py, None, None, keeps)?)?;
        }
        // As text: a path of Python makes one slash of two.
        let marked: Vec<(&OsStr, bool)> =
            paths.iter().map(|path| (path.as_os_str(), is_address(path))).collect();
        let bring = py.import("navmap._remote")?.getattr("bring")?;
        let (folder, paths, originals, failed) = bring.call((marked,), Some(&options))?.extract()?;
        Ok(Some(Arc::new(Self { folder, paths, originals, failed })))
    }

    /// What a copy is called, or a member of it.
    pub(crate) fn original(&self, path: &Path) -> Option<PathBuf> {
        if let Some(address) = self.originals.get(path) {
            return Some(address.into());
        }
        let (archive, member) = path.to_str()?.split_once('!')?;
        let address = self.originals.get(Path::new(archive))?;
        Some(format!("{address}!{member}").into())
    }

    /// The error of a copy as one of its original.
    pub(crate) fn fault(&self, error: Error) -> Error {
        let Some(path) = error.file() else { return error };
        let Some(address) = self.original(path) else { return error };
        match self.failed.get(path) {
            Some(why) => Error::from(io::Error::other(why.clone())).in_file(address),
            None => error.in_original(address),
        }
    }
}

impl Drop for Brought {
    fn drop(&mut self) {
        // Nobody is left to be told, and a folder for temporary files is emptied anyway.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Originals for Brought {
    fn name(&self, outcome: &mut Outcome) {
        outcome.error = outcome.error.take().map(|error| self.fault(error));
        if let Some(address) = self.original(&outcome.path) {
            outcome.path = address;
        }
    }
}

/// A choice of files that is asked by their addresses.
#[derive(Debug)]
pub(crate) struct KeepOriginals {
    pub(crate) keep: Arc<dyn Keep>,
    pub(crate) brought: Arc<Brought>,
}

impl Keep for KeepOriginals {
    fn keeps(&self, path: &Path, member: Option<&str>) -> bool {
        match self.brought.original(path) {
            Some(address) => self.keep.keeps(&address, member),
            None => self.keep.keeps(path, member),
        }
    }
}

/// Opens what a path names, or the copy of what an address names.
///
/// # Errors
/// Those of `open`, which name the address, and those of [`Brought::bring`].
pub(crate) fn opened<T: Send>(
    py: Python<'_>,
    path: &Path,
    open: impl FnOnce(&Path) -> Result<T, Error> + Send,
) -> PyResult<(T, Option<Arc<Brought>>)> {
    let brought = Brought::bring(py, &[path.to_owned()], false, None)?;
    let copy = brought.as_ref().and_then(|brought| brought.paths.first());
    let done = work(py, || open(copy.map_or(path, PathBuf::as_path)));
    match (done, &brought) {
        (Ok(done), _) => Ok((done, brought)),
        (Err(error), None) => Err(Fault::from(error).into()),
        (Err(error), Some(brought)) => Err(Fault::from(brought.fault(error)).into()),
    }
}
