//! Reads the meshes that a join will ask for, while it works on the one that it asked for last.
//!
//! The inner table of a join is asked for one mesh after the other. Once that is seen, the meshes behind are read as those
//! of the outer table are: by all threads, a few ahead of whoever takes them.

use super::loaded::Loaded;
use std::cmp::Ordering;
use std::sync::mpsc::Receiver;

/// How many meshes are asked for in their order before others are read ahead.
const CERTAIN: u32 = 3;
/// How far apart two meshes may be that count as being in order: those in between are read in vain.
const STEP: u32 = 2;

/// What one walk over the inner table of a join has asked for, and what is read ahead of it.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    last: Option<u32>,
    in_order: u32,
    coming: Option<Receiver<Loaded>>,
    /// The first that nobody has taken yet.
    held: Option<Loaded>,
}

/// What was read ahead of a mesh.
#[derive(Debug)]
pub(super) enum Taken {
    Rows(Loaded),
    /// The mesh has no rows.
    Nothing,
}

impl Ahead {
    /// What `file` gives, if it was read ahead. `begin` reads all meshes from this one on; `is_known` tells that a mesh is
    /// still the one that has its number.
    pub(super) fn take(
        &mut self,
        file: u32,
        begin: impl FnOnce() -> Receiver<Loaded>,
        is_known: impl Fn(&Loaded) -> bool,
    ) -> Option<Taken> {
        let step = self.last.and_then(|last| file.checked_sub(last));
        if !step.is_some_and(|step| (1..=STEP).contains(&step)) {
            *self = Self::default();
        }
        self.last = Some(file);
        self.in_order = self.in_order.saturating_add(1);
        if self.in_order <= CERTAIN {
            return None;
        }
        let coming = self.coming.get_or_insert_with(begin);
        loop {
            let next = self.held.take().or_else(|| coming.recv().ok()).filter(&is_known);
            let Some(next) = next else {
                // The end, or folders that have changed meanwhile: each mesh is read when it is asked for.
                *self = Self::default();
                return None;
            };
            match next.file.cmp(&file) {
                Ordering::Less => {}
                Ordering::Equal => return Some(Taken::Rows(next)),
                Ordering::Greater => {
                    self.held = Some(next);
                    return Some(Taken::Nothing);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Batch;
    use crate::rows::neutral::FLAG_NAMES;
    use std::sync::mpsc::sync_channel;

    /// Asks for meshes one after the other, where those with an even number have rows. Tells for each what was read ahead,
    /// and how often reading began.
    fn ask(files: &[u32]) -> (Vec<Option<bool>>, u32) {
        let (mut ahead, mut begun) = (Ahead::default(), 0);
        let mut seen = Vec::new();
        for file in files {
            let begin = || {
                begun += 1;
                let (sender, receiver) = sync_channel(100);
                for even in (*file..100).filter(|file| file % 2 == 0) {
                    let mut loaded = Loaded::of(Batch::new(&FLAG_NAMES, |_| true));
                    loaded.file = even;
                    sender.send(loaded).unwrap();
                }
                receiver
            };
            let taken = ahead.take(*file, begin, |loaded| loaded.file < 50);
            seen.push(taken.map(|taken| match taken {
                Taken::Rows(rows) => {
                    assert_eq!(rows.file, *file);
                    true
                }
                Taken::Nothing => false,
            }));
        }
        (seen, begun)
    }

    #[test]
    fn meshes_that_are_asked_for_in_order_are_read_ahead() {
        let (rows, nothing) = (Some(true), Some(false));
        assert_eq!(ask(&[0, 1, 2, 3, 4, 5, 6]), (vec![None, None, None, nothing, rows, nothing, rows], 1));
        // Those in between are passed over.
        assert_eq!(
            ask(&[10, 12, 14, 16, 18, 19, 20]),
            (vec![None, None, None, rows, rows, nothing, rows], 1)
        );
    }

    #[test]
    fn meshes_that_are_asked_for_here_and_there_are_not() {
        assert_eq!(ask(&[9, 8, 7, 6, 5, 4]), (vec![None; 6], 0));
        assert_eq!(ask(&[0, 4, 8, 12, 16]), (vec![None; 5], 0));
        assert_eq!(ask(&[3, 3, 3, 3, 3]), (vec![None; 5], 0));
        // One that was passed over long ago, and from there on again.
        let (seen, begun) = ask(&[0, 1, 2, 3, 0, 1, 2, 3, 4]);
        assert_eq!(seen.iter().flatten().count(), 3);
        assert_eq!(begun, 2);
    }

    #[test]
    fn a_listing_that_is_no_longer_true_ends_it() {
        let (seen, _) = ask(&[46, 47, 48, 49, 50, 51, 52]);
        assert_eq!(seen, [None; 7]);
    }
}
