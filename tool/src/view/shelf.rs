//! The meshes that a page can choose from, and those it shows.

use super::desks::{Desks, Shared, unbroken};
use super::load::{Shown, Wanted};
use super::of::Of;
use super::rows::{self, Row, typed};
use super::stamp::Stamp;
use super::thumbnails::{self, Thumbnails};
use crate::floor;
use crate::out::complain;
use navmap::Counts;
use navmap::bytes::Scratch;
use navmap::draw::Theme;
use navmap::error::{Error, Result};
use navmap::format::{HullName, NavFile};
use navmap::open::{Item, OpenOptions, Place, is_stream};
use navmap::text::path_text;
use navmap::threads::locked;
use serde::Serialize;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

/// How many meshes are kept in memory: the one that is looked at, and the one before.
const KEPT: usize = 2;

/// The most counts that a row has: those that a family names first.
const MOST_COUNTS: usize = 2;

/// The rows of the list from one on.
#[derive(Debug, Serialize)]
pub(super) struct Rows {
    rows: Vec<Row>,
    done: bool,
    /// Whether meshes can be changed.
    edits: bool,
    /// Whether there are floor plans.
    plans: bool,
}

/// Two meshes by their numbers with their states, and what changed between them.
type Compared = ((usize, usize, u64, u64), Arc<Shown>);

/// Every mesh below the typed paths. A mesh is named by its number in the list, never by a path.
pub(super) struct Shelf {
    options: OpenOptions,
    hull: Option<HullName>,
    rows: Mutex<Vec<Row>>,
    done: AtomicBool,
    /// A map, or a folder of maps, whose floor plans lie under the meshes.
    maps: Option<PathBuf>,
    /// Where models of their static props lie.
    models: Vec<PathBuf>,
    shown: Mutex<VecDeque<(usize, Arc<Shown>)>>,
    thumbnails: Mutex<Thumbnails>,
    /// The comparison that was looked at last.
    change: Mutex<Option<Compared>>,
    /// The meshes that are being changed, if that is allowed.
    desks: Option<Desks>,
    /// What is listed besides the meshes at the paths, or in place of them.
    others: Vec<Of>,
}

/// Refuses a path at which there is nothing to show.
///
/// # Errors
/// If it does not exist, or is no mesh, archive or folder.
pub(super) fn probe(path: &Path, options: &OpenOptions) -> Result<()> {
    not_once(path)?;
    Place::at(path, options).map(drop)
}

/// Refuses what can be read once, or never: a mesh is read whenever a page asks for it.
fn not_once(path: &Path) -> Result<()> {
    if is_stream(path) {
        let why = "is a pipe or a device, which is read once: view --html makes one page of it";
        return Err(Error::invalid("path", why).in_file(path));
    }
    Ok(())
}

impl Shelf {
    pub(super) fn new(
        options: OpenOptions,
        hull: Option<HullName>,
        (maps, models): (Option<PathBuf>, Vec<PathBuf>),
        desks: Option<Desks>,
        others: Vec<Of>,
    ) -> Self {
        let (rows, shown) = (Mutex::default(), Mutex::default());
        Self {
            options,
            hull,
            rows,
            done: AtomicBool::new(false),
            maps,
            models,
            shown,
            thumbnails: Mutex::default(),
            change: Mutex::default(),
            desks,
            others,
        }
    }

