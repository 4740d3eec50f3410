//! The meshes that a statement may request, and the batches read last.

use super::ahead::{Ahead, Taken};
use super::course::Course;
use super::loaded::{Loaded, Named, Numbers, Place};
use crate::batch::{Batch, Out, Sheets};
use crate::rows::neutral::{FILES, FINDINGS};
use crate::run::{Run, own_name};
use crate::schema::Table;
use crate::{Mesh, fill};
use navmap_core::bytes::{Backing, Scratch, Stamp};
use navmap_core::error::{Error, Result};
use navmap_core::threads::locked;
use navmap_formats::AnyNav;
use navmap_open::open::{Bytes, Files, location};
use navmap_open::scan::{Outcome, Scan, Task, path_text};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};

/// Meshes whose batches are kept: joins stay within a mesh, with one batch for each joined table.
const KEPT: usize = 8;

/// Meshes to read ahead before deciding again whether it helps.
const WINDOW: usize = 1000;

/// Errors of unreadable meshes. Each is reported once.
pub(super) type Failures = Arc<Mutex<BTreeMap<String, String>>>;

/// The meshes at a list of paths.
#[derive(Debug)]
pub(super) struct Shelf {
    paths: Vec<PathBuf>,
    scan: Scan,
    /// Whether damaged meshes have no rows.
    strict: bool,
    failures: Failures,
    /// Tells it from the other shelves of a database.
    number: u64,
    found: Mutex<Option<Arc<Listing>>>,
    /// Whether the files are no larger than this together, of the last size that was asked for.
    within: Mutex<Option<(u64, bool)>>,
    kept: Mutex<VecDeque<(Key, Arc<Loaded>)>>,
    files: Mutex<Option<(u64, Vec<Arc<Loaded>>)>>,
    /// The order in which a grouped table requests meshes, while one is read.
    course: Mutex<Option<Arc<Course>>>,
}

