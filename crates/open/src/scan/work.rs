//! The pending work: files of the walk, and members of opened archives.

use super::order::Gate;
use crate::open::{ArchiveFile, Candidate, Files, Step};
use navmap_archive::Entry;
use navmap_core::error::Result;
use navmap_core::threads::locked;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Steps of the walk per turn at the lock, if they find no file.
const STEPS: usize = 1024;

/// A file of the walk, and its number in the walk.
pub(super) type File = (u64, Result<Candidate>);

/// A member that should be read.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) name: Box<[u8]>,
    pub(super) entry: Entry,
    /// Size of the map with the same name in the same archive.
    pub(super) map_size: Option<u64>,
}

/// Some members of an archive.
#[derive(Debug)]
pub(super) struct Chunk {
    /// Number of the archive in the walk.
    pub(super) file: u64,
    /// Number of the chunk in the archive.
    pub(super) number: u64,
    pub(super) archive: Arc<ArchiveFile>,
    pub(super) members: Vec<Listed>,
}

/// The next task of a worker.
pub(super) enum Job {
    /// The files that were put into its share. It may be empty.
    Files,
    Chunk(Chunk),
}

/// All pending work, shared by all workers. Work that is first in the order of the walk goes first.
pub(super) struct Work<'w> {
    state: Mutex<State<'w>>,
    changed: Condvar,
    /// Workers that wait for work.
    idle: AtomicUsize,
    stop: &'w AtomicBool,
    threads: usize,
}

struct State<'w> {
    walk: Files<'w>,
    taken: u64,
    exhausted: bool,
    /// Files that were taken from the walk and given back, first one first.
    returned: VecDeque<File>,
    chunks: BTreeMap<(u64, u64), Chunk>,
    /// Workers that are busy, and may find more work.
    busy: usize,
}

impl<'w> Work<'w> {
    pub(super) fn new(walk: Files<'w>, threads: usize, stop: &'w AtomicBool) -> Self {
        let (returned, chunks) = (VecDeque::new(), BTreeMap::new());
        let state = State { walk, taken: 0, exhausted: false, returned, chunks, busy: threads };
        Self { state: Mutex::new(state), changed: Condvar::new(), idle: AtomicUsize::new(0), stop, threads }
    }

    fn lock(&self) -> MutexGuard<'_, State<'w>> {
        locked(&self.state)
    }

    /// Whether the run should end early.
    pub(super) fn stopped(&self, gate: &Gate<'_>) -> bool {
        self.stop.load(SeqCst) || gate.is_closed()
    }

    /// The next task; files go into `share`. `None` at the end of the run.
    ///
    /// Waits while there is no work but a worker may still find some, and while this worker would get too far ahead.
    pub(super) fn next(&self, gate: &Gate<'_>, share: &mut VecDeque<File>) -> Option<Job> {
        let mut left = false;
        let job = self.until(|state| {
            if !std::mem::replace(&mut left, true) {
                state.busy = state.busy.saturating_sub(1);
            }
            if self.stopped(gate) {
                return Some(None);
            }
            let job = match state.chunk(gate) {
                Some(chunk) => Job::Chunk(chunk),
                None if state.share(self.threads, gate, share) => Job::Files,
                None => return state.is_done().then_some(None),
            };
            state.busy = state.busy.saturating_add(1);
            Some(Some(job))
        });
        if job.is_none() {
            self.wake();
        }
        job
    }

    /// Offers a chunk of an open archive to the others. If they have enough work, or with `now`, returns the first of all waiting
    /// chunks: chunks are begun in order, so that one that has to wait for its turn waits only for chunks in progress.
    pub(super) fn offer(&self, chunk: Chunk, now: bool) -> Option<Chunk> {
        if self.threads == 1 {
            return Some(chunk);
        }
        let mut state = self.lock();
        let is_full = state.chunks.len() >= self.threads.saturating_mul(2);
        state.chunks.insert((chunk.file, chunk.number), chunk);
        if is_full || now {
            return state.chunks.pop_first().map(|(_, chunk)| chunk);
        }
        drop(state);
        self.wake();
        None
    }

