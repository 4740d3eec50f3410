//! Checks that memory for a decoder's window is available before the decoder allocates it.

use navmap_core::bytes::room;
use std::io::{self, Read};

/// The part of its window that a decoder may have allocated. The window grows with the decoded bytes up to the declared size, so
/// a declaration alone reserves nothing.
#[derive(Debug)]
pub(super) struct Ahead {
    window: usize,
    made: usize,
    asked: usize,
    /// Whether the decoder holds a second window while it enlarges the first.
    copied: bool,
}

impl Ahead {
    pub(super) fn new(window: usize, copied: bool) -> Self {
        Self { window, made: 0, asked: 0, copied }
    }

    /// Checks that there is memory for `more` further bytes of the window, which doubles when it is full.
    pub(crate) fn ask(&mut self, more: usize) -> io::Result<()> {
        let needed = self.made.saturating_add(more);
        if needed > self.asked && self.asked < self.window.max(1) {
            let before = self.asked;
            self.asked = needed.max(before.saturating_mul(2)).min(self.window.max(1));
            let more =
                if self.copied { self.asked.next_power_of_two() } else { self.asked.saturating_sub(before) };
            room("compressed data", more).map_err(io::Error::other)?;
        }
        Ok(())
    }

    pub(super) fn made(&mut self, bytes: usize) {
        self.made = self.made.saturating_add(bytes);
    }
}

/// A decoder whose window grows.
#[derive(Debug)]
pub(super) struct Roomy<R> {
    source: R,
    ahead: Ahead,
}

impl<R> Roomy<R> {
    pub(super) fn new(source: R, window: usize) -> Self {
        Self { source, ahead: Ahead::new(window, false) }
    }
}

impl<R: Read> Read for Roomy<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // Decoding at most half a megabyte at a time leaves a margin for small allocations.
        let most = into.len().min(512 << 10);
        self.ahead.ask(most)?;
        let read = self.source.read(into.get_mut(..most).unwrap_or_default())?;
        self.ahead.made(read);
        Ok(read)
    }
}
