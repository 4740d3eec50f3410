//! Tables in parts, of which only those are written again whose meshes have changed.

use super::files::begin;
use super::folder::{self, Store};
use super::ledger::{Entry, LEDGER, Ledger, Seen, schema};
use crate::batch::Batch;
use crate::format::Format;
use crate::mesh::Mesh;
use crate::run::Run;
use crate::schema::Table;
use crate::writer::{Writer, write_flag_names};
use navmap_archive as archive;
use navmap_core::bytes::Saver;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_formats::Kind;
use navmap_open::open::Files;
use navmap_open::scan::{Scan, path_text};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::SeqCst;

/// Files of one part, and the most parts of a table.
const FILES_A_PART: usize = 32;
const MOST_PARTS: usize = 64;

/// What an update has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Updated {
    /// Files that have come, gone or changed since the last one, or that could not be read then.
    pub changed: u64,
    /// Parts that were written again, for a changed file or since one of theirs is gone or of another length.
    pub parts: u64,
    /// Rows in them.
    pub rows: u64,
    /// Meshes that could not be read, or not to their end, in the files that are there now. Of an update that was stopped, without
    /// those in parts that were still to be written.
    pub errors: u64,
    /// Those of them that were not read again, since their files have not changed.
    pub known_errors: u64,
    /// Whether it was stopped. The same update goes on where this one ended.
    pub stopped: bool,
}

/// Every file at some paths as it is now, mesh or not: what an [`update`] compares with what it has read before.
#[derive(Debug)]
pub struct Snapshot {
    files: BTreeMap<String, Seen>,
    /// Errors of what could not be listed: paths that do not exist, folders that may not be read, links that lead nowhere. Each
    /// names its path. An [`update`] refuses a snapshot that has any.
    pub unread: Vec<Error>,
}

impl Snapshot {
    /// Lists the files, with size and time. None is opened.
    pub fn take(paths: impl IntoIterator<Item = PathBuf, IntoIter: Send>) -> Self {
        let (mut files, mut unread) = (BTreeMap::new(), Vec::new());
        for found in Files::new(paths) {
            let file = found.and_then(|found| {
                Seen::at(found.path.clone()).map_err(|error| Error::from(error).in_file(found.path))
            });
            match file {
                Ok(file) => drop(files.insert(text(&file), file)),
                Err(error) => unread.push(error),
            }
        }
        Self { files, unread }
    }
}

