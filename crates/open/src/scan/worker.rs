//! A worker takes a file and hands in the outcomes of the meshes in it.

use super::mesh::{self, HEAD, Reader};
use super::order::Gate;
use super::sink::Outcome;
use super::work::{Chunk, File, Job, Listed, Work};
use super::{Scan, Task, maps};
use crate::open::{ArchiveFile, Candidate};
use navmap_archive::{self as archive, Buffers, Member, Name, Promise, Spans, Trip, Walker};
use navmap_core::bytes::{Backing, BackingPool};
use navmap_core::error::{Error, Result};
use navmap_core::format::not_mesh;
use navmap_formats::Kind;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A chunk of an archive is full with so many members, or so many bytes of them.
const CHUNK_MEMBERS: usize = 64;
const CHUNK_BYTES: u64 = 1 << 20;

/// An archive smaller than this is one worker's: what it can claim to inflate to is held once, not once for each thread,
/// and the limit that ends it is met at the same member in every run.
const LEAST_SHARED: usize = 4 << 20;

/// A reader of files with buffers of its own, reused from file to file.
pub(super) struct Worker<'s, 'w> {
    scan: &'s Scan,
    work: &'s Work<'w>,
    gate: &'s Gate<'w>,
    pool: BackingPool,
    reader: Reader,
    buffers: Buffers,
    share: VecDeque<File>,
}

/// Ends the run if its thread panics, which only a sink can bring about: the others would wait for it.
struct Bail<'s>(&'s Scan);

impl Drop for Bail<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop.store(true, Relaxed);
        }
    }
}

/// What a file turned out to be.
enum Looked {
    Mesh(Box<Outcome>),
    /// A container; its bytes, if they can be read only once.
    Archive(archive::Kind, Option<Backing<'static>>),
    Nothing,
}

impl<'s, 'w> Worker<'s, 'w> {
    pub(super) fn new(scan: &'s Scan, work: &'s Work<'w>, gate: &'s Gate<'w>) -> Self {
        let pool = BackingPool::new(scan.options.opener, scan.options.limits);
        let reader = Reader::new(scan);
        Self { scan, work, gate, pool, reader, buffers: Buffers::new(), share: VecDeque::new() }
    }