    /// Lists what lies at the paths, mesh after mesh. With a space, only what has that name.
    pub(super) fn fill(&self, paths: &[PathBuf], space: Option<&str>) {
        let mut scratch = Scratch::new();
        let is_whole = self.others.iter().any(Of::replaces);
        for path in paths.iter().filter(|_| !is_whole) {
            let mut put = |item: Item<'_>| {
                locked(&self.rows).push(self.row(item, &mut scratch));
                ControlFlow::Continue(())
            };
            let visited = match space {
                Some(space) => self.put_space(path, space),
                None => not_once(path)
                    .and_then(|()| Place::at(path, &self.options))
                    .and_then(|place| place.visit(&self.options, &mut put))
                    .map(|beside| {
                        beside.unread.iter().for_each(|error| complain(format_args!("navmap: {error}")));
                    }),
            };
            if let Err(error) = visited {
                complain(format_args!("navmap: {error}"));
            }
        }
        let first = paths.first().map_or(Path::new(""), PathBuf::as_path);
        for of in &self.others {
            match rows::of(of, first, space) {
                Ok(rows) => locked(&self.rows).extend(rows),
                Err(error) => complain(format_args!("navmap: {error}")),
            }
        }
        self.done.store(true, SeqCst);
        // The first mesh is read while the browser starts.
        let _ = self.shown(0);
    }

    /// Lists one space of a plugin, or one map of tiles.
    fn put_space(&self, path: &Path, space: &str) -> Result<()> {
        let wanted =
            Wanted { path: path.to_owned(), of: Of::Mesh, space: Some(space.to_owned()), hull: self.hull };
        let title = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let place = format!("{} {space}", path_text(path));
        let subtitle = space.to_owned();
        let row = Row { title, subtitle, counts: Vec::new(), findings: 0, place, error: None, wanted };
        locked(&self.rows).push(row);
        Ok(())
    }

    fn row(&self, item: Item<'_>, scratch: &mut Scratch) -> Row {
        let (mut counts, mut findings) = (Counts::default(), 0);
        // Of a file with several spaces nobody wants to walk all of it for each.
        if let Some(nav) = item.nav().filter(|_| item.space.is_none()) {
            let options = self.options.format();
            let mut found = |finding| findings += u64::from(options.weigh(finding).severity.counts());
            // What ends the reading is dropped here, and told where the mesh is shown: a row has what was counted before.
            let _ = nav.survey(scratch, &mut counts, &mut found);
        }
        let location = item.location();
        let space = item.space.as_ref().map(ToString::to_string);
        let place = [Some(path_text(&location).into_owned()), space];
        Row {
            subtitle: item.subtitle(),
            place: place.into_iter().flatten().collect::<Vec<_>>().join(" "),
            error: item.error.as_ref().map(|error| error.without_file().to_string()),
            counts: counts.iter().filter(|(_, count)| *count > 0).take(MOST_COUNTS).collect(),
            findings,
            title: item.title,
            wanted: Wanted {
                path: location,
                of: Of::Mesh,
                space: item.space.as_ref().map(typed),
                hull: self.hull,
            },
        }
    }

    /// The list from a row on, and whether it is complete.
    pub(super) fn rows(&self, from: usize) -> Rows {
        /// The most rows in one answer.
        const MOST: usize = 1_000;
        let done = self.done.load(SeqCst);
        let all = locked(&self.rows);
        let rows: Vec<Row> = all.iter().skip(from).take(MOST).cloned().collect();
        let done = done && from.saturating_add(rows.len()) >= all.len();
        Rows { rows, done, edits: self.desks.is_some(), plans: self.maps.is_some() }
    }

    /// The floor plan of the map of a mesh; `None` if there is no such mesh. Without a map, no bytes.
    ///
    /// # Errors
    /// If the mesh or its map cannot be read.
    pub(super) fn plan(&self, number: usize) -> Option<Result<Vec<u8>, Error>> {
        let path = locked(&self.rows).get(number)?.wanted.path.clone();
        let shown = match self.shown(number)? {
            Ok(shown) => shown,
            Err(error) => return Some(Err(error)),
        };
        let Some(maps) = &self.maps else { return Some(Ok(Vec::new())) };
        let plan = match maps.is_dir() {
            true => floor::beside(maps, &self.models, &path.to_string_lossy(), &shown.graph, &self.options),
            false => floor::plan(maps, &self.models, &shown.graph, &self.options).map(Some),
        };
        Some(plan.map(|plan| plan.map_or_else(Vec::new, |plan| navmap_view::plan(&plan))))
    }

    /// A small picture of the mesh of this number, as PNG: of the file as it was when the picture was made. `None` if there is no such
    /// number.
    pub(super) fn thumbnail(&self, number: usize, theme: Theme) -> Option<Vec<u8>> {
        let wanted = locked(&self.rows).get(number)?.wanted.clone();
        // One is made after the other: the mesh that is looked at goes first, and memory has one of them at a time.
        let mut thumbnails = locked(&self.thumbnails);
        Some(thumbnails.get((number, theme), || {
            let shown = matches!(wanted.of, Of::Mesh).then(|| self.unchanged(number, &wanted.path)).flatten();
            match shown {
                Some(shown) => thumbnails::of_graph(Some(&shown.graph), theme),
                None if not_once(&wanted.path).is_err() => thumbnails::of_graph(None, theme),
                None => thumbnails::make(&wanted, &self.options, theme),
            }
        }))
    }

    /// The mesh of this number, if it is in memory as it is in the file. Does not wait for one that is being read.
    fn unchanged(&self, number: usize, path: &Path) -> Option<Arc<Shown>> {
        let kept = self.shown.try_lock().ok()?;
        let stamp = Stamp::of(path);
        known(&kept, number, |shown| shown.revision == 0 && shown.stamp == stamp)
    }

    /// What changed from one mesh of the list to another; `None` if there is no such number.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub(super) fn change(&self, before: usize, after: usize) -> Option<Result<Arc<Shown>, Error>> {
        let mut last = locked(&self.change);
        let (before_shown, after_shown) = (self.shown(before)?, self.shown(after)?);
        let (from, to) = match (before_shown, after_shown) {
            (Ok(from), Ok(to)) => (from, to),
            (Err(error), _) | (_, Err(error)) => return Some(Err(error)),
        };
        let key = (before, after, from.edition(), to.edition());
        if let Some((of, shown)) = &*last
            && *of == key
        {
            return Some(Ok(Arc::clone(shown)));
        }
        let shown =
            Arc::new(Shown::change(&from, &to, format!("changed since {}", from.title()), Vec::new()));
        *last = Some((key, Arc::clone(&shown)));
        Some(Ok(shown))
    }

    /// The mesh of this number, opened for changes; `None` if there is no such number, or nothing is changed by this program.
    ///
    /// # Errors
    /// If it cannot be read or edited.
    pub(super) fn desk(&self, number: usize) -> Option<Result<Shared, Error>> {
        let Wanted { path, of, .. } = locked(&self.rows).get(number)?.wanted.clone();
        let desks = self.desks.as_ref()?;
        if !matches!(of, Of::Mesh) {
            return Some(Err(Error::invalid("a difference", "is shown and not changed: choose the mesh")));
        }
        Some(desks.open(&path))
    }

    /// The mesh of this number, read if it is not in memory.
    ///
    /// # Errors
    /// If there is no such number, the mesh cannot be read, or it is [broken](unbroken).
    pub(super) fn shown(&self, number: usize) -> Option<Result<Arc<Shown>, Error>> {
        let wanted = locked(&self.rows).get(number)?.wanted.clone();
        let desks = self.desks.as_ref().filter(|_| matches!(wanted.of, Of::Mesh));
        let desk = desks.and_then(|desks| desks.at(&wanted.path));
        // Before what is shown is locked: a long command holds up its own mesh alone.
        let now: Result<_> = desk.map_or(Ok((0, None)), |desk| {
            let mut desk = unbroken(&desk)?;
            let revision = desk.revision();
            let is_new = revision > 0
                && known(&locked(&self.shown), number, |shown| shown.revision == revision).is_none();
            Ok((revision, is_new.then(|| desk.now())))
        });
        let (revision, now) = match now {
            Ok(now) => now,
            Err(error) => return Some(Err(error)),
        };
        let stamp = if matches!(wanted.of, Of::Mesh) { Stamp::of(&wanted.path) } else { Stamp::default() };
        let is_now = |shown: &Shown| shown.revision == revision && (revision > 0 || shown.stamp == stamp);
        // Whoever asks for the same mesh meanwhile waits for it instead of reading it again.
        let mut kept = locked(&self.shown);
        if let Some(shown) = known(&kept, number, is_now) {
            return Some(Ok(shown));
        }
        let shown = match now {
            // It was there, and has made room for another one meanwhile.
            None if revision > 0 => {
                drop(kept);
                return self.shown(number);
            }
            None => not_once(&wanted.path).and_then(|()| Shown::load(&wanted, &self.options)),
            Some(now) => {
                let before = known(&kept, number, |_| true);
                Shown::edited(&now, &wanted, &self.options, before.as_deref())
            }
        };
        let shown = match shown {
            Ok(shown) => Arc::new(shown),
            Err(error) => return Some(Err(error)),
        };
        kept.retain(|(of, _)| *of != number);
        kept.truncate(KEPT - 1);
        kept.push_front((number, Arc::clone(&shown)));
        Some(Ok(shown))
    }
}

/// What is kept of a mesh, if it is as it should be.
fn known(
    kept: &VecDeque<(usize, Arc<Shown>)>,
    number: usize,
    is_right: impl Fn(&Shown) -> bool,
) -> Option<Arc<Shown>> {
    kept.iter().find(|(of, shown)| *of == number && is_right(shown)).map(|(_, shown)| Arc::clone(shown))
}