/// Brings tables in a folder up to date: `TABLE/part-0001.csv` and so on. A file has its rows in a part that its path tells, and
/// only parts are written again of which a file has come, gone or changed, or which are not as they were written; a mesh keeps
/// its number in the column `file`. What was read stands in `navmap-tables.jsonl`. If the update is stopped or fails, the parts that are done stay, and the next one
/// goes on behind them. Parts that were written with other columns or other options of the scan are written again, but what
/// [`Scan::keep`] leaves out is not noted. `each` sees every mesh that is read, with its error.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::scan::Scan;
/// use navmap::table::{Format, Snapshot, Table, update};
///
/// let folder = std::env::temp_dir().join(format!("navmap-doc-update-{}", std::process::id()));
/// let tables = [Table::named("source_areas").unwrap()];
/// let mut rows = Vec::new();
/// for _ in 0..2 {
///     let seen = Snapshot::take(["corpus/source".into()]);
///     rows.push(update(Scan::new(), seen, &folder, Format::Csv, &tables, &mut |_| {})?.rows);
/// }
/// assert!(rows[0] > 100 && rows[1] == 0);
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<(), navmap::Error>(())
/// ```
///
/// # Errors
/// The first of [`Snapshot::unread`], before anything is changed: files that could not be listed would count as gone. If the folder
/// holds files of others, or tables of another update, and those of the operating system.
pub fn update(
    scan: Scan,
    snapshot: Snapshot,
    into: &Path,
    format: Format,
    tables: &[&'static Table],
    each: &mut (dyn FnMut(&Mesh<'_>) + Send),
) -> Result<Updated> {
    let Snapshot { files: seen, unread } = snapshot;
    if let Some(error) = unread.into_iter().next() {
        return Err(error);
    }
    let of_meshes: Vec<&'static Table> =
        tables.iter().copied().filter(|table| table.is_of_meshes()).collect();
    let run = Run::new(scan, of_meshes.iter().copied()).in_parts().written_as(format);
    let mut ledger = ledger(into, format, &of_meshes, seen.len())?;
    check(into, format)?;
    folder::make(into)?;
    let schema = schema(&of_meshes, run.scan());
    let mut changes = Changes::between(&ledger, &seen, schema);
    let mut parts = Parts {
        into,
        format,
        threads: run.scan().threads,
        tables: &of_meshes,
        open: None,
        rows: 0,
        had: BTreeMap::new(),
    };
    let known: BTreeSet<u32> = changes.of.values().copied().collect();
    changes.parts.extend(known.into_iter().filter(|part| !parts.are_as_written(*part, &ledger)));
    let stop = &run.scan().stop;
    let mut done = Updated { changed: changes.count, ..Updated::default() };
    done.known_errors = changes.unchanged(&ledger).map(|entry| entry.failed).fold(0, u64::saturating_add);
    done.errors = done.known_errors;
    for part in &changes.parts {
        let files: Vec<(&String, &Seen)> =
            seen.iter().filter(|(path, _)| changes.part_of(path) == *part).collect();
        parts.begin(*part, &ledger);
        let read = read(&run, &files, &mut parts, &mut ledger.head.next, each)?;
        if stop.load(SeqCst) {
            break;
        }
        let meshes = parts.finish(&mut ledger)?;
        done.parts = done.parts.saturating_add(1);
        done.rows = parts.rows;
        // The scan counts those of all parts so far.
        done.errors = done.known_errors.saturating_add(read.errors);
        ledger.files.retain(|path, _| changes.part_of(path) != *part || seen.contains_key(path));
        note(&mut ledger, &files, schema, &read, meshes);
        // A run that is killed goes on behind the parts that are done.
        ledger.save(into)?;
    }
    ledger.save(into)?;
    if tables.len() > of_meshes.len() {
        flag_names(into, format)?;
    }
    done.stopped = stop.load(SeqCst);
    Ok(done)
}

/// What was seen of the files of a part.
struct ReadFiles {
    /// The hash of each file. A file that the system did not let us read has none, so that the next update reads it again.
    hashes: BTreeMap<String, u64>,
    /// The meshes of each file that could not be read.
    failed: BTreeMap<String, u64>,
    /// The errors of the scan so far.
    errors: u64,
}

/// Reads the files of a part, and writes the rows of their meshes.
fn read(
    run: &Run,
    files: &[(&String, &Seen)],
    parts: &mut Parts<'_>,
    next: &mut u32,
    each: &mut (dyn FnMut(&Mesh<'_>) + Send),
) -> Result<ReadFiles> {
    // Before they are read: what is written over a file from here on has another hash at the next update.
    let mut hashes: BTreeMap<String, u64> =
        files.iter().filter_map(|(path, seen)| Some(((*path).clone(), seen.hash().ok()?))).collect();
    let todo: Vec<&Path> =
        files.iter().map(|(_, seen)| seen.path.as_path()).filter(|path| may_be_mesh(path)).collect();
    let mut failed = BTreeMap::new();
    let mut written = Ok(());
    let totals = run.run(todo, &mut |mesh, sheets| {
        if !mesh.continues {
            each(mesh);
        }
        if let Some(error) = mesh.error {
            let count = failed.entry(mesh.path.to_owned()).or_insert(0_u64);
            *count = count.saturating_add(1);
            // A drive that is gone says nothing about the bytes.
            if is_of_system(error) {
                hashes.remove(mesh.path);
            }
        }
        written = parts.mesh(mesh, sheets.batches_mut(), next);
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written.map(|()| ReadFiles { hashes, failed, errors: totals.errors })
}

/// Notes the files of a part in the ledger, as they were read.
fn note(ledger: &mut Ledger, files: &[(&String, &Seen)], schema: u64, read: &ReadFiles, mut meshes: Meshes) {
    for &(path, seen) in files {
        let hash = read.hashes.get(path).copied().unwrap_or(0);
        let meshes = meshes.remove(path).unwrap_or_default();
        let (numbers, members) = match ledger.files.get(path).filter(|_| hash == 0) {
            Some(before) => before.numbers_with(meshes),
            None => meshes.into_iter().unzip(),
        };
        let Seen { bytes, time, .. } = *seen;
        let failed = read.failed.get(path).copied().unwrap_or(0);
        let entry = Entry { path: path.clone(), bytes, time, hash, schema, failed, numbers, members };
        ledger.files.insert(path.clone(), entry);
    }
}

/// Whether an error tells of a file that could not be reached, not of what is in it.
fn is_of_system(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io(error) if error.raw_os_error().is_some())
}

fn text(seen: &Seen) -> String {
    path_text(&seen.path).into_owned()
}

/// Whether the head of a file, or its name, is that of a mesh or an archive: other files are passed over in silence.
fn may_be_mesh(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    if archive::is_vpk_part(name) {
        return false;
    }
    let mut page = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut page));
    read.is_err()
        || Kind::names(path)
        || Kind::sniff(&page, Some(path)).is_some()
        || archive::Kind::sniff(&page).is_some()
}

/// The ledger of the folder, or a new one.
fn ledger(into: &Path, format: Format, tables: &[&'static Table], files: usize) -> Result<Ledger> {
    let names: Vec<String> = tables.iter().map(|table| table.name.to_owned()).collect();
    let extension = format.extension();
    match Ledger::open(into)? {
        None => {
            let parts = (files / FILES_A_PART).clamp(1, MOST_PARTS) as u32;
            Ok(Ledger::new(extension, names, parts))
        }
        Some(known) if known.head.format == extension && known.head.tables == names => Ok(known),
        Some(_) => {
            let why = "holds other tables, or another format; choose another folder";
            Err(Error::invalid("folder", why).in_file(into))
        }
    }
}

/// Refuses a folder with files of others in it.
fn check(into: &Path, format: Format) -> Result<()> {
    folder::check(into, "which is no part of a table; choose another folder", |entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        // The kind of the entry itself: whatever a link leads to is of others.
        let kind = entry.file_type()?;
        let own = name == LEDGER || name == format!("flag_names.{}", format.extension());
        let part = Table::named(&name).is_some_and(|table| table.name == name);
        Ok(kind.is_file() && (own || folder::is_left_over(&name)) || kind.is_dir() && part)
    })
}

/// What has changed since the ledger was written.
struct Changes {
    /// The parts that have to be written again.
    parts: BTreeSet<u32>,
    /// The part of every path, of now or before.
    of: BTreeMap<String, u32>,
    count: u64,
}

impl Changes {
    fn between(ledger: &Ledger, seen: &BTreeMap<String, Seen>, schema: u64) -> Self {
        let mut changes = Self { parts: BTreeSet::new(), of: BTreeMap::new(), count: 0 };
        for path in seen.keys().chain(ledger.files.keys()) {
            let part = ledger.part(path);
            if changes.of.insert(path.clone(), part).is_some() {
                continue;
            }
            let same = match (seen.get(path), ledger.files.get(path)) {
                (Some(seen), Some(entry)) => seen.is_as(entry, schema),
                _ => false,
            };
            if !same {
                changes.parts.insert(part);
                changes.count = changes.count.saturating_add(1);
            }
        }
        changes
    }

    /// What was read before, of the parts that stay as they are.
    fn unchanged<'l>(&self, ledger: &'l Ledger) -> impl Iterator<Item = &'l Entry> {
        ledger.files.values().filter(|entry| !self.parts.contains(&ledger.part(&entry.path)))
    }

    /// The part of a file, of now or before.
    fn part_of(&self, path: &str) -> u32 {
        self.of.get(path).copied().unwrap_or(u32::MAX)
    }
}

/// The part that is being written.
struct Parts<'t> {
    into: &'t Path,
    format: Format,
    threads: usize,
    tables: &'t [&'static Table],
    open: Option<Open>,
    rows: u64,
    /// The numbers that meshes have had: of each path, by the path in it, in their order. Without that path if the ledger is of
    /// the time before it was noted.
    had: BTreeMap<(String, Option<String>), VecDeque<u32>>,
}

