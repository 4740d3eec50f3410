//! The meshes that a page can choose from, and those it shows.

use super::load::{Shown, Wanted};
use crate::out::complain;
use navmap::Space;
use navmap::error::{Error, Result};
use navmap::format::HullName;
use navmap::open::{Item, OpenOptions, Place};
use serde::Serialize;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many meshes are kept in memory: the one that is looked at, and the one before.
const KEPT: usize = 2;

/// A mesh in the list.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    title: String,
    /// Game and version.
    subtitle: String,
    /// Path, member and space.
    #[serde(rename = "where")]
    place: String,
    /// Why it cannot be read.
    error: Option<String>,
    #[serde(skip)]
    wanted: Wanted,
}

/// The rows of the list from one on.
#[derive(Debug, Serialize)]
pub(super) struct Rows {
    rows: Vec<Row>,
    done: bool,
}

/// Every mesh below the typed paths. A mesh is named by its number in the list, never by a path.
#[derive(Debug)]
pub(super) struct Shelf {
    options: OpenOptions,
    hull: Option<HullName>,
    rows: Mutex<Vec<Row>>,
    done: AtomicBool,
    shown: Mutex<VecDeque<(usize, Arc<Shown>)>>,
}

/// Refuses a path at which there is nothing to show.
///
/// # Errors
/// If it does not exist, or is no mesh, archive or folder.
pub(super) fn probe(path: &Path, options: &OpenOptions) -> Result<()> {
    Place::at(path, options).map(drop)
}

/// What chooses a space in its file.
fn typed(space: &Space) -> String {
    match space {
        Space::World { form, .. } | Space::Cell { form, .. } | Space::Object { form, .. } => {
            format!("{form:08X}")
        }
        other => other.to_string(),
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shelf {
    pub(super) fn new(options: OpenOptions, hull: Option<HullName>) -> Self {
        let (rows, shown) = (Mutex::default(), Mutex::default());
        Self { options, hull, rows, done: AtomicBool::new(false), shown }
    }

    /// Lists what lies at the paths, mesh after mesh. With a space, only what has that name.
    pub(super) fn fill(&self, paths: &[PathBuf], space: Option<&str>) {
        for path in paths {
            let mut put = |item: Item<'_>| {
                lock(&self.rows).push(self.row(item));
                ControlFlow::Continue(())
            };
            let visited = match space {
                Some(space) => self.put_space(path, space),
                None => Place::at(path, &self.options)
                    .and_then(|place| place.visit(&self.options, &mut put))
                    .map(|beside| {
                        beside.unread.iter().for_each(|error| complain(format_args!("navmap: {error}")));
                    }),
            };
            if let Err(error) = visited {
                complain(format_args!("navmap: {error}"));
            }
        }
        self.done.store(true, SeqCst);
    }

    /// Lists one space of a plugin, or one map of tiles.
    fn put_space(&self, path: &Path, space: &str) -> Result<()> {
        let wanted = Wanted { path: path.to_owned(), space: Some(space.to_owned()), hull: self.hull };
        let title = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let place = format!("{} {space}", path.display());
        let row = Row { title, subtitle: space.to_owned(), place, error: None, wanted };
        lock(&self.rows).push(row);
        Ok(())
    }

    fn row(&self, item: Item<'_>) -> Row {
        let location = item.location();
        let space = item.space.as_ref().map(ToString::to_string);
        let place = [Some(location.display().to_string()), space];
        Row {
            subtitle: item.subtitle(),
            place: place.into_iter().flatten().collect::<Vec<_>>().join(" "),
            error: item.error.as_ref().map(|error| error.without_file().to_string()),
            title: item.title,
            wanted: Wanted { path: location, space: item.space.as_ref().map(typed), hull: self.hull },
        }
    }

    /// The list from a row on, and whether it is complete.
    pub(super) fn rows(&self, from: usize) -> Rows {
        /// The most rows in one answer.
        const MOST: usize = 1_000;
        let done = self.done.load(SeqCst);
        let all = lock(&self.rows);
        let rows: Vec<Row> = all.iter().skip(from).take(MOST).cloned().collect();
        let done = done && from.saturating_add(rows.len()) >= all.len();
        Rows { rows, done }
    }

    /// The mesh of this number, read if it is not in memory.
    ///
    /// # Errors
    /// If there is no such number, or the mesh cannot be read.
    pub(super) fn shown(&self, number: usize) -> Option<Result<Arc<Shown>, Error>> {
        let wanted = lock(&self.rows).get(number)?.wanted.clone();
        // Whoever asks for the same mesh meanwhile waits for it instead of reading it again.
        let mut kept = lock(&self.shown);
        if let Some((_, shown)) = kept.iter().find(|(of, _)| *of == number) {
            return Some(Ok(Arc::clone(shown)));
        }
        let shown = match Shown::load(&wanted, &self.options) {
            Ok(shown) => Arc::new(shown),
            Err(error) => return Some(Err(error)),
        };
        kept.truncate(KEPT - 1);
        kept.push_front((number, Arc::clone(&shown)));
        Some(Ok(shown))
    }
}
