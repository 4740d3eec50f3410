//! Puts outcomes of many workers back into path order in bounded memory.

use super::sink::Outcome;
use navmap_core::threads::locked;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard};

/// The most files by which the fastest worker may be ahead of the slowest.
pub(super) const WINDOW: u64 = 4096;

/// The most waiting outcomes before only the work that is next in line continues.
const MOST_HELD: u64 = 8192;

/// Collects the results of workers and hands them to the sink: in the order of the walk, or as they come.
///
/// No worker waits here. A worker asks [`may_take`](Self::may_take) before it begins a file. The file that is first in order may
/// always be begun, so some worker always progresses, and the others catch up.
///
/// The worker that hands in an outcome prepares it for the sink before it takes the lock: rows are formatted on all threads, but
/// written by one at a time.
pub(super) struct Gate<'s> {
    turn: Turn,
    queue: Box<dyn HandIn + 's>,
}

/// Whose turn it is, readable without the lock.
struct Turn {
    ordered: bool,
    /// The most files by which a worker may be ahead.
    window: u64,
    /// The file whose outcomes are next in line.
    front: AtomicU64,
    /// The piece of that file that is next in line.
    piece: AtomicU64,
    held: AtomicU64,
    closed: AtomicBool,
}

/// A [`Queue`] with any item type.
trait HandIn: Sync {
    fn ahead(&self, turn: &Turn, part: Outcome);
    fn whole(&self, turn: &Turn, file: u64, outcome: Option<Outcome>);
    fn piece(&self, turn: &Turn, file: u64, number: u64, outcomes: Vec<Outcome>, is_done: bool);
    fn end(&self, turn: &Turn, file: u64, pieces: u64);
    fn flush(&self);
}

struct Queue<'s, T> {
    prepare: &'s Prepare<'s, T>,
    state: Mutex<State<'s, T>>,
}

/// Prepares an outcome for the sink.
pub(super) type Prepare<'s, T> = dyn Fn(Outcome) -> T + Sync + 's;

/// Receives one item after the other; `Break` ends the run.
pub(super) type Take<'s, T> = dyn FnMut(T) -> ControlFlow<()> + Send + 's;

struct State<'s, T> {
    sink: &'s mut Take<'s, T>,
    /// Outcomes of files `front..`.
    slots: VecDeque<Slot<T>>,
    front: u64,
    held: u64,
    closed: bool,
}

/// The waiting outcomes of one file.
enum Slot<T> {
    /// The file is being read, or nobody has begun.
    Pending,
    /// The file is done: one outcome, or none if it is not a mesh.
    Whole(Option<Box<T>>),
    /// An archive, whose outcomes come in numbered pieces.
    Pieces(Box<Pieces<T>>),
}

struct Pieces<T> {
    waiting: VecDeque<Piece<T>>,
    /// Number of the first of `waiting`.
    next: u64,
    /// The number of pieces, once it is known.
    total: Option<u64>,
}

/// The outcomes of one piece so far.
struct Piece<T> {
    outcomes: Vec<T>,
    is_done: bool,
}

impl<T> Default for Piece<T> {
    fn default() -> Self {
        Self { outcomes: Vec::new(), is_done: false }
    }
}

impl<T> Default for Pieces<T> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), next: 0, total: None }
    }
}

