//! Writes the commands of a session as text that can be replayed on the same mesh or another version of it.

use super::erased::AnyEditor;
use super::ledger::Ledger;
use super::outcome::Outcome;
use super::refusal::Refusal;
use super::remarks::Remarks;
use std::fmt;
use std::ops::ControlFlow;

/// The first line of a journal.
const HEAD: &str = "// navmap journal 1";

/// The commands in effect, one per line. Undone commands are left out.
///
/// A journal is a script. Before each command, comments that begin with `//@` list the items it was given
/// (`//@ #12 = 0 0 0 100 100 0 0 0`: an id, and the shape of its item) and those it made (`//@ + #13 #14`).
pub(super) struct Journal<'j>(&'j Ledger);

impl fmt::Display for Journal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}")?;
        for step in &self.0.done {
            if step.grouped {
                writeln!(f, "begin")?;
            }
            for part in &step.parts {
                for (name, footprint) in &part.given {
                    writeln!(f, "//@ {name} = {footprint}")?;
                }
                if !part.made.is_empty() {
                    writeln!(f, "//@ + {}", part.made.join(" "))?;
                }
                writeln!(f, "{}", part.text)?;
            }
            if step.grouped {
                writeln!(f, "end")?;
            }
        }
        Ok(())
    }
}

impl Ledger {
    /// The journal of the commands in effect.
    pub(super) fn journal(&self) -> Journal<'_> {
        Journal(self)
    }

    /// Runs a journal, as [`script`](Self::script) runs a script.
    pub(super) fn replay(
        &mut self,
        editor: &mut dyn AnyEditor,
        text: &str,
        each: &mut dyn FnMut(Result<Outcome, Refusal>) -> ControlFlow<()>,
    ) {
        self.setting.remarks = Remarks::of_journal();
        self.script(editor, text, each);
        self.setting.remarks = Remarks::default();
    }
}
