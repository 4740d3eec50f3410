//! How much a session keeps to take back, and the limit on it: a short script can change every item thousands of times.

use super::command::Command;
use super::erased::AnyEditor;
use super::ledger::{Ledger, Part};
use super::refusal::Refusal;
use super::selection::Delta;
use super::work::Work;

/// The overwritten values that any session may keep, 24 MiB: one is about sixteen bytes. A session keeps one more for each two bytes of
/// the first megabyte of the mesh as it was opened, and two for each byte beyond it: to chop all areas of a mesh of three megabytes takes as many.
pub const MOST_KEPT: u64 = 3 << 19;
const SMALL: u64 = 1 << 20;

/// A command that changed something counts as so many values, whatever it changed. Its text counts besides.
const COMMAND: u64 = 24;

/// A value of a command that is refused since it overwrites too many counts as so many items that are looked at.
const REFUSED: u64 = 8;

/// How many values a session may keep of a mesh of so many bytes.
fn most_kept(bytes: u64) -> u64 {
    let more = bytes.saturating_sub(SMALL).saturating_mul(2);
    MOST_KEPT.saturating_add(bytes.min(SMALL) / 2).saturating_add(more)
}

/// What a command counts as besides what it overwrites.
fn own_weight(text: &str) -> u64 {
    COMMAND.saturating_add(text.len() as u64 / 16)
}

impl Ledger {
    /// Runs a command of the family, and counts what it has overwritten. What it did is to be taken back if it is refused.
    pub(super) fn weighed(
        &mut self,
        editor: &mut dyn AnyEditor,
        row: Option<usize>,
        command: &mut Command<'_>,
        text: &str,
    ) -> (Result<u64, Refusal>, Part) {
        let spent = self.setting.work;
        let (mut fared, mut part) = self.ran(editor, row, &mut command.clone(), text);
        if !part.is_whole && self.most_kept.is_none() {
            // A session that overwrites little never asks how much it may keep. Now that it is known, the command runs once more.
            self.swap(editor, &mut part, false);
            drop(part);
            self.most_kept = Some(self.most_kept_as_opened(editor));
            self.setting.clear();
            (self.setting.work, self.looked_at) = (spent, editor.looked_at().unwrap_or_default());
            (fared, part) = self.ran(editor, row, command, text);
        }
        let kept = match part.is_whole {
            true => fared.and_then(|()| self.keep(editor, &mut part)),
            false => self.keep(editor, &mut part),
        };
        (kept, part)
    }

    /// How many values the next command may overwrite.
    pub(super) fn room(&self, text: &str) -> u64 {
        if self.setting.options.forget {
            return u64::MAX;
        }
        let allowed = self.most_kept.unwrap_or(MOST_KEPT);
        allowed.saturating_sub(self.kept_now()).saturating_sub(own_weight(text))
    }

    /// Counts what one more command has overwritten.
    ///
    /// # Errors
    /// If that is more than a session keeps.
    fn keep(&mut self, editor: &mut dyn AnyEditor, part: &mut Part) -> Result<u64, Refusal> {
        if self.setting.options.forget {
            return Ok(0);
        }
        let chosen: u64 = part.selection.iter().map(Delta::weight).sum();
        let own = part.change.as_deref().map_or(0, |change| editor.weight(change)).saturating_add(chosen);
        let weight = if own == 0 { 0 } else { own.saturating_add(own_weight(&part.text)) };
        let kept = self.kept_now().saturating_add(weight);
        let allowed = if kept > MOST_KEPT { self.most_kept(editor, part) } else { MOST_KEPT };
        if weight > 0 && (kept > allowed || !part.is_whole) {
            // It was done in vain, and so may be very many that follow.
            self.setting.work.spend(REFUSED.saturating_mul(weight), editor)?;
            let why = format!("values kept to take back: {kept} is over the limit of {allowed}");
            // The first command of a session would find no more room in another.
            let what = match kept > weight {
                true => "write the mesh, and go on in another run",
                false => "choose fewer at once",
            };
            return Err(Refusal::new(format!("{why}; {what}")));
        }
        self.kept = self.kept.saturating_add(weight);
        Ok(weight)
    }

    /// How many values the session may keep. It is found out once, and without what the command did: that may have deleted all of the
    /// mesh.
    fn most_kept(&mut self, editor: &mut dyn AnyEditor, part: &mut Part) -> u64 {
        if let Some(known) = self.most_kept {
            return known;
        }
        self.swap(editor, part, false);
        let most = self.most_kept_as_opened(editor);
        self.swap(editor, part, true);
        self.most_kept = Some(most);
        most
    }

    /// How many values a session may keep of the mesh as it was opened: a script must not earn more by what it adds. Takes as long as to
    /// take everything back, to write the mesh, and to do all again.
    fn most_kept_as_opened(&mut self, editor: &mut dyn AnyEditor) -> u64 {
        let mut done = std::mem::take(&mut self.done);
        for part in done.iter_mut().rev().flat_map(|step| step.parts.iter_mut().rev()) {
            self.swap(editor, part, false);
        }
        let most = most_kept(editor.encode().map_or(0, |bytes| bytes.len() as u64));
        for part in done.iter_mut().flat_map(|step| &mut step.parts) {
            self.swap(editor, part, true);
        }
        self.done = done;
        most
    }

    /// What is kept once a command has changed something, which forgets what was taken back.
    fn kept_now(&self) -> u64 {
        self.kept.saturating_sub(self.undone_weight())
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
