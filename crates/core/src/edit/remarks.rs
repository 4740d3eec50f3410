//! The remarks in a journal, by which it finds its items on another version of the mesh.

use std::collections::HashMap;

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
    /// Those of a journal that is replayed. Any other script has none that count.
    pub(super) fn of_journal() -> Self {
        Self { replaying: true, ..Self::default() }
    }

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
