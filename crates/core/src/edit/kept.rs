//! How much a session keeps to take back, and the limit on it: a short script can change every item thousands of times.

use super::refusal::Refusal;
use super::selection::Delta;
use super::session::Step;
use super::{Editor, Session};

/// The most overwritten values that a session keeps. One takes some ten to a hundred bytes.
pub const MOST_KEPT: u64 = 4 << 20;

impl<E: Editor> Session<E> {
    /// Counts what one more command has overwritten.
    ///
    /// # Errors
    /// If that is more than a session keeps.
    pub(super) fn keep(
        &mut self,
        change: Option<&E::Change>,
        selection: &[Delta<E::Key>],
    ) -> Result<u64, Refusal> {
        let chosen: u64 = selection.iter().map(Delta::weight).sum();
        let weight = change.map_or(0, E::weight).saturating_add(chosen);
        // A command that changes something forgets what was taken back.
        let kept = self.kept.saturating_sub(self.undone_weight()).saturating_add(weight);
        if weight > 0 && kept > MOST_KEPT {
            let why = format!("values kept to take back: {kept} is over the limit of {MOST_KEPT}");
            return Err(Refusal::new(format!("{why}; write the mesh, and go on in another run")));
        }
        self.kept = self.kept.saturating_add(weight);
        Ok(weight)
    }

    fn undone_weight(&self) -> u64 {
        let parts = self.undone.iter().flat_map(|step: &Step<E>| &step.parts);
        parts.map(|part| part.weight).fold(0, u64::saturating_add)
    }

    /// Forgets what was taken back and can no longer be done again.
    pub(super) fn forget_undone(&mut self) {
        self.kept = self.kept.saturating_sub(self.undone_weight());
        self.undone.clear();
    }
}
