//! A worker takes files and hands in the outcomes of the meshes in them.

mod named;
mod shelf;
mod stream;

use super::mesh::{self, HEAD, Reader};
use super::order::Gate;
use super::sink::Outcome;
use super::work::{Chunk, File, Job, Listed, Work};
use super::{Scan, Task, maps};
use crate::open::{ArchiveFile, Candidate, inside, location};
use navmap_archive::{self as archive, Buffers, Member, Meter, Name, Promise, Spans, Trip, Walker};
use navmap_core::bytes::{Backing, BackingPool};
use navmap_core::error::{Error, Result};
use navmap_core::format::not_mesh;
use navmap_core::text::escaped;
use navmap_formats::Kind;
use shelf::Shelf;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The most members of a chunk of an archive, and the most bytes of them.
const CHUNK_MEMBERS: usize = 64;
const CHUNK_BYTES: u64 = 1 << 20;

/// An archive smaller than this is read by one worker, so that its claimed inflated size is in memory once instead of once per
/// thread, and the limit that ends it is reached at the same member in every run.
const LEAST_SHARED: usize = 4 << 20;

/// Whether one worker reads all there is at a path: a small file, whatever is in it, or a member that was named. Starting another
/// takes longer than that.
pub(crate) fn is_for_one(path: &Path) -> bool {
    match path.metadata() {
        Ok(data) => data.is_file() && data.len() < LEAST_SHARED as u64,
        Err(_) => inside(path).is_some(),
    }
}

/// Reads files into its own buffers, reused from file to file.
pub(super) struct Worker<'s, 'w> {
    scan: &'s Scan,
    work: &'s Work<'w>,
    gate: &'s Gate<'w>,
    pool: BackingPool,
    reader: Reader,
    buffers: Buffers,
    shelf: Option<Box<Shelf>>,
    share: VecDeque<File>,
}

/// Ends the run if its thread panics, which only a sink can cause. Otherwise the others would wait for it.
struct Bail<'s>(&'s Scan);

impl Drop for Bail<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop.store(true, Relaxed);
        }
    }
}

/// The content of a file.
enum Looked {
    Mesh(Box<Outcome>),
    /// A container, with its bytes if they can be read only once.
    Archive(archive::Kind, Option<Backing<'static>>),
    Nothing,
}

impl<'s, 'w> Worker<'s, 'w> {
    pub(super) fn new(scan: &'s Scan, work: &'s Work<'w>, gate: &'s Gate<'w>) -> Self {
        let pool = BackingPool::new(scan.options.opener, scan.options.limits);
        let reader = Reader::new(scan);
        Self { scan, work, gate, pool, reader, buffers: Buffers::new(), shelf: None, share: VecDeque::new() }
    }

    /// Works until there is no work left.
    pub(super) fn run(mut self) {
        let _bail = Bail(self.scan);
        loop {
            match self.work.next(self.gate, &mut self.share) {
                Some(Job::Chunk(chunk)) => self.chunk(chunk),
                Some(Job::Files) => {
                    while let Some((number, found)) = self.share.pop_front() {
                        if self.work.stopped(self.gate) {
                            break;
                        }
                        self.file(number, found);
                        self.scan.progress.files.fetch_add(1, Relaxed);
                    }
                }
                None => return,
            }
        }
    }

    fn file(&mut self, number: u64, found: Result<Candidate>) {
        if !found.as_ref().is_ok_and(|found| found.member) {
            self.shelf = None;
        }
        let outcome = match found {
            Err(error) => Some(Outcome::failed(error)),
            Ok(found) if found.member => return self.named(number, &found),
            Ok(found) => {
                let name = found.path.file_name().unwrap_or_default().as_encoded_bytes();
                // An archive has a row for each member, so it is opened to see which are missing.
                let single = Promise::by_name(name) != Promise::Archive;
                if single && self.is_done(&found.path, None) {
                    None
                } else {
                    let outcome = match self
                        .guarded(&found.path, |worker| worker.look(number, &found, single))
                    {
                        // It already has a row.
                        Ok(_) if found.again => None,
                        Ok(Looked::Mesh(outcome)) => Some(*outcome),
                        Ok(Looked::Nothing) => None,
                        Ok(Looked::Archive(kind, bytes)) => {
                            return self.archive(number, found.path, kind, bytes);
                        }
                        Err(error) if error.is_not_mesh() && !found.named && !Kind::names(&found.path) => {
                            None
                        }
                        Err(error) => Some(Outcome::failed(error.in_file(&found.path))),
                    };
                    outcome.filter(|_| single || !self.is_done(&found.path, None))
                }
            }
        };
        self.gate.whole(number, outcome);
        self.work.wake();
    }

