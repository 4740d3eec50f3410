//! A session that edits a mesh. It takes commands, gives outcomes and refusals, and can undo everything.

use super::attempt::{Attempt, Entry};
use super::command::Verb;
use super::editor::Editor;
use super::ledger::{Ledger, verbs};
use super::outcome::{Outcome, SessionOptions};
use super::refusal::Refusal;
use super::script::Statement;
use std::fmt;
use std::ops::ControlFlow;

/// A mesh that is being edited.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::edit::{SessionOptions, Session};
/// use navmap::format::source::edit::SourceEditor;
/// use navmap::format::source::{SourceBuf, SourceNav};
///
/// let bytes = std::fs::read("corpus/source/town.nav")?;
/// let mesh = SourceBuf::read(&SourceNav::parse(&bytes)?)?;
/// let mut session = Session::new(SourceEditor::new(mesh)?, SessionOptions::default());
/// session.line("nav_mark_attribute JUMP #1; nav_delete #1")?;
/// session.undo(1);
/// assert!(session.steps() == 1 && session.line("nav_delete #999999").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session<E> {
    editor: E,
    // All that it does is there, without the type of the editor: so it is compiled once.
    pub(super) ledger: Ledger,
}

impl<E: Editor> Session<E> {
    /// Starts a session on an opened mesh.
    pub fn new(editor: E, options: SessionOptions) -> Self {
        let ledger = Ledger::new(&editor, options);
        Self { editor, ledger }
    }

    /// The mesh.
    pub fn editor(&self) -> &E {
        &self.editor
    }

    /// The mesh, for settings that are not commands, such as how to write it. Changes made here cannot be undone.
    pub fn editor_mut(&mut self) -> &mut E {
        &mut self.editor
    }

    /// The selected items in the order in which they were selected.
    pub fn chosen(&self) -> Vec<E::Key> {
        self.ledger.chosen.order.iter().copied().map(Into::into).collect()
    }

    /// The names of the selected items, in the order in which they were selected.
    pub fn selected(&self) -> Vec<String> {
        self.ledger.selected(&self.editor)
    }

    /// Sets the access to files. Without it, commands that read a file are refused.
    pub fn read_through(&mut self, files: Box<dyn super::files::Files>) {
        self.ledger.setting.files = Some(files);
    }

    /// All verbs, the common ones first.
    pub fn verbs(&self) -> impl Iterator<Item = &'static Verb> {
        verbs(&self.editor)
    }

    /// Number of steps that can be undone.
    pub fn steps(&self) -> usize {
        self.ledger.done.len()
    }

    /// Number of steps that can be redone.
    pub fn undone_steps(&self) -> usize {
        self.ledger.undone.len()
    }

    /// The steps in effect in their order, then those that can be done again, the next one first.
    pub fn history(&self) -> Vec<Entry> {
        self.ledger.history()
    }

    /// Runs every statement of a line.
    ///
    /// # Errors
    /// The first refusal. The statements before it stay done.
    pub fn line(&mut self, text: &str) -> Result<Vec<Outcome>, Refusal> {
        self.ledger.line(&mut self.editor, text)
    }

    /// Runs a script, and calls `each` with the result of every statement; it may stop the run.
    pub fn script(&mut self, text: &str, mut each: impl FnMut(Result<Outcome, Refusal>) -> ControlFlow<()>) {
        self.ledger.script(&mut self.editor, text, &mut each);
    }

    /// Runs a statement, as a script of its own.
    ///
    /// # Errors
    /// If the statement is refused. Nothing has changed then.
    pub fn run(&mut self, statement: &Statement<'_>) -> Result<Outcome, Refusal> {
        self.ledger.run(&mut self.editor, statement)
    }

    /// Runs a script as a whole. If a statement is refused, those before it are taken back. What it did is one step for undo;
    /// a group that is left open ends with it. Without `keep` everything is taken back again, and the session is as it was, with
    /// what can be done again: for asking whether a command is possible while its operands are still being chosen.
    ///
    /// `undo` and `redo` stand alone in their script, and are not tried without `keep`.
    ///
    /// # Errors
    /// The first refusal. Nothing has changed then.
    pub fn attempt(&mut self, text: &str, keep: bool) -> Result<Attempt, Refusal> {
        self.ledger.attempt(&mut self.editor, text, keep)
    }

    /// Undoes up to `steps` steps and returns the number undone. Closes an open group.
    pub fn undo(&mut self, steps: usize) -> usize {
        self.ledger.undo(&mut self.editor, steps)
    }

    /// Redoes up to `steps` undone steps and returns the number redone.
    pub fn redo(&mut self, steps: usize) -> usize {
        self.ledger.redo(&mut self.editor, steps)
    }

    /// The names of the items that a selector selects, each once.
    ///
    /// # Errors
    /// If the text is no selector, or names something that does not exist.
    pub fn items(&mut self, selector: &str) -> Result<Vec<String>, Refusal> {
        self.ledger.items(&self.editor, selector)
    }

    /// Completions of the last word of a line: the offset at which the word begins, and its replacements, sorted. `more` are
    /// additional verbs of the caller.
    pub fn complete(&self, line: &str, more: &[&str]) -> (usize, Vec<String>) {
        super::complete::complete(&self.editor, line, more)
    }

    /// The journal of the commands in effect, as a script that [`replay`](Self::replay) runs on another version of the mesh. Its
    /// ids can be found there only if the session began with [`SessionOptions::journal`].
    pub fn journal(&self) -> impl fmt::Display + '_ {
        self.ledger.journal()
    }

    /// Runs a journal. An id means the item that the journal made under this id, else the item with this id, else the item with
    /// exactly the shape recorded in the journal.
    ///
    /// Calls `each` with the result of every statement; it may stop the run. An id that cannot be found is a refusal with its
    /// line.
    pub fn replay(&mut self, text: &str, mut each: impl FnMut(Result<Outcome, Refusal>) -> ControlFlow<()>) {
        self.ledger.replay(&mut self.editor, text, &mut each);
    }
}
