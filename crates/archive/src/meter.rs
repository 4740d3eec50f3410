//! Counts the cost of reading an archive, and refuses more once a limit is reached.

use navmap_core::Limits;
use navmap_core::error::{Error, ErrorKind, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The cost of a member besides its bytes: opening it, and a row about it.
const MEMBER: u64 = 1 << 10;

/// What a member costs of which more is made than a row: a file of its own, a picture, rows for all that is in it.
const FILE: u64 = 16 << 10;

/// What the limits on an archive as a whole are called.
const MEMBERS: &str = "members of the archive";
const OUTPUT: &str = "output of the archive";
const OUTPUT_BY_RATIO: &str = "output of the archive by its ratio";

/// The cost of setting up a bzip2 decoder: tables of 4 MB, however little comes out.
pub(super) const BZIP2_STREAM: u64 = 64 << 10;

/// Counts the cost of the members of one outermost archive, and of the archives inside it, and refuses more once a
/// [limit](Limits) is reached. Shared by the threads that read the same archive.
///
/// Exceeding a limit on one member is an error of that member, and the walk continues after it. Exceeding a limit on the archive
/// as a whole [ends](Self::is_ended) the walk, with one error.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    outermost: Arc<Outermost>,
    /// Inflated bytes of the enclosing archives, which stay in memory while this one is read.
    held: u64,
    depth: u32,
}

/// The counters shared by all levels.
#[derive(Debug, Default)]
struct Outermost {
    len: u64,
    /// Bytes of the parts beside it.
    beside: AtomicU64,
    cost: AtomicU64,
    members: AtomicU64,
    ended: AtomicBool,
    told: AtomicBool,
}

impl Meter {
    /// A meter for an outermost archive of `len` bytes. The parts beside it count once a member was read from them.
    pub fn new(limits: &Limits, len: u64) -> Self {
        let outermost = Arc::new(Outermost { len, ..Outermost::default() });
        Self { limits: *limits, outermost, held: 0, depth: 1 }
    }