    /// Whether this is rejected, or has a row from an earlier run.
    fn is_done(&self, path: &Path, member: Option<&str>) -> bool {
        let left_out = self.scan.keep.as_ref().is_some_and(|keep| !keep.keeps(path, member));
        left_out || self.scan.done.as_ref().is_some_and(|done| done.take(path, member))
    }

    /// A panic, which would be a bug in navmap or in a decoder, costs only this file and not the run.
    fn guarded<T>(&mut self, path: &Path, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        catch_unwind(AssertUnwindSafe(|| work(self))).unwrap_or_else(|_| {
            self.pool = BackingPool::new(self.scan.options.opener, self.scan.options.limits);
            self.reader = Reader::new(self.scan);
            self.buffers = Buffers::new();
            self.shelf = None;
            let error = Error::invalid("internal error", "the reader panicked; please report this file");
            Err(error.in_file(path))
        })
    }

    /// Looks into a file. With `chosen`, a mesh in it has a row for certain, and parts of that may go ahead.
    fn look(&mut self, number: u64, found: &Candidate, chosen: bool) -> Result<Looked> {
        let path = &found.path;
        if !found.named && archive::is_vpk_part(path.file_name().unwrap_or_default().as_encoded_bytes()) {
            return Ok(Looked::Nothing);
        }
        if found.stream {
            return self.stream(number, found, chosen);
        }
        let heads = self.scan.task == Task::Head;
        let mut seen = None;
        if heads || !Kind::names(path) {
            let (page, len) = self.pool.open_head(path, HEAD)?;
            let forced = self.scan.options.kind.filter(|_| found.named);
            match (Kind::sniff(page, Some(path)), archive::Kind::sniff(page)) {
                (None, Some(kind)) if opens(self.scan, kind, found) => {
                    return Ok(Looked::Archive(kind, None));
                }
                (None, Some(_)) => return Ok(Looked::Nothing),
                (sniffed, _) => match forced.or(sniffed) {
                    None => return Err(not_mesh(page)),
                    Some(kind) if heads => {
                        return Ok(Looked::Mesh(Box::new(mesh::head(kind, page, len, path, None))));
                    }
                    Some(_) => seen = sniffed,
                },
            }
        }
        let backing = self.pool.open(path)?;
        let seen = seen.or_else(|| Kind::sniff(&backing, Some(path)));
        let map = || if found.beside_map { maps::beside(path) } else { None };
        let gate = self.gate;
        let mut ahead = |part| if chosen && !found.again { gate.ahead(number, part) } else { Some(part) };
        let mut outcome = match self.reader.read(&backing, path, None, seen, map, &mut ahead) {
            Ok(outcome) => outcome,
            Err(error) => {
                let kind = archive::Kind::sniff(&backing).filter(|_| error.is_not_mesh());
                return kind.map(|kind| Looked::Archive(kind, None)).ok_or(error);
            }
        };
        if let Err(error) = backing.intact() {
            outcome.error = Some(error.in_file(path));
        }
        Ok(Looked::Mesh(Box::new(outcome)))
    }

    fn archive(&mut self, number: u64, path: PathBuf, kind: archive::Kind, bytes: Option<Backing<'static>>) {
        self.work.give_back(&mut self.share);
        let mut pieces = Pieces::new(number);
        let opened = self.guarded(&path, |worker| {
            let options = &worker.scan.options;
            let backing = bytes.map_or_else(|| options.backing(&path), Ok)?;
            let archive = ArchiveFile::from_backing(path.clone(), backing, kind, options);
            worker.members(&Arc::new(archive), &mut pieces)
        });
        if let Err(error) = opened
            && !self.is_done(&path, None)
        {
            pieces.outcomes.push(Outcome::failed(error.in_file(path)));
        }
        pieces.send(self);
        self.gate.end(number, pieces.next);
        self.work.wake();
    }