/// The meshes of each file, in their order: their numbers, and their paths in it.
type Meshes = BTreeMap<String, Vec<(u32, String)>>;

struct Open {
    part: u32,
    writers: Vec<Option<Box<dyn Writer<Saver>>>>,
    meshes: Meshes,
    /// The number of the mesh of which rows follow.
    continued: Option<u32>,
}

impl Parts<'_> {
    fn path(&self, table: &Table, part: u32) -> PathBuf {
        self.into.join(table.name).join(format!("part-{part:04}.{}", self.format.extension()))
    }

    /// The file of a part as the ledger names it, and how long it is now. What is there and no file is as long as none can be.
    fn length(&self, table: &Table, part: u32) -> (String, Option<u64>) {
        let path = self.path(table, part);
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let data = fs::symlink_metadata(&path).ok();
        let length = data.map(|data| if data.is_file() { data.len() } else { u64::MAX });
        (format!("{}/{file}", table.name), length)
    }

    /// Whether each file of a part is there, if it has rows, and as long as it was written.
    fn are_as_written(&self, part: u32, ledger: &Ledger) -> bool {
        self.tables.iter().all(|table| {
            let (name, length) = self.length(table, part);
            length == ledger.head.lengths.get(&name).copied()
        })
    }

    fn begin(&mut self, part: u32, ledger: &Ledger) {
        let writers = self.tables.iter().map(|_| None).collect();
        self.had.clear();
        for entry in ledger.files.values().filter(|entry| ledger.part(&entry.path) == part) {
            let named = entry.members.len() == entry.numbers.len();
            for (at, number) in entry.numbers.iter().enumerate() {
                let member = entry.members.get(at).filter(|_| named).cloned();
                self.had.entry((entry.path.clone(), member)).or_default().push_back(*number);
            }
        }
        self.open = Some(Open { part, writers, meshes: Meshes::new(), continued: None });
    }

    /// Writes the rows of a mesh, under the number that it has had, or the next that is free.
    fn mesh(&mut self, mesh: &Mesh<'_>, batches: &mut [Batch], next: &mut u32) -> Result<()> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        let file = match open.continued.take() {
            Some(file) => file,
            None => self.number(mesh, &mut open.meshes, next),
        };
        open.continued = mesh.continues.then_some(file);
        let mesh = Mesh::named(mesh.path, mesh.member, file);
        for batch in batches.iter_mut().filter(|batch| batch.rows() > 0) {
            let Some(at) = self.tables.iter().position(|table| std::ptr::eq(*table, batch.table())) else {
                continue;
            };
            let path = self.path(batch.table(), open.part);
            let Some(slot) = open.writers.get_mut(at) else { continue };
            if slot.is_none() {
                folder::make(path.parent().unwrap_or(self.into))?;
                *slot = Some(begin(self.format, self.threads, batch.table(), &path)?);
            }
            self.rows = self.rows.saturating_add(batch.rows() as u64);
            if let Some(writer) = slot {
                writer.write(&mesh, batch).map_err(|error| Error::from(error).in_file(&path))?;
            }
        }
        self.open = Some(open);
        Ok(())
    }

    /// The number that a mesh has had, or the next that is free.
    fn number(&mut self, mesh: &Mesh<'_>, meshes: &mut Meshes, next: &mut u32) -> u32 {
        let member = mesh.member.unwrap_or_default();
        let before = [Some(member), None].into_iter().find_map(|member| {
            let key = (mesh.path.to_owned(), member.map(str::to_owned));
            self.had.get_mut(&key)?.pop_front()
        });
        let file = before.unwrap_or_else(|| {
            let free = *next;
            *next = next.saturating_add(1);
            free
        });
        meshes.entry(mesh.path.to_owned()).or_default().push((file, member.to_owned()));
        file
    }

    /// Moves the files of the part to their places, removes those of tables without rows, and notes how long they are. Returns the
    /// meshes of each file.
    fn finish(&mut self, ledger: &mut Ledger) -> Result<Meshes> {
        let Some(Open { part, writers, meshes, .. }) = self.open.take() else { return Ok(Meshes::new()) };
        let mut whole = Vec::new();
        for (table, writer) in self.tables.iter().zip(writers) {
            let path = self.path(table, part);
            let saver = match writer {
                None => None,
                Some(writer) => {
                    let saver = writer.finish().and_then(|mut saver| saver.flush().map(|()| saver));
                    Some(saver.map_err(|error| Error::from(error).in_file(&path))?)
                }
            };
            whole.push((saver, path));
        }
        for (saver, path) in whole {
            match saver {
                Some(saver) => saver.commit()?,
                None => match fs::remove_file(&path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(Error::from(error).in_file(path));
                    }
                    _ => {}
                },
            }
        }
        for table in self.tables {
            let (name, length) = self.length(table, part);
            match length {
                Some(length) => _ = ledger.head.lengths.insert(name, length),
                None => _ = ledger.head.lengths.remove(&name),
            }
        }
        Ok(meshes)
    }
}

