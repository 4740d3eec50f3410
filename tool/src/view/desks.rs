//! The meshes that are being changed.

use super::desk::{Desk, How};
use navmap::error::{Error, Result};
use navmap::threads::locked;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// How many meshes that nobody has changed stay open for changes.
const UNTOUCHED: usize = 3;

/// A mesh that is being changed, which several pages may look at.
pub(super) type Shared = Arc<Mutex<Desk>>;

/// The meshes that are being changed, by the files that they are in: the spaces of a plugin are changed together.
pub(super) struct Desks {
    how: How,
    open: Mutex<Vec<(PathBuf, Shared)>>,
}

/// Locks a mesh that is being changed.
///
/// # Errors
/// If a panic broke off what was done with it before. It may be half changed, so nothing of it is shown or saved.
pub(super) fn unbroken<T>(of: &Mutex<T>) -> Result<MutexGuard<'_, T>> {
    of.lock().map_err(|_| {
        let why = "is broken since a panic in a command, and is neither shown nor saved: end navmap view and open it \
                   again, which offers the commands before that one";
        Error::invalid("the mesh", why)
    })
}

impl Desks {
    pub(super) fn new(how: How) -> Self {
        Self { how, open: Mutex::default() }
    }

    /// The mesh at a path if it is open, as it is now: opened again if nobody but another program has changed it.
    pub(super) fn at(&self, path: &Path) -> Option<Shared> {
        let open = locked(&self.open);
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
        let mut open = locked(&self.open);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn what_a_panic_may_have_left_half_changed_is_broken() {
        let mesh = Mutex::new(0);
        *unbroken(&mesh).unwrap() += 1;
        let fell = catch_unwind(|| {
            let mut half = unbroken(&mesh).unwrap();
            *half += 1;
            panic!("as any command may");
        });
        assert!(fell.is_err());
        for _ in 0..2 {
            let why = unbroken(&mesh).map(|mesh| *mesh).unwrap_err().to_string();
            assert!(why.contains("broken since a panic") && why.contains("open it again"), "{why}");
        }
        assert_eq!(*locked(&mesh), 2);
    }
}
