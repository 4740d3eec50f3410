//! A session of any family, without a type parameter.

use super::attempt::{Attempt, Entry};
use super::command::Verb;
use super::editor::Editor;
use super::files::Files;
use super::outcome::{Fix, Outcome};
use super::refusal::Refusal;
use super::session::Session;
use crate::error::Result;
use std::ops::ControlFlow;

/// A mesh under edit, of any family, for bindings. `navmap::open::edit` makes one.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::edit::{AnySession, SessionOptions};
/// use navmap::open::{Mesh, edit};
///
/// let mesh = Mesh::open("corpus/source/town.nav")?;
/// let mut session = edit(&mesh, SessionOptions::default())?;
/// let (done, refused) = session.run("nav_mark_attribute JUMP #1; nav_delete #1");
/// assert!(done.len() == 2 && refused.is_none() && session.steps() == 2);
/// assert!(session.encode()?.len() < mesh.bytes().len());
/// session.undo(2);
/// assert_eq!(session.encode()?, **mesh.bytes());
/// # Ok::<(), navmap::Error>(())
/// ```
pub trait AnySession: Send {
    /// Runs a script to its end, or to the first refused command. Commands before that stay done.
    fn run(&mut self, script: &str) -> (Vec<Outcome>, Option<Refusal>);

    /// Runs a script, and calls `each` with the result of every statement; it may stop the run.
    fn script(&mut self, text: &str, each: &mut dyn FnMut(Result<Outcome, Refusal>) -> ControlFlow<()>);

    /// Runs a script as a whole, or only tries it, as [`Session::attempt`].
    ///
    /// # Errors
    /// The first refusal. Nothing has changed then.
    fn attempt(&mut self, script: &str, keep: bool) -> Result<Attempt, Refusal>;

    /// Runs a journal, as [`Session::replay`].
    fn replay(&mut self, text: &str, each: &mut dyn FnMut(Result<Outcome, Refusal>) -> ControlFlow<()>);

    /// What the word before the end of a line can become, as [`Session::complete`].
    fn complete(&self, line: &str, more: &[&str]) -> (usize, Vec<String>);

    /// The names of the items that a selector selects, as [`Session::items`].
    ///
    /// # Errors
    /// If the text is no selector, or names something that does not exist.
    fn items(&mut self, selector: &str) -> Result<Vec<String>, Refusal>;

    /// Undoes so many steps, or as many as there are. Returns how many.
    fn undo(&mut self, steps: usize) -> usize;

    /// Redoes up to `steps` undone steps. Returns the number redone.
    fn redo(&mut self, steps: usize) -> usize;

    /// Number of steps that can be undone.
    fn steps(&self) -> usize;

    /// The steps in effect, and those that can be done again, as [`Session::history`].
    fn history(&self) -> Vec<Entry>;

    /// The names of the selected items, as [`Session::selected`].
    fn selected(&self) -> Vec<String>;

    /// A report for people of the changes since the mesh was opened. Empty if there are none.
    fn report(&self) -> String;

    /// A journal of the commands as replayable text. Empty unless the options ask for a journal.
    fn journal(&self) -> String;

    /// The bytes of the mesh in its current state.
    ///
    /// # Errors
    /// If a value does not fit the form of the file.
    fn encode(&self) -> Result<Vec<u8>>;

    /// Further files of the mesh that have changed, as [`Editor::further`].
    ///
    /// # Errors
    /// If one of them does not fit its form.
    fn further(&self) -> Result<Vec<(usize, Vec<u8>)>>;

    /// The findings of a check that a command mends.
    fn fixes(&self) -> &'static [Fix];

    /// All verbs, those of every family first.
    fn verbs(&self) -> Vec<&'static Verb>;

    /// Sets the access to files. Without it, commands that read a file are refused.
    fn read_through(&mut self, files: Box<dyn Files>);
}

impl<E: Editor + Send> AnySession for Session<E> {
    fn run(&mut self, script: &str) -> (Vec<Outcome>, Option<Refusal>) {
        let (mut outcomes, mut refusal) = (Vec::new(), None);
        self.script(script, |fared| match fared {
            Ok(outcome) => {
                outcomes.push(outcome);
                ControlFlow::Continue(())
            }
            Err(why) => {
                refusal = Some(why);
                ControlFlow::Break(())
            }
        });
        (outcomes, refusal)
    }

    fn script(&mut self, text: &str, each: &mut dyn FnMut(Result<Outcome, Refusal>) -> ControlFlow<()>) {
        Self::script(self, text, each);
    }

    fn attempt(&mut self, script: &str, keep: bool) -> Result<Attempt, Refusal> {
        Self::attempt(self, script, keep)
    }

    fn replay(&mut self, text: &str, each: &mut dyn FnMut(Result<Outcome, Refusal>) -> ControlFlow<()>) {
        Self::replay(self, text, each);
    }

    fn complete(&self, line: &str, more: &[&str]) -> (usize, Vec<String>) {
        Self::complete(self, line, more)
    }

    fn items(&mut self, selector: &str) -> Result<Vec<String>, Refusal> {
        Self::items(self, selector)
    }

    fn undo(&mut self, steps: usize) -> usize {
        Self::undo(self, steps)
    }

    fn redo(&mut self, steps: usize) -> usize {
        Self::redo(self, steps)
    }

    fn steps(&self) -> usize {
        Self::steps(self)
    }

    fn history(&self) -> Vec<Entry> {
        Self::history(self)
    }

    fn selected(&self) -> Vec<String> {
        Self::selected(self)
    }

    fn report(&self) -> String {
        self.editor().report().to_string()
    }

    fn journal(&self) -> String {
        Self::journal(self).to_string()
    }

    fn encode(&self) -> Result<Vec<u8>> {
        self.editor().encode()
    }

    fn further(&self) -> Result<Vec<(usize, Vec<u8>)>> {
        self.editor().further()
    }

    fn fixes(&self) -> &'static [Fix] {
        E::fixes()
    }

    fn verbs(&self) -> Vec<&'static Verb> {
        Self::verbs(self).collect()
    }

    fn read_through(&mut self, files: Box<dyn Files>) {
        Self::read_through(self, files);
    }
}