    /// Works until there is nothing left to do.
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
        let outcome = match found {
            Err(error) => Some(Outcome::failed(error)),
            Ok(found) => {
                let name = found.path.file_name().unwrap_or_default().as_encoded_bytes();
                // An archive has a row for each of its members, so it is opened to see which are left.
                let single = Promise::of(name) != Promise::Archive;
                if single && self.is_done(&found.path, None) {
                    None
                } else {
                    let outcome = match self.guarded(&found.path, |worker| worker.look(&found)) {
                        // It has a row already.
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

    /// Whether this is left out, or an earlier run has a row for it.
    fn is_done(&self, path: &Path, member: Option<&str>) -> bool {
        let left_out = self.scan.keep.as_ref().is_some_and(|keep| !keep.keeps(path, member));
        left_out || self.scan.done.as_ref().is_some_and(|done| done.take(path, member))
    }

    /// A panic, which would be a bug of ours or of a decoder, costs this file and not the run.
    fn guarded<T>(&mut self, path: &Path, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        catch_unwind(AssertUnwindSafe(|| work(self))).unwrap_or_else(|_| {
            self.pool = BackingPool::new(self.scan.options.opener, self.scan.options.limits);
            self.reader = Reader::new(self.scan);
            self.buffers = Buffers::new();
            let error = Error::invalid("internal error", "the reader panicked; please report this file");
            Err(error.in_file(path))
        })
    }

    fn look(&mut self, found: &Candidate) -> Result<Looked> {
        let path = &found.path;
        if !found.named && archive::is_vpk_part(path.file_name().unwrap_or_default().as_encoded_bytes()) {
            return Ok(Looked::Nothing);
        }
        if found.stream {
            return self.stream(found);
        }
        let heads = self.scan.task == Task::Head;
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
                    Some(_) => {}
                },
            }
        }
        let backing = self.pool.open(path)?;
        let mut outcome = match self.reader.read(&backing, path, None) {
            Ok(outcome) => outcome,
            Err(error) => {
                let kind = archive::Kind::sniff(&backing).filter(|_| error.is_not_mesh());
                return kind.map(|kind| Looked::Archive(kind, None)).ok_or(error);
            }
        };
        if found.beside_map {
            self.reader.hold_against_map(&mut outcome, &backing, maps::beside(path));
        }
        if let Err(error) = backing.intact() {
            outcome.error = Some(error.in_file(path));
        }
        Ok(Looked::Mesh(Box::new(outcome)))
    }

    /// Looks at what can be read only once.
    fn stream(&mut self, found: &Candidate) -> Result<Looked> {
        let (path, options) = (&found.path, &self.scan.options);
        let backing = found.read(options)?;
        let sniffed = options.kind.or_else(|| Kind::sniff(&backing, Some(path)));
        let outcome = match (sniffed, archive::Kind::sniff(&backing)) {
            (None, Some(kind)) => return Ok(Looked::Archive(kind, Some(backing))),
            (Some(kind), _) if self.scan.task == Task::Head => {
                let page = backing.get(..HEAD).unwrap_or(&backing);
                mesh::head(kind, page, backing.len() as u64, path, None)
            }
            _ => self.reader.read(&backing, path, None)?,
        };
        Ok(Looked::Mesh(Box::new(outcome)))
    }

    fn archive(&mut self, number: u64, path: PathBuf, kind: archive::Kind, bytes: Option<Backing<'static>>) {
        self.work.give_back(&mut self.share);
        let mut pieces = Pieces { number, next: 0, outcomes: Vec::new() };
        let opened = self.guarded(&path, |worker| {
            let options = &worker.scan.options;
            let backing = bytes.map_or_else(|| options.backing(&path), Ok)?;
            let archive = ArchiveFile::of(path.clone(), backing, kind, options);
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

    /// Goes through an archive: its members in chunks that others may take, or one by one where it has to be read from
    /// front to back.
    fn members(&mut self, open: &Arc<ArchiveFile>, pieces: &mut Pieces) -> Result<()> {
        let archive = open.archive()?;
        let walker = self.walker();
        if archive.is_sequential() {
            let mut buffers = std::mem::take(&mut self.buffers);
            let _ = walker.archive(&archive, &mut Vec::new(), open.meter(), &mut buffers, &mut |found| {
                self.member(open, found, None, &mut pieces.outcomes);
                pieces.send(self);
                self.work.pause(self.gate, pieces.number);
                self.flow()
            });
            self.buffers = buffers;
            return Ok(());
        }
        let limits = &self.scan.options.limits;
        let maps = maps::of(&archive, limits);
        let mut spans = Spans::of(&archive);
        let mut chunk = Vec::new();
        let mut bytes = 0u64;
        for member in archive.members(limits) {
            let member = open.meter().entry().and(member).map_err(|error| (None, error)).and_then(|member| {
                let wanted = walker.wants(&member);
                let apart = if wanted { spans.take(&member.entry) } else { Ok(()) };
                apart.map(|()| (member, wanted)).map_err(|e| (Some(mesh::text(&member.name.bytes())), e))
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
                // Somebody has told of the limit that was met.
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

    /// Lets others do a chunk, or does one where they have enough to do, and behind the last one.
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
            if name.promise() == Promise::Mesh && self.is_done(open.path(), Some(&mesh::text(&listed.name))) {
                continue;
            }
            let member = Member { name, entry: listed.entry };
            let looked = self.guarded(open.path(), |worker| {
                let walker = worker.walker();
                let mut buffers = std::mem::take(&mut worker.buffers);
                let mut visit = |found: archive::Found<'_>| {
                    worker.member(&open, found, Some(listed), &mut outcomes);
                    if outcomes.len() >= CHUNK_MEMBERS {
                        // An archive in an archive may hold millions.
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
                let member = Some(mesh::text(&listed.name));
                outcomes.push(Outcome { member, ..Outcome::failed(error) });
            }
        }
        self.gate.piece(file, number, outcomes);
        self.work.wake();
    }

    /// Reads what a walk has come across in an archive.
    fn member(
        &mut self,
        open: &ArchiveFile,
        found: archive::Found<'_>,
        listed: Option<&Listed>,
        outcomes: &mut Vec<Outcome>,
    ) {
        let direct = listed.filter(|listed| *listed.name == *found.path);
        let promised = Name::Whole(found.path).promise() == Promise::Mesh;
        let member = (!found.path.is_empty()).then(|| mesh::text(found.path));
        let name = member.as_ref().map_or(open.path().to_path_buf(), |member| {
            let mut name = open.path().to_path_buf().into_os_string();
            name.push("!");
            name.push(member);
            name.into()
        });
        let read = found.bytes.and_then(|bytes| {
            if self.scan.task == Task::Head {
                let kind = Kind::sniff(bytes, Some(&name)).ok_or_else(|| not_mesh(bytes))?;
                return Ok(mesh::head(kind, bytes, found.len, open.path(), member.clone()));
            }
            let mut outcome = self.reader.read(bytes, &name, member.clone())?;
            let map = match (found.around, direct) {
                ((archive::Kind::Bsp, len), _) => Some(maps::Map::Around(len)),
                (_, Some(listed)) => listed.map_size.map(maps::Map::Beside),
                _ => None,
            };
            self.reader.hold_against_map(&mut outcome, bytes, map);
            Ok(outcome)
        });
        let intact = open.intact().map_err(|error| error.in_file(&name));
        let mut outcome = match read {
            Ok(outcome) => outcome,
            Err(error) if error.is_not_mesh() && !promised => return,
            Err(error) => Outcome { member, ..Outcome::failed(error.in_file(name)) },
        };
        outcome.path = open.path().to_path_buf();
        if let Err(error) = intact {
            outcome.error = Some(error);
        }
        // Those that were chosen by name have been asked about before they were read.
        let asked = direct.is_some() && promised;
        if asked || !self.is_done(open.path(), outcome.member.as_deref()) {
            outcomes.push(outcome);
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

/// Whether a container is opened. A compressed file has to be inflated to see what is in it, so its name decides.
fn opens(scan: &Scan, kind: archive::Kind, found: &Candidate) -> bool {
    let name = found.path.file_name().unwrap_or_default().as_encoded_bytes();
    found.named || scan.deep || !kind.is_compressor() || Promise::of(name) == Promise::Archive
}

/// Outcomes of an archive that its own worker has made, and the number of the next piece.
struct Pieces {
    number: u64,
    next: u64,
    outcomes: Vec<Outcome>,
}

impl Pieces {
    fn take_number(&mut self) -> u64 {
        let number = self.next;
        self.next = number.saturating_add(1);
        number
    }

    /// Hands in what there is.
    fn send(&mut self, worker: &Worker<'_, '_>) {
        if !self.outcomes.is_empty() {
            let number = self.take_number();
            worker.gate.piece(self.number, number, std::mem::take(&mut self.outcomes));
            worker.work.wake();
        }
    }
}