/// Table, wanted columns.
type Wanted = (&'static Table, u64);

/// Mesh, table, wanted columns.
type Key = (u32, &'static str, u64);

#[derive(Debug, Default)]
struct Listing {
    meshes: Vec<Found>,
    by_path: HashMap<String, Vec<u32>>,
    /// The files and folders that it was made from, as they were.
    seen: Vec<(PathBuf, Option<Stamp>)>,
}

#[derive(Debug)]
struct Found {
    path: PathBuf,
    text: Arc<str>,
    member: Option<Arc<str>>,
    /// Whether the archive has several members of this name.
    is_repeated: bool,
}

impl Listing {
    /// Notes the state of all files, and of the folders between them and `roots`.
    fn mark_seen(&mut self, roots: &[PathBuf]) {
        let mut paths: BTreeSet<&Path> = roots.iter().map(PathBuf::as_path).collect();
        for found in &self.meshes {
            for path in found.path.ancestors() {
                if path.as_os_str().is_empty() || !paths.insert(path) {
                    break;
                }
            }
        }
        self.seen = paths.into_iter().map(|path| (path.to_owned(), Stamp::at(path))).collect();
    }

    fn is_current(&self) -> bool {
        self.seen.iter().all(|(path, was)| Stamp::at(path) == *was)
    }

    fn mark_repeated(&mut self) {
        let mut by_name: HashMap<(Arc<str>, Arc<str>), usize> = HashMap::new();
        for at in 0..self.meshes.len() {
            let Some(found) = self.meshes.get_mut(at) else { return };
            let Some(member) = found.member.clone() else { continue };
            let first = *by_name.entry((Arc::clone(&found.text), member)).or_insert(at);
            found.is_repeated = first != at;
            if let (true, Some(first)) = (first != at, self.meshes.get_mut(first)) {
                first.is_repeated = true;
            }
        }
    }
}

/// An empty batch for the columns of a mask.
fn empty(table: &'static Table, mask: u64) -> Batch {
    let mut at = 0u32;
    Batch::new(table, |_| {
        let wanted = mask.checked_shr(at).unwrap_or(0) & 1 == 1;
        at = at.saturating_add(1);
        wanted
    })
}

impl Shelf {
    pub(super) fn new(paths: Vec<PathBuf>, scan: Scan, strict: bool, failures: Failures) -> Self {
        let (found, within, kept, files, course) = Default::default();
        Self { paths, scan, strict, failures, number: 0, found, within, kept, files, course }
    }

    /// A shelf for other paths with the same options.
    pub(super) fn beside(&self, paths: Vec<PathBuf>, number: u64) -> Self {
        Self { number, ..Self::new(paths, self.scan.clone(), self.strict, Arc::clone(&self.failures)) }
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Whether it is of one path, so that no file is walked twice.
    pub(super) fn is_one_path(&self) -> bool {
        self.paths.len() <= 1
    }

    /// Whether its files are no larger than this together. Opens none of them, and lists them once for all plans of a statement.
    pub(super) fn is_within(&self, bytes: u64) -> bool {
        let mut within = locked(&self.within);
        if let Some((_, fits)) = within.filter(|(asked, _)| *asked == bytes) {
            return fits;
        }
        let fits = Files::new(self.paths.clone()).try_fold(bytes, |left, found| {
            let about = found.ok().and_then(|found| found.path.metadata().ok());
            left.checked_sub(about.map_or(0, |about| about.len()))
        });
        let fits = fits.is_some();
        *within = Some((bytes, fits));
        fits
    }

    /// Whether statements are to stop. What is read then may lack meshes or rows, and is not kept.
    pub(super) fn is_stopped(&self) -> bool {
        self.scan.stop.load(Relaxed)
    }

    /// Forgets what was read if files have changed since.
    pub(super) fn refresh(&self) {
        *locked(&self.within) = None;
        let mut found = locked(&self.found);
        if found.as_ref().is_some_and(|listing| listing.is_current()) {
            return;
        }
        *found = None;
        locked(&self.kept).clear();
        *locked(&self.files) = None;
    }

    pub(super) fn scan(&self) -> &Scan {
        &self.scan
    }

    /// Reads one page of each file.
    fn listing(&self) -> Arc<Listing> {
        let mut found = locked(&self.found);
        if let Some(listing) = &*found {
            return Arc::clone(listing);
        }
        let mut listing = Listing::default();
        let scan = Scan { task: Task::Head, ordered: true, progress: Arc::default(), ..self.scan.clone() };
        scan.run(self.paths.clone(), &mut |outcome: Outcome| {
            let text: Arc<str> = Arc::from(&*path_text(&outcome.path));
            let member = outcome.member.as_deref().map(Arc::from);
            listing.by_path.entry(text.to_string()).or_default().push(listing.meshes.len() as u32);
            listing.meshes.push(Found { path: outcome.path, text, member, is_repeated: false });
            ControlFlow::Continue(())
        });
        listing.mark_repeated();
        listing.mark_seen(&self.paths);
        let listing = Arc::new(listing);
        if !self.is_stopped() {
            *found = Some(Arc::clone(&listing));
        }
        listing
    }

    /// How many meshes there are.
    pub(super) fn len(&self) -> usize {
        self.listing().meshes.len()
    }

    /// Numbers of the meshes with exactly this path.
    pub(super) fn at(&self, path: &str) -> Vec<u32> {
        self.listing().by_path.get(path).cloned().unwrap_or_default()
    }

    /// Numbers of the meshes whose path matches.
    pub(super) fn fitting(&self, mut fits: impl FnMut(&str) -> bool) -> Vec<u32> {
        let listing = self.listing();
        let meshes = listing.meshes.iter().zip(0..);
        meshes.filter(|(found, _)| fits(&found.text)).map(|(_, file)| file).collect()
    }

    fn failed(&self, path: &str, member: Option<&str>, error: &Error) {
        let at = location(Path::new(path), member).display().to_string();
        locked(&self.failures).entry(at).or_insert_with(|| error.without_file().to_string());
    }

    /// Expects meshes to be requested on this course.
    pub(super) fn follow(&self, course: &Arc<Course>) {
        *locked(&self.course) = Some(Arc::clone(course));
    }

    /// Expects them in the order of their numbers again, unless another course is followed meanwhile.
    pub(super) fn leave(&self, course: &Arc<Course>) {
        locked(&self.course).take_if(|followed| Arc::ptr_eq(followed, course));
    }

    /// Reads all meshes in order, on threads of its own, a few ahead of the receiver. `in_parts`, a large mesh comes as several.
    pub(super) fn stream(self: &Arc<Self>, (table, mask): Wanted, in_parts: bool) -> Receiver<Loaded> {
        self.read(self.paths.clone(), Numbers::From(0), (table, mask), in_parts)
    }

    /// Reads the meshes of a course from this place on, up to one in an archive, at most [`WINDOW`].
    fn stream_on(
        self: &Arc<Self>,
        course: &Course,
        place: u32,
        table: &'static Table,
        mask: u64,
    ) -> Receiver<Loaded> {
        let listing = self.listing();
        let found = course.from(place).iter().map_while(|file| {
            let found = listing.meshes.get(*file as usize).filter(|found| found.member.is_none())?;
            Some((found.path.clone(), *file))
        });
        let (paths, files) = found.take(WINDOW).unzip();
        self.read(paths, Numbers::These(files), (table, mask), false)
    }

    /// Reads the mesh of this number and the next [`WINDOW`] ones. An archive is read from its first member on.
    fn stream_from(self: &Arc<Self>, file: u32, table: &'static Table, mask: u64) -> Receiver<Loaded> {
        let listing = self.listing();
        let meshes = &listing.meshes;
        let before = meshes.get(..file as usize).unwrap_or_default();
        let of_archive = |found: &&Found| {
            found.member.is_some() && meshes.get(file as usize).is_some_and(|begun| begun.path == found.path)
        };
        let first = before.len() - before.iter().rev().take_while(of_archive).count();
        let mut paths: Vec<PathBuf> = Vec::new();
        for found in meshes.iter().skip(first).take(WINDOW) {
            if found.member.is_none() || paths.last() != Some(&found.path) {
                paths.push(found.path.clone());
            }
        }
        self.read(paths, Numbers::From(first as u32), (table, mask), false)
    }

    /// Reads the meshes at `paths`.
    fn read(
        self: &Arc<Self>,
        paths: Vec<PathBuf>,
        numbers: Numbers,
        (table, mask): Wanted,
        in_parts: bool,
    ) -> Receiver<Loaded> {
        let (sender, receiver) = sync_channel(4);
        let shelf = Arc::clone(self);
        // If memory does not allow a thread, nothing is sent: the statement has no rows and an error.
        let spawned = std::thread::Builder::new().spawn(move || {
            let run = Run::filling(shelf.scan.clone(), Sheets::from_batches(vec![empty(table, mask)]))
                .strict(shelf.strict);
            let run = if in_parts { run.in_parts() } else { run };
            let mut rows_before = 0_u32;
            run.run(paths, &mut |mesh: &Mesh<'_>, sheets: &mut Sheets| {
                if let Some(error) = mesh.error {
                    shelf.failed(mesh.path, mesh.member, error);
                }
                let before = std::mem::take(&mut rows_before);
                let Some(batch) = sheets.batches_mut().first_mut().filter(|batch| batch.rows() > 0) else {
                    return ControlFlow::Continue(());
                };
                if mesh.continues {
                    rows_before = before.saturating_add(batch.rows() as u32);
                }
                let batch = std::mem::replace(batch, empty(table, mask));
                let Some(file) = numbers.get(mesh.file) else { return ControlFlow::Break(()) };
                let named = Named { path: mesh.path.into(), member: mesh.member.map(Arc::from), file };
                let loaded = Loaded::after(batch, named, before);
                match sender.send(loaded) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            });
        });
        if let Err(error) = spawned {
            self.failed("thread", None, &Error::from(error));
        }
        receiver
    }

    /// The rows of `files` for all meshes. They are few, and kept.
    pub(super) fn files(self: &Arc<Self>, mask: u64) -> Vec<Arc<Loaded>> {
        let mut files = locked(&self.files);
        match &*files {
            // A result with more columns also serves a request for fewer.
            Some((known, rows)) if mask & !known == 0 => rows.clone(),
            _ => {
                let rows = Loaded::together(self.stream((&FILES, mask), false));
                if !self.is_stopped() {
                    *files = Some((mask, rows.clone()));
                }
                rows
            }
        }
    }

    /// The row of `files` for one mesh.
    pub(super) fn file(self: &Arc<Self>, file: u32, mask: u64) -> Option<Place> {
        let files = self.files(mask);
        let at = files.partition_point(|rows| rows.mesh(0).file <= file).checked_sub(1)?;
        let rows = files.get(at)?;
        let row = rows.row_of(file)?;
        Some((Arc::clone(rows), row..row.saturating_add(1)))
    }

    /// The rows of another table from one mesh; empty if there is no such mesh.
    pub(super) fn load(
        self: &Arc<Self>,
        file: u32,
        table: &'static Table,
        mask: u64,
        ahead: &mut Ahead,
    ) -> Option<Arc<Loaded>> {
        let key = (file, table.name, mask);
        {
            let mut kept = locked(&self.kept);
            if let Some(at) = kept.iter().position(|(known, _)| *known == key) {
                // The latest one is checked first.
                kept.swap(0, at);
                return kept.front().map(|(_, loaded)| Arc::clone(loaded));
            }
        }
        let listing = self.listing();
        let found = listing.meshes.get(file as usize)?;
        // An archive is read from its first member on, so what lies in one is expected in its own order.
        let course = locked(&self.course).clone().filter(|_| found.member.is_none());
        let place = |file: u32| course.as_ref().map_or(Some(file), |course| course.place(file));
        let place_of = |loaded: &Loaded| {
            let mesh = loaded.mesh(0);
            let known = listing.meshes.get(mesh.file as usize)?;
            let same = known.text == mesh.path && known.member == mesh.member;
            same.then(|| place(mesh.file)).flatten()
        };
        let begin = |at: u32| match &course {
            Some(course) => self.stream_on(course, at, table, mask),
            None => self.stream_from(at, table, mask),
        };
        let named = || Named { path: Arc::clone(&found.text), member: found.member.clone(), file };
        let of_mesh = |batch| Loaded::new(batch, named());
        let taken = place(file).and_then(|at| ahead.take(at, || begin(at), place_of));
        let loaded = match taken {
            Some(Taken::Rows(loaded)) => loaded,
            Some(Taken::Nothing) => of_mesh(empty(table, mask)),
            // Only its number distinguishes such a mesh from others of its name.
            None if found.is_repeated => {
                let number = |loaded: &Loaded| loaded.mesh(0).file;
                let mut coming = self.stream_from(file, table, mask).into_iter();
                let own =
                    coming.find(|loaded| number(loaded) >= file).filter(|loaded| number(loaded) == file);
                own.unwrap_or_else(|| of_mesh(empty(table, mask)))
            }
            None => of_mesh(self.one(found, table, mask)?),
        };
        let loaded = Arc::new(loaded);
        if self.is_stopped() {
            return Some(loaded);
        }
        let mut kept = locked(&self.kept);
        kept.push_front((key, Arc::clone(&loaded)));
        kept.truncate(KEPT);
        Some(loaded)
    }

    /// Reads one mesh.
    fn one(&self, found: &Found, table: &'static Table, mask: u64) -> Option<Batch> {
        let mut sheets = Sheets::from_batches(vec![empty(table, mask)]);
        if let Err(error) = self.fill(found, &mut sheets) {
            self.failed(&found.text, found.member.as_deref(), &error);
            if self.strict {
                sheets.clear();
            }
        }
        sheets.batches_mut().pop_batch()
    }

    fn fill(&self, found: &Found, sheets: &mut Sheets) -> Result<()> {
        let options = &self.scan.options;
        if sheets.wants(&FINDINGS) {
            return self.findings(found, sheets);
        }
        let name = location(&found.path, found.member.as_deref());
        let read = |bytes: &[u8], sheets: &mut Sheets| {
            let nav = AnyNav::parse(bytes, Some(&name), &options.format())?;
            fill::fill(&nav, &own_name(&name), false, &mut Scratch::new(), &mut Out::whole(sheets)).1
        };
        match &found.member {
            None => {
                let backing: Backing<'static> = options.backing(&found.path)?;
                read(&backing, sheets).and_then(|()| backing.intact())
            }
            Some(_) => {
                let bytes = Bytes::open(&name, options)?;
                read(&bytes, sheets).and_then(|()| bytes.intact())
            }
        }
    }

    /// The findings of one mesh: those of a scan, which also knows the map beside it.
    fn findings(&self, found: &Found, sheets: &mut Sheets) -> Result<()> {
        let scan = Scan { threads: 1, progress: Arc::default(), ..self.scan.clone() };
        Run::filling(scan, sheets.clone()).run([&found.path], &mut |mesh, made| {
            if mesh.member == found.member.as_deref() {
                std::mem::swap(sheets, made);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        Ok(())
    }
}

trait PopBatch {
    fn pop_batch(&mut self) -> Option<Batch>;
}

impl PopBatch for [Batch] {
    fn pop_batch(&mut self) -> Option<Batch> {
        let batch = self.first_mut()?;
        let table = batch.table();
        Some(std::mem::replace(batch, Batch::new(table, |_| false)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::source::SOURCE_AREAS;

    #[test]
    fn meshes_of_a_grouped_table_are_read_ahead_in_its_order() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/source");
        let shelf = Arc::new(Shelf::new(vec![corpus], Scan::new(), false, Failures::default()));
        let last = shelf.len() as u32 - 1;
        let course = Arc::new(Course::new((0..=last).rev()));
        let read = |ahead: &mut Ahead, file: u32| {
            locked(&shelf.kept).clear();
            let loaded = shelf.load(file, &SOURCE_AREAS, u64::MAX, ahead).unwrap();
            assert_eq!(loaded.mesh(0).file, file);
            (loaded.mesh(0).path.clone(), loaded.batch.rows())
        };
        let alone: Vec<_> = (0..=last).map(|file| read(&mut Ahead::default(), file)).collect();
        assert!(alone.iter().filter(|(_, rows)| *rows > 0).count() > 20);

        let backwards = |ahead: &mut Ahead| {
            (0..=last).rev().map(|file| (read(ahead, file), ahead.is_reading())).collect::<Vec<_>>()
        };
        let mut ahead = Ahead::default();
        assert!(backwards(&mut ahead).iter().all(|(_, ahead)| !ahead));
        shelf.follow(&course);
        let along = backwards(&mut ahead);
        // What has no rows at the end of the course is not sent.
        assert!(along.iter().filter(|(_, ahead)| *ahead).count() > 20);
        assert!(along.into_iter().map(|(found, _)| found).rev().eq(alone));
        shelf.leave(&Arc::new(Course::default()));
        assert!(locked(&shelf.course).is_some(), "another course");
        shelf.leave(&course);
        assert!(locked(&shelf.course).is_none());
    }
}
