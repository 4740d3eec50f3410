//! Runs a script as a whole: all of it is done, or nothing.

use super::erased::AnyEditor;
use super::ledger::{Ledger, Part, Step};
use super::outcome::Outcome;
use super::refusal::Refusal;
use super::script::Script;
use std::mem::take;

/// What a script did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// The answer to every statement.
    pub outcomes: Vec<Outcome>,
    /// The names of the items that it made, as they are typed: `#13`.
    pub made: Vec<String>,
    /// The names of the selected items at its end, in the order in which they were selected.
    pub selected: Vec<String>,
}

impl Attempt {
    /// Whether a statement changed the mesh or the state of the script.
    pub fn changed(&self) -> bool {
        self.outcomes.iter().any(|outcome| outcome.changed)
    }
}

/// One step of a session, for a list that a person reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its commands, with `; ` between them.
    pub text: String,
    /// Whether it is in effect. If not, it was taken back and can be done again.
    pub done: bool,
}

impl Ledger {
    /// Runs a script as a whole: all of it is done, or nothing. Without `keep` everything is taken back again.
    ///
    /// # Errors
    /// The first refusal. Nothing has changed then.
    pub(super) fn attempt(
        &mut self,
        editor: &mut dyn AnyEditor,
        text: &str,
        keep: bool,
    ) -> Result<Attempt, Refusal> {
        if let Some(walked) = self.walks(editor, text, keep)? {
            return Ok(Attempt { outcomes: vec![walked], made: Vec::new(), selected: self.selected(editor) });
        }
        let aside = take(&mut self.undone);
        let weight = aside.iter().flat_map(|step| &step.parts).map(|part| part.weight).sum();
        self.kept = self.kept.saturating_sub(weight);
        let (group, strangers, before) = (self.group.take(), self.strangers, self.done.len());
        let ran = self.line(editor, text);
        let new = self.done.get(before..).unwrap_or_default();
        let made =
            new.iter().flat_map(|step| &step.parts).flat_map(|part| part.made.iter().cloned()).collect();
        let attempt = ran.map(|outcomes| Attempt { outcomes, made, selected: self.selected(editor) });
        if keep && attempt.as_ref().is_ok_and(Attempt::changed) {
            self.join(before);
            self.group = None;
            return attempt;
        }
        self.undo(editor, self.done.len().saturating_sub(before));
        self.forget_undone();
        self.undone = aside;
        self.kept = self.kept.saturating_add(weight);
        (self.group, self.strangers) = (group, strangers);
        attempt
    }

    /// Runs a script that is nothing but `undo` or `redo`; `None` if it has neither.
    fn walks(
        &mut self,
        editor: &mut dyn AnyEditor,
        text: &str,
        keep: bool,
    ) -> Result<Option<Outcome>, Refusal> {
        let mut statements = Script::new(text).flatten();
        let is_walk = |word: &str| ["undo", "redo"].iter().any(|walk| word.eq_ignore_ascii_case(walk));
        let first = statements.next();
        let Some(walk) = first
            .iter()
            .cloned()
            .chain(statements.by_ref())
            .find(|statement| statement.words.first().is_some_and(|word| is_walk(word.text)))
        else {
            return Ok(None);
        };
        if Script::new(text).count() > 1 || !keep {
            let why = "stands alone, and is not tried";
            let at = walk.words.first().map(|word| word.at);
            let refusal = Refusal::new(why).in_command(walk.words.first().map_or("undo", |word| word.text));
            return Err(at.map_or(refusal.clone(), |at| refusal.at(at)));
        }
        self.run(editor, &walk).map(Some)
    }

    /// Makes one step of all that follow.
    fn join(&mut self, before: usize) {
        if self.done.len() > before.saturating_add(1) {
            let parts: Vec<Part> = self.done.drain(before..).flat_map(|step| step.parts).collect();
            self.done.push(Step { parts, grouped: true });
        }
    }

    /// The names of the selected items, in the order in which they were selected.
    pub(super) fn selected(&self, editor: &dyn AnyEditor) -> Vec<String> {
        self.chosen.order.iter().map(|key| editor.name(*key)).collect()
    }

    /// The steps in effect in their order, then those that can be done again, the next one first.
    pub(super) fn history(&self) -> Vec<Entry> {
        let entry = |step: &Step, done| {
            let texts: Vec<&str> = step.parts.iter().map(|part| &*part.text).collect();
            Entry { text: texts.join("; "), done }
        };
        let done = self.done.iter().map(|step| entry(step, true));
        done.chain(self.undone.iter().rev().map(|step| entry(step, false))).collect()
    }
}