    /// Walks an archive: its members in chunks that other workers may take, or one by one if it can only be read from front to
    /// back.
    fn members(&mut self, open: &Arc<ArchiveFile>, pieces: &mut Pieces) -> Result<()> {
        let archive = open.archive()?;
        let walker = self.walker();
        if archive.is_sequential() {
            let mut buffers = std::mem::take(&mut self.buffers);
            let _ = walker.archive(&archive, &mut Vec::new(), open.meter(), &mut buffers, &mut |found| {
                self.member(open, open.meter(), found, None, pieces.this(), &mut pieces.outcomes);
                pieces.send(self);
                self.work.pause(self.gate, pieces.number);
                self.flow()
            });
            self.buffers = buffers;
            return Ok(());
        }
        let limits = &self.scan.options.limits;
        let maps = maps::find(&archive, limits);
        let mut spans = Spans::new(&archive);
        let mut chunk = Vec::new();
        let mut bytes = 0u64;
        for member in archive.members(limits) {
            let member = open.meter().entry().and(member).map_err(|error| (None, error)).and_then(|member| {
                let wanted = walker.wants(&member);
                let apart = if wanted { spans.take(&member.entry) } else { Ok(()) };
                apart.map(|()| (member, wanted)).map_err(|e| (Some(escaped(&member.name.bytes())), e))
            });
            match member {
                Ok((member, true)) => {
                    let name = member.name.bytes();
                    let map_size = maps.size_for(&name);
                    bytes = bytes.saturating_add(member.entry.size());
                    chunk.push(Listed { name: name.into(), entry: member.entry, map_size });
                    if chunk.len() < CHUNK_MEMBERS && bytes < CHUNK_BYTES {
                        continue;
                    }
                    bytes = 0;
                    self.offer(open, std::mem::take(&mut chunk), pieces, false);
                    if self.flow().is_break() {
                        return Ok(());
                    }
                }
                Ok(_) => {}
                // Another worker has already reported the limit.
                Err((_, error)) if open.meter().is_ended() && !open.meter().is_to_be_told(&error) => break,
                Err((member, error)) => {
                    self.offer(open, std::mem::take(&mut chunk), pieces, false);
                    if !self.is_done(open.path(), member.as_deref()) {
                        pieces
                            .outcomes
                            .push(Outcome { member, ..Outcome::failed(error.in_file(open.path())) });
                        pieces.send(self);
                        self.work.pause(self.gate, pieces.number);
                    }
                }
            }
        }
        self.offer(open, chunk, pieces, true);
        open.intact()
    }

    /// Offers a chunk to other workers. If they have enough work, and after the last chunk, reads it itself.
    fn offer(&mut self, open: &Arc<ArchiveFile>, members: Vec<Listed>, pieces: &mut Pieces, last: bool) {
        if members.is_empty() {
            return;
        }
        pieces.send(self);
        while let Some(other) = self.work.meanwhile(self.gate, pieces.number) {
            self.chunk(other);
        }
        let (file, number) = (pieces.number, pieces.take_number());
        let chunk = Chunk { file, number, archive: Arc::clone(open), members };
        let alone = open.source().bytes.len() < LEAST_SHARED;
        let next = if alone { Some(chunk) } else { self.work.offer(chunk, last) };
        if let Some(next) = next {
            self.chunk(next);
        }
    }

    /// Reads some members of an archive.
    fn chunk(&mut self, chunk: Chunk) {
        let Chunk { file, number, archive: open, members } = chunk;
        let mut outcomes = Vec::new();
        let mut path = Vec::new();
        for listed in &members {
            if self.work.stopped(self.gate) || open.meter().is_ended() {
                break;
            }
            let name = Name::Whole(&listed.name);
            if name.promise() == Promise::Mesh && self.is_done(open.path(), Some(&escaped(&listed.name))) {
                continue;
            }
            let member = Member { name, entry: listed.entry };
            let looked = self.guarded(open.path(), |worker| {
                let walker = worker.walker();
                let mut buffers = std::mem::take(&mut worker.buffers);
                let mut visit = |found: archive::Found<'_>| {
                    worker.member(&open, open.meter(), found, Some(listed), (file, number), &mut outcomes);
                    if outcomes.len() >= CHUNK_MEMBERS {
                        // An archive in an archive may have millions.
                        worker.gate.some_of_piece(file, number, std::mem::take(&mut outcomes));
                        worker.work.wake();
                        worker.work.pause_in(worker.gate, file, number);
                    }
                    worker.flow()
                };
                let mut trip =
                    Trip { path: &mut path, meter: open.meter(), buffers: &mut buffers, visit: &mut visit };
                let _ = walker.member(open.source(), open.kind(), &member, &mut trip);
                worker.buffers = buffers;
                Ok(())
            });
            if let Err(error) = looked {
                path.clear();
                let member = Some(escaped(&listed.name));
                outcomes.push(Outcome { member, ..Outcome::failed(error) });
            }
        }
        self.gate.piece(file, number, outcomes);
        self.work.wake();
    }

