//! What there is to do: files of the walk, and members of the archives that somebody has opened.

use super::order::Gate;
use crate::open::{ArchiveFile, Candidate, Files, Step};
use navmap_archive::Entry;
use navmap_core::error::Result;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Steps of the walk in one turn at the lock, if they find no file.
const STEPS: usize = 1024;

/// A file of the walk, and its number in it.
pub(super) type File = (u64, Result<Candidate>);

/// A member that is worth a look.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) name: Box<[u8]>,
    pub(super) entry: Entry,
    /// Size of the map of the same name in the same archive.
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

/// What a worker is to do next.
pub(super) enum Job {
    /// The files that were put into its share. There may be none yet.
    Files,
    Chunk(Chunk),
}

/// All that is to be done, drawn from by all workers: what comes first in the order of the walk goes first.
pub(super) struct Work<'w> {
    state: Mutex<State<'w>>,
    changed: Condvar,
    /// Workers that wait for something to do.
    idle: AtomicUsize,
    stop: &'w AtomicBool,
    threads: usize,
}

struct State<'w> {
    walk: Files<'w>,
    taken: u64,
    exhausted: bool,
    /// Files that were drawn from the walk and given back, the first one first.
    returned: VecDeque<File>,
    chunks: BTreeMap<(u64, u64), Chunk>,
    /// Workers that are at something, and may find more to do.
    busy: usize,
}

impl<'w> Work<'w> {
    pub(super) fn new(walk: Files<'w>, threads: usize, stop: &'w AtomicBool) -> Self {
        let (returned, chunks) = (VecDeque::new(), BTreeMap::new());
        let state = State { walk, taken: 0, exhausted: false, returned, chunks, busy: threads };
        Self { state: Mutex::new(state), changed: Condvar::new(), idle: AtomicUsize::new(0), stop, threads }
    }

    fn lock(&self) -> MutexGuard<'_, State<'w>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the run is to end early.
    pub(super) fn stopped(&self, gate: &Gate<'_>) -> bool {
        self.stop.load(SeqCst) || gate.is_closed()
    }

    /// The next thing to do; files go into `share`. `None` at the end of the run.
    ///
    /// Waits while there is nothing to do but somebody may find something, and while this worker would get too far ahead.
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

    /// Offers a chunk of an open archive to the others. Where they have enough to do, or with `now`, hands back the chunk
    /// that comes first of all that wait: chunks are begun in their order, so that one which has to wait for its turn
    /// waits for others that somebody is at.
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

    /// Something to do for a worker that must not go on with `file` yet. `None` once it may, or the run ends.
    pub(super) fn meanwhile(&self, gate: &Gate<'_>, file: u64) -> Option<Chunk> {
        if gate.may_take(file) || self.stopped(gate) {
            return None;
        }
        self.until(|state| match gate.may_take(file) || self.stopped(gate) {
            true => Some(None),
            false => state.chunk(gate).map(Some),
        })
    }

    /// Waits until a worker may go on with a piece of `file`.
    pub(super) fn pause_in(&self, gate: &Gate<'_>, file: u64, piece: u64) {
        if !gate.may_go_on(file, piece) {
            self.until(|_| (gate.may_go_on(file, piece) || self.stopped(gate)).then_some(()));
        }
    }

    /// Waits until a worker may go on with `file`.
    pub(super) fn pause(&self, gate: &Gate<'_>, file: u64) {
        if !gate.may_take(file) {
            self.until(|_| (gate.may_take(file) || self.stopped(gate)).then_some(()));
        }
    }

    /// Gives back files that this worker will not get to soon.
    pub(super) fn give_back(&self, share: &mut VecDeque<File>) {
        if self.threads > 1 && !share.is_empty() {
            let mut state = self.lock();
            state.returned.extend(share.drain(..));
            state.returned.make_contiguous().sort_unstable_by_key(|(number, _)| *number);
            drop(state);
            self.wake();
        }
    }

    /// Wakes whoever waits: there is more to do, or somebody may go on.
    pub(super) fn wake(&self) {
        if self.idle.load(SeqCst) > 0 {
            // Whoever is between its look at the state and its wait holds the lock.
            drop(self.lock());
            self.changed.notify_all();
        }
    }

    /// Waits for a change. The time is for a stop that comes from a signal handler, which cannot wake anybody.
    fn wait<'g>(&self, state: MutexGuard<'g, State<'w>>) -> MutexGuard<'g, State<'w>> {
        let waited = self.changed.wait_timeout(state, Duration::from_millis(50));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Asks `ready` until it has an answer, and waits in between.
    fn until<T>(&self, mut ready: impl FnMut(&mut State<'w>) -> Option<T>) -> T {
        let mut state = self.lock();
        if let Some(answer) = ready(&mut state) {
            return answer;
        }
        // Counted as idle before the second look: a change after that look sees the count, and wakes.
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

    /// Takes the next files: several while many are known, so that the lock is taken seldom, but one by one towards the
    /// end, so that no worker sits on files that another could do.
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
        // A share without files comes back at once, after others had the lock and the run could be stopped.
        true
    }
}
