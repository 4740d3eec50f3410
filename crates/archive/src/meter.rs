//! Counts what reading an archive has cost, and refuses more when a limit is reached.

use navmap_core::Limits;
use navmap_core::error::{Error, ErrorKind, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What a member costs besides its bytes: the work of opening it, and a row about it.
const MEMBER: u64 = 1 << 10;

/// What the limits on an archive as a whole are called.
const MEMBERS: &str = "members of the archive";
const OUTPUT: &str = "output of the archive";
const OUTPUT_BY_RATIO: &str = "output of the archive by its ratio";

/// What setting up a decoder of bzip2 costs: tables of 4 MB, however little comes out.
pub(super) const BZIP2_STREAM: u64 = 64 << 10;

/// Counts what the members of one outermost archive, and of the archives inside it, have cost, and refuses when a
/// [limit](Limits) is reached. Shared by the threads that read the same archive.
///
/// A limit on one member is an error of that member, and the walk goes on behind it. A limit on the archive as a whole
/// [ends](Self::is_ended) the walk over all of it, with one error.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    outermost: Arc<Outermost>,
    /// Inflated bytes of the archives around, which are held as long as this one is read.
    held: u64,
    depth: u32,
}

/// What is counted over all levels.
#[derive(Debug, Default)]
struct Outermost {
    len: u64,
    cost: AtomicU64,
    members: AtomicU64,
    ended: AtomicBool,
    told: AtomicBool,
}

impl Meter {
    /// For an archive of `len` bytes that lies in no other.
    pub fn new(limits: &Limits, len: u64) -> Self {
        let outermost = Arc::new(Outermost { len, ..Outermost::default() });
        Self { limits: *limits, outermost, held: 0, depth: 1 }
    }

    /// For an archive inside the one that this meter is for. `held` bytes of it were inflated or joined, and are held as
    /// long as it is read: its length, or 0 where it is viewed in place. What is spent inside counts here too.
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

    /// What the outermost archive has cost so far: see [`Limits::cost_of`].
    pub fn spent(&self) -> u64 {
        self.outermost.cost.load(Relaxed)
    }

    /// How many archives deep this one lies, itself included.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether a limit on the outermost archive as a whole was met: nothing more of it is to be read.
    pub fn is_ended(&self) -> bool {
        self.outermost.ended.load(Relaxed)
    }

    /// Whether this is the error of that limit, and the first of all threads that met it.
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

    /// Charges a member that is about to be looked at, under a path of so many bytes.
    pub(super) fn look(&self, path_bytes: usize) -> Result<()> {
        self.spend(MEMBER.saturating_add(path_bytes as u64))
    }

    /// Charges bytes that were taken in or given out.
    ///
    /// # Errors
    /// [`Limit`](navmap_core::ErrorKind::Limit), which ends the archive.
    pub(super) fn spend(&self, cost: u64) -> Result<()> {
        let spent = self.outermost.cost.fetch_add(cost, Relaxed).saturating_add(cost);
        let by_ratio = self.limits.cost_of(self.outermost.len);
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

    /// How far one member may inflate.
    pub(super) fn bound(&self) -> Bound {
        let by_ratio = self.limits.held_of(self.outermost.len);
        let (what, most) = match by_ratio < self.limits.inflated_bytes {
            true => ("inflated size by its ratio", by_ratio),
            false => ("inflated size", self.limits.inflated_bytes),
        };
        Bound { what, most: most.saturating_sub(self.held) }
    }
}

/// How far a member may inflate.
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
