//! The meshes that are being changed.

use super::desk::{Desk, How};
use navmap::error::Result;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many meshes that nobody has changed stay open for changes.
const UNTOUCHED: usize = 3;

/// A mesh that is being changed, which several pages may look at.
pub(super) type Shared = Arc<Mutex<Desk>>;

/// The meshes that are being changed, by the files that they are in: the spaces of a plugin are changed together.
pub(super) struct Desks {
    how: How,
    open: Mutex<Vec<(PathBuf, Shared)>>,
}

pub(super) fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desks {
    pub(super) fn new(how: How) -> Self {
        Self { how, open: Mutex::default() }
    }

    /// The mesh at a path if it is open, as it is now: opened again if nobody but another program has changed it.
    pub(super) fn at(&self, path: &Path) -> Option<Shared> {
        let open = lock(&self.open);
        let found = open.iter().find(|(of, _)| of == path).map(|(_, desk)| Arc::clone(desk))?;
        drop(open);
        if !found.try_lock().is_ok_and(|desk| desk.is_outdated()) {
            return Some(found);
        }
        drop(found);
        self.open(path).ok()
    }

    /// The mesh at a path, which is opened if it is not.
    ///
    /// # Errors
    /// If it cannot be read or edited.
    pub(super) fn open(&self, path: &Path) -> Result<Shared> {
        let mut open = lock(&self.open);
        let mut first = 0;
        if let Some(at) = open.iter().position(|(of, _)| of == path) {
            let (_, desk) = &open[at];
            // Pages that show the file as it was find out by the revision.
            let is_idle = Arc::strong_count(desk) == 1;
            let outdated = desk.try_lock().ok().filter(|desk| is_idle && desk.is_outdated());
            match outdated.map(|desk| desk.revision()) {
                None => return Ok(Arc::clone(desk)),
                Some(revision) => first = revision + 1,
            }
            open.remove(at);
        }
        let desk = Arc::new(Mutex::new(Desk::open(path, &self.how, first)?));
        open.push((path.to_owned(), Arc::clone(&desk)));
        let is_idle = |desk: &Shared| {
            Arc::strong_count(desk) == 1 && desk.try_lock().is_ok_and(|desk| desk.is_untouched())
        };
        let idle = open.iter().filter(|(_, desk)| is_idle(desk)).count();
        let mut over = idle.saturating_sub(UNTOUCHED);
        open.retain(|(_, desk)| {
            let goes = over > 0 && is_idle(desk);
            over -= usize::from(goes);
            !goes
        });
        Ok(desk)
    }
}
