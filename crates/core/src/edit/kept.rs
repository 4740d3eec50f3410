//! How much a session keeps to take back, and the limit on it: a short script can change every item thousands of times.

use super::erased::{AnyChange, AnyEditor};
use super::ledger::Ledger;
use super::refusal::Refusal;
use super::selection::Delta;
use super::work::Work;

/// The most overwritten values that a session keeps. One takes some ten to a hundred bytes.
pub const MOST_KEPT: u64 = 4 << 20;

/// A value of a command that is refused since it overwrites too many counts as so many items that are looked at.
const REFUSED: u64 = 8;

impl Ledger {
    /// Counts what one more command has overwritten.
    ///
    /// # Errors
    /// If that is more than a session keeps.
    pub(super) fn keep(
        &mut self,
        editor: &dyn AnyEditor,
        change: Option<&dyn AnyChange>,
        selection: &[Delta],
    ) -> Result<u64, Refusal> {
        let chosen: u64 = selection.iter().map(Delta::weight).sum();
        let weight = change.map_or(0, |change| editor.weight(change)).saturating_add(chosen);
        // A command that changes something forgets what was taken back.
        let kept = self.kept.saturating_sub(self.undone_weight()).saturating_add(weight);
        if weight > 0 && kept > MOST_KEPT {
            // It was done in vain, and so may be very many that follow.
            self.setting.work.spend(REFUSED.saturating_mul(weight), editor)?;
            let why = format!("values kept to take back: {kept} is over the limit of {MOST_KEPT}");
            return Err(Refusal::new(format!("{why}; write the mesh, and go on in another run")));
        }
        self.kept = self.kept.saturating_add(weight);
        Ok(weight)
    }

    fn undone_weight(&self) -> u64 {
        let parts = self.undone.iter().flat_map(|step| &step.parts);
        parts.map(|part| part.weight).fold(0, u64::saturating_add)
    }

    /// Forgets what was taken back and can no longer be done again.
    pub(super) fn forget_undone(&mut self) {
        self.kept = self.kept.saturating_sub(self.undone_weight());
        self.undone.clear();
    }

    /// Begins a script, which may look at as much as any other.
    pub(super) fn begin_script(&mut self, editor: &dyn AnyEditor) {
        self.setting.work = Work::default();
        self.looked_at = editor.looked_at().unwrap_or_default();
    }

    /// Counts what the commands before this one have looked at.
    ///
    /// # Errors
    /// If these are more than a script may look at.
    pub(super) fn spend(&mut self, editor: &dyn AnyEditor) -> Result<(), Refusal> {
        let before = self.looked_at;
        self.looked_at = editor.looked_at().unwrap_or_default();
        self.setting.work.spend(self.looked_at.saturating_sub(before).saturating_add(1), editor)
    }
}
