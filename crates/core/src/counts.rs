//! Named counts: the numbers of a row.

use std::fmt;
use std::iter::{Copied, Take};
use std::slice;

/// Named counts in a fixed order. Allocates nothing: at most [`Counts::MOST`] of them.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    entries: [(&'static str, u64); Self::MOST],
    len: usize,
}

impl Counts {
    /// The most names; further ones are dropped.
    pub const MOST: usize = 16;

    /// Zero counts under these names, in this order.
    pub fn zeros(names: &[&'static str]) -> Self {
        let mut counts = Self::default();
        names.iter().for_each(|name| counts.add(name, 0));
        counts
    }

    /// Adds to the count of this name. A new name is appended.
    pub fn add(&mut self, name: &'static str, more: u64) {
        if let Some((_, count)) = self.entries.iter_mut().take(self.len).find(|(n, _)| *n == name) {
            *count = count.saturating_add(more);
        } else if let Some(free) = self.entries.get_mut(self.len) {
            *free = (name, more);
            self.len = self.len.saturating_add(1);
        }
    }

    /// The count of this name.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.iter().find(|(n, _)| *n == name).map(|(_, count)| count)
    }

    /// Names and counts, in order.
    pub fn iter(&self) -> <&Self as IntoIterator>::IntoIter {
        self.entries.iter().take(self.len).copied()
    }
}

impl<'c> IntoIterator for &'c Counts {
    type Item = (&'static str, u64);
    type IntoIter = Copied<Take<slice::Iter<'c, (&'static str, u64)>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_keep_their_order_and_never_overflow() {
        let mut counts = Counts::zeros(&["areas", "ladders"]);
        counts.add("ladders", u64::MAX);
        counts.add("ladders", 1);
        counts.add("areas", 2);
        assert_eq!(counts.iter().collect::<Vec<_>>(), [("areas", 2), ("ladders", u64::MAX)]);
        assert_eq!(counts.get("places"), None);
    }
}
