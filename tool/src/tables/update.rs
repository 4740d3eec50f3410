//! Tables in parts, of which only those are written again whose meshes have changed.

use super::files::begin;
use super::ledger::{Entry, LEDGER, Ledger, Seen};
use super::{folder, report};
use crate::args::{self, TableFormat};
use crate::out::say;
use crate::paths::Paths;
use crate::progress::Watch;
use crate::{Exit, Failure, plan};
use navmap::archive;
use navmap::bytes::Saver;
use navmap::error::{Error, Result};
use navmap::format::Kind;
use navmap::open::Files;
use navmap::scan::{Task, path_text};
use navmap::table::{Batch, Mesh, Run, Table, Writer, write_flag_names};
use navmap::text::counted;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Files of one part, and the most parts of a table.
const FILES_A_PART: usize = 32;
const MOST_PARTS: usize = 64;

pub(super) fn run(
    typed: &args::Tables,
    into: &Path,
    tables: &[&'static Table],
) -> std::result::Result<Exit, Failure> {
    if typed.format == TableFormat::Sqlite {
        return Err(Error::invalid("--update", "is for formats with a file for each table").into());
    }
    let of_meshes: Vec<&'static Table> =
        tables.iter().copied().filter(|table| table.is_of_meshes()).collect();
    let run = Run::new(plan::scan(Task::Open, &typed.run), of_meshes.iter().copied());
    let mut paths = Paths::of(&typed.run.paths, &run.scan().stop)?;
    let (seen, unread) = seen(&mut paths);
    let named = paths.finish()?;
    let mut ledger = ledger(into, typed.format, &of_meshes, seen.len())?;
    check(into, typed.format)?;
    folder::make(into)?;
    let changes = Changes::between(&ledger, &seen);
    let watch = Watch::new(run.scan(), &typed.run);
    let mut parts = Parts {
        into,
        format: typed.format,
        threads: run.scan().threads,
        tables: &of_meshes,
        open: None,
        rows: 0,
        numbers: BTreeMap::new(),
    };
    let mut failed = Ok(());
    let stop = &run.scan().stop;
    let mut errors = 0u64;
    for part in &changes.parts {
        let todo: Vec<&Seen> = seen
            .values()
            .filter(|seen| ledger.part(&text(seen)) == *part && may_be_mesh(&seen.path))
            .collect();
        parts.begin(*part, &ledger);
        let totals = run.run(todo.iter().map(|seen| seen.path.clone()), &mut |mesh, sheets| {
            report(mesh);
            failed = parts.mesh(mesh, sheets.batches_mut(), &mut ledger.head.next);
            if failed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        errors = totals.errors;
        std::mem::replace(&mut failed, Ok(()))?;
        if stop.load(std::sync::atomic::Ordering::SeqCst) {
            break;
        }
        let numbers = parts.finish()?;
        ledger.files.retain(|path, _| changes.kept(path, *part, &seen, |path| part_of(&changes, path)));
        for seen in seen.values().filter(|seen| part_of(&changes, &text(seen)) == *part) {
            let path = text(seen);
            let hash = seen.hash().unwrap_or(0);
            let numbers = numbers.get(&path).cloned().unwrap_or_default();
            let entry = Entry { path: path.clone(), bytes: seen.bytes, time: seen.time, hash, numbers };
            ledger.files.insert(path, entry);
        }
        // A run that is killed goes on behind the parts that are done.
        ledger.save(into)?;
    }
    ledger.save(into)?;
    if tables.len() > of_meshes.len() {
        flag_names(into, typed.format)?;
    }
    watch.end();
    if stop.load(std::sync::atomic::Ordering::SeqCst) {
        say(format_args!("stopped early: the same command goes on"));
        return Ok(Exit::Stopped);
    }
    if !typed.run.quiet {
        say(format_args!(
            "{} changed, {} written again, {} in {}",
            counted(changes.count, "file", "files"),
            counted(changes.parts.len() as u64, "part", "parts"),
            counted(parts.rows, "row", "rows"),
            into.display()
        ));
    }
    let unread = crate::left_out(&unread);
    Ok(if errors > 0 { Exit::Findings } else { Exit::Clean }.max(named).max(unread))
}

fn text(seen: &Seen) -> String {
    path_text(&seen.path).into_owned()
}

/// Every file at the paths, as it is now.
fn seen(paths: &mut Paths) -> (BTreeMap<String, Seen>, Vec<Error>) {
    let (mut seen, mut unread) = (BTreeMap::new(), Vec::new());
    for found in Files::new(paths) {
        let file = found.and_then(|found| {
            Seen::of(found.path.clone()).map_err(|error| Error::from(error).in_file(found.path))
        });
        match file {
            Ok(file) => drop(seen.insert(text(&file), file)),
            Err(error) => unread.push(error),
        }
    }
    (seen, unread)
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
fn ledger(into: &Path, format: TableFormat, tables: &[&'static Table], files: usize) -> Result<Ledger> {
    let names: Vec<String> = tables.iter().map(|table| table.name.to_owned()).collect();
    let extension = folder::extension(format);
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
fn check(into: &Path, format: TableFormat) -> Result<()> {
    let at = |error: io::Error| Error::from(error).in_file(into);
    let entries = match fs::read_dir(into) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(at)?,
    };
    for entry in entries {
        let name = entry.map_err(at)?.file_name().to_string_lossy().into_owned();
        let known = name == LEDGER
            || name == format!("flag_names.{}", folder::extension(format))
            || Table::named(&name).is_some_and(|table| table.name == name)
            || (name.starts_with(".navmap-") && name.ends_with(".tmp"));
        if !known {
            let why = format!("holds {name}, which is no part of a table; choose another folder");
            return Err(Error::invalid("folder", why).in_file(into));
        }
    }
    Ok(())
}

/// What has changed since the ledger was written.
struct Changes {
    /// The parts that have to be written again.
    parts: BTreeSet<u32>,
    /// The part of every path, of now or before.
    of: BTreeMap<String, u32>,
    count: u64,
}

fn part_of(changes: &Changes, path: &str) -> u32 {
    changes.of.get(path).copied().unwrap_or(u32::MAX)
}

impl Changes {
    fn between(ledger: &Ledger, seen: &BTreeMap<String, Seen>) -> Self {
        let mut changes = Self { parts: BTreeSet::new(), of: BTreeMap::new(), count: 0 };
        for path in seen.keys().chain(ledger.files.keys()) {
            let part = ledger.part(path);
            if changes.of.insert(path.clone(), part).is_some() {
                continue;
            }
            let same = match (seen.get(path), ledger.files.get(path)) {
                (Some(seen), Some(entry)) => seen.is_as(entry),
                _ => false,
            };
            if !same {
                changes.parts.insert(part);
                changes.count = changes.count.saturating_add(1);
            }
        }
        changes
    }

    /// Whether the entry of a file stays: it is in another part, or still there.
    fn kept(
        &self,
        path: &str,
        part: u32,
        seen: &BTreeMap<String, Seen>,
        part_of: impl Fn(&str) -> u32,
    ) -> bool {
        part_of(path) != part || seen.contains_key(path)
    }
}

/// The part that is being written.
struct Parts<'t> {
    into: &'t Path,
    format: TableFormat,
    threads: usize,
    tables: &'t [&'static Table],
    open: Option<Open>,
    rows: u64,
    /// The numbers that the meshes of each file have had.
    numbers: BTreeMap<String, Vec<u32>>,
}

struct Open {
    part: u32,
    writers: Vec<Option<Box<dyn Writer<Saver>>>>,
    numbers: BTreeMap<String, Vec<u32>>,
}

impl Parts<'_> {
    fn path(&self, table: &Table, part: u32) -> PathBuf {
        self.into.join(table.name).join(format!("part-{part:04}.{}", folder::extension(self.format)))
    }

    fn begin(&mut self, part: u32, ledger: &Ledger) {
        let writers = self.tables.iter().map(|_| None).collect();
        self.numbers =
            ledger.files.iter().map(|(path, entry)| (path.clone(), entry.numbers.clone())).collect();
        self.open = Some(Open { part, writers, numbers: BTreeMap::new() });
    }

    /// Writes the rows of a mesh, under the number that it has had, or the next that is free.
    fn mesh(&mut self, mesh: &Mesh<'_>, batches: &mut [Batch], next: &mut u32) -> Result<()> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        let of_file = open.numbers.entry(mesh.path.to_owned()).or_default();
        let before = self.numbers.get(mesh.path).and_then(|before| before.get(of_file.len())).copied();
        let file = before.unwrap_or_else(|| {
            let free = *next;
            *next = next.saturating_add(1);
            free
        });
        of_file.push(file);
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

    /// Moves the files of the part to their places, and removes those of tables without rows. Returns the numbers of the
    /// meshes of each file.
    fn finish(&mut self) -> Result<BTreeMap<String, Vec<u32>>> {
        let Some(Open { part, writers, numbers }) = self.open.take() else { return Ok(BTreeMap::new()) };
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
        Ok(numbers)
    }
}

fn flag_names(into: &Path, format: TableFormat) -> Result<()> {
    let Some(table) = Table::named("flag_names") else { return Ok(()) };
    let path = folder::file(into, table, format);
    let mut writer = begin(format, 1, table, &path)?;
    let at = |error: io::Error| Error::from(error).in_file(&path);
    write_flag_names(&mut |mesh, batch| writer.write(mesh, batch)).map_err(at)?;
    writer.finish().map_err(at)?.commit()
}