fn flag_names(into: &Path, format: Format) -> Result<()> {
    let Some(table) = Table::named("flag_names") else { return Ok(()) };
    let path = Store::Files(format).file(into, table);
    let mut writer = begin(format, 1, table, &path)?;
    let at = |error: io::Error| Error::from(error).in_file(&path);
    write_flag_names(&mut |mesh, batch| writer.write(mesh, batch)).map_err(at)?;
    writer.finish().map_err(at)?.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_another_schema_are_written_again_and_keep_their_numbers() {
        let folder = std::env::temp_dir().join(format!("navmap-schema-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let mesh = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/source/town.nav");
        let tables = [Table::named("source_areas").unwrap()];
        let once = || {
            let seen = Snapshot::take([mesh.clone()]);
            update(Scan::new(), seen, &folder, Format::Csv, &tables, &mut |_| {}).unwrap()
        };
        assert!(once().rows > 100);
        assert_eq!(once(), Updated::default(), "nothing has changed");
        let (ledger, part) = (folder.join(LEDGER), folder.join("source_areas/part-0000.csv"));
        let (said, rows) = (fs::read_to_string(&ledger).unwrap(), fs::read(&part).unwrap());
        let current = format!("\"schema\":{},", schema(&tables, &Scan::new()));
        assert!(said.contains(&current), "{said}");
        // One of another version, and one of a version that knew none.
        for older in ["\"schema\":7,", ""] {
            fs::write(&ledger, said.replace(&current, older)).unwrap();
            fs::write(&part, "path,of,old\n").unwrap();
            let done = once();
            assert!(done.changed == 1 && done.parts == 1 && done.rows > 100, "{older}: {done:?}");
            assert_eq!(fs::read(&part).unwrap(), rows);
            assert_eq!(fs::read_to_string(&ledger).unwrap(), said);
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_column_more_is_another_schema() {
        let one = |name| schema(&[Table::named(name).unwrap()], &Scan::new());
        assert_ne!(one("source_areas"), one("files"));
        assert_eq!(one("source_areas"), one("areas"));
    }
}
