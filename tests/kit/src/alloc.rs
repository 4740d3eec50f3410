//! An allocator that counts. A test binary installs it:
//! `#[global_allocator] static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;`

#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

/// Counts the allocations of each thread.
#[derive(Debug)]
pub struct Counting;

fn grew(bytes: i64) {
    let live = LIVE.get() + bytes;
    LIVE.set(live);
    PEAK.set(PEAK.get().max(live));
}

// SAFETY: every call is handed to the system allocator unchanged; the counters are thread-local cells without
// destructors, which never allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        grew(layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        grew(-(layout.size() as i64));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        grew(size as i64 - layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// What some work allocated on this thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Calls of the allocator.
    pub calls: u64,
    /// Most bytes held beyond those held at the start.
    pub peak_bytes: u64,
}

/// Runs `work` and counts its allocations. All zero unless the binary installs [`Counting`].
pub fn cost_of<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (calls, live) = (CALLS.get(), LIVE.get());
    PEAK.set(live);
    let value = work();
    (value, Cost { calls: CALLS.get() - calls, peak_bytes: (PEAK.get() - live).max(0) as u64 })
}
