//! The table of guarded maps: address ranges that any thread adds and removes, and that a signal handler, which may interrupt any
//! of them, looks up.
//!
//! # Why a look-up never pairs the start of one map with the end of another
//!
//! Each slot has a sequence counter that is odd while its range is being changed. Only the owner of a slot changes it: the thread
//! that won the exchange of `state` from `FREE` to `TAKEN`, and later the one that drops the claim. So the counter has one writer
//! at a time, and it stands still between two changes. A look-up reads the counter, the range, and the counter again, and accepts
//! the range only if both counts are the same even number: then the same claim stored both bounds. The fences are those of a
//! sequence lock: the writer's release fence puts "odd" before the new bounds, and the reader's acquire fence puts the second
//! look at the counter after the bounds.
//!
//! A look-up never waits and never retries, because a signal handler must not. It may skip a slot that is being changed. That is
//! safe: the slot it needs names the map that the interrupted thread is reading. That slot was filled before the thread got the
//! map and is emptied only after the thread has released it, so it does not change meanwhile.
//!
//! A range of unmapped memory cannot match either: a claim is dropped before its memory is unmapped, so by the time the kernel
//! hands out the same addresses again, the slot is empty.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};

/// A fixed number of slots. All of it is atomics: nothing allocates, locks or waits.
pub(super) struct Table<const SLOTS: usize>([Slot; SLOTS]);

/// The addresses `start..end` of one map; both are 0 while the slot is empty.
pub(super) struct Slot {
    state: AtomicUsize,
    /// Odd while `start` and `end` are being changed.
    sequence: AtomicUsize,
    start: AtomicUsize,
    end: AtomicUsize,
    hit: AtomicBool,
}

const FREE: usize = 0;
const TAKEN: usize = 1;

impl<const SLOTS: usize> Table<SLOTS> {
    pub(super) const fn new() -> Self {
        Self(
            [const {
                Slot {
                    state: AtomicUsize::new(FREE),
                    sequence: AtomicUsize::new(0),
                    start: AtomicUsize::new(0),
                    end: AtomicUsize::new(0),
                    hit: AtomicBool::new(false),
                }
            }; SLOTS],
        )
    }

    /// Puts a range into a free slot; `None` if every slot is taken.
    pub(super) fn claim(&self, range: Range<usize>) -> Option<Claim<'_>> {
        self.0.iter().find_map(|slot| {
            slot.state.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).ok()?;
            slot.hit.store(false, Ordering::Relaxed);
            slot.set(range.clone());
            Some(Claim(slot))
        })
    }

    /// The slot whose range holds this address, and the end of that range. Wait-free, and uses only atomics, so it is safe in a
    /// signal handler.
    pub(super) fn find(&self, address: usize) -> Option<(&Slot, usize)> {
        self.0.iter().find_map(|slot| {
            let range = slot.range()?;
            range.contains(&address).then_some((slot, range.end))
        })
    }
}

impl Slot {
    /// Marks the map as one with a missing page. Call it before the page is replaced: another thread that reads the replacement
    /// must find the mark.
    pub(super) fn mark_hit(&self) {
        self.hit.store(true, Ordering::Release);
    }

    /// Changes the range. Only the owner of the slot calls this.
    fn set(&self, range: Range<usize>) {
        let before = self.sequence.load(Ordering::Relaxed);
        self.sequence.store(before.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        self.start.store(range.start, Ordering::Relaxed);
        self.end.store(range.end, Ordering::Relaxed);
        self.sequence.store(before.wrapping_add(2), Ordering::Release);
    }

    /// The range, if it did not change while it was read.
    fn range(&self) -> Option<Range<usize>> {
        let before = self.sequence.load(Ordering::Acquire);
        let range = self.start.load(Ordering::Relaxed)..self.end.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let after = self.sequence.load(Ordering::Relaxed);
        (before == after && before.is_multiple_of(2)).then_some(range)
    }
}

/// A slot of the table; free again when dropped.
pub(super) struct Claim<'t>(&'t Slot);

impl Claim<'_> {
    /// Whether a missing page of the map was read.
    pub(super) fn was_hit(&self) -> bool {
        self.0.hit.load(Ordering::Acquire)
    }
}

impl std::fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Claim").field(&self.was_hit()).finish()
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.0.set(0..0);
        self.0.state.store(FREE, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Look-ups per thread. Miri gets a thousandth: it runs every access through a model of weak memory.
    const ROUNDS: usize = if cfg!(miri) { 500 } else { 500_000 };

    #[test]
    fn a_range_is_found_while_it_is_claimed_and_never_else() {
        let table = Table::<2>::new();
        let first = table.claim(1000..2000).unwrap();
        let second = table.claim(5000..6000).unwrap();
        assert!(table.claim(7000..8000).is_none(), "every slot is taken");
        let end = |address| table.find(address).map(|(_, end)| end);
        assert_eq!([end(999), end(1000), end(1999), end(2000)], [None, Some(2000), Some(2000), None]);
        table.find(5500).unwrap().0.mark_hit();
        assert_eq!((first.was_hit(), second.was_hit()), (false, true));
        drop(second);
        assert_eq!(end(5500), None);
        let third = table.claim(5000..9000).unwrap();
        assert!(!third.was_hit(), "the mark of an earlier map is gone");
        assert_eq!(end(5500), Some(9000));
    }

    /// Every range begins at a multiple of 1,000 and is a hundred times its own number long, so a mix of two claims shows.
    #[test]
    fn a_look_up_under_churn_never_sees_the_start_of_one_range_and_the_end_of_another() {
        let table = Table::<3>::new();
        let range = |number: usize| number * 1_000..number * 1_000 + number * 100;
        let held = table.claim(range(7)).unwrap();
        thread::scope(|scope| {
            for first in [1, 4] {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        drop(table.claim(range(first + round % 3)));
                    }
                });
            }
            for _ in 0..2 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        for number in [1 + round % 6, 7] {
                            let address = number * 1_000 + 50;
                            match table.find(address) {
                                Some((_, end)) => assert_eq!(end, range(number).end, "{address}"),
                                // A range that is held throughout is found every time.
                                None => assert_ne!(number, 7),
                            }
                        }
                    }
                });
            }
        });
        assert!(!held.was_hit());
    }
}
