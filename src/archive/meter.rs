//! What reading an archive has cost so far, and how much more it may.

#![forbid(unsafe_code)]

use crate::error::Result;
use crate::limits::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Output that costs nothing of the ratio: small files may compress as well as they like.
const FREE: u64 = 1 << 20;

/// Counts what the members of one archive, and of the archives inside it, have been inflated to, and refuses when a
/// [limit](Limits) is reached. Shared by the threads that read the same archive.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    /// Bytes handed out, of this archive and everything around and inside it.
    out: Arc<AtomicU64>,
    /// Packed bytes of this archive that were inflated: more than there are means that members overlap.
    packed: AtomicU64,
    len: u64,
    depth: u32,
}

impl Meter {
    /// For an archive of `len` bytes that lies in no other.
    pub fn new(limits: &Limits, len: u64) -> Self {
        Self { limits: *limits, out: Arc::default(), packed: AtomicU64::new(0), len, depth: 1 }
    }

    /// For an archive of `len` bytes inside the one that this meter is for. What is spent inside counts here too.
    ///
    /// # Errors
    /// [`Limit`](crate::ErrorKind::Limit) over [`Limits::depth`].
    pub fn nested(&self, len: u64) -> Result<Self> {
        let depth = self.depth.saturating_add(1);
        Limits::charge("depth of archives in archives", depth.into(), self.limits.depth.into())?;
        Ok(Self { out: Arc::clone(&self.out), packed: AtomicU64::new(0), len, depth, ..*self })
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Bytes handed out so far.
    pub fn spent(&self) -> u64 {
        self.out.load(Relaxed)
    }

    /// How many archives deep this one lies, itself included.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Charges the bytes of one member that are about to be made, or have been.
    pub(super) fn charge(&self, bytes: u64) -> Result<()> {
        Limits::charge("inflated size", bytes, self.limits.inflated_bytes)?;
        self.charge_stored(bytes)
    }

    /// Charges the bytes of one member that lies in place: it costs no memory, but it may lie there a million times.
    pub(super) fn charge_stored(&self, bytes: u64) -> Result<()> {
        let before = self.out.fetch_add(bytes, Relaxed);
        Limits::charge("output of the archive", before.saturating_add(bytes), self.limits.archive_bytes)
    }

    /// Charges packed bytes that are about to be inflated.
    pub(super) fn charge_packed(&self, bytes: u64) -> Result<()> {
        let before = self.packed.fetch_add(bytes, Relaxed);
        Limits::charge("packed size of overlapping members", before.saturating_add(bytes), self.len)
    }

    /// How far a stream of `packed` bytes may inflate, whatever is in it.
    pub(super) fn stream(&self, packed: u64) -> Bound {
        let ratio = FREE.saturating_add(packed.saturating_mul(self.limits.inflate_ratio));
        let left = self.limits.archive_bytes.saturating_sub(self.spent());
        Bound { what: "inflated size by its ratio", most: ratio }
            .or(Bound { what: "output of the archive", most: left })
    }

    /// How far one member of `packed` bytes may inflate.
    pub(super) fn bound(&self, packed: u64) -> Bound {
        self.stream(packed).or(Bound { what: "inflated size", most: self.limits.inflated_bytes })
    }
}

/// How far a stream may inflate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    pub(super) what: &'static str,
    pub(super) most: u64,
}

impl Bound {
    /// The tighter of the two.
    fn or(self, other: Self) -> Self {
        if other.most < self.most { other } else { self }
    }

    pub(super) fn charge(&self, asked: u64) -> Result<()> {
        Limits::charge(self.what, asked, self.most)
    }
}