    /// Reads a mesh that a walk found in an archive. `piece` is that of the archive in which its outcome will be.
    fn member(
        &mut self,
        open: &ArchiveFile,
        meter: &Meter,
        found: archive::Found<'_>,
        listed: Option<&Listed>,
        piece: (u64, u64),
        outcomes: &mut Vec<Outcome>,
    ) {
        let direct = listed.filter(|listed| *listed.name == *found.path);
        let promised = Name::Whole(found.path).promise() == Promise::Mesh;
        let member = (!found.path.is_empty()).then(|| escaped(found.path));
        let name = location(open.path(), member.as_deref());
        // Members chosen by name were checked before they were read.
        if promised && direct.is_none() && self.is_done(open.path(), member.as_deref()) {
            return;
        }
        let gate = self.gate;
        let read = found.bytes.and_then(|bytes| {
            let seen = Kind::sniff(bytes, Some(&name));
            if !self.charge(meter, seen, found.len)? {
                return Ok(None);
            }
            if self.scan.task == Task::Head {
                let kind = seen.ok_or_else(|| not_mesh(bytes))?;
                return Ok(Some(mesh::head(kind, bytes, found.len, open.path(), member.clone())));
            }
            let map = || match (found.around, direct) {
                ((archive::Kind::Bsp, len), _) => Some(maps::Map::Around(len)),
                (_, Some(listed)) => listed.map_size.map(maps::Map::Beside),
                _ => None,
            };
            // What is not named like a mesh may turn out to have no row.
            let mut ahead = |part: Outcome| match promised {
                true => gate.ahead_in(piece, outcomes, Outcome { path: open.path().to_path_buf(), ..part }),
                false => Some(part),
            };
            self.reader.read(bytes, &name, member.clone(), seen, map, &mut ahead).map(Some)
        });
        let intact = open.intact().map_err(|error| error.in_file(&name));
        let mut outcome = match read {
            Ok(Some(outcome)) => outcome,
            Ok(None) => return,
            Err(error) if error.is_not_mesh() && !promised => return,
            Err(error) => Outcome { member, ..Outcome::failed(error.in_file(name)) },
        };
        outcome.path = open.path().to_path_buf();
        if let Err(error) = intact {
            outcome.error = Some(error);
        }
        if promised || !self.is_done(open.path(), outcome.member.as_deref()) {
            outcomes.push(outcome);
        }
    }

    /// Charges what is made of a mesh besides its row. `false` if the archive ended before by a limit.
    fn charge(&self, meter: &Meter, kind: Option<Kind>, len: u64) -> Result<bool> {
        match self.scan.task {
            Task::Check => meter.work(len.saturating_mul(kind.map_or(0, Kind::check_cost))),
            _ if self.scan.each.is_some() => meter.work(0),
            _ => Ok(true),
        }
    }

    fn walker(&self) -> Walker<'static> {
        let recognise: &'static archive::Recognise = &|head| Kind::sniff(head, None).is_some();
        Walker { deep: self.scan.deep.then_some(recognise), heads: self.scan.task == Task::Head }
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.work.stopped(self.gate) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Whether to open a container. A compressed file must be inflated to see its content, so its name decides.
fn opens(scan: &Scan, kind: archive::Kind, found: &Candidate) -> bool {
    let name = found.path.file_name().unwrap_or_default().as_encoded_bytes();
    found.named || scan.deep || !kind.is_compressor() || Promise::by_name(name) == Promise::Archive
}

/// Outcomes of an archive from its own worker, and the number of the next piece.
struct Pieces {
    number: u64,
    next: u64,
    outcomes: Vec<Outcome>,
}

impl Pieces {
    fn new(number: u64) -> Self {
        Self { number, next: 0, outcomes: Vec::new() }
    }

    /// The archive, and the piece of it in which the collected outcomes will be.
    fn this(&self) -> (u64, u64) {
        (self.number, self.next)
    }

    fn take_number(&mut self) -> u64 {
        let number = self.next;
        self.next = number.saturating_add(1);
        number
    }

    /// Hands in the collected outcomes.
    fn send(&mut self, worker: &Worker<'_, '_>) {
        if !self.outcomes.is_empty() {
            let number = self.take_number();
            worker.gate.piece(self.number, number, std::mem::take(&mut self.outcomes));
            worker.work.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_file_is_for_one_worker() {
        let path = std::env::temp_dir().join(format!("navmap-for-one-{}", std::process::id()));
        let file = std::fs::File::create(&path).unwrap();
        assert!(is_for_one(&path));
        file.set_len(LEAST_SHARED as u64).unwrap();
        assert!(!is_for_one(&path), "an archive of that size is shared out");
        std::fs::remove_file(&path).unwrap();
        assert!(!is_for_one(&path) && !is_for_one(&std::env::temp_dir()));
    }
}