impl<'s> Gate<'s> {
    pub(super) fn new<T: Send + 's>(
        prepare: &'s Prepare<'s, T>,
        sink: &'s mut Take<'s, T>,
        ordered: bool,
        window: u64,
    ) -> Self {
        let state = State { sink, slots: VecDeque::new(), front: 0, held: 0, closed: false };
        let (front, piece, held, closed) = Default::default();
        let turn = Turn { ordered, window, front, piece, held, closed };
        Self { turn, queue: Box::new(Queue { prepare, state: Mutex::new(state) }) }
    }

    /// Whether work on this file may begin, or continue, now.
    pub(super) fn may_take(&self, file: u64) -> bool {
        let front = self.turn.front.load(SeqCst);
        !self.turn.ordered
            || file <= front
            || file < front.saturating_add(self.turn.window) && self.turn.held.load(SeqCst) < self.most_held()
    }

    /// Whether work on this piece of a begun file may continue. The piece that is next in line always may.
    pub(super) fn may_go_on(&self, file: u64, piece: u64) -> bool {
        !self.turn.ordered
            || self.turn.held.load(SeqCst) < self.most_held()
            || file == self.turn.front.load(SeqCst) && piece <= self.turn.piece.load(SeqCst)
    }

    /// The most outcomes that may wait for their turn.
    fn most_held(&self) -> u64 {
        self.turn.window.saturating_mul(2).min(MOST_HELD)
    }

    /// Whether the sink has ended the run.
    pub(super) fn is_closed(&self) -> bool {
        self.turn.closed.load(SeqCst)
    }

    /// Hands in the whole result of a file.
    pub(super) fn whole(&self, file: u64, outcome: Option<Outcome>) {
        self.queue.whole(&self.turn, file, outcome);
    }

    /// Passes on a part of the result of a file that is next in line. Gives it back if another file is.
    pub(super) fn ahead(&self, file: u64, part: Outcome) -> Option<Outcome> {
        // Only who reads the first file can hand it in, so it stays the first.
        if !self.turn.ordered || file != self.turn.front.load(SeqCst) {
            return Some(part);
        }
        self.queue.ahead(&self.turn, part);
        None
    }

    /// The same for a part of a piece, behind the outcomes of it that are not handed in yet.
    pub(super) fn ahead_in(
        &self,
        (file, piece): (u64, u64),
        before: &mut Vec<Outcome>,
        part: Outcome,
    ) -> Option<Outcome> {
        let is_next = file == self.turn.front.load(SeqCst) && piece == self.turn.piece.load(SeqCst);
        if !self.turn.ordered || !is_next {
            return Some(part);
        }
        before.push(part);
        self.some_of_piece(file, piece, std::mem::take(before));
        None
    }

    /// Hands in a piece of an archive's results, or the last part of it. Pieces are numbered from 0 for each archive.
    pub(super) fn piece(&self, file: u64, number: u64, outcomes: Vec<Outcome>) {
        self.queue.piece(&self.turn, file, number, outcomes, true);
    }

    /// Hands in a part of a piece; more follows.
    pub(super) fn some_of_piece(&self, file: u64, number: u64, outcomes: Vec<Outcome>) {
        self.queue.piece(&self.turn, file, number, outcomes, false);
    }

    /// Sets the total number of pieces of an archive.
    pub(super) fn end(&self, file: u64, pieces: u64) {
        self.queue.end(&self.turn, file, pieces);
    }

    /// Passes on outcomes still waiting behind unfinished files, in order, at the end of a stopped run.
    pub(super) fn flush(&self) {
        self.queue.flush();
    }
}

impl Turn {
    fn publish<T>(&self, state: &State<'_, T>) {
        let piece = match state.slots.front() {
            Some(Slot::Pieces(pieces)) => pieces.next,
            _ => 0,
        };
        // The next file is never combined with a piece of the previous one, so nobody is let through by mistake.
        self.piece.store(0, SeqCst);
        self.front.store(state.front, SeqCst);
        self.piece.store(piece, SeqCst);
        self.held.store(state.held, SeqCst);
        self.closed.store(state.closed, SeqCst);
    }
}

impl<'s, T> Queue<'s, T> {
    fn lock(&self) -> MutexGuard<'_, State<'s, T>> {
        locked(&self.state)
    }
}

impl<T: Send> HandIn for Queue<'_, T> {
    fn ahead(&self, turn: &Turn, part: Outcome) {
        let part = (self.prepare)(part);
        let mut state = self.lock();
        state.emit([part]);
        turn.publish(&state);
    }

    fn whole(&self, turn: &Turn, file: u64, outcome: Option<Outcome>) {
        let outcome = outcome.map(self.prepare);
        let mut state = self.lock();
        if !turn.ordered {
            state.emit(outcome);
        } else if file == state.front && state.slots.front().is_none_or(|slot| matches!(slot, Slot::Pending))
        {
            // The usual case: nothing to wait for.
            state.emit(outcome);
            state.slots.pop_front();
            state.front = state.front.saturating_add(1);
            state.advance();
        } else {
            state.held = state.held.saturating_add(u64::from(outcome.is_some()));
            *state.slot(file) = Slot::Whole(outcome.map(Box::new));
        }
        turn.publish(&state);
    }

    fn piece(&self, turn: &Turn, file: u64, number: u64, outcomes: Vec<Outcome>, is_done: bool) {
        let mut outcomes: Vec<T> = outcomes.into_iter().map(self.prepare).collect();
        let mut state = self.lock();
        if !turn.ordered {
            state.emit(outcomes);
        } else {
            state.held = state.held.saturating_add(outcomes.len() as u64);
            let pieces = state.slot(file).pieces();
            let place = usize::try_from(number.saturating_sub(pieces.next)).unwrap_or(usize::MAX);
            if pieces.waiting.len() <= place {
                pieces.waiting.resize_with(place.saturating_add(1), Piece::default);
            }
            if let Some(piece) = pieces.waiting.get_mut(place) {
                piece.outcomes.append(&mut outcomes);
                piece.is_done = is_done;
            }
            if file == state.front {
                state.advance();
            }
        }
        turn.publish(&state);
    }

    fn end(&self, turn: &Turn, file: u64, pieces: u64) {
        if turn.ordered {
            let mut state = self.lock();
            state.slot(file).pieces().total = Some(pieces);
            if file == state.front {
                state.advance();
            }
            turn.publish(&state);
        }
    }

    fn flush(&self) {
        let mut state = self.lock();
        while let Some(slot) = state.slots.pop_front() {
            match slot {
                Slot::Pending => {}
                Slot::Whole(outcome) => state.emit(outcome.map(|outcome| *outcome)),
                Slot::Pieces(pieces) => {
                    state.emit(pieces.waiting.into_iter().flat_map(|piece| piece.outcomes));
                }
            }
        }
    }
}