    /// A meter for an archive inside this meter's. `held` bytes of it were inflated or joined and stay in memory while it is
    /// read: its length, or 0 if it is viewed in place. Costs inside count here too.
    ///
    /// # Errors
    /// [`Limit`](navmap_core::ErrorKind::Limit) over [`Limits::depth`].
    pub fn nested(&self, held: u64) -> Result<Self> {
        let depth = self.depth.saturating_add(1);
        Limits::charge("depth of archives in archives", depth.into(), self.limits.depth.into())?;
        let held = self.held.saturating_add(held);
        Ok(Self { outermost: Arc::clone(&self.outermost), held, depth, ..*self })
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The cost of the outermost archive so far: see [`Limits::cost_of`].
    pub fn spent(&self) -> u64 {
        self.outermost.cost.load(Relaxed)
    }

    /// The nesting depth of this archive; 1 for an outermost one.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether a limit on the outermost archive as a whole was reached, so that no more of it is read.
    pub fn is_ended(&self) -> bool {
        self.outermost.ended.load(Relaxed)
    }

    /// Whether this error is that limit, and this call is the first to see it among all threads.
    #[doc(hidden)]
    pub fn is_to_be_told(&self, error: &Error) -> bool {
        let whole = |what| [MEMBERS, OUTPUT, OUTPUT_BY_RATIO].contains(what);
        matches!(error.kind(), ErrorKind::Limit { what, .. } if whole(what))
            && !self.outermost.told.swap(true, Relaxed)
    }

    /// Counts an entry of a directory.
    ///
    /// # Errors
    /// [`Limit`](navmap_core::ErrorKind::Limit) over [`Limits::members`], which ends the archive.
    #[doc(hidden)]
    pub fn entry(&self) -> Result<()> {
        let members = self.outermost.members.fetch_add(1, Relaxed).saturating_add(1);
        self.ending(Limits::charge(MEMBERS, members, self.limits.members))
    }

    /// Charges a member that is about to be read, under a path of `path_bytes` bytes.
    pub(super) fn look(&self, path_bytes: usize) -> Result<()> {
        self.spend(MEMBER.saturating_add(path_bytes as u64))
    }

    /// Charges a member that is about to be written as a file: a few bytes under ten thousand names are ten thousand files.
    ///
    /// # Errors
    /// [`Limit`](navmap_core::ErrorKind::Limit), which ends the archive.
    #[doc(hidden)]
    pub fn file(&self) -> Result<()> {
        self.spend(FILE)
    }

    /// Charges what is made of a member at as much as a file, and `more`. `false` if the walk ends by a limit that was told before.
    ///
    /// # Errors
    /// [`Limit`](navmap_core::ErrorKind::Limit), which ends the archive, once.
    #[doc(hidden)]
    pub fn work(&self, more: u64) -> Result<bool> {
        match self.spend(FILE.saturating_add(more)) {
            Err(error) if !self.is_to_be_told(&error) => Ok(false),
            charged => charged.map(|()| true),
        }
    }

    /// Counts all parts beside the archive that were opened so far, `bytes` in all, as bytes of it.
    pub(super) fn beside(&self, bytes: u64) {
        self.outermost.beside.fetch_max(bytes, Relaxed);
    }

    fn len(&self) -> u64 {
        self.outermost.len.saturating_add(self.outermost.beside.load(Relaxed))
    }

    /// Charges bytes that were taken in or given out.
    ///
    /// # Errors
    /// [`Limit`](navmap_core::ErrorKind::Limit), which ends the archive.
    pub(super) fn spend(&self, cost: u64) -> Result<()> {
        let spent = self.outermost.cost.fetch_add(cost, Relaxed).saturating_add(cost);
        let by_ratio = self.limits.cost_of(self.len());
        let (what, most) = match by_ratio < self.limits.archive_bytes {
            true => (OUTPUT_BY_RATIO, by_ratio),
            false => (OUTPUT, self.limits.archive_bytes),
        };
        self.ending(Limits::charge(what, spent, most))
    }

    fn ending(&self, charged: Result<()>) -> Result<()> {
        if charged.is_err() {
            self.outermost.ended.store(true, Relaxed);
        }
        charged
    }

    /// The limits on inflating one member.
    pub(super) fn bound(&self) -> Bound {
        let by_ratio = self.limits.held_of(self.len());
        let (what, most) = match by_ratio < self.limits.inflated_bytes {
            true => ("inflated size by its ratio", by_ratio),
            false => ("inflated size", self.limits.inflated_bytes),
        };
        Bound { what, most: most.saturating_sub(self.held) }
    }
}

/// The limits on inflating one member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    pub(super) what: &'static str,
    pub(super) most: u64,
}

impl Bound {
    pub(super) fn charge(&self, asked: u64) -> Result<()> {
        Limits::charge(self.what, asked, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_on_any_level_ends_the_whole() {
        let mut limits = Limits::default();
        limits.archive_bytes = 100;
        let outer = Meter::new(&limits, 1000);
        let inner = outer.nested(0).unwrap();
        inner.spend(60).unwrap();
        assert!(!outer.is_ended());
        let met = outer.spend(41).unwrap_err();
        let other = outer.bound().charge(u64::MAX).unwrap_err();
        assert!(inner.is_ended() && !inner.is_to_be_told(&other));
        assert!(inner.is_to_be_told(&met) && !outer.is_to_be_told(&met), "once");
    }

    #[test]
    fn archives_that_are_held_leave_less_for_what_is_in_them() {
        let mut limits = Limits::default();
        limits.inflated_bytes = 1000;
        let outer = Meter::new(&limits, 1000);
        assert_eq!(outer.bound().most, 1000);
        assert_eq!(outer.nested(300).unwrap().nested(0).unwrap().bound().most, 700);
        assert_eq!(outer.nested(2000).unwrap().bound().most, 0);
    }
}
