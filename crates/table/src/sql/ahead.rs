//! Reads the meshes that a join will request next, while it works on the last one.
//!
//! The inner table of a join requests one mesh after the other, in the order of their numbers or on the course of a grouped table.
//! Once that is noticed, all threads read the following meshes, a few ahead of the join, as for an outer table.

use super::loaded::Loaded;
use std::cmp::Ordering;
use std::sync::mpsc::Receiver;

/// The number of in-order requests before meshes are read ahead.
const CERTAIN: u32 = 3;
/// The largest step between two meshes that counts as in order. Those in between are read in vain.
const STEP: u32 = 2;

/// The requests of one walk over the inner table of a join, and the meshes read ahead of it.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    last: Option<u32>,
    in_order: u32,
    coming: Option<Receiver<Loaded>>,
    /// The first one not taken yet.
    held: Option<Loaded>,
}

/// A mesh that was read ahead, or not.
#[derive(Debug)]
pub(super) enum Taken {
    Rows(Loaded),
    /// The mesh has no rows.
    Nothing,
}

impl Ahead {
    /// The rows of the mesh at this place of the order in which meshes are expected, if they were read ahead. `begin` starts
    /// reading all meshes from this one on; `place_of` tells where a mesh comes, or that it no longer has its number.
    pub(super) fn take(
        &mut self,
        place: u32,
        begin: impl FnOnce() -> Receiver<Loaded>,
        place_of: impl Fn(&Loaded) -> Option<u32>,
    ) -> Option<Taken> {
        let step = self.last.and_then(|last| place.checked_sub(last));
        if !step.is_some_and(|step| (1..=STEP).contains(&step)) {
            *self = Self::default();
        }
        self.last = Some(place);
        self.in_order = self.in_order.saturating_add(1);
        if self.in_order <= CERTAIN {
            return None;
        }
        let coming = self.coming.get_or_insert_with(begin);
        loop {
            let next = self.held.take().or_else(|| coming.recv().ok());
            let Some((next, at)) = next.and_then(|next| place_of(&next).map(|at| (next, at))) else {
                // At the end, or if folders have changed meanwhile, each mesh is read on request.
                *self = Self::default();
                return None;
            };
            match at.cmp(&place) {
                Ordering::Less => {}
                Ordering::Equal => return Some(Taken::Rows(next)),
                Ordering::Greater => {
                    self.held = Some(next);
                    return Some(Taken::Nothing);
                }
            }
        }
    }

    #[cfg(test)]
    pub(super) fn is_reading(&self) -> bool {
        self.coming.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Batch;
    use crate::rows::neutral::FLAG_NAMES;
    use crate::sql::loaded::Named;
    use std::sync::Arc;
    use std::sync::mpsc::sync_channel;

    /// Requests meshes in turn; those with an even number have rows. Returns what was read ahead for each, and how often reading
    /// began.
    fn ask(files: &[u32]) -> (Vec<Option<bool>>, u32) {
        let (mut ahead, mut begun) = (Ahead::default(), 0);
        let mut seen = Vec::new();
        for file in files {
            let begin = || {
                begun += 1;
                let (sender, receiver) = sync_channel(100);
                for even in (*file..100).filter(|file| file % 2 == 0) {
                    let mesh = Named { path: Arc::from(""), member: None, file: even };
                    sender.send(Loaded::new(Batch::new(&FLAG_NAMES, |_| true), mesh)).unwrap();
                }
                receiver
            };
            let taken =
                ahead.take(*file, begin, |loaded| Some(loaded.mesh(0).file).filter(|file| *file < 50));
            seen.push(taken.map(|taken| match taken {
                Taken::Rows(rows) => {
                    assert_eq!(rows.mesh(0).file, *file);
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
        // Those in between are skipped.
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
        // One that was skipped long ago, and from there on again.
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