impl<T> State<'_, T> {
    fn slot(&mut self, file: u64) -> &mut Slot<T> {
        let place = usize::try_from(file.saturating_sub(self.front)).unwrap_or(usize::MAX);
        if self.slots.len() <= place {
            self.slots.resize_with(place.saturating_add(1), || Slot::Pending);
        }
        &mut self.slots[place]
    }

    /// Passes on everything that is next in line.
    fn advance(&mut self) {
        loop {
            let done = match self.slots.front_mut() {
                None | Some(Slot::Pending) => return,
                Some(Slot::Whole(outcome)) => {
                    let outcome = outcome.take();
                    self.held = self.held.saturating_sub(u64::from(outcome.is_some()));
                    self.emit(outcome.map(|outcome| *outcome));
                    true
                }
                Some(Slot::Pieces(pieces)) => match pieces.waiting.front_mut() {
                    Some(piece) => {
                        let outcomes = std::mem::take(&mut piece.outcomes);
                        let is_done = piece.is_done;
                        if is_done {
                            pieces.waiting.pop_front();
                            pieces.next = pieces.next.saturating_add(1);
                        }
                        self.held = self.held.saturating_sub(outcomes.len() as u64);
                        self.emit(outcomes);
                        if !is_done {
                            return;
                        }
                        false
                    }
                    None if pieces.total == Some(pieces.next) => true,
                    None => return,
                },
            };
            if done {
                self.slots.pop_front();
                self.front = self.front.saturating_add(1);
            }
        }
    }

    fn emit(&mut self, outcomes: impl IntoIterator<Item = T>) {
        for outcome in outcomes {
            if self.closed {
                return;
            }
            // It gets no more if it panics, whoever catches that.
            self.closed = true;
            self.closed = (self.sink)(outcome).is_break();
        }
    }
}

