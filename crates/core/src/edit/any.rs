//! A session whose family nobody needs to know.

use super::command::Verb;
use super::files::Files;
use super::refusal::Refusal;
use super::session::{Editor, Outcome, Session};
use crate::error::Result;
use std::ops::ControlFlow;

/// A mesh that is being edited, whatever its family: what a binding holds. `navmap::open::edit` makes one.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// # #[cfg(feature = "source")] {
/// use navmap::edit::{AnySession, Options};
/// use navmap::open::{Mesh, edit};
///
/// let mesh = Mesh::open("corpus/source/town.nav")?;
/// let mut session = edit(&mesh, Options::default())?;
/// let (done, refused) = session.run("nav_mark_attribute JUMP #1; nav_delete #1");
/// assert!(done.len() == 2 && refused.is_none() && session.steps() == 2);
/// assert!(session.encode()?.len() < mesh.bytes().len());
/// session.undo(2);
/// assert_eq!(session.encode()?, **mesh.bytes());
/// # }
/// # Ok::<(), navmap::Error>(())
/// ```
pub trait AnySession: Send {
    /// Runs a script up to its end, or up to the first command that is refused. What was done before that stays done.
    fn run(&mut self, script: &str) -> (Vec<Outcome>, Option<Refusal>);

    /// Undoes so many steps, or as many as there are. Returns how many.
    fn undo(&mut self, steps: usize) -> usize;

    /// Redoes so many steps that were undone. Returns how many.
    fn redo(&mut self, steps: usize) -> usize;

    /// Number of steps that can be undone.
    fn steps(&self) -> usize;

    /// What changed since the mesh was opened, for people. Empty if nothing did.
    fn report(&self) -> String;

    /// What was done, as text that can be replayed. Empty unless the options ask for a journal.
    fn journal(&self) -> String;

    /// The bytes of the mesh as it is now.
    ///
    /// # Errors
    /// If a value does not fit the form of the file.
    fn encode(&self) -> Result<Vec<u8>>;

    /// All verbs, those of every family first.
    fn verbs(&self) -> Vec<&'static Verb>;

    /// Sets what files are read through. Without it, commands that read a file are refused.
    fn read_through(&mut self, files: Box<dyn Files>);
}

impl<E: Editor> AnySession for Session<E>
where
    Self: Send,
{
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

    fn undo(&mut self, steps: usize) -> usize {
        Self::undo(self, steps)
    }

    fn redo(&mut self, steps: usize) -> usize {
        Self::redo(self, steps)
    }

    fn steps(&self) -> usize {
        Self::steps(self)
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

    fn verbs(&self) -> Vec<&'static Verb> {
        Self::verbs(self).collect()
    }

    fn read_through(&mut self, files: Box<dyn Files>) {
        Self::read_through(self, files);
    }
}
