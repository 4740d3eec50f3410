//! Refuses members that overlap each other or their archive's directory.

use super::member::Location;
use super::{Archive, Entry, Form};
use navmap_core::error::{Error, Result};
use std::collections::BTreeMap;
use std::ops::Range;

/// The locations of the members met so far in one archive.
///
/// Two members at the very same location are one member under two names, as packers that drop duplicates make them. Any other
/// overlap was made to multiply: a member that contains the directory contains itself, and three of them turn a package of 228
/// bytes into an archive of 3^15 paths.
#[derive(Debug)]
#[doc(hidden)]
pub struct Spans {
    /// The end and the owner of each span, by file (the numbered part, or none) and first byte.
    taken: BTreeMap<(Option<u16>, u64), (u64, Owner)>,
}

#[derive(Debug, Clone, Copy)]
enum Owner {
    Directory,
    Member(u64),
}

/// Fixed bytes of a ZIP local header.
const LOCAL_HEADER: u64 = 30;

impl Spans {
    /// Records the archive's directory, and no member yet.
    #[doc(hidden)]
    pub fn new(archive: &Archive<'_>) -> Self {
        let directory = match &archive.form {
            Form::Pak(directory) => directory.place(),
            Form::Fpk(directory) => directory.place(),
            Form::Vpk(tree) => tree.place(),
            Form::Zip(directory) => directory.place(),
            Form::Bsp(lump) => lump.place(),
            // Their members cannot overlap by construction.
            Form::Gma(_) | Form::Tar(_) | Form::Stream(_) => 0..0,
            Form::SevenZ(_) => 0..0,
        };
        let mut taken = BTreeMap::new();
        if !directory.is_empty() {
            taken.insert((None, directory.start), (directory.end, Owner::Directory));
        }
        Self { taken }
    }

    /// Records the location of a member. Logarithmic in the number of members so far.
    ///
    /// # Errors
    /// If it overlaps the directory, or an earlier member at another location.
    #[doc(hidden)]
    pub fn take(&mut self, entry: &Entry) -> Result<()> {
        let (file, Range { start, end }) = match entry.place {
            Location::Here(at) => (None, at..at.saturating_add(entry.packed)),
            Location::Local(at) => (None, at..at.saturating_add(LOCAL_HEADER).saturating_add(entry.packed)),
            Location::Split { preload_len, part, offset, .. } => {
                let rest = entry.size.saturating_sub(preload_len.into());
                (part, offset..offset.saturating_add(rest))
            }
        };
        if start >= end {
            return Ok(());
        }
        let before = self.taken.range(..=(file, start)).next_back();
        let after = self.taken.range((file, start)..).next();
        let of_file = |(at, found): (&(Option<u16>, u64), &(u64, Owner))| {
            (at.0 == file).then_some((at.1, found.0, found.1))
        };
        for (other, other_end, owner) in [before, after].into_iter().flatten().filter_map(of_file) {
            let same = matches!(owner, Owner::Member(_)) && (other, other_end) == (start, end);
            if !same && other < end && start < other_end {
                let why = match owner {
                    Owner::Directory => "lies over the directory of its own archive".to_owned(),
                    Owner::Member(index) => format!("lies over member {index}"),
                };
                return Err(Error::invalid("member data", why).at(start).in_record("member", entry.index));
            }
        }
        self.taken.insert((file, start), (end, Owner::Member(entry.index)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_very_same_place_may_be_taken_twice() {
        let mut spans = Spans { taken: BTreeMap::new() };
        spans.taken.insert((None, 0), (10, Owner::Directory));
        let mut take = |index, start, len| spans.take(&Entry::stored(index, start, len));
        take(0, 10, 10).unwrap();
        take(1, 30, 10).unwrap();
        take(2, 20, 10).unwrap();
        take(3, 30, 10).unwrap();
        take(4, 5, 0).unwrap();
        let said = |error: Result<()>| error.unwrap_err().to_string();
        assert_eq!(said(take(5, 35, 10)), "member 5, byte 0x23: member data: lies over member 3");
        assert_eq!(said(take(6, 31, 2)), "member 6, byte 0x1f: member data: lies over member 3");
        let whole = said(take(7, 0, 10));
        assert_eq!(whole, "member 7, byte 0x0: member data: lies over the directory of its own archive");
        take(8, 40, u64::MAX).unwrap();
    }
}