    /// Work for a worker that must not continue with `file` yet. `None` once it may, or the run ends.
    pub(super) fn meanwhile(&self, gate: &Gate<'_>, file: u64) -> Option<Chunk> {
        if gate.may_take(file) || self.stopped(gate) {
            return None;
        }
        self.until(|state| match gate.may_take(file) || self.stopped(gate) {
            true => Some(None),
            false => state.chunk(gate).map(Some),
        })
    }

    /// Waits until a worker may continue with a piece of `file`.
    pub(super) fn pause_in(&self, gate: &Gate<'_>, file: u64, piece: u64) {
        if !gate.may_go_on(file, piece) {
            self.until(|_| (gate.may_go_on(file, piece) || self.stopped(gate)).then_some(()));
        }
    }

    /// Waits until a worker may continue with `file`.
    pub(super) fn pause(&self, gate: &Gate<'_>, file: u64) {
        if !gate.may_take(file) {
            self.until(|_| (gate.may_take(file) || self.stopped(gate)).then_some(()));
        }
    }

    /// Gives back files that this worker will not reach soon.
    pub(super) fn give_back(&self, share: &mut VecDeque<File>) {
        if self.threads > 1 && !share.is_empty() {
            let mut state = self.lock();
            state.returned.extend(share.drain(..));
            state.returned.make_contiguous().sort_unstable_by_key(|(number, _)| *number);
            drop(state);
            self.wake();
        }
    }

    /// Wakes waiting workers: there is more work, or somebody may continue.
    pub(super) fn wake(&self) {
        if self.idle.load(SeqCst) > 0 {
            // A worker between checking the state and waiting holds the lock.
            drop(self.lock());
            self.changed.notify_all();
        }
    }

    /// Waits for a change. The timeout is for a stop from a signal handler, which cannot wake anybody.
    fn wait<'g>(&self, state: MutexGuard<'g, State<'w>>) -> MutexGuard<'g, State<'w>> {
        let waited = self.changed.wait_timeout(state, Duration::from_millis(50));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Calls `ready` until it returns a value, and waits in between.
    fn until<T>(&self, mut ready: impl FnMut(&mut State<'w>) -> Option<T>) -> T {
        let mut state = self.lock();
        if let Some(answer) = ready(&mut state) {
            return answer;
        }
        // Counted as idle before the second check: a change after that check sees the count, and wakes this worker.
        self.idle.fetch_add(1, SeqCst);
        let answer = loop {
            match ready(&mut state) {
                Some(answer) => break answer,
                None => state = self.wait(state),
            }
        };
        self.idle.fetch_sub(1, SeqCst);
        answer
    }
}

impl State<'_> {
    fn is_done(&self) -> bool {
        self.exhausted && self.returned.is_empty() && self.chunks.is_empty() && self.busy == 0
    }

    /// The first chunk, if it may be begun.
    fn chunk(&mut self, gate: &Gate<'_>) -> Option<Chunk> {
        let first = self.chunks.first_entry()?;
        gate.may_take(first.key().0).then(|| first.remove())
    }

    /// Takes the next files: several while many are known, so that the lock is taken seldom, but one by one towards the end, so
    /// that no worker holds files that another could read.
    fn share(&mut self, threads: usize, gate: &Gate<'_>, share: &mut VecDeque<File>) -> bool {
        let next = self.returned.front().map_or(self.taken, |(number, _)| *number);
        if !gate.may_take(next) {
            return false;
        }
        if !self.returned.is_empty() {
            let fair = self.returned.len() / threads.max(1) / 4;
            share.extend(self.returned.drain(..fair.clamp(1, 16)));
            return true;
        }
        if self.exhausted {
            return false;
        }
        let fair = (self.walk.known() / threads.max(1) / 4).clamp(1, 16);
        for _ in 0..STEPS {
            match self.walk.step() {
                Step::Found(found) => {
                    share.push_back((self.taken, found));
                    self.taken = self.taken.saturating_add(1);
                    if share.len() >= fair {
                        break;
                    }
                }
                Step::Passed => {}
                Step::End => {
                    self.exhausted = true;
                    return !share.is_empty();
                }
            }
        }
        // A share without files returns at once, after others had the lock and could stop the run.
        true
    }
}
