//! Writes the commands of a session as text that can be replayed on the same mesh or another version of it.

use super::editor::{Editor, Outcome};
use super::refusal::Refusal;
use super::session::Session;
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;

/// The first line of a journal.
const HEAD: &str = "// navmap journal 1";

/// The commands in effect, one per line. Undone commands are left out.
///
/// A journal is a script. Before each command, comments that begin with `//@` list the items it was given
/// (`//@ #12 = 0 0 0 100 100 0 0 0`: an id, and the shape of its item) and those it made (`//@ + #13 #14`).
pub(super) struct Journal<'j, E: Editor>(pub(super) &'j Session<E>);

impl<E: Editor> fmt::Display for Journal<'_, E> {
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

/// The remarks in a journal about its commands.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks {
    replaying: bool,
    footprints: HashMap<String, String>,
    /// The items that the next command made when it was first run.
    makes: Vec<String>,
    /// The current id of an item, by its id in the journal.
    renamed: HashMap<String, String>,
}

impl Remarks {
    /// Reads the remarks about the next statement.
    pub(super) fn next(&mut self, remarks: &[&str]) {
        if !self.replaying {
            return;
        }
        self.footprints.clear();
        self.makes.clear();
        for remark in remarks {
            if let Some(made) = remark.strip_prefix("+ ") {
                self.makes.extend(made.split_ascii_whitespace().map(str::to_owned));
            } else if let Some((name, footprint)) = remark.split_once(" = ") {
                self.footprints.insert(name.to_owned(), footprint.to_owned());
            }
        }
    }

    /// Space and current id of an item that the journal made.
    pub(super) fn now(&self, name: &str) -> Option<(&str, &str)> {
        self.renamed.get(name)?.split_once('#')
    }

    /// The shape of an item when the journal was written.
    pub(super) fn footprint(&self, name: &str) -> Option<&str> {
        self.footprints.get(name).map(String::as_str)
    }

    /// Records the items made now.
    pub(super) fn made(&mut self, made: &[String]) {
        if self.replaying {
            self.renamed.extend(std::mem::take(&mut self.makes).into_iter().zip(made.iter().cloned()));
        }
    }
}

impl<E: Editor> Session<E> {
    /// The journal of the commands in effect, as a script that [`replay`](Self::replay) runs on another version of the mesh. Its
    /// ids can be found there only if the session began with [`SessionOptions::journal`](super::SessionOptions::journal).
    pub fn journal(&self) -> impl fmt::Display + '_ {
        Journal(self)
    }

    /// Runs a journal. An id means the item that the journal made under this id, else the item with this id, else the item with
    /// exactly the shape recorded in the journal.
    ///
    /// Calls `each` with the result of every statement; it may stop the run. An id that cannot be found is a refusal with its
    /// line.
    pub fn replay(&mut self, text: &str, each: impl FnMut(Result<Outcome, Refusal>) -> ControlFlow<()>) {
        self.remember(Remarks { replaying: true, ..Remarks::default() });
        self.script(text, each);
        self.remember(Remarks::default());
    }
}