impl<T> Slot<T> {
    fn pieces(&mut self) -> &mut Pieces<T> {
        if let Self::Pending = self {
            *self = Self::Pieces(Box::default());
        }
        match self {
            Self::Pieces(pieces) => pieces,
            // A file is handed in whole or in pieces, never both: see `Worker`.
            Self::Pending | Self::Whole(_) => unreachable!("a whole file in pieces"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn outcome(name: &str) -> Outcome {
        Outcome::new(PathBuf::from(name))
    }

    fn run(ordered: bool, work: impl FnOnce(&Gate<'_>)) -> Vec<String> {
        let mut seen = Vec::new();
        let mut sink = |outcome: Outcome| {
            seen.push(outcome.path.to_str().unwrap().to_owned());
            ControlFlow::Continue(())
        };
        let gate = Gate::new(&|outcome| outcome, &mut sink, ordered, WINDOW);
        work(&gate);
        gate.flush();
        drop(gate);
        seen
    }

    fn some(gate: &Gate<'_>) {
        gate.whole(2, Some(outcome("2")));
        gate.piece(1, 1, vec![outcome("1b"), outcome("1c")]);
        gate.whole(3, None);
        gate.whole(0, Some(outcome("0")));
        assert_eq!(gate.turn.front.load(SeqCst), if gate.turn.ordered { 1 } else { 0 });
        gate.piece(1, 0, vec![outcome("1a")]);
        gate.end(1, 2);
        gate.whole(5, Some(outcome("5")));
    }

    #[test]
    fn outcomes_leave_in_order_whatever_order_they_come_in() {
        let seen = run(true, |gate| {
            some(gate);
            assert_eq!((gate.turn.front.load(SeqCst), gate.turn.held.load(SeqCst)), (4, 1));
        });
        assert_eq!(seen, ["0", "1a", "1b", "1c", "2", "5"]);
        assert_eq!(run(false, some), ["2", "1b", "1c", "0", "1a", "5"]);
    }

    #[test]
    fn an_archive_that_is_next_in_line_does_not_wait_for_its_end() {
        let seen = run(true, |gate| {
            gate.piece(0, 0, vec![outcome("a")]);
            assert_eq!(gate.turn.held.load(SeqCst), 0);
            gate.end(0, 1);
            gate.end(1, 0);
            assert_eq!(gate.turn.front.load(SeqCst), 2);
        });
        assert_eq!(seen, ["a"]);
    }

    #[test]
    fn some_of_the_piece_that_is_next_does_not_wait_for_the_rest() {
        let seen = run(true, |gate| {
            let held = || gate.turn.held.load(SeqCst);
            gate.some_of_piece(0, 1, vec![outcome("b")]);
            assert_eq!(held(), 1);
            gate.some_of_piece(0, 0, vec![outcome("a")]);
            gate.some_of_piece(0, 0, vec![outcome("aa")]);
            assert_eq!(held(), 1);
            gate.piece(0, 0, vec![]);
            assert_eq!((held(), gate.turn.piece.load(SeqCst)), (0, 1));
            gate.some_of_piece(0, 1, vec![outcome("bb")]);
            gate.piece(0, 1, vec![outcome("bbb")]);
            gate.end(0, 2);
            gate.whole(1, Some(outcome("c")));
        });
        assert_eq!(seen, ["a", "aa", "b", "bb", "bbb", "c"]);
    }

    #[test]
    fn a_part_goes_ahead_only_of_what_is_next() {
        let is_kept = |part: Option<Outcome>| part.is_some();
        let seen = run(true, |gate| {
            assert!(is_kept(gate.ahead(1, outcome("b"))));
            assert!(!is_kept(gate.ahead(0, outcome("a"))));
            gate.whole(0, Some(outcome("aa")));
            assert!(!is_kept(gate.ahead(1, outcome("b"))));
            gate.whole(1, Some(outcome("bb")));
            let before = &mut vec![outcome("c")];
            assert!(is_kept(gate.ahead_in((2, 1), &mut Vec::new(), outcome("e"))));
            assert!(!is_kept(gate.ahead_in((2, 0), before, outcome("d"))) && before.is_empty());
            gate.piece(2, 0, vec![outcome("dd")]);
            assert!(!is_kept(gate.ahead_in((2, 1), before, outcome("e"))));
            gate.piece(2, 1, Vec::new());
            gate.end(2, 2);
        });
        assert_eq!(seen, ["a", "aa", "b", "bb", "c", "d", "dd", "e"]);
        run(false, |gate| assert!(is_kept(gate.ahead(0, outcome("a")))));
    }

    #[test]
    fn a_piece_whose_turn_is_later_waits_while_much_is_held() {
        run(true, |gate| {
            gate.some_of_piece(1, 0, (0..MOST_HELD).map(|i| outcome(&i.to_string())).collect());
            assert!(gate.may_go_on(0, 0) && !gate.may_go_on(0, 1) && !gate.may_go_on(1, 0));
            gate.piece(0, 0, Vec::new());
            assert!(gate.may_go_on(0, 1) && !gate.may_go_on(0, 2) && !gate.may_go_on(1, 0));
            gate.end(0, 1);
            assert!(gate.may_go_on(1, 0) && gate.may_go_on(1, 1), "all that was held is handed on");
        });
    }

    #[test]
    fn whoever_is_next_may_always_go_on() {
        run(true, |gate| {
            assert!(gate.may_take(0) && gate.may_take(WINDOW - 1) && !gate.may_take(WINDOW));
            gate.piece(3, 0, (0..MOST_HELD).map(|i| outcome(&i.to_string())).collect());
            assert!(gate.may_take(0) && !gate.may_take(1));
            gate.whole(0, None);
            assert!(gate.may_take(1) && !gate.may_take(2));
        });
    }
}
