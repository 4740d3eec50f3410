//! Outcomes of many workers, put back into path order in bounded memory.

#![forbid(unsafe_code)]

use super::sink::{Outcome, Sink};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};

/// How many files the fastest worker may be ahead of the slowest.
const WINDOW: u64 = 4096;

/// The outcomes of one file: none for what is no mesh, many for an archive.
pub(super) type Batch = Vec<Outcome>;

/// Gathers what workers have done and hands it to the sink: in the order of the walk, or as it comes.
pub(super) struct Gate<'s> {
    state: Mutex<State<'s>>,
    moved: Condvar,
    ordered: bool,
}

struct State<'s> {
    sink: &'s mut dyn Sink,
    /// Outcomes of files `next..`; `None` while a worker is still at it.
    waiting: VecDeque<Option<Batch>>,
    next: u64,
    closed: bool,
}

impl<'s> Gate<'s> {
    pub(super) fn new(sink: &'s mut dyn Sink, ordered: bool) -> Self {
        let state = State { sink, waiting: VecDeque::new(), next: 0, closed: false };
        Self { state: Mutex::new(state), moved: Condvar::new(), ordered }
    }

    /// Hands in the outcomes of file number `file`; `false` once the sink wants no more. Waits while this worker is too
    /// far ahead of the others.
    pub(super) fn pass(&self, file: u64, batch: Batch) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.ordered {
            state.emit(batch);
            return !state.closed;
        }
        // The worker at the front never waits: `file < next + WINDOW` holds for `file == next`.
        while !state.closed && file >= state.next.saturating_add(WINDOW) {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let place = usize::try_from(file.saturating_sub(state.next)).unwrap_or(usize::MAX);
        if state.waiting.len() <= place {
            state.waiting.resize_with(place.saturating_add(1), || None);
        }
        if let Some(slot) = state.waiting.get_mut(place) {
            *slot = Some(batch);
        }
        while let Some(Some(batch)) = state.waiting.front_mut().map(Option::take) {
            state.waiting.pop_front();
            state.next = state.next.saturating_add(1);
            state.emit(batch);
        }
        let open = !state.closed;
        drop(state);
        self.moved.notify_all();
        open
    }
}

impl Gate<'_> {
    /// Ends the run: nothing is handed on any more, and nobody waits.
    pub(super) fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.moved.notify_all();
    }
}

impl State<'_> {
    fn emit(&mut self, batch: Batch) {
        for outcome in batch {
            if self.closed {
                return;
            }
            self.closed = self.sink.outcome(outcome).is_break();
        }
    }
}
