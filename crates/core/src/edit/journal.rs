//! Writes what was done as text that can be run again, on the same mesh or on another version of it.

use super::refusal::Refusal;
use super::session::{Editor, Outcome, Session};
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;

/// The first line of a journal.
const HEAD: &str = "// navmap journal 1";

/// The commands that are done now, one a line. Commands that were undone are left out.
///
/// A journal is a script. Before each command, comments that begin with `//@` say which items it was given (`//@ #12 =
/// 0 0 0 100 100 0 0 0`: an id, and the shape of its item) and which it made (`//@ + #13 #14`).
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

/// The remarks of a journal about its commands.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks {
    replaying: bool,
    footprints: HashMap<String, String>,
    /// What the next command made when it was first run.
    makes: Vec<String>,
    /// The id that an item has now, by the id that it had in the journal.
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

    /// Space and id that an item has now, if the journal has made it.
    pub(super) fn now(&self, name: &str) -> Option<(&str, &str)> {
        self.renamed.get(name)?.split_once('#')
    }

    /// The shape that an item had when the journal was written.
    pub(super) fn footprint(&self, name: &str) -> Option<&str> {
        self.footprints.get(name).map(String::as_str)
    }

    /// Notes the items that were made now.
    pub(super) fn made(&mut self, made: &[String]) {
        if self.replaying {
            self.renamed.extend(std::mem::take(&mut self.makes).into_iter().zip(made.iter().cloned()));
        }
    }
}

impl<E: Editor> Session<E> {
    /// The journal of what is done now, as a script that [`replay`](Self::replay) runs on another version of the mesh.
    /// Its ids can be found there only if the session began with [`Options::journal`](super::Options::journal).
    pub fn journal(&self) -> impl fmt::Display + '_ {
        Journal(self)
    }

    /// Runs a journal. An id means the item that the journal has made under this id. If there is none, it means the
    /// item with this id, and otherwise the item with exactly the shape that the item had when the journal was written.
    ///
    /// Calls `each` with the result of every statement; it may stop the run. An id that cannot be found is a refusal
    /// with its line.
    pub fn replay(&mut self, text: &str, each: impl FnMut(Result<Outcome, Refusal>) -> ControlFlow<()>) {
        self.remember(Remarks { replaying: true, ..Remarks::default() });
        self.script(text, each);
        self.remember(Remarks::default());
    }
}
